package fragment

import "github.com/contextfragments/conform/reference/item"

// shape is what all fragments of a kind share.
type shape struct {
	role        string
	start, end  string
	contentKind string
	separate    bool
}

const (
	user      = item.RoleUser
	developer = item.RoleDeveloper
)

// shapes has a row a kind (DET-22…37, DET-110…114, DEV-1…28). additional_context is here in its user
// form. Its content kind, and that of internal_model_context, still lacks the name that goes into it.
var shapes = map[string]shape{
	"agents_md":              {user, "# AGENTS.md instructions", "</INSTRUCTIONS>", "agents_md.instructions", false},
	"environment_context":    {user, "<environment_context>", "</environment_context>", "environments.environment_context", false},
	"additional_context":     {user, "<external_", ">", "additional_content.", false},
	"skill":                  {user, "<skill>", "</skill>", "skills.selected_skill_instructions", false},
	"user_shell_command":     {user, "<user_shell_command>", "</user_shell_command>", "shell.user_command", false},
	"turn_aborted":           {user, "<turn_aborted>", "</turn_aborted>", "generic.turn_aborted", false},
	"subagent_notification":  {user, "<subagent_notification>", "</subagent_notification>", "multi_agent.subagent_notification", false},
	"internal_model_context": {user, "<codex_internal_context", "</codex_internal_context>", ".internal_context", false},
	"recommended_plugins":    {user, "<recommended_plugins>", "</recommended_plugins>", "plugins.recommendations", false},
	"realtime_delegation":    {user, "<realtime_delegation>", "</realtime_delegation>", "realtime_conversation.delegation", false},
	"hook_prompt":            {user, "", "", item.UnknownKind, false},

	"permissions":                    {developer, "<permissions instructions>", "</permissions instructions>", "permissions.instructions", false},
	"approved_command_prefix_saved":  {developer, "", "", "permissions.approved_command_prefix_saved", false},
	"model_switch":                   {developer, "<model_switch>", "</model_switch>", "model_switch.instructions", true},
	"personality":                    {developer, "<personality_spec>", "</personality_spec>", "personality.spec_instructions", true},
	"collaboration_mode":             {developer, "<collaboration_mode>", "</collaboration_mode>", "collaboration_mode.instructions", false},
	"multi_agent_mode":               {developer, "<multi_agent_mode>", "</multi_agent_mode>", "multi_agent.mode_instructions", false},
	"multi_agent_role":               {developer, "<multi_agent_role>", "</multi_agent_role>", "multi_agent.role_instructions", true},
	"multi_agent_usage_hint":         {developer, "", "", "multi_agent.usage_hint", true},
	"realtime_start":                 {developer, "<realtime_conversation>", "</realtime_conversation>", "realtime_conversation.start_instructions", false},
	"realtime_end":                   {developer, "<realtime_conversation>", "</realtime_conversation>", "realtime_conversation.end_instructions", false},
	"apps":                           {developer, "<apps_instructions>", "</apps_instructions>", "apps.instructions", false},
	"plugins":                        {developer, "<plugins_instructions>", "</plugins_instructions>", "plugins.usage_instructions", false},
	"skills":                         {developer, "<skills_instructions>", "</skills_instructions>", "skills.catalog", false},
	"tools":                          {developer, "<tools>", "</tools>", "tools.deferred_namespaces", false},
	"environments_instructions":      {developer, "<environments_instructions>", "</environments_instructions>", "environments.instructions", false},
	"git_attribution":                {developer, "<git_attribution>", "</git_attribution>", "git_attribution.instructions", false},
	"context_window":                 {developer, "<context_window>", "</context_window>", "token_budget.context_window", true},
	"context_window_guidance":        {developer, "<context_window_guidance>", "</context_window_guidance>", "token_budget.context_window_guidance", false},
	"token_budget":                   {developer, "", "", "token_budget.remaining_tokens", false},
	"rollout_budget":                 {developer, "<rollout_budget>\n", "\n</rollout_budget>", "rollout_budget.remaining_tokens", false},
	"image_resize_notice":            {developer, "<image_resize_notice>", "</image_resize_notice>", "images.resize_notice", true},
	"managed_developer_instructions": {developer, "<managed_developer_instructions>", "</managed_developer_instructions>", "managed_config.developer_instructions", true},
	"developer_instructions":         {developer, "", "", "generic.developer_instructions", false},
	"hook_additional_context":        {developer, "", "", "hooks.additional_context", false},
}

// of returns the fragment of a kind with that body.
func of(kind, body string) Fragment {
	s := shapes[kind]
	return Fragment{
		Type: kind, Role: s.role, Start: s.start, End: s.end,
		Body: body, ContentKind: s.contentKind, Separate: s.separate,
	}
}

// Markers returns the markers by which texts of a kind are recognised (DET-10); both are empty for
// an unmarked kind.
func Markers(kind string) (start, end string) { return shapes[kind].start, shapes[kind].end }

// StandsAlone reports whether fragments of a kind demand a message of their own (MRG-13).
func StandsAlone(kind string) bool { return shapes[kind].separate }

// Role returns the role that fragments of a kind are sent with.
func Role(kind string) string { return shapes[kind].role }

// plain are the kinds whose body is one given text, with a LF around it or with nothing.
var plain = map[string]struct {
	field string // its name in the protocol
	lines bool   // LF text LF
}{
	"turn_aborted":              {"guidance", true},      // DET-28
	"collaboration_mode":        {"instructions", false}, // DEV-6
	"multi_agent_usage_hint":    {"text", false},         // DEV-9
	"realtime_start":            {"instructions", true},  // DEV-10
	"realtime_end":              {"instructions", true},  // DEV-10
	"apps":                      {"text", true},          // DEV-11
	"plugins":                   {"text", true},          // DEV-12
	"skills":                    {"text", true},          // DEV-14
	"environments_instructions": {"text", true},          // DEV-16
	"git_attribution":           {"text", true},          // DEV-17
	"context_window_guidance":   {"message", true},       // DEV-19
	"token_budget":              {"text", false},         // DEV-20
	"rollout_budget":            {"text", false},         // DEV-22: its LFs belong to the markers
	"image_resize_notice":       {"text", true},          // DEV-23
	"hook_additional_context":   {"text", false},         // DEV-27
	"developer_instructions":    {"text", false},         // DEV-28
}

// Plain returns a fragment of a kind whose body is one text, such as apps or collaboration_mode.
func Plain(kind, text string) Fragment {
	if plain[kind].lines {
		text = "\n" + text + "\n"
	}
	return of(kind, text)
}
