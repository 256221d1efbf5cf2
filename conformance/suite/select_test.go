package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/contextfragments/conform/conformance/protocol"
)

// someCases are four cases that differ in everything a selection can look at.
var someCases = []Case{
	{ID: "display/plain-text", Level: Core, Tags: []string{"recorded"}, Method: protocol.MessageProject, Profiles: []string{protocol.ContextFragments}, Requirements: []string{"DET-80", "DET-82"}},
	{ID: "display/hook-prompt", Level: Edge, Tags: []string{}, Method: protocol.MessageProject, Profiles: []string{protocol.ContextFragments}, Requirements: []string{"DET-84"}},
	{ID: "history/no-boundary", Level: Edge, Tags: []string{"F-DET-1", "recorded"}, Method: protocol.HistoryTurns, Profiles: []string{protocol.ContextFragments, protocol.ModelVisible}, Requirements: []string{"DET-100"}},
	{ID: "turn-state/first-turn", Level: Core, Tags: []string{}, Method: protocol.TurnStateBuild, Profiles: []string{protocol.ModelVisible}, Requirements: []string{"REG-1"}},
}

func TestSelection(t *testing.T) {
	tests := []struct {
		name      string
		selection Selection
		want      []string // ids
	}{
		{"everything", Selection{}, []string{"display/plain-text", "display/hook-prompt", "history/no-boundary", "turn-state/first-turn"}},
		{"area", Selection{Areas: []string{"display"}}, []string{"display/plain-text", "display/hook-prompt"}},
		{"two areas", Selection{Areas: []string{"turn-state", "history"}}, []string{"history/no-boundary", "turn-state/first-turn"}},
		{"case", Selection{Cases: []string{"history/no-boundary"}}, []string{"history/no-boundary"}},
		{"case glob in an area", Selection{Cases: []string{"display/*-prompt"}}, []string{"display/hook-prompt"}},
		{"case glob over areas", Selection{Cases: []string{"**/*-t*"}}, []string{"display/plain-text", "turn-state/first-turn"}},
		{"alternatives", Selection{Cases: []string{"{history,display}/*o*-*"}}, []string{"display/hook-prompt", "history/no-boundary"}},
		{"level", Selection{Levels: []string{"edge"}}, []string{"display/hook-prompt", "history/no-boundary"}},
		{"tag", Selection{Tags: []string{"recorded"}}, []string{"display/plain-text", "history/no-boundary"}},
		{"tag glob", Selection{Tags: []string{"F-*"}}, []string{"history/no-boundary"}},
		{"method", Selection{Methods: []string{"history/*"}}, []string{"history/no-boundary"}},
		{"profile", Selection{Profiles: []string{protocol.ModelVisible}}, []string{"history/no-boundary", "turn-state/first-turn"}},
		{"requirement", Selection{Requirements: []string{"DET-82"}}, []string{"display/plain-text"}},
		{"requirement glob", Selection{Requirements: []string{"DET-8*"}}, []string{"display/plain-text", "display/hook-prompt"}},
		{"two criteria", Selection{Tags: []string{"recorded"}, Levels: []string{"core"}}, []string{"display/plain-text"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			selected, err := test.selection.Apply(someCases)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, c := range selected {
				got = append(got, c.ID)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestSelectionErrors(t *testing.T) {
	tests := []struct {
		name      string
		selection Selection
		want      string
	}{
		{"slip in an area", Selection{Areas: []string{"dispaly"}}, `--area "dispaly" matches nothing (did you mean "display"?)`},
		{"nothing near", Selection{Areas: []string{"zzzzzzzzzz"}}, `--area "zzzzzzzzzz" matches nothing; there are display, history, turn-state`},
		{"slug without its area", Selection{Cases: []string{"hook-prompt"}}, `--case "hook-prompt" matches nothing (did you mean "display/hook-prompt"?)`},
		{"part of a slug", Selection{Cases: []string{"boundary"}}, `--case "boundary" matches nothing (did you mean "history/no-boundary"?)`},
		{"one star does not cross a slash", Selection{Cases: []string{"*boundary"}}, `--case "*boundary" matches nothing`},
		{"a good pattern beside a bad one", Selection{Levels: []string{"core", "egde"}}, `--level "egde" matches nothing (did you mean "edge"?)`},
		{"malformed", Selection{Cases: []string{"display/[a"}}, `--case "display/[a": malformed pattern`},
		{"control characters", Selection{Tags: []string{"\x1b[2J"}}, `--tag "\u001b[2J": malformed pattern`},
		{"criteria that exclude each other", Selection{Areas: []string{"display"}, Profiles: []string{protocol.ModelVisible}}, `no case matches all of --area display --profile model-visible/2026-03`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			selected, err := test.selection.Apply(someCases)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %d cases, error %v; want %s…", len(selected), err, test.want)
			}
		})
	}
}

func TestFind(t *testing.T) {
	if c, err := Find(someCases, "display/hook-prompt"); err != nil || c != &someCases[1] {
		t.Errorf("got %v, %v", c, err)
	}
	if _, err := Find(someCases, "display/hok-prompt"); err == nil || err.Error() != `unknown case "display/hok-prompt" (did you mean "display/hook-prompt"?)` {
		t.Errorf("got %v", err)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"display/empty-text", "display/empty-texts", "history/empty", "marker-matching/overlap"}
	tests := []struct {
		text string
		want []string
	}{
		{"display/empty-text", []string{"display/empty-text", "display/empty-texts"}},
		{"display/emty-texts", []string{"display/empty-texts", "display/empty-text"}},
		{"EMPTY", []string{"history/empty", "display/empty-text", "display/empty-texts"}}, // itself first, then what starts with it
		{"text", []string{"display/empty-text", "display/empty-texts"}},                   // what contains it
		{"overlap", []string{"marker-matching/overlap"}},
		{"", nil},
		{"ov", nil}, // two letters are in everything
	}
	for _, test := range tests {
		if got := Nearest(test.text, names); !slices.Equal(got, test.want) {
			t.Errorf("Nearest(%q): got %q, want %q", test.text, got, test.want)
		}
	}
}
