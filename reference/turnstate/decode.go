package turnstate

import (
	"errors"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// DecodeTurn reads the params of turnstate/build, `{current, reference, params}` (docs/protocol.md).
// Reference may be null.
func DecodeTurn(c jsonvalue.Cursor) (Turn, error) {
	var err error
	params := fields{c, &err}
	t := Turn{}
	params.object("current").current(&t)
	if params.has("reference") {
		t.Reference = new(Context)
		params.object("reference").context(t.Reference)
	}
	params.object("params").parameters(&t.Parameters)
	return t, err
}

// current reads how things are. What it shares with the persisted context has other names there.
func (f fields) current(t *Turn) {
	t.CWD = f.text("cwd")
	t.Shell = f.optional("shell")
	t.CurrentDate = f.optional("current_date")
	t.Timezone = f.optional("timezone")
	t.Network = f.network("allowed", "denied")
	t.DeveloperInstructions = f.optional("developer_instructions")
	t.UserInstructions = f.optional("user_instructions")
	t.JSREPL = f.optional("js_repl")
	t.SkillsSection = f.optional("skills_section")
	t.ChildAgents = f.optional("child_agents")
	if f.has("model") {
		model := f.object("model")
		t.Model = fragment.Optional{Text: model.text("slug"), Present: true}
		t.ModelInstructions = model.optional("instructions").Text
	}
	if f.has("permissions") {
		policies := f.object("permissions")
		t.SandboxPolicy, t.ApprovalPolicy = policies.required("sandbox_policy"), policies.required("approval_policy")
		t.PermissionsText = policies.text("text")
	}
	if f.has("collaboration_mode") {
		t.CollaborationMode = f.collaborationMode()
		t.ModeName = t.CollaborationMode.Mode
		if name := f.object("collaboration_mode").optional("name"); name.Present {
			t.ModeName = name.Text
		}
	}
	active := false
	if f.has("realtime") {
		conversation := f.object("realtime")
		active = conversation.truth("active")
		t.RealtimeStart = conversation.optional("start_text").Text
		t.RealtimeEnd = conversation.optional("end_text").Text
	}
	t.RealtimeActive = &active
	if f.has("personality") {
		style := f.object("personality")
		t.Personality = fragment.Optional{Text: style.text("value"), Present: true}
		t.PersonalityText = style.optional("text").Text
		t.PersonalityBaked = style.optionalTruth("baked")
	}
	if f.has("agents_md") {
		t.ProjectDoc = fragment.Optional{Text: f.object("agents_md").text("text"), Present: true}
	}
	if f.has("ephemeral") {
		for _, entry := range f.objects("ephemeral") {
			t.Ephemeral = append(t.Ephemeral, Ephemeral{entry.text("title"), entry.text("content")})
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
	text *fragment.Optional
}

// context reads a persisted context (ROL-8, REG-33). What nothing compares is ignored.
func (f fields) context(c *Context) {
	c.CWD = f.text("cwd")
	for _, member := range c.persistedTexts() {
		*member.text = f.optional(member.name)
	}
	c.Network = f.network("allowed_domains", "denied_domains")
	c.SandboxPolicy = f.cursor.Member("sandbox_policy").Value
	c.ApprovalPolicy = f.cursor.Member("approval_policy").Value
	if f.has("collaboration_mode") {
		c.CollaborationMode = f.collaborationMode()
	}
	if f.has("realtime_active") {
		active := f.truth("realtime_active")
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
	p.ModelSwitchLead = f.optional("model_switch_lead").Text
	p.PersonalityLead = f.optional("personality_lead").Text
	p.CollaborationReset = f.optional("collaboration_reset").Text
	if f.has("previous_turn_settings") {
		previous := f.object("previous_turn_settings")
		p.Previous = &Settings{previous.text("model"), previous.optionalTruth("realtime_active")}
	}
	if f.has("features") {
		features := f.object("features")
		p.PersonalityFeature = features.optionalTruth("personality")
		p.ChildAgentsFeature = features.optionalTruth("child_agents")
	}
	if f.has("additions") {
		additions := f.object("additions")
		p.Additions = Additions{
			MemoryPrompt:      additions.optional("memory_prompt"),
			Apps:              additions.optional("apps"),
			CommitAttribution: additions.optional("commit_attribution"),
			Plugins:           additions.optional("plugins"),
			SubagentRoster:    additions.optional("subagent_roster").Text,
		}
	}
}

// environment reads the fields of an environment_context fragment.
func (f fields) environment() environment {
	return environment{
		cwd: f.optional("cwd"), shell: f.optional("shell"),
		date: f.optional("current_date"), timezone: f.optional("timezone"),
		network: f.network("allowed", "denied"),
	}
}

func (f fields) network(allowed, denied string) *Network {
	if !f.has("network") {
		return nil
	}
	network := f.object("network")
	return &Network{network.optionalTexts(allowed), network.optionalTexts(denied)}
}

func (f fields) collaborationMode() *CollaborationMode {
	mode := f.object("collaboration_mode")
	return &CollaborationMode{mode.text("mode"), mode.optional("text").Text}
}

// Decode builds a fragment from the fields of the protocol, of a registered type or generic. Ok is
// false where the fields are right and give no fragment at all.
func Decode(c jsonvalue.Cursor) (f fragment.Fragment, ok bool, err error) {
	f, err = DecodeOne(c)
	if nothing := (*nothingToSay)(nil); errors.As(err, &nothing) {
		return fragment.Fragment{}, false, nil
	}
	return f, err == nil, err
}

// DecodeOne is Decode for a caller that must have a fragment: fields that give none are an error at
// the field that makes it so.
func DecodeOne(c jsonvalue.Cursor) (fragment.Fragment, error) {
	var err error
	f := fields{c, &err}
	_, failure := c.Object()
	f.fail(failure)
	kind := f.text("type")
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
		Type: "generic", Role: f.text("role"), Start: f.text("start"), End: f.text("end"), Body: f.text("body"),
		ContentKind: item.UnknownKind, Separate: f.optionalTruth("separate"),
	}
	if g.Role != item.RoleDeveloper && g.Role != item.RoleUser {
		f.failAt("role", "want developer or user, got %q", g.Role)
	}
	if g.Start != "" || g.End != "" {
		g.Body = wrapped(g.Body)
	}
	return g
}
