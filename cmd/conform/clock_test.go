package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A clock that is set back or forward during a run must change nothing. Times that time.Now gives
// carry a monotonic reading, and all differences between them are of that; the methods below drop it
// or ask for the time of day. So none of them stands where a run is timed. The one exception is the
// date by which the entries of a ledger expire.
func TestRunsAreTimedByTheMonotonicClock(t *testing.T) {
	wallClock := map[string]bool{
		"Unix": true, "UnixMilli": true, "UnixMicro": true, "UnixNano": true, "UTC": true, "Local": true, "In": true,
		"AddDate": true, "Date": true, "Clock": true, "YearDay": true, "Truncate": true, "Round": true, "Format": true, "AppendFormat": true,
		"SetDeadline": true, "SetReadDeadline": true, "SetWriteDeadline": true,
	}
	exceptions := map[string]bool{"ledger.go: Format": true, "conversation.go: Round": true} // the latter of a duration
	timed := 0
	for _, folder := range []string{".", "../../conformance/adapter", "../../conformance/suite", "../../conformance/report"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", folder, len(files), err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok {
					return true
				}
				called, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if called.Sel.Name == "Now" {
					timed++
				}
				if wallClock[called.Sel.Name] && !exceptions[filepath.Base(name)+": "+called.Sel.Name] {
					t.Errorf("%s: %s asks for the time of day", set.Position(call.Pos()), called.Sel.Name)
				}
				return true
			})
		}
	}
	if timed == 0 {
		t.Error("nothing is timed at all: does this test look at the right files?")
	}
}
