package fragment

import (
	"fmt"
	"strings"

	"github.com/contextfragments/conform/reference/hookprompt"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// AgentsMD tells project instructions, with the directory they hold for if that is known (DET-22,
// WLD-30). An update puts its notice into the text (DET-23).
func AgentsMD(directory Optional, text string) Fragment {
	return of("agents_md", between(directory, " for ", "")+"\n\n<INSTRUCTIONS>\n"+text+"\n")
}

// The two kinds of additional context (DET-110).
const (
	Untrusted   = "untrusted"
	Application = "application"
)

// maxAdditionalTokens limits one value of additional context (DET-112).
const maxAdditionalTokens = 1000

// AdditionalContext tells one entry that an application handed over: as the user where the entry
// is untrusted, as the developer where the application vouches for it. The value is cut, nothing
// is escaped (DET-111, DET-112, LIF-30).
func AdditionalContext(key, value, kind string) Fragment {
	value = cutMiddle(value, maxAdditionalTokens)
	f := of("additional_context", key+">"+value+"</external_"+key) // the rest of both tags (DET-114)
	f.ContentKind += key
	if kind == Application {
		f.Role, f.Start, f.End = developer, "", ""
		f.Body = "<" + key + ">" + value + "</" + key + ">"
	}
	return f
}

// Skill tells the instructions of a skill that was asked for; resourceAccess may be null (DET-26).
func Skill(name, path, contents string, resourceAccess jsonvalue.Value) Fragment {
	access := ""
	if !resourceAccess.IsNull() {
		access = "<resource_access>" + resourceAccess.String() + "</resource_access>\n"
	}
	return of("skill", "\n<name>"+name+"</name>\n<path>"+path+"</path>\n"+access+contents+"\n")
}

// UserShellCommand tells a command that the user ran outside the conversation (DET-27).
func UserShellCommand(command string, exitCode int, seconds float64, output string) Fragment {
	return of("user_shell_command", fmt.Sprintf(
		"\n<command>\n%s\n</command>\n<result>\nExit code: %d\nDuration: %.4f seconds\nOutput:\n%s\n</result>\n",
		command, exitCode, seconds, output))
}

// SubagentNotification tells what has become of another agent (DET-29).
func SubagentNotification(agentPath string, status jsonvalue.Value) Fragment {
	notification := jsonvalue.OfObject(
		jsonvalue.Field("agent_path", jsonvalue.OfString(agentPath)),
		jsonvalue.Field("status", status),
	)
	return of("subagent_notification", "\n"+notification.String()+"\n")
}

// InternalModelContext tells text of a part of the agent, the source, which must be valid (DET-30,
// DET-32).
func InternalModelContext(source, text string) Fragment {
	f := of("internal_model_context", ` source="`+source+"\">\n"+text+"\n")
	f.ContentKind = source + f.ContentKind
	return f
}

// Plugin is one that is offered and not installed.
type Plugin struct{ Name, ID string }

// maxRecommendedPlugins limits the list of RecommendedPlugins.
const maxRecommendedPlugins = 50

// RecommendedPlugins lists the first 50 plugins under an intro; no plugins give no fragment (DET-35).
func RecommendedPlugins(intro string, plugins []Plugin) (f Fragment, ok bool) {
	var list strings.Builder
	for _, p := range plugins[:min(len(plugins), maxRecommendedPlugins)] {
		list.WriteString("- " + p.Name + " (" + p.ID + ")\n")
	}
	return of("recommended_plugins", "\n"+intro+"\n\n"+list.String()), len(plugins) > 0
}

// HookPrompt tells what a hook asks for; a blank id gives no fragment (DET-55). It has no markers
// and no content kind: it is recognised by parsing.
func HookPrompt(p hookprompt.Prompt) (f Fragment, ok bool) {
	texts := hookprompt.Build([]hookprompt.Prompt{p})
	if len(texts) == 0 {
		return Fragment{}, false
	}
	return of("hook_prompt", texts[0]), true
}

// TranscriptTailFlush is the one source that a realtime delegation names.
const TranscriptTailFlush = "transcript_tail_flush"

// maxDelegationBytes limits each text of a realtime delegation once it is escaped, the sign of the
// cut included.
const maxDelegationBytes = 4096

// RealtimeDelegation tells what a voice conversation asks for, and what was said since; source and
// delta may be empty. A long input keeps its start, a long delta its end (DET-37). Nothing
// recognises it: it counts as typed (DET-18).
func RealtimeDelegation(source, input, delta string) Fragment {
	const cut = "…"
	input, delta = textEscapes.Replace(input), textEscapes.Replace(delta)
	if len(input) > maxDelegationBytes {
		input = keepStart(input, maxDelegationBytes-len(cut)) + cut
	}
	if len(delta) > maxDelegationBytes {
		delta = cut + keepEnd(delta, maxDelegationBytes-len(cut))
	}
	body := "\n"
	if source != "" {
		body += "  <source>" + source + "</source>\n"
	}
	body += "  <input>" + input + "</input>\n"
	if delta != "" {
		body += "  <transcript_delta>" + delta + "</transcript_delta>\n"
	}
	return of("realtime_delegation", body)
}
