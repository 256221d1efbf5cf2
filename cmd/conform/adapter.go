package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
)

// adapterFlags adds the flags that say how patient to be with an adapter.
func adapterFlags(cmd *cobra.Command, config *adapter.Config) {
	flags := cmd.Flags()
	flags.DurationVar(&config.CaseTimeout, "timeout", 10*time.Second, "wait at most this `TIME` for the answer to a case")
	flags.DurationVar(&config.StartTimeout, "start-timeout", 10*time.Second, "wait at most this `TIME` for the answer to initialize")
}

// poolFlags adds the flags that say how to spread cases over processes.
func poolFlags(cmd *cobra.Command, config *adapter.Config) {
	flags := cmd.Flags()
	flags.IntVar(&config.Window, "window", 64, "keep `N` requests in flight on one process; 1 is lockstep")
	flags.IntVar(&config.Jobs, "jobs", 1, "run `N` processes side by side")
	flags.IntVar(&config.Restarts, "restarts", 20, "start the adapter anew after a crash or time-out at most `N` times")
}

// checkAdapterFlags refuses what could only be a slip.
func checkAdapterFlags(cmd *cobra.Command, config adapter.Config) error {
	for name, wrong := range map[string]bool{
		"timeout":       config.CaseTimeout <= 0,
		"start-timeout": config.StartTimeout <= 0,
		"window":        cmd.Flags().Lookup("window") != nil && config.Window < 1,
		"jobs":          cmd.Flags().Lookup("jobs") != nil && config.Jobs < 1,
		"restarts":      config.Restarts < 0,
	} {
		if wrong {
			return fmt.Errorf("--%s %s: too small", name, cmd.Flag(name).Value)
		}
	}
	return nil
}

// command completes the configuration: the given command, or this program as an adapter of the
// embedded reference.
func command(config adapter.Config, given []string) (adapter.Config, error) {
	config.Runner = protocol.Runner{Name: "conform", Version: version()}
	config.Command = given
	if len(given) == 0 {
		self, err := os.Executable()
		if err != nil {
			return config, brokenError{fmt.Errorf("cannot find this program to start it again: %w", err)}
		}
		config.Command = []string{self, "serve"}
	}
	return config, nil
}
