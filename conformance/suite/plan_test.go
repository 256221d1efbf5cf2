package suite

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/go-json-experiment/json/jsontext"
)

func TestPlan(t *testing.T) {
	allMethods := []string{protocol.MessageProject, protocol.HistoryTurns, protocol.TurnStateBuild}
	both := []string{protocol.ContextFragments, protocol.ModelVisible}
	tests := []struct {
		name      string
		declared  protocol.InitializeResult
		selection Selection
		want      []string
	}{
		{"one profile", protocol.InitializeResult{Profiles: both[:1], Methods: allMethods}, Selection{}, []string{
			"display/plain-text",
			"display/hook-prompt",
			"history/no-boundary",
			"turn-state/first-turn skipped: profile not declared: model-visible/2026-03",
		}},
		{"two profiles", protocol.InitializeResult{Profiles: both, Methods: allMethods}, Selection{}, []string{
			"display/plain-text with context-fragments/2026-08",
			"display/hook-prompt with context-fragments/2026-08",
			"history/no-boundary [context-fragments/2026-08] with context-fragments/2026-08",
			"history/no-boundary [model-visible/2026-03] with model-visible/2026-03",
			"turn-state/first-turn with model-visible/2026-03",
		}},
		{"two declared, one selected", protocol.InitializeResult{Profiles: both, Methods: allMethods}, Selection{Profiles: []string{"model-*/*"}}, []string{
			"history/no-boundary with model-visible/2026-03",
			"turn-state/first-turn with model-visible/2026-03",
		}},
		{"selected but not declared", protocol.InitializeResult{Profiles: both[:1], Methods: allMethods}, Selection{Profiles: both[1:]}, []string{
			"history/no-boundary skipped: profile not declared: model-visible/2026-03",
			"turn-state/first-turn skipped: profile not declared: model-visible/2026-03",
		}},
		{"one method", protocol.InitializeResult{Profiles: both[:1], Methods: allMethods[:1]}, Selection{}, []string{
			"display/plain-text",
			"display/hook-prompt",
			"history/no-boundary skipped: method not declared: history/turns",
			"turn-state/first-turn skipped: profile not declared: model-visible/2026-03",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := []string{}
			for _, run := range Plan(someCases, test.selection, test.declared) {
				text := run.Name()
				if run.WithProfile {
					text += " with " + run.Profile
				}
				if run.Skip != nil {
					text += " skipped: " + run.Skip.String()
				}
				got = append(got, text)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestCall(t *testing.T) {
	tests := []struct {
		name, params string
		withProfile  bool
		want         string
	}{
		{"one profile", `{"a": "\u0041"}`, false, `{"a": "\u0041"}`},
		{"several", `{ "a": 1.0 }`, true, `{"profile":"context-fragments/2026-08","a": 1.0 }`},
		{"several, no params", `{ }`, true, `{"profile":"context-fragments/2026-08"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			run := Run{Case: &Case{Method: "m", Params: jsontext.Value(test.params)}, Profile: protocol.ContextFragments, WithProfile: test.withProfile}
			call := run.Call()
			if call.Method != "m" || string(call.Params) != test.want {
				t.Errorf("got %s %s, want %s", call.Method, call.Params, test.want)
			}
			if string(run.Case.Params) != test.params {
				t.Errorf("the case changed: %s", run.Case.Params)
			}
		})
	}
}

// Each run gets the outcome of its own call, whatever the order of answers.
func TestGather(t *testing.T) {
	runs := []Run{}
	for i := range 50 {
		run := Run{Case: &Case{ID: "display/x", Params: jsontext.Value(`{"n":` + strings.Repeat("1", i+1) + `}`)}}
		if i%7 == 0 {
			run.Skip = &Skip{Reason: MethodNotDeclared}
		}
		runs = append(runs, run)
	}
	backwards := func(_ context.Context, calls []adapter.Call, done func(int, adapter.Outcome)) error {
		for i, call := range slices.Backward(calls) {
			done(i, adapter.Outcome{Result: call.Params})
		}
		return nil
	}
	counts := []int{}
	outcomes, err := Gather(t.Context(), backwards, runs, func(done, total int) {
		if total != 42 {
			t.Errorf("total: got %d, want 42", total)
		}
		counts = append(counts, done)
	})
	if err != nil || len(counts) != 42 || counts[41] != 42 {
		t.Errorf("got %v, counts %v", err, counts)
	}
	for i, outcome := range outcomes {
		if (outcome == nil) != (runs[i].Skip != nil) {
			t.Errorf("run %d: outcome %v, skip %v", i, outcome, runs[i].Skip)
		} else if outcome != nil && string(outcome.Result) != string(runs[i].Case.Params) {
			t.Errorf("run %d: got %s", i, outcome.Result)
		}
	}
}

func TestGatherWhenASenderGivesUp(t *testing.T) {
	broken := errors.New("gave up")
	givesUp := func(_ context.Context, _ []adapter.Call, done func(int, adapter.Outcome)) error {
		done(0, adapter.Outcome{Result: jsontext.Value(`1`)})
		return broken
	}
	c := Case{ID: "display/x", Params: jsontext.Value(`{}`), Result: jsontext.Value(`1`)}
	runs := []Run{{Case: &c}, {Case: &c}}
	outcomes, err := Gather(t.Context(), givesUp, runs, nil)
	if !errors.Is(err, broken) || outcomes[0] == nil || outcomes[1] != nil {
		t.Errorf("got %v, %v", outcomes, err)
	}
	if got := judgeRun(&runs[1], outcomes[1]).Verdict; got != NotRun {
		t.Errorf("got %s, want %s", got, NotRun)
	}
}
