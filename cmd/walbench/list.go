package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
)

// listSchema is the value of "schema" in what `list --json` prints.
const listSchema = "walbench.list/1"

// listing is one kind of names: for people, for scripts, and as JSON.
type listing struct {
	what    string
	columns columns
	keys    []string // of the JSON members, one a column
	notes   []string // for people, behind the table
}

func (a *app) listCommand() *cobra.Command {
	var names, asJSON bool
	cmd := &cobra.Command{
		Use:       "list " + strings.Join(listKinds, "|"),
		Short:     "List strategies, suites, workloads or metrics",
		Long:      "List the names that flags take, with a line of meaning each.",
		ValidArgs: listKinds,
		Args:      listArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if args[0] == "strategies" || args[0] == "suites" { // what can run here is part of them
				if _, err := selectedKernel(); err != nil {
					return err
				}
			}
			l := listingOf(args[0])
			switch {
			case names && asJSON:
				return usagef("--names and --json exclude each other")
			case names:
				return l.writeNames(a.stdout)
			case asJSON:
				return l.writeJSON(a.stdout)
			}
			return l.writeText(a.stdout)
		},
	}
	cmd.Flags().BoolVar(&names, "names", false, "print names only, one a line")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

var listKinds = []string{"strategies", "suites", "workloads", "metrics"}

func listArgs(_ *cobra.Command, args []string) error {
	known := strings.Join(listKinds, ", ")
	switch {
	case len(args) == 0:
		return usagef("list what? (one of %s)", known)
	case len(args) > 1:
		return usagef("unexpected argument %q (list takes one of %s)", args[1], known)
	}
	for _, kind := range listKinds {
		if kind == args[0] {
			return nil
		}
	}
	return usagef("nothing to list is called %q (want one of %s)", args[0], known)
}

func listingOf(kind string) listing {
	switch kind {
	case "strategies":
		return listStrategies()
	case "suites":
		return listSuites()
	case "workloads":
		return listWorkloads()
	}
	return listMetrics()
}

func listStrategies() listing {
	l := listing{what: "strategies", columns: columns{
		titles: []string{"name", "unit", "place", "nonce", "summary"},
		limits: []int{20, 14, 8, 20},
	}, keys: []string{"name", "unit", "place", "nonce", "summary"}}
	for _, d := range strategies.All() {
		summary := d.Summary
		if d.Unsafe != "" {
			summary += " (UNSAFE: " + d.Unsafe + ")"
		}
		l.columns.add(d.Name, d.Unit, d.Place, d.Nonce, summary)
	}
	return l
}

func listSuites() listing {
	l := listing{what: "suites", columns: columns{
		titles: []string{"name", "key bits", "summary"}, limits: []int{30, 8},
	}, keys: []string{"name", "key_bits", "summary"}}
	for _, s := range strategies.Suites() {
		summary := s.Summary
		if s.Warning != "" {
			summary += " (warning: " + s.Warning + ")"
		}
		l.columns.add(s.Name, strconv.Itoa(8*s.KeySize), summary)
	}
	for _, i := range aesctr.Implementations() {
		if !i.Supported() {
			l.notes = append(l.notes, fmt.Sprintf("%s cannot run here: it needs %s", i.Name, i.Missing))
		}
	}
	return l
}

func listWorkloads() listing {
	l := listing{what: "workloads", columns: columns{
		titles: []string{"name", "meaning"}, limits: []int{30},
	}, keys: []string{"name", "meaning"}}
	for _, k := range loadgen.Kinds() {
		l.columns.add(k.Name, k.Meaning)
	}
	return l
}

func listMetrics() listing {
	l := listing{what: "metrics", columns: columns{
		titles: []string{"name", "unit", "better", "meaning"}, limits: []int{40, 13, 6},
	}, keys: []string{"name", "unit", "better", "meaning"}}
	for _, m := range results.Metrics() {
		l.columns.add(m.Name, string(m.Unit), string(m.Better), m.Meaning)
	}
	return l
}

func (l *listing) writeText(w io.Writer) error {
	if err := l.columns.write(w); err != nil {
		return err
	}
	for _, note := range l.notes {
		if _, err := fmt.Fprintln(w, note); err != nil {
			return err
		}
	}
	return nil
}

func (l *listing) writeNames(w io.Writer) error {
	for _, row := range l.columns.rows {
		if _, err := fmt.Fprintln(w, row[0]); err != nil {
			return err
		}
	}
	return nil
}

func (l *listing) writeJSON(w io.Writer) error {
	rows := make([]map[string]string, len(l.columns.rows))
	for i, row := range l.columns.rows {
		rows[i] = map[string]string{}
		for j, key := range l.keys {
			rows[i][key] = row[j]
		}
	}
	return writeJSON(w, map[string]any{"schema": listSchema, l.what: rows})
}

// writeJSON prints v as one indented JSON document.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
