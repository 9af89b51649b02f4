package results

import (
	"bytes"
	"fmt"
	"io"
)

// WriteText prints the reproduction for people: the columns side by side, what
// each row means, where designs cross, and the document's slips.
func (p *Reproduction) WriteText(w io.Writer) error {
	var b bytes.Buffer
	writeWrapped(&b, "", "  ", fmt.Sprintf("%s: commits a second, as a share of none's. Document: %s. Modelled with its figures: %s, profile %s. "+
		"Modelled here: %s, profile %s.", p.Name, p.Document, p.DocumentMachine, p.DocumentProfile, p.HereMachine, p.HereProfile))
	m := Matrix{
		Names:   [2]string{"workload", "strategy"},
		Columns: []string{"document", "modelled\ndocument", "its\nrange", "measured\nhere", "modelled\nhere", "its\nrange"},
	}
	for i := range p.Rows {
		m.Rows = append(m.Rows, p.Rows[i].cells())
	}
	if err := m.Write(&b); err != nil {
		return err
	}
	b.WriteByte('\n')
	for i := range p.Rows {
		if text := p.Rows[i].meaning(); text != "" {
			writeWrapped(&b, "", "  ", text)
		}
	}
	for i := range p.Crossovers {
		writeWrapped(&b, "", "  ", p.Crossovers[i].text())
	}
	if len(p.Slips) > 0 {
		b.WriteString("\nslips of the document:\n")
		for _, s := range p.Slips {
			writeWrapped(&b, "  - ", "    ", s)
		}
	}
	writeNotes(&b, p.Complete, p.Warnings)
	_, err := w.Write(b.Bytes())
	return err
}

func (r *ReproductionRow) name() string {
	if r.Suite == "-" || r.Suite == "" {
		return cut(r.Design)
	}
	return cut(r.Design) + "+" + cut(r.Suite)
}

func (r *ReproductionRow) cells() MatrixRow {
	return MatrixRow{
		Names: [2]string{cut(r.Workload), r.name()},
		Figures: []string{
			r.document(), share(r.ModelledDocumentProfile), r.ModelledDocumentProfileRange.span(),
			share(r.Measured), share(r.ModelledHere), r.ModelledHereRange.span(),
		},
	}
}

func (s *Sensitivity) span() string {
	if s == nil {
		return missing
	}
	return span(s.Low, s.High)
}

// document is the document's figure with how it is meant.
func (r *ReproductionRow) document() string {
	if r.Document == nil {
		return missing
	}
	sign := map[Relation]string{About: "~", AtLeast: ">=", Below: "<"}[r.DocumentRelation]
	return sign + share(r.Document)
}

// meaning says in words what came of the row.
func (r *ReproductionRow) meaning() string {
	text := fmt.Sprintf("%s, %s (%s): the document says %s; ", cut(r.Workload), r.name(), printable(r.StandsFor), printable(r.DocumentSays))
	switch r.Verdict {
	case Agrees:
		return text + "the model agrees" + r.inPart()
	case WithinRange:
		return text + "the model agrees only with an input halved or doubled, " + r.doubt()
	case Misses:
		return text + "the model misses it over its whole range, " + r.doubt()
	}
	return ""
}

// inPart says of a row that agrees that its range does so only in part.
func (r *ReproductionRow) inPart() string {
	s := r.ModelledDocumentProfileRange
	if s == nil || s.Low == nil || s.High == nil || r.holds(*s.Low, *s.High) {
		return ""
	}
	text := fmt.Sprintf(", but not over its whole range of %.3f-%.3f", *s.Low, *s.High)
	if s.Driver != nil {
		text += " (most by " + printable(*s.Driver) + ")"
	}
	return text
}

// doubt names what is in doubt.
func (r *ReproductionRow) doubt() string {
	text := "of which none stands out"
	if s := r.ModelledDocumentProfileRange; s != nil && s.Driver != nil {
		text = "most by " + printable(*s.Driver)
	}
	if r.InDoubt != "" {
		text += ". In doubt: " + printable(r.InDoubt)
	}
	return text
}

func (c *Crossover) text() string {
	below := "throughput"
	if c.Share != 1 {
		below = share(&c.Share) + " of the throughput"
	}
	head := fmt.Sprintf("%s with the document's figures: %s is below the %s of %s on ", cut(c.Workload), printable(c.Design), below, printable(c.Against))
	if len(c.Cores) == 0 {
		return head + "none of " + coresText(c.Modelled)
	}
	return head + coresText(c.Cores) + " (of " + coresText(c.Modelled) + ")"
}
