package recordings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/assemble"
	"github.com/contextfragments/conform/reference/display"
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/history"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// each runs a comparison on every recording. The comparison reports what differs, by input; a
// difference must stand in the table, and a row of the table must be met.
func each(t *testing.T, check string, compare func(r Recording, differs func(input, detail string))) {
	t.Helper()
	met := map[int]map[string]bool{}
	compared := 0
	for _, version := range Versions {
		recordings, err := Load(version)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range recordings {
			compared++
			compare(r, func(input, detail string) {
				row := slices.IndexFunc(Differences, func(d Difference) bool {
					return d.Check == check && (d.Recording == r.Name || d.Recording == Every) && d.Input == input &&
						(d.Versions == nil || slices.Contains(d.Versions, version))
				})
				if row < 0 {
					t.Errorf("%s %s: %q: %s", version, r.Name, input, detail)
					return
				}
				if met[row] == nil {
					met[row] = map[string]bool{}
				}
				met[row][version] = true
			})
		}
	}
	for row, d := range Differences {
		for _, version := range Versions {
			listed := d.Check == check && (d.Versions == nil || slices.Contains(d.Versions, version))
			if listed && !met[row][version] {
				t.Errorf("%s %s: %q: listed as different, and is not", version, d.Recording, d.Input)
			}
		}
	}
	t.Logf("%d recordings compared", compared)
}

// recordedKinds maps the kinds that the program records to the kind that the text rule finds, ""
// where the text must not be recognised.
var recordedKinds = map[string]map[string]string{
	"user": {
		"user.text":                          "",
		"agents_md.instructions":             "agents_md",
		"environments.environment_context":   "environment_context",
		"shell.user_command":                 "user_shell_command",
		"skills.selected_skill_instructions": "skill",
		"additional_content.":                "additional_context",
	},
	"developer": {
		"permissions.instructions":        "permissions",
		"collaboration_mode.instructions": "collaboration_mode",
		"model_switch.instructions":       "model_switch",
		"multi_agent.mode_instructions":   "multi_agent_mode",
		"personality.spec_instructions":   "personality",
		"host_skills.instructions":        "skills",
		"generic.developer_instructions":  "",
		"hooks.additional_context":        "",
		"multi_agent.usage_hint":          "",
		"model.base_instructions":         "",
		"additional_content.":             "",
	},
}

// The program records where each text came from. The text rule must find the same from the text
// alone (DET-14, DET-70, DET-75).
func TestRecordedKinds(t *testing.T) {
	texts := 0
	each(t, CheckKind, func(r Recording, differs func(input, detail string)) {
		items := r.Items()
		for _, request := range r.Requests {
			items = append(items, request.Input...)
		}
		for _, it := range items {
			for _, content := range it.Contents() {
				text, isText := content.InputText()
				kind, _ := content.Value().GetText("kind")
				if strings.HasPrefix(kind, "additional_content.") {
					kind = "additional_content."
				}
				// Injected items have no kind of their own: nothing is known of them here.
				if !isText || kind == "" || kind == item.UnknownKind {
					continue
				}
				want, known := recordedKinds[it.Role()][kind]
				if !known {
					differs(text, fmt.Sprintf("role %s, recorded kind %q: not in the list of this test", it.Role(), kind))
					continue
				}
				texts++
				if got := classify(it.Role(), text); got != want {
					differs(text, fmt.Sprintf("recorded as %s, recognised as %q, want %q", kind, got, want))
				}
			}
		}
	})
	if texts < 1000 {
		t.Errorf("only %d texts were compared", texts)
	}
}

func classify(role, text string) string {
	recognise := fragment.ContextualDeveloper
	if role == item.RoleUser {
		recognise = fragment.ContextualUser
	}
	kind, _ := recognise(text)
	return kind
}

// What a client was shown as the user's message or as a hook prompt is what the persisted item
// projects to, and what projects to nothing was not shown (DET-80 to DET-84). Items that the
// scenario itself put into the history are left out: the program reports them to nobody.
func TestShown(t *testing.T) {
	compared := 0
	each(t, CheckShown, func(r Recording, differs func(input, detail string)) {
		shown, hooks := map[string]bool{}, map[string]bool{}
		for _, event := range slices.Concat(r.Events, r.Turns) {
			switch kind, _ := event.GetText("type"); kind {
			case "userMessage":
				shown[texts(event, "content")] = true
			case "hookPrompt":
				hooks[texts(event, "fragments")] = true
			}
		}
		for _, it := range r.Items() {
			if !it.IsMessage(item.RoleUser) {
				continue
			}
			turnItem := display.Project(it)
			text := texts(turnItem, "content")
			kind, _ := turnItem.GetText("type")
			if kind == "hook_prompt" && len(hooks) > 0 { // a hook ran: its prompts have no kinds either
				text = texts(turnItem, "fragments")
			} else if injected(it) {
				continue
			}
			compared++
			switch {
			case kind == "hook_prompt" && !hooks[text], kind == "user_message" && !shown[text]:
				differs(text, "projects to a "+kind+" and was not shown")
			case kind == "" && shown[allText(it)]:
				differs(allText(it), "was shown and projects to nothing")
			}
		}
	})
	if compared < 300 {
		t.Errorf("only %d items were compared", compared)
	}
}

// injected reports whether the scenario put the item into the history itself: then the program knew
// no kinds for it.
func injected(it item.Item) bool {
	for _, content := range it.Contents() {
		if kind, recorded := content.Value().GetText("kind"); !recorded || kind == item.UnknownKind {
			return true
		}
	}
	return false
}

// allText joins the texts of a message.
func allText(it item.Item) string { return texts(it.Value(), "content") }

// texts joins the texts of a list of contents, other media left out.
func texts(v jsonvalue.Value, member string) string {
	list, _ := v.Get(member)
	var all []string
	for _, element := range list.Elements() {
		if text, ok := element.GetText("text"); ok {
			all = append(all, text)
		}
	}
	return strings.Join(all, " | ")
}

// The scenarios that probe many texts agree with the rules on each of them.
func TestProbes(t *testing.T) {
	probed := 0
	each(t, CheckProbe, func(r Recording, differs func(input, detail string)) {
		switch r.Name {
		case "detect_user_battery":
			for member, want := range map[string]bool{"contextual": true, "user message": false} {
				list, _ := r.Facts.Get(member)
				for _, v := range list.Elements() {
					text, _ := v.Text()
					probed++
					if _, got := fragment.ContextualUser(text); got != want {
						differs(text, fmt.Sprintf("contextual: got %v, want %v", got, want))
					}
				}
			}
		case "legacy_wrappers_trimmed_by_rollback":
			for _, fact := range r.Facts.Members() {
				verdict, _ := fact.Value.Text()
				probed++
				if _, got := fragment.ContextualUser(fact.Name); got != (verdict == "trimmed") {
					differs(fact.Name, fmt.Sprintf("contextual: %v, the program: %s", got, verdict))
				}
			}
		case "rollback_boundaries":
			for _, fact := range r.Facts.Members() {
				verdict, _ := fact.Value.Text()
				probed++
				message := item.Message(item.RoleUser, []item.Content{item.Text(fact.Name)}, nil)
				if got := len(history.Boundaries([]item.Item{message})) == 1; got != (verdict == "boundary") {
					differs(fact.Name, fmt.Sprintf("boundary: %v, the program: %s", got, verdict))
				}
			}
		case "hook_prompt_in_history":
			hook, environment := item.Text(`<hook_prompt hook_run_id="r">do &lt;it&gt;</hook_prompt>`), item.Text("<environment_context>x</environment_context>")
			messages := map[string][]item.Content{
				"alone": {hook}, "hook+env": {hook, environment}, "env+hook": {environment, hook}, "hook+plain": {hook, item.Text("plain")},
				"two hooks": {hook, hook}, "any tag": {item.Text(`<anything hook_run_id="r">do &lt;it&gt;</anything>`)}, "env only": {environment},
			}
			for _, fact := range r.Facts.Members() {
				contents, ok := messages[fact.Name]
				if !ok {
					differs(fact.Name, "no such message in this test")
					continue
				}
				probed++
				want := ""
				for _, shown := range fact.Value.Elements() { // ["hookPrompt", [text…]]
					for _, text := range shown.Elements()[1].Elements() {
						one, _ := text.Text()
						want += one + " | "
					}
				}
				got := texts(display.Project(item.Message(item.RoleUser, contents, nil)), "fragments")
				if got != strings.TrimSuffix(want, " | ") {
					differs(fact.Name, fmt.Sprintf("shows %q, the program %q", got, want))
				}
			}
		}
	})
	if probed < 200 {
		t.Errorf("only %d texts were probed", probed)
	}
}

// The rollout, replayed with the rollback rule at each marker, is the history that the next
// request carries (HIS-12 to HIS-18, ROL-23). Compaction is another chapter.
func TestHistory(t *testing.T) {
	replayed := 0
	each(t, CheckHistory, func(r Recording, differs func(input, detail string)) {
		if len(r.Requests) == 0 || slices.ContainsFunc(r.Rollout, func(line jsonvalue.Value) bool {
			kind, _ := line.GetText("rollout")
			return kind == "compacted"
		}) {
			return
		}
		if stepped(r, "thread/revert") {
			differs(NoMarker, "the file is not the one that the last request was made from")
			return
		}
		var items []item.Item
		for _, line := range r.Rollout {
			kind, _ := line.GetText("rollout")
			event, _ := line.GetText("type")
			switch {
			case kind == "response_item":
				items = append(items, item.FromValue(line.Without("rollout")))
			case kind == "event_msg" && event == "thread_rolled_back":
				turns, err := jsonvalue.At(line).Member("num_turns").Int()
				if err != nil {
					differs("", err.Error())
				}
				items, _, _ = history.Rollback(items, turns, true)
			}
		}
		for len(items) > 0 && items[len(items)-1].IsMessage(item.RoleAssistant) { // the answer to the last request
			items = items[:len(items)-1]
		}
		replayed++
		last := r.Requests[len(r.Requests)-1].Input
		if kind, _ := last[0].Contents()[0].Value().GetText("kind"); kind == "model.base_instructions" {
			differs(BaseInstructions, "the first item of each request is not in the rollout")
			last = last[1:]
		}
		if got, want := summary(items), summary(last); !slices.Equal(got, want) {
			differs("", fmt.Sprintf("replayed\n\t%s\nrequest\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t")))
		}
	})
	if replayed < 80 {
		t.Errorf("only %d recordings were replayed", replayed)
	}
}

func stepped(r Recording, method string) bool {
	return slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Method == method })
}

func summary(items []item.Item) []string {
	lines := make([]string, len(items))
	for i, it := range items {
		lines[i] = it.Type() + " " + it.Role() + " " + allText(it)
	}
	return lines
}

// Each update of a later turn is grouped as its fragments merge (MRG-9 to MRG-11). The initial
// context follows its own order (INI-1).
func TestGrouping(t *testing.T) {
	updates := 0
	each(t, CheckGrouping, func(r Recording, differs func(input, detail string)) {
		if stepped(r, "thread/inject_items") {
			return // what a scenario injects it has grouped itself
		}
		for n := 1; n < len(r.Requests); n++ {
			before, now := r.Requests[n-1].Input, r.Requests[n].Input
			if len(now) < len(before) || !slices.Equal(summary(now[:len(before)]), summary(before)) {
				continue // rolled back or compacted in between
			}
			var update []item.Item
			var fragments []fragment.Fragment
			for _, it := range now[len(before):] {
				kinds := fragmentsOf(it)
				if kinds == nil {
					update, fragments = nil, nil // not an update: start after it
					continue
				}
				update, fragments = append(update, it), append(fragments, kinds...)
				if len(update) > 1 {
					updates++
				}
				if got, want := summary(assemble.Merge(fragments)), summary(update); !slices.Equal(got, want) {
					differs("", fmt.Sprintf("request %d: merged\n\t%s\nsent\n\t%s", n+1, strings.Join(got, "\n\t"), strings.Join(want, "\n\t")))
				}
			}
		}
	})
	if updates < 10 {
		t.Errorf("only %d updates of several messages were compared", updates)
	}
}

// fragmentsOf takes a context message of the world state apart, nil for any other item. Additional
// context, skills and shell commands are recorded one by one and never merged (DET-111).
func fragmentsOf(it item.Item) []fragment.Fragment {
	if it.Type() != item.TypeMessage || it.Role() == item.RoleAssistant {
		return nil
	}
	var fragments []fragment.Fragment
	for _, content := range it.Contents() {
		text, _ := content.InputText()
		switch kind := classify(it.Role(), text); kind {
		case "", "additional_context", "hook_prompt", "skill", "skills", "user_shell_command":
			return nil
		default:
			fragments = append(fragments, fragment.Fragment{Role: it.Role(), Body: text, Separate: fragment.StandsAlone(kind)})
		}
	}
	return fragments
}
