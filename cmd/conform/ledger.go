package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/conformance/report"
	"github.com/contextfragments/conform/conformance/suite"
)

// knownFailures reads the ledger for a run of cases of the tree; nil without a file.
func knownFailures(file string, tree []suite.Case) (*suite.Known, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return known(file, text, tree)
}

func known(file string, text []byte, tree []suite.Case) (*suite.Known, error) {
	ledger, err := suite.ReadLedger(file, text)
	if err != nil {
		return nil, err
	}
	return &suite.Known{Ledger: ledger, Tree: tree, Today: time.Now().Format(time.DateOnly)}, nil
}

func newLedger() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "Keep the list of known failures right",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantArgs(cmd, args); err != nil {
				return fmt.Errorf("unknown command %s%s", suite.Quote(args[0]), suite.Suggestion(args[0], []string{"fix"}))
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newLedgerFix())
	return cmd
}

func newLedgerFix() *cobra.Command {
	var (
		config adapter.Config
		folder string
		record string
		reason string
	)
	cmd := &cobra.Command{
		Use:   "fix FILE [flags] [-- ADAPTER…]",
		Short: "Rewrite the list of known failures by what a run of all cases shows",
		Long: `Run all cases, and put the list of known failures right by what comes of them: what passes is
taken out, and messages are renewed. With --reason new failures are added; without it they are
only told. Comments, order and layout stay. What somebody has to decide is told and left as it is:
entries that have expired, match no case, overlap, or are about what is skipped.

A run that does not reach its end, or a record of a part of the cases, changes nothing.

Exit status: 0 the list is right now; 1 something is left to decide; 2 wrong usage or unreadable
input; 3 the run broke off; 130 interrupted.`,
		Example: `  conform ledger fix known.yaml -- python3 my_adapter.py
  conform ledger fix known.yaml --reason "Rollback is not done yet" -- ./my-agent --adapter
  conform ledger fix known.yaml --record run.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			front, given, err := adapterArgs(cmd, args, "FILE")
			if err != nil {
				return err
			}
			if err := checkAdapterFlags(cmd, config); err != nil {
				return err
			}
			if suite.Printable(reason) != reason || strings.TrimSpace(reason) != reason {
				return fmt.Errorf("--reason %s: want one line of text without blanks around it", suite.Quote(reason))
			}
			if record != "" && given != nil {
				return errors.New("--record names a run that is over: leave the adapter out")
			}
			file := front[0]
			source, err := os.ReadFile(file)
			switch {
			case errors.Is(err, fs.ErrNotExist) && reason == "":
				return fmt.Errorf("%w\n--reason TEXT starts a new list", err)
			case err != nil && !errors.Is(err, fs.ErrNotExist):
				return err
			}
			tree, err := load(folder)
			if err != nil {
				return err
			}
			known, err := known(file, source, tree)
			if err != nil {
				return err
			}
			target, err := report.Create(file) // before the run: nobody waits for what cannot be written
			if err != nil {
				return err
			}
			defer target.Discard()
			ctx, stop := interruptible(cmd)
			defer stop()
			var r *report.Record
			if record != "" {
				r, err = readRecord(record)
			} else {
				r, err = runAll(ctx, cmd, config, given, folder, tree)
			}
			if err != nil {
				return err
			}
			if why := r.Partial(tree, folder); why != "" {
				refusal := fmt.Errorf("%s is left as it was: %s", suite.Printable(file), why)
				if status := statusUnder(ctx, r.Status()); status >= report.StatusBroken {
					fmt.Fprintf(cmd.ErrOrStderr(), "conform: %v\n", refusal)
					return statusError(status)
				}
				return refusal
			}
			stop()
			repair, err := known.Fix(source, r.KnownResults(), protocol.InitializeResult{
				Implementation: r.Adapter.Implementation,
				Profiles:       r.Adapter.Profiles,
			}, reason)
			if err != nil {
				return err
			}
			if len(repair.Changes) > 0 {
				if now, err := os.ReadFile(file); err == nil && !bytes.Equal(now, source) {
					return fmt.Errorf("%s has changed since the run began, so it is left as it is", suite.Printable(file))
				}
				if err := uninterrupted(func() error { return target.Commit(repair.Text) }); err != nil {
					return brokenError{err}
				}
			}
			return tellRepair(cmd, repair, reason)
		},
	}
	adapterFlags(cmd, &config)
	poolFlags(cmd, &config)
	fixturesFlag(cmd, &folder)
	flags := cmd.Flags()
	flags.StringVar(&record, "record", "", "take this `RECORD` of a whole run (conform run --json, conform merge --json) in place of running")
	flags.StringVar(&reason, "reason", "", "add new failures, with this `TEXT` as reason")
	return cmd
}

// runAll runs all cases without regard to what is known.
func runAll(ctx context.Context, cmd *cobra.Command, config adapter.Config, given []string, folder string, tree []suite.Case) (*report.Record, error) {
	config, err := command(config, given)
	if err != nil {
		return nil, err
	}
	progress := newProgress(cmd.ErrOrStderr())
	options := suite.Options{Cases: tree, Adapter: config, Seed: 1, Progress: progress.update}
	execution, err := suite.Execute(ctx, options)
	progress.clear()
	if err != nil {
		return nil, brokenError{err}
	}
	r := report.New(version(), given, options, execution)
	r.Fixtures = folder
	return r, nil
}

func tellRepair(cmd *cobra.Command, repair suite.Repair, reason string) error {
	lines := append([]string{}, repair.Changes...)
	if len(lines) == 0 {
		lines = append(lines, "nothing to change")
	}
	if len(repair.Left) > 0 {
		lines = append(lines, "", "Left to decide:")
		for _, left := range repair.Left {
			lines = append(lines, "  "+left)
		}
		if reason == "" {
			lines = append(lines, "--reason TEXT adds what fails and is not in the list.")
		}
	}
	if err := written(fmt.Fprintln(cmd.OutOrStdout(), strings.Join(lines, "\n"))); err != nil {
		return err
	}
	if len(repair.Left) > 0 {
		return statusError(report.StatusDeviates)
	}
	return nil
}
