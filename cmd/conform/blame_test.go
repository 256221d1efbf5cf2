package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/contextfragments/conform/conformance/report"
	"github.com/contextfragments/conform/conformance/suite"
)

// One crash and one hang in a run of 5,000 cases change two verdicts, and nothing else.
func TestOneCrashAndOneHangIn5000(t *testing.T) {
	folder := t.TempDir()
	if err := generateCases(filepath.Join(folder, "own"), 5000); err != nil {
		t.Fatal(err)
	}
	run := func(file string, trouble ...string) *report.Record {
		t.Helper()
		start := time.Now()
		arguments := []string{"run", "--fixtures", "own", "--timeout", "3s", "--json", file, "--"}
		cmd := exec.Command("conform", append(append(arguments, "trouble"), trouble...)...)
		cmd.Dir = folder
		if output, err := cmd.CombinedOutput(); cmd.ProcessState == nil {
			t.Fatalf("%v\n%s", err, output)
		}
		data, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			t.Fatal(err)
		}
		record, err := report.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: %+v in %v", trouble, record.Totals, time.Since(start).Round(time.Millisecond))
		return record
	}
	clean := run("clean.json")
	if clean.Totals.Passed != 5000 || clean.Status() != report.StatusConforms {
		t.Fatalf("the clean run: %+v", clean.Totals)
	}
	for name, flags := range map[string][]string{
		"crash and hang": {"crash=case-1234.", "hang=case-4321."},
		"side by side":   {"crash=case-2500.", "hang=case-2501."},
	} {
		t.Run(name, func(t *testing.T) {
			troubled := run("troubled.json", flags...)
			want := map[string]string{
				"marker-matching/" + flags[0][len("crash="):len(flags[0])-1]: "crash",
				"marker-matching/" + flags[1][len("hang="):len(flags[1])-1]:  "time-out",
			}
			if len(troubled.Runs) != len(clean.Runs) || len(troubled.Findings) > 0 {
				t.Fatalf("%d runs, findings %v", len(troubled.Runs), troubled.Findings)
			}
			for i, got := range troubled.Runs {
				before := clean.Runs[i]
				switch {
				case got.ID != before.ID:
					t.Fatalf("run %d is %s, was %s", i, got.ID, before.ID)
				case got.Verdict == before.Verdict:
				case got.Verdict != suite.Errored || got.Failure.Kind != want[got.ID]:
					t.Errorf("%s is %s (%+v)", got.ID, got.Verdict, got.Failure)
				default:
					delete(want, got.ID)
				}
			}
			for id, kind := range want {
				t.Errorf("%s is not charged with the %s", id, kind)
			}
		})
	}
}
