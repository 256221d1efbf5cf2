package main

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/conformance/suite"
	"github.com/contextfragments/conform/docs/schema"
	"github.com/contextfragments/conform/fixtures"
)

const schemaSuffix = ".schema.json"

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print a JSON Schema, or the names of all",
		RunE: func(cmd *cobra.Command, args []string) error {
			schemas, names, err := schemas()
			if err != nil {
				return brokenError{err}
			}
			out := cmd.OutOrStdout()
			if len(args) == 0 {
				return written(fmt.Fprintln(out, strings.Join(names, "\n")))
			}
			if err := wantArgs(cmd, args, "NAME"); err != nil {
				return err
			}
			text, ok := schemas[args[0]]
			if !ok {
				return fmt.Errorf("unknown schema %s%s; there are %s", suite.Quote(args[0]), suite.Suggestion(args[0], names), strings.Join(names, ", "))
			}
			return written(out.Write(text))
		},
	}
}

// schemas returns the embedded schemas by name, and the names in order.
func schemas() (map[string][]byte, []string, error) {
	found := map[string][]byte{"case-file": fixtures.Schema}
	names := []string{"case-file"}
	files, err := fs.Glob(schema.Files, "*"+schemaSuffix)
	for _, file := range files {
		name := strings.TrimSuffix(file, schemaSuffix)
		if found[name], err = schema.Files.ReadFile(file); err != nil {
			break
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return found, names, err
}
