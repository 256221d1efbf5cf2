package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The transcript of the README is what the command prints, but for how long it took.
func TestReadmeShowsARealRun(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "$ go run ./cmd/conform run\n")
	shown, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("README.md shows no run")
	}
	printed, err := exec.Command("conform", "run").Output()
	if err != nil {
		t.Fatal(err)
	}
	varies := regexp.MustCompile(`(?m)^conform \S+|in [0-9.]+m?s$`)
	same := func(text string) string { return varies.ReplaceAllString(text, "…") }
	if same(shown) != same(string(printed)) {
		t.Errorf("README.md shows\n%s\nand the command prints\n%s", shown, printed)
	}
}
