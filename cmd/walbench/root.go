package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const rootLong = `walbench compares ways of encrypting a PostgreSQL-style write-ahead log (WAL): how long each holds
the lock that all updaters need, how many bytes it encrypts and writes per byte of log, and whether
every log reads back as what was acknowledged.

"walbench run" needs no flags.`

const rootExitCodes = `
Exit codes:
  0    ok
  1    failed: a device, an output, the program itself
  2    usage: a wrong word, or a named input that does not exist or cannot be parsed
  3    regression beyond a gate
  4    inconclusive: too few runs, missing data
  5    verification failed: records lost, phantom or different, damage, keystream used twice
  130  interrupted: the result so far is kept and marked as partial
`

const rootEnvironment = `
Environment:
  WALBENCH_AESCTR  implementation of AES in counter mode: vaes-512, vaes-256, aes-ni or stdlib, in
                   place of the best one that can run here (see walbench env)
`

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "walbench",
		Short:         "Compare ways of encrypting a write-ahead log",
		Long:          rootLong,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	usage := strings.ReplaceAll(root.UsageTemplate(), "FlagUsages", "FlagUsagesWrapped 100")
	root.SetUsageTemplate(usage + "{{if not .HasParent}}" + rootEnvironment + rootExitCodes + "{{end}}")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(a.runCommand(), a.ciphersCommand(), a.calibrateCommand(), a.validateCommand(), a.reproduceCommand(), a.recoverCommand(), a.listCommand(), a.envCommand(), a.versionCommand())
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			strictCompletion(cmd)
		}
	}
	return root
}

// checkCommand finds an unknown command before cobra complains about flags that
// belong to it.
func checkCommand(root *cobra.Command, args []string) error {
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		return nil // cobra adds these when it needs them
	}
	if cmd, rest, err := root.Find(args); err != nil {
		return unknownCommand(cmd, firstWord(rest))
	}
	return nil
}

// firstWord is the first argument that is no flag.
func firstWord(args []string) string {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			return arg
		}
	}
	return ""
}

func unknownCommand(parent *cobra.Command, name string) error {
	hint := ""
	if parent.SuggestionsMinimumDistance <= 0 {
		parent.SuggestionsMinimumDistance = 2
	}
	if near := parent.SuggestionsFor(name); len(near) > 0 {
		hint = fmt.Sprintf(": did you mean %s?", strings.Join(near, " or "))
	}
	return usagef("unknown command %q%s (see %s --help)", name, hint, parent.CommandPath())
}

// helpCommand is cobra's, but for an error when there is no such command.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about a command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return unknownCommand(root, firstWord(args))
			}
			if len(rest) > 0 {
				return unknownCommand(cmd, rest[0])
			}
			return cmd.Help()
		},
	}
}

// strictCompletion makes wrong words behind `completion` usage errors.
func strictCompletion(cmd *cobra.Command) {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	for _, shell := range cmd.Commands() {
		shell.Args = noArgs
	}
}
