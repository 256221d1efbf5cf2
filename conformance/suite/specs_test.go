package suite

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/go-json-experiment/json/jsontext"
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

// assertSamples prints the verdicts of sample runs as JSON.
func assertSamples(count int) {
	runs, outcomes := sampleRuns(count)
	verdicts := []Verdict{}
	for _, judgement := range Assert(runs, outcomes, 1) {
		verdicts = append(verdicts, judgement.Verdict)
	}
	_ = json.NewEncoder(os.Stdout).Encode(verdicts)
}

// Every run has its verdict, one spec a run or one a file, and Ginkgo prints nothing.
func TestAssert(t *testing.T) {
	for _, count := range []int{1, 50, mostSpecs + 5} {
		t.Run(fmt.Sprint(count), func(t *testing.T) {
			output, stderr, err := inRole("assert", strconv.Itoa(count))
			if err != nil || stderr != "" {
				t.Fatalf("%v\n%s", err, stderr)
			}
			var verdicts []Verdict
			if err := json.Unmarshal(output, &verdicts); err != nil {
				t.Fatalf("%v in the output:\n%.2000s", err, output)
			}
			if len(verdicts) != count {
				t.Fatalf("got %d verdicts, want %d", len(verdicts), count)
			}
			for i, verdict := range verdicts {
				if want := []Verdict{Passed, Failed, Errored, Skipped, NotRun}[i%5]; verdict != want {
					t.Fatalf("run %d: got %s, want %s", i, verdict, want)
				}
			}
		})
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
