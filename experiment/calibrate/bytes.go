package calibrate

import (
	"fmt"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// addBytes adds what touches bytes: copies, clearing, sums, page headers, all
// through a meter, as the log does them.
func (b *bench) addBytes() {
	for _, n := range []int{smallBytes, largeBytes} {
		b.add(sized("copy", n), 0, func(count int) (simtime.Duration, error) { return b.timeCopies(n, count), nil })
		b.add(sized("zero", n), 0, func(count int) (simtime.Duration, error) {
			b.goRound()
			start := b.p.Now()
			b.clearPieces(n, count)
			return b.p.Now().Sub(start), nil
		})
		b.loop(sized("crc", n), func(count int) {
			for range count {
				sink = b.meter.CRC(sink, b.warm[:n])
			}
		})
	}
	b.loop("page", b.writeHeaders)
	b.loop("reserve", b.reserve)
}

// sink keeps the compiler from dropping work.
var sink uint32

func sized(name string, n int) string { return fmt.Sprintf("%s %d", name, n) }

// timeCopies copies pieces of n bytes into pages that have just been cleared: a
// log clears a page when it begins it, and fills it at once. The clearing is not
// timed here.
func (b *bench) timeCopies(n, count int) (took simtime.Duration) {
	b.goRound()
	step := pgformat.Align8(n)
	for count > 0 {
		flush := b.nextFlush()
		clear(flush)
		pieces := min(count, len(flush)/step)
		start := b.p.Now()
		for i := range pieces {
			b.meter.Copy(flush[i*step:], b.warm[:n])
		}
		took += b.p.Now().Sub(start)
		count -= pieces
	}
	return took
}

// clearPieces clears pieces that have not been touched since the ring went round.
func (b *bench) clearPieces(n, count int) {
	step := pgformat.Align8(n)
	for count > 0 {
		flush := b.nextFlush()
		pieces := min(count, len(flush)/step)
		for i := range pieces {
			b.meter.Zero(flush[i*step:][:n])
		}
		count -= pieces
	}
}

// writeHeaders gives pages that are in the caches their headers.
func (b *bench) writeHeaders(count int) {
	h := pgformat.PageHeader{Magic: pgformat.Magic15, Info: pgformat.BackupBlocksRemovable, TLI: 1}
	for i := range count {
		h.PageAddr += pgformat.PageSize
		h.Encode(b.ring[i%flushPages*pgformat.PageSize:])
	}
}

// reserve does the arithmetic of a record's place, and puts it into its header.
func (b *bench) reserve(count int) {
	seg, insert, prev := pgformat.DefaultSegmentSize, pgformat.LSN(pgformat.DefaultSegmentSize), pgformat.LSN(0)
	for i := range count {
		rec := b.warm[i%32*128:]
		at := seg.RecordStart(insert)
		insert = seg.Advance(at, smallBytes+4)
		pgformat.PutPrev(rec, prev)
		prev = at
	}
}
