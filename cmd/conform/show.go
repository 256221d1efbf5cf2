package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/contextfragments/conform/conformance/report"
	"github.com/contextfragments/conform/docs"
)

func newShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "show CASE",
		Short:             "Show one case: what it sends and expects, which rule it checks, and why",
		ValidArgsFunction: completeCases,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantArgs(cmd, args, "CASE"); err != nil {
				return err
			}
			c, err := find(args[0])
			if err != nil {
				return fmt.Errorf("%w\nconform list shows all cases", err)
			}
			out := cmd.OutOrStdout()
			if asJSON {
				err = json.MarshalWrite(out, c, jsontext.WithIndent("  "))
				fmt.Fprintln(out)
			} else {
				err = report.Case(out, c, report.TextOptions{Color: hasColor(out), Width: width(out), Requirement: docs.Requirement})
			}
			if err != nil {
				return brokenError{err}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the case as JSON")
	return cmd
}
