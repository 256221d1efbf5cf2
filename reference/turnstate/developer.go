package turnstate

import (
	"strings"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// modelInstructions tells the instructions of a model that took over. The base instructions are those
// of the first model, so it is the previous turn that counts, with or without a reference (REG-12).
func modelInstructions(t Turn) (body string, ok bool) {
	if t.Previous == nil || t.Previous.Model == t.Model.Text || t.ModelInstructions == "" {
		return "", false
	}
	return fragment.ModelSwitch(t.ModelSwitchLead, t.ModelInstructions).Body, true
}

// permissions are told again when either policy differs (REG-13).
func permissions(t Turn) (body string, ok bool) {
	if t.SandboxPolicy.IsNull() {
		return "", false
	}
	if r := t.Reference; r != nil &&
		jsonvalue.Equal(r.SandboxPolicy, t.SandboxPolicy) && jsonvalue.Equal(r.ApprovalPolicy, t.ApprovalPolicy) {
		return "", false
	}
	return fragment.Permissions([]string{t.PermissionsText}).Body, true
}

// developerInstructions has no text for instructions that are gone (REG-14).
func developerInstructions(t Turn) (body string, ok bool) {
	if t.Reference != nil && t.Reference.DeveloperInstructions == t.DeveloperInstructions {
		return "", false
	}
	return t.DeveloperInstructions.Text, t.DeveloperInstructions.Present
}

// collaborationMode tells the instructions of the mode, or that those of an earlier mode are off
// (REG-15). It is written without inner line ends (REG-5).
func collaborationMode(t Turn) (body string, ok bool) {
	if t.CollaborationMode == nil {
		return "", false
	}
	now, before := t.CollaborationMode.Text, ""
	if t.Reference != nil && t.Reference.CollaborationMode != nil {
		before = t.Reference.CollaborationMode.Text
	}
	switch {
	case now == before:
		return "", false
	case now == "":
		return "# Collaboration Mode: " + t.ModeName + "\n\n" + t.CollaborationReset, true
	default:
		return now, true
	}
}

// realtime tells that a voice conversation began or ended. Where the reference does not say whether
// there was one, the previous turn decides (REG-16).
func realtime(t Turn) (body string, ok bool) {
	var was *bool
	if t.Reference != nil {
		was = t.Reference.RealtimeActive
	}
	now := t.RealtimeActive != nil && *t.RealtimeActive
	switch {
	case now && (was == nil || !*was):
		return wrapped(t.RealtimeStart), true
	case !now && (was != nil && *was || was == nil && t.Previous != nil && t.Previous.RealtimeActive):
		return realtimeEndBody(t.RealtimeEnd), true
	default:
		return "", false
	}
}

// realtimeEndBody gives the only reason there is (REG-26).
func realtimeEndBody(text string) string { return wrapped(text + "\n\nReason: inactive") }

// personality tells a style that was chosen: at first unless the base instructions hold it, later
// when it changed. A new model comes with instructions of its own, and giving a style up has no text
// (REG-17).
func personality(t Turn) (body string, ok bool) {
	if !t.PersonalityFeature || !t.Personality.Present || t.PersonalityText == "" {
		return "", false
	}
	due := !t.PersonalityBaked
	if r := t.Reference; r != nil {
		due = r.Model == t.Model && r.Personality != t.Personality
	}
	return fragment.Personality(t.PersonalityLead, t.PersonalityText).Body, due
}

// roster lists the agents there are.
func roster(f fields) string {
	agents := f.Text("subagents")
	if agents == "" {
		fragment.NothingToSay(f.Reader, "subagents")
	}
	return rosterBody(agents)
}

// rosterBody indents the lines, which end in LF or CRLF (REG-26).
func rosterBody(agents string) string {
	body := "\n"
	for line := range strings.Lines(agents) {
		line, ended := strings.CutSuffix(line, "\n")
		if ended {
			line = strings.TrimSuffix(line, "\r")
		}
		body += "  " + line + "\n"
	}
	return body
}

// notification tells what has become of another agent. The agent goes by its id, not by a path as
// it does in the other profile.
func notification(f fields) string {
	status, err := fragment.DecodeAgentStatus(f.Cursor, "status")
	f.Fail(err)
	return wrapped(jsonvalue.OfObject(
		jsonvalue.Field("agent_id", jsonvalue.OfString(f.Text("agent_id"))),
		jsonvalue.Field("status", status),
	).String())
}
