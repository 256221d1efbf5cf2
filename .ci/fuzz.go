// Command fuzz runs every native fuzz target of the module for a short time each.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
)

var target = regexp.MustCompile(`(?m)^Fuzz\w+$`)

func main() {
	seconds := flag.Int("seconds", 10, "how long each target runs")
	flag.Parse()
	packages, err := exec.Command("go", "list", "./...").Output()
	check(err)
	targets := 0
	for lines := bufio.NewScanner(bytes.NewReader(packages)); lines.Scan(); {
		list, err := exec.Command("go", "test", "-list", "^Fuzz", lines.Text()).Output()
		check(err)
		for _, name := range target.FindAllString(string(list), -1) {
			targets++
			cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+name+"$", fmt.Sprintf("-fuzztime=%ds", *seconds), lines.Text()) //nolint:gosec // names of our own tests
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			check(cmd.Run())
		}
	}
	if targets == 0 {
		check(fmt.Errorf("no fuzz target found"))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}
