// Command conform checks implementations of an agent's model-visible context against the suite.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/conformance/report"
	"github.com/contextfragments/conform/conformance/suite"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the whole program: it returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return report.StatusConforms
	}
	var verdict statusError
	if errors.As(err, &verdict) { // already told
		return int(verdict)
	}
	parts := strings.Split(strings.TrimSpace(err.Error()), "\t") // a tab does no harm
	for i, part := range parts {
		parts[i] = suite.PrintableLines(part)
	}
	fmt.Fprintf(stderr, "conform: %s\n", strings.Join(parts, "\t"))
	var signalled interrupted
	if errors.As(err, &signalled) {
		return signalled.status()
	}
	var broken brokenError
	if errors.As(err, &broken) {
		return report.StatusBroken
	}
	return report.StatusNothing // wrong usage or unreadable input
}

// statusError ends the program with a status other than 0 when everything has been said.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// withStatus returns nil for status 0.
func withStatus(status int) error {
	if status == report.StatusConforms {
		return nil
	}
	return statusError(status)
}

// brokenError is a fault of the adapter, the harness or its surroundings, and not of usage.
type brokenError struct{ error }

func (e brokenError) Unwrap() error { return e.error }

// written makes an error of writing one of the surroundings.
func written(_ int, err error) error {
	if err != nil {
		return brokenError{err}
	}
	return nil
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "conform",
		Short: "Check how software builds, stores and reads an agent's model-visible context",
		Long: `conform checks an implementation of an agent's model-visible context: which injected text is
context and which is the person's own words, where fragments merge into messages, what is sent
again and what is not, and what a rollback removes.

An implementation is any program that reads one JSON request a line from its standard input and
answers each with one line: an adapter.`,
		Example: `  conform run                            the embedded reference
  conform run -- python3 my_adapter.py   your implementation
  conform run --known known.yaml -- ./x  the same, with a list of known failures
  conform list --area display            the cases of one area
  conform show CASE                      one case, and the rule behind it`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newRun(), newList(), newShow(), newReplay(), newMerge(), newLedger(), newServe(), newSchema(), newVersion())
	return root
}
