package report

import (
	"strings"
	"testing"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/conformance/suite"
	"github.com/go-json-experiment/json/jsontext"
)

func TestCase(t *testing.T) {
	path := "/fragment/type"
	c := suite.Case{
		ID: "rendering/x", File: "rendering/x.json", Title: "A title", Why: "A reason.", Level: suite.Edge,
		Requirements: []string{"DET-1", "DET-2"}, Profiles: []string{protocol.ContextFragments}, Tags: []string{},
		Method: protocol.FragmentRender, Params: jsontext.Value("{\"text\": \"a\u200bb\\u001b\", \"n\": 1.0}"), Result: jsontext.Value(`null`),
	}
	const head = `rendering/x
  A title
  why: A reason.

  method    fragment/render
  level     edge
  profiles  context-fragments/2026-08
  file      fixtures/rendering/x.json

  DET-1: The rule.
  DET-2: (the specification of this build has no text for it)

  params
    {
      "text": "a\u200bb\u001b",
      "n": 1.0
    }
`
	rule := func(id string) (string, bool) { return "The rule.", id == "DET-1" }
	render := func() string {
		var b strings.Builder
		if err := Case(&b, &c, TextOptions{Requirement: rule}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got, want := render(), head+"  result\n    null\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	c.Result, c.Error = nil, &suite.ExpectedError{Code: -32602, Path: &path}
	if got, want := render(), head+"  error\n    {\n      \"code\": -32602,\n      \"path\": \"/fragment/type\"\n    }\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
