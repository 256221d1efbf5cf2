package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/conformance/report"
	"github.com/contextfragments/conform/conformance/suite"
)

func newList() *cobra.Command {
	var (
		selection suite.Selection
		asJSON    bool
		folder    string
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the cases",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantArgs(cmd, args); err != nil {
				return err
			}
			cases, _, err := selected(folder, selection)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if asJSON {
				var text []byte
				text, err = report.JSON(cases)
				_, _ = out.Write(text) // Flush tells
			} else {
				for i := range cases {
					fmt.Fprintf(out, "%s  %s  %s\n", cases[i].Level, cases[i].ID, suite.Printable(cases[i].Title))
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
	fixturesFlag(cmd, &folder)
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole cases as JSON")
	return cmd
}
