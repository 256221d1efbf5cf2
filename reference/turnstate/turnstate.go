// Package turnstate holds the registry design of March 2026, the profile model-visible/2026-03
// (docs/spec/16-registry-profile.md): every fragment is a row of one registry, an update has at most
// one developer and one user message, and what is in it follows from two turn contexts.
//
//   - registry.go is the registry and the contract of a row; docs/registry.md shows how to add one.
//   - developer.go and user.go say when the rows with a builder have something to say, and what.
//   - envelope.go puts fragments into messages, match.go recognises them in a stored history.
//   - decode.go reads turns and fragments from the adapter protocol.
//
// A text that is absent and an empty one differ, unless a rule says otherwise.
package turnstate

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// Context is the turn context: what is persisted of a turn, and compared by the next one (REG-32,
// REG-33). Nothing else of a turn can be told as a change.
type Context struct {
	CWD                           string
	CurrentDate, Timezone         jsonvalue.Optional
	Network                       *Network // nil: not configured
	Model                         jsonvalue.Optional
	Personality                   jsonvalue.Optional
	SandboxPolicy, ApprovalPolicy jsonvalue.Value // null: no permissions are told at all
	CollaborationMode             *CollaborationMode
	RealtimeActive                *bool // nil: an old record that does not say
	DeveloperInstructions         jsonvalue.Optional
	UserInstructions              jsonvalue.Optional
	ProjectDoc                    jsonvalue.Optional // the text of AGENTS.md
}

// Network lists the domains that may and may not be reached.
type Network struct{ Allowed, Denied []string }

// CollaborationMode is how agent and user work together. Most modes have instructions.
type CollaborationMode struct {
	Mode string
	Text string // "" is no instructions
}

// Turn is everything that a builder may look at (REG-2).
type Turn struct {
	Context            // how things are now
	Reference *Context // how they were when the model was last told; nil: it knows nothing
	Parameters

	// What goes with the context and is not persisted.
	Shell                 jsonvalue.Optional
	ModelInstructions     string // "" is none
	PermissionsText       string
	ModeName              string // the collaboration mode as a person reads it
	RealtimeStart         string
	RealtimeEnd           string
	PersonalityText       string // "" is none
	PersonalityBaked      bool   // the base instructions hold it already
	JSREPL, SkillsSection jsonvalue.Optional
	ChildAgents           jsonvalue.Optional
	Ephemeral             []Ephemeral
}

// Parameters come from the session, not from the turn (REG-4).
type Parameters struct {
	Previous           *Settings // nil: no turn came before
	PersonalityFeature bool
	ChildAgentsFeature bool
	Additions          Additions

	// Fixed prose.
	ModelSwitchLead, PersonalityLead, CollaborationReset string
}

// Settings are those of the previous turn. They are there even where the reference is not, for
// example after a compaction.
type Settings struct {
	Model          string
	RealtimeActive bool
}

// Ephemeral is context for one turn only.
type Ephemeral struct{ Title, Content string }

// Additions join the envelopes of the initial context without a builder (REG-31).
type Additions struct {
	MemoryPrompt, Apps, CommitAttribution jsonvalue.Optional // developer, as they stand
	Plugins                               jsonvalue.Optional // user
	SubagentRoster                        string             // developer; "" where there are no agents
}

// Build returns the messages that tell the model what it does not know: everything where there is no
// reference, the difference where there is one. The turn's Context is the next reference, also when
// nothing had to be told (REG-32).
func Build(t Turn) []item.Item {
	fragments := []fragment.Fragment{}
	for _, e := range Registry {
		fragments = append(fragments, e.built(t)...)
	}
	if t.Reference == nil {
		fragments = append(fragments, t.Additions.fragments()...)
	}
	return Messages(fragments)
}

// fragments returns the additions in their order (REG-31).
func (a Additions) fragments() []fragment.Fragment {
	list := []fragment.Fragment{}
	for _, text := range []jsonvalue.Optional{a.MemoryPrompt, a.Apps, a.CommitAttribution} {
		if text.Present {
			list = append(list, developerText(text.Text))
		}
	}
	if a.Plugins.Present {
		list = append(list, registered("plugin_instructions").of(wrapped(a.Plugins.Text)))
	}
	if a.SubagentRoster != "" {
		list = append(list, registered("subagent_roster").of(rosterBody(a.SubagentRoster)))
	}
	return list
}

// developerText is a one-off text for the model that nothing has to recognise later, so that it
// needs no row in the registry.
func developerText(text string) fragment.Fragment {
	return fragment.Fragment{Role: item.RoleDeveloper, Body: text, ContentKind: item.UnknownKind}
}
