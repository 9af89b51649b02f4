package ciphers

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ErrToolchain means that the rival cannot be built here.
var ErrToolchain = errors.New("the openssl rival needs a C compiler and OpenSSL's headers: install gcc and libssl-dev")

//go:embed rival/openssl.c
var opensslSource []byte

// compilers are tried in this order.
var compilers = []string{"cc", "gcc", "clang"}

// startRival builds the rival's program in folder dir, which exists and is empty,
// and starts it. The folder is gone when this returns, so that however the run
// ends nothing of it stays; where a running program cannot be removed, that is
// tried again by nobody: the system's folder for temporary files is cleared some
// day.
func startRival(dir string, stop <-chan struct{}) (v *rival, err error) {
	defer os.RemoveAll(dir)
	compiler, err := findCompiler()
	if err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "openssl-rival")
	if err := compile(compiler, dir, program, stop); err != nil {
		return nil, interrupted(stop, err)
	}
	v = &rival{info: RivalInfo{Name: RivalOpenSSL}}
	if err := v.begin(program); err != nil {
		return nil, interrupted(stop, err)
	}
	return v, nil
}

func findCompiler() (string, error) {
	for _, name := range compilers {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no %s: %w", strings.Join(compilers, ", "), ErrToolchain)
}

// compilerDelay is how long a compiler that was told to end may take.
const compilerDelay = 2 * time.Second

// compile builds the program; closing stop ends the compiler and what it has
// started.
func compile(compiler, dir, program string, stop <-chan struct{}) error {
	source := filepath.Join(dir, "openssl.c")
	if err := os.WriteFile(source, opensslSource, 0o600); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	cmd := exec.CommandContext(ctx, compiler, "-std=c11", "-O3", "-march=native", "-Wall", "-Wextra", "-o", program, source, "-lcrypto")
	ownGroup(cmd)
	cmd.WaitDelay = compilerDelay
	out, err := cmd.CombinedOutput()
	if err != nil {
		return compileError(filepath.Base(compiler), firstError(out, dir), err)
	}
	return nil
}

// compileError says what to install if that is what the compiler misses, and
// otherwise what it says.
func compileError(compiler, line string, err error) error {
	switch {
	case line == "":
		return fmt.Errorf("%s cannot build the openssl rival: %w", compiler, err)
	case strings.Contains(line, "openssl/") || strings.Contains(line, "crypto"):
		return fmt.Errorf("%s: %s: %w", compiler, line, ErrToolchain)
	}
	return fmt.Errorf("%s cannot build the openssl rival: %s: %w", compiler, line, err)
}

// firstError is the first line of a compiler's complaint that tells what is
// wrong, without the name of the folder.
func firstError(out []byte, dir string) string {
	text := strings.ReplaceAll(string(out), dir+string(filepath.Separator), "")
	for line := range strings.Lines(text) {
		if strings.Contains(line, "error") || strings.Contains(line, "cannot find") {
			return strings.TrimSpace(line)
		}
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}
