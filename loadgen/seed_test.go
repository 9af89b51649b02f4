package loadgen

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// The words were computed from the definition with another implementation of
// SHA-256: they must never change, or old results cannot be repeated.
func TestDeriveIsFixed(t *testing.T) {
	for _, c := range []struct {
		seed    uint64
		purpose string
		index   int
		hi, lo  uint64
	}{
		{1, "content pool", 0, 0x729e5bc692cf3930, 0xf3ae7ba6ce72818d},
		{1, "commit time", 3, 0x37a571a5f1cbff4c, 0x4a875cf639b664ae},
	} {
		if hi, lo := Derive(c.seed, c.purpose, c.index); hi != c.hi || lo != c.lo {
			t.Errorf("Derive(%d, %q, %d) = %#x, %#x, want %#x, %#x", c.seed, c.purpose, c.index, hi, lo, c.hi, c.lo)
		}
	}
}

func TestDeriveNeverShares(t *testing.T) {
	seen := map[[2]uint64]string{}
	for _, seed := range []uint64{0, 1, 2, math.MaxUint64} {
		for _, purpose := range []string{"content pool", "content place", "commit time"} {
			for index := range 70 {
				hi, lo := Derive(seed, purpose, index)
				who := fmt.Sprint(seed, purpose, index)
				if other, ok := seen[[2]uint64{hi, lo}]; ok {
					t.Errorf("%s and %s share a stream", who, other)
				}
				seen[[2]uint64{hi, lo}] = who
			}
		}
	}
}

// The seed reaches every generator: the same one gives every updater the same
// records, another one changes the records of every updater, and no two
// updaters have the same.
func TestSeedReachesEverything(t *testing.T) {
	const updaters, transactions = 3, 4
	hashes := func(w Workload, seed uint64) (all [updaters][32]byte) {
		for u := range updaters {
			all[u] = transactionsOf(source(w, u, updaters, seed), transactions).hash()
		}
		return all
	}
	for _, name := range exampleWorkloads {
		t.Run(name, func(t *testing.T) {
			w := open(t, name)
			first, again, other := hashes(w, 7), hashes(open(t, name), 7), hashes(w, 8)
			ownContent := strings.HasPrefix(name, "wal:")
			alone := false
			if recorded, ok := w.(interface{ Transactions() int }); ok {
				alone = ownContent && recorded.Transactions() == 1
			}
			for u := range updaters {
				if first[u] != again[u] {
					t.Errorf("updater %d: same seed, other records", u)
				}
				if (first[u] == other[u]) != ownContent {
					t.Errorf("updater %d: other seed, records equal is %t", u, first[u] == other[u])
				}
				if u > 0 && first[u] == first[0] && !alone {
					t.Errorf("updaters 0 and %d have the same records", u)
				}
			}
		})
	}
}

// Building is repeatable, and does not disturb what comes behind it.
func TestBuildTwice(t *testing.T) {
	for _, name := range exampleWorkloads {
		w := open(t, name)
		once, twice := source(w, 1, 3, 7), source(w, 1, 3, 7)
		for i := range 5 {
			var a, b, c recorder
			once.Next()
			once.build(&a)
			twice.Next()
			twice.build(&b)
			twice.build(&c)
			if a.hash() != b.hash() || b.hash() != c.hash() {
				t.Errorf("%s: transaction %d differs when built again", name, i)
			}
		}
	}
}

// Next alone moves on: a transaction that was never built is skipped.
func TestNextSkips(t *testing.T) {
	for _, name := range exampleWorkloads {
		w := open(t, name)
		all, late := source(w, 0, 2, 7), source(w, 0, 2, 7)
		transactionsOf(all, 2)
		late.Next()
		late.Next()
		if transactionsOf(all, 1).hash() != transactionsOf(late, 1).hash() {
			t.Errorf("%s: the third transaction depends on the first two having been built", name)
		}
	}
}

func TestSourcePanicsOutOfRange(t *testing.T) {
	for _, name := range exampleWorkloads {
		w := open(t, name)
		for _, u := range []int{-1, 2, 3} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: updater %d of 2 did not panic", name, u)
					}
				}()
				w.Source(SourceOptions{Updater: u, Updaters: 2, Seed: 1})
			}()
		}
	}
}
