package loadgen

import "testing"

// A tape has as many records as the sources make, and says so when they are more
// than it may hold.
func TestTapeRecordsAll(t *testing.T) {
	for _, name := range exampleWorkloads {
		w := open(t, name)
		const updaters, transactions = 3, 20
		tape, want := NewTape(updaters), 0
		for u := range updaters {
			o := SourceOptions{Updater: u, Updaters: updaters, Seed: 7}
			made := len(transactionsOf(source(w, u, updaters, 7), transactions).records)
			if want += made; !tape.Record(w, o, transactions, made) {
				t.Errorf("%s: %d records do not fit into as many", name, made)
			}
			if NewTape(updaters).Record(w, o, transactions, made-1) {
				t.Errorf("%s: %d records fit into %d", name, made, made-1)
			}
		}
		if got := tape.Records(); got != want {
			t.Errorf("%s: %d records on the tape, want %d", name, got, want)
		}
	}
}
