package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/report"
	"github.com/contextfragments/conform/conformance/suite"
)

func newRun() *cobra.Command {
	var (
		selection suite.Selection
		config    adapter.Config
		folder    string
		shardText string
		knownFile string
		require   []string
		seed      int64
		jsonFile  string
		all       bool
		noColor   bool
	)
	cmd := &cobra.Command{
		Use:   "run [flags] [-- ADAPTER…]",
		Short: "Run the suite against an implementation",
		Long: `Run the suite against the implementation that the command line behind -- starts. Without one, the
embedded reference runs, as a child process over the same protocol.

Exit status: 0 conforms; 1 does not; 2 wrong usage, or the adapter declares nothing of the
selection; 3 the adapter or the harness broke; 130 interrupted (143 by SIGTERM).`,
		Example: `  conform run -- python3 my_adapter.py
  conform run --area display --level core -- ./my-viewer --adapter
  conform run --json run.json -- node adapter.js
  conform run --known known.yaml --require display -- ./my-viewer --adapter
  conform run --shard 2/5 --json shard-2.json -- ./my-agent --adapter`,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, given, err := adapterArgs(cmd, args)
			if err != nil {
				return err
			}
			if err := checkAdapterFlags(cmd, config); err != nil {
				return err
			}
			shard, err := shardOf(shardText)
			if err != nil {
				return err
			}
			cases, tree, err := selected(folder, selection)
			if err != nil {
				return err
			}
			if err := suite.CheckRequired(require, cases); err != nil {
				return err
			}
			known, err := knownFailures(knownFile, tree)
			if err != nil {
				return err
			}
			config, err := command(config, given)
			if err != nil {
				return err
			}
			record, err := newOutput(cmd, jsonFile)
			if err != nil {
				return err
			}
			defer record.discard()
			progress := newProgress(cmd.ErrOrStderr())
			options := suite.Options{
				Cases: cases, Selection: selection, Shard: shard, Known: known,
				Adapter: config, Seed: seed, Progress: progress.update,
			}
			ctx, stop := interruptible(cmd)
			execution, err := suite.Execute(ctx, options)
			stop()
			progress.clear()
			if err != nil {
				return brokenError{err}
			}
			r := report.New(version(), given, options, execution)
			r.Fixtures, r.Require = folder, require
			err = record.tell(r, all, noColor)
			var status statusError
			if errors.As(err, &status) {
				return statusError(statusUnder(ctx, int(status)))
			}
			return err
		},
	}
	selectionFlags(cmd, &selection)
	adapterFlags(cmd, &config)
	poolFlags(cmd, &config)
	recordFlags(cmd, &jsonFile, &all, &noColor)
	fixturesFlag(cmd, &folder)
	flags := cmd.Flags()
	flags.StringVar(&shardText, "shard", "", "run the `I/N`-th part of the cases, from 1/N to N/N; the environment of Bazel's shards says so too")
	flags.StringVar(&knownFile, "known", "", "hold the run against this `FILE` of known failures")
	flags.StringArrayVar(&require, "require", nil, "nothing of this `AREA` may be skipped (repeatable)")
	flags.Int64Var(&seed, "seed", 1, "`SEED` of the order in which the specs assert")
	return cmd
}

// output is where a run goes: the text for a person, and the record.
type output struct {
	text    io.Writer
	json    io.Writer           // the record goes here, if not nil
	pending *report.PendingFile // or here
}

func newOutput(cmd *cobra.Command, jsonFile string) (*output, error) {
	switch jsonFile {
	case "":
		return &output{text: cmd.OutOrStdout()}, nil
	case "-":
		return &output{text: cmd.ErrOrStderr(), json: cmd.OutOrStdout()}, nil
	}
	pending, err := report.Create(jsonFile)
	return &output{text: cmd.OutOrStdout(), pending: pending}, err
}

func (o *output) write(r *report.Record) error {
	data, err := r.JSON()
	switch {
	case err != nil:
	case o.json != nil:
		_, err = o.json.Write(data)
	case o.pending != nil:
		err = o.pending.Commit(data)
		o.pending = nil
	}
	if err != nil {
		return brokenError{err}
	}
	return nil
}

func (o *output) discard() {
	if o.pending != nil {
		o.pending.Discard()
	}
}
