package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/experiment/validate"
)

// The exit codes in use. 3 belongs to comparisons.
const (
	exitOK           = 0
	exitFailed       = 1
	exitUsage        = 2
	exitInconclusive = 4
	exitVerify       = 5
	exitInterrupted  = 130
)

// exitCode is what err means to a script. A log that does not read back is the
// worst news and comes before everything else.
func exitCode(err error) int {
	var verify *experiment.VerifyError
	var damage *experiment.DamageError
	var usage *experiment.UsageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &verify), errors.As(err, &damage):
		return exitVerify
	case errors.Is(err, experiment.ErrInterrupted):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, validate.ErrNoisy):
		return exitInconclusive
	}
	return exitFailed
}

// usagef makes an error of what the user typed.
func usagef(format string, args ...any) error {
	return &experiment.UsageError{Err: fmt.Errorf(format, args...)}
}

// oneLine is the text of err, which may be several errors joined, in one line.
func oneLine(err error) string {
	return strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")
}

// flagError is what a wrong flag comes to.
func flagError(cmd *cobra.Command, err error) error {
	hint := ""
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		hint = nearFlag(cmd, unknown.GetSpecifiedName())
	case errors.As(err, &invalid):
		err = valueError(invalid)
	}
	return usagef("%w%s (see %s --help)", err, hint, cmd.CommandPath())
}

// valueError says of a flag's value what is wrong with it, without the names of
// functions.
func valueError(invalid *pflag.InvalidValueError) error {
	err := errors.Unwrap(error(invalid))
	var number *strconv.NumError
	if errors.As(err, &number) {
		err = fmt.Errorf("not a number, or out of range: %w", number.Err)
	}
	return fmt.Errorf("--%s %q: %w", invalid.GetFlag().Name, invalid.GetValue(), err)
}

// nearFlag suggests a flag that begins like name.
func nearFlag(cmd *cobra.Command, name string) string {
	const enough = 3
	hint := ""
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		n := min(len(f.Name), len(name), enough)
		if hint == "" && n == enough && f.Name[:n] == name[:n] {
			hint = ": did you mean --" + f.Name + "?"
		}
	})
	return hint
}

// noArgs refuses any argument.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("unexpected argument %q (see %s --help)", args[0], cmd.CommandPath())
}
