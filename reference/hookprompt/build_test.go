package hookprompt

import (
	"slices"
	"strings"
	"testing"
)

func TestRender(t *testing.T) {
	for _, c := range []struct {
		rule, text, id, want string
	}{
		{"DET-50: the wire form", "do it", "r1", `<hook_prompt hook_run_id="r1">do it</hook_prompt>`},
		{"DET-55: text escapes", `a<b>&"'&amp;`, "r", `<hook_prompt hook_run_id="r">a&lt;b&gt;&amp;"'&amp;amp;</hook_prompt>`},
		{"DET-55: attribute escapes", "x", `<a>&"'`, `<hook_prompt hook_run_id="&lt;a&gt;&amp;&quot;'">x</hook_prompt>`},
		{"DET-55: white space stays raw", " \t\r\n\u2028", "a\n\tb", "<hook_prompt hook_run_id=\"a\n\tb\"> \t\r\n\u2028</hook_prompt>"},
		{"DET-55: ]]> is escaped like any >", "x]]>", "r", `<hook_prompt hook_run_id="r">x]]&gt;</hook_prompt>`},
		{"DET-56: no text", "", "r", `<hook_prompt hook_run_id="r"/>`},
		{"DET-56: blank text", " ", "r", `<hook_prompt hook_run_id="r"> </hook_prompt>`},
	} {
		if got := Render(Prompt{c.text, c.id}); got != c.want {
			t.Errorf("%s: %+q, want %+q", c.rule, got, c.want)
		}
	}
}

// Prompts without text are built, and do not read back (DET-56).
func TestRenderBlankDoesNotReadBack(t *testing.T) {
	for _, text := range []string{"", " ", "\n\t\r"} {
		if _, ok := Parse(Render(Prompt{text, "r"})); ok {
			t.Errorf("a prompt with text %+q reads back", text)
		}
	}
}

func TestBuild(t *testing.T) {
	prompts := []Prompt{{"one", "1"}, {"lost", ""}, {"lost", " \u00a0\n"}, {"", "2"}, {"one", "1"}, {"three", "\u200b"}}
	want := []string{
		`<hook_prompt hook_run_id="1">one</hook_prompt>`, `<hook_prompt hook_run_id="2"/>`,
		`<hook_prompt hook_run_id="1">one</hook_prompt>`, "<hook_prompt hook_run_id=\"\u200b\">three</hook_prompt>",
	}
	if got := Build(prompts); !slices.Equal(got, want) {
		t.Errorf("DET-55: Build gives %q, want %q", got, want)
	}
	if got := Build([]Prompt{{"lost", "\t"}}); len(got) != 0 {
		t.Errorf("DET-55: Build of blank ids alone gives %q, want nothing", got)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, p := range []Prompt{
		{`"quotes" & <angles> 'here' &lt; &#65; ]]>`, `r"1'<2>&3`}, {" x ", " r "}, {"\u00a0", "\u200b"}, {"a\n\tb\x00", "stop:0:/h/hooks.json"},
		{"a\r\nb\rc", "1\r\n2\t3"}, {"</hook_prompt>", "\"/>"},
	} {
		checkRoundTrip(t, p)
	}
}

// checkRoundTrip renders and parses. Raw line ends, and white space of the id, do not survive XML (DET-53, DET-66).
func checkRoundTrip(t *testing.T, p Prompt) {
	t.Helper()
	lf := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	want := Prompt{lf.Replace(p.Text), strings.NewReplacer("\n", " ", "\t", " ").Replace(lf.Replace(p.HookRunID))}
	got, ok := Parse(Render(p))
	if strings.Trim(want.Text, " \n\t") == "" {
		if ok {
			t.Errorf("%+q has no text and still reads back as %+q", p, got)
		}
		return
	}
	if !ok || got != want {
		t.Errorf("%+q reads back as %+q, %v; want %+q", p, got, ok, want)
	}
}

func FuzzHookPromptRoundTrip(f *testing.F) {
	f.Add("do <it> & \"that\"", "r1")
	f.Add("\r\n x", "a\tb")
	f.Add("]]>&lt;", "'\"")
	f.Fuzz(func(t *testing.T, text, id string) {
		if strings.TrimSpace(id) != "" {
			checkRoundTrip(t, Prompt{text, id})
		}
	})
}
