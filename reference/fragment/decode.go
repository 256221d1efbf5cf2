package fragment

import (
	"github.com/contextfragments/conform/reference/hookprompt"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// Decode builds a fragment from the fields of the protocol: `{"type": KIND, …}`. Ok is false where
// the fields are right and give no fragment at all (PRO-21); what is malformed is an error at its
// place (PRO-3). Unknown members are ignored, an absent one is the same as null.
func Decode(c jsonvalue.Cursor) (f Fragment, ok bool, err error) {
	f, err = DecodeOne(c)
	if SaysNothing(err) {
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
	kind := r.Text("type")
	if r.Failed() {
		return Fragment{}
	}
	if _, ok := plain[kind]; ok {
		return Plain(kind, r.Text(plain[kind].field))
	}
	build, ok := decoders[kind]
	if !ok {
		r.FailAt("type", "%q is no kind of fragment that can be built", kind) // PRO-20
		return Fragment{}
	}
	return build(r)
}

// decoders has a row a kind that takes more than one plain text.
var decoders = map[string]func(r reader) Fragment{
	"generic": generic,
	"agents_md": func(r reader) Fragment {
		return AgentsMD(r.Optional("directory"), r.Text("text"))
	},
	"environment_context": func(r reader) Fragment {
		return r.environmentContext().Fragment()
	},
	"additional_context": func(r reader) Fragment {
		return AdditionalContext(r.Text("key"), r.Text("value"), r.OneOf("kind", Untrusted, Application))
	},
	"skill": func(r reader) Fragment {
		return Skill(r.Text("name"), r.Text("path"), r.Text("contents"), r.Cursor.Member("resource_access").Value)
	},
	"user_shell_command": func(r reader) Fragment {
		return UserShellCommand(r.Text("command"), r.Int("exit_code"), r.Number("duration_seconds"), r.Text("output"))
	},
	"subagent_notification": func(r reader) Fragment {
		return SubagentNotification(r.Text("agent_path"), r.agentStatus("status"))
	},
	"internal_model_context": func(r reader) Fragment {
		source := r.Text("source")
		if !ValidSource(source) {
			r.FailAt("source", "want [a-z][a-z0-9_]*, got %q", source)
		}
		return InternalModelContext(source, r.Text("body"))
	},
	"recommended_plugins": func(r reader) Fragment {
		f, ok := RecommendedPlugins(r.Text("intro"), r.plugins("plugins"))
		return r.some(f, ok, "plugins")
	},
	"hook_prompt": func(r reader) Fragment {
		f, ok := HookPrompt(hookprompt.Prompt{Text: r.Text("text"), HookRunID: r.Text("hook_run_id")})
		return r.some(f, ok, "hook_run_id")
	},
	"realtime_delegation": func(r reader) Fragment {
		source := ""
		if r.Has("source") {
			source = r.OneOf("source", TranscriptTailFlush)
		}
		return RealtimeDelegation(source, r.Text("input"), r.Optional("transcript_delta").Text)
	},
	"permissions": func(r reader) Fragment {
		return Permissions(r.Texts("sections"))
	},
	"approved_command_prefix_saved": func(r reader) Fragment {
		return ApprovedCommandPrefixes(r.Text("prefixes"))
	},
	"model_switch": func(r reader) Fragment {
		return ModelSwitch(r.Text("lead"), r.Text("instructions"))
	},
	"personality": func(r reader) Fragment {
		return Personality(r.Text("lead"), r.Text("instructions"))
	},
	"multi_agent_mode": func(r reader) Fragment {
		f, ok := MultiAgentMode(CustomModeText(r.Text("custom")))
		return r.some(f, ok, "custom")
	},
	"multi_agent_role": func(r reader) Fragment {
		return MultiAgentRole(r.Text("text"), r.Bool("marked"))
	},
	"tools": func(r reader) Fragment {
		known := r.Has("previous")
		previous := map[string]string{}
		if known {
			previous = r.toolDescriptions("previous")
		}
		f, ok := Tools(previous, known, r.toolDescriptions("current"))
		return r.some(f, ok, "current")
	},
	"context_window": func(r reader) Fragment {
		return ContextWindow(r.Text("agent_path"), r.Text("first"), r.Text("current"), r.Optional("previous"), r.Optional("hint"))
	},
	"managed_developer_instructions": func(r reader) Fragment {
		f, ok := ManagedDeveloperInstructions(r.Text("instructions"), r.Optional("notice"))
		if !ok {
			r.FailAt("instructions", "more than %d tokens with markers and notice", maxManagedTokens)
		}
		return f
	},
}

// generic takes the fragment apart as it is described (PRO-19).
func generic(r reader) Fragment {
	f := Fragment{
		Type: "generic", Role: r.Text("role"), Start: r.Text("start"), End: r.Text("end"), Body: r.Text("body"),
		ContentKind: item.UnknownKind,
	}
	if r.Has("content_kind") {
		f.ContentKind = r.Text("content_kind")
	}
	f.Separate = r.OptionalBool("separate")
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
	status := r.Cursor.Member(name)
	if _, ok := status.Value.Text(); ok {
		r.OneOf(name, "pending_init", "running", "interrupted", "shutdown", "not_found")
		return status.Value
	}
	names, fields, err := status.Fields()
	r.Fail(err)
	switch {
	case len(names) != 1 || (names[0] != "completed" && names[0] != "errored"):
		r.FailAt(name, "want a status in one word, or one member completed or errored")
	case names[0] == "errored" || fields[0].Present: // only completed may be without a text
		_, err := fields[0].Text()
		r.Fail(err)
	}
	return status.Value
}

func (r reader) plugins(name string) []Plugin {
	plugins := []Plugin{}
	for _, p := range r.Objects(name) {
		plugins = append(plugins, Plugin{p.Text("name"), p.Text("id")})
	}
	return plugins
}

// toolDescriptions reads descriptions of namespaces and shortens them (WLD-38).
func (r reader) toolDescriptions(name string) map[string]string {
	names, fields, err := r.Cursor.Member(name).Fields()
	r.Fail(err)
	descriptions := map[string]string{}
	for i, field := range fields {
		description, err := field.Text()
		r.Fail(err)
		descriptions[names[i]] = ToolDescription(description)
	}
	return descriptions
}
