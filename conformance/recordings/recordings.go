// Package recordings holds what the real program sent and showed, in two versions, and what of it
// the rules of this project say otherwise.
//
// A recording is one scenario: the steps that drove the program as a black box, each request to
// the model, what a client was shown, and what the rollout file held. Long prose is replaced by a
// digest, `… [digest; own words] …`. The tests of this package replay the recordings through the
// reference.
package recordings

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

//go:embed testdata/*/*.json
var files embed.FS

// Versions are the recorded versions of the program: the one whose behaviour the profile
// context-fragments/2026-08 states, and a newer one.
var Versions = []string{"0.150.1", "0.171.0"}

// Recording is one scenario, played once on one version.
type Recording struct {
	Name, Version, Doc string
	Steps              []Step
	Requests           []Request
	// Events are the items that a client was shown while it happened, Turns those that reading the
	// thread back showed.
	Events, Turns []jsonvalue.Value
	// Rollout has the persisted lines in order: an item, or an object whose member "rollout" is the
	// type of the line.
	Rollout []jsonvalue.Value
	// Facts are verdicts by probe, where a scenario probes many texts.
	Facts jsonvalue.Value
}

// Step is one call to the program, or an action outside its protocol in parentheses.
type Step struct {
	Method string
	Params jsonvalue.Value
}

// Request is one request to the model.
type Request struct{ Input []item.Item }

// Load returns the recordings of a version, by name.
func Load(version string) ([]Recording, error) {
	entries, err := fs.ReadDir(files, path.Join("testdata", version))
	if err != nil {
		return nil, err
	}
	var recordings []Recording
	for _, entry := range entries {
		r, err := load(version, entry.Name())
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", version, entry.Name(), err)
		}
		recordings = append(recordings, r)
	}
	return recordings, nil
}

func load(version, name string) (Recording, error) {
	data, err := files.ReadFile(path.Join("testdata", version, name))
	if err != nil {
		return Recording{}, err
	}
	document, err := jsonvalue.Parse(data)
	if err != nil {
		return Recording{}, err
	}
	list := func(v jsonvalue.Value, name string) []jsonvalue.Value {
		member, _ := v.Get(name)
		return member.Elements()
	}
	r := Recording{Name: strings.TrimSuffix(name, ".json"), Version: version, Events: list(document, "events"), Rollout: list(document, "rollout")}
	r.Doc, _ = document.GetText("doc")
	r.Facts, _ = document.Get("facts")
	for _, turn := range list(document, "turns") {
		r.Turns = append(r.Turns, turn.Elements()...)
	}
	for _, v := range list(document, "steps") {
		step := Step{}
		step.Method, _ = v.GetText("method")
		step.Params, _ = v.Get("params")
		r.Steps = append(r.Steps, step)
	}
	for i, v := range list(document, "requests") {
		input, err := item.DecodeAll(jsonvalue.At(v).Member("input"))
		if err != nil {
			return Recording{}, fmt.Errorf("request %d: %w", i, err)
		}
		r.Requests = append(r.Requests, Request{input})
	}
	return r, nil
}

// Items returns the items that the rollout persisted, in order.
func (r Recording) Items() []item.Item {
	var items []item.Item
	for _, line := range r.Rollout {
		if kind, _ := line.GetText("rollout"); kind == "response_item" {
			items = append(items, item.FromValue(line.Without("rollout")))
		}
	}
	return items
}
