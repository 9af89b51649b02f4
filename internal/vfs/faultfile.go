package vfs

// faultFile is an open file of a [Fault].
type faultFile struct {
	fs    *Fault
	inner File
}

func (f *faultFile) Name() string { return f.inner.Name() }

func (f *faultFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.fs.fail(OpRead, f.Name()); err != nil {
		return 0, err
	}
	return f.inner.ReadAt(p, off)
}

func (f *faultFile) WriteAt(p []byte, off int64) (int, error) {
	r := f.fs.enter(OpWrite, f.Name())
	if r == nil {
		return f.inner.WriteAt(p, off)
	}
	n := 0
	if r.Op == OpShortWrite {
		var err error
		if n, err = f.inner.WriteAt(p[:len(p)/2], off); err != nil {
			return n, err
		}
	}
	return n, r.error(OpWrite, f.Name())
}

func (f *faultFile) Sync() error {
	if err := f.fs.fail(OpSync, f.Name()); err != nil {
		return err
	}
	return f.inner.Sync()
}

func (f *faultFile) Truncate(size int64) error {
	if err := f.fs.fail(OpTruncate, f.Name()); err != nil {
		return err
	}
	return f.inner.Truncate(size)
}

func (f *faultFile) Size() (int64, error) {
	if err := f.fs.fail(OpStat, f.Name()); err != nil {
		return 0, err
	}
	return f.inner.Size()
}

// Close closes the file below even if a rule makes it fail, as close(2) does.
func (f *faultFile) Close() error {
	injected := f.fs.fail(OpClose, f.Name())
	if err := f.inner.Close(); err != nil {
		return err
	}
	return injected
}
