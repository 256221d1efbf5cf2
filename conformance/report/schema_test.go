package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"

	generate "github.com/google/jsonschema-go/jsonschema"
	validate "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/contextfragments/conform/conformance/suite"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

var update = flag.Bool("update", false, "write the generated JSON Schema to docs/schema/")

const schemaFile = "../../docs/schema/run-record.schema.json"

// recordSchema is the shape of Record as Go has it, tightened by what the types do not say.
func recordSchema(t *testing.T) []byte {
	t.Helper()
	schema, err := generate.For[Record](&generate.ForOptions{TypeSchemas: map[reflect.Type]*generate.Schema{
		reflect.TypeFor[jsonvalue.Value]():  {}, // any JSON
		reflect.TypeFor[suite.Verdict]():    names(suite.Passed, suite.Failed, suite.Errored, suite.Skipped, suite.NotRun, suite.ExpectedFailure, suite.UnexpectedPass),
		reflect.TypeFor[suite.Level]():      names(suite.Core, suite.Edge),
		reflect.TypeFor[suite.Side]():       names(suite.Context, suite.Typed),
		reflect.TypeFor[suite.EntryState](): names(suite.Applies, suite.OtherVersion, suite.Expired, suite.Unmatched, suite.NoOrder, suite.NotDeclared),
		reflect.TypeFor[ProblemKind]():      names(Passes, Differs, IsSkipped, Overlaps, NotValid),
		reflect.TypeFor[suite.SkipReason](): names(suite.MethodNotDeclared, suite.ProfileNotDeclared, suite.FeatureUnsupported, suite.NothingObserved),
	}})
	if err != nil {
		t.Fatal(err)
	}
	tighten(schema)
	schema.Schema = "https://json-schema.org/draft/2020-12/schema"
	schema.ID = "https://contextfragments.github.io/conform/run-record.schema.json"
	schema.Title = "The record of one run of conform, as conform run --json writes it"
	schema.Properties["format"].Enum = []any{Format}
	text, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

func names[S ~string](values ...S) *generate.Schema {
	s := &generate.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// tighten takes null out everywhere: the record leaves out what is not there. It lets unknown
// members in, because members may be added to the format.
func tighten(s *generate.Schema) {
	switch {
	case len(s.Types) == 2 && s.Types[0] == "null":
		s.Type, s.Types = s.Types[1], nil
	case len(s.Types) == 1: // null or anything
		s.Types = nil
	}
	if s.Properties != nil {
		s.AdditionalProperties = nil
	}
	for _, property := range s.Properties {
		tighten(property)
	}
	if s.Items != nil {
		tighten(s.Items)
	}
	if s.Type == "integer" && s.Minimum == nil {
		s.Minimum = new(0.0)
	}
}

func TestSchemaIsCurrent(t *testing.T) {
	want := recordSchema(t)
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
		t.Error("docs/schema/run-record.schema.json is not what the Go types say: go test ./conformance/report -run TestSchemaIsCurrent -update")
	}
}

// What JSON writes is valid, and stays so when the adapter sends what is no text.
func TestRecordIsValid(t *testing.T) {
	document, err := validate.UnmarshalJSON(bytes.NewReader(recordSchema(t)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := validate.NewCompiler()
	if err := compiler.AddResource("run-record.schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema := compiler.MustCompile("run-record.schema.json")
	for _, r := range []*Record{sample(), New("1.0.0", nil, suite.Options{}, suite.Execution{})} {
		data, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		record, err := validate.UnmarshalJSON(bytes.NewReader(data))
		if err == nil {
			err = schema.Validate(record)
		}
		if err != nil {
			t.Errorf("%v\n%s", err, data)
		}
	}
	wrong, _ := validate.UnmarshalJSON(bytes.NewReader([]byte(`{"format": "conform-run/0"}`)))
	if schema.Validate(wrong) == nil {
		t.Error("the schema accepts an empty record of another format")
	}
}
