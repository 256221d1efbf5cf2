package turnstate

import (
	"slices"
	"strings"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// userInstructions has no text for instructions that are gone (REG-18).
func userInstructions(t Turn) (body string, ok bool) {
	if t.Reference != nil && t.Reference.UserInstructions == t.UserInstructions {
		return "", false
	}
	return wrapped(t.UserInstructions.Text), t.UserInstructions.Present
}

// agentsMD tells the project's instructions again when they or the directory changed. It is the one
// fragment that tells a disappearance: its text is empty then (REG-19).
func agentsMD(t Turn) (body string, ok bool) {
	known := t.Reference != nil && t.Reference.ProjectDoc.Present
	if known && t.Reference.ProjectDoc == t.ProjectDoc && t.Reference.CWD == t.CWD {
		return "", false
	}
	return agentsMDBody(t.CWD, t.ProjectDoc.Text), t.ProjectDoc.Present || known
}

// The markers of AGENTS.md are no tags: the directory is part of the first line.
const (
	agentsMDStart = "# AGENTS.md instructions for "
	agentsMDEnd   = "</INSTRUCTIONS>"
)

func agentsMDBody(directory, text string) string {
	return directory + "\n\n<INSTRUCTIONS>\n" + text + "\n"
}

// initialOnly builds a text where there is no reference and never again: it does not change within
// a thread (REG-20).
func initialOnly(source func(t Turn) jsonvalue.Optional) func(t Turn) (string, bool) {
	return func(t Turn) (body string, ok bool) {
		text := source(t)
		return wrapped(text.Text), text.Present && t.Reference == nil
	}
}

func childAgents(t Turn) jsonvalue.Optional {
	if !t.ChildAgentsFeature {
		return jsonvalue.Optional{}
	}
	return t.ChildAgents
}

// environment is all that may stand in an environment context: facts of the turn that may change from
// turn to turn. Policies, skills, plugins, AGENTS.md and agents have fragments of their own.
type environment struct {
	cwd, shell, date, timezone jsonvalue.Optional
	network                    *Network
}

// environmentContext is told again when anything but the shell changed. It leaves out a directory
// that is the same and repeats the rest, the shell included (REG-21).
func environmentContext(t Turn) (body string, ok bool) {
	now := environment{jsonvalue.Optional{Text: t.CWD, Present: true}, t.Shell, t.CurrentDate, t.Timezone, t.Network}
	if r := t.Reference; r != nil && r.CWD == t.CWD {
		if r.CurrentDate == t.CurrentDate && r.Timezone == t.Timezone && r.Network.equal(t.Network) {
			return "", false
		}
		now.cwd = jsonvalue.Optional{}
	}
	return now.body(), true
}

// equal compares the lists in order; a network without domains is not the same as none.
func (n *Network) equal(other *Network) bool {
	if n == nil || other == nil {
		return n == other
	}
	return slices.Equal(n.Allowed, other.Allowed) && slices.Equal(n.Denied, other.Denied)
}

// body writes a line an element; nothing is escaped (REG-24).
func (e environment) body() string {
	lines := []string{}
	element := func(indent, name, text string) {
		lines = append(lines, indent+"<"+name+">"+text+"</"+name+">")
	}
	for _, part := range []struct {
		name string
		text jsonvalue.Optional
	}{{"cwd", e.cwd}, {"shell", e.shell}, {"current_date", e.date}, {"timezone", e.timezone}} {
		if part.text.Present {
			element("  ", part.name, part.text.Text)
		}
	}
	if e.network != nil {
		lines = append(lines, `  <network enabled="true">`)
		for _, domain := range e.network.Allowed {
			element("    ", "allowed", domain)
		}
		for _, domain := range e.network.Denied {
			element("    ", "denied", domain)
		}
		lines = append(lines, "  </network>")
	}
	return wrapped(strings.Join(lines, "\n"))
}

// ephemeral is told each turn and compared with nothing: it is not in the reference (REG-22).
func ephemeral(t Turn) []string {
	bodies := make([]string, len(t.Ephemeral))
	for i, entry := range t.Ephemeral {
		bodies[i] = entry.body()
	}
	return bodies
}

// body is that of REG-27.
func (e Ephemeral) body() string {
	return wrapped("  <title>" + e.Title + "</title>\n  <content>\n" + e.Content + "\n  </content>")
}

// skill tells the instructions of a skill that was asked for, as the other profile does where the
// skill has no resources.
func skill(f fields) string {
	return fragment.Skill(f.Text("name"), f.Text("path"), f.Text("contents"), jsonvalue.Value{}).Body
}
