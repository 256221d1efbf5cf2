package serve

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// answer calls a method with params given as JSON.
func answer(t *testing.T, method, params string) (jsonvalue.Value, error) {
	t.Helper()
	result, err := Reference{}.Call(context.Background(), method, jsontext.Value(params))
	if err != nil {
		return jsonvalue.Value{}, err
	}
	return jsonvalue.MustParse(string(result)), nil
}

const (
	userPrompt      = `{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}`
	mixedDeveloper  = `{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>"},{"type":"input_text","text":"lasting"}]}`
	unknownItem     = `{"type":"from_the_future","z":[1e400,null]}`
	missingOutput   = `{"type":"function_call_output","call_id":"c","output":"aborted"}`
	unansweredCall  = `{"type":"function_call","call_id":"c","name":"n","arguments":"{}"}`
	genericFragment = `{"type":"generic","role":"user","start":"<a>","body":"x","end":"</a>","content_kind":"k"}`
)

func TestStateMethods(t *testing.T) {
	merged := func(contents, kinds string) string {
		return `{"type":"message","role":"user","content":[` + contents + `],"internal_chat_message_metadata_passthrough":{"content_item_kinds":[` + kinds + `]}}`
	}
	x := `{"type":"input_text","text":"<a>x</a>"}`
	for _, test := range []struct{ name, method, params, want string }{
		{"no fragments", protocol.MessageMerge, `{"fragments":[]}`, `{"items":[]}`},
		{"fragments", protocol.MessageMerge, `{"fragments":[` + genericFragment + `,` + genericFragment + `]}`, `{"items":[` + merged(x+","+x, `"k","k"`) + `]}`},
		{"fields that give no fragment do not part their neighbours", protocol.MessageMerge,
			`{"fragments":[` + genericFragment + `,{"type":"multi_agent_mode","custom":""},` + genericFragment + `]}`, `{"items":[` + merged(x+","+x, `"k","k"`) + `]}`},

		{"no calls", protocol.AdditionalMerge, `{"calls":[]}`, `{"calls":[]}`},
		{"one store for all calls, null is an empty map", protocol.AdditionalMerge,
			`{"calls":[{"":{"value":"","kind":"untrusted","z":1}},{"":{"value":"","kind":"untrusted"}},null,{"":{"value":"","kind":"untrusted"}},{}]}`,
			`{"calls":[[` + merged(`{"type":"input_text","text":"<external_></external_>"}`, `"additional_content."`) + `],[],[],[` +
				merged(`{"type":"input_text","text":"<external_></external_>"}`, `"additional_content."`) + `],[]]}`},

		{"equal snapshots", protocol.MergePatchCreate, `{"previous":{"a":[1.0]},"current":{"a":[1]}}`, `{"patch":null}`},
		{"snapshots apart", protocol.MergePatchCreate, `{"previous":{"a":1},"current":{"b":{}}}`, `{"patch":{"a":null,"b":{}}}`},
		{"a patch", protocol.MergePatchApply, `{"target":{"a":1,"b":2},"patch":{"a":null,"c":{"d":null}}}`, `{"result":{"b":2,"c":{}}}`},
		{"a patch on null", protocol.MergePatchApply, `{"target":null,"patch":{"a":1}}`, `{"result":{"a":1}}`},
		{"a patch on nothing", protocol.MergePatchApply, `{"patch":{}}`, `{"result":{}}`},

		{"no boundaries", protocol.HistoryTurns, `{"items":[` + mixedDeveloper + `]}`, `{"boundaries":[]}`},
		{"boundaries", protocol.HistoryTurns, `{"items":[` + unknownItem + `,` + userPrompt + `,` + userPrompt + `]}`, `{"boundaries":[1,2]}`},

		{"rollback of nothing", protocol.HistoryRollback, `{"items":[` + userPrompt + `],"turns":0,"reference":true}`, `{"items":[` + userPrompt + `],"reference":true,"rewritten":false}`},
		{"rollback of a turn", protocol.HistoryRollback, `{"items":[` + userPrompt + `,` + unknownItem + `,` + mixedDeveloper + `,` + userPrompt + `],"turns":1,"reference":true}`,
			`{"items":[` + userPrompt + `,` + unknownItem + `],"reference":false,"rewritten":true}`},
		{"rollback by a number spelled otherwise", protocol.HistoryRollback, `{"items":[` + userPrompt + `,` + userPrompt + `],"turns":1.0e0,"reference":false}`, `{"items":[` + userPrompt + `],"reference":false,"rewritten":true}`},

		{"normalisation", protocol.HistoryNormalize, `{"items":[` + unansweredCall + `,` + unknownItem + `],"modalities":["text","smell"]}`,
			`{"items":[` + unansweredCall + `,` + missingOutput + `,` + unknownItem + `]}`},
		{"the profile by name", protocol.HistoryTurns, `{"profile":"context-fragments/2026-08","items":[]}`, `{"boundaries":[]}`},
	} {
		got, err := answer(t, test.method, test.params)
		if err != nil || !jsonvalue.Equal(got, jsonvalue.MustParse(test.want)) {
			t.Errorf("%s: got %s, %v\nwant %s", test.name, got, err, test.want)
		}
	}
}

func TestStateMethodsRejectMalformedParams(t *testing.T) {
	for _, test := range []struct{ method, params, path string }{
		{protocol.MessageMerge, `{}`, "/fragments"},
		{protocol.MessageMerge, `{"fragments":null}`, "/fragments"},
		{protocol.MessageMerge, `{"fragments":{}}`, "/fragments"},
		{protocol.MessageMerge, `{"fragments":[` + genericFragment + `,1]}`, "/fragments/1"},
		{protocol.MessageMerge, `{"fragments":[{"type":"no_such"}]}`, "/fragments/0/type"},

		{protocol.AdditionalMerge, `{}`, "/calls"},
		{protocol.AdditionalMerge, `{"calls":{}}`, "/calls"},
		{protocol.AdditionalMerge, `{"calls":[[]]}`, "/calls/0"},
		{protocol.AdditionalMerge, `{"calls":[{},{"k":"v"}]}`, "/calls/1/k"},
		{protocol.AdditionalMerge, `{"calls":[{"k":null}]}`, "/calls/0/k"},
		{protocol.AdditionalMerge, `{"calls":[{"k":{"kind":"untrusted"}}]}`, "/calls/0/k/value"},
		{protocol.AdditionalMerge, `{"calls":[{"k":{"value":1,"kind":"untrusted"}}]}`, "/calls/0/k/value"},
		{protocol.AdditionalMerge, `{"calls":[{"a/~b":{"value":"v"}}]}`, "/calls/0/a~1~0b/kind"},
		{protocol.AdditionalMerge, `{"calls":[{"k":{"value":"v","kind":"Untrusted"}}]}`, "/calls/0/k/kind"},
		{protocol.AdditionalMerge, `{"calls":[{"k":{"value":"v","kind":""}}]}`, "/calls/0/k/kind"},

		{protocol.MergePatchCreate, `{"current":{}}`, "/previous"},
		{protocol.MergePatchCreate, `{"previous":null,"current":{}}`, "/previous"},
		{protocol.MergePatchCreate, `{"previous":[],"current":{}}`, "/previous"},
		{protocol.MergePatchCreate, `{"previous":{}}`, "/current"},
		{protocol.MergePatchCreate, `{"previous":{},"current":1}`, "/current"},
		{protocol.MergePatchApply, `{"target":[],"patch":{}}`, "/target"},
		{protocol.MergePatchApply, `{"target":"","patch":{}}`, "/target"},
		{protocol.MergePatchApply, `{"target":{}}`, "/patch"},
		{protocol.MergePatchApply, `{"target":{},"patch":null}`, "/patch"},
		{protocol.MergePatchApply, `{"target":{},"patch":[]}`, "/patch"},

		{protocol.HistoryTurns, `{}`, "/items"},
		{protocol.HistoryTurns, `{"items":[` + userPrompt + `,{}]}`, "/items/1/type"},
		{protocol.HistoryTurns, `{"items":[{"type":"message","role":"user"}]}`, "/items/0/content"},
		{protocol.HistoryRollback, `{"items":"","turns":1,"reference":true}`, "/items"},
		{protocol.HistoryRollback, `{"items":[],"reference":true}`, "/turns"},
		{protocol.HistoryRollback, `{"items":[],"turns":-1,"reference":true}`, "/turns"},
		{protocol.HistoryRollback, `{"items":[],"turns":0.5,"reference":true}`, "/turns"},
		{protocol.HistoryRollback, `{"items":[],"turns":"1","reference":true}`, "/turns"},
		{protocol.HistoryRollback, `{"items":[],"turns":1}`, "/reference"},
		{protocol.HistoryRollback, `{"items":[],"turns":1,"reference":0}`, "/reference"},
		{protocol.HistoryNormalize, `{"modalities":[]}`, "/items"},
		{protocol.HistoryNormalize, `{"items":[]}`, "/modalities"},
		{protocol.HistoryNormalize, `{"items":[],"modalities":"text"}`, "/modalities"},
		{protocol.HistoryNormalize, `{"items":[],"modalities":["text",null]}`, "/modalities/1"},

		{protocol.Initialize, `{}`, "/protocol_version"},
		{protocol.Initialize, `{"protocol_version":1}`, "/protocol_version"},
		{protocol.Initialize, `{"protocol_version":"2"}`, "/protocol_version"},
		{protocol.Initialize, `{"protocol_version":"1","runner":"conform"}`, "/runner"},
		{protocol.Initialize, `{"protocol_version":"1","runner":{"version":"1.0.0"}}`, "/runner/name"},
		{protocol.Initialize, `{"protocol_version":"1","runner":{"name":"conform"}}`, "/runner/version"},
	} {
		result, err := answer(t, test.method, test.params)
		var failure *protocol.Error
		if !errors.As(err, &failure) || failure.Code != protocol.InvalidParams {
			t.Errorf("%s %s: got %s, %v; want invalid params", test.method, test.params, result, err)
			continue
		}
		var data protocol.InvalidParamsData
		if err := json.Unmarshal(failure.Data, &data); err != nil || data.Path != test.path || data.Reason == "" {
			t.Errorf("%s %s: data %s, want path %s and a reason", test.method, test.params, failure.Data, test.path)
		}
	}
}

func TestInitialize(t *testing.T) {
	for _, params := range []string{
		`{"protocol_version":"1","runner":{"name":"conform","version":"1.0.0"}}`,
		`{"protocol_version":"1"}`,
		`{"protocol_version":"1","runner":null,"more":1}`,
	} {
		encoded, err := Reference{}.Call(context.Background(), protocol.Initialize, jsontext.Value(params))
		if err != nil {
			t.Fatalf("%s: %v", params, err)
		}
		var result protocol.InitializeResult
		if err := json.Unmarshal(encoded, &result, json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("%s: %v", encoded, err)
		}
		if result.ProtocolVersion != "1" || result.Implementation.Name == "" || result.Implementation.Version == "" {
			t.Errorf("%s: got %s", params, encoded)
		}
		if !slices.Equal(result.Profiles, profiles) {
			t.Errorf("profiles %q", result.Profiles)
		}
		if want := slices.Sorted(maps.Keys(methods)); !slices.Equal(result.Methods, want) || slices.Contains(want, protocol.Initialize) {
			t.Errorf("methods %q", result.Methods)
		}
	}
}
