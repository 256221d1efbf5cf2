package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/conformance/report"
)

// interrupted is the cause of a context that ended with a signal.
type interrupted struct{ signal os.Signal }

func (i interrupted) Error() string { return i.signal.String() }

// status is the exit status of a program that a signal ended, as shells have it.
func (i interrupted) status() int {
	if number, ok := i.signal.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return report.StatusInterrupted
}

// endSignals are those that ask a program to end.
func endSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // under nohup the end of the terminal is none of our business
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// interruptible returns a context that ends with a signal, so that adapters are ended and results
// told. The second signal ends the program at once.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(cmd.Context())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endSignals()...)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			cancel(interrupted{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// uninterrupted does what must not be left half done. A signal that comes meanwhile is returned
// afterwards.
func uninterrupted(do func() error) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endSignals()...)
	defer signal.Stop(signals)
	if err := do(); err != nil {
		return err
	}
	select {
	case s := <-signals:
		return interrupted{s}
	default:
		return nil
	}
}

// statusUnder returns the exit status where the run may have been interrupted.
func statusUnder(ctx context.Context, status int) int {
	var signalled interrupted
	if (status == report.StatusInterrupted || status == report.StatusBroken) && errors.As(context.Cause(ctx), &signalled) {
		return signalled.status()
	}
	return status
}
