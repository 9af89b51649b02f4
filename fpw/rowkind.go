package fpw

// rowKind is how an updated row is logged.
type rowKind uint8

const (
	rowPrunes rowKind = iota // PRUNE, HOT_UPDATE: old versions make room
	rowFits                  // HOT_UPDATE: there is room
	rowMoves                 // LOCK, UPDATE, INSERT_LEAF: the row goes to another page
	rowKinds
)

// kinds says how the rows of a phase are logged.
type kinds struct {
	first rowKind // of the first touch of a page in a cycle
	// pruneData are the data lengths of PRUNE records, drawn with equal chance: two
	// bytes for each pointer freed, four for each one redirected. The shares are
	// those of traces of PostgreSQL 15.
	pruneData [4]int
	hotData   [2]int
	movedData int // of the UPDATE that moves a row: header and all columns
}

func newKinds(c *Config) kinds {
	k := kinds{
		first: rowPrunes, pruneData: [4]int{4, 4, 4, 6}, hotData: c.HotData,
		movedData: loggedData(c.Table.TupleBytes),
	}
	if c.Phase.Kind != Fresh {
		return k
	}
	k.first = rowFits
	if !c.Table.Room() {
		k.first, k.pruneData = rowMoves, [4]int{2, 2, 2, 2} // the row that moved is gone
	}
	return k
}

// loggedData is how many bytes of block data a whole tuple is: an xl_heap_header
// of 5 bytes stands for the first 23 of its header (access/heapam_xlog.h).
func loggedData(tupleBytes int) int { return 5 + tupleBytes - 23 }

// of is the kind of a row on a page that has its first touch in a cycle, or not.
func (k *kinds) of(first, nonHot bool) rowKind {
	switch {
	case first && k.first != rowPrunes:
		return k.first
	case nonHot:
		return rowMoves
	}
	return rowPrunes
}

func meanOf(lengths []int) float64 {
	sum := 0
	for _, n := range lengths {
		sum += n
	}
	return float64(sum) / float64(len(lengths))
}

// costs are mean lengths in bytes, for checkpoints by volume.
type costs struct {
	row        [rowKinds]float64 // all records of a row, without images
	heap, leaf float64           // what an image adds
}

func newCosts(k *kinds, heapImage, leafImage float64) costs {
	prune, hot := meanOf(k.pruneData[:]), meanOf(k.hotData[:])
	c := costs{
		row: [rowKinds]float64{
			rowPrunes: pruneBytes + prune + hotUpdateBytes + hot,
			rowFits:   hotUpdateBytes + hot,
			rowMoves:  lockBytes + updateBytes + float64(k.movedData) + insertLeafBytes + indexTupleBytes,
		},
		heap: heapImage + imageHeaderBytes,
		leaf: leafImage + imageHeaderBytes - indexTupleBytes,
	}
	switch k.first { // an image takes the place of the data
	case rowPrunes:
		c.heap -= prune
	case rowFits:
		c.heap -= hot
	}
	return c
}
