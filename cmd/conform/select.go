package main

import (
	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/conformance/suite"
	"github.com/contextfragments/conform/fixtures"
)

// selectionFlags adds the flags that select cases.
func selectionFlags(cmd *cobra.Command, selection *suite.Selection) {
	flags := cmd.Flags()
	flags.StringArrayVar(&selection.Areas, "area", nil, "take the cases of this `AREA` (repeatable; all of these take globs)")
	flags.StringArrayVar(&selection.Cases, "case", nil, "take this `CASE`, or those of a glob such as 'history/*'")
	flags.StringArrayVar(&selection.Levels, "level", nil, "take the cases of this `LEVEL`: core or edge")
	flags.StringArrayVar(&selection.Tags, "tag", nil, "take the cases with this `TAG`")
	flags.StringArrayVar(&selection.Methods, "method", nil, "take the cases that call this `METHOD`")
	profileFlag(cmd, selection)
	flags.StringArrayVar(&selection.Requirements, "requirement", nil, "take the cases that check this `REQUIREMENT`, such as DET-2")
}

func profileFlag(cmd *cobra.Command, selection *suite.Selection) {
	cmd.Flags().StringArrayVar(&selection.Profiles, "profile", nil, "take this `PROFILE` only")
}

// selected returns the embedded cases that the selection takes.
func selected(selection suite.Selection) ([]suite.Case, error) {
	cases, err := suite.Load(fixtures.Files)
	if err != nil {
		return nil, brokenError{err} // the files are part of the program
	}
	return selection.Apply(cases)
}

// find returns the embedded case of that id.
func find(id string) (*suite.Case, error) {
	cases, err := suite.Load(fixtures.Files)
	if err != nil {
		return nil, brokenError{err}
	}
	return suite.Find(cases, id)
}

// completeCases lets a shell complete the id of a case.
func completeCases(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	cases, err := suite.Load(fixtures.Files)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	ids := make([]string, len(cases))
	for i := range cases {
		ids[i] = cases[i].ID
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
