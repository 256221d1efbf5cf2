package fragment

import (
	"errors"

	"github.com/contextfragments/conform/reference/hookprompt"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// Decode builds a fragment from the fields of the protocol: `{"type": KIND, …}`. Ok is false where
// the fields are right and give no fragment at all (PRO-21); what is malformed is an error at its
// place (PRO-3). Unknown members are ignored, an absent one is the same as null.
func Decode(c jsonvalue.Cursor) (f Fragment, ok bool, err error) {
	f, err = DecodeOne(c)
	if nothing := (*nothingToSay)(nil); errors.As(err, &nothing) {
		return Fragment{}, false, nil
	}
	return f, err == nil, err
}

// DecodeOne is Decode for a caller that must have a fragment: fields that give none are an error at
// the field that makes it so (PRO-21).
func DecodeOne(c jsonvalue.Cursor) (Fragment, error) {
	var err error
	f := decode(read(c, &err))
	return f, err
}

func decode(r reader) Fragment {
	kind := r.text("type")
	if *r.err != nil {
		return Fragment{}
	}
	if _, ok := plain[kind]; ok {
		return Plain(kind, r.text(plain[kind].field))
	}
	build, ok := decoders[kind]
	if !ok {
		r.failAt("type", "%q is no kind of fragment that can be built", kind) // PRO-20
		return Fragment{}
	}
	return build(r)
}

// nothingToSay is the error at the field that leaves a fragment without content.
type nothingToSay struct{ err error }

func (n *nothingToSay) Error() string { return n.err.Error() }
func (n *nothingToSay) Unwrap() error { return n.err }

// decoders has a row a kind that takes more than one plain text.
var decoders = map[string]func(r reader) Fragment{
	"generic": generic,
	"agents_md": func(r reader) Fragment {
		return AgentsMD(r.optional("directory"), r.text("text"))
	},
	"environment_context": func(r reader) Fragment {
		return r.environmentContext().Fragment()
	},
	"additional_context": func(r reader) Fragment {
		return AdditionalContext(r.text("key"), r.text("value"), r.oneOf("kind", Untrusted, Application))
	},
	"skill": func(r reader) Fragment {
		return Skill(r.text("name"), r.text("path"), r.text("contents"), r.cursor.Member("resource_access").Value)
	},
	"user_shell_command": func(r reader) Fragment {
		return UserShellCommand(r.text("command"), r.integer("exit_code"), r.number("duration_seconds"), r.text("output"))
	},
	"subagent_notification": func(r reader) Fragment {
		return SubagentNotification(r.text("agent_path"), r.agentStatus("status"))
	},
	"internal_model_context": func(r reader) Fragment {
		source := r.text("source")
		if !ValidSource(source) {
			r.failAt("source", "want [a-z][a-z0-9_]*, got %q", source)
		}
		return InternalModelContext(source, r.text("body"))
	},
	"recommended_plugins": func(r reader) Fragment {
		f, ok := RecommendedPlugins(r.text("intro"), r.plugins("plugins"))
		return r.some(f, ok, "plugins")
	},
	"hook_prompt": func(r reader) Fragment {
		f, ok := HookPrompt(hookprompt.Prompt{Text: r.text("text"), HookRunID: r.text("hook_run_id")})
		return r.some(f, ok, "hook_run_id")
	},
	"realtime_delegation": func(r reader) Fragment {
		source := ""
		if r.has("source") {
			source = r.oneOf("source", TranscriptTailFlush)
		}
		return RealtimeDelegation(source, r.text("input"), r.optional("transcript_delta").Text)
	},
	"permissions": func(r reader) Fragment {
		return Permissions(r.texts("sections"))
	},
	"approved_command_prefix_saved": func(r reader) Fragment {
		return ApprovedCommandPrefixes(r.text("prefixes"))
	},
	"model_switch": func(r reader) Fragment {
		return ModelSwitch(r.text("lead"), r.text("instructions"))
	},
	"personality": func(r reader) Fragment {
		return Personality(r.text("lead"), r.text("instructions"))
	},
	"multi_agent_mode": func(r reader) Fragment {
		f, ok := MultiAgentMode(CustomModeText(r.text("custom")))
		return r.some(f, ok, "custom")
	},
	"multi_agent_role": func(r reader) Fragment {
		return MultiAgentRole(r.text("text"), r.truth("marked"))
	},
	"tools": func(r reader) Fragment {
		known := r.has("previous")
		previous := map[string]string{}
		if known {
			previous = r.toolDescriptions("previous")
		}
		f, ok := Tools(previous, known, r.toolDescriptions("current"))
		return r.some(f, ok, "current")
	},
	"context_window": func(r reader) Fragment {
		return ContextWindow(r.text("agent_path"), r.text("first"), r.text("current"), r.optional("previous"), r.optional("hint"))
	},
	"managed_developer_instructions": func(r reader) Fragment {
		f, ok := ManagedDeveloperInstructions(r.text("instructions"), r.optional("notice"))
		if !ok {
			r.failAt("instructions", "more than %d tokens with markers and notice", maxManagedTokens)
		}
		return f
	},
}

// generic takes the fragment apart as it is described (PRO-19).
func generic(r reader) Fragment {
	f := Fragment{
		Type: "generic", Role: r.text("role"), Start: r.text("start"), End: r.text("end"), Body: r.text("body"),
		ContentKind: item.UnknownKind,
	}
	if r.has("content_kind") {
		f.ContentKind = r.text("content_kind")
	}
	f.Separate = r.optionalBool("separate")
	return f
}

// DecodeAgentStatus reads what has become of an agent, in the named member of an object (DET-29).
func DecodeAgentStatus(c jsonvalue.Cursor, name string) (jsonvalue.Value, error) {
	var err error
	status := read(c, &err).agentStatus(name)
	return status, err
}

// agentStatus reads what has become of an agent: a word, or one member with a text (DET-29).
func (r reader) agentStatus(name string) jsonvalue.Value {
	status := r.cursor.Member(name)
	if _, ok := status.Value.Text(); ok {
		r.oneOf(name, "pending_init", "running", "interrupted", "shutdown", "not_found")
		return status.Value
	}
	names, fields, err := status.Fields()
	r.fail(err)
	switch {
	case len(names) != 1 || (names[0] != "completed" && names[0] != "errored"):
		r.failAt(name, "want a status in one word, or one member completed or errored")
	case names[0] == "errored" || fields[0].Present: // only completed may be without a text
		_, err := fields[0].Text()
		r.fail(err)
	}
	return status.Value
}

func (r reader) plugins(name string) []Plugin {
	plugins := []Plugin{}
	for _, p := range r.objects(name) {
		plugins = append(plugins, Plugin{p.text("name"), p.text("id")})
	}
	return plugins
}

// toolDescriptions reads descriptions of namespaces and shortens them (WLD-38).
func (r reader) toolDescriptions(name string) map[string]string {
	names, fields, err := r.cursor.Member(name).Fields()
	r.fail(err)
	descriptions := map[string]string{}
	for i, field := range fields {
		description, err := field.Text()
		r.fail(err)
		descriptions[names[i]] = ToolDescription(description)
	}
	return descriptions
}
