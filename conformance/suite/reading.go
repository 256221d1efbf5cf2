package suite

import (
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// Reading says for a text of a conversation whether a reader, such as a session viewer, would
// show it as a person's own words.
type Reading struct {
	Want Side `json:"want"`
	Got  Side `json:"got"`
}

// Side is what a text is to a reader.
type Side string

// The sides.
const (
	Context Side = "context" // injected: hidden, or shown as something else than the person's words
	Typed   Side = "typed"   // shown as the person's words
)

// Leak reports whether context would be shown as the person's words.
func (r Reading) Leak() bool { return r.Want == Context && r.Got == Typed }

// OverHide reports whether the person's words would be hidden.
func (r Reading) OverHide() bool { return r.Want == Typed && r.Got == Context }

// reading returns what a reader would make of the answer to fragment/classify for the role user,
// or to message/project for a message of the roles that carry context; nil for everything else.
func reading(c *Case, want, got jsonvalue.Value) *Reading {
	var side func(jsonvalue.Value) Side
	switch c.Method {
	case protocol.FragmentClassify:
		side = classifiedSide
	case protocol.MessageProject:
		side = projectedSide
	default:
		return nil
	}
	params, err := jsonvalue.Parse(c.Params)
	if err != nil {
		return nil
	}
	subject := params
	if c.Method == protocol.MessageProject {
		subject, _ = params.Get("item")
		if kind, _ := subject.GetText("type"); kind != "message" {
			return nil
		}
	}
	role, _ := subject.GetText("role")
	carriesContext := role == "user" || role == "developer" && c.Method == protocol.MessageProject
	r := Reading{side(want), side(got)}
	if !carriesContext || r.Want == "" || r.Got == "" {
		return nil
	}
	return &r
}

func classifiedSide(result jsonvalue.Value) Side {
	member, _ := result.Get("contextual")
	switch contextual, ok := member.Bool(); {
	case !ok:
		return ""
	case contextual:
		return Context
	default:
		return Typed
	}
}

func projectedSide(result jsonvalue.Value) Side {
	shown, ok := result.Get("turn_item")
	kind, _ := shown.GetText("type")
	switch {
	case ok && shown.IsNull() || kind == "hook_prompt":
		return Context
	case kind == "user_message":
		return Typed
	default:
		return ""
	}
}
