package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/conformance/report"
	"github.com/contextfragments/conform/docs"
)

func newMerge() *cobra.Command {
	var (
		jsonFile string
		all      bool
		noColor  bool
	)
	cmd := &cobra.Command{
		Use:   "merge RECORD…",
		Short: "Join the records of all shards of a run",
		Long: `Join the records that conform run --shard i/n --json FILE wrote, one for each shard, to the record of
the whole run, and tell it as conform run does. Records that do not belong together, that judge a
case differently, or that are not all there are refused.

Exit status: that of the whole run; 2 where the records cannot be joined.`,
		Example: `  conform merge shard-1.json shard-2.json
  conform merge --json run.json shards/*.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("missing RECORD: want %s", cmd.UseLine())
			}
			pieces := []report.Piece{}
			for _, file := range args {
				record, err := readRecord(file)
				if err != nil {
					return err
				}
				pieces = append(pieces, report.Piece{File: file, Record: record})
			}
			joined, err := report.Merge(pieces)
			if err != nil {
				return fmt.Errorf("the records cannot be joined:\n  %s", strings.ReplaceAll(err.Error(), "\n", "\n  "))
			}
			output, err := newOutput(cmd, jsonFile)
			if err != nil {
				return err
			}
			return output.tell(joined, all, noColor)
		},
	}
	recordFlags(cmd, &jsonFile, &all, &noColor)
	return cmd
}

// readRecord reads a file that conform run --json wrote.
func readRecord(file string) (*report.Record, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	record, err := report.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return record, nil
}

// recordFlags adds the flags that say where a record goes and how it is told.
func recordFlags(cmd *cobra.Command, jsonFile *string, all, noColor *bool) {
	flags := cmd.Flags()
	flags.StringVar(jsonFile, "json", "", "write the record of the run to this `FILE`; - is standard output, and the text goes to standard error")
	flags.BoolVar(all, "all", false, "show every failure")
	flags.BoolVar(noColor, "no-color", false, "no colour, as with NO_COLOR")
}

// tell writes the record and tells it. The error carries the exit status.
func (o *output) tell(r *report.Record, all, noColor bool) error {
	if err := uninterrupted(func() error { return o.write(r) }); err != nil {
		return err
	}
	err := report.Text(o.text, r, report.TextOptions{
		Color:       !noColor && hasColor(o.text),
		Width:       width(o.text),
		All:         all,
		Requirement: docs.Requirement,
	})
	if err != nil {
		return brokenError{err}
	}
	return withStatus(r.Status())
}
