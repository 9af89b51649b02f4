package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is the program in a process of its own.
type process struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0])}
	p.Args = append([]string{"walbench"}, args...)
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	return p
}

// await waits until the file is there.
func await(t *testing.T, name string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(name); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s did not appear", name)
		}
	}
}

// end waits for the process and returns its exit code; -1 if a signal killed it.
func (p *process) end(t *testing.T) int {
	t.Helper()
	err := p.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return p.ProcessState.ExitCode()
}

// The first signal keeps what has been measured, marked as partial.
func TestInterrupt(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := t.TempDir()
			p := start(t, "run", "--strategy", "none,in-lock", "--clients", "2", "--runs", "1", "--segment-size", "1MB",
				"--warmup", "0s", "--commits", "100000000", "--device", "file:"+dir, "--json", dir+"/r.json")
			await(t, filepath.Join(dir, "none", "000000010000000000000005")) // two more than are made ahead
			if err := p.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if code := p.end(t); code != exitInterrupted {
				t.Fatalf("exit code %d, want %d (%s)", code, exitInterrupted, p.stderr.String())
			}
			if !strings.Contains(p.stderr.String(), "interrupted") || !strings.Contains(p.stdout.String(), "none") {
				t.Errorf("got table %q and message %q", p.stdout.String(), p.stderr.String())
			}
			checkPartial(t, dir+"/r.json")
		})
	}
}

func checkPartial(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := decodeOne(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"complete": "false", "strategies/name=none/verified/lost": "0", "strategies/name=none/verified/phantom": "0",
	} {
		if got, err := lookup(doc, path); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", path, got, err, want)
		}
	}
}

// The second signal ends the program although the first one is still being
// obeyed: here it waits for a pipe that nobody reads.
func TestInterruptTwice(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, "run", "--strategy", "none", "--workload", "small", "--clients", "1", "--runs", "1", "--warmup", "0s",
		"--segment-size", "1MB", "--commits", "100000000", "--device", "file:"+dir+"/log", "--json", pipe)
	await(t, filepath.Join(dir, "log", "none", "control"))
	done := make(chan int)
	go func() { done <- p.end(t) }()
	for {
		if err := p.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		select {
		case code := <-done:
			if code != exitInterrupted {
				t.Errorf("exit code %d, want %d (%s)", code, exitInterrupted, p.stderr.String())
			}
			return
		case <-time.After(300 * time.Millisecond):
		}
	}
}
