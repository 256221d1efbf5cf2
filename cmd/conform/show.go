package main

import (
	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/conformance/report"
	"github.com/contextfragments/conform/docs"
)

func newShow() *cobra.Command {
	var (
		asJSON bool
		folder string
	)
	cmd := &cobra.Command{
		Use:               "show CASE",
		Short:             "Show one case: what it sends and expects, which rule it checks, and why",
		ValidArgsFunction: completeCases,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantArgs(cmd, args, "CASE"); err != nil {
				return err
			}
			c, err := find(folder, args[0])
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if asJSON {
				var text []byte
				if text, err = report.JSON(c); err == nil {
					_, err = out.Write(text)
				}
			} else {
				err = report.Case(out, c, report.TextOptions{Color: hasColor(out), Width: width(out), Requirement: docs.Requirement})
			}
			if err != nil {
				return brokenError{err}
			}
			return nil
		},
	}
	fixturesFlag(cmd, &folder)
	cmd.Flags().BoolVar(&asJSON, "json", false, "the case as JSON")
	return cmd
}
