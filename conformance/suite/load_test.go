package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// good is a case file without faults. The faulty ones of the tests are this text with one thing
// changed, so that each fault stands alone.
const good = `{
  "$schema": "../case-file.schema.json",
  "area": "display",
  "cases": [
    {
      "id": "display/one",
      "title": "One holds",
      "why": "Otherwise nothing does.",
      "requirements": ["DET-1"],
      "profiles": ["context-fragments/2026-08"],
      "level": "core",
      "tags": ["recorded"],
      "method": "marker/match",
      "params": {"start": "a"},
      "result": {"matches": false}
    }
  ]
}
`

func tree(files map[string]string) fs.FS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestLoad(t *testing.T) {
	cases, err := Load(tree(map[string]string{
		"README.md":                "not looked at",
		"case-file.schema.json":    "not looked at",
		"rendering/NOTES.md":       "not looked at",
		"display/b.json":           strings.ReplaceAll(good, "/one", "/b"),
		"display/a.json":           good,
		"marker-matching/all.json": strings.ReplaceAll(strings.ReplaceAll(good, "display", "marker-matching"), `"result": {"matches": false}`, `"error": {"code": -32602, "path": ""}`),
	}))
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	if want := []string{"marker-matching/one", "display/one", "display/b"}; !slices.Equal(ids, want) {
		t.Errorf("order: got %v, want %v: areas first, then files by name", ids, want)
	}
	first, second := cases[0], cases[1]
	if first.Error == nil || first.Error.Code != -32602 || first.Error.Path == nil || *first.Error.Path != "" || first.Result != nil {
		t.Errorf("error case: got %+v, result %s", first.Error, first.Result)
	}
	if string(second.Params) != `{"start": "a"}` || string(second.Result) != `{"matches": false}` || second.Error != nil {
		t.Errorf("result case: got params %s, result %s", second.Params, second.Result)
	}
	if got := second.Location(); got != "fixtures/display/a.json#display/one" {
		t.Errorf("Location: got %s", got)
	}
}

func TestLoadFaults(t *testing.T) {
	tests := []struct {
		name     string
		old, new string // replaced in good; old "" replaces the whole file
		want     []string
	}{
		{"unknown member of a case", `"why"`, `"wy"`, []string{
			`display/x.json:5:5: missing member "why" in a case`,
			`display/x.json:8:7: unknown member "wy" in a case (did you mean "why"?)`,
		}},
		{"unknown member of the file", `"area"`, `"areas"`, []string{
			`display/x.json:1:1: missing member "area" in the file`,
			`display/x.json:3:3: unknown member "areas" in the file (did you mean "area"?)`,
		}},
		{"unknown member of an error", `"result": {"matches": false}`, `"error": {"code": 1, "reason": "x"}`, []string{`display/x.json:15:28: unknown member "reason" in error`}},
		{"error without code", `"result": {"matches": false}`, `"error": {"path": "/a"}`, []string{`display/x.json:15:16: missing member "code" in error`}},
		{"error code is no integer", `"result": {"matches": false}`, `"error": {"code": 1.5}`, []string{`display/x.json:15:25: code: want an integer, got 1.5`}},
		{"error code is no number", `"result": {"matches": false}`, `"error": {"code": "1"}`, []string{`display/x.json:15:25: code: want an integer, got a string`}},
		{"error path is no pointer", `"result": {"matches": false}`, `"error": {"code": 1, "path": "a"}`, []string{`display/x.json:15:36: path "a": want an RFC 6901 JSON pointer, such as /fragment/type`}},
		{"error is no object", `"result": {"matches": false}`, `"error": -32602`, []string{`display/x.json:15:16: error: want an object, got a number`}},
		{"both result and error", `"result": {`, `"error": {"code": 1}, "result": {`, []string{`display/x.json:15:29: case "display/one" has both result and error: want one of them`}},
		{"neither result nor error", `,
      "result": {"matches": false}`, ``, []string{`display/x.json:15:5: case "display/one" has neither result nor error: want one of them`}},
		{"id of another area", `display/one`, `history/one`, []string{`display/x.json:6:13: id "history/one" is not in its area: want "display/…"`}},
		{"id without slug", `display/one`, `display/`, []string{`display/x.json:6:13: id "display/": want a slug of a-z, 0-9 and hyphens after "display/"`}},
		{"bad slug", `display/one`, `display/One_x`, []string{`display/x.json:6:13: id "display/One_x": want a slug of a-z, 0-9 and hyphens after "display/"`}},
		{"slug with a slash", `display/one`, `display/one/two`, []string{`display/x.json:6:13: id "display/one/two": want a slug of a-z, 0-9 and hyphens after "display/"`}},
		{"unknown level", `"core"`, `"cores"`, []string{`display/x.json:11:16: unknown level "cores" (did you mean "core"?)`}},
		{"unknown profile", `context-fragments/2026-08`, `context-fragments/2026-80`, []string{`display/x.json:10:20: unknown profile "context-fragments/2026-80" (did you mean "context-fragments/2026-08"?)`}},
		{"unknown method", `marker/match`, `marker/mach`, []string{`display/x.json:13:17: unknown method "marker/mach" (did you mean "marker/match"?)`}},
		{"initialize is no method of a case", `marker/match`, `initialize`, []string{`display/x.json:13:17: unknown method "initialize"`}},
		{"unknown area", `"display",`, `"displays",`, []string{`display/x.json:3:11: unknown area "displays" (did you mean "display"?)`}},
		{"area of another folder", `"display",`, `"history",`, []string{`display/x.json:3:11: area "history" in the folder of area "display"`}},
		{"other schema", `../case-file`, `case-file`, []string{`display/x.json:2:14: unknown $schema "case-file.schema.json"`}},
		{"no cases", "", `{"$schema": "../case-file.schema.json", "area": "display", "cases": []}`, []string{`display/x.json:1:69: the file has no cases`}},
		{"cases is no array", "", `{"$schema": "../case-file.schema.json", "area": "display", "cases": {}}`, []string{`display/x.json:1:69: cases: want an array, got an object`}},
		{"a case is no object", "", `{"$schema": "../case-file.schema.json", "area": "display", "cases": [null]}`, []string{`display/x.json:1:70: a case: want an object, got null`}},
		{"file is no object", "", `[]`, []string{`display/x.json:1:1: the file: want an object, got an array`}},
		{"params is no object", `{"start": "a"}`, `[]`, []string{`display/x.json:14:17: params: want an object, got an array`}},
		{"params with a profile", `{"start": "a"}`, `{"start": "profile", "pro\u0066ile": "x"}`, []string{`display/x.json:14:17: params has a member "profile": the runner adds it`}},
		{"title of two lines", `One holds`, `One\nholds`, []string{`display/x.json:7:16: title: want one line of text without blanks around it, got "One\nholds"`}},
		{"title is no string", `"One holds"`, `true`, []string{`display/x.json:7:16: title: want a string, got a boolean`}},
		{"empty why", `Otherwise nothing does.`, ``, []string{`display/x.json:8:14: why: want one line of text without blanks around it, got ""`}},
		{"no requirements", `["DET-1"]`, `[]`, []string{`display/x.json:9:23: requirements is empty: want at least one entry`}},
		{"bad requirement", `"DET-1"`, `"DET-1", "det-2"`, []string{`display/x.json:9:33: requirement "det-2": want three capital letters, a hyphen and a number, such as DET-2`}},
		{"requirement twice", `"DET-1"`, `"DET-1", "DET-1"`, []string{`display/x.json:9:33: requirements names "DET-1" twice`}},
		{"no profiles", `["context-fragments/2026-08"]`, `[]`, []string{`display/x.json:10:19: profiles is empty: want at least one entry`}},
		{"tags is no array", `["recorded"]`, `"recorded"`, []string{`display/x.json:12:15: tags: want an array, got a string`}},
		{"tag with a blank", `"recorded"`, `"re corded"`, []string{`display/x.json:12:16: tag "re corded": want letters, digits, dots, underscores and hyphens`}},
		{"tag is no string", `"recorded"`, `1`, []string{`display/x.json:12:16: an entry of tags: want a string, got a number`}},
		{"duplicate member", `"level": "core"`, `"level": "core", "level": "edge"`, []string{`display/x.json:11:24: not valid JSON: duplicate member "level"`}},
		{"cut off", "", `{"$schema": "../case-file.schema.json",` + "\n", []string{`display/x.json:2:1: not valid JSON: unexpected end of file`}},
		{"data after the file", "", good + "{}", []string{`display/x.json:19:1: not valid JSON: data after the value`}},
		{"comma too many", `"tags": ["recorded"]`, `"tags": ["recorded",]`, []string{`display/x.json:12:26: not valid JSON: `}},
		{"invalid UTF-8", `One holds`, "One \xff", []string{`display/x.json:7:`}},
		{"unpaired surrogate", `One holds`, `One \ud800`, []string{`display/x.json:7:`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := test.new
			if test.old != "" {
				text = strings.Replace(good, test.old, test.new, 1)
				if text == good {
					t.Fatalf("%q does not stand in the good file", test.old)
				}
			}
			_, err := Load(tree(map[string]string{"display/x.json": text}))
			var faults Faults
			if !errors.As(err, &faults) {
				t.Fatalf("got error %v, want Faults", err)
			}
			got := strings.Split(faults.Error(), "\n")
			if len(got) != len(test.want) {
				t.Fatalf("got\n%s\nwant\n%s", faults, strings.Join(test.want, "\n"))
			}
			for i := range got {
				if !strings.HasPrefix(got[i], test.want[i]) {
					t.Errorf("got\n%s\nwant\n%s", got[i], test.want[i])
				}
			}
		})
	}
}

// All faults of all files come at once, in order of file and place.
func TestLoadReportsAllFaults(t *testing.T) {
	_, err := Load(tree(map[string]string{
		"display/a.json":      strings.NewReplacer(`"core"`, `"x"`, `"marker/match"`, `"é"`, `["DET-1"]`, `[]`).Replace(good),
		"display/b.json":      good,
		"display/c.json":      `{"area":`,
		"display/deep/d.json": good,
		"history/e.json":      good,
		"nowhere/f.json":      strings.ReplaceAll(good, "display", "nowhere"),
	}))
	want := `display/a.json:9:23: requirements is empty: want at least one entry
display/a.json:11:16: unknown level "x"
display/a.json:13:17: unknown method "é"
display/b.json:6:13: duplicate id "display/one", first at display/a.json:6:13
display/c.json:1:9: not valid JSON: unexpected end of file
display/deep/d.json: too deep in the tree: want AREA/TOPIC.json
history/e.json:3:11: area "display" in the folder of area "history"
history/e.json:6:13: id "display/one" is not in its area: want "history/…"
history/e.json:6:13: duplicate id "display/one", first at display/a.json:6:13
nowhere/f.json:3:11: unknown area "nowhere"`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestLoadColumnsAreCharacters(t *testing.T) {
	_, err := Load(tree(map[string]string{"display/x.json": strings.Replace(good, `"title": "One holds"`, `"title": "Ö→😀", "leveI": 1`, 1)}))
	if want := `display/x.json:7:23: unknown member "leveI"`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
}

func TestLoadEmptyTree(t *testing.T) {
	if cases, err := Load(tree(map[string]string{"README.md": ""})); err == nil {
		t.Errorf("got %d cases and no error", len(cases))
	}
}

func BenchmarkLoad(b *testing.B) {
	files := map[string]string{}
	for f := range 40 {
		cases := []string{}
		for i := range 50 {
			one := good[strings.Index(good, "    {"):strings.LastIndex(good, "\n  ]")]
			one = strings.Replace(one, "display/one", fmt.Sprintf("display/case-%d-%d", f, i), 1)
			cases = append(cases, strings.Replace(one, `"start": "a"`, `"start": "`+strings.Repeat("a line of text\\n", 20)+`"`, 1))
		}
		files[fmt.Sprintf("display/%d.json", f)] = `{"$schema": "../case-file.schema.json", "area": "display", "cases": [` + strings.Join(cases, ",") + `]}`
	}
	fsys := tree(files)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(fsys); err != nil {
			b.Fatal(err)
		}
	}
}
