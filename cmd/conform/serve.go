package main

import (
	"github.com/spf13/cobra"

	"github.com/contextfragments/conform/reference/serve"
)

func newServe() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Be an adapter: the embedded reference on standard input and output",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantArgs(cmd, args); err != nil {
				return err
			}
			if err := serve.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout()); err != nil {
				return brokenError{err}
			}
			return nil
		},
	}
}
