package worldstate

import (
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// concrete has the constructor of each section. The cursor stands on the section: its state is the
// member "current", its fixed texts come in as fields. It sets everything but the id.
var concrete = map[string]func(c jsonvalue.Cursor) (Section, error){
	"model":                          modelSection,
	"personality":                    personalitySection,
	"context_window":                 contextWindowSection,
	"context_window_guidance":        contextWindowGuidanceSection,
	"realtime":                       realtimeSection,
	"agents_md":                      agentsMDSection,
	"permissions":                    permissionsSection,
	"approved_command_prefixes":      approvedCommandPrefixesSection,
	"collaboration_mode":             collaborationModeSection,
	"environments":                   environmentsSection,
	"environments_instructions":      switchedSection("environments_instructions"),
	"apps_instructions":              switchedSection("apps"),
	"plugins_instructions":           switchedSection("plugins"),
	"tools":                          toolsSection,
	"multi_agent_usage_hint":         usageHintSection,
	"multi_agent_mode":               multiAgentModeSection,
	"managed_developer_instructions": managedSection,
}

// Decode reads the sections of a request: each concrete, `{id, current}`, or declared, with a
// `fragment` (docs/protocol.md). A concrete section of an id that is none of ours is an
// UnsupportedSection.
func Decode(c jsonvalue.Cursor) ([]Section, error) {
	elements, err := c.Elements()
	if err != nil {
		return nil, err
	}
	sections := make([]Section, len(elements))
	for i, element := range elements {
		if sections[i], err = decodeSection(element); err != nil {
			return nil, err
		}
	}
	return sections, nil
}

func decodeSection(c jsonvalue.Cursor) (Section, error) {
	id, err := c.Member("id").Text()
	if err != nil {
		return Section{}, err
	}
	construct, ok := concrete[id]
	if c.Has("fragment") {
		construct, ok = declaredSection, true
	}
	if !ok {
		return Section{}, &UnsupportedSection{id}
	}
	section, err := construct(c)
	section.ID = id
	return section, err
}

// UnsupportedSection reports a section that is neither declared nor known by its id.
type UnsupportedSection struct{ ID string }

func (e *UnsupportedSection) Error() string { return "unknown world-state section " + e.ID }

// read returns a reader of the state of a section and where it puts its first error.
func read(c jsonvalue.Cursor) (current jsonvalue.Reader, err *error) {
	err = new(error)
	return jsonvalue.NewReader(c.Member("current"), err), err
}
