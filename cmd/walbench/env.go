package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/walbench/walbench/internal/hostinfo"
)

// envReport is what `env --json` prints.
type envReport struct {
	Schema   string         `json:"schema"`
	Host     *hostinfo.Host `json:"host"`
	AESCTR   kernelReport   `json:"aesctr"`
	Warnings []string       `json:"warnings"`
}

func (a *app) envCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "env",
		Short: "Describe this machine, as results do",
		Long: "Describe this machine, as every result does, and what about it makes measured times less\n" +
			"worth. No host name, user name, address or path is ever part of it. The lines aes-ctr name the\n" +
			"implementations of AES in counter mode, the preferred ones first.",
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return a.env(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) env(asJSON bool) error {
	selected, err := selectedKernel()
	if err != nil {
		return err
	}
	kernels := newKernelReport(selected)
	host := hostinfo.Read()
	warnings := append([]string{}, host.Warnings()...)
	if asJSON {
		return writeJSON(a.stdout, envReport{"walbench.env/1", &host, kernels, warnings})
	}
	if err := errors.Join(host.WriteText(a.stdout), kernels.writeText(a.stdout)); err != nil {
		return err
	}
	for _, w := range warnings {
		if _, err := fmt.Fprintln(a.stdout, "warning:", w); err != nil {
			return err
		}
	}
	return nil
}
