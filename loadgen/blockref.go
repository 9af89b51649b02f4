package loadgen

import "bytes"

// parseBlockRef reads one block reference of a trace, rN:BLOCK: relation number,
// then a letter if it is not the main fork (f free space map, v visibility map,
// i initialisation fork), block number, then F if the record carries the page's
// image.
func parseBlockRef(ref []byte) (b traceBlock, ok bool) {
	rel, number, found := bytes.Cut(ref, []byte{':'})
	if !found || len(rel) < 2 || rel[0] != 'r' {
		return b, false
	}
	rel = rel[1:]
	if fork := bytes.IndexByte([]byte("fvi"), rel[len(rel)-1]); fork >= 0 {
		b.fork, rel = uint8(fork)+1, rel[:len(rel)-1]
	}
	number, b.image = bytes.CutSuffix(number, []byte{'F'})
	n, okRel := parseNumber(rel)
	block, okBlock := parseNumber(number)
	b.rel, b.number = uint32(n), uint32(block)
	return b, okRel && okBlock && n <= maxRelation && block <= maxBlockNumber
}

// maxBlockNumber is MaxBlockNumber (storage/block.h).
const maxBlockNumber = 1<<32 - 2
