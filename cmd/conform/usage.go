package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/contextfragments/conform/conformance/suite"
)

// flagError adds a suggestion to the error of a flag.
func flagError(cmd *cobra.Command, err error) error {
	suggestion := ""
	if name, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
		names := []string{}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		suggestion = suite.Suggestion("--"+name, names)
	}
	return fmt.Errorf("%w%s\n%s --help lists the flags", err, suggestion, cmd.CommandPath())
}

// adapterArgs splits the arguments into those in front of "--" and the adapter's command line
// behind it. It wants exactly as many in front as there are names; an argument too many is most
// likely an adapter without its "--".
func adapterArgs(cmd *cobra.Command, args []string, names ...string) (front, command []string, err error) {
	front = args
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		front, command = args[:dash], args[dash:]
		if len(command) == 0 {
			return nil, nil, fmt.Errorf("no adapter behind --: want %s", cmd.UseLine())
		}
	}
	if err := wantArgs(cmd, front, names...); err != nil {
		if len(front) > len(names) {
			err = fmt.Errorf("%w\nthe adapter goes behind --: %s", err, strings.Join(slices.Concat([]string{cmd.CommandPath()}, names, []string{"--"}, front[len(names):]), " "))
		}
		return nil, nil, err
	}
	return front, command, nil
}

// wantArgs checks the number of arguments.
func wantArgs(cmd *cobra.Command, args []string, names ...string) error {
	switch {
	case len(args) < len(names):
		return fmt.Errorf("missing %s: want %s", names[len(args)], cmd.UseLine())
	case len(args) > len(names):
		return fmt.Errorf("unexpected argument %s: want %s", suite.Quote(args[len(names)]), cmd.UseLine())
	}
	return nil
}
