package fragment

import "strings"

// Permissions joins the sections that are not empty, each on a new line (DEV-1).
func Permissions(sections []string) Fragment {
	body := ""
	for _, section := range sections {
		if section != "" {
			body = onNewLine(body) + section
		}
	}
	return of("permissions", onNewLine(body))
}

func onNewLine(text string) string {
	if strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// ApprovedCommandPrefixes tells which command prefixes need no approval any more. The list comes
// rendered, a line `- ["a", "b"]` a prefix (DEV-2, WLD-32).
func ApprovedCommandPrefixes(list string) Fragment {
	return of("approved_command_prefix_saved", PrefixSavedNotice+"\n"+list)
}

// PrefixSavedNotice begins the one developer text that is recognised without a tag (DET-71).
const PrefixSavedNotice = "Approved command prefix saved:"

// ModelSwitch tells the instructions of the model that took over (DEV-4).
func ModelSwitch(lead, instructions string) Fragment {
	return of("model_switch", "\n"+lead+"\n\n"+instructions+"\n")
}

// Personality tells the style to write in (DEV-5).
func Personality(lead, instructions string) Fragment {
	return of("personality", " "+lead+" \n"+instructions+" ")
}

// MultiAgentMode tells when other agents may be started. An empty text gives no fragment (DEV-7).
func MultiAgentMode(text string) (f Fragment, ok bool) {
	return of("multi_agent_mode", text), text != ""
}

// maxModeTokens limits the text of a custom multi-agent mode.
const maxModeTokens = 400

// CustomModeText cuts the text of a custom multi-agent mode, as is done before it is kept (WLD-40).
func CustomModeText(custom string) string { return cutMiddle(custom, maxModeTokens) }

// MultiAgentRole tells an agent its part among others; some are written without markers (DEV-8,
// DET-10).
func MultiAgentRole(text string, marked bool) Fragment {
	f := of("multi_agent_role", text)
	if !marked {
		f.Start, f.End = "", ""
	}
	return f
}

// ContextWindow names the window that the model is in (DEV-18).
func ContextWindow(agentPath, first, current string, previous, hint Optional) Fragment {
	return of("context_window", "\nAgent name: "+agentPath+"\nFirst context window id: "+first+"\nCurrent context window id: "+current+"\n"+
		between(previous, "Previous context window id: ", "\n")+between(hint, "", "\n"))
}

// maxManagedTokens limits managed instructions with their markers and notice; more is an error
// of who configured them, never cut (WLD-41).
const maxManagedTokens = 10_000

// ManagedDeveloperInstructions tells what an administrator demands, after a notice if there is one;
// false means that it exceeds the limit (DEV-25, WLD-41).
func ManagedDeveloperInstructions(instructions string, notice Optional) (f Fragment, ok bool) {
	f = of("managed_developer_instructions", "\n"+between(notice, "", "\n\n")+instructions+"\n")
	return f, len(f.Render()) <= maxManagedTokens*bytesPerToken
}
