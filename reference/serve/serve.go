// Package serve puts the reference behind the adapter protocol: in process as a
// protocol.Implementation, and over stdio as an adapter.
package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A method answers one call. The profile has been checked; an error that is a
// *jsonvalue.PathError becomes an InvalidParams error that names path and reason.
type method func(profile string, params jsonvalue.Cursor) (jsonvalue.Value, error)

// Reference is the reference implementation of both profiles. It keeps no state between calls.
type Reference struct{}

// Call implements protocol.Implementation.
func (r Reference) Call(_ context.Context, name string, params any) (jsontext.Value, error) {
	encoded, err := json.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("encode params of %s: %w", name, err)
	}
	value, err := jsonvalue.Parse(encoded)
	if err != nil {
		return nil, fmt.Errorf("params of %s: %w", name, err)
	}
	result, failure := r.answer(name, value)
	if failure != nil {
		return nil, failure
	}
	return result.Append(nil), nil
}

// answer dispatches one call and maps what went wrong to the protocol's errors.
func (r Reference) answer(name string, params jsonvalue.Value) (jsonvalue.Value, *protocol.Error) {
	handler, ok := methods[name]
	if name == protocol.Initialize {
		handler, ok = initialize, true
	}
	if !ok {
		return jsonvalue.Value{}, &protocol.Error{Code: protocol.UnknownMethod, Message: "unknown method " + name}
	}
	result, err := r.call(handler, params)
	if err == nil {
		return result, nil
	}
	var path *jsonvalue.PathError
	if errors.As(err, &path) {
		return jsonvalue.Value{}, invalidParams(path)
	}
	var failure *protocol.Error
	if errors.As(err, &failure) {
		return jsonvalue.Value{}, failure
	}
	return jsonvalue.Value{}, &protocol.Error{Code: protocol.InternalError, Message: err.Error()}
}

func (r Reference) call(handler method, params jsonvalue.Value) (jsonvalue.Value, error) {
	cursor, err := jsonvalue.At(params).Object()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	profile, present, err := cursor.Member("profile").OptionalText()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	if !present {
		profile = profiles[0]
	}
	if !slices.Contains(profiles, profile) {
		return jsonvalue.Value{}, cursor.Member("profile").Fail("unknown profile %q", profile)
	}
	return handler(profile, cursor)
}

func invalidParams(err *jsonvalue.PathError) *protocol.Error {
	data := jsonvalue.OfObject(
		jsonvalue.Field("path", jsonvalue.OfString(err.Path)),
		jsonvalue.Field("reason", jsonvalue.OfString(err.Reason)),
	)
	return &protocol.Error{Code: protocol.InvalidParams, Message: "invalid params: " + err.Error(), Data: data.Append(nil)}
}
