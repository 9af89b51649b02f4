// Walbench compares ways of encrypting a PostgreSQL-style write-ahead log: what
// each costs, where, and whether it reads back.
//
// Life of a command: [Main] parses the words into one command of cobra's, which
// fills a configuration, hands it to package experiment, and writes what comes
// back; every error ends up in one line on standard error and in one of the exit
// codes that `walbench --help` lists. There is one file a command, and nothing
// in them is worth testing apart from the command.
//
// Rules of the output: data goes to standard output. Everything else goes to
// standard error, one line each, with the prefix "walbench: ", in lower case and
// without a full stop. A progress line is drawn on standard error only while it
// is a terminal, and neither colour nor escape sequences are ever used.
package main

import (
	"io"
	"os"

	"github.com/walbench/walbench/internal/vfs"
)

func main() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// app is one run of the program: its words and its streams.
type app struct {
	args   []string
	stdout io.Writer
	screen *screen // standard error
	fs     vfs.FS
}

// Main is the program with everything it touches as arguments; args are the
// words behind its name. It returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{args: args, stdout: stdout, screen: newScreen(stderr), fs: vfs.OS()}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := checkCommand(root, args)
	if err == nil {
		err = root.Execute()
	}
	if err != nil {
		a.screen.say("%s", oneLine(err))
	}
	return exitCode(err)
}
