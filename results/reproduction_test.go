package results

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/walbench/walbench/internal/golden"
)

func reproductionRow(relation Relation, document, tolerance float64, modelled, low, high *float64) ReproductionRow {
	r := ReproductionRow{
		Workload: "worst-case", Design: "page-in-lock", Suite: "ctr-ecb-scalar", SuiteHere: "ctr-ecb-scalar", StandsFor: "pg_tde",
		DocumentRelation: relation, DocumentTolerance: tolerance, DocumentSays: "something", ModelledDocumentProfile: modelled,
	}
	if relation != Unknown {
		r.Document = &document
	}
	if low != nil {
		r.ModelledDocumentProfileRange = &Sensitivity{low, high, ptr("copy_byte_fs")}
	}
	return r
}

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		row  ReproductionRow
		want string
	}{
		"about, hit":             {reproductionRow(About, 0.6, 0.08, ptr(0.53), nil, nil), Agrees},
		"about, missed":          {reproductionRow(About, 0.6, 0.08, ptr(0.5), nil, nil), Misses},
		"about, in the range":    {reproductionRow(About, 0.6, 0.08, ptr(0.5), ptr(0.4), ptr(0.55)), WithinRange},
		"about, below the range": {reproductionRow(About, 0.6, 0.08, ptr(0.9), ptr(0.7), ptr(0.95)), Misses},
		"at least, hit":          {reproductionRow(AtLeast, 0.98, 0, ptr(0.98), nil, nil), Agrees},
		"at least, in the range": {reproductionRow(AtLeast, 0.98, 0, ptr(0.9), ptr(0.8), ptr(1.0)), WithinRange},
		"at least, missed":       {reproductionRow(AtLeast, 0.98, 0, ptr(0.9), ptr(0.8), ptr(0.97)), Misses},
		"below, hit":             {reproductionRow(Below, 0.6, 0, ptr(0.59), nil, nil), Agrees},
		"below, not equal":       {reproductionRow(Below, 0.6, 0, ptr(0.6), nil, nil), Misses},
		"below, in the range":    {reproductionRow(Below, 0.6, 0, ptr(0.9), ptr(0.5), ptr(1.0)), WithinRange},
		"no figure":              {reproductionRow(Unknown, 0, 0, ptr(0.9), nil, nil), NotCompared},
		"not modelled":           {reproductionRow(About, 0.6, 0.08, nil, nil, nil), NotCompared},
	} {
		if c.row.Judge(); c.row.Verdict != c.want {
			t.Errorf("%s: %q, want %q", name, c.row.Verdict, c.want)
		}
	}
}

func testReproduction() *Reproduction {
	p := &Reproduction{
		Name: "wal-worst-case", Document: "an article", DocumentMachine: "32 cores", HereMachine: "32 cores",
		DocumentProfile: "article", HereProfile: "reference", Scale: "small", Host: testHost(), Slips: []string{"a wrong number"},
		Crossovers: []Crossover{
			{Workload: "worst-case", Design: "before-lock", Against: "none", Cores: []int{1, 2}, Modelled: []int{1, 2, 4}},
			{Workload: "worst-case", Design: "before-lock", Against: "in-lock", Modelled: []int{1, 2, 4}},
		},
		Rows: []ReproductionRow{
			reproductionRow(About, 0.6, 0.08, ptr(0.54), ptr(0.4), ptr(0.8)),
			reproductionRow(AtLeast, 0.98, 0, ptr(0.9), ptr(0.8), ptr(0.97)),
			reproductionRow(Below, 0.6, 0, ptr(0.9), ptr(0.5), ptr(1.0)),
			reproductionRow(Unknown, 0, 0, ptr(0.9), nil, nil),
		},
	}
	p.Rows[1].InDoubt = "the weather"
	p.Rows[0].Measured, p.Rows[0].MeasuredRange = ptr(0.57), &Range{ptr(0.57), ptr(0.5), ptr(0.6)}
	for i := range p.Rows {
		p.Rows[i].Judge()
	}
	p.Warn("a warning", "", "a warning")
	return p
}

func TestReproductionGolden(t *testing.T) {
	var text, doc bytes.Buffer
	p := testReproduction()
	if err := p.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "reproduction.txt", text.Bytes())
	if err := p.WriteJSON(&doc); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "reproduction.json", doc.Bytes())
	var back Reproduction
	if err := json.Unmarshal(doc.Bytes(), &back); err != nil || back.Schema != ReproductionSchema || len(back.Rows) != 4 {
		t.Errorf("read back: %v, %q, %d rows", err, back.Schema, len(back.Rows))
	}
}
