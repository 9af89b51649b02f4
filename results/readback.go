package results

import "fmt"

// readBack says in a word whether the log was read back and was right.
func readBack(s *Strategy) string {
	v := s.Verified
	switch {
	case v == nil && s.Cores != nil:
		return missing // a model that only counts has no bytes
	case v == nil:
		return "not kept"
	case v.OK():
		return "ok"
	case v.Phantom == 0:
		return smallCount(v.Lost) + " lost"
	}
	return smallCount(v.Lost+v.Phantom) + " bad"
}

func smallCount(n int64) string {
	f := float64(n)
	if n < 1000 {
		return amount(&f)
	}
	return ">999"
}

// readBackNotes spells out what a cell has no room for.
func readBackNotes(list []Strategy) []string {
	var notes []string
	for i := range list {
		s := &list[i]
		if v := s.Verified; v != nil && !v.OK() {
			notes = append(notes, fmt.Sprintf("VERIFICATION FAILED: %s, %s: of %s records acknowledged %s were read back, %s lost, %s phantom",
				s.Workload, s.Name, grouped(v.RecordsAcknowledged), grouped(v.RecordsRecovered), grouped(v.Lost), grouped(v.Phantom)))
		}
		if a := s.KeystreamAudit; a != nil && a.Reused > 0 {
			notes = append(notes, fmt.Sprintf("KEYSTREAM REUSED: %s, %s: %s of %s encrypted bytes share keystream with another plaintext",
				s.Workload, s.Name, grouped(a.Reused), grouped(a.Bytes)))
		}
	}
	return notes
}
