package fpw

import (
	"encoding/binary"

	"github.com/walbench/walbench/walsim/pgformat"
)

// Lengths in bytes without images and block data: record header 24, block header
// 20 (8 for a second block of the same relation), main data header 2, main data.
const (
	lockBytes       = 24 + 20 + 2 + lockMain
	updateBytes     = 24 + 20 + 8 + 2 + updateMain
	hotUpdateBytes  = 24 + 20 + 2 + updateMain
	pruneBytes      = 24 + 20 + 2 + pruneMain
	insertLeafBytes = 24 + 20 + 2 + insertLeafMain

	imageHeaderBytes = 5 // SizeOfXLogRecordBlockImageHeader

	lockMain       = 8  // xl_heap_lock (access/heapam_xlog.h)
	updateMain     = 14 // xl_heap_update
	pruneMain      = 8  // xl_heap_prune
	insertLeafMain = 2  // xl_btree_insert (access/nbtxlog.h)
)

// records are the specs of a session's records; each record changes what differs.
// Its specs point into it, so it must not be copied.
type records struct {
	lock, update, leaf, prune, hot pgformat.Spec

	lockBlock, leafBlock, pruneBlock, hotBlock [1]pgformat.Block
	updateBlocks                               [2]pgformat.Block // new page, old page

	lockMain   [lockMain]byte
	updateMain [updateMain]byte
	pruneMain  [pruneMain]byte
	leafMain   [insertLeafMain]byte
}

func (r *records) init() {
	r.updateBlocks[1].ID = 1
	r.lock = spec(pgformat.RMHeap, pgformat.InfoHeapLock, r.lockBlock[:], r.lockMain[:])
	r.update = spec(pgformat.RMHeap, pgformat.InfoHeapUpdate, r.updateBlocks[:], r.updateMain[:])
	r.leaf = spec(pgformat.RMBtree, pgformat.InfoBtreeInsertLeaf, r.leafBlock[:], r.leafMain[:])
	r.prune = spec(pgformat.RMHeap2, pgformat.InfoHeap2Prune, r.pruneBlock[:], r.pruneMain[:])
	r.hot = spec(pgformat.RMHeap, pgformat.InfoHeapHotUpdate, r.hotBlock[:], r.updateMain[:])
}

func spec(rmid, info uint8, blocks []pgformat.Block, main []byte) pgformat.Spec {
	return pgformat.Spec{RMID: rmid, Info: info, Blocks: blocks, MainLen: len(main), Main: main}
}

// relation makes all records speak of this heap and its index.
func (r *records) relation(heap uint32) {
	rel := pgformat.Rel{Spc: defaultTablespace, DB: firstDatabase, Node: heap}
	r.lockBlock[0].Rel, r.pruneBlock[0].Rel, r.hotBlock[0].Rel = rel, rel, rel
	r.updateBlocks[0].Rel, r.updateBlocks[1].Rel = rel, rel
	rel.Node++
	r.leafBlock[0].Rel = rel
}

// The tablespace pg_default and the first database initdb makes for users.
const (
	defaultTablespace = 1663
	firstDatabase     = 5
)

// main fills in the main data of a row's records. xid is the transaction.
//
//	xl_heap_lock     xid 4 | offnum 2 | infobits 1 | flags 1
//	xl_heap_update   old xmax 4 | old offnum 2 | infobits 1 | flags 1 | new xmax 4 | new offnum 2
//	xl_heap_prune    latestRemovedXid 4 | nredirected 2 | ndead 2
//	xl_btree_insert  offnum 2
func (r *records) main(xid uint32, w *row) {
	le := binary.LittleEndian
	le.PutUint32(r.lockMain[0:], xid)
	le.PutUint16(r.lockMain[4:], w.line+1)
	le.PutUint32(r.updateMain[0:], xid)
	le.PutUint16(r.updateMain[4:], w.line+1)
	le.PutUint16(r.updateMain[12:], w.offset)
	le.PutUint16(r.pruneMain[4:], uint16(w.draw>>8&1))
	le.PutUint16(r.leafMain[0:], uint16(1+w.draw%leafRows))
}
