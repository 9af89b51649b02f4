package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/walbench/walbench/internal/hostinfo"
)

// envReport is what `env --json` prints.
type envReport struct {
	Schema   string         `json:"schema"`
	Host     *hostinfo.Host `json:"host"`
	Warnings []string       `json:"warnings"`
}

func (a *app) envCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "env",
		Short: "Describe this machine, as results do",
		Long: "Describe this machine, as every result does, and what about it makes measured times less\n" +
			"worth. No host name, user name, address or path is ever part of it.",
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return a.env(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) env(asJSON bool) error {
	host := hostinfo.Read()
	warnings := append([]string{}, host.Warnings()...)
	if asJSON {
		return writeJSON(a.stdout, envReport{"walbench.env/1", &host, warnings})
	}
	if err := host.WriteText(a.stdout); err != nil {
		return err
	}
	for _, w := range warnings {
		if _, err := fmt.Fprintln(a.stdout, "warning:", w); err != nil {
			return err
		}
	}
	return nil
}
