package experiment

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// DamageError means that a log could not be read at a place that has to be
// readable: exit code 5.
type DamageError struct{ walsim.Damage }

func (e *DamageError) Error() string {
	return fmt.Sprintf("segment %s, offset %d: the log is damaged: %s", e.Segment, e.Offset, e.Reason)
}

// RecoverConfig says which log to read back and what to make of it.
type RecoverConfig struct {
	FS vfs.FS

	// Inputs is one folder with segments (and perhaps control and key file), or
	// segment files of one log.
	Inputs []string
	// Plain is a folder for the decrypted log, new or empty; "" for none.
	Plain string
	// MasterKey is the master-key file; "" for master.key beside the segments.
	MasterKey string
	// Records receives one line a record; nil for none.
	Records io.Writer
}

// Recover reads a log back and says what it found. Nothing is written before
// input, keys and output folder are known to be usable; if they are not, the
// error is a *UsageError. A damaged log gives its report together with a
// *DamageError, and the part before the damage has been printed and written.
func Recover(cfg RecoverConfig) (*RecoverReport, error) {
	in, err := openInput(&cfg)
	if err != nil {
		return nil, asUsage(err)
	}
	if err := checkPlain(&cfg); err != nil {
		return nil, asUsage(err)
	}
	rec := recovery{in: in, out: cfg.Records}
	if err := rec.read(); err != nil {
		return nil, asUsage(err)
	}
	report := newRecoverReport(&rec)
	if cfg.Plain != "" {
		if _, err := walsim.WritePlain(in.options, cfg.Plain); err != nil {
			return report, fmt.Errorf("--plain %s: %w", cfg.Plain, err)
		}
	}
	if d := rec.summary.End.Damage; d != nil {
		return report, &DamageError{*d}
	}
	return report, nil
}

// checkPlain refuses an output folder that holds something, before anything
// else is printed or written.
func checkPlain(cfg *RecoverConfig) error {
	if cfg.Plain == "" {
		return nil
	}
	info, err := cfg.FS.Stat(cfg.Plain)
	if exists, e := vfs.Exists(cfg.FS, cfg.Plain); e != nil || !exists {
		return e
	}
	if err == nil && !info.Dir {
		return usagef("--plain %s: is a file, not a folder", cfg.Plain)
	}
	empty, err := vfs.IsEmptyDir(cfg.FS, cfg.Plain)
	if err == nil && !empty {
		err = usagef("--plain %s: %w", cfg.Plain, walsim.ErrOutput)
	}
	return err
}

// recovery is one reading of a log.
type recovery struct {
	in      *recoverInput
	out     io.Writer // nil: records are not printed
	summary walsim.Summary
	elapsed time.Duration // for reading alone, printing left out
}

func (r *recovery) read() (err error) {
	start := time.Now()
	if r.out == nil {
		r.summary, err = walsim.Recover(r.in.options, nil)
		r.elapsed = time.Since(start)
		return err
	}
	w := bufio.NewWriterSize(r.out, 64<<10)
	printer := recordPrinter{w: w, major: r.in.major}
	r.summary, err = walsim.Recover(r.in.options, printer.print)
	r.elapsed = time.Since(start) - printer.spent
	return errors.Join(err, w.Flush())
}

// recordPrinter prints one line a record.
type recordPrinter struct {
	w     *bufio.Writer
	major int
	spent time.Duration
	line  []byte
}

// print writes what pg_waldump says of a record in the words of pg_waldump: rec
// is the length without page images, tot is xl_tot_len as stored, with what the
// design added.
func (p *recordPrinter) print(r walsim.RecoveredRecord) error {
	start := time.Now()
	h := &r.Parsed.Header
	p.line = fmt.Appendf(p.line[:0],
		"lsn: %v, prev %v, rmgr: %s, type: %s, tx: %d, len (rec/tot): %d/%d, images: %d\n",
		r.LSN, h.Prev, pgformat.RMName(h.RMID), pgformat.RecordType(p.major, h.RMID, h.Info),
		h.Xid, int(h.TotLen)-r.Parsed.ImageBytes, h.TotLen, r.Parsed.Images)
	_, err := p.w.Write(p.line)
	p.spent += time.Since(start)
	return err
}
