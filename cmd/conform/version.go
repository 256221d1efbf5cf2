package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is set when a release is built: -ldflags "-X main.release=1.0.0".
var release string

// version is the release, else the version of the module that go install was asked for.
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantArgs(cmd, args); err != nil {
				return err
			}
			return written(fmt.Fprintf(cmd.OutOrStdout(), "conform %s %s/%s %s\n", version(), runtime.GOOS, runtime.GOARCH, runtime.Version()))
		},
	}
}
