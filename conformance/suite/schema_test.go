package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path"
	"reflect"
	"regexp"
	"strings"
	"testing"

	generate "github.com/google/jsonschema-go/jsonschema"
	validate "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/go-json-experiment/json/jsontext"
)

var update = flag.Bool("update", false, "write the generated JSON Schema to fixtures/")

const schemaFile = "../../fixtures/case-file.schema.json"

// The spelling rules of case.go as patterns.
const (
	idPattern          = `^[a-z-]+/[a-z0-9][a-z0-9-]*$`
	requirementPattern = `^[A-Z]{3}-[1-9][0-9]*$`
	tagPattern         = `^[A-Za-z0-9][A-Za-z0-9._-]*$`
	linePattern        = `^\S([^\r\n]*\S)?$`
	pointerPattern     = `^(/([^~/]|~[01])*)*$`
)

// caseFileSchema is the shape of File as Go has it, tightened by what only the loader knows.
func caseFileSchema(t *testing.T) []byte {
	t.Helper()
	anything := &generate.Schema{}
	schema, err := generate.For[File](&generate.ForOptions{
		TypeSchemas: map[reflect.Type]*generate.Schema{reflect.TypeFor[jsontext.Value](): anything},
	})
	if err != nil {
		t.Fatal(err)
	}
	schema.Schema = "https://json-schema.org/draft/2020-12/schema"
	schema.ID = "https://contextfragments.github.io/conform/case-file.schema.json"
	schema.Title = "A file of cases, fixtures/AREA/TOPIC.json"
	schema.Properties["$schema"].Enum = []any{schemaReference}
	schema.Properties["area"].Enum = enum(areas)
	cases := schema.Properties["cases"]
	cases.Type, cases.Types, cases.MinItems = "array", nil, new(1)

	c := cases.Items
	list := func(name string, least int) *generate.Schema {
		s := c.Properties[name]
		s.Type, s.Types, s.MinItems, s.UniqueItems = "array", nil, &least, true
		return s.Items
	}
	c.Properties["id"].Pattern = idPattern
	c.Properties["title"].Pattern = linePattern
	c.Properties["why"].Pattern = linePattern
	list("requirements", 1).Pattern = requirementPattern
	list("profiles", 1).Enum = enum(profiles)
	list("tags", 0).Pattern = tagPattern
	c.Properties["level"].Enum = enum(levels)
	c.Properties["method"].Enum = enum(methods)
	c.Properties["params"].Type = "object"
	c.Properties["params"].Properties = map[string]*generate.Schema{"profile": {Not: &generate.Schema{}}}
	c.OneOf = []*generate.Schema{{Required: []string{"result"}}, {Required: []string{"error"}}}

	expected := c.Properties["error"]
	expected.Type, expected.Types = "object", nil
	expected.Properties["path"].Type, expected.Properties["path"].Types = "string", nil
	expected.Properties["path"].Pattern = pointerPattern

	text, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

func enum(names []string) []any {
	values := make([]any, len(names))
	for i, name := range names {
		values[i] = name
	}
	return values
}

func TestSchemaIsCurrent(t *testing.T) {
	want := caseFileSchema(t)
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("fixtures/case-file.schema.json is not what the Go types say: go test ./conformance/suite -run TestSchemaIsCurrent -update")
	}
}

func compileSchema(t *testing.T) *validate.Schema {
	t.Helper()
	document, err := validate.UnmarshalJSON(bytes.NewReader(caseFileSchema(t)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := validate.NewCompiler()
	if err := compiler.AddResource("case-file.schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("case-file.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// Every case file is valid, seen by a validator that is not ours.
func TestFixturesAreValid(t *testing.T) {
	schema := compileSchema(t)
	tree := os.DirFS("../../fixtures")
	files, err := fs.Glob(tree, "*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	for _, name := range files {
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			t.Fatal(err)
		}
		document, err := validate.UnmarshalJSON(bytes.NewReader(data))
		if err == nil {
			err = schema.Validate(document)
		}
		if err != nil {
			t.Errorf("fixtures/%s: %v", name, err)
		}
	}
	if _, err := Load(tree); err != nil {
		t.Errorf("the loader finds faults:\n%v", err)
	}
}

// The loader and the JSON Schema draw the same line, except where a rule needs to see more than
// one place of the document, which JSON Schema cannot.
func TestSchemaAgreesWithLoader(t *testing.T) {
	schema := compileSchema(t)
	changes := []struct {
		old, new   string
		loaderOnly bool
	}{
		{`"level"`, `"level"`, false}, // no change: valid
		{`"why"`, `"wy"`, false},
		{`"title": "One holds",`, ``, false},
		{`One holds`, ` One holds`, false},
		{`One holds`, `One\nholds`, false},
		{`display/one`, `display/One`, false},
		{`display/one`, `display/-one`, false},
		{`display/one`, `display/`, false},
		{`display/one`, `history/one`, true},
		{`"area": "display"`, `"area": "history"`, true},
		{`"area": "display"`, `"area": "displays"`, false},
		{`"DET-1"`, `"DET-01"`, false},
		{`"DET-1"`, `"DETX-1"`, false},
		{`"DET-1"`, `"DET-1", "DET-1"`, false},
		{`["DET-1"]`, `[]`, false},
		{`["DET-1"]`, `null`, false},
		{`["context-fragments/2026-08"]`, `[]`, false},
		{`context-fragments/2026-08`, `context-fragments`, false},
		{`"core"`, `"middle"`, false},
		{`["recorded"]`, `[]`, false},
		{`"recorded"`, `".x"`, false},
		{`"recorded"`, `"F-DET.x_1"`, false},
		{`marker/match`, `initialize`, false},
		{`{"start": "a"}`, `{"profile": null}`, false},
		{`{"start": "a"}`, `{}`, false},
		{`{"start": "a"}`, `"a"`, false},
		{`"result": {"matches": false}`, `"result": null`, false},
		{`"result": {"matches": false}`, `"error": {"code": -32602}`, false},
		{`"result": {"matches": false}`, `"error": {"code": -32602, "path": "/a~1b"}`, false},
		{`"result": {"matches": false}`, `"error": {"code": -32602, "path": "/a~2b"}`, false},
		{`"result": {"matches": false}`, `"error": {"code": -32602, "path": null}`, false},
		{`"result": {"matches": false}`, `"error": null`, false},
		{`"result": {"matches": false}`, `"error": {"code": "x"}`, false},
		{`"result": {"matches": false}`, `"error": {"code": 1, "message": ""}`, false},
		{`"result"`, `"error": {"code": 1}, "result"`, false},
		{`,
      "result": {"matches": false}`, ``, false},
		{`../case-file`, `./case-file`, false},
	}
	for _, change := range changes {
		text := strings.Replace(good, change.old, change.new, 1)
		if text == good && change.old != change.new {
			t.Fatalf("%q does not stand in the good file", change.old)
		}
		document, err := validate.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		valid := schema.Validate(document) == nil
		_, err = Load(tree(map[string]string{"display/x.json": text}))
		var faults Faults
		loaded := err == nil || !errors.As(err, &faults)
		if want := loaded || change.loaderOnly; valid != want {
			t.Errorf("%s instead of %s: schema says valid %v, loader %v", change.new, change.old, valid, err)
		}
	}
}

// The spelling rules are written twice: as code, and as the patterns of the schema.
func TestSpellingRules(t *testing.T) {
	texts := []string{
		"", "a", "-a", "a-", "a--b", "A", "a_b", "a/b", "0", "é", "a b", " a", "a ", "a\tb", "a\nb", "a\rb", "a\n", "\u00a0",
		"DET-1", "DET-0", "DET-10", "DET-", "DET1", "det-1", "DE-1", "DETA-1", "DET-1a", "DET-1 ",
		"a.b_c-d", ".a", "_a", "a/", "a,b", "a!", "a:", "F-DET-1",
		"/", "/a", "//", "/a/b", "a/b", "/~", "/~0", "/~1", "/~2", "/~01", "/a~", "/é",
	}
	rules := []struct {
		name    string
		pattern string
		code    func(string) bool
	}{
		{"slug", `^[a-z0-9][a-z0-9-]*$`, isSlug},
		{"requirement", requirementPattern, isRequirement},
		{"tag", tagPattern, isTag},
		{"line", linePattern, isLine},
		{"pointer", pointerPattern, isPointer},
	}
	for _, rule := range rules {
		pattern := regexp.MustCompile(strings.ReplaceAll(rule.pattern, `\S`, `[^\s\x{a0}]`)) // \S of ECMA-262 excludes Unicode blanks
		for _, text := range texts {
			if got, want := rule.code(text), pattern.MatchString(text); got != want {
				t.Errorf("%s %q: code says %v, the pattern %v", rule.name, text, got, want)
			}
		}
	}
}

// What go:embed takes in is every case file of the tree: a file that is too deep would be lost.
func TestEveryFileIsEmbedded(t *testing.T) {
	err := fs.WalkDir(os.DirFS("../../fixtures"), ".", func(name string, entry fs.DirEntry, err error) error {
		if depth := strings.Count(name, "/"); err == nil && !entry.IsDir() && path.Ext(name) == ".json" && depth != 1 && name != "case-file.schema.json" {
			t.Errorf("fixtures/%s is not AREA/TOPIC.json", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
