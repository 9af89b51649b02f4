package simtime

import "testing"

func BenchmarkLockUnlock(b *testing.B) {
	NewReal().Run("bench", func(p Proc) {
		m := NewMutex(LockSerial)
		b.ReportAllocs()
		for b.Loop() {
			p.Lock(m)
			p.Unlock(m)
		}
	})
}

func BenchmarkNow(b *testing.B) {
	NewReal().Run("bench", func(p Proc) {
		for b.Loop() {
			p.Now()
		}
	})
}
