package display

import (
	"testing"

	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

func project(t *testing.T, document string) jsonvalue.Value {
	t.Helper()
	it, err := item.Decode(jsonvalue.At(jsonvalue.MustParse(document)))
	if err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	return Project(it)
}

func TestProject(t *testing.T) {
	for _, c := range []struct{ rule, item, want string }{
		{"DET-80: role in another case", `{"type":"message","role":"User","content":[{"type":"input_text","text":"x"}]}`, `null`},
		{"DET-80: system", `{"type":"message","role":"system","content":[{"type":"input_text","text":"x"}]}`, `null`},
		{"DET-80: developer", `{"type":"message","role":"developer","content":[{"type":"input_text","text":"x"}]}`, `null`},

		{"DET-85: assistant", `{"type":"message","role":"assistant","content":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"u"},{"type":"output_text","text":""}]}`,
			`{"type":"agent_message","content":[{"type":"text","text":"a"},{"type":"text","text":""}]}`},
		{"DET-85: context is not filtered, id and phase are kept", `{"type":"message","role":"assistant","id":"m","phase":"final_answer","content":[{"type":"output_text","text":"<skill></skill>"}]}`,
			`{"type":"agent_message","content":[{"type":"text","text":"<skill></skill>"}],"id":"m","phase":"final_answer"}`},
		{"PRO-17: null options are left out", `{"type":"message","role":"assistant","id":null,"phase":null,"content":[]}`, `{"type":"agent_message","content":[]}`},

		{"DET-86: reasoning", `{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"s"}],"content":[{"type":"reasoning_text","text":"a"},{"type":"text","text":"b"},{"type":"image","text":"c"}]}`,
			`{"type":"reasoning","id":"r","summary_text":["s"],"raw_content":["a","b"]}`},
		{"DET-86: bare reasoning", `{"type":"reasoning","summary":[],"content":null}`, `{"type":"reasoning","id":"","summary_text":[],"raw_content":[]}`},
		{"DET-86: search", `{"type":"web_search_call","id":"w","action":{"type":"search","query":"q","queries":["a","b"]}}`,
			`{"type":"web_search","id":"w","query":"q","action":{"type":"search","query":"q","queries":["a","b"]}}`},
		{"DET-86: an empty query is none", `{"type":"web_search_call","action":{"type":"search","query":"","queries":["a"]}}`,
			`{"type":"web_search","id":"","query":"a","action":{"type":"search","query":"","queries":["a"]}}`},
		{"DET-86: several queries", `{"type":"web_search_call","action":{"type":"search","queries":["a","b"]}}`,
			`{"type":"web_search","id":"","query":"a ...","action":{"type":"search","queries":["a","b"]}}`},
		{"DET-86: several, the first empty", `{"type":"web_search_call","action":{"type":"search","queries":["","b"]}}`,
			`{"type":"web_search","id":"","query":"","action":{"type":"search","queries":["","b"]}}`},
		{"DET-86: no queries", `{"type":"web_search_call","action":{"type":"search","queries":[]}}`, `{"type":"web_search","id":"","query":"","action":{"type":"search","queries":[]}}`},
		{"DET-86: open page", `{"type":"web_search_call","action":{"type":"open_page","url":"u"}}`, `{"type":"web_search","id":"","query":"u","action":{"type":"open_page","url":"u"}}`},
		{"DET-86: find", `{"type":"web_search_call","action":{"type":"find_in_page","url":"u","pattern":"p"}}`, `{"type":"web_search","id":"","query":"'p' in u","action":{"type":"find_in_page","url":"u","pattern":"p"}}`},
		{"DET-86: find without a page", `{"type":"web_search_call","action":{"type":"find_in_page","url":null,"pattern":"p"}}`, `{"type":"web_search","id":"","query":"'p'","action":{"type":"find_in_page","url":null,"pattern":"p"}}`},
		{"DET-86: find without a pattern", `{"type":"web_search_call","action":{"type":"find_in_page","url":"u"}}`, `{"type":"web_search","id":"","query":"u","action":{"type":"find_in_page","url":"u"}}`},
		{"DET-86: find nothing", `{"type":"web_search_call","action":{"type":"find_in_page"}}`, `{"type":"web_search","id":"","query":"","action":{"type":"find_in_page"}}`},
		{"DET-86: an action nobody knows", `{"type":"web_search_call","action":{"type":"dream","url":"u"}}`, `{"type":"web_search","id":"","query":"","action":{"type":"dream","url":"u"}}`},
		{"DET-86: no action", `{"type":"web_search_call","id":"w"}`, `{"type":"web_search","id":"w","query":"","action":{"type":"other"}}`},
		{"DET-86: image generation", `{"type":"image_generation_call","id":"i","status":"completed","result":"AA","revised_prompt":"p"}`,
			`{"type":"image_generation","id":"i","status":"completed","result":"AA","revised_prompt":"p"}`},
		{"DET-86: no prompt", `{"type":"image_generation_call","id":"i","status":"failed","result":"","revised_prompt":null}`, `{"type":"image_generation","id":"i","status":"failed","result":""}`},
		{"DET-86: no id", `{"type":"image_generation_call","status":"completed","result":"AA"}`, `null`},
		{"DET-86: typed agent message", `{"type":"agent_message","content":[{"type":"input_text","text":"x"}]}`, `null`},
		{"DET-86: tool call", `{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}`, `null`},
		{"DET-86: what nobody knows", `{"type":"brand_new","role":"user","content":[{"type":"input_text","text":"x"}]}`, `null`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := project(t, c.item); !jsonvalue.Equal(got, jsonvalue.MustParse(c.want)) {
				t.Errorf("%s\n gives %s\n  want %s", c.item, got, c.want)
			}
		})
	}
}

// The contents of user messages, and what is shown of them.
func TestProjectUser(t *testing.T) {
	const (
		typed  = `{"type":"input_text","text":"fix it"}`
		env    = `{"type":"input_text","text":"<environment_context></environment_context>"}`
		hook   = `{"type":"input_text","text":"<hook_prompt hook_run_id=\"r\">a &lt; b</hook_prompt>"}`
		image  = `{"type":"input_image","image_url":"u","detail":"high"}`
		audio  = `{"type":"input_audio","audio_url":"v","detail":"no"}`
		output = `{"type":"output_text","text":"out"}`

		shownTyped = `{"type":"text","text":"fix it"}`
		shownImage = `{"type":"image","image_url":"u","detail":"high"}`
		shownAudio = `{"type":"audio","audio_url":"v"}`
		shownHook  = `{"text":"a < b","hook_run_id":"r"}`
	)
	label := func(text string) string { return `{"type":"input_text","text":"` + text + `"}` }
	shown := func(text string) string { return `{"type":"text","text":"` + text + `"}` }
	message := func(content string) string { return `{"type":"user_message","content":[` + content + `]}` }
	prompt := func(fragments string) string {
		return `{"type":"hook_prompt","fragments":[` + fragments + `],"id":"m"}`
	}
	for _, c := range []struct{ rule, content, want string }{
		{"DET-82: text", typed, message(shownTyped)},
		{"DET-82: in order, verbatim", label(` \n`) + "," + image + "," + label("") + "," + audio, message(shown(` \n`) + "," + shownImage + "," + shown("") + "," + shownAudio)},
		{"DET-82: detail is optional", `{"type":"input_image","image_url":"u","detail":null}`, message(`{"type":"image","image_url":"u"}`)},
		{"DET-82: output text is dropped", output + "," + typed, message(shownTyped)},
		{"DET-82: unknown content is dropped", `{"type":"input_smell","text":"x"}`, message("")},
		{"DET-82: nothing left", output, message("")},
		{"DET-82: no content", "", message("")},

		{"DET-81: context", env, "null"},
		{"DET-81: context beside text", typed + "," + env, "null"},
		{"DET-81: context beside an image", image + "," + env, "null"},

		{"DET-84: hook prompt", hook, prompt(shownHook)},
		{"DET-84: hook prompts", hook + "," + hook, prompt(shownHook + "," + shownHook)},
		{"DET-84: registered context beside it", env + "," + hook, prompt(shownHook)},
		{"DET-84: text beside it", hook + "," + typed, "null"},
		{"DET-84: text before it", typed + "," + hook, "null"},
		{"DET-84: an image beside it", hook + "," + image, "null"},
		{"DET-84: output text beside it", hook + "," + output, "null"},
		{"DET-84: a label and its image beside it", hook + "," + label("<image>") + "," + image, "null"},

		{"DET-83: labels of an image", label("<image>") + "," + image + "," + label("</image>"), message(shownImage)},
		{"DET-83: named", label("<image name=[Image #1] path='p'>") + "," + image, message(shownImage)},
		{"DET-83: named with nothing", label("<image name=>") + "," + image, message(shownImage)},
		{"DET-83: labels of audio", label("<audio name=[Audio #1]>") + "," + audio + "," + label("</audio>"), message(shownAudio)},
		{"DET-83: between two images", image + "," + label("</image>") + "," + label("<image>") + "," + image, message(shownImage + "," + shownImage)},
		{"DET-83: one label for two images", image + "," + label("</image>") + "," + image, message(shownImage + "," + shownImage)},
		{"DET-83: no neighbour", label("<image>") + "," + label("</image>"), message(shown("<image>") + "," + shown("</image>"))},
		{"DET-83: one text too far", label("<image>") + "," + typed + "," + image, message(shown("<image>") + "," + shownTyped + "," + shownImage)},
		{"DET-83: the wrong side", label("</image>") + "," + image + "," + label("<image>"), message(shown("</image>") + "," + shownImage + "," + shown("<image>"))},
		{"DET-83: the other medium", label("<image>") + "," + audio + "," + label("</image>"), message(shown("<image>") + "," + shownAudio + "," + shown("</image>"))},
		{"DET-83: not trimmed", label(" <image>") + "," + image + "," + label("</image>\\n"), message(shown(" <image>") + "," + shownImage + "," + shown("</image>\\n"))},
		{"DET-83: case", label("<Image>") + "," + image + "," + label("</IMAGE>"), message(shown("<Image>") + "," + shownImage + "," + shown("</IMAGE>"))},
		{"DET-83: something after the tag", label("<image name=x> look") + "," + image, message(shown("<image name=x> look") + "," + shownImage)},
		{"DET-83: another attribute first", label("<image path=x>") + "," + image, message(shown("<image path=x>") + "," + shownImage)},
		{"DET-83: a close label with a name", image + "," + label("</image name=x>"), message(shownImage + "," + shown("</image name=x>"))},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := project(t, `{"type":"message","role":"user","id":"m","phase":"x","content":[`+c.content+`]}`)
			if !jsonvalue.Equal(got, jsonvalue.MustParse(c.want)) {
				t.Errorf("%s\n gives %s\n  want %s", c.content, got, c.want)
			}
		})
	}
}

func TestCutRequest(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"  fix it\u00a0\n", "fix it"},
		{"# Context\n\n## My request for Codex:\nfix it\n", "fix it"},
		{"## My request for Codex: a\n## My request for Codex: b", "a\n## My request for Codex: b"},
		{"## My request for Codex:", ""},
		{"## my request for codex: a", "## my request for codex: a"},
		{"", ""},
	} {
		if got := CutRequest(c.text); got != c.want {
			t.Errorf("DET-88: CutRequest(%q) is %q, want %q", c.text, got, c.want)
		}
	}
}
