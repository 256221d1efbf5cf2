package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every flag that the manual names is a flag of a command.
func TestTheManualNamesFlagsThatExist(t *testing.T) {
	flags := map[string]bool{"adapter": true} // of the adapters in the examples
	var collect func(cmd *cobra.Command)
	collect = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
		for _, sub := range cmd.Commands() {
			collect(sub)
		}
	}
	collect(newRoot())
	for _, page := range []string{"running.md", "adapters.md", "cases.md"} {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile("[ `]--([a-z][a-z-]+)").FindAllStringSubmatch(string(text), -1) {
			if !flags[match[1]] {
				t.Errorf("docs/%s names --%s", page, match[1])
			}
		}
	}
}
