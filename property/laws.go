package property

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// Laws returns every law of the profile context-fragments/2026-08, in the order of their numbers.
func Laws() []Law {
	return slices.Concat(matcherLaws(), hookLaws(), mergeLaws(), additionalLaws(), patchLaws(), historyLaws(), worldStateLaws())
}

func matcherLaws() []Law {
	return []Law{
		newLaw("LAW-1", "what renders is recognised",
			"A user-role fragment with fixed markers is recognised as its kind, whatever its body, in any ASCII case of its markers and with any white space around it.",
			[]string{"DET-2", "DET-3", "DET-4", "DET-9", "DET-11"}, []string{protocol.FragmentClassify},
			markedTexts(), func(c caller, m markedText) error {
				return expectClassified(c, m.text(), m.kind.kind)
			}),
		newLaw("LAW-2", "nothing but white space may stand outside",
			"A character that is no white space, before or behind a rendered fragment, makes it a person's words.",
			[]string{"DET-2", "DET-3"}, []string{protocol.FragmentClassify},
			// U+FEFF stays out: a hook prompt's reader would drop it, and the body may hold one.
			both(markedTexts(), both(choice("a", "\u200b", "\u0000", "\u001c", "é", "."), choice(true, false))), func(c caller, in pair[markedText, pair[string, bool]]) error {
				stray, atEnd := in.B.A, in.B.B
				text := stray + in.A.text()
				if atEnd {
					text = in.A.text() + stray
				}
				return expectClassified(c, text, "")
			}),
		newLaw("LAW-3", "a letter that only looks alike is another letter",
			"Replacing one marker letter by a Unicode look-alike that folds to it makes the text a person's words.",
			[]string{"DET-4"}, []string{protocol.FragmentClassify},
			both(markedTexts(), numberBelow(64)), func(c caller, in pair[markedText, int]) error {
				text, ok := withLookAlike(in.A, in.B)
				if !ok {
					return nil
				}
				return expectClassified(c, text, "")
			}),
		newLaw("LAW-4", "both markers are needed",
			"A text that misses the last character of its end marker, or the first of its start marker, is a person's words.",
			[]string{"DET-2", "DET-9"}, []string{protocol.FragmentClassify},
			both(markedTexts(), choice(true, false)), func(c caller, in pair[markedText, bool]) error {
				m := in.A
				// The body must not supply the missing character: it is fenced off by letters.
				m.body = "x" + m.body + "x"
				if in.B {
					m.kind.end = m.kind.end[:len(m.kind.end)-1]
				} else {
					m.kind.start = m.kind.start[1:]
				}
				return expectClassified(c, m.text(), "")
			}),
		newLaw("LAW-5", "the matcher judges the two ends alone",
			"marker/match holds exactly when neither marker is empty, the text begins with the one after leading white space and ends with the other before trailing white space, ASCII case aside.",
			[]string{"DET-1", "DET-2", "DET-4", "DET-6", "DET-7", "DET-8"}, []string{protocol.MarkerMatch},
			both(markerPairs(), both(text("a", " ", "\n", "<a>", "</a>", "A", "b", "bc", "é", ">", "\u2003"), numberBelow(8))), func(c caller, in pair[pair[string, string], pair[string, int]]) error {
				start, end, text := in.A.A, in.A.B, in.B.A
				if in.B.B&1 != 0 {
					text = start + text
				}
				if in.B.B&2 != 0 {
					text += end
				}
				if in.B.B&4 != 0 {
					text = " " + swapCase(text, 1) + "\u2003"
				}
				got, err := c.call(protocol.MarkerMatch,
					jsonvalue.Field("start", jsonvalue.OfString(start)),
					jsonvalue.Field("end", jsonvalue.OfString(end)),
					jsonvalue.Field("text", jsonvalue.OfString(text)))
				if err != nil {
					return err
				}
				return expectMember(got, "matches", jsonvalue.OfBool(modelMatches(start, end, text)))
			}),
	}
}

// markerPairs has pairs that overlap, that are empty, that begin or end with white space: where
// matchers differ.
func markerPairs() domain[pair[string, string]] {
	return choice(
		pair[string, string]{"<a>", "</a>"}, pair[string, string]{"a", "a"}, pair[string, string]{"a ", "a"}, pair[string, string]{"a", " a"},
		pair[string, string]{" a", "a"}, pair[string, string]{"a", "a "}, pair[string, string]{"ab", "bc"}, pair[string, string]{"<a>\n", "\n</a>"},
		pair[string, string]{"é>", "<é"}, pair[string, string]{"", "a"}, pair[string, string]{"a", ""}, pair[string, string]{"", ""}, pair[string, string]{"\n", "\n"},
	)
}

// modelMatches says what DET-2 says, in another way than a matcher would: it walks both ends
// character by character.
func modelMatches(start, end, text string) bool {
	if start == "" || end == "" {
		return false
	}
	fold := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= 'A' && r <= 'Z' {
				return r + 'a' - 'A'
			}
			return r
		}, s)
	}
	left := fold(strings.TrimSpace(text + "x")) // the x keeps the tail from being trimmed
	left = left[:len(left)-1]
	return strings.HasPrefix(left, fold(start)) && strings.HasSuffix(strings.TrimRight(left, spaces), fold(end))
}

const spaces = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

var lookAlikes = map[rune]string{'k': "\u212a", 's': "\u017f", 'i': "\u0131"}

// withLookAlike replaces the n-th replaceable letter of the start marker (counting round), and
// reports whether there is one.
func withLookAlike(m markedText, n int) (string, bool) {
	var places []int
	for i, r := range strings.ToLower(m.kind.start) {
		if lookAlikes[r] != "" {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return "", false
	}
	i := places[n%len(places)]
	alike := lookAlikes[rune(strings.ToLower(m.kind.start)[i])]
	m.kind.start = m.kind.start[:i] + alike + m.kind.start[i+1:]
	return m.text(), true
}

func hookLaws() []Law {
	return []Law{
		newLaw("LAW-6", "hook prompts round-trip",
			"A hook prompt with a text and a run id that are not blank renders to a text that is recognised as a hook prompt and gives text and id back, line ends aside.",
			[]string{"DET-50", "DET-53", "DET-55"}, []string{protocol.FragmentRender, protocol.FragmentClassify, protocol.MessageProject},
			both(notBlank(anyText()), notBlank(text("run-1", "é", "<", "&", "\"", "'", " ", ">"))), func(c caller, in pair[string, string]) error {
				rendered, err := c.call(protocol.FragmentRender, jsonvalue.Field("fragment", jsonvalue.OfObject(
					jsonvalue.Field("type", jsonvalue.OfString("hook_prompt")),
					jsonvalue.Field("text", jsonvalue.OfString(in.A)),
					jsonvalue.Field("hook_run_id", jsonvalue.OfString(in.B)))))
				if err != nil {
					return err
				}
				wire, _ := rendered.GetText("text")
				if err := expectClassified(c, wire, "hook_prompt"); err != nil {
					return err
				}
				projected, err := c.call(protocol.MessageProject, jsonvalue.Field("item", userMessage(wire)))
				if err != nil {
					return err
				}
				want := jsonvalue.OfObject(
					jsonvalue.Field("type", jsonvalue.OfString("hook_prompt")),
					jsonvalue.Field("fragments", jsonvalue.OfArray(jsonvalue.OfObject(
						jsonvalue.Field("text", jsonvalue.OfString(in.A)),
						jsonvalue.Field("hook_run_id", jsonvalue.OfString(in.B))))))
				return expectMember(projected, "turn_item", want)
			}),
		newLaw("LAW-7", "one contextual item hides the message",
			"A user message is shown as a person's words, text unchanged, exactly when none of its texts is context.",
			[]string{"DET-81", "DET-82"}, []string{protocol.FragmentClassify, protocol.MessageProject},
			list(choice("a question", "", "<p>x</p>", "<skill>x</skill>", "<SKILL></skill>", "<skill>x", "<external_k>v</external_k>", "  \n"), 4), func(c caller, texts []string) error {
				hidden := false
				contents := make([]jsonvalue.Value, len(texts))
				for i, text := range texts {
					kind, err := classify(c, text)
					if err != nil {
						return err
					}
					hidden = hidden || kind != ""
					contents[i] = jsonvalue.OfObject(jsonvalue.Field("type", jsonvalue.OfString("text")), jsonvalue.Field("text", jsonvalue.OfString(text)))
				}
				want := jsonvalue.Value{}
				if !hidden {
					want = jsonvalue.OfObject(jsonvalue.Field("type", jsonvalue.OfString("user_message")), jsonvalue.Field("content", jsonvalue.OfArray(contents...)))
				}
				projected, err := c.call(protocol.MessageProject, jsonvalue.Field("item", userMessage(texts...)))
				if err != nil {
					return err
				}
				return expectMember(projected, "turn_item", want)
			}),
	}
}

func notBlank(d domain[string]) domain[string] {
	return d.only(func(s string) bool { return strings.TrimSpace(s) != "" }, func(s string) string { return s + "a" })
}

func mergeLaws() []Law {
	return []Law{
		newLaw("LAW-8", "merging keeps order, content and kinds",
			"The texts of the merged messages, read in order, are the fragments' texts in order, each in a message of its own role, with its own kind.",
			[]string{"MRG-10", "MRG-11", "MRG-12", "DET-130"}, []string{protocol.MessageMerge},
			pieceLists(), func(c caller, pieces []piece) error {
				messages, err := merge(c, pieces)
				if err != nil {
					return err
				}
				var got []string
				for _, m := range messages {
					for i, text := range m.texts {
						kind := "(none)"
						if i < len(m.kinds) {
							kind = m.kinds[i]
						}
						got = append(got, fmt.Sprintf("%s %q %s", m.role, text, kind))
					}
				}
				var want []string
				for _, p := range pieces {
					want = append(want, fmt.Sprintf("%s %q test.%s", p.role, p.body, p.role))
				}
				if !slices.Equal(got, want) {
					return fmt.Errorf("texts read in order: got %q, want %q", got, want)
				}
				return nil
			}),
		newLaw("LAW-9", "merging is maximal and never more",
			"Two neighbours share a message exactly when they have one role and neither stands alone.",
			[]string{"MRG-9", "MRG-10"}, []string{protocol.MessageMerge},
			pieceLists(), func(c caller, pieces []piece) error {
				messages, err := merge(c, pieces)
				if err != nil {
					return err
				}
				var want []int
				for i, p := range pieces {
					if i > 0 && p.role == pieces[i-1].role && !p.separate && !pieces[i-1].separate {
						want[len(want)-1]++
					} else {
						want = append(want, 1)
					}
				}
				var got []int
				for _, m := range messages {
					got = append(got, len(m.texts))
				}
				if !slices.Equal(got, want) {
					return fmt.Errorf("items a message: got %v, want %v", got, want)
				}
				return nil
			}),
	}
}

func additionalLaws() []Law {
	emitted := func(c caller, calls ...contextMap) ([][]jsonvalue.Value, error) {
		values := make([]jsonvalue.Value, len(calls))
		for i, call := range calls {
			values[i] = call.value()
		}
		result, err := c.call(protocol.AdditionalMerge, jsonvalue.Field("calls", jsonvalue.OfArray(values...)))
		if err != nil {
			return nil, err
		}
		lists, _ := result.Get("calls")
		var items [][]jsonvalue.Value
		for _, list := range lists.Elements() {
			items = append(items, list.Elements())
		}
		if len(items) != len(calls) {
			return nil, fmt.Errorf("%d calls gave %d lists of items", len(calls), len(items))
		}
		return items, nil
	}
	return []Law{
		newLaw("LAW-10", "additional context is sent again only when it changed",
			"A call emits one message an entry, in byte order of the keys, for exactly the entries that are new or differ in value or kind from the call before.",
			[]string{"DET-115", "LIF-29", "LIF-31"}, []string{protocol.AdditionalMerge},
			both(contextMaps(), contextMaps()), func(c caller, in pair[contextMap, contextMap]) error {
				items, err := emitted(c, in.A, in.B, in.B)
				if err != nil {
					return err
				}
				var want []string
				for _, e := range in.B {
					if old, ok := in.A.lookup(e.key); !ok || old != e {
						want = append(want, e.key)
					}
				}
				slices.Sort(want)
				var got []string
				for _, it := range items[1] {
					m := readMessage(it)
					got = append(got, strings.TrimPrefix(strings.Join(m.kinds, "+"), "additional_content."))
				}
				if !slices.Equal(got, want) {
					return fmt.Errorf("keys emitted by the second call: got %q, want %q", got, want)
				}
				if len(items[2]) != 0 {
					return fmt.Errorf("the same map once more emitted %d items", len(items[2]))
				}
				return nil
			}),
		newLaw("LAW-11", "untrusted context is hidden, trusted context is not the user's",
			"What additional context emits is recognised as context in role user when it is untrusted and its key has no `>`, and stands in role developer when it comes from the application.",
			[]string{"DET-111", "DET-113"}, []string{protocol.AdditionalMerge, protocol.FragmentClassify},
			contextMaps(), func(c caller, in contextMap) error {
				items, err := emitted(c, in)
				if err != nil {
					return err
				}
				for _, it := range items[0] {
					m := readMessage(it)
					key := strings.TrimPrefix(strings.Join(m.kinds, "+"), "additional_content.")
					e, _ := in.lookup(key)
					if want := map[string]string{"untrusted": "user", "application": "developer"}[e.kind]; m.role != want {
						return fmt.Errorf("key %q: got role %q, want %q", key, m.role, want)
					}
					if m.role == "user" {
						if err := expectClassified(c, strings.Join(m.texts, ""), "additional_context"); err != nil {
							return err
						}
					}
				}
				return nil
			}),
	}
}

func patchLaws() []Law {
	return []Law{
		newLaw("LAW-12", "a patch leads from the one snapshot to the other",
			"Applying the patch made from two snapshots to the first gives the second; two equal snapshots make no patch at all.",
			[]string{"WLD-15", "WLD-16", "WLD-20", "WLD-21"}, []string{protocol.MergePatchCreate, protocol.MergePatchApply},
			both(documents(), documents()), func(c caller, in pair[jsonvalue.Value, jsonvalue.Value]) error {
				created, err := c.call(protocol.MergePatchCreate, jsonvalue.Field("previous", in.A), jsonvalue.Field("current", in.B))
				if err != nil {
					return err
				}
				patch, _ := created.Get("patch")
				if same := jsonvalue.Equal(in.A, in.B); same != patch.IsNull() {
					return fmt.Errorf("snapshots equal: %v, but the patch is %s", same, patch)
				}
				if patch.IsNull() {
					return nil
				}
				applied, err := c.call(protocol.MergePatchApply, jsonvalue.Field("target", in.A), jsonvalue.Field("patch", patch))
				if err != nil {
					return err
				}
				return expectMember(applied, "result", in.B)
			}),
		newLaw("LAW-13", "a patch is applied once",
			"Applying a patch a second time changes nothing.",
			[]string{"WLD-19", "WLD-20"}, []string{protocol.MergePatchApply},
			both(documents(), documents()), func(c caller, in pair[jsonvalue.Value, jsonvalue.Value]) error {
				once, err := c.call(protocol.MergePatchApply, jsonvalue.Field("target", in.A), jsonvalue.Field("patch", in.B))
				if err != nil {
					return err
				}
				result, _ := once.Get("result")
				twice, err := c.call(protocol.MergePatchApply, jsonvalue.Field("target", result), jsonvalue.Field("patch", in.B))
				if err != nil {
					return err
				}
				return expectMember(twice, "result", result)
			}),
	}
}

func historyLaws() []Law {
	return []Law{
		newLaw("LAW-14", "turns start where a person or an agent speaks",
			"The boundaries are exactly the user messages without context, the agent messages and the inter-agent messages, in order.",
			[]string{"DET-100", "DET-101", "DET-102", "HIS-6", "HIS-7"}, []string{protocol.HistoryTurns},
			histories(), func(c caller, history []historyItem) error {
				got, err := turns(c, itemsOf(history))
				if err != nil {
					return err
				}
				if want := boundaries(history); !slices.Equal(got, want) {
					return fmt.Errorf("boundaries of %s: got %v, want %v", names(history), got, want)
				}
				return nil
			}),
		newLaw("LAW-15", "rolling back k turns leaves n−k",
			"After a rollback of k of n turns, n−k boundaries are left, what is left is a prefix of the history, nothing before the first boundary is touched, and only context goes beyond the turn itself.",
			[]string{"HIS-12", "HIS-13", "HIS-14", "HIS-15"}, []string{protocol.HistoryRollback},
			both(histories(), numberBelow(6)), func(c caller, in pair[[]historyItem, int]) error {
				history, count := in.A, in.B
				left, _, err := rollback(c, itemsOf(history), count)
				if err != nil {
					return err
				}
				starts := boundaries(history)
				cut := len(history)
				if count > 0 && len(starts) > 0 {
					cut = starts[max(0, len(starts)-count)]
					for cut > starts[0] && history[cut-1].trimmed {
						cut--
					}
				}
				if want := itemsOf(history[:cut]); !jsonvalue.Equal(left, want) {
					return fmt.Errorf("rolling back %d of %s: %d items left, want the first %d", count, names(history), len(left.Elements()), cut)
				}
				return nil
			}),
		newLaw("LAW-16", "two rollbacks are one",
			"Rolling back j turns and then k leaves the same items as rolling back j+k.",
			[]string{"HIS-14", "HIS-15"}, []string{protocol.HistoryRollback},
			both(histories(), both(numberBelow(4), numberBelow(4))), func(c caller, in pair[[]historyItem, pair[int, int]]) error {
				first, _, err := rollback(c, itemsOf(in.A), in.B.A)
				if err != nil {
					return err
				}
				twice, _, err := rollback(c, first, in.B.B)
				if err != nil {
					return err
				}
				once, _, err := rollback(c, itemsOf(in.A), in.B.A+in.B.B)
				if err != nil {
					return err
				}
				if !jsonvalue.Equal(twice, once) {
					return fmt.Errorf("%s: %d and then %d leave %d items, %d at once %d", names(in.A), in.B.A, in.B.B,
						len(twice.Elements()), in.B.A+in.B.B, len(once.Elements()))
				}
				return nil
			}),
		newLaw("LAW-17", "a trimmed mixed bundle costs the reference",
			"The reference is lost exactly when a message directly above the final cut, below the first boundary, mixes context with other developer text.",
			[]string{"DET-106", "HIS-16", "HIS-17"}, []string{protocol.HistoryRollback},
			both(histories(), numberBelow(4)), func(c caller, in pair[[]historyItem, int]) error {
				history, count := in.A, in.B
				_, kept, err := rollback(c, itemsOf(history), count)
				if err != nil {
					return err
				}
				want := true
				if starts := boundaries(history); count > 0 && len(starts) > 0 {
					for cut := starts[max(0, len(starts)-count)]; cut > starts[0] && history[cut-1].trimmed; cut-- {
						want = want && !history[cut-1].mixed
					}
				}
				if kept != want {
					return fmt.Errorf("rolling back %d of %s: reference kept %v, want %v", count, names(history), kept, want)
				}
				return nil
			}),
		newLaw("LAW-18", "normalising twice changes nothing",
			"A normalised history stays as it is, and messages and unknown items pass through untouched when every medium is supported.",
			[]string{"HIS-20", "PRO-5"}, []string{protocol.HistoryNormalize},
			both(histories(), choice("text image audio", "text", "text image")), func(c caller, in pair[[]historyItem, string]) error {
				media := jsonvalue.OfStrings(strings.Fields(in.B))
				normalize := func(items jsonvalue.Value) (jsonvalue.Value, error) {
					result, err := c.call(protocol.HistoryNormalize, jsonvalue.Field("items", items), jsonvalue.Field("modalities", media))
					normalized, _ := result.Get("items")
					return normalized, err
				}
				once, err := normalize(itemsOf(in.A))
				if err != nil {
					return err
				}
				twice, err := normalize(once)
				if err != nil {
					return err
				}
				if !jsonvalue.Equal(once, twice) {
					return fmt.Errorf("%s: a second pass changed the items", names(in.A))
				}
				if in.B != "text image audio" {
					return nil
				}
				plain := func(items []jsonvalue.Value) []jsonvalue.Value {
					return slices.DeleteFunc(slices.Clone(items), func(v jsonvalue.Value) bool {
						kind, _ := v.GetText("type")
						return strings.HasPrefix(kind, "function_call")
					})
				}
				if got, want := jsonvalue.OfArray(plain(once.Elements())...), jsonvalue.OfArray(plain(itemsOf(in.A).Elements())...); !jsonvalue.Equal(got, want) {
					return fmt.Errorf("%s: items that are no calls changed", names(in.A))
				}
				return nil
			}),
		newLaw("LAW-19", "calls and outputs go in pairs",
			"In a normalised history every call has an output and every output a call.",
			[]string{"HIS-21", "HIS-23"}, []string{protocol.HistoryNormalize},
			histories(), func(c caller, history []historyItem) error {
				result, err := c.call(protocol.HistoryNormalize, jsonvalue.Field("items", itemsOf(history)), jsonvalue.Field("modalities", jsonvalue.OfStrings([]string{"text", "image", "audio"})))
				if err != nil {
					return err
				}
				items, _ := result.Get("items")
				calls, outputs := map[string]bool{}, map[string]bool{}
				for _, it := range items.Elements() {
					id, _ := it.GetText("call_id")
					switch kind, _ := it.GetText("type"); kind {
					case "function_call":
						calls[id] = true
					case "function_call_output":
						outputs[id] = true
					}
				}
				if !maps.Equal(calls, outputs) {
					return fmt.Errorf("%s: calls %v, outputs %v", names(history), calls, outputs)
				}
				return nil
			}),
	}
}

func names(history []historyItem) string {
	words := make([]string, len(history))
	for i, it := range history {
		words[i] = it.name
	}
	return "[" + strings.Join(words, ", ") + "]"
}
