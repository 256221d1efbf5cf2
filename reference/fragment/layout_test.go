package fragment

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

func TestCutMiddle(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct {
		rule, text string
		tokens     int
		want       string
	}{
		{"DET-112: at the limit", x(4000), 1000, x(4000)},
		{"DET-112: one byte more", x(4001), 1000, x(2000) + "…1 tokens truncated…" + x(2000)},
		{"DET-112: four bytes are one token", x(4004), 1000, x(2000) + "…1 tokens truncated…" + x(2000)},
		{"DET-112: rounded up", x(4005), 1000, x(2000) + "…2 tokens truncated…" + x(2000)},
		{"DET-112: which part is which", "a" + x(4100) + "b", 1000, "a" + x(1999) + "…26 tokens truncated…" + x(1999) + "b"},
		{"DET-112: a character at the first cut goes", x(1999) + "é" + x(2000), 1000, x(1999) + "…1 tokens truncated…" + x(2000)},
		{"DET-112: a character at the second cut goes", x(2000) + "é" + x(1999), 1000, x(2000) + "…1 tokens truncated…" + x(1999)},
		{"DET-112: longer characters", x(1998) + "😀" + x(200) + "😀" + x(1998), 1000, x(1998) + "…51 tokens truncated…" + x(1998)},
		{"DET-112: bytes count, not characters", strings.Repeat("é", 2000), 1000, strings.Repeat("é", 2000)},
		{"WLD-40: at the limit", x(1600), 400, x(1600)},
		{"WLD-40: beyond", x(1601), 400, x(800) + "…1 tokens truncated…" + x(800)},
	} {
		if got := cutMiddle(c.text, c.tokens); got != c.want {
			t.Errorf("%s: %d bytes give %.40q…%.40q, want %.40q", c.rule, len(c.text), got, got[len(got)-40:], c.want)
		}
	}
}

func FuzzCutMiddle(f *testing.F) {
	f.Add(strings.Repeat("aé😀", 20), 5)
	f.Fuzz(func(t *testing.T, text string, tokens int) {
		if tokens < 0 || tokens > 1000 || !utf8.ValidString(text) {
			return
		}
		got := cutMiddle(text, tokens)
		first, last, cut := strings.Cut(got, "…")
		switch {
		case len(text) <= 4*tokens:
			if got != text {
				t.Errorf("%q is within %d tokens and becomes %q", text, tokens, got)
			}
		case !utf8.ValidString(got):
			t.Errorf("%q is cut within a character: %q", text, got)
		case !cut || !strings.HasPrefix(text, first) || len(got) > 4*tokens+40:
			t.Errorf("%q becomes %q", text, got)
		case !strings.Contains(text, "…") && !strings.HasSuffix(text, last[strings.LastIndex(last, "…")+len("…"):]):
			t.Errorf("%q becomes %q", text, got)
		}
	})
}

func TestCutOnlyWhatTheFactsName(t *testing.T) {
	long := strings.Repeat("x", 50_000)
	for kind := range plain {
		if got := Plain(kind, long); !strings.Contains(got.Body, long) {
			t.Errorf("%s is cut", kind)
		}
	}
	value := AdditionalContext("k", long, Untrusted).Render()
	if want := 2*2000 + len("…11500 tokens truncated…<external_k></external_k>"); len(value) != want {
		t.Errorf("DET-112: a long value renders to %d bytes, want %d", len(value), want)
	}
	key := AdditionalContext(long, "", Application).Render()
	if len(key) != 2*len(long)+len("<></>") {
		t.Errorf("DET-112: a key is cut to %d bytes", len(key))
	}
	if mode, _ := MultiAgentMode(long); mode.Body != long {
		t.Error("WLD-40: a text that is not custom is cut")
	}
	if custom := CustomModeText(long); len(custom) >= len(long) {
		t.Error("WLD-40: a custom text is not cut")
	}
}

func TestRealtimeDelegationLimit(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	const head, tail = "\n  <input>", "</input>\n"
	for _, c := range []struct{ rule, input, want string }{
		{"at the limit", x(4096), x(4096)},
		{"beyond", x(4097), x(4093) + "…"},
		{"escaped first", strings.Repeat("&", 819), strings.Repeat("&amp;", 819)},
		{"escaped beyond", strings.Repeat("&", 820), strings.Repeat("&amp;", 818) + "&am…"},
		{"whole characters", x(4092) + "éééé", x(4092) + "…"},
	} {
		if got := RealtimeDelegation("", c.input, "").Body; got != head+c.want+tail {
			t.Errorf("DET-37: input %s: %d bytes, ends %q", c.rule, len(got), got[len(got)-20:])
		}
	}
	if got := RealtimeDelegation("", "", x(4096)).Body; !strings.Contains(got, ">"+x(4096)+"<") {
		t.Error("DET-37: a delta at the limit is cut")
	}
	want := "  <transcript_delta>…" + x(4093) + "</transcript_delta>\n"
	if got := RealtimeDelegation("", "", "yyyy"+x(4093)).Body; !strings.HasSuffix(got, want) {
		t.Errorf("DET-37: a long delta keeps its end, got %q…", got[:40])
	}
	want = "  <transcript_delta>…" + x(4092) + "</transcript_delta>\n"
	if got := RealtimeDelegation("", "", "yyyyé"+x(4092)).Body; !strings.HasSuffix(got, want) {
		t.Errorf("DET-37: a delta is cut within a character, got %q…", got[:40])
	}
}

func TestRecommendedPluginsLimit(t *testing.T) {
	plugins := []Plugin{}
	for i := range 51 {
		plugins = append(plugins, Plugin{fmt.Sprint("n", i), "i"})
	}
	f, _ := RecommendedPlugins("x", plugins)
	if strings.Count(f.Body, "\n- ") != 50 || !strings.HasSuffix(f.Body, "- n49 (i)\n") {
		t.Errorf("DET-35: of 51 plugins %d are listed", strings.Count(f.Body, "\n- "))
	}
}

func TestManagedDeveloperInstructionsLimit(t *testing.T) {
	// 40,000 bytes less markers and the LFs around text and notice.
	room := 40_000 - len("<managed_developer_instructions></managed_developer_instructions>\n\n")
	for _, c := range []struct {
		text, notice int
		want         bool
	}{{room, 0, true}, {room + 1, 0, false}, {room - 7, 5, true}, {room - 6, 5, false}} {
		_, ok := ManagedDeveloperInstructions(strings.Repeat("x", c.text), NonEmpty(strings.Repeat("n", c.notice)))
		if ok != c.want {
			t.Errorf("WLD-41: %d bytes and a notice of %d: %v, want %v", c.text, c.notice, ok, c.want)
		}
	}
}

func TestTools(t *testing.T) {
	type m = map[string]string
	for _, c := range []struct {
		rule              string
		previous, current m // a nil previous is not known
		want              string
	}{
		{"WLD-38: first", nil, m{"b": "", "a": "x", "B": "y"}, "Deferred tool namespaces:\n- B: y\n- a: x\n- b\n"},
		{"WLD-38: known as empty", m{}, m{"a": "x"}, "Added deferred tool namespaces:\n- a: x\n"},
		{"WLD-38: added, described anew, the same", m{"a": "x", "b": "y"}, m{"a": "x", "b": "z", "c": ""}, "Added deferred tool namespaces:\n- b: z\n- c\n"},
		{"WLD-38: removed, with the old description", m{"a": "x", "b": "y"}, m{"a": "x"}, "Removed deferred tool namespaces:\n- b: y\n"},
		{"WLD-38: added and removed", m{"a": "x"}, m{"b": "x"}, "Added deferred tool namespaces:\n- b: x\nRemoved deferred tool namespaces:\n- a: x\n"},
		{"WLD-38: none left", m{"a": "x"}, m{}, "Removed deferred tool namespaces:\n- a: x\nNo deferred tool namespaces remain.\n"},
		{"WLD-38: five escapes", nil, m{`<&>"'`: `'"<&>`}, "Deferred tool namespaces:\n- &lt;&amp;&gt;&quot;&apos;: &apos;&quot;&lt;&amp;&gt;\n"},
	} {
		f, ok := Tools(c.previous, c.previous != nil, c.current)
		if want := "<tools>\n" + c.want + "</tools>"; !ok || f.Render() != want {
			t.Errorf("%s: %q, %v; want %q", c.rule, f.Render(), ok, want)
		}
	}
}

func TestToolDescription(t *testing.T) {
	for _, c := range []struct{ rule, description, want string }{
		{"first line", " \tone \r\ntwo", "one"},
		{"a blank first line", "\ntwo", ""},
		{"250 characters", strings.Repeat("é", 250), strings.Repeat("é", 250)},
		{"251 characters", strings.Repeat("é", 251), strings.Repeat("é", 250)},
		{"trimmed before it is cut", "  " + strings.Repeat("x", 249) + " y", strings.Repeat("x", 249) + " "},
		{"another line end", "one\u2028two", "one\u2028two"},
	} {
		if got := ToolDescription(c.description); got != c.want {
			t.Errorf("WLD-38: %s: %q, want %q", c.rule, got, c.want)
		}
	}
}

func TestToolsBudget(t *testing.T) {
	// What one group leaves for its entries, of the 4096 bytes.
	room := 4096 - len("<tools>") - len("</tools>") - 1 - len("Deferred tool namespaces:\n") - 64
	entry := func(first string, bytes int) string { return first + strings.Repeat("x", bytes-len("- \n")-1) }
	line := func(name string) string { return "- " + name + "\n" }

	exact := map[string]string{entry("a", room-100): "", entry("b", 100): ""}
	f, _ := Tools(nil, false, exact)
	if want := "<tools>\nDeferred tool namespaces:\n" + line(entry("a", room-100)) + line(entry("b", 100)) + "</tools>"; f.Render() != want {
		t.Errorf("WLD-38: entries that fit exactly: %d bytes, want %d", len(f.Render()), len(want))
	}

	tooLong := map[string]string{entry("a", room-100): "", entry("b", 101): "", entry("c", 102): "", entry("d", 100): ""}
	f, _ = Tools(nil, false, tooLong)
	want := "<tools>\nDeferred tool namespaces:\n" + line(entry("a", room-100)) + line(entry("d", 100)) +
		"... 2 additional namespaces omitted.\n</tools>"
	if f.Render() != want || len(want) > 4096 {
		t.Errorf("WLD-38: a smaller entry after one that does not fit: %d bytes, want %d", len(f.Render()), len(want))
	}

	// Two groups share one budget, and the closing line counts.
	room = 4096 - len("<tools>") - len("</tools>") - 1 - len("Removed deferred tool namespaces:\n") - 64 - len("No deferred tool namespaces remain.\n")
	for bytes, fits := range map[int]bool{room: true, room + 1: false} {
		f, _ = Tools(map[string]string{entry("a", bytes): ""}, true, nil)
		if got := !strings.Contains(f.Body, "... 1 additional namespaces omitted.\n"); got != fits {
			t.Errorf("WLD-38: an entry of %d bytes beside the closing line fits: %v, want %v", bytes, got, fits)
		}
	}
	room = 4096 - len("<tools>") - len("</tools>") - 1 - len("Added deferred tool namespaces:\n") - len("Removed deferred tool namespaces:\n") - 2*64
	for bytes, fits := range map[int]bool{100: true, 101: false} {
		f, _ = Tools(map[string]string{entry("z", bytes): ""}, true, map[string]string{entry("a", room-100): ""})
		if got := !strings.Contains(f.Body, "omitted"); got != fits {
			t.Errorf("WLD-38: a removed entry of %d bytes after an added one fits: %v, want %v", bytes, got, fits)
		}
	}
}

func TestEnvironmentContext(t *testing.T) {
	for _, c := range []struct{ rule, fields, want string }{
		{"WLD-54: nothing", `{"environments":{}}`, "\n"},
		{"WLD-53: flat", `{"environments":{"local":{"cwd":"/w","shell":"bash"}}}`, "\n  <cwd>/w</cwd>\n  <shell>bash</shell>\n"},
		{"WLD-53: flat without a shell, primary or not", `{"environments":{"local":{"cwd":"","status":"available","primary":true}}}`, "\n  <cwd></cwd>\n"},
		{"WLD-51: one that is starting", `{"environments":{"a":{"cwd":"/w","shell":"sh","status":"starting","primary":true}}}`,
			"\n  <environments>\n    <environment id=\"a\">\n      <cwd>/w</cwd>\n      <status>starting</status>\n      <shell>sh</shell>\n    </environment>\n  </environments>\n"},
		{"WLD-50: one that is gone", `{"environments":{"a":{"status":"unavailable","primary":true}}}`,
			"\n  <environments>\n    <environment id=\"a\" status=\"unavailable\" />\n  </environments>\n"},
		{"WLD-51, WLD-52: several, in byte order", `{"environments":{"é":{"cwd":"/3"},"b":{"cwd":"/2","primary":true},"B":{"cwd":"/1","primary":false}}}`,
			"\n  <environments>\n    <environment id=\"B\" primary=\"false\">\n      <cwd>/1</cwd>\n    </environment>\n" +
				"    <environment id=\"b\" primary=\"true\">\n      <cwd>/2</cwd>\n    </environment>\n" +
				"    <environment id=\"é\" primary=\"false\">\n      <cwd>/3</cwd>\n    </environment>\n  </environments>\n"},
		{"WLD-52: one that is gone counts", `{"environments":{"a":{"cwd":"/w"},"b":{"status":"unavailable"}}}`,
			"\n  <environments>\n    <environment id=\"a\" primary=\"false\">\n      <cwd>/w</cwd>\n    </environment>\n" +
				"    <environment id=\"b\" status=\"unavailable\" />\n  </environments>\n"},
		{"WLD-57: five escapes", `{"environments":{"<&>\"'":{"cwd":"<&>\"'","shell":"<"},"z":{"status":"unavailable"}},"current_date":"<","timezone":"&"}`,
			"\n  <environments>\n    <environment id=\"&lt;&amp;&gt;&quot;&apos;\" primary=\"false\">\n      <cwd>&lt;&amp;&gt;&quot;&apos;</cwd>\n      <shell>&lt;</shell>\n    </environment>\n" +
				"    <environment id=\"z\" status=\"unavailable\" />\n  </environments>\n  <current_date>&lt;</current_date>\n  <timezone>&amp;</timezone>\n"},
		{"WLD-54: the order of the rest", `{"subagents":"a","filesystem":"<filesystem>F</filesystem>","network":{"allowed":["a"]},"timezone":"Z","current_date":"D","environments":{}}`,
			"\n  <current_date>D</current_date>\n  <timezone>Z</timezone>\n  <network enabled=\"true\"><allowed>a</allowed></network>\n  <filesystem>F</filesystem>\n  <subagents>\n    a\n  </subagents>\n"},
		{"WLD-55: domains are not escaped", `{"environments":{},"network":{"allowed":["a<","b"],"denied":["c"]}}`,
			"\n  <network enabled=\"true\"><allowed>a<,b</allowed><denied>c</denied></network>\n"},
		{"WLD-55: empty lists", `{"environments":{},"network":{"allowed":[],"denied":null}}`, "\n  <network enabled=\"true\"></network>\n"},
		{"DET-24: lines of the roster", `{"environments":{},"subagents":"- <a>\r\n\n - b\r"}`, "\n  <subagents>\n    - <a>\n    \n     - b\r\n  </subagents>\n"},
		{"DET-24: empty texts are there", `{"environments":{"a":{"cwd":"","shell":""}},"current_date":"","timezone":"","filesystem":""}`,
			"\n  <cwd></cwd>\n  <shell></shell>\n  <current_date></current_date>\n  <timezone></timezone>\n  <filesystem></filesystem>\n"},
		{"WLD-46: an empty roster is not", `{"environments":{},"subagents":""}`, "\n"},
		{"DET-24: a last LF adds no line", `{"environments":{},"subagents":"a\n"}`, "\n  <subagents>\n    a\n  </subagents>\n"},
		{"PRO-22: a string that is no element", `{"environments":{},"filesystem":"<x/>"}`, "\n  <filesystem><x/></filesystem>\n"},
		{"WLD-56: no profile details", `{"environments":{},"filesystem":{"permission_profile":{"type":"disabled"}}}`,
			"\n  <filesystem><permission_profile type=\"disabled\" /></filesystem>\n"},
		{"WLD-56: unrestricted", `{"environments":{},"filesystem":{"workspace_roots":[],"permission_profile":{"type":"disabled","file_system":{"type":"unrestricted"}}}}`,
			"\n  <filesystem><permission_profile type=\"disabled\"><file_system type=\"unrestricted\" /></permission_profile></filesystem>\n"},
		{"WLD-56: external", `{"environments":{},"filesystem":{"permission_profile":{"type":"external","file_system":{"type":"external","glob_scan_max_depth":2}}}}`,
			"\n  <filesystem><permission_profile type=\"external\"><file_system type=\"external\" /></permission_profile></filesystem>\n"},
		{"WLD-56: restricted to nothing", `{"environments":{},"filesystem":{"permission_profile":{"type":"managed","file_system":{"type":"restricted","entries":[]}}}}`,
			"\n  <filesystem><permission_profile type=\"managed\"><file_system type=\"restricted\" /></permission_profile></filesystem>\n"},
		{"WLD-56: no entries, but a depth", `{"environments":{},"filesystem":{"permission_profile":{"type":"managed","file_system":{"type":"restricted","glob_scan_max_depth":1}}}}`,
			"\n  <filesystem><permission_profile type=\"managed\"><file_system type=\"restricted\" glob_scan_max_depth=\"1\"></file_system></permission_profile></filesystem>\n"},
		{"WLD-56: entries, but no depth", `{"environments":{},"filesystem":{"permission_profile":{"type":"managed","file_system":{"type":"restricted","entries":[{"access":"read","path":"/"}]}}}}`,
			"\n  <filesystem><permission_profile type=\"managed\"><file_system type=\"restricted\"><entry access=\"read\"><path>/</path></entry></file_system></permission_profile></filesystem>\n"},
		{"WLD-56: entries", `{"environments":{},"filesystem":{"workspace_roots":["/a&b","/c"],"permission_profile":{"type":"managed","file_system":{"type":"restricted","glob_scan_max_depth":3,"entries":[
			{"access":"deny","glob":"*.<env>"},{"access":"read","special":":root"},{"access":"write","path":"/w"},{"access":"read","special":":root"},{"access":"read","path":":root"}]}}}}`,
			"\n  <filesystem><workspace_roots><root>/a&amp;b</root><root>/c</root></workspace_roots><permission_profile type=\"managed\"><file_system type=\"restricted\" glob_scan_max_depth=\"3\">" +
				"<entry access=\"deny\" escalatable=\"false\"><glob>*.&lt;env&gt;</glob></entry><entry access=\"read\"><special>:root</special></entry>" +
				"<entry access=\"write\"><path>/w</path></entry><entry access=\"read\"><path>:root</path></entry></file_system></permission_profile></filesystem>\n"},
	} {
		e, err := DecodeEnvironments(jsonvalue.At(jsonvalue.MustParse(c.fields)))
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
		} else if got := e.Fragment().Body; got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.rule, got, c.want)
		}
	}
}

// An update may tell less than there is.
func TestEnvironmentUpdate(t *testing.T) {
	one := Environment{ID: "a", CWD: "/w", Status: Available}
	gone := Environment{ID: "b", Status: Unavailable}
	for _, c := range []struct {
		rule   string
		update Environments
		want   string
	}{
		{"WLD-53: the one did not change", Environments{Only: true, Date: NonEmpty("D")}, "\n  <current_date>D</current_date>\n"},
		{"WLD-53: one of several changed", Environments{Environments: []Environment{one}, Several: true},
			"\n  <environments>\n    <environment id=\"a\" primary=\"false\">\n      <cwd>/w</cwd>\n    </environment>\n  </environments>\n"},
		{"WLD-53: one is left", Environments{Environments: []Environment{gone, one}, Only: true, Several: true},
			"\n  <environments>\n    <environment id=\"a\" primary=\"false\">\n      <cwd>/w</cwd>\n    </environment>\n    <environment id=\"b\" status=\"unavailable\" />\n  </environments>\n"},
	} {
		if got := c.update.Fragment().Body; got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.rule, got, c.want)
		}
	}
}
