package hookprompt

import "strings"

var (
	textEscapes      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	attributeEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
)

// Render writes one prompt as an element (DET-55). Empty text gives a self-closing element, which, like
// blank text, does not read back (DET-56).
func Render(p Prompt) string {
	const element = "hook_prompt"
	open := "<" + element + ` hook_run_id="` + attributeEscapes.Replace(p.HookRunID) + `"`
	if p.Text == "" {
		return open + "/>"
	}
	return open + ">" + textEscapes.Replace(p.Text) + "</" + element + ">"
}

// Build writes the texts of a hook message, one a prompt in order. A prompt whose id is blank is left
// out; no text left means no message (DET-55).
func Build(prompts []Prompt) []string {
	texts := []string{}
	for _, p := range prompts {
		if strings.TrimSpace(p.HookRunID) != "" {
			texts = append(texts, Render(p))
		}
	}
	return texts
}
