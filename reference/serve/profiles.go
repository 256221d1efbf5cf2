package serve

import (
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/assemble"
	"github.com/contextfragments/conform/reference/display"
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/history"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/contextfragments/conform/reference/turnstate"
)

// A decoder builds a fragment from its fields; ok is false where they give none.
type decoder = func(c jsonvalue.Cursor) (f fragment.Fragment, ok bool, err error)

// rules are what the methods that both profiles have need to know of a profile.
type rules struct {
	matchMarkers func(start, end, text string) bool
	decode       decoder
	decodeOne    func(c jsonvalue.Cursor) (fragment.Fragment, error)
	merge        func(fragments []fragment.Fragment) []item.Item
	classifiers  map[string]func(text string) (kind string, ok bool) // a row a role whose messages may be context
	display      display.Rules
	history      history.Rules
}

// rulesOf has a row a declared profile.
var rulesOf = map[string]rules{
	protocol.ContextFragments: {
		matchMarkers: fragment.MatchMarkers,
		decode:       fragment.Decode,
		decodeOne:    fragment.DecodeOne,
		merge:        assemble.Merge,
		classifiers: map[string]func(text string) (kind string, ok bool){
			item.RoleUser:      fragment.ContextualUser,
			item.RoleDeveloper: fragment.ContextualDeveloper,
		},
		display: display.ContextFragments,
		history: history.ContextFragments,
	},
	protocol.ModelVisible: {
		matchMarkers: fragment.MatchEnds,
		decode:       turnstate.Decode,
		decodeOne:    turnstate.DecodeOne,
		merge:        turnstate.Messages,
		classifiers: map[string]func(text string) (kind string, ok bool){
			item.RoleUser:      turnstate.ContextualUser,
			item.RoleDeveloper: turnstate.ContextualDeveloper,
		},
		display: display.Rules{Typed: turnstate.Typed},
		history: history.Rules{
			ContextualUser:      turnstate.ContextualUserMessage,
			ContextualDeveloper: turnstate.ContextualDeveloperMessage,
			MixedDeveloper:      turnstate.MixedDeveloperMessage,
		},
	},
}

// only wraps a method that one profile has and the others do not.
func only(profile string, m method) method {
	return func(asked string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
		if asked != profile {
			return jsonvalue.Value{}, unsupported("this method in the profile " + asked)
		}
		return m(asked, params)
	}
}

func unsupported(feature string) *protocol.Error {
	data := jsonvalue.OfObject(jsonvalue.Field("feature", jsonvalue.OfString(feature)))
	return &protocol.Error{Code: protocol.Unsupported, Message: "unsupported: " + feature, Data: data.Append(nil)}
}
