package walsim

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Every record of real segments, against what the server's own tool says.
func TestReadsRealSegmentsAsPgWaldumpDoes(t *testing.T) {
	tests := []struct {
		name, dump string
		files      []string
		major      int
		records    int
		want       ReaderStats
		end        string
	}{
		{
			name: "worst case", files: []string{worst12, worst11}, major: 15, records: 652,
			dump: "testdata/postgres/seg1mb_worst_waldump.txt.gz",
			want: ReaderStats{
				FirstLSN: 0x1100028, Segments: 2, Pages: 256, ContinuedPages: 253, Records: 652, Images: 258,
				StoredBytes: 2087379, RealBytes: 2087379,
			},
			end: "torn at 0/012FF978",
		},
		{
			name: "mixed", files: []string{mix19}, major: 15, records: 193,
			dump: "testdata/postgres/seg1mb_mix_waldump.txt.gz",
			want: ReaderStats{
				FirstLSN: 0x1900028, Segments: 1, Pages: 22, Records: 193,
				StoredBytes: 176348, RealBytes: 176348,
			},
			end: "clean at 0/0192B648",
		},
		{
			name: "PostgreSQL 18", files: []string{pg18C, pg18D}, major: 18, records: 2211,
			dump: "testdata/postgres/pg18_seg1mb_waldump.txt.gz",
			want: ReaderStats{
				FirstLSN: 0xC01418, Segments: 2, Pages: 256, Records: 2211,
				StoredBytes: 2077976, RealBytes: 2077976,
			},
			end: "torn at 0/00DFFE18",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []dumpRow
			sum, err := Recover(ReaderOptions{FS: vfs.OS(), Files: tt.files}, func(r RecoveredRecord) error {
				got = append(got, rowOf(tt.major, r))
				if !pgformat.CheckCRC(r.Rec) || pgformat.SegmentSize(1<<20).Advance(r.LSN, pgformat.Align8(len(r.Rec))) != r.EndLSN {
					t.Errorf("record %v: CRC or end %v", r.LSN, r.EndLSN)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			want := readDump(t, tt.dump)
			if len(want) != tt.records {
				t.Fatalf("the dump has %d records, want %d", len(want), tt.records)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if sum.Major != tt.major || sum.TLI != 1 || endText(sum.End) != tt.end {
				t.Errorf("version %d, timeline %d, %s (%s), want %s", sum.Major, sum.TLI, endText(sum.End), sum.End.Reason, tt.end)
			}
			checkStats(t, sum.ReaderStats, tt.want, want)
		})
	}
}

// checkStats compares what want says, and sums of the dump's rows.
func checkStats(t *testing.T, got, want ReaderStats, rows []dumpRow) {
	t.Helper()
	images, imageBytes := int64(0), int64(0)
	for _, r := range rows {
		images += int64(r.Images)
		imageBytes += int64(r.Tot - r.Rec)
	}
	if got.Images != images || got.ImageBytes != imageBytes {
		t.Errorf("%d images, %d bytes, want %d, %d", got.Images, got.ImageBytes, images, imageBytes)
	}
	want.Images, want.ImageBytes, want.SkippedBytes = images, imageBytes, got.SkippedBytes
	if want.ContinuedPages == 0 {
		want.ContinuedPages = got.ContinuedPages
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestRealSegmentHeaders(t *testing.T) {
	origins, topXids, lengths := 0, 0, map[int]bool{}
	_, err := Recover(ReaderOptions{FS: vfs.OS(), Files: []string{mix19}}, func(r RecoveredRecord) error {
		if r.Parsed.HasOrigin {
			origins++
		}
		if r.Parsed.HasTopXid {
			topXids++
		}
		if r.Parsed.Header.RMID == pgformat.RMLogicalMsg {
			lengths[r.Parsed.PayloadAt-r.Parsed.MainHeaderAt] = true
		}
		return nil
	})
	if err != nil || origins != 14 || topXids != 2 || !lengths[2] || !lengths[5] {
		t.Errorf("%v: %d origins, %d top-level xids, main headers %v; want 14, 2, of 2 and 5 bytes",
			err, origins, topXids, lengths)
	}
}

// The first segment of PostgreSQL 18 begins inside a record; a log that begins
// with a later segment does so too.
func TestSkipsTheRestOfAnEarlierRecord(t *testing.T) {
	sum, err := Recover(ReaderOptions{FS: vfs.OS(), Files: []string{pg18C}}, nil)
	if err != nil || sum.SkippedBytes == 0 || sum.FirstLSN != 0xC01418 {
		t.Errorf("%v: skipped %d, first %v", err, sum.SkippedBytes, sum.FirstLSN)
	}
	first := pgformat.LSN(0xC00000 + pgformat.LongHeaderSize)
	if want := int64(sum.FirstLSN - first); sum.SkippedBytes > want || sum.SkippedBytes <= want-8 {
		t.Errorf("skipped %d bytes before %v, want %d less padding", sum.SkippedBytes, sum.FirstLSN, want)
	}
	sum = readAll(t, memLog(t, seg12(t)))
	if sum.Records == 0 || sum.SkippedBytes == 0 || endText(sum.End) != "torn at 0/012FF978" {
		t.Errorf("%+v", sum)
	}
}

func TestNextTellsWhereTheLogGoesOn(t *testing.T) {
	sum, err := Recover(ReaderOptions{FS: vfs.OS(), Files: []string{mix19}}, nil)
	if err != nil || sum.End.Next != 0x1A00000 {
		t.Errorf("%v: %+v, want 0/1A00000 after the switch", err, sum.End)
	}
}

// Retrail of every real record keeps its content.
func TestRetrailOfRealRecords(t *testing.T) {
	var buf []byte
	var again pgformat.Record
	for _, trailer := range []int{0, 12, 28, 300} {
		_, err := Recover(ReaderOptions{FS: vfs.OS(), Files: []string{mix19}}, func(r RecoveredRecord) error {
			buf = append(buf[:0], make([]byte, r.Parsed.LenWith(trailer))...)
			n := pgformat.Retrail(buf, r.Rec, r.Parsed, trailer)
			if err := pgformat.ParseRecord(buf[:n], &again); err != nil {
				return err
			}
			h1, p1 := pgformat.Canonical(r.Rec, r.Parsed, 0)
			h2, p2 := pgformat.Canonical(buf[:n], &again, trailer)
			if string(h1) != string(h2) || string(p1) != string(p2) || again.RealLen(trailer) != len(r.Rec) {
				t.Errorf("record %v with trailer %d: content or real length differ", r.LSN, trailer)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
