package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/contextfragments/conform/conformance/suite"
)

func newList() *cobra.Command {
	var (
		selection suite.Selection
		asJSON    bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the cases",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantArgs(cmd, args); err != nil {
				return err
			}
			cases, err := selected(selection)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if asJSON {
				err = json.MarshalWrite(out, cases, jsontext.WithIndent("  "))
				fmt.Fprintln(out)
			} else {
				for i := range cases {
					fmt.Fprintf(out, "%s  %s  %s\n", cases[i].Level, cases[i].ID, cases[i].Title)
				}
			}
			if flushed := out.Flush(); err == nil {
				err = flushed
			}
			if err != nil {
				return brokenError{err}
			}
			return nil
		},
	}
	selectionFlags(cmd, &selection)
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole cases as JSON")
	return cmd
}
