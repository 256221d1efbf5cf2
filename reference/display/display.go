// Package display turns history items into what a user interface shows of them: turn items, or
// nothing (DET-80…88).
//
//   - display.go maps messages, media.go their media and labels, others.go all other item types.
//   - request.go cuts a user text for previews.
package display

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/hookprompt"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// Rules are what the profiles differ in.
type Rules struct {
	// Typed returns what a person typed of a user message, and false where it is context.
	Typed func(message item.Item) (typed item.Item, ok bool)
	// HookPrompts: there are such, and they are shown (DET-84).
	HookPrompts bool
}

// ContextFragments are the rules of the profile context-fragments/2026-08: one contextual content
// item hides the whole message (DET-81).
var ContextFragments = Rules{
	Typed:       func(message item.Item) (item.Item, bool) { return message, !fragment.ContextualUserMessage(message) },
	HookPrompts: true,
}

// Project is Rules.Project of ContextFragments.
func Project(it item.Item) jsonvalue.Value { return ContextFragments.Project(it) }

// Project returns the turn item of an item, null where a user sees nothing of it. Roles and types
// are compared exactly (DET-80).
func (r Rules) Project(it item.Item) jsonvalue.Value {
	switch {
	case it.IsMessage(item.RoleUser):
		return r.user(it)
	case it.IsMessage(item.RoleAssistant):
		return agentMessage(it)
	}
	if project, ok := others[it.Type()]; ok {
		return project(it)
	}
	return jsonvalue.Value{}
}

// user shows a hook prompt as such, hides context and shows the rest (DET-80, DET-81, DET-84).
func (r Rules) user(it item.Item) jsonvalue.Value {
	if prompts, ok := hookPrompts(it); ok && r.HookPrompts {
		return hookPrompt(it, prompts)
	}
	typed, ok := r.Typed(it)
	if !ok {
		return jsonvalue.Value{}
	}
	return userMessage(typed)
}

// hookPrompts returns the hook prompts of a message in which everything else is a text that the
// registry accepts; one plain text, image or output text spoils it (DET-84).
func hookPrompts(it item.Item) (prompts []hookprompt.Prompt, ok bool) {
	for _, content := range it.Contents() {
		text, ok := content.InputText()
		if !ok {
			return nil, false
		}
		if prompt, ok := hookprompt.Parse(text); ok {
			prompts = append(prompts, prompt)
		} else if _, ok := fragment.ContextualUserRegistry(text); !ok {
			return nil, false
		}
	}
	return prompts, len(prompts) > 0
}

func hookPrompt(it item.Item, prompts []hookprompt.Prompt) jsonvalue.Value {
	fragments := make([]jsonvalue.Value, len(prompts))
	for i, prompt := range prompts {
		fragments[i] = jsonvalue.OfObject(
			jsonvalue.Field("text", jsonvalue.OfString(prompt.Text)),
			jsonvalue.Field("hook_run_id", jsonvalue.OfString(prompt.HookRunID)),
		)
	}
	shown := turnItem("hook_prompt", jsonvalue.Field("fragments", jsonvalue.OfArray(fragments...)))
	return withOptions(shown, it, "id")
}

// userMessage shows the contents in order, without labels and without output text (DET-82, DET-83).
// Its id is a fresh one, so it has none here.
func userMessage(it item.Item) jsonvalue.Value {
	shown := []jsonvalue.Value{}
	contents := it.Contents()
	for i, content := range contents {
		switch content.Type() {
		case item.InputText:
			if !isLabel(contents, i) {
				text, _ := content.InputText()
				shown = append(shown, textItem(text))
			}
		case item.InputImage:
			shown = append(shown, media("image", content, "image_url", "detail"))
		case item.InputAudio:
			shown = append(shown, media("audio", content, "audio_url"))
		}
	}
	return turnItem("user_message", jsonvalue.Field("content", jsonvalue.OfArray(shown...)))
}

// agentMessage shows all texts, of either kind; context is not filtered here (DET-85).
func agentMessage(it item.Item) jsonvalue.Value {
	shown := []jsonvalue.Value{}
	for _, content := range it.Contents() {
		if content.Type() == item.InputText || content.Type() == item.OutputText {
			text, _ := content.Value().GetText("text")
			shown = append(shown, textItem(text))
		}
	}
	message := turnItem("agent_message", jsonvalue.Field("content", jsonvalue.OfArray(shown...)))
	return withOptions(message, it, "id", "phase")
}

func turnItem(kind string, members ...jsonvalue.Member) jsonvalue.Value {
	return jsonvalue.OfObject(append([]jsonvalue.Member{jsonvalue.Field("type", jsonvalue.OfString(kind))}, members...)...)
}

func textItem(text string) jsonvalue.Value {
	return turnItem("text", jsonvalue.Field("text", jsonvalue.OfString(text)))
}

// withOptions copies members of the item that are there and not null (PRO-17).
func withOptions(shown jsonvalue.Value, it item.Item, names ...string) jsonvalue.Value {
	for _, name := range names {
		if value, _ := it.Get(name); !value.IsNull() {
			shown = shown.With(name, value)
		}
	}
	return shown
}
