package ciphers

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// RivalOpenSSL is the name of the rival, and of its implementation in rows.
const RivalOpenSSL = "openssl"

// errRival means that the rival's program did not answer as it should.
var errRival = errors.New("the rival's program failed")

// rival is a program that encrypts with another library: one line of question,
// one of answer (rival/openssl.c says which).
type rival struct {
	info  RivalInfo
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Reader
}

// begin starts the program and reads what it says about itself.
func (v *rival) begin(program string) error {
	v.cmd = exec.Command(program)
	ownGroup(v.cmd) // it ends when its input does
	var err error
	if v.stdin, err = v.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := v.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	v.out = bufio.NewReaderSize(out, 1<<16)
	if err := v.cmd.Start(); err != nil {
		return err
	}
	if v.info.Version, err = v.answer(); err == nil {
		v.info.Compiler, err = v.answer()
	}
	if err != nil {
		return errors.Join(err, v.close())
	}
	return nil
}

// close lets the program end and waits for it.
func (v *rival) close() error {
	v.stdin.Close()
	if err := v.cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %w", errRival, err)
	}
	return nil
}

func (v *rival) ask(format string, args ...any) (string, error) {
	if _, err := fmt.Fprintf(v.stdin, format+"\n", args...); err != nil {
		return "", fmt.Errorf("%w: %w", errRival, err)
	}
	return v.answer()
}

func (v *rival) answer() (string, error) {
	line, err := v.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%w: %w", errRival, err)
	}
	line = strings.TrimSuffix(line, "\n")
	if text, failed := strings.CutPrefix(line, "error "); failed {
		return "", fmt.Errorf("%w: %s", errRival, text)
	}
	return line, nil
}

// askNs asks for a time in nanoseconds.
func (v *rival) askNs(format string, args ...any) (float64, error) {
	text, err := v.ask(format, args...)
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseFloat(text, 64)
	if err != nil || ns <= 0 {
		return 0, fmt.Errorf("%w: answered %q, want nanoseconds", errRival, text)
	}
	return ns, nil
}

// show returns the memory of all destinations after one pass over the ring on a
// new context.
func (v *rival) show(s *subject, r *ring) ([]byte, error) {
	text, err := v.ask("show %s %s %s", s.suite, s.call, ringWords(r))
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(text)
}

func ringWords(r *ring) string {
	return fmt.Sprintf("%d %d %d", r.size.Min, r.size.Max, len(r.recs))
}

// rivalTimer times one of the rival's subjects.
type rivalTimer struct {
	rival   *rival
	subject *subject
}

func (t *rivalTimer) time(r *ring, n int) (float64, error) {
	return t.rival.askNs("run %s %s %s %d", t.subject.suite, t.subject.call, ringWords(r), n)
}

func (t *rivalTimer) setup() (float64, error) {
	ns, err := t.rival.askNs("setup %s %d", t.subject.suite, setupCalls)
	return ns / setupCalls, err
}

func (t *rivalTimer) allocs(*ring, int) *float64 { return nil }

// rivalSubjects are the rival's counterparts of subjects: what has the same
// suite and call.
func rivalSubjects(subjects []*subject) (list []*subject) {
	for _, s := range subjects {
		if !strings.HasPrefix(s.suite, "aes-") {
			continue
		}
		same := func(o *subject) bool { return o.suite == s.suite && o.call == s.call }
		if !slices.ContainsFunc(list, same) {
			list = append(list, &subject{
				suite: s.suite, implementation: RivalOpenSSL, call: s.call, keyBytes: s.keyBytes, aesKey: s.aesKey, minBytes: s.minBytes,
			})
		}
	}
	return list
}
