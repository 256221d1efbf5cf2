package main

import (
	"errors"
	"fmt"
	"os"
	"path"

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

// fixturesFlag adds the flag that takes cases from a folder.
func fixturesFlag(cmd *cobra.Command, folder *string) {
	cmd.Flags().StringVar(folder, "fixtures", "", "take the cases of this `FOLDER` in place of the built-in ones")
}

// load returns the cases of a folder, "" for the embedded ones.
func load(folder string) ([]suite.Case, error) {
	if folder == "" {
		cases, err := suite.Load(fixtures.Files)
		if err != nil {
			return nil, brokenError{err} // the files are part of the program
		}
		return cases, nil
	}
	cases, err := suite.Load(os.DirFS(folder))
	var faults suite.Faults
	switch {
	case errors.As(err, &faults):
		for i := range faults {
			faults[i].File = path.Join(folder, faults[i].File)
		}
		return nil, faults
	case err != nil:
		return nil, fmt.Errorf("--fixtures %s: %w", suite.Printable(folder), err)
	}
	for i := range cases {
		cases[i].Tree = folder
	}
	return cases, nil
}

// selected returns the cases of a folder that the selection takes, and all.
func selected(folder string, selection suite.Selection) (taken, all []suite.Case, err error) {
	if all, err = load(folder); err == nil {
		taken, err = selection.Apply(all)
	}
	return taken, all, err
}

// find returns the case of that id.
func find(folder, id string) (*suite.Case, error) {
	cases, err := load(folder)
	if err != nil {
		return nil, err
	}
	c, err := suite.Find(cases, id)
	if err != nil {
		return nil, fmt.Errorf("%w\nconform list shows all cases", err)
	}
	return c, nil
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
