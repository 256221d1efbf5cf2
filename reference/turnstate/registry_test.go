package turnstate

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/item"
)

// The order of REG-8, a group at a time; a row that moves is another prompt.
var inventory = []struct {
	group Group
	names []string
}{
	{TurnStateDeveloper, []string{
		"ModelInstructionsUpdateFragment", "PermissionsUpdateFragment", "CustomDeveloperInstructionsUpdateFragment",
		"CollaborationModeUpdateFragment", "RealtimeUpdateFragment", "PersonalityUpdateFragment",
	}},
	{RuntimeDeveloper, []string{"SubagentRosterContext", "SubagentNotification"}},
	{TurnStateUser, []string{
		"UserInstructionsFragment", "AgentsMdInstructions", "JsReplInstructionsFragment", "SkillsSectionFragment",
		"ChildAgentsInstructionsFragment", "EnvironmentContext", "EphemeralContextFragment",
	}},
	{RuntimeUser, []string{"SkillInstructions", "PluginInstructions", "UserShellCommandFragment", "TurnAbortedMarker"}},
}

func TestRegistryHasTheInventoryInOrder(t *testing.T) {
	rows := Registry
	for _, want := range inventory {
		for _, name := range want.names {
			if len(rows) == 0 {
				t.Fatalf("%s is missing", name)
			}
			if rows[0].Name != name || rows[0].Group != want.group {
				t.Fatalf("got %s (%s), want %s (%s)", rows[0].Name, rows[0].Group, name, want.group)
			}
			rows = rows[1:]
		}
	}
	if len(rows) > 0 {
		t.Errorf("%s is in no inventory", rows[0].Name)
	}
}

func TestEveryTypeIsRegisteredOnce(t *testing.T) {
	seen := map[string]string{}
	for _, e := range Registry {
		for _, f := range e.Forms {
			if before, twice := seen[f.Type]; twice {
				t.Errorf("%s is a type of %s and of %s", f.Type, before, e.Name)
			}
			seen[f.Type] = e.Name
		}
		if e.Start != "" {
			if before, twice := seen[e.Start]; twice {
				t.Errorf("%s begins %s and %s", e.Start, before, e.Name)
			}
			seen[e.Start] = e.Name
		}
	}
}

func TestRowsAreSound(t *testing.T) {
	for _, e := range Registry {
		builders := 0
		if e.Build != nil {
			builders++
		}
		if e.BuildMany != nil {
			builders++
		}
		turnState := e.Group == TurnStateDeveloper || e.Group == TurnStateUser
		switch {
		case turnState && builders != 1, !turnState && builders != 0:
			t.Errorf("%s: %d builders in the group %s", e.Name, builders, e.Group)
		case len(e.Forms) == 0:
			t.Errorf("%s: no way to write it", e.Name)
		case (e.Start == "") != (e.End == ""):
			t.Errorf("%s: one marker alone", e.Name)
		case e.Group.Role() == item.RoleUser && e.Start == "":
			t.Errorf("%s: a user fragment that nothing recognises", e.Name)
		case e.Group.Role() == item.RoleUser && e.Trimmed, e.Trimmed && e.Start == "":
			t.Errorf("%s: trimmed by a marker that no developer text has", e.Name)
		case e.Group.Role() == item.RoleDeveloper && e.Match != nil:
			t.Errorf("%s: a matcher that nobody asks", e.Name)
		case e.Standalone && turnState:
			t.Errorf("%s: built into an envelope and standalone", e.Name)
		}
	}
}

// docs/registry.md shows the registry to people who do not read Go.
func TestTheTableOfTheManualIsTheRegistry(t *testing.T) {
	page, err := os.ReadFile("../../docs/registry.md")
	if err != nil {
		t.Fatal(err)
	}
	want := "| | type | in the design | group | markers | built | recognised by | rule |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n"
	for i, e := range Registry {
		types := []string{}
		for _, f := range e.Forms {
			types = append(types, "`"+f.Type+"`")
		}
		want += fmt.Sprintf("| %d | %s | `%s` | %s | %s | %s | %s | %s |\n", i+1,
			strings.Join(types, ", "), e.Name, e.Group, markers(e), built(e), recognised(e), e.Requirement)
	}
	_, rest, _ := strings.Cut(string(page), "\n## The inventory\n")
	_, table, _ := strings.Cut(rest, "\n| |")
	table, _, _ = strings.Cut("| |"+table, "\n\n")
	if table+"\n" != want {
		t.Errorf("docs/registry.md has\n%s\nwant\n%s", table, want)
	}
}

func markers(e Entry) string {
	if e.Start == "" {
		return "none"
	}
	return "`` " + e.Start + " `` … `" + e.End + "`"
}

func built(e Entry) string {
	switch {
	case e.Build != nil:
		return "one"
	case e.BuildMany != nil:
		return "many"
	case e.Standalone:
		return "no; a message of its own"
	default:
		return "no"
	}
}

func recognised(e Entry) string {
	switch {
	case e.Match != nil:
		return "a matcher of its own"
	case e.Group.Role() == item.RoleUser:
		return "both markers"
	case e.Trimmed:
		return "its start"
	default:
		return "nothing"
	}
}
