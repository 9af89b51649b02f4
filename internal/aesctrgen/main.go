// Aesctrgen writes the assembly of package aesctr, one file a kernel, with
// the Go declarations beside it. Each kernel is a Go function here that adds
// instructions to a [program], in the order in which the processor sees them;
// avo checks them, gives out general-purpose registers and prints the file.
//
// Run it by `go generate ./strategies/aesctr` after a change: it writes into the
// folder it is run in. A test compares what it prints with the files that are
// there.
//
// # The pipeline
//
// All kernels do the same: make counter blocks in registers, run the AES rounds
// over several of them side by side, XOR the result with the source on its way to
// the destination. A round has a latency of 3 to 4 cycles and the unit can begin
// one or two a cycle, so that at least four independent registers keep it busy;
// out-of-order execution overlaps the end of one group with the start of the next,
// and of one record with the next. What is not an AES round (byte swaps, adds,
// loads, stores) runs on other ports at the same time, for nothing as long as it
// stays out of the AES unit's way. The last round's key and the source are XORed
// while the rounds run, so that the last round does both.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// file is one generated file with its content.
type file struct {
	name string
	data []byte
}

// kernels are the generated kernels by the name of their files.
var kernels = []struct {
	name  string
	build func(p *program)
}{
	{"vaes512", buildVAES512},
	{"vaes256", buildVAES256},
	{"aesni", buildAESNI},
	{"expand", buildExpand},
}

// files generates everything.
func files() ([]file, error) {
	var list []file
	for _, k := range kernels {
		p := newProgram()
		k.build(p)
		asm, stubs, err := p.print(k.name)
		if err != nil {
			return nil, fmt.Errorf("kernel %s: %w", k.name, err)
		}
		list = append(list, file{k.name + "_amd64.s", asm}, file{k.name + "_amd64.go", stubs})
	}
	return list, nil
}

// folder is the one that go generate runs the program in: the package's.
const folder = "."

func main() {
	if err := write(folder); err != nil {
		fmt.Fprintln(os.Stderr, "aesctrgen:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	list, err := files()
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
