package turnstate

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// DecodeTurn reads the params of turnstate/build, `{current, reference, params}` (docs/protocol.md).
// Reference may be null.
func DecodeTurn(c jsonvalue.Cursor) (Turn, error) {
	var err error
	params := read(c, &err)
	t := Turn{}
	params.object("current").current(&t)
	if params.Has("reference") {
		t.Reference = new(Context)
		params.object("reference").context(t.Reference)
	}
	params.object("params").parameters(&t.Parameters)
	return t, err
}

// current reads how things are. What it shares with the persisted context has other names there.
func (f fields) current(t *Turn) {
	t.CWD = f.Text("cwd")
	t.Shell = f.Optional("shell")
	t.CurrentDate = f.Optional("current_date")
	t.Timezone = f.Optional("timezone")
	t.Network = f.network("allowed", "denied")
	t.DeveloperInstructions = f.Optional("developer_instructions")
	t.UserInstructions = f.Optional("user_instructions")
	t.JSREPL = f.Optional("js_repl")
	t.SkillsSection = f.Optional("skills_section")
	t.ChildAgents = f.Optional("child_agents")
	if f.Has("model") {
		model := f.object("model")
		t.Model = jsonvalue.Optional{Text: model.Text("slug"), Present: true}
		t.ModelInstructions = model.Optional("instructions").Text
	}
	if f.Has("permissions") {
		policies := f.object("permissions")
		t.SandboxPolicy, t.ApprovalPolicy = policies.Required("sandbox_policy"), policies.Required("approval_policy")
		t.PermissionsText = policies.Text("text")
	}
	if f.Has("collaboration_mode") {
		t.CollaborationMode = f.collaborationMode()
		t.ModeName = t.CollaborationMode.Mode
		if name := f.object("collaboration_mode").Optional("name"); name.Present {
			t.ModeName = name.Text
		}
	}
	active := false
	if f.Has("realtime") {
		conversation := f.object("realtime")
		active = conversation.Bool("active")
		t.RealtimeStart = conversation.Optional("start_text").Text
		t.RealtimeEnd = conversation.Optional("end_text").Text
	}
	t.RealtimeActive = &active
	if f.Has("personality") {
		style := f.object("personality")
		t.Personality = jsonvalue.Optional{Text: style.Text("value"), Present: true}
		t.PersonalityText = style.Optional("text").Text
		t.PersonalityBaked = style.OptionalBool("baked")
	}
	if f.Has("agents_md") {
		t.ProjectDoc = jsonvalue.Optional{Text: f.object("agents_md").Text("text"), Present: true}
	}
	if f.Has("ephemeral") {
		for _, entry := range f.Objects("ephemeral") {
			t.Ephemeral = append(t.Ephemeral, Ephemeral{entry.Text("title"), entry.Text("content")})
		}
	}
}

// persistedTexts are the members of a persisted context that are one optional text.
func (c *Context) persistedTexts() []persistedText {
	return []persistedText{
		{"current_date", &c.CurrentDate},
		{"timezone", &c.Timezone},
		{"model", &c.Model},
		{"personality", &c.Personality},
		{"developer_instructions", &c.DeveloperInstructions},
		{"user_instructions", &c.UserInstructions},
		{"project_doc_instructions", &c.ProjectDoc},
	}
}

type persistedText struct {
	name string
	text *jsonvalue.Optional
}

// context reads a persisted context (ROL-8, REG-33). What nothing compares is ignored.
func (f fields) context(c *Context) {
	c.CWD = f.Text("cwd")
	for _, member := range c.persistedTexts() {
		*member.text = f.Optional(member.name)
	}
	c.Network = f.network("allowed_domains", "denied_domains")
	c.SandboxPolicy = f.Cursor.Member("sandbox_policy").Value
	c.ApprovalPolicy = f.Cursor.Member("approval_policy").Value
	if f.Has("collaboration_mode") {
		c.CollaborationMode = f.collaborationMode()
	}
	if f.Has("realtime_active") {
		active := f.Bool("realtime_active")
		c.RealtimeActive = &active
	}
}

// Value returns the context as it is persisted: absent members are left out (ROL-8).
func (c Context) Value() jsonvalue.Value {
	members := []jsonvalue.Member{jsonvalue.Field("cwd", jsonvalue.OfString(c.CWD))}
	add := func(name string, value jsonvalue.Value) {
		if !value.IsNull() {
			members = append(members, jsonvalue.Field(name, value))
		}
	}
	for _, member := range c.persistedTexts() {
		if member.text.Present {
			add(member.name, jsonvalue.OfString(member.text.Text))
		}
	}
	if c.Network != nil {
		add("network", jsonvalue.OfObject(
			jsonvalue.Field("allowed_domains", jsonvalue.OfStrings(c.Network.Allowed)),
			jsonvalue.Field("denied_domains", jsonvalue.OfStrings(c.Network.Denied))))
	}
	add("sandbox_policy", c.SandboxPolicy)
	add("approval_policy", c.ApprovalPolicy)
	if mode := c.CollaborationMode; mode != nil {
		members := []jsonvalue.Member{jsonvalue.Field("mode", jsonvalue.OfString(mode.Mode))}
		if mode.Text != "" {
			members = append(members, jsonvalue.Field("text", jsonvalue.OfString(mode.Text)))
		}
		add("collaboration_mode", jsonvalue.OfObject(members...))
	}
	if c.RealtimeActive != nil {
		add("realtime_active", jsonvalue.OfBool(*c.RealtimeActive))
	}
	return jsonvalue.OfObject(members...)
}

func (f fields) parameters(p *Parameters) {
	p.ModelSwitchLead = f.Optional("model_switch_lead").Text
	p.PersonalityLead = f.Optional("personality_lead").Text
	p.CollaborationReset = f.Optional("collaboration_reset").Text
	if f.Has("previous_turn_settings") {
		previous := f.object("previous_turn_settings")
		p.Previous = &Settings{previous.Text("model"), previous.OptionalBool("realtime_active")}
	}
	if f.Has("features") {
		features := f.object("features")
		p.PersonalityFeature = features.OptionalBool("personality")
		p.ChildAgentsFeature = features.OptionalBool("child_agents")
	}
	if f.Has("additions") {
		additions := f.object("additions")
		p.Additions = Additions{
			MemoryPrompt:      additions.Optional("memory_prompt"),
			Apps:              additions.Optional("apps"),
			CommitAttribution: additions.Optional("commit_attribution"),
			Plugins:           additions.Optional("plugins"),
			SubagentRoster:    additions.Optional("subagent_roster").Text,
		}
	}
}

// environment reads the fields of an environment_context fragment.
func (f fields) environment() environment {
	return environment{
		cwd: f.Optional("cwd"), shell: f.Optional("shell"),
		date: f.Optional("current_date"), timezone: f.Optional("timezone"),
		network: f.network("allowed", "denied"),
	}
}

func (f fields) network(allowed, denied string) *Network {
	if !f.Has("network") {
		return nil
	}
	network := f.object("network")
	return &Network{network.OptionalTexts(allowed), network.OptionalTexts(denied)}
}

func (f fields) collaborationMode() *CollaborationMode {
	mode := f.object("collaboration_mode")
	return &CollaborationMode{mode.Text("mode"), mode.Optional("text").Text}
}

// Decode builds a fragment from the fields of the protocol, of a registered type or generic. Ok is
// false where the fields are right and give no fragment at all.
func Decode(c jsonvalue.Cursor) (f fragment.Fragment, ok bool, err error) {
	f, err = DecodeOne(c)
	if fragment.SaysNothing(err) {
		return fragment.Fragment{}, false, nil
	}
	return f, err == nil, err
}

// DecodeOne is Decode for a caller that must have a fragment: fields that give none are an error at
// the field that makes it so.
func DecodeOne(c jsonvalue.Cursor) (fragment.Fragment, error) {
	var err error
	f := read(c, &err)
	kind := f.Text("type")
	if err != nil {
		return fragment.Fragment{}, err
	}
	if kind == "generic" {
		return f.generic(), err
	}
	for _, e := range Registry {
		for _, form := range e.Forms {
			if form.Type == kind {
				decoded := e.of(form.Body(f))
				decoded.Type = kind
				return decoded, err
			}
		}
	}
	return fragment.Fragment{}, c.Member("type").Fail("%q is no type of fragment of this profile", kind)
}

// generic is a fragment that a caller describes: with markers its body is wrapped (REG-5), without
// it is a plain text. Roles are two (REG-1), and content kinds there are none.
func (f fields) generic() fragment.Fragment {
	g := fragment.Fragment{
		Type: "generic", Role: f.Text("role"), Start: f.Text("start"), End: f.Text("end"), Body: f.Text("body"),
		ContentKind: item.UnknownKind, Separate: f.OptionalBool("separate"),
	}
	if g.Role != item.RoleDeveloper && g.Role != item.RoleUser {
		f.FailAt("role", "want developer or user, got %q", g.Role)
	}
	if g.Start != "" || g.End != "" {
		g.Body = wrapped(g.Body)
	}
	return g
}
