package property

import (
	"slices"
	"strings"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// The pieces that texts are made of: what a matcher, an escaper or a parser might trip over.
var pieces = []string{
	"a", "word ", " ", "\n", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff", "é", "\U0001F600", "\u212a", "\u017f", "\u0130",
	"<", ">", "&", "\"", "'", "</", "/>", "&lt;", "&amp;", "&#65;", "]]>", "<!--", "-->", "<![CDATA[", "<?", "?>", "\\", "{}", "%s",
	"<skill>", "</skill>", "<environment_context>", "</environment_context>", "<turn_aborted>", "</INSTRUCTIONS>", "<external_k>", "</external_k>", "<p hook_run_id=\"1\">x</p>",
}

func anyText() domain[string] { return text(pieces...) }

// A marked kind is a user-role fragment that the default matcher recognises.
type markedKind struct{ kind, start, end string }

var markedKinds = []markedKind{
	{"skill", "<skill>", "</skill>"},
	{"agents_md", "# AGENTS.md instructions", "</INSTRUCTIONS>"},
	{"environment_context", "<environment_context>", "</environment_context>"},
	{"user_shell_command", "<user_shell_command>", "</user_shell_command>"},
	{"turn_aborted", "<turn_aborted>", "</turn_aborted>"},
	{"subagent_notification", "<subagent_notification>", "</subagent_notification>"},
	{"recommended_plugins", "<recommended_plugins>", "</recommended_plugins>"},
}

// markedText is a rendered fragment in disguise: other ASCII case, white space around it.
type markedText struct {
	kind          markedKind
	body          string
	swapped       int // every how many letters of the markers the ASCII case is turned; 0 none
	before, after string
}

func (m markedText) text() string {
	return m.before + swapCase(m.kind.start, m.swapped) + m.body + swapCase(m.kind.end, m.swapped) + m.after
}

// swapCase turns the case of every n-th byte that is an ASCII letter.
func swapCase(s string, n int) string {
	swapped := []byte(s)
	for i := range swapped {
		if n > 0 && i%n == 0 && (swapped[i]|0x20 >= 'a' && swapped[i]|0x20 <= 'z') {
			swapped[i] ^= 0x20
		}
	}
	return string(swapped)
}

func markedTexts() domain[markedText] {
	kinds, bodies := choice(markedKinds...), anyText()
	spaces := text(" ", "\n", "\t", "\r", "\v", "\f", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000")
	onlySpace := func(s string) bool { return strings.TrimSpace(s) == "" }
	spaces = spaces.only(onlySpace, func(string) string { return " " })
	return domain[markedText]{
		draw: func(s source) markedText {
			return markedText{kinds.draw(s), bodies.draw(s), s.below(4), spaces.draw(s), spaces.draw(s)}
		},
		shrink: func(m markedText) []markedText {
			var candidates []markedText
			add := func(change func(*markedText)) {
				candidate := m
				change(&candidate)
				candidates = append(candidates, candidate)
			}
			for _, smaller := range kinds.shrink(m.kind) {
				add(func(c *markedText) { c.kind = smaller })
			}
			for _, smaller := range bodies.shrink(m.body) {
				add(func(c *markedText) { c.body = smaller })
			}
			for smaller := range m.swapped {
				add(func(c *markedText) { c.swapped = smaller })
			}
			for _, smaller := range spaces.shrink(m.before) {
				add(func(c *markedText) { c.before = smaller })
			}
			for _, smaller := range spaces.shrink(m.after) {
				add(func(c *markedText) { c.after = smaller })
			}
			return candidates
		},
	}
}

// piece is a generic fragment to merge.
type piece struct {
	role, body string
	separate   bool
}

func (p piece) fragment() jsonvalue.Value {
	return jsonvalue.OfObject(
		jsonvalue.Field("type", jsonvalue.OfString("generic")),
		jsonvalue.Field("role", jsonvalue.OfString(p.role)),
		jsonvalue.Field("start", jsonvalue.OfString("")),
		jsonvalue.Field("end", jsonvalue.OfString("")),
		jsonvalue.Field("body", jsonvalue.OfString(p.body)),
		jsonvalue.Field("content_kind", jsonvalue.OfString("test."+p.role)),
		jsonvalue.Field("separate", jsonvalue.OfBool(p.separate)),
	)
}

func fragments(pieces []piece) jsonvalue.Value {
	values := make([]jsonvalue.Value, len(pieces))
	for i, p := range pieces {
		values[i] = p.fragment()
	}
	return jsonvalue.OfArray(values...)
}

func pieceLists() domain[[]piece] {
	roles, bodies := choice("user", "developer"), choice("", "a", "b", "\n\n", "<skill>x</skill>")
	return list(domain[piece]{
		draw: func(s source) piece { return piece{roles.draw(s), bodies.draw(s), s.below(3) == 0} },
		shrink: func(p piece) []piece {
			var candidates []piece
			if p.separate {
				candidates = append(candidates, piece{p.role, p.body, false})
			}
			for _, role := range roles.shrink(p.role) {
				candidates = append(candidates, piece{role, p.body, p.separate})
			}
			for _, body := range bodies.shrink(p.body) {
				candidates = append(candidates, piece{p.role, body, p.separate})
			}
			return candidates
		},
	}, 12)
}

// historyItem is one kind of item that a history can hold, by name. The smaller comes first.
type historyItem struct {
	name, item string
	boundary   bool
	// trimmed: it goes with the turn that follows it directly.
	trimmed bool
	// mixed: trimming it costs the reference.
	mixed bool
}

var historyItems = []historyItem{
	{name: "typed", item: `{"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]}`, boundary: true},
	{name: "answer", item: `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}`},
	{name: "environment", item: `{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"}]}`, trimmed: true},
	{name: "permissions", item: `{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>\nread-only\n</permissions instructions>"}]}`, trimmed: true},
	{name: "mixed bundle", item: `{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>\nfull\n</permissions instructions>"},{"type":"input_text","text":"be brief"}]}`, trimmed: true, mixed: true},
	{name: "developer text", item: `{"type":"message","role":"developer","content":[{"type":"input_text","text":"be brief"}]}`},
	{name: "hidden question", item: `{"type":"message","role":"user","content":[{"type":"input_text","text":"a question"},{"type":"input_text","text":"<skill>x</skill>"}]}`, trimmed: true},
	{name: "image", item: `{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:,x"}]}`, boundary: true},
	{name: "no content", item: `{"type":"message","role":"user","content":[]}`, boundary: true},
	{name: "agent message", item: `{"type":"agent_message","author":"/root","recipient":"/root/a","content":[]}`, boundary: true},
	{name: "inter-agent", item: `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"{\"author\":\"/root\",\"recipient\":\"/root/a\",\"content\":\"go\",\"trigger_turn\":true}"}]}`, boundary: true},
	{name: "reasoning", item: `{"type":"reasoning","id":"rs_1","summary":[],"future":{"n":1e400}}`},
	{name: "unknown type", item: `{"type":"from_the_future","x":[null,{"y":1.0}]}`},
	{name: "call", item: `{"type":"function_call","name":"f","arguments":"{}","call_id":"c1"}`},
	{name: "output", item: `{"type":"function_call_output","call_id":"c1","output":"ok"}`},
}

func histories() domain[[]historyItem] { return list(choice(historyItems...), 16) }

func itemsOf(history []historyItem) jsonvalue.Value {
	values := make([]jsonvalue.Value, len(history))
	for i, it := range history {
		values[i] = jsonvalue.MustParse(it.item)
	}
	return jsonvalue.OfArray(values...)
}

// boundaries are the indices at which a turn starts.
func boundaries(history []historyItem) []int {
	found := []int{}
	for i, it := range history {
		if it.boundary {
			found = append(found, i)
		}
	}
	return found
}

// entry is one value of additional context.
type entry struct{ key, value, kind string }

// contextMap is the additional context of one request; keys are distinct.
type contextMap []entry

func (m contextMap) value() jsonvalue.Value {
	members := make([]jsonvalue.Member, len(m))
	for i, e := range m {
		members[i] = jsonvalue.Field(e.key, jsonvalue.OfObject(
			jsonvalue.Field("value", jsonvalue.OfString(e.value)),
			jsonvalue.Field("kind", jsonvalue.OfString(e.kind)),
		))
	}
	return jsonvalue.OfObject(members...)
}

func (m contextMap) lookup(key string) (entry, bool) {
	i := slices.IndexFunc(m, func(e entry) bool { return e.key == key })
	if i < 0 {
		return entry{}, false
	}
	return m[i], true
}

func contextMaps() domain[contextMap] {
	keys := choice("k", "K", "", "a b", "é", "tools", "__proto__", "k2", "\n", "<")
	values := choice("v", "w", "", "</external_k>", "<&>\"'", strings.Repeat("x", 4001), strings.Repeat("é", 2001))
	kinds := choice("untrusted", "application")
	entries := list(domain[entry]{
		draw: func(s source) entry { return entry{keys.draw(s), values.draw(s), kinds.draw(s)} },
		shrink: func(e entry) []entry {
			var candidates []entry
			for _, key := range keys.shrink(e.key) {
				candidates = append(candidates, entry{key, e.value, e.kind})
			}
			for _, value := range values.shrink(e.value) {
				candidates = append(candidates, entry{e.key, value, e.kind})
			}
			for _, kind := range kinds.shrink(e.kind) {
				candidates = append(candidates, entry{e.key, e.value, kind})
			}
			return candidates
		},
	}, 5)
	return domain[contextMap]{
		draw: func(s source) contextMap { return distinctKeys(entries.draw(s)) },
		shrink: func(m contextMap) []contextMap {
			var candidates []contextMap
			for _, smaller := range entries.shrink(m) {
				if len(distinctKeys(smaller)) == len(smaller) {
					candidates = append(candidates, smaller)
				}
			}
			return candidates
		},
	}
}

// distinctKeys keeps the first entry of each key.
func distinctKeys(entries []entry) contextMap {
	kept := contextMap{}
	for _, e := range entries {
		if _, ok := kept.lookup(e.key); !ok {
			kept = append(kept, e)
		}
	}
	return kept
}

// documents draws JSON objects without null members, as snapshots are: nulls stand only in arrays.
func documents() domain[jsonvalue.Value] {
	return domain[jsonvalue.Value]{
		draw:   func(s source) jsonvalue.Value { return drawObject(s, 3) },
		shrink: shrinkDocument,
	}
}

var (
	memberNames = []string{"a", "b", "", "__proto__", "a/b", "é"}
	scalars     = []string{`1`, `1.0`, `"x"`, `""`, `true`, `false`, `[]`, `[null]`, `[{"a":null}]`, `{}`, `-0.0`, `1e400`}
)

func drawObject(s source, depth int) jsonvalue.Value {
	object := jsonvalue.OfObject()
	for range s.below(4) {
		name := memberNames[s.below(len(memberNames))]
		if depth > 0 && s.below(2) == 0 {
			object = object.With(name, drawObject(s, depth-1))
		} else {
			object = object.With(name, jsonvalue.MustParse(scalars[s.below(len(scalars))]))
		}
	}
	return object
}

func shrinkDocument(v jsonvalue.Value) []jsonvalue.Value {
	var candidates []jsonvalue.Value
	for _, m := range v.Members() {
		candidates = append(candidates, v.Without(m.Name))
		if m.Value.Kind() == jsonvalue.Object {
			for _, smaller := range shrinkDocument(m.Value) {
				candidates = append(candidates, v.With(m.Name, smaller))
			}
		} else if m.Value.String() != "1" {
			candidates = append(candidates, v.With(m.Name, jsonvalue.OfInt(1)))
		}
	}
	return candidates
}
