package serve

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/go-json-experiment/json"
)

func TestEveryDeclaredProfileHasRules(t *testing.T) {
	if got, want := slices.Sorted(maps.Keys(rulesOf)), slices.Sorted(slices.Values(profiles)); !slices.Equal(got, want) {
		t.Errorf("rules of %q, declared are %q", got, want)
	}
}

// A method that a profile does not have is unsupported whatever its params (PRO-12).
func TestMethodsOfOneProfile(t *testing.T) {
	for method, has := range map[string]string{
		protocol.AdditionalMerge:  protocol.ContextFragments,
		protocol.MergePatchCreate: protocol.ContextFragments,
		protocol.MergePatchApply:  protocol.ContextFragments,
		protocol.WorldStateDiff:   protocol.ContextFragments,
		protocol.ContextInitial:   protocol.ContextFragments,
		protocol.TurnStateBuild:   protocol.ModelVisible,
	} {
		for _, profile := range profiles {
			_, err := answer(t, method, `{"profile":"`+profile+`","reference":3}`)
			var failure *protocol.Error
			if !errors.As(err, &failure) {
				t.Errorf("%s in %s: got %v", method, profile, err)
				continue
			}
			if profile == has {
				if failure.Code != protocol.InvalidParams {
					t.Errorf("%s in %s: got %v, want it to look at its params", method, profile, failure)
				}
				continue
			}
			var data protocol.UnsupportedData
			if err := json.Unmarshal(failure.Data, &data); failure.Code != protocol.Unsupported || err != nil || !strings.Contains(data.Feature, profile) {
				t.Errorf("%s in %s: got %d %s, want a feature that names the profile", method, profile, failure.Code, failure.Data)
			}
		}
	}
}

// Each row is answered otherwise in the two profiles; {P} is where params name the profile.
func TestMethodsThatDiffer(t *testing.T) {
	message := func(role, text string) string {
		return `{"type":"message","role":"` + role + `","content":[{"type":"input_text","text":"` + text + `"}]}`
	}
	prompt, apps := message("user", "p"), message("developer", "<apps_instructions>")
	note := message("user", "<additional_context_for_this_turn>x</additional_context_for_this_turn>")
	for _, test := range []struct{ name, method, params, contextFragments, modelVisible string }{
		{"empty markers", protocol.MarkerMatch, `{{P}"start":"","end":"","text":""}`, `{"matches":false}`, `{"matches":true}`},
		{"wrapping", protocol.FragmentRender, `{{P}"fragment":` + genericFragment + `}`,
			`{"role":"user","text":"<a>x</a>","content_kind":"k","separate":false}`, `{"role":"user","text":"<a>\nx\n</a>","content_kind":"unknown","separate":false}`},
		{"user list", protocol.FragmentClassify, `{{P}"role":"user","text":"<plugins>x</plugins>"}`, `{"contextual":false,"kind":null}`, `{"contextual":true,"kind":"plugin_instructions"}`},
		{"developer list", protocol.FragmentClassify, `{{P}"role":"developer","text":"<tools>"}`, `{"contextual":true,"kind":"tools"}`, `{"contextual":false,"kind":null}`},
		{"no hook prompts", protocol.FragmentClassify, `{{P}"role":"user","text":"<hook_prompt hook_run_id=\"1\">x</hook_prompt>"}`, `{"contextual":true,"kind":"hook_prompt"}`, `{"contextual":false,"kind":null}`},
		{"display", protocol.MessageProject, `{{P}"item":` + note + `}`,
			`{"turn_item":{"type":"user_message","content":[{"type":"text","text":"<additional_context_for_this_turn>x</additional_context_for_this_turn>"}]}}`, `{"turn_item":null}`},
		{"turns", protocol.HistoryTurns, `{{P}"items":[` + note + `,` + prompt + `]}`, `{"boundaries":[0,1]}`, `{"boundaries":[1]}`},
		{"rollback", protocol.HistoryRollback, `{{P}"items":[` + prompt + `,` + apps + `,` + prompt + `],"turns":1,"reference":true}`,
			`{"items":[` + prompt + `],"reference":true,"rewritten":true}`, `{"items":[` + prompt + `,` + apps + `],"reference":true,"rewritten":true}`},
		{"no metadata", protocol.MessageMerge, `{{P}"fragments":[` + genericFragment + `]}`,
			`{"items":[{"type":"message","role":"user","content":[{"type":"input_text","text":"<a>x</a>"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["k"]}}]}`,
			`{"items":[` + message("user", `<a>\nx\n</a>`) + `]}`},
		{"normalisation is the same", protocol.HistoryNormalize, `{{P}"items":[` + unansweredCall + `],"modalities":[]}`,
			`{"items":[` + unansweredCall + `,` + missingOutput + `]}`, `{"items":[` + unansweredCall + `,` + missingOutput + `]}`},
	} {
		for profile, want := range map[string]string{
			"": test.contextFragments, // the first that is declared (PRO-7)
			`"profile":"` + protocol.ContextFragments + `",`: test.contextFragments,
			`"profile":"` + protocol.ModelVisible + `",`:     test.modelVisible,
		} {
			got, err := answer(t, test.method, strings.Replace(test.params, "{P}", profile, 1))
			if err != nil || !jsonvalue.Equal(got, jsonvalue.MustParse(want)) {
				t.Errorf("%s, %s: got %s, %v\nwant %s", test.name, profile, got, err, want)
			}
		}
	}
}

func TestTurnStateBuild(t *testing.T) {
	got, err := answer(t, protocol.TurnStateBuild, `{"profile":"`+protocol.ModelVisible+`","current":{"cwd":"/w","user_instructions":"u"},"reference":{"cwd":"/w"},"params":{}}`)
	want := `{"items":[{"type":"message","role":"user","content":[{"type":"input_text","text":"<user_instructions>\nu\n</user_instructions>"}]}],
		"reference":{"cwd":"/w","user_instructions":"u","realtime_active":false}}`
	if err != nil || !jsonvalue.Equal(got, jsonvalue.MustParse(want)) {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
}
