package suite

import (
	"fmt"
	"strconv"
	"time"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// Verdict is what came of one run.
type Verdict string

// The verdicts.
const (
	Passed  Verdict = "passed"
	Failed  Verdict = "failed"  // a wrong answer
	Errored Verdict = "error"   // no answer: a crash, a time-out, garbage
	Skipped Verdict = "skipped" // the implementation does not declare what the case takes
	NotRun  Verdict = "not-run" // the run ended before it

	// With a ledger of known failures.
	ExpectedFailure Verdict = "expected-failure" // failed, or an error, as the ledger says
	UnexpectedPass  Verdict = "unexpected-pass"  // passed, and the ledger says that it fails
)

// Judgement is a verdict and what led to it.
type Judgement struct {
	Verdict     Verdict
	Reason      string           // one line; "" where the differences say it all
	Differences []Difference     // where the result is not the expected one
	Failure     *adapter.Failure // where there is no answer to compare
	Skip        *Skip            // of a Skipped run
	LeftOut     []string         // pointers to what the implementation cannot show, which was not compared
	Reading     *Reading         // where the answer says what a reader would show
	Known       *Entry           // what the ledger says of the run
	AlsoKnown   []*Entry         // and the entries that say something of it too, which is one too many
	Duration    time.Duration    // from when the implementation could start on the request to its answer
}

// Judge compares an outcome with what the case expects.
func Judge(c *Case, outcome adapter.Outcome) Judgement {
	judgement := judge(c, outcome)
	judgement.Duration = outcome.Duration
	return judgement
}

func judge(c *Case, outcome adapter.Outcome) Judgement {
	switch {
	case outcome.Failure != nil && outcome.Failure.Kind == adapter.NotRun:
		return Judgement{Verdict: NotRun}
	case outcome.Failure != nil:
		return Judgement{Verdict: Errored, Reason: outcome.Failure.Detail, Failure: outcome.Failure}
	case outcome.Err != nil:
		return judgeError(c, outcome.Err)
	}
	got, err := jsonvalue.Parse(outcome.Result)
	if err != nil {
		return garbage(fmt.Sprintf("the result is not valid JSON: %v", err))
	}
	if c.Error != nil {
		return Judgement{Verdict: Failed, Reason: "want " + c.Error.String() + ", got the result " + short(got)}
	}
	want, err := jsonvalue.Parse(c.Result)
	if err != nil { // the loader has read it
		return garbage(fmt.Sprintf("the expected result is not valid JSON: %v", err))
	}
	return judgeResult(c, want, got)
}

func garbage(reason string) Judgement {
	return Judgement{Verdict: Errored, Reason: reason, Failure: &adapter.Failure{Kind: adapter.Garbage, Detail: reason}}
}

func judgeResult(c *Case, want, got jsonvalue.Value) Judgement {
	judgement := Judgement{Verdict: Passed, Reading: reading(c, want, got)}
	if c.Method == protocol.SessionRun {
		var compared int
		want, got, judgement.LeftOut, compared = withoutUnobserved(want, got)
		if compared == 0 && len(judgement.LeftOut) > 0 {
			return Judgement{Verdict: Skipped, Skip: &Skip{Reason: NothingObserved}, LeftOut: judgement.LeftOut}
		}
	}
	if judgement.Differences = Compare(want, got); len(judgement.Differences) > 0 {
		judgement.Verdict = Failed
	}
	return judgement
}

func judgeError(c *Case, got *protocol.Error) Judgement {
	switch {
	case c.Error != nil && c.Error.matches(got):
		return Judgement{Verdict: Passed}
	case c.Error != nil && got.Code != protocol.Unsupported:
		return Judgement{Verdict: Failed, Reason: "want " + c.Error.String() + ", got " + describe(got)}
	case got.Code == protocol.Unsupported:
		return Judgement{Verdict: Skipped, Skip: &Skip{FeatureUnsupported, errorData(got, "feature")}}
	default:
		return Judgement{Verdict: Failed, Reason: "want a result, got " + describe(got)}
	}
}

func (e *ExpectedError) matches(got *protocol.Error) bool {
	return got.Code == e.Code && (e.Path == nil || hasErrorPath(got) && errorData(got, "path") == *e.Path)
}

// String describes the error for a person.
func (e *ExpectedError) String() string {
	text := "error " + strconv.Itoa(e.Code)
	if e.Path != nil {
		text += " at " + place(*e.Path)
	}
	return text
}

func describe(e *protocol.Error) string {
	text := "error " + strconv.Itoa(e.Code)
	if hasErrorPath(e) {
		text += " at " + place(errorData(e, "path"))
	}
	return text + " (" + cut([]rune(e.Message), 0) + ")"
}

func place(pointer string) string {
	if pointer == "" {
		return "params"
	}
	return Printable(pointer)
}

func hasErrorPath(e *protocol.Error) bool {
	data, err := jsonvalue.Parse(e.Data)
	_, ok := data.GetText("path")
	return err == nil && ok
}

// errorData returns a string member of the error's data, "" where there is none.
func errorData(e *protocol.Error, name string) string {
	data, err := jsonvalue.Parse(e.Data)
	if err != nil {
		return ""
	}
	text, _ := data.GetText(name)
	return text
}

// observations are the members of a step that an implementation may be unable to show.
var observations = []string{"requests", "turn_items", "rollout", "reference", "world_state"}

// withoutUnobserved takes out of both results of session/run what the implementation answered
// null for although something is expected: it cannot show that. It returns pointers to what was
// left out and the number of observations that are still compared.
func withoutUnobserved(want, got jsonvalue.Value) (wantLeft, gotLeft jsonvalue.Value, leftOut []string, compared int) {
	wantSteps, _ := want.Get("steps")
	gotSteps, _ := got.Get("steps")
	wants, gots := clone(wantSteps.Elements()), clone(gotSteps.Elements())
	for i := range min(len(wants), len(gots)) {
		for _, name := range observations {
			expected, ok := wants[i].Get(name)
			if !ok {
				continue
			}
			if shown, ok := gots[i].Get(name); ok && shown.IsNull() && !expected.IsNull() {
				wants[i], gots[i] = wants[i].Without(name), gots[i].Without(name)
				leftOut = append(leftOut, "/steps/"+strconv.Itoa(i)+"/"+name)
			} else {
				compared++
			}
		}
	}
	if leftOut == nil {
		return want, got, nil, compared
	}
	return want.With("steps", jsonvalue.OfArray(wants...)), got.With("steps", jsonvalue.OfArray(gots...)), leftOut, compared
}

func clone(values []jsonvalue.Value) []jsonvalue.Value {
	return append([]jsonvalue.Value(nil), values...)
}
