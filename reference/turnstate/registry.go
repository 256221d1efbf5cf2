package turnstate

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// Group says of a row which role it has, and whether it is built from turn state or made at runtime
// where something happens (REG-1, REG-23).
type Group string

// The groups.
const (
	TurnStateDeveloper Group = "turn-state developer"
	RuntimeDeveloper   Group = "runtime developer"
	TurnStateUser      Group = "turn-state user"
	RuntimeUser        Group = "runtime user"
)

// Role returns the wire role.
func (g Group) Role() string {
	if g == TurnStateDeveloper || g == RuntimeDeveloper {
		return item.RoleDeveloper
	}
	return item.RoleUser
}

// An Entry is a row of the registry: one type of fragment, and all that is known of it (REG-2).
type Entry struct {
	Name        string // in the inventory of the design
	Group       Group
	Requirement string // where its rule is
	Forms       []Form // how it is written; all but realtime are written in one way
	Start, End  string // markers, both empty for an unmarked fragment

	// Build returns the body, and false where there is nothing to say. BuildMany is for a source
	// that says several things in one turn; a row has at most one of the two (REG-3).
	Build     func(t Turn) (body string, ok bool)
	BuildMany func(t Turn) (bodies []string)

	// Match recognises a user text in place of the markers.
	Match func(text string) bool
	// Trimmed: in a developer message the start marker makes it context, which goes when the turn
	// below it is rolled back (HIS-9).
	Trimmed bool
	// Standalone: it is a message of its own, never part of an envelope (REG-31).
	Standalone bool
}

// A Form is one way to write a fragment: the type by which the protocol knows it, and the body that
// its fields give, with all white space inside the markers.
type Form struct {
	Type string
	Body func(f fields) string
}

// Type returns the id by which the entry is known in a classification.
func (e Entry) Type() string { return e.Forms[0].Type }

// of returns the entry's fragment with that body.
func (e Entry) of(body string) fragment.Fragment {
	return fragment.Fragment{
		Type: e.Type(), Role: e.Group.Role(), Start: e.Start, End: e.End, Body: body,
		ContentKind: item.UnknownKind, Separate: e.Standalone,
	}
}

// built returns what the entry has to say in a turn.
func (e Entry) built(t Turn) []fragment.Fragment {
	fragments := []fragment.Fragment{}
	if e.BuildMany != nil {
		for _, body := range e.BuildMany(t) {
			fragments = append(fragments, e.of(body))
		}
	}
	if e.Build != nil {
		if body, ok := e.Build(t); ok {
			fragments = append(fragments, e.of(body))
		}
	}
	return fragments
}

// wrapped puts a text on lines of its own between the markers (REG-5).
func wrapped(text string) string { return "\n" + text + "\n" }

// Registry has every fragment type once, in the order in which they are told (REG-8). It is never
// changed.
var Registry = []Entry{
	{
		Name: "ModelInstructionsUpdateFragment", Group: TurnStateDeveloper, Requirement: "REG-12",
		Forms: shared("model_switch"), Start: "<model_switch>", End: "</model_switch>",
		Build: modelInstructions, Trimmed: true,
	},
	{
		Name: "PermissionsUpdateFragment", Group: TurnStateDeveloper, Requirement: "REG-13",
		Forms: shared("permissions"), Start: "<permissions instructions>", End: "</permissions instructions>",
		Build: permissions, Trimmed: true,
	},
	{
		Name: "CustomDeveloperInstructionsUpdateFragment", Group: TurnStateDeveloper, Requirement: "REG-14",
		Forms: shared("developer_instructions"), Build: developerInstructions,
	},
	{
		Name: "CollaborationModeUpdateFragment", Group: TurnStateDeveloper, Requirement: "REG-15",
		Forms: shared("collaboration_mode"), Start: "<collaboration_mode>", End: "</collaboration_mode>",
		Build: collaborationMode, Trimmed: true,
	},
	{
		Name: "RealtimeUpdateFragment", Group: TurnStateDeveloper, Requirement: "REG-16",
		Forms: []Form{
			{"realtime_start", func(f fields) string { return wrapped(f.Text("instructions")) }},
			{"realtime_end", func(f fields) string { return realtimeEndBody(f.Text("instructions")) }},
		},
		Start: "<realtime_conversation>", End: "</realtime_conversation>",
		Build: realtime, Trimmed: true,
	},
	{
		Name: "PersonalityUpdateFragment", Group: TurnStateDeveloper, Requirement: "REG-17",
		Forms: shared("personality"), Start: "<personality_spec>", End: "</personality_spec>",
		Build: personality, Trimmed: true,
	},

	{
		Name: "SubagentRosterContext", Group: RuntimeDeveloper, Requirement: "REG-23",
		Forms: form("subagent_roster", roster), Start: "<subagents>", End: "</subagents>",
	},
	{
		Name: "SubagentNotification", Group: RuntimeDeveloper, Requirement: "REG-23",
		Forms: form("subagent_notification", notification), Start: "<subagent_notification>", End: "</subagent_notification>",
	},

	{
		Name: "UserInstructionsFragment", Group: TurnStateUser, Requirement: "REG-18",
		Forms: text("user_instructions"), Start: "<user_instructions>", End: "</user_instructions>",
		Build: userInstructions,
	},
	{
		Name: "AgentsMdInstructions", Group: TurnStateUser, Requirement: "REG-19",
		Forms: form("agents_md", func(f fields) string { return agentsMDBody(f.Text("directory"), f.Text("text")) }),
		Start: agentsMDStart, End: agentsMDEnd, Match: matchAgentsMD,
		Build: agentsMD,
	},
	{
		Name: "JsReplInstructionsFragment", Group: TurnStateUser, Requirement: "REG-20",
		Forms: text("js_repl_instructions"), Start: "<js_repl_instructions>", End: "</js_repl_instructions>",
		Build: initialOnly(func(t Turn) jsonvalue.Optional { return t.JSREPL }),
	},
	{
		Name: "SkillsSectionFragment", Group: TurnStateUser, Requirement: "REG-20",
		Forms: text("skills_section"), Start: "<skills_section>", End: "</skills_section>",
		Build: initialOnly(func(t Turn) jsonvalue.Optional { return t.SkillsSection }),
	},
	{
		Name: "ChildAgentsInstructionsFragment", Group: TurnStateUser, Requirement: "REG-20",
		Forms: text("child_agents_instructions"), Start: "<child_agents_instructions>", End: "</child_agents_instructions>",
		Build: initialOnly(childAgents),
	},
	{
		Name: "EnvironmentContext", Group: TurnStateUser, Requirement: "REG-21",
		Forms: form("environment_context", func(f fields) string { return f.environment().body() }),
		Start: "<environment_context>", End: "</environment_context>",
		Build: environmentContext,
	},
	{
		Name: "EphemeralContextFragment", Group: TurnStateUser, Requirement: "REG-22",
		Forms: form("ephemeral_context", func(f fields) string { return Ephemeral{f.Text("title"), f.Text("content")}.body() }),
		Start: "<additional_context_for_this_turn>", End: "</additional_context_for_this_turn>",
		BuildMany: ephemeral,
	},

	{
		Name: "SkillInstructions", Group: RuntimeUser, Requirement: "REG-23",
		Forms: form("skill", skill), Start: "<skill>", End: "</skill>",
		Standalone: true,
	},
	{
		Name: "PluginInstructions", Group: RuntimeUser, Requirement: "REG-23",
		Forms: text("plugin_instructions"), Start: "<plugins>", End: "</plugins>",
	},
	{
		Name: "UserShellCommandFragment", Group: RuntimeUser, Requirement: "REG-23",
		Forms: shared("user_shell_command"), Start: "<user_shell_command>", End: "</user_shell_command>",
		Standalone: true,
	},
	{
		Name: "TurnAbortedMarker", Group: RuntimeUser, Requirement: "REG-23",
		Forms: shared("turn_aborted"), Start: "<turn_aborted>", End: "</turn_aborted>",
		Standalone: true,
	},
}

// form is one way to write.
func form(kind string, body func(f fields) string) []Form { return []Form{{kind, body}} }

// text is a fragment that wraps its one field, text.
func text(kind string) []Form {
	return form(kind, func(f fields) string { return wrapped(f.Text("text")) })
}

// shared is a fragment that has the fields and the body that it has in the other profile.
func shared(kind string) []Form {
	return form(kind, func(f fields) string {
		same, err := fragment.DecodeOne(f.Cursor)
		f.Fail(err)
		return same.Body
	})
}

// registered returns the row of a type, which must exist.
func registered(kind string) Entry {
	for _, e := range Registry {
		if e.Type() == kind {
			return e
		}
	}
	panic("turnstate: no row of type " + kind)
}
