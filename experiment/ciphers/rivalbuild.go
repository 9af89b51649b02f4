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
)

// ErrToolchain means that the rival cannot be built here.
var ErrToolchain = errors.New("the openssl rival needs a C compiler and OpenSSL's headers: install gcc and libssl-dev")

//go:embed rival/openssl.c
var opensslSource []byte

// compilers are tried in this order.
var compilers = []string{"cc", "gcc", "clang"}

// startRival builds the rival's program and starts it. Its folder is gone when
// this returns, so that however the run ends nothing of it stays; where a running
// program cannot be removed, that is tried again by nobody: the system's folder
// for temporary files is cleared some day.
func startRival(stop <-chan struct{}) (v *rival, err error) {
	compiler, err := findCompiler()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "walbench-rival-")
	if err != nil {
		return nil, fmt.Errorf("folder for the rival: %w", err)
	}
	defer os.RemoveAll(dir)
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

// compile builds the program; closing stop ends the compiler.
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
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %s: %w", filepath.Base(compiler), firstError(out, dir), ErrToolchain)
	}
	return nil
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
