package simtime

import "testing"

// Every so many calls are timed, from a place on that depends on the process, and
// the end of the warm-up does not begin the cycle again.
func TestCipherCallsAreSampled(t *testing.T) {
	clock := newSource()
	for _, number := range []int64{0, 1, 60, 61} {
		m := NewMeter()
		m.CipherTime = newCipherSamples(number, &clock)
		first, calls := int64(0), int64(10*CipherSampleEvery)
		for i := range calls {
			if i == 5 {
				m.Reset()
			}
			m.Cipher(0, 1, 100)
			if first == 0 && m.CipherTime.on {
				first = i + 1
			}
			m.CipherDone(100)
		}
		if want := number*sampleStride%CipherSampleEvery + 1; first != want {
			t.Errorf("process %d: first timed call %d, want %d", number, first, want)
		}
		want := calls / CipherSampleEvery
		if first <= 5 {
			want-- // forgotten with the warm-up
		}
		// A busy machine may interrupt some, and they are left out.
		c := &m.CipherTime
		if c.Count > want || c.Count == 0 || c.Bytes != 100*c.Count || c.Ps <= 0 {
			t.Errorf("process %d: %d calls of %d bytes, %d ps; want %d calls of 100 bytes", number, c.Count, c.Bytes, c.Ps, want)
		}
	}
}

// A hold whose phases are taken contains no reading of the clock but theirs: the
// sample is taken behind it.
func TestCipherSamplesWaitForSampledHold(t *testing.T) {
	clock := newSource()
	m := NewMeter()
	m.CipherTime = newCipherSamples(0, &clock)
	m.Holds.on = true
	for range 3 {
		m.Cipher(0, 1, 1)
		m.CipherDone(1)
	}
	if m.CipherTime.Count != 0 {
		t.Errorf("%d calls timed inside the hold", m.CipherTime.Count)
	}
	m.Holds.on = false
	if m.Cipher(0, 1, 1); !m.CipherTime.on {
		t.Error("the first call behind the hold is not timed")
	}
}

// A call in which the thread lost its core is no measure of a cipher.
func TestInterruptedCipherCallIsLeftOut(t *testing.T) {
	clock := newSource()
	for _, c := range []struct {
		took  Duration
		bytes int
		count int64
	}{{50 * Microsecond, 10, 1}, {5 * Millisecond, 10, 0}, {5 * Millisecond, 1 << 20, 1}} {
		s := newCipherSamples(0, &clock)
		s.since = clock.now().Add(-c.took)
		if s.end(c.bytes); s.Count != c.count {
			t.Errorf("%v for %d bytes: %d samples, want %d", c.took, c.bytes, s.Count, c.count)
		}
	}
}

// A meter of no process has no clock, and takes no samples.
func TestCipherSamplesNeedClock(t *testing.T) {
	m := NewMeter()
	for range 2 * CipherSampleEvery {
		m.Cipher(0, 1, 1)
		m.CipherDone(1)
	}
	if m.CipherTime.Count != 0 {
		t.Errorf("%d calls timed without a clock", m.CipherTime.Count)
	}
}

// BenchmarkMeterCipher is what counting a cipher call costs, with a clock and the
// samples it takes, and without.
func BenchmarkMeterCipher(b *testing.B) {
	clock := newSource()
	timed := NewMeter()
	timed.CipherTime = newCipherSamples(0, &clock)
	for name, m := range map[string]*Meter{"timed": timed, "counted": NewMeter()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Cipher(0, 1, 100)
				m.CipherDone(100)
			}
		})
	}
}
