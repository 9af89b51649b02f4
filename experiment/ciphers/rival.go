package ciphers

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ErrNoRival means that the rival's program cannot be made here.
var ErrNoRival = errors.New("the rival cannot be built")

//go:embed rival/openssl.c
var opensslSource []byte

// OpenSSL is the name of the rival on libcrypto.
const OpenSSL = "openssl"

// Rivals are the names that OpenRival takes.
func Rivals() []string { return []string{OpenSSL} }

// Rival is a running program of another language that times the same work. It
// sleeps, waiting for its next request, while something else is timed.
type Rival struct {
	info RivalInfo
	dir  string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
}

// compilers are looked for in this order.
var compilers = []string{"cc", "gcc", "clang"}

// OpenRival compiles and starts the rival called name. Close must follow. An
// error that wraps [ErrNoRival] says what to install.
func OpenRival(name string) (*Rival, error) {
	if name != OpenSSL {
		return nil, usagef("unknown rival %q (known: %s)", name, strings.Join(Rivals(), ", "))
	}
	compiler := ""
	for _, c := range compilers {
		if path, err := exec.LookPath(c); err == nil {
			compiler = path
			break
		}
	}
	if compiler == "" {
		return nil, fmt.Errorf("--rival %s needs a C compiler (%s): install gcc and libssl-dev: %w",
			name, strings.Join(compilers, ", "), ErrNoRival)
	}
	dir, err := os.MkdirTemp("", "walbench-rival-")
	if err != nil {
		return nil, err
	}
	r := &Rival{dir: dir, info: RivalInfo{Name: name, Compiler: compilerVersion(compiler)}}
	if err := r.start(compiler); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func compilerVersion(compiler string) string {
	out, err := exec.Command(compiler, "--version").Output()
	if err != nil {
		return filepath.Base(compiler)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

func (r *Rival) start(compiler string) error {
	source, program := filepath.Join(r.dir, "openssl.c"), filepath.Join(r.dir, "openssl")
	if err := os.WriteFile(source, opensslSource, 0o600); err != nil {
		return err
	}
	out, err := exec.Command(compiler, "-O3", "-march=native", "-o", program, source, "-lcrypto").CombinedOutput()
	if err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("--rival %s needs the headers of libssl: install libssl-dev (%s: %s): %w",
			r.info.Name, filepath.Base(compiler), line, ErrNoRival)
	}
	r.cmd = exec.Command(program)
	detach(r.cmd)
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		return err
	}
	pipe, err := r.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	r.out = bufio.NewReaderSize(pipe, 1<<20)
	r.cmd.Stderr = os.Stderr
	if err := r.cmd.Start(); err != nil {
		return err
	}
	if r.info.Version, err = r.ask("version"); err != nil {
		return err
	}
	_ = os.RemoveAll(r.dir) // it runs: nothing to leave behind, however this program ends
	return nil
}

// Close ends the program and removes it.
func (r *Rival) Close() error {
	var errs []error
	if r.cmd != nil && r.cmd.Process != nil {
		errs = append(errs, r.in.Close(), r.cmd.Wait())
	}
	return errors.Join(append(errs, os.RemoveAll(r.dir))...)
}

func (r *Rival) tell(request string) error {
	_, err := io.WriteString(r.in, request+"\n")
	return err
}

func (r *Rival) ask(request string) (answer string, err error) {
	if err := r.tell(request); err != nil {
		return "", fmt.Errorf("rival %s: %w", r.info.Name, err)
	}
	line, err := r.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("rival %s ended: %w", r.info.Name, err)
	}
	return strings.TrimSpace(line), nil
}

func (r *Rival) askNumber(format string, args ...any) (int64, error) {
	answer, err := r.ask(fmt.Sprintf(format, args...))
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(answer, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("rival %s answered %q, want a number: %w", r.info.Name, answer, err)
	}
	return n, nil
}

// rows are the rival's for each suite and call of ours that it has.
func (r *Rival) rows(ours []row, w *workset) (list []row, err error) {
	seen := map[string]bool{}
	for i := range ours {
		s := ours[i].subject
		name := s.suite + " " + string(s.call)
		if !strings.HasPrefix(s.suite, "aes-") || seen[name] {
			continue
		}
		seen[name] = true
		row, err := r.row(s, w)
		if err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, nil
}

func (r *Rival) row(s *subject, w *workset) (row, error) {
	id, err := r.open(s, w)
	if err != nil {
		return row{}, err
	}
	return row{
		subject: &subject{suite: s.suite, implementation: r.info.Name, call: s.call, keySize: s.keySize},
		size:    w.size, work: w, rival: true,
		time: func(passes int) (time.Duration, error) {
			ns, err := r.askNumber("time %d %d", id, passes)
			return time.Duration(ns), err
		},
		close: func() { _ = r.tell(fmt.Sprintf("close %d", id)) }, // it says so at the next request
	}, nil
}

func (r *Rival) open(s *subject, w *workset) (id int64, err error) {
	list := w.lengths
	if !w.size.Mixed() {
		list = list[:1]
	}
	words := strings.Trim(fmt.Sprint(list), "[]")
	return r.askNumber("open %s %s %d %d %s", s.suite, s.call, len(w.src), w.stride, words)
}
