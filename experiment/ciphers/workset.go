package ciphers

import (
	"math/rand/v2"
	"unsafe"
)

// workset is the memory that one size is measured on: records one behind the
// other, at multiples of 8 bytes as in a log, and as many destinations half a page
// off. The distance is fixed, since a copy between places whose addresses agree in
// their last twelve bits can be ten times slower than any other. It is made once
// for all subjects of a size and stays in the second-level cache but for the
// largest.
type workset struct {
	size    Size
	src     [][]byte
	dst     [][]byte
	stride  int
	lengths []int
	bytes   int // of all records
}

const (
	fixedBytes   = 16 << 10 // of records that are all alike: half of the first-level cache
	mixedRecords = 4096     // too many for the branch predictor to learn
	pageBytes    = 4096
	dstOffset    = 2048 // of the destination, from a multiple of a page behind the source
	roomBehind   = 64   // touched memory behind the last record, for masked loads
)

func newWorkset(size Size) *workset {
	count := max(1, fixedBytes/align8(size.Min))
	if size.Mixed() {
		count = mixedRecords
	}
	w := &workset{size: size, stride: align8(size.Max), lengths: lengths(size, count)}
	area := (w.stride*count + pageBytes - 1) / pageBytes * pageBytes
	memory := aligned(2*area + dstOffset + roomBehind)
	src, dst := memory[:area], memory[area+dstOffset:]
	for i := range src {
		src[i] = byte(i % 251) // as the rival has it
	}
	for i, n := range w.lengths {
		w.src = append(w.src, src[i*w.stride:][:n:n])
		w.dst = append(w.dst, dst[i*w.stride:][:n:n])
		w.bytes += n
	}
	return w
}

// lengths are the same in every run.
func lengths(size Size, count int) []int {
	list := make([]int, count)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range list {
		list[i] = size.Min + rng.IntN(size.Max-size.Min+1)
	}
	return list
}

func align8(n int) int { return (n + 7) &^ 7 }

// aligned is n bytes from the start of a page on, touched.
func aligned(n int) []byte {
	b := make([]byte, n+pageBytes)
	clear(b)
	off := int(-uintptr(unsafe.Pointer(&b[0])) & (pageBytes - 1))
	return b[off:][:n]
}
