package assemble

import (
	"slices"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
)

// Contribution is a text that an extension adds to the initial context (INI-10).
type Contribution struct {
	Slot        string
	Text        string
	ContentKind string
}

// The slots of contributions.
const (
	SlotDeveloper         = "developer"          // policies and capabilities: into the developer bundle
	SlotSeparateDeveloper = "separate_developer" // a message of its own
	SlotContextualUser    = "contextual_user"    // into the user bundle
)

// Initial is what the full initial context of a thread is made of. Texts are fully rendered.
type Initial struct {
	DeveloperInstructions string
	// GuardianSession: the thread reviews another one (INI-12).
	GuardianSession    bool
	Contributions      []Contribution
	RecommendedPlugins []string
	ContextWindow      string // "" without the token-budget feature
	WorldState         []fragment.Fragment
	TurnID             string // "" leaves items without one
}

// A section is one content item to be.
type section struct{ text, kind string }

// Items returns the messages of the initial context, in the order of INI-1: the developer bundle,
// the separate developer messages, the multi-agent mode, the user bundle, the guardian's policy and
// managed instructions. Parts that are absent are skipped.
//
// This is not Merge: fragments that stand alone in an update, such as a personality, join the
// bundle here (INI-7, DIS-4).
func (in Initial) Items() []item.Item {
	var bundle, separate, user []section
	var guardian, mode, managed []section

	if in.DeveloperInstructions != "" {
		if in.GuardianSession {
			guardian = []section{{in.DeveloperInstructions, "guardian.policy"}}
		} else {
			bundle = append(bundle, section{in.DeveloperInstructions, "generic.developer_instructions"})
		}
	}
	for _, text := range in.RecommendedPlugins {
		user = append(user, section{text, "plugins.recommendations"})
	}
	for _, c := range in.Contributions {
		contributed := section{c.Text, c.ContentKind}
		switch c.Slot {
		case SlotDeveloper:
			bundle = append(bundle, contributed)
		case SlotSeparateDeveloper:
			separate = append(separate, contributed)
		case SlotContextualUser:
			user = append(user, contributed)
		}
	}
	if in.ContextWindow != "" { // between contributions and world state (INI-11)
		separate = append(separate, section{in.ContextWindow, "token_budget.context_window"})
	}
	for _, f := range in.WorldState {
		rendered := section{f.Render(), f.ContentKind}
		switch place(f) {
		case first:
			bundle = slices.Insert(bundle, 0, rendered)
		case bundled:
			bundle = append(bundle, rendered)
		case alone:
			separate = append(separate, rendered)
		case modeMessage: // the last one wins
			mode = []section{rendered}
		case userBundled:
			user = append(user, rendered)
		case veryLast:
			managed = []section{rendered}
		case dropped:
		}
	}

	messages := []item.Item{}
	add := func(role string, sections []section) {
		if len(sections) > 0 {
			messages = append(messages, in.message(role, sections))
		}
	}
	add(item.RoleDeveloper, bundle)
	for _, s := range separate {
		add(item.RoleDeveloper, []section{s})
	}
	add(item.RoleDeveloper, mode)
	add(item.RoleUser, user)
	add(item.RoleDeveloper, guardian)
	add(item.RoleDeveloper, managed)
	return messages
}

// A position is where a world-state fragment goes in the initial context.
type position int

const (
	bundled     position = iota
	first                // before everything else of the bundle, configured instructions included (INI-3)
	alone                // on the separate list (INI-6)
	modeMessage          // held back until after the separate list (INI-4)
	userBundled          // (INI-9)
	veryLast             // held back to the end (INI-5)
	dropped              // of a role that does not belong here (INI-8)
)

// place finds the position by role and start marker.
func place(f fragment.Fragment) position {
	start := func(kind string) string { start, _ := fragment.Markers(kind); return start }
	switch {
	case f.Role == item.RoleUser:
		return userBundled
	case f.Role != item.RoleDeveloper:
		return dropped
	}
	switch f.Start {
	case start("model_switch"):
		return first
	case start("multi_agent_mode"):
		return modeMessage
	case start("managed_developer_instructions"):
		return veryLast
	case start("multi_agent_role"):
		return alone
	case "":
		if f.Separate {
			return alone
		}
	}
	return bundled
}

func (in Initial) message(role string, sections []section) item.Item {
	contents := make([]item.Content, len(sections))
	kinds := make([]string, len(sections))
	for i, s := range sections {
		contents[i], kinds[i] = item.Text(s.text), s.kind
	}
	message := item.Message(role, contents, kinds)
	if in.TurnID != "" {
		message = message.WithTurnID(in.TurnID) // INI-13
	}
	return message
}
