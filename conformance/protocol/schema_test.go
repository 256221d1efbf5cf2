package protocol_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	generate "github.com/google/jsonschema-go/jsonschema"
	validate "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/conformance/suite"
	"github.com/contextfragments/conform/fixtures"
	"github.com/contextfragments/conform/reference/serve"
)

var update = flag.Bool("update", false, "write the generated JSON Schema to docs/schema/")

const schemaFile = "../../docs/schema/protocol.schema.json"

// shape is the schema of a Go type. The schema lets unknown members in: they are ignored.
func shape[T any](t *testing.T) *generate.Schema {
	t.Helper()
	s, err := generate.For[T](&generate.ForOptions{TypeSchemas: map[reflect.Type]*generate.Schema{
		reflect.TypeFor[jsontext.Value]():          {}, // any JSON
		reflect.TypeFor[protocol.Error]():          reference("error"),
		reflect.TypeFor[*protocol.Error]():         reference("error"),
		reflect.TypeFor[protocol.Runner]():         reference("runner"),
		reflect.TypeFor[protocol.Identification](): reference("identification"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Ref != "" { // the type itself is one of those above
		if s, err = generate.For[T](&generate.ForOptions{TypeSchemas: map[reflect.Type]*generate.Schema{reflect.TypeFor[jsontext.Value](): {}}}); err != nil {
			t.Fatal(err)
		}
	}
	s.AdditionalProperties = nil
	for _, property := range s.Properties {
		switch {
		case len(property.Types) == 2: // null or an array
			property.Type, property.Types = property.Types[1], nil
		case len(property.Types) == 1:
			property.Types = nil
		}
	}
	return s
}

func reference(name string) *generate.Schema { return &generate.Schema{Ref: "#/$defs/" + name} }

func constant(value any) *generate.Schema { return &generate.Schema{Const: &value} }

// where is: if the member is the value, then the schema holds too.
func where(member string, value any, then *generate.Schema) *generate.Schema {
	return &generate.Schema{
		If:   &generate.Schema{Properties: map[string]*generate.Schema{member: constant(value)}, Required: []string{member}},
		Then: then,
	}
}

func with(member, name string) *generate.Schema {
	return &generate.Schema{Properties: map[string]*generate.Schema{member: reference(name)}, Required: []string{member}}
}

// protocolSchema is the shape of the wire types as Go has them, tightened by what the types do not
// say.
func protocolSchema(t *testing.T) []byte {
	t.Helper()
	never := &generate.Schema{Not: &generate.Schema{}}
	request := shape[protocol.Request](t)
	request.Properties["jsonrpc"] = constant("2.0")
	request.Properties["params"] = &generate.Schema{Type: "object"}
	for _, name := range []string{"result", "error"} {
		request.Properties[name] = never
	}
	request.AllOf = []*generate.Schema{where("method", protocol.Initialize, with("params", "initialize_params"))}

	response := shape[protocol.Response](t)
	response.Properties["jsonrpc"] = constant("2.0")
	response.Properties["id"] = &generate.Schema{Types: []string{"integer", "null"}, Description: "that of the request; null where it could not be read"}
	response.Properties["method"] = never // an adapter answers and does not call
	response.OneOf = []*generate.Schema{
		{Required: []string{"result"}, Properties: map[string]*generate.Schema{"id": {Type: "integer"}}},
		{Required: []string{"error"}},
	}

	failure := shape[protocol.Error](t)
	failure.AllOf = []*generate.Schema{
		where("code", protocol.InvalidParams, with("data", "invalid_params_data")),
		where("code", protocol.Unsupported, with("data", "unsupported_data")),
	}

	invalid := shape[protocol.InvalidParamsData](t)
	invalid.Properties["path"].Pattern = `^(/([^~/]|~[01])*)*$`
	invalid.Properties["path"].Description = "RFC 6901 pointer into params"

	initialize := shape[protocol.InitializeParams](t)
	initialize.Properties["protocol_version"] = constant(protocol.Version)
	initialized := shape[protocol.InitializeResult](t)
	initialized.Description = "the result of initialize"
	initialized.Properties["protocol_version"] = constant(protocol.Version)
	initialized.Properties["profiles"].MinItems = new(1)
	initialized.Properties["profiles"].Description = "of " + protocol.ContextFragments + " and " + protocol.ModelVisible
	identification := shape[protocol.Identification](t)
	identification.Properties["name"].Pattern = `\S`

	schema := &generate.Schema{
		Schema: "https://json-schema.org/draft/2020-12/schema",
		ID:     "https://contextfragments.github.io/conform/protocol.schema.json",
		Title:  "One line of the adapter protocol, version " + protocol.Version + ": a request of the runner or a response of the adapter",
		OneOf:  []*generate.Schema{reference("request"), reference("response")},
		Defs: map[string]*generate.Schema{
			"request": request, "response": response, "error": failure,
			"invalid_params_data": invalid, "unsupported_data": shape[protocol.UnsupportedData](t),
			"initialize_params": initialize, "initialize_result": initialized,
			"runner": shape[protocol.Runner](t), "identification": identification,
		},
	}
	text, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

func TestSchemaIsCurrent(t *testing.T) {
	want := protocolSchema(t)
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
		t.Error("docs/schema/protocol.schema.json is not what the Go types say: go test ./conformance/protocol -run TestSchemaIsCurrent -update")
	}
}

// compiled returns the schema, or one of its definitions.
func compiled(t *testing.T, definition string) *validate.Schema {
	t.Helper()
	document, err := validate.UnmarshalJSON(bytes.NewReader(protocolSchema(t)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := validate.NewCompiler()
	if err := compiler.AddResource("protocol.schema.json", document); err != nil {
		t.Fatal(err)
	}
	name := "protocol.schema.json"
	if definition != "" {
		name += "#/$defs/" + definition
	}
	return compiler.MustCompile(name)
}

func check(t *testing.T, schema *validate.Schema, text string) error {
	t.Helper()
	value, err := validate.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return schema.Validate(value)
}

func TestSchemaTellsRightFromWrong(t *testing.T) {
	schema := compiled(t, "")
	right := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol_version":"1","runner":{"name":"me","version":"0"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"marker/match","params":{"x":1}}`,
		`{"jsonrpc":"2.0","id":2,"result":null}`,
		`{"jsonrpc":"2.0","id":2,"result":{"matches":true},"x-extra":1}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"unknown method"}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON"}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"","data":{"path":"/a~1b/0","reason":"want a string"}}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"","data":{"path":"","reason":""}}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32001,"message":"","data":{"feature":"images"}}}`,
	}
	wrong := []string{
		`{"id":2,"result":null}`,
		`{"jsonrpc":"1.0","id":2,"result":null}`,
		`{"jsonrpc":"2.0","result":null}`,
		`{"jsonrpc":"2.0","id":"2","result":null}`,
		`{"jsonrpc":"2.0","id":2.5,"result":null}`,
		`{"jsonrpc":"2.0","id":null,"result":null}`,
		`{"jsonrpc":"2.0","id":2}`,
		`{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":""}}`,
		`{"jsonrpc":"2.0","id":2,"result":{},"error":null}`,
		`{"jsonrpc":"2.0","id":2,"error":"x"}`,
		`{"jsonrpc":"2.0","id":2,"error":{"message":""}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":"-32601","message":""}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32601}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":""}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"","data":{"path":"a","reason":""}}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32001,"message":"","data":{}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"log","result":{}}`,
		`{"jsonrpc":"2.0","method":"log"}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol_version":"2","runner":{"name":"me","version":"0"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"marker/match","params":[]}`,
		`[{"jsonrpc":"2.0","id":2,"result":null}]`,
	}
	for _, text := range right {
		if err := check(t, schema, text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range wrong {
		if check(t, schema, text) == nil {
			t.Errorf("accepted: %s", text)
		}
	}
	initialized := compiled(t, "initialize_result")
	good := `{"protocol_version":"1","implementation":{"name":"x","version":"1"},"profiles":["context-fragments/2026-08"],"methods":[]}`
	if err := check(t, initialized, good); err != nil {
		t.Errorf("%s: %v", good, err)
	}
	for old, new := range map[string]string{`"1","impl`: `"2","impl`, `"name":"x"`: `"name":" "`, `,"version":"1"`: ``, `"context-fragments/2026-08"`: ``, `,"methods":[]`: ``, `"methods":[]`: `"methods":null`} {
		if bad := strings.Replace(good, old, new, 1); check(t, initialized, bad) == nil {
			t.Errorf("accepted: %s", bad)
		}
	}
}

// The example session of docs/protocol.md is valid line by line.
func TestTheExampleSessionIsValid(t *testing.T) {
	page, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	schema, initialized := compiled(t, ""), compiled(t, "initialize_result")
	requests, responses := 0, 0
	for line := range strings.Lines(string(page)) {
		direction, message, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch direction {
		case "→":
			requests++
		case "←":
			responses++
		default:
			continue
		}
		if err := check(t, schema, message); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		var answer struct {
			ID     int
			Result json.RawMessage
		}
		if json.Unmarshal([]byte(message), &answer) == nil && direction == "←" && answer.ID == 1 {
			if err := check(t, initialized, string(answer.Result)); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	if requests < 4 || responses < 4 {
		t.Errorf("the page shows %d requests and %d responses", requests, responses)
	}
}

// What the reference answers to the cases of every file is valid, and so is what it is asked.
func TestTheReferenceIsValid(t *testing.T) {
	cases, err := suite.Load(fixtures.Files)
	if err != nil {
		t.Fatal(err)
	}
	schema := compiled(t, "")
	var requests bytes.Buffer
	fmt.Fprintln(&requests, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol_version":"1","runner":{"name":"test","version":"0"}}}`)
	for i := range cases {
		var params bytes.Buffer
		if err := json.Compact(&params, cases[i].Params); err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, i+2, cases[i].Method, &params)
		if err := check(t, schema, line); err != nil {
			t.Errorf("%s: %v", cases[i].ID, err)
		}
		fmt.Fprintln(&requests, line)
	}
	var responses bytes.Buffer
	if err := serve.Serve(t.Context(), &requests, &responses); err != nil {
		t.Fatal(err)
	}
	answers := 0
	for line := range strings.Lines(responses.String()) {
		answers++
		if err := check(t, schema, line); err != nil {
			t.Errorf("%.300s: %v", line, err)
		}
	}
	if answers != len(cases)+1 {
		t.Errorf("%d answers to %d cases", answers, len(cases))
	}
}
