package pgformat

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// drawBlock draws a block reference that Check accepts.
func drawBlock(t *rapid.T, id uint8) Block {
	b := Block{
		ID: id, Fork: rapid.Uint8Range(0, maxFork).Draw(t, "fork"), WillInit: rapid.Bool().Draw(t, "init"),
		Rel:    Rel{1663, 5, rapid.Uint32Range(16384, 16385).Draw(t, "rel")},
		Number: rapid.Uint32().Draw(t, "number"),
	}
	if b.HasData = rapid.Bool().Draw(t, "data"); b.HasData {
		b.DataLen = rapid.IntRange(1, 0xFFFF).Draw(t, "datalen")
	}
	if b.HasImage = rapid.Bool().Draw(t, "image"); b.HasImage {
		drawImage(t, &b)
	}
	return b
}

func drawImage(t *rapid.T, b *Block) {
	b.ImageLen = PageSize
	if rapid.Bool().Draw(t, "hole") {
		b.ImageInfo |= ImageHasHole
		b.HoleLen = rapid.IntRange(1, PageSize-100).Draw(t, "holelen")
		b.HoleOffset = rapid.IntRange(1, PageSize-b.HoleLen).Draw(t, "holeoffset")
		b.ImageLen -= b.HoleLen
	}
	if c := rapid.SampledFrom([]uint8{0, ImagePGLZ, ImageLZ4, ImageZstd}).Draw(t, "compression"); c != 0 {
		b.ImageInfo |= c
		b.ImageLen = rapid.IntRange(0, b.ImageLen-1).Draw(t, "compressed")
	}
}

func drawSpec(t *rapid.T) Spec {
	s := Spec{
		RMID: RMHeap, Info: uint8(rapid.IntRange(0, 255).Draw(t, "info")), Xid: rapid.Uint32().Draw(t, "xid"),
		MainLen: rapid.SampledFrom([]int{0, 1, 14, 239, 240, 241, 254, 255, 256, 257, 70000}).Draw(t, "main"),
	}
	s.Main = make([]byte, min(s.MainLen, rapid.IntRange(0, 20).Draw(t, "given")))
	for i := range s.Main {
		s.Main[i] = byte(i + 1)
	}
	id := uint8(0)
	for range rapid.IntRange(0, 4).Draw(t, "blocks") {
		id += rapid.Uint8Range(0, 7).Draw(t, "gap")
		s.Blocks = append(s.Blocks, drawBlock(t, id))
		id++
	}
	return s
}

func testContent() *Content {
	pool := make([]byte, 1021) // a prime, so that blocks do not begin alike
	for i := range pool {
		pool[i] = byte(i*7 + 1)
	}
	return &Content{Pool: pool}
}

// encode returns the spec's record in a buffer that held other bytes before.
func encode(s *Spec, trailer int) []byte {
	dst := bytes.Repeat([]byte{0xEE}, s.LenWith(trailer)+5)
	return dst[:s.Encode(dst, trailer, testContent())]
}

func TestEncodedRecordParses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		trailer := rapid.SampledFrom([]int{0, 1, 12, 16, 300}).Draw(t, "trailer")
		rec := encode(&s, trailer)
		var got Record
		if err := ParseRecord(rec, &got); err != nil {
			t.Fatal(err)
		}
		want := RecordHeader{TotLen: uint32(s.LenWith(trailer)), Xid: s.Xid, Info: s.Info, RMID: s.RMID}
		if got.Header != want || got.MainLen != s.MainLen+trailer {
			t.Fatalf("header %+v, main %d, want %+v, %d", got.Header, got.MainLen, want, s.MainLen+trailer)
		}
		if d := cmp.Diff(s.Blocks, got.Blocks, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
		main := rec[len(rec)-got.MainLen:]
		if !bytes.HasPrefix(main, s.Main) || len(bytes.Trim(main[len(s.Main):], "\x00")) != 0 {
			t.Fatal("main data is not the given bytes and then zeros")
		}
	})
}

// However a trailer gets into a record, the record is the same, and what it was
// before can be told.
func TestTrailerInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		trailer := rapid.SampledFrom([]int{0, 1, 12, 16, 300}).Draw(t, "trailer")
		plain, want := encode(&s, 0), encode(&s, trailer)
		PutPrev(plain, 0x1000)
		FinishCRC(plain, CRC(0, plain[RecordHeaderSize:]))
		var before, after Record
		if err := ParseRecord(plain, &before); err != nil {
			t.Fatal(err)
		}
		dst := bytes.Repeat([]byte{0xEE}, before.LenWith(trailer))
		got := dst[:Retrail(dst, plain, &before, trailer)]
		if !bytes.Equal(got, want) {
			t.Fatal("Retrail differs from Encode with the trailer")
		}
		if err := ParseRecord(got, &after); err != nil {
			t.Fatal(err)
		}
		if n := after.RealLen(trailer); n != len(plain) {
			t.Fatalf("RealLen %d, want %d", n, len(plain))
		}
		headers, payload := Canonical(plain, &before, 0)
		headers2, payload2 := Canonical(got, &after, trailer)
		if !bytes.Equal(headers, headers2) || !bytes.Equal(payload, payload2) {
			t.Fatal("canonical parts differ")
		}
	})
}

func TestSpecCheckRefuses(t *testing.T) {
	rel := Rel{1663, 5, 16384}
	tests := []struct {
		name string
		spec Spec
		want error
	}{
		{"ids fall", Spec{Blocks: []Block{{ID: 1, Rel: rel}, {ID: 1, Rel: rel}}}, ErrSpec},
		{"id 33", Spec{Blocks: []Block{{ID: 33, Rel: rel}}}, ErrBlock},
		{"fork 4", Spec{Blocks: []Block{{Fork: 4}}}, ErrBlock},
		{"no data", Spec{Blocks: []Block{{HasData: true}}}, ErrBlock},
		{"data without flag", Spec{Blocks: []Block{{DataLen: 3}}}, ErrBlock},
		{"long data", Spec{Blocks: []Block{{HasData: true, DataLen: 65536}}}, ErrBlock},
		{"short image", Spec{Blocks: []Block{{HasImage: true, ImageLen: 100}}}, ErrBlock},
		{"image and hole", Spec{Blocks: []Block{
			{HasImage: true, ImageLen: 8000, ImageInfo: ImageHasHole, HoleOffset: 10, HoleLen: 193}}}, ErrBlock},
		{"hole at 0", Spec{Blocks: []Block{
			{HasImage: true, ImageLen: 8000, ImageInfo: ImageHasHole, HoleLen: 192}}}, ErrBlock},
		{"compressed page", Spec{Blocks: []Block{
			{HasImage: true, ImageLen: PageSize, ImageInfo: ImageLZ4}}}, ErrBlock},
		{"hole behind page", Spec{Blocks: []Block{{HasImage: true, ImageLen: 8000,
			ImageInfo: ImageHasHole, HoleOffset: 8100, HoleLen: 192}}}, ErrBlock},
		{"main shorter than given", Spec{MainLen: 1, Main: []byte{1, 2}}, ErrSpec},
		{"main negative", Spec{MainLen: -1}, ErrSpec},
		{"too large", Spec{MainLen: MaxRecordSize}, ErrSpec},
		{"free resource manager", Spec{RMID: 57}, ErrSpec},
	}
	for _, tt := range tests {
		if err := tt.spec.Check(); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	fits := Spec{MainLen: MaxRecordSize - RecordHeaderSize - 5}
	if err := fits.Check(); err != nil {
		t.Errorf("largest record: %v", err)
	}
}

// record builds a record from a body of headers and payload.
func record(body ...byte) []byte {
	rec := append(make([]byte, RecordHeaderSize), body...)
	binary.LittleEndian.PutUint32(rec, uint32(len(rec)))
	return rec
}

var blockPlace = []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 9, 0, 0, 0}

func TestParseRecordHeaders(t *testing.T) {
	rec := record(append(append([]byte{idOrigin, 7, 1, idTopXid, 1, 2, 0, 0, 0, 0, 0, 0},
		blockPlace...), idMainShort, 2, 0xAA, 0xBB)...)
	var r Record
	if err := ParseRecord(rec, &r); err != nil {
		t.Fatal(err)
	}
	if !r.HasOrigin || r.Origin != 263 || !r.HasTopXid || r.TopXid != 513 || r.MainLen != 2 ||
		len(r.Blocks) != 1 || r.Blocks[0].Rel != (Rel{1, 2, 3}) || r.Blocks[0].Number != 9 {
		t.Errorf("%+v", r)
	}
	if r.MainHeaderAt != len(rec)-4 || r.PayloadAt != len(rec)-2 {
		t.Errorf("offsets %d %d", r.MainHeaderAt, r.PayloadAt)
	}
	if err := ParseRecord(record(), &r); err != nil || r.HasOrigin || r.MainHeaderAt != 24 || r.PayloadAt != 24 {
		t.Errorf("empty record after a full one: %v %+v", err, r)
	}
}

func TestParseRecordRefuses(t *testing.T) {
	withPlace := func(b ...byte) []byte { return append(b, blockPlace...) }
	tests := map[string][]byte{
		"empty":              {},
		"23 bytes":           make([]byte, 23),
		"length too long":    append(record(), 0),
		"unknown id":         record(33, 0),
		"short id only":      record(idMainShort),
		"long id cut":        record(idMainLong, 1, 0, 0),
		"main data cut":      record(idMainShort, 2, 1),
		"main data too long": record(idMainShort, 1, 1, 1),
		"4 GB of main data":  record(idMainLong, 0xFF, 0xFF, 0xFF, 0xFF, 1),
		"origin cut":         record(idOrigin, 1),
		"xid cut":            record(idTopXid, 1, 2, 3),
		"block cut":          record(0, 0, 0),
		"place cut":          record(withPlace(0, 0, 0, 0)[:19]...),
		"number cut":         record(0, blockSameRel, 0, 0, 1),
		"same rel first":     record(0, blockSameRel, 0, 0, 1, 0, 0, 0),
		"data without flag":  record(append(withPlace(0, 0, 1, 0), 1)...),
		"flag without data":  record(withPlace(0, blockHasData, 0, 0)...),
		"ids equal":          record(append(withPlace(3, 0, 0, 0), withPlace(3, 0, 0, 0)...)...),
		"image header cut":   record(0, blockHasImage, 0, 0, 1, 0),
		"hole length cut":    record(0, blockHasImage, 0, 0, 1, 0, 1, 0, ImageHasHole|ImagePGLZ, 1),
		"image of 9 kB":      record(withPlace(0, blockHasImage, 0, 0, 0, 0x24, 0, 0, 0)...),
		"image without hole": record(append(withPlace(0, blockHasImage, 0, 0, 1, 0, 0, 0, 0), 1)...),
	}
	var r Record
	for name, rec := range tests {
		err := ParseRecord(rec, &r)
		if !errors.Is(err, ErrRecord) && !errors.Is(err, ErrBlock) {
			t.Errorf("%s: %v, want ErrRecord or ErrBlock", name, err)
		}
	}
}

func FuzzParseRecord(f *testing.F) {
	specs := []Spec{
		{RMID: RMXLog, Info: InfoXLogSwitch},
		{RMID: RMHeap, Info: InfoHeapUpdate, MainLen: 14, Blocks: []Block{
			{Rel: Rel{1, 2, 3}, HasData: true, DataLen: 30}, {ID: 1, Rel: Rel{1, 2, 3}}}},
		{RMID: RMHeap2, MainLen: 300, Blocks: []Block{{Rel: Rel{1, 2, 3}, HasImage: true,
			ImageLen: 50, ImageInfo: ImageHasHole | ImageZstd, HoleOffset: 40, HoleLen: 6000}}},
	}
	for i := range specs {
		f.Add(encode(&specs[i], 0), 3)
	}
	f.Fuzz(func(t *testing.T, rec []byte, trailer int) {
		if len(rec) >= 4 {
			binary.LittleEndian.PutUint32(rec, uint32(len(rec)))
		}
		var r Record
		if err := ParseRecord(rec, &r); err != nil {
			return
		}
		if r.RealLen(0) != len(rec) || r.PayloadAt < r.MainHeaderAt || r.PayloadAt+r.MainLen > len(rec) {
			t.Fatalf("%+v of %d bytes", r, len(rec))
		}
		trailer = trailer & 0x1FF
		dst := make([]byte, r.LenWith(trailer))
		var again Record
		if err := ParseRecord(dst[:Retrail(dst, rec, &r, trailer)], &again); err != nil {
			t.Fatal(err)
		}
		h1, p1 := Canonical(rec, &r, 0)
		h2, p2 := Canonical(dst, &again, trailer)
		if !bytes.Equal(h1, h2) || !bytes.Equal(p1, p2) {
			t.Fatal("canonical parts differ after Retrail")
		}
	})
}

// updateSpec is the record that the worst case writes most: an update with one
// page image.
func updateSpec() Spec {
	return Spec{RMID: RMHeap, Info: InfoHeapUpdate, Xid: 7, MainLen: 14, Blocks: []Block{
		{Rel: Rel{1663, 5, 16384}, Number: 3, HasImage: true, ImageLen: 8000,
			ImageInfo: ImageHasHole | ImageApply, HoleOffset: 304, HoleLen: 192},
		{ID: 1, Rel: Rel{1663, 5, 16384}, Number: 4}}}
}

func TestHotPathsDoNotAllocate(t *testing.T) {
	s, content := updateSpec(), testContent()
	dst, dst2 := make([]byte, s.LenWith(12)), make([]byte, s.LenWith(24))
	var r Record
	n := testing.AllocsPerRun(100, func() {
		s.Encode(dst, 12, content)
		if err := ParseRecord(dst, &r); err != nil {
			t.Fatal(err)
		}
		Retrail(dst2, dst, &r, 12)
	})
	if n != 0 {
		t.Errorf("%v allocations a record, want none", n)
	}
}

func BenchmarkEncode(b *testing.B) {
	s, content := updateSpec(), testContent()
	dst := make([]byte, s.LenWith(12))
	b.SetBytes(int64(len(dst)))
	b.ReportAllocs()
	for b.Loop() {
		s.Encode(dst, 12, content)
	}
}

func BenchmarkParseRecord(b *testing.B) {
	s := updateSpec()
	rec := encode(&s, 12)
	var r Record
	b.ReportAllocs()
	for b.Loop() {
		if err := ParseRecord(rec, &r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRetrail(b *testing.B) {
	s := updateSpec()
	rec := encode(&s, 0)
	var r Record
	if err := ParseRecord(rec, &r); err != nil {
		b.Fatal(err)
	}
	dst := make([]byte, r.LenWith(12))
	b.SetBytes(int64(len(rec)))
	b.ReportAllocs()
	for b.Loop() {
		Retrail(dst, rec, &r, 12)
	}
}
