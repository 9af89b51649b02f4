package simtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testSuite is a suite for tests of what suites cost.
var testSuite = RegisterSuite("test-suite")

// suiteProfile is testProfile with costs of testSuite.
func suiteProfile(change func(*Costs), suite SuiteCosts) *Profile {
	p := testProfile(change)
	numbers := map[string]Number{}
	for i := range suiteFields {
		numbers[suiteFields[i].Name] = Number{*suiteFields[i].of(&suite), Assumed, "a test"}
	}
	p.Suites["test-suite"] = numbers
	if err := p.complete(); err != nil {
		panic(err)
	}
	return p
}

func encoded(t *testing.T, p *Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := EncodeProfile(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestProfileRoundTrip(t *testing.T) {
	p := suiteProfile(func(c *Costs) { c.CopyByteFs = 7 }, SuiteCosts{1, 2, 3, 4})
	data := encoded(t, p)
	q, err := DecodeProfile("p.json", data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(data), string(encoded(t, q))); diff != "" || p.Hash() != q.Hash() {
		t.Errorf("read back differs: %s", diff)
	}
	if c, ok := q.Suite("test-suite"); !ok || c != (SuiteCosts{1, 2, 3, 4}) || q.Costs().CopyByteFs != 7 {
		t.Errorf("suite %+v, copy %d", c, q.Costs().CopyByteFs)
	}
	if _, ok := q.Suite("none"); ok {
		t.Error("a suite that is not there")
	}
}

// Whatever is wrong with a profile is said with its place, and nothing of it is used.
func TestProfileErrors(t *testing.T) {
	change := func(edit func(doc map[string]any)) []byte {
		var doc map[string]any
		if err := json.Unmarshal(encoded(t, suiteProfile(nil, SuiteCosts{})), &doc); err != nil {
			t.Fatal(err)
		}
		edit(doc)
		data, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	number := func(doc map[string]any, name string) map[string]any {
		return doc["numbers"].(map[string]any)[name].(map[string]any)
	}
	suite := func(doc map[string]any) map[string]any {
		return doc["suites"].(map[string]any)["test-suite"].(map[string]any)
	}
	for want, data := range map[string][]byte{
		"nothing uses copy":                 change(func(d map[string]any) { d["copy"] = 1 }),
		"copy_byte_fs is missing":           change(func(d map[string]any) { delete(d["numbers"].(map[string]any), "copy_byte_fs") }),
		"nothing uses copy_ps":              change(func(d map[string]any) { d["numbers"].(map[string]any)["copy_ps"] = number(d, "copy_call_ps") }),
		"lock_ps: -1":                       change(func(d map[string]any) { number(d, "lock_ps")["value"] = -1 }),
		"quantum_ps: 1, want 1000000":       change(func(d map[string]any) { number(d, "quantum_ps")["value"] = 1 }),
		"wake_ps: 2000000000000, want":      change(func(d map[string]any) { number(d, "wake_ps")["value"] = 2e12 }),
		"copy_byte_fs: 1000000001, want":    change(func(d map[string]any) { number(d, "copy_byte_fs")["value"] = 1e9 + 1 }),
		"wake_ps: value is missing":         change(func(d map[string]any) { delete(number(d, "wake_ps"), "value") }),
		"wake_ps: value is null":            change(func(d map[string]any) { number(d, "wake_ps")["value"] = nil }),
		"nothing uses numbers: wake_ps: Va": change(func(d map[string]any) { number(d, "wake_ps")["Value"] = 7 }),
		"copy_byte_fs is there twice": bytes.Replace(encoded(t, suiteProfile(nil, SuiteCosts{})), []byte(`"numbers": {`),
			[]byte(`"numbers": {"copy_byte_fs": {"value": 1, "source": "assumed", "from": "x"},`), 1),
		`date: "yesterday"`:                change(func(d map[string]any) { d["date"] = "yesterday" }),
		"implementation is missing":        change(func(d map[string]any) { delete(d, "implementation") }),
		"longer than 100 bytes":            change(func(d map[string]any) { d["name"] = strings.Repeat("x", 101) }),
		"clients: 5000":                    change(func(d map[string]any) { d["clients"] = 5000 }),
		"lock_line_transfer_ps is missing": change(func(d map[string]any) { delete(d["numbers"].(map[string]any), "lock_line_transfer_ps") }),
		"memory_byte_fs is missing":        change(func(d map[string]any) { delete(d["numbers"].(map[string]any), "memory_byte_fs") }),
		`wake_ps: source "guessed"`:        change(func(d map[string]any) { number(d, "wake_ps")["source"] = "guessed" }),
		"wake_ps: from is empty":           change(func(d map[string]any) { number(d, "wake_ps")["from"] = " " }),
		"test-suite: byte_fs is missing":   change(func(d map[string]any) { delete(suite(d), "byte_fs") }),
		"test-suite: nothing uses word_fs": change(func(d map[string]any) { suite(d)["word_fs"] = suite(d)["byte_fs"] }),
		"schema \"other\"":                 change(func(d map[string]any) { d["schema"] = "other" }),
		"must not be empty":                change(func(d map[string]any) { d["machine"] = "" }),
		"cores: 2000":                      change(func(d map[string]any) { d["cores"] = 2000 }),
		"clients: -1":                      change(func(d map[string]any) { d["clients"] = -1 }),
		"behind its end":                   append(encoded(t, testProfile(nil)), "{}"...),
		"ends before its document does":    nil,
		"numbers: want an object":          []byte(`{"numbers": 5}`),
		"the document: want an object":     []byte(`[]`),
		"number 1.5 is not what":           change(func(d map[string]any) { number(d, "wake_ps")["value"] = 1.5 }),
	} {
		p, err := DecodeProfile("p.json", data)
		if p != nil || !errors.Is(err, ErrProfile) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "p.json: ") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v", want, err)
		}
	}
}

func TestProfileScaled(t *testing.T) {
	p := suiteProfile(func(c *Costs) { c.CopyByteFs, c.QuantumPs, c.StarvationPs = 7, leastQuantumPs, mostOf("starvation_ps") }, SuiteCosts{ByteFs: 5})
	for _, c := range []struct {
		name     string
		num, den int64
		want     int64
	}{
		{"copy_byte_fs", 2, 1, 14}, {"copy_byte_fs", 1, 2, 3}, {"test-suite.byte_fs", 2, 1, 10},
		{"quantum_ps", 1, 2, leastQuantumPs}, {"starvation_ps", 2, 1, mostOf("starvation_ps")}, // within what they may be
	} {
		q := p.Scaled(c.name, c.num, c.den)
		if n, _ := q.Input(c.name); n.Value != c.want {
			t.Errorf("%s times %d/%d: %d, want %d", c.name, c.num, c.den, n.Value, c.want)
		}
		for _, other := range p.Inputs() {
			was, _ := p.Input(other)
			if is, _ := q.Input(other); other != c.name && is != was {
				t.Errorf("scaling %s moved %s", c.name, other)
			}
		}
	}
	if n, _ := p.Input("copy_byte_fs"); n.Value != 7 {
		t.Error("the profile itself has changed")
	}
	if got, want := len(p.Inputs()), len(costFields)+len(suiteFields); got != want {
		t.Errorf("%d inputs, want %d", got, want)
	}
}

// workThatUsesAll is a program that uses every number of a profile: it returns the
// sum of the times at which its processes ended.
func workThatUsesAll(t *testing.T, p *Profile) (sum Time) {
	t.Helper()
	clock, err := NewVirtual(VirtualOptions{Profile: p, Cores: 2})
	if err != nil {
		t.Fatal(err)
	}
	m, d := NewMutex(LockSerial), &Device{Kind: DiskDevice}
	buf := make([]byte, 1000)
	clock.Run("main", func(p Proc) {
		var handles []Handle
		for i := range 6 {
			handles = append(handles, p.Spawn("process", func(p Proc) {
				for range 5 {
					w := p.Meter()
					w.Transaction()
					p.Work(Duration(7*i) * us)
					w.Record(100)
					w.Segment(1000)
					w.Copy(buf, buf[:500])
					w.Zero(buf)
					w.CRC(0, buf)
					w.CipherSetup(testSuite, 1)
					w.Cipher(testSuite, 3, 900)
					p.Lock(m)
					w.Reserve()
					w.Page()
					p.Device(d, DeviceWrite, 1000)
					p.Device(d, DeviceSync, 1000)
					p.Unlock(m)
					p.Lock(m) // before the one that was woken comes
					p.Unlock(m)
				}
				p.Sync()
				sum += p.Now()
			}))
		}
		for _, h := range handles {
			h.Join(p)
		}
	})
	return sum
}

// Every number of a profile moves something: none is there for nothing.
func TestEveryInputIsUsed(t *testing.T) {
	p := suiteProfile(func(c *Costs) {
		for i := range costFields {
			*costFields[i].of(c) = int64(3 * us)
		}
		c.QuantumPs, c.StarvationPs, c.WakePs = int64(2*us), int64(60*us), int64(20*us)
		c.MemoryByteFs = int64(10 * us) // 10 ns a byte: less than two cores use
	}, SuiteCosts{int64(us), int64(us), int64(us), int64(us)})
	before := workThatUsesAll(t, p)
	for _, name := range p.Inputs() {
		if workThatUsesAll(t, p.Scaled(name, 2, 1)) == before && workThatUsesAll(t, p.Scaled(name, 1, 4)) == before {
			t.Errorf("%s makes no difference", name)
		}
	}
}

func FuzzDecodeProfile(f *testing.F) {
	var b bytes.Buffer
	if err := EncodeProfile(&b, testProfile(nil)); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"schema":"walbench.profile/1","numbers":{"lock_ps":{"value":1}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := DecodeProfile("fuzz", data)
		if (err == nil) == (p == nil) {
			t.Fatalf("profile %v, error %v", p, err)
		}
		if err != nil {
			if !errors.Is(err, ErrProfile) {
				t.Fatalf("error %v", err)
			}
			return
		}
		var again bytes.Buffer
		if err := EncodeProfile(&again, p); err != nil {
			t.Fatal(err)
		}
	})
}

// BenchmarkVirtualEvents is what a scheduler event takes: processes that all want
// one lock, and processes that have nothing to do with each other.
func BenchmarkVirtualEvents(b *testing.B) {
	for _, c := range []struct {
		name  string
		procs int
		lock  bool
	}{{"one", 1, false}, {"lock-64", 64, true}, {"lock-1024", 1024, true}, {"free-64", 64, false}, {"free-1024", 1024, false}} {
		b.Run(c.name, func(b *testing.B) {
			var events int64
			for b.Loop() {
				clock := newTestClock(b, 32, func(c *Costs) { c.WakePs = int64(5 * us) })
				m := NewMutex(LockOther)
				clock.Run("main", func(p Proc) {
					for i := range c.procs {
						p.Spawn("process", func(p Proc) {
							for range 20_000 / c.procs {
								p.Work(Duration(i+1) * us)
								if c.lock {
									p.Lock(m)
									p.Work(us)
									p.Unlock(m)
								}
								p.Sync()
							}
						})
					}
				})
				events += Events(clock)
			}
			b.ReportMetric(float64(events)*1e3/float64(b.Elapsed().Nanoseconds()), "Mevents/s")
		})
	}
}
