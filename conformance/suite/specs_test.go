package suite

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// sampleRuns are runs of which every fifth passes, fails, breaks, is skipped and is not run.
func sampleRuns(count int) ([]Run, []*adapter.Outcome) {
	runs := make([]Run, count)
	outcomes := make([]*adapter.Outcome, count)
	for i := range runs {
		area := areas[i*3/count]
		runs[i] = Run{Profile: protocol.ContextFragments, Case: &Case{
			ID: area + "/case-" + strconv.Itoa(i), File: area + "/file-" + strconv.Itoa(i/100) + ".json",
			Title: "Holds", Why: "Because.", Requirements: []string{"DET-1"}, Level: Core, Tags: []string{"a.b"},
			Method: protocol.MarkerMatch, Params: jsontext.Value(`{}`), Result: jsontext.Value(`1`),
		}}
		outcomes[i] = &adapter.Outcome{Result: jsontext.Value(`1`)}
		switch i % 5 {
		case 1:
			outcomes[i].Result = jsontext.Value(`2`)
		case 2:
			outcomes[i] = &adapter.Outcome{Failure: &adapter.Failure{Kind: adapter.Crash, Detail: "gone"}}
		case 3:
			runs[i].Skip, outcomes[i] = &Skip{MethodNotDeclared, protocol.MarkerMatch}, nil
		case 4:
			outcomes[i] = nil
		}
	}
	return runs, outcomes
}

// asserted is what a process in the role "assert" prints.
type asserted struct {
	Verdicts       []Verdict
	Specs, Entries int // of Ginkgo's own report
}

// assertSamples asserts on sample runs.
func assertSamples(count int) {
	runs, outcomes := sampleRuns(count)
	var a asserted
	ginkgo.ReportAfterSuite("", func(report ginkgo.Report) {
		for _, spec := range report.SpecReports {
			if spec.LeafNodeType == types.NodeTypeIt {
				a.Specs++
				a.Entries += len(spec.ReportEntries)
			}
		}
	})
	for _, judgement := range Assert(runs, outcomes, 1) {
		a.Verdicts = append(a.Verdicts, judgement.Verdict)
	}
	_ = json.NewEncoder(os.Stdout).Encode(a)
}

// Every run has its verdict, one spec a run or one a file, and Ginkgo prints nothing.
func TestAssert(t *testing.T) {
	for _, test := range []struct{ runs, specs int }{{1, 1}, {50, 50}, {mostSpecs, mostSpecs}, {mostSpecs + 50, 51 + 2}} { // two files lie in two areas
		t.Run(fmt.Sprint(test.runs), func(t *testing.T) {
			output, stderr, err := inRole("assert", strconv.Itoa(test.runs))
			if err != nil || stderr != "" {
				t.Fatalf("%v\n%s", err, stderr)
			}
			var got asserted
			if err := json.Unmarshal(output, &got); err != nil {
				t.Fatalf("%v in the output:\n%.2000s", err, output)
			}
			if len(got.Verdicts) != test.runs || got.Entries != test.runs || got.Specs != test.specs {
				t.Fatalf("got %d verdicts, %d entries, %d specs; want %d, %d, %d", len(got.Verdicts), got.Entries, got.Specs, test.runs, test.runs, test.specs)
			}
			for i, verdict := range got.Verdicts {
				if want := []Verdict{Passed, Failed, Errored, Skipped, NotRun}[i%5]; verdict != want {
					t.Fatalf("run %d: got %s, want %s", i, verdict, want)
				}
			}
		})
	}
}

// interruptAfterAssert sends itself an interrupt when Ginkgo is through.
func interruptAfterAssert() {
	runs, outcomes := sampleRuns(1)
	Assert(runs, outcomes, 1)
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(os.Interrupt)
	}
	if err != nil {
		fmt.Println(err)
	}
	time.Sleep(10 * time.Second)
	fmt.Println("still here")
}

// Ginkgo takes the signals over while it runs; afterwards they end the process again.
func TestInterruptAfterAssert(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot send signals to itself")
	}
	output, _, err := inRole("interrupt", "")
	if err == nil || len(output) > 0 {
		t.Errorf("the interrupt did not end the process: %v, %s", err, output)
	}
}

func TestConform(t *testing.T) {
	c := wantResult(protocol.MarkerMatch, `{}`, `{"matches":true}`)
	c.Title, c.Why, c.Requirements = "A title", "A reason.", []string{"DET-1", "DET-2"}
	matcher := Conform(c)
	if ok, err := matcher.Match(result(`{"matches":true}`)); !ok || err != nil {
		t.Errorf("right outcome: got %v, %v", ok, err)
	}
	if ok, err := matcher.Match(result(`{"matches":false}`)); ok || err != nil {
		t.Errorf("wrong outcome: got %v, %v", ok, err)
	}
	want := "display/x: failed\nA title (DET-1, DET-2)\nwhy: A reason.\n/matches: want true got false"
	if got := matcher.FailureMessage(nil); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := matcher.Match("text"); err == nil {
		t.Error("a string is no outcome, want an error")
	}
}
