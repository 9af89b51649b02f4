package ciphers

import "encoding/binary"

// Read is the suite that only reads the source.
const Read = "read"

// memorySubjects encrypt nothing: what the memory allows.
func memorySubjects() []*subject {
	return []*subject{
		{suite: Read, implementation: "go", call: PerRecord, open: openRead},
		{suite: Memcpy, implementation: "go", call: PerRecord, open: openCopy},
	}
}

func openCopy(w *workset, _ []byte) (func(), error) {
	return func() {
		for i, src := range w.src {
			copy(w.dst[i], src)
		}
	}, nil
}

func openRead(w *workset, _ []byte) (func(), error) {
	return func() {
		for _, src := range w.src {
			sink += sum(src)
		}
	}, nil
}

// sum adds up words of 8 bytes, four side by side.
func sum(b []byte) uint64 {
	var s0, s1, s2, s3 uint64
	for ; len(b) >= 32; b = b[32:] {
		s0 += binary.LittleEndian.Uint64(b)
		s1 += binary.LittleEndian.Uint64(b[8:])
		s2 += binary.LittleEndian.Uint64(b[16:])
		s3 += binary.LittleEndian.Uint64(b[24:])
	}
	for _, c := range b {
		s0 += uint64(c)
	}
	return s0 + s1 + s2 + s3
}
