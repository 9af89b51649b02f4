package loadgen

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Row of the insert workload: (bigint, int, int) as PostgreSQL 15 logs it.
const (
	insertMainLen   = 3   // xl_heap_insert: offnum u16, flags u8 (access/heapam_xlog.h)
	insertDataLen   = 22  // xl_heap_header 5, padding 1, row 16
	insertRowsAPage = 185 // (8192-24) / (4-byte line pointer + 40-byte tuple)
	commitMainLen   = 8   // xl_xact_commit: xact_time i64, microseconds since 2000 (access/xact.h)
)

// insertRel is the table; every updater fills pages of its own, as PostgreSQL's
// backends extend a relation.
var insertRel = pgformat.Rel{Spc: 1663, DB: 5, Node: 16384}

// Commit times start somewhere in ten years from 2020 and move by up to a
// millisecond a commit.
const (
	year             = 365 * 24 * 3600 * 1_000_000 // microseconds
	firstCommitTime  = 20 * year
	commitTimeSpread = 10 * year
	commitTimeStep   = 1000
)

type insert struct{ plain }

func openInsert(name, _ string, _ Options) (Workload, error) { return insert{plain{name}}, nil }

func (insert) Source(o SourceOptions) Source {
	checkUpdater(o.Updater, o.Updaters)
	s := &insertSource{
		content: newContent(o), block: uint32(o.Updater), stride: uint32(o.Updaters),
		times: NewPCG(o.Seed, "commit time", o.Updater),
	}
	s.time = firstCommitTime + s.times.Uint64()%commitTimeSpread
	s.blocks[0] = pgformat.Block{Rel: insertRel, HasData: true, DataLen: insertDataLen}
	s.insert = pgformat.Spec{
		RMID: pgformat.RMHeap, Blocks: s.blocks[:], MainLen: insertMainLen, Main: s.row[:],
	}
	s.commit = pgformat.Spec{
		RMID: pgformat.RMXact, Info: pgformat.InfoXactCommit, MainLen: commitMainLen, Main: s.stamp[:],
	}
	return s
}

// insertSource inserts row after row into pages block, block+stride, ...
type insertSource struct {
	content content
	times   *rand.PCG
	time    uint64 // of the current commit, microseconds since 2000
	rows    uint16 // on the current page, the current one included
	block   uint32
	stride  uint32

	blocks         [1]pgformat.Block
	row            [insertMainLen]byte
	stamp          [commitMainLen]byte
	insert, commit pgformat.Spec
}

func (s *insertSource) Next() {
	s.content.next()
	s.time += 1 + s.times.Uint64()%commitTimeStep
	if s.rows == insertRowsAPage {
		s.rows, s.block = 0, s.block+s.stride
	}
	s.rows++
	s.blocks[0].Number = s.block
	// The first row of a page makes the page: INSERT+INIT, never with an image.
	first := s.rows == 1
	s.blocks[0].WillInit = first
	s.insert.Info = pgformat.InfoHeapInsert
	if first {
		s.insert.Info |= pgformat.InfoHeapInitPage
	}
	binary.LittleEndian.PutUint16(s.row[:], s.rows)
	binary.LittleEndian.PutUint64(s.stamp[:], s.time)
}

func (s *insertSource) Build(tx *walsim.Tx, _ pgformat.LSN) { s.build(tx) }

func (s *insertSource) buildFor(to sink, _ pgformat.LSN) { s.build(to) }

func (s *insertSource) build(to sink) {
	to.Add(&s.insert, s.content.of(0))
	to.Add(&s.commit, s.content.of(1))
}
