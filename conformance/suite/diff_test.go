package suite

import (
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// lines of a text that is long enough for a line diff.
const environment = "<environment_context>\n  <cwd>/home/someone/projects/example</cwd>\n  <shell>bash</shell>\n</environment_context>"

func TestCompare(t *testing.T) {
	tests := []struct {
		name      string
		want, got string
		diff      string // the differences, a line each; "" for equal
	}{
		{"equal", `{"a":[1,"x",null,true]}`, `{"a":[1,"x",null,true]}`, ``},
		{"order of members", `{"a":1,"b":2}`, `{"b":2,"a":1}`, ``},
		{"numbers by value", `[1, 0, 100, 1e400]`, `[1.0, -0.0, 1e2, 10e399]`, ``},
		{"numbers exactly", `9007199254740993`, `9007199254740992`, `the result: want 9007199254740993 got 9007199254740992`},
		{"a number is no string", `1`, `"1"`, `the result: want 1 got "1"`},
		{"null is not absent", `{"a":null}`, `{}`, `/a: want null got nothing`},
		{"absent is not null", `{}`, `{"a":null}`, `/a: want nothing got null`},
		{"x- members in the answer", `{"a":[{}]}`, `{"x-t":1,"a":[{"x-u":{"b":2}}]}`, ``},
		{"x- members in the case", `{"x-t":1,"a":[{"x-u":2}]}`, `{"a":[{}]}`, ``},
		{"x- alone is not enough", `{}`, `{"x":1}`, `/x: want nothing got 1`},
		{"X- is another prefix", `{}`, `{"X-a":1}`, `/X-a: want nothing got 1`},
		{"x- text is not a member", `["x-a"]`, `["x-b"]`, `/0: want "x-a" got "x-b"`},
		{"strings by code point", `"\u00e9"`, `"e\u0301"`, "the result: want \"é\" got \"e\u0301\""},
		{"case of letters", `{"A":1}`, `{"a":1}`, "/A: want 1 got nothing\n/a: want nothing got 1"},
		{"deep", `{"items":[{"content":[{"text":"a"}]}]}`, `{"items":[{"content":[{"text":"b"}]}]}`, `/items/0/content/0/text: want "a" got "b"`},
		{"escaped pointer", `{"a/b~c":1}`, `{"a/b~c":2}`, `/a~1b~0c: want 1 got 2`},
		{"path with an escape sequence", `{}`, `{"\u001b[2J":1}`, `/\u001b[2J: want nothing got 1`},
		{"type", `{"a":[]}`, `{"a":{}}`, `/a: want [] got {}`},
		{"order of elements", `[1,2]`, `[2,1]`, "/0: want 1 got 2\n/1: want 2 got 1"},
		{"element missing at the end", `[1,2,3]`, `[1,2]`, `/2: want 3 got nothing`},
		{"element missing in front", `[1,2,3]`, `[2,3]`, `/0: want 1 got nothing`},
		{"element missing inside", `[1,2,3,4]`, `[1,2,4]`, `/2: want 3 got nothing`},
		{"element too many inside", `[1,2,4]`, `[1,2,3,4]`, `/2: want nothing got 3`},
		{"element too many, equal neighbours", `[1,1]`, `[1,1,1]`, `/2: want nothing got 1`},
		{"missing before a changed one", `["aaaaaaaa",{"k":"bbbb","l":"cccc"}]`, `[{"k":"bbbb","l":"dddd"}]`, "/0: want \"aaaaaaaa\" got nothing\n/1/l: want \"cccc\" got \"dddd\""},
		{"too many before a changed one", `[{"k":"bbbb","l":"cccc"}]`, `["aaaaaaaa",{"k":"bbbb","l":"dddd"}]`, "/0: want nothing got \"aaaaaaaa\"\n/0/l: want \"cccc\" got \"dddd\""},
		{"missing behind a changed one", `[{"k":"bbbb","l":"cccc"},"aaaaaaaa"]`, `[{"k":"bbbb","l":"dddd"}]`, "/0/l: want \"cccc\" got \"dddd\"\n/1: want \"aaaaaaaa\" got nothing"},
		{"nothing left", `[1,2]`, `[]`, "/0: want 1 got nothing\n/1: want 2 got nothing"},
		{"invisible", `"a b"`, `"a\u00a0b"`, `the result: want "a b" got "a\u00a0b"`},
		{"short text of two lines", `"a\nb"`, `"a\nc"`, `the result: want "a\nb" got "a\nc"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			lines := []string{}
			for _, d := range Compare(jsonvalue.MustParse(test.want), jsonvalue.MustParse(test.got)) {
				lines = append(lines, d.String())
			}
			if got := strings.Join(lines, "\n"); got != test.diff {
				t.Errorf("got\n%s\nwant\n%s", got, test.diff)
			}
		})
	}
}

func TestLineDiff(t *testing.T) {
	tests := []struct{ name, got, diff string }{
		{"a line", strings.Replace(environment, "bash", "zsh", 1), `/text:
  --- want
  +++ got
  @@ -1,4 +1,4 @@
   <environment_context>
     <cwd>/home/someone/projects/example</cwd>
  -  <shell>bash</shell>
  +  <shell>zsh</shell>
   </environment_context>`},
		{"invisible at the end of a line", strings.ReplaceAll(environment, "bash</shell>", "bash</shell>  \r"), `/text:
  --- want
  +++ got
  @@ -1,4 +1,4 @@
   <environment_context>
     <cwd>/home/someone/projects/example</cwd>
  -  <shell>bash</shell>
  +  <shell>bash</shell>  \r
   </environment_context>`},
		{"blanks at the end of a line", strings.ReplaceAll(environment, "bash</shell>", "bash</shell> "), `/text:
  --- want
  +++ got
  @@ -1,4 +1,4 @@
   <environment_context>
     <cwd>/home/someone/projects/example</cwd>
  -  <shell>bash</shell>
  +  <shell>bash</shell>\u0020
   </environment_context>`},
		{"line end at the end", environment + "\n", `/text:
  --- want
  +++ got
  @@ -1,4 +1,4 @@
   <environment_context>
     <cwd>/home/someone/projects/example</cwd>
     <shell>bash</shell>
  -</environment_context>
  \ no line end here
  +</environment_context>`},
		{"escape sequence", strings.Replace(environment, "bash", "\x1b[31mbash\\u001b", 1), `/text:
  --- want
  +++ got
  @@ -1,4 +1,4 @@
   <environment_context>
     <cwd>/home/someone/projects/example</cwd>
  -  <shell>bash</shell>
  +  <shell>\u001b[31mbash\\u001b</shell>
   </environment_context>`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want, got := jsonvalue.OfString(environment), jsonvalue.OfString(test.got)
			if diff := (Difference{Path: "/text", Want: &want, Got: &got}).String(); diff != test.diff {
				t.Errorf("got\n%s\nwant\n%s", diff, test.diff)
			}
		})
	}
}

// Long text on one line is shown around the first difference.
func TestWideText(t *testing.T) {
	want := jsonvalue.OfString(strings.Repeat("a", 300) + "X" + strings.Repeat("b", 300))
	got := jsonvalue.OfString(strings.Repeat("a", 300) + "Y" + strings.Repeat("b", 300))
	diff := (Difference{Path: "/text", Want: &want, Got: &got}).String()
	a, b := strings.Repeat("a", 24), strings.Repeat("b", widestValue-25)
	if wanted := "/text:\n  want …\"" + a + "X" + b + "\"…\n  got  …\"" + a + "Y" + b + "\"…"; diff != wanted {
		t.Errorf("got\n%s\nwant\n%s", diff, wanted)
	}
	object := jsonvalue.OfArray(want)
	if diff := (Difference{Path: "/a", Got: &object}).String(); len(diff) > 220 || !strings.HasSuffix(diff, "…") {
		t.Errorf("a wide value is not cut: %s", diff)
	}
}

// What an adapter sends may be large; what a person reads is not.
func TestDifferencesAreBounded(t *testing.T) {
	line := strings.Repeat("x", 1000) + "\n"
	want, got := jsonvalue.OfString(strings.Repeat("a"+line, 500)), jsonvalue.OfString(strings.Repeat("b"+line, 500))
	deep := jsonvalue.MustParse(strings.Repeat(`{"member":`, 500) + "1" + strings.Repeat("}", 500))
	other := jsonvalue.MustParse(strings.Repeat(`{"member":`, 500) + "2" + strings.Repeat("}", 500))
	for _, d := range append(Compare(want, got), Compare(deep, other)...) {
		text := d.String()
		if lines := strings.Count(text, "\n"); lines > longestDiff+2 {
			t.Errorf("%d lines", lines)
		}
		if len(text) > (longestDiff+2)*(widestValue+10) {
			t.Errorf("%d bytes", len(text))
		}
	}
}

// An adapter may nest as deep as JSON may; the difference is found all the same.
func TestCompareDeepNesting(t *testing.T) {
	nest := func(depth int, front, inner string) jsonvalue.Value {
		return jsonvalue.MustParse(strings.Repeat("["+front, depth) + inner + strings.Repeat("]", depth))
	}
	found := Compare(nest(2000, "", "1"), nest(2000, `"x",`, "2"))
	if len(found) == 0 {
		t.Error("no difference")
	}
}

// Compare and Equal agree on whether there is a difference at all.
func FuzzCompare(f *testing.F) {
	f.Add(`[1,{"a":[2]}]`, `[{"a":[2,3]}]`)
	f.Add(`{"x-a":1}`, `{}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		want, err := jsonvalue.Parse([]byte(a))
		if err != nil {
			t.Skip("not JSON")
		}
		got, err := jsonvalue.Parse([]byte(b))
		if err != nil {
			t.Skip("not JSON")
		}
		found := Compare(want, got)
		if equal := jsonvalue.Equal(withoutExtensions(want), withoutExtensions(got)); equal != (len(found) == 0) {
			t.Errorf("equal %v, differences %v", equal, found)
		}
		if back := Compare(got, want); len(back) != len(found) {
			t.Errorf("%d differences one way, %d the other", len(found), len(back))
		}
	})
}
