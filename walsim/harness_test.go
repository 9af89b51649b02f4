package walsim

import (
	"fmt"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// harness writes a log with several updaters and reads it back.
type harness struct {
	o        Options
	fs       *vfs.Mem
	updaters []*Updater
	errs     []error
	meter    simtime.Meter
	position Position
}

// newHarness returns a harness for a small log in memory: 1 MB segments, the
// smallest buffers.
func newHarness(tb testing.TB, d *strategies.Design, s *strategies.Suite) *harness {
	tb.Helper()
	fs := vfs.NewMem()
	return &harness{fs: fs, o: Options{
		FS: fs, Dir: "log", Design: d, Suite: s, Master: strategies.NewMasterKey(),
		SysID: 42, SegmentSize: pgformat.MinSegmentSize, BufferBytes: MinBufferSize, Lock: current.lock,
	}}
}

// lengths builds transactions of records with the given xl_tot_len, with content
// that differs from record to record.
type lengths struct {
	content pgformat.Content
	list    []int
	spec    pgformat.Spec
	before  func() // called first in each Build
	redo    pgformat.LSN
}

var testPool = func() []byte {
	pool := make([]byte, 1<<16)
	for i := range pool {
		pool[i] = byte(i*7 + i>>8)
	}
	return pool
}()

func (b *lengths) Build(tx *Tx, redo pgformat.LSN) {
	if b.before != nil {
		b.before()
	}
	b.redo = redo
	for _, n := range b.list {
		b.spec = specOfLen(n)
		tx.Add(&b.spec, &b.content)
	}
}

// blockHeaders is the size of the headers of a record with one block reference.
const blockHeaders = 4 + 12 + 4

// specOfLen is a record of n bytes: a commit record with n bytes of main data
// when short or odd, else a heap insert with block data.
func specOfLen(n int) pgformat.Spec {
	data := n - pgformat.RecordHeaderSize - blockHeaders - pgformat.MainHeaderLen(3) - 3
	if data >= 1 && data <= 65535 && n%2 == 0 {
		return pgformat.Spec{RMID: pgformat.RMHeap, MainLen: 3, Blocks: []pgformat.Block{{
			Rel: pgformat.Rel{Spc: 1663, DB: 5, Node: 16384}, Number: 7, HasData: true, DataLen: data,
		}}}
	}
	main := n - pgformat.RecordHeaderSize
	for _, h := range []int{5, 2, 0} {
		if m := main - h; m >= 0 && pgformat.MainHeaderLen(m) == h {
			return pgformat.Spec{RMID: pgformat.RMXact, MainLen: m}
		}
	}
	panic(fmt.Sprintf("no record of %d bytes", n))
}

// run has n updaters commit their transactions: list(u) are those of updater u,
// each a list of record lengths.
func (h *harness) run(tb testing.TB, n int, list func(u int) [][]int) {
	tb.Helper()
	h.o.Updaters = n
	h.updaters, h.errs = make([]*Updater, n), make([]error, n)
	clock(tb).Run("test", func(p simtime.Proc) {
		l, err := Create(p, h.o)
		if err != nil {
			tb.Error(err)
			return
		}
		var handles []simtime.Handle
		for u := range n {
			handles = append(handles, p.Spawn("updater", func(p simtime.Proc) {
				h.updaters[u] = l.Updater(p, u)
				h.errs[u] = commitAll(h.updaters[u], u, list(u))
			}))
		}
		for _, x := range handles {
			x.Join(p)
			h.meter.Add(x.Meter())
		}
		h.position = l.Position(p)
		if err := l.Close(p); err != nil {
			tb.Error(err)
		}
	})
}

// open creates the log for one updater, or fails the test and returns nil.
func (h *harness) open(tb testing.TB, p simtime.Proc) (*Log, *Updater) {
	tb.Helper()
	h.o.Updaters = 1
	l, err := Create(p, h.o)
	if err != nil {
		tb.Error(err)
		return nil, nil
	}
	u := l.Updater(p, 0)
	h.updaters, h.errs = []*Updater{u}, []error{nil}
	return l, u
}

// onAcknowledged, if it is not nil, is called behind each commit of commitAll.
var onAcknowledged func(u *Updater, end pgformat.LSN)

func commitAll(u *Updater, id int, txs [][]int) error {
	b := &lengths{content: pgformat.Content{Pool: testPool, Off: id * 1000}}
	for _, tx := range txs {
		b.list = tx
		end, err := u.Commit(b)
		if err != nil {
			return err
		}
		if onAcknowledged != nil {
			onAcknowledged(u, end)
		}
	}
	return nil
}

func (h *harness) options(tb testing.TB) ReaderOptions {
	tb.Helper()
	ring, err := strategies.OpenKeyring(h.fs, h.o.Dir, h.o.Master)
	if err != nil {
		tb.Fatal(err)
	}
	dec, err := ring.Decoder(h.o.SegmentSize)
	if err != nil {
		tb.Fatal(err)
	}
	return ReaderOptions{FS: h.fs, Dir: h.o.Dir, Decoder: dec}
}

// readBack returns the digest of each updater's records on disk.
func (h *harness) readBack(tb testing.TB) ([]Digest, Summary) {
	tb.Helper()
	found := make([]Digest, len(h.updaters))
	var g Digester
	sum, err := Recover(h.options(tb), func(r RecoveredRecord) error {
		u := XidUpdater(r.Parsed.Header.Xid, len(found))
		found[u] = g.Add(found[u], r.Rec, r.Parsed, r.Trailer)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return found, sum
}

// mustReadBack requires that the log says exactly what was acknowledged.
func (h *harness) mustReadBack(tb testing.TB) Summary {
	tb.Helper()
	found, sum := h.readBack(tb)
	for u, x := range h.updaters {
		if h.errs[u] != nil {
			tb.Fatalf("updater %d: %v", u, h.errs[u])
		}
		if found[u] != x.Acknowledged() {
			tb.Errorf("updater %d: read back %+v, want %+v (end %+v)", u, found[u], x.Acknowledged(), sum.End)
		}
	}
	if sum.End.Kind != EndClean {
		tb.Errorf("end %v at %v: %s, want clean", sum.End.Kind, sum.End.LSN, sum.End.Reason)
	}
	return sum
}

// eachDesign runs f for every design with every suite that fits it, the designs
// of this package's tests included; on the first way, and with its default suite on
// all.
func eachDesign(t *testing.T, f func(t *testing.T, d *strategies.Design, s *strategies.Suite)) {
	eachDefault(t, f)
	for _, d := range strategies.All() {
		if d.Mode == strategies.ModeNone {
			t.Run(d.Name, func(t *testing.T) { f(t, d, nil) })
			continue
		}
		for _, s := range strategies.Suites() {
			if s.Mode == d.Mode {
				t.Run(d.Name+"/"+s.Name, func(t *testing.T) { f(t, d, s) })
			}
		}
	}
}

// eachDefault runs f for every design with its default suite on every way: for what
// does not depend on the cipher.
func eachDefault(t *testing.T, f func(t *testing.T, d *strategies.Design, s *strategies.Suite)) {
	eachWay(t, func(t *testing.T) { eachDesignOnce(t, f) })
}

func eachDesignOnce(t *testing.T, f func(t *testing.T, d *strategies.Design, s *strategies.Suite)) {
	for _, d := range strategies.All() {
		t.Run(d.Name, func(t *testing.T) {
			if d.Mode == strategies.ModeNone {
				f(t, d, nil)
				return
			}
			name := d.DefaultSuite
			if name == "" {
				name = "aes-128-ctr"
			}
			f(t, d, mustSuite(t, name))
		})
	}
}

func repeat(n int, tx ...int) [][]int {
	list := make([][]int, n)
	for i := range list {
		list[i] = tx
	}
	return list
}
