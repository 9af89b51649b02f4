package simtime

import (
	"bytes"
	"hash/crc32"
	"reflect"
	"testing"
)

func TestMeterDoesAndCounts(t *testing.T) {
	m := NewMeter()
	dst := make([]byte, 5)
	m.Copy(dst, []byte("hello"))
	if !bytes.Equal(dst, []byte("hello")) || m.CopyBytes != 5 || m.CopyCalls != 1 {
		t.Errorf("copied %q, counted %d bytes in %d calls", dst, m.CopyBytes, m.CopyCalls)
	}
	crc := m.CRC(m.CRC(0, dst[:2]), dst[2:])
	if want := crc32.Checksum(dst, crc32.MakeTable(crc32.Castagnoli)); crc != want || m.CRCBytes != 5 || m.CRCCalls != 2 {
		t.Errorf("crc %#x, want %#x; counted %d bytes in %d calls", crc, want, m.CRCBytes, m.CRCCalls)
	}
	m.Zero(dst)
	if !bytes.Equal(dst, make([]byte, 5)) || m.ZeroBytes != 5 {
		t.Errorf("zeroed to %v, counted %d bytes", dst, m.ZeroBytes)
	}
	id := RegisterSuite("test-suite")
	if !m.Cipher(id, 1, 7) || !m.CipherSetup(id, 1) || m.EncryptedBytes != 7 || m.CipherCalls != 1 || m.CipherSetups != 1 {
		t.Errorf("cipher counts %+v", m.Counts)
	}
	if RegisterSuite("test-suite") != id || SuiteName(id) != "test-suite" {
		t.Error("a suite's name has two ids")
	}
}

// Add must not forget a field.
func TestCountsAddAddsEveryField(t *testing.T) {
	var a, b Counts
	vb := reflect.ValueOf(&b).Elem()
	for i := range vb.NumField() {
		vb.Field(i).SetInt(int64(i + 1))
	}
	a.Add(&b)
	a.Add(&b)
	a.Sub(&b)
	a.Add(&b)
	va := reflect.ValueOf(a)
	for i := range va.NumField() {
		if got, want := va.Field(i).Int(), 2*int64(i+1); got != want {
			t.Errorf("%s: %d after two additions, want %d", va.Type().Field(i).Name, got, want)
		}
	}
}

func TestResetForgetsEverything(t *testing.T) {
	m := NewMeter()
	m.Locks[LockSerial].init()
	m.Commits = 3
	m.Locks[LockSerial].waited(5 * Nanosecond)
	m.Locks[LockSerial].held(5 * Nanosecond)
	m.Reset()
	s := &m.Locks[LockSerial]
	if m.Counts != (Counts{}) || s.Acquisitions != 0 || s.HoldPs != 0 || s.HoldMaxNs != 0 || s.Hold.TotalCount() != 0 || s.Wait.TotalCount() != 0 {
		t.Errorf("left after reset: %+v %+v", m.Counts, s)
	}
}
