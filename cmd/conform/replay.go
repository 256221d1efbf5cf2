package main

import (
	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/report"
	"github.com/contextfragments/conform/conformance/suite"
)

func newReplay() *cobra.Command {
	var (
		selection suite.Selection
		config    adapter.Config
		folder    string
	)
	cmd := &cobra.Command{
		Use:   "replay CASE [flags] [-- ADAPTER…]",
		Short: "Run one case alone: the lines sent and received, and the difference",
		Long: `Run one case alone against the implementation that the command line behind -- starts, or against
the embedded reference. It prints the lines sent and received exactly as they were, except that on
a terminal what could drive it is escaped.

Exit status: 0 passed; 1 did not; 2 wrong usage, or the adapter does not declare what the case
takes; 3 the adapter could not be started; 130 interrupted.`,
		ValidArgsFunction: completeCases,
		RunE: func(cmd *cobra.Command, args []string) error {
			front, given, err := adapterArgs(cmd, args, "CASE")
			if err != nil {
				return err
			}
			if err := checkAdapterFlags(cmd, config); err != nil {
				return err
			}
			c, err := find(folder, front[0])
			if err != nil {
				return err
			}
			if _, err := selection.Apply([]suite.Case{*c}); err != nil {
				return err
			}
			config, err := command(config, given)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			replayed, err := suite.Replay(ctx, c, selection, config)
			if err != nil {
				return brokenError{err}
			}
			out := cmd.OutOrStdout()
			_, escape := terminal(out)
			if err := report.Replay(out, replayed, escape); err != nil {
				return brokenError{err}
			}
			return withStatus(statusUnder(ctx, report.ReplayStatus(replayed)))
		},
	}
	profileFlag(cmd, &selection)
	fixturesFlag(cmd, &folder)
	adapterFlags(cmd, &config)
	return cmd
}
