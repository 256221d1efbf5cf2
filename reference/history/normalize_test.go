package history

import (
	"testing"

	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

func decodeAll(t *testing.T, document string) []item.Item {
	t.Helper()
	items, err := item.DecodeAll(jsonvalue.At(jsonvalue.MustParse(document)))
	if err != nil {
		t.Fatalf("DecodeAll(%s): %v", document, err)
	}
	return items
}

// The ids here are those that Codex 0.150.1 gave.
func TestNormalize(t *testing.T) {
	const (
		call       = `{"type":"function_call","call_id":"c1","name":"n","arguments":"{}"}`
		aborted    = `{"type":"function_call_output","call_id":"c1","output":"aborted"}`
		output     = `{"type":"function_call_output","call_id":"c1","output":"o"}`
		shell      = `{"type":"local_shell_call","id":"lsc_1","call_id":"c1","status":"completed","action":{"type":"exec","command":["ls"]}}`
		shellAbort = `{"type":"function_call_output","id":"fco_bec05c95-9f33-5829-a6f6-fb31809905c9","call_id":"c1","output":"aborted"}`
		custom     = `{"type":"custom_tool_call","id":"ctc_1","call_id":"c1","name":"n","input":"x"}`
		search     = `{"type":"tool_search_call","id":"tsc_1","call_id":"c1","execution":"client","arguments":{}}`
		found      = `{"type":"tool_search_output","call_id":"c1","status":"completed","execution":"client","tools":[]}`
		prompt     = `{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}`
	)
	for _, test := range []struct{ name, items, want string }{
		{"nothing", `[]`, `[]`},
		{"no calls", `[` + prompt + `]`, `[` + prompt + `]`},

		// HIS-21: outputs that never came.
		{"function call", `[` + call + `,` + prompt + `]`, `[` + call + `,` + aborted + `,` + prompt + `]`},
		{"local shell call", `[` + shell + `]`, `[` + shell + `,` + shellAbort + `]`},
		{"custom call", `[` + custom + `]`, `[` + custom + `,{"type":"custom_tool_call_output","id":"ctco_ffd2c872-81a7-5a00-b6f6-884096d1f522","call_id":"c1","output":"aborted"}]`},
		{"tool search", `[` + search + `]`, `[` + search + `,{"type":"tool_search_output","id":"tso_f380c6b3-5815-5031-91ee-dd1c77f963ee","call_id":"c1","status":"completed","execution":"client","tools":[]}]`},
		{"tool search on the server", `[{"type":"tool_search_call","call_id":"c1","execution":"server"}]`, `[{"type":"tool_search_call","call_id":"c1","execution":"server"},` + found + `]`},
		{"an output before the call counts", `[` + output + `,` + call + `]`, `[` + output + `,` + call + `]`},
		{"an output far behind the call counts", `[` + call + `,` + prompt + `,` + output + `]`, `[` + call + `,` + prompt + `,` + output + `]`},
		{"a local shell call has a function output", `[` + shell + `,` + output + `]`, `[` + shell + `,` + output + `]`},
		{"two outputs of one call stay", `[` + call + `,` + output + `,` + output + `]`, `[` + call + `,` + output + `,` + output + `]`},
		{"two calls of one call id get one each",
			`[{"type":"function_call","id":"a","call_id":"c1"},{"type":"function_call","id":"b","call_id":"c1"}]`,
			`[{"type":"function_call","id":"a","call_id":"c1"},{"type":"function_call_output","id":"fco_5d40e9e6-ab0f-534d-9abc-7685bc7f0557","call_id":"c1","output":"aborted"},` +
				`{"type":"function_call","id":"b","call_id":"c1"},{"type":"function_call_output","id":"fco_0f2a2643-7bb4-5985-9f1c-9c8056c3f3c1","call_id":"c1","output":"aborted"}]`},
		{"function and local shell call of one call id", `[` + call + `,` + shell + `]`, `[` + call + `,` + aborted + `,` + shell + `,` + shellAbort + `]`},
		{"an empty call id is one", `[{"type":"function_call","call_id":""}]`, `[{"type":"function_call","call_id":""},{"type":"function_call_output","call_id":"","output":"aborted"}]`},
		{"a call without call id", `[{"type":"local_shell_call","id":"lsc_1","call_id":null},{"type":"tool_search_call","id":"tsc_1"}]`, `[{"type":"local_shell_call","id":"lsc_1","call_id":null},{"type":"tool_search_call","id":"tsc_1"}]`},
		{"a call of another type", `[{"type":"web_search_call","id":"ws","call_id":"c1"},{"type":"computer_call","call_id":"c1"}]`, `[{"type":"web_search_call","id":"ws","call_id":"c1"},{"type":"computer_call","call_id":"c1"}]`},

		// HIS-22: their ids.
		{"item id", `[{"type":"function_call","id":"fc_1","call_id":"c1"}]`, `[{"type":"function_call","id":"fc_1","call_id":"c1"},{"type":"function_call_output","id":"fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4","call_id":"c1","output":"aborted"}]`},
		{"the call id plays no part", `[{"type":"function_call","id":"fc_1","call_id":"c2"}]`, `[{"type":"function_call","id":"fc_1","call_id":"c2"},{"type":"function_call_output","id":"fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4","call_id":"c2","output":"aborted"}]`},
		{"an empty item id is none", `[{"type":"function_call","id":"","call_id":"c1"}]`, `[{"type":"function_call","id":"","call_id":"c1"},` + aborted + `]`},
		{"a null item id is none", `[{"type":"function_call","id":null,"call_id":"c1"}]`, `[{"type":"function_call","id":null,"call_id":"c1"},` + aborted + `]`},
		{"the turn id is not passed on",
			`[{"type":"function_call","call_id":"c1","internal_chat_message_metadata_passthrough":{"turn_id":"t"}}]`,
			`[{"type":"function_call","call_id":"c1","internal_chat_message_metadata_passthrough":{"turn_id":"t"}},` + aborted + `]`},

		// HIS-23: outputs whose call is gone.
		{"function output", `[` + prompt + `,` + output + `,` + prompt + `]`, `[` + prompt + `,` + prompt + `]`},
		{"custom output", `[{"type":"custom_tool_call_output","call_id":"c1","output":"o"}]`, `[]`},
		{"search output", `[` + found + `]`, `[]`},
		{"search output of the server", `[{"type":"tool_search_output","call_id":"c1","status":"completed","execution":"server","tools":[]}]`, `[{"type":"tool_search_output","call_id":"c1","status":"completed","execution":"server","tools":[]}]`},
		{"search output of a Server", `[{"type":"tool_search_output","call_id":"c1","status":"completed","execution":"Server","tools":[]}]`, `[]`},
		{"a function output executed on the server", `[{"type":"function_call_output","call_id":"c1","output":"o","execution":"server"}]`, `[]`},
		{"outputs without call id", `[{"type":"function_call_output","name":"n","output":"o"},{"type":"tool_search_output","call_id":null,"execution":"client","tools":[]}]`,
			`[{"type":"function_call_output","name":"n","output":"o"},{"type":"tool_search_output","call_id":null,"execution":"client","tools":[]}]`},
		{"a call of another call id", `[{"type":"function_call","call_id":"C1"},` + output + `]`, `[{"type":"function_call","call_id":"C1"},{"type":"function_call_output","call_id":"C1","output":"aborted"}]`},
		{"a function call has no custom output", `[` + call + `,{"type":"custom_tool_call_output","call_id":"c1","output":"o"}]`, `[` + call + `,` + aborted + `]`},
		{"a custom call has no function output", `[{"type":"custom_tool_call","call_id":"c1"},` + output + `]`, `[{"type":"custom_tool_call","call_id":"c1"},{"type":"custom_tool_call_output","call_id":"c1","output":"aborted"}]`},
		{"a function call has no search output", `[` + call + `,` + output + `,` + found + `]`, `[` + call + `,` + output + `]`},
		{"an output of another type", `[{"type":"computer_call_output","call_id":"c1"}]`, `[{"type":"computer_call_output","call_id":"c1"}]`},
	} {
		got := Normalize(decodeAll(t, test.items), []string{"text", "image", "audio"})
		if want := decodeAll(t, test.want); !equalItems(got, want) {
			t.Errorf("%s: got %s\nwant %s", test.name, show(got), show(want))
		}
		if again := Normalize(got, []string{"text", "image", "audio"}); !equalItems(again, got) {
			t.Errorf("%s: not idempotent (HIS-20): %s", test.name, show(again))
		}
	}
}

func TestNormalizeMedia(t *testing.T) {
	const (
		picture   = `{"type":"input_image","image_url":"data:,","detail":"high"}`
		sound     = `{"type":"input_audio","audio_url":"data:,"}`
		noPicture = `{"type":"input_text","text":"image content omitted because you do not support image input"}`
		noSound   = `{"type":"input_text","text":"audio content omitted because you do not support audio input"}`
		text      = `{"type":"input_text","text":"x"}`
	)
	message := func(role, contents string) string {
		return `[{"type":"message","role":"` + role + `","id":"m","content":[` + contents + `]}]`
	}
	function := func(output string) string {
		return `[{"type":"function_call","call_id":"c"},{"type":"function_call_output","call_id":"c","output":` + output + `,"name":null}]`
	}
	custom := func(output string) string {
		return `[{"type":"custom_tool_call","call_id":"c"},{"type":"custom_tool_call_output","call_id":"c","output":` + output + `}]`
	}
	kinds := func(contents, kinds string) string {
		return `[{"type":"message","role":"user","content":[` + contents + `],"internal_chat_message_metadata_passthrough":{"turn_id":"t","content_item_kinds":` + kinds + `}}]`
	}
	both, neither, imageOnly, audioOnly := []string{"text", "image", "audio"}, []string{"text"}, []string{"image"}, []string{"audio"}
	for _, test := range []struct {
		name        string
		modalities  []string
		items, want string
	}{
		{"both are read", both, message("user", picture+","+sound), message("user", picture+","+sound)},
		{"neither", neither, message("user", text+","+picture+","+sound), message("user", text+","+noPicture+","+noSound)},
		{"no modality at all", []string{}, message("user", picture+","+sound), message("user", noPicture+","+noSound)},
		{"images alone", imageOnly, message("user", sound+","+picture), message("user", noSound+","+picture)},
		{"audio alone", audioOnly, message("user", sound+","+picture), message("user", sound+","+noPicture)},
		{"modality names are exact", []string{"Image", "audio "}, message("user", sound+","+picture), message("user", noSound+","+noPicture)},
		{"any role", neither, message("developer", picture), message("developer", noPicture)},
		{"an assistant", neither, message("assistant", picture), message("assistant", noPicture)},
		{"each of several", neither, message("user", picture+","+picture), message("user", noPicture+","+noPicture)},
		{"other content", neither, message("user", `{"type":"output_image","image_url":"x"},{"type":"output_text","text":"y"}`), message("user", `{"type":"output_image","image_url":"x"},{"type":"output_text","text":"y"}`)},
		{"function output", neither, function("[" + text + "," + picture + "," + sound + "]"), function("[" + text + "," + noPicture + "," + noSound + "]")},
		{"function output, both read", both, function("[" + picture + "," + sound + "]"), function("[" + picture + "," + sound + "]")},
		{"custom output", audioOnly, custom("[" + picture + "," + sound + "]"), custom("[" + noPicture + "," + sound + "]")},
		{"output text that looks like an image", neither, function(`"{\"type\":\"input_image\"}"`), function(`"{\"type\":\"input_image\"}"`)},
		{"output of another shape", neither, function(`{"type":"input_image"}`), function(`{"type":"input_image"}`)},
		{"search output is not looked into", neither,
			`[{"type":"tool_search_output","execution":"server","tools":[` + picture + `],"output":[` + picture + `]}]`,
			`[{"type":"tool_search_output","execution":"server","tools":[` + picture + `],"output":[` + picture + `]}]`},
		{"agent message is not looked into", neither, `[{"type":"agent_message","content":[` + picture + `]}]`, `[{"type":"agent_message","content":[` + picture + `]}]`},
		{"generated image", audioOnly, `[{"type":"image_generation_call","id":"ig","status":"completed","result":"AAAA"}]`, `[{"type":"image_generation_call","id":"ig","status":"completed","result":""}]`},
		{"generated image, images read", imageOnly, `[{"type":"image_generation_call","id":"ig","status":"completed","result":"AAAA"}]`, `[{"type":"image_generation_call","id":"ig","status":"completed","result":"AAAA"}]`},
		{"kinds follow (DET-131)", neither, kinds(text+","+picture+","+sound, `["user.text","user.image","user.audio"]`), kinds(text+","+noPicture+","+noSound, `["user.text","images.unsupported","audio.unsupported"]`)},
		{"kinds only where there were some", neither, kinds(text+","+picture, `["user.text"]`), kinds(text+","+noPicture, `["user.text"]`)},
	} {
		got := Normalize(decodeAll(t, test.items), test.modalities)
		if want := decodeAll(t, test.want); !equalItems(got, want) {
			t.Errorf("%s: got %s\nwant %s", test.name, show(got), show(want))
		}
		if again := Normalize(got, test.modalities); !equalItems(again, got) {
			t.Errorf("%s: not idempotent (HIS-20): %s", test.name, show(again))
		}
	}
}

func TestNormalizeLeavesItsInputAlone(t *testing.T) {
	items := decodeAll(t, `[
		{"type":"function_call_output","call_id":"gone","output":"o"},
		{"type":"function_call","call_id":"c"},
		{"type":"message","role":"user","content":[{"type":"input_image","image_url":"x"}]},
		{"type":"function_call_output","output":[{"type":"input_image","image_url":"x"}]}]`)
	before := show(items)
	Normalize(items, nil)
	if after := show(items); after != before {
		t.Errorf("changed to %s", after)
	}
}

// The first vector is the one of RFC 9562, appendix A.4.
func TestUUID5(t *testing.T) {
	dns := [16]byte{0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}
	if got := uuid5(dns, "www.example.com"); got != "2ed6657d-e927-568b-95e1-2665a8aea6a2" {
		t.Errorf("got %s", got)
	}
	if got := uuid5(outputIDs, "fco:fc_1"); got != "d08ee114-ed5d-5706-8dbd-16ccacd40aa4" {
		t.Errorf("got %s", got)
	}
}
