package serve

import (
	"maps"
	"slices"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/go-json-experiment/json"
)

// identification is how the reference introduces itself.
var identification = protocol.Identification{
	Name:     "conform-reference",
	Version:  "1.0.0",
	Language: "Go",
	URL:      "https://github.com/contextfragments/conform",
}

// initialize answers initialize: `{protocol_version, runner?}` →
// `{protocol_version, implementation, profiles, methods}`. Another protocol version is an error.
// It is no row of methods because it reads them.
func initialize(_ string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	version, err := params.Member("protocol_version").Text()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	if version != protocol.Version {
		return jsonvalue.Value{}, params.Member("protocol_version").Fail("want %q, got %q", protocol.Version, version)
	}
	if err := checkRunner(params.Member("runner")); err != nil {
		return jsonvalue.Value{}, err
	}
	encoded, err := json.Marshal(protocol.InitializeResult{
		ProtocolVersion: protocol.Version,
		Implementation:  identification,
		Profiles:        profiles,
		Methods:         slices.Sorted(maps.Keys(methods)),
	})
	if err != nil {
		return jsonvalue.Value{}, err
	}
	return jsonvalue.Parse(encoded)
}

// checkRunner checks `{name, version}`. A runner that does not say who it is does no harm.
func checkRunner(runner jsonvalue.Cursor) error {
	if !runner.Present {
		return nil
	}
	if _, err := runner.Object(); err != nil {
		return err
	}
	for _, name := range []string{"name", "version"} {
		if _, err := runner.Member(name).Text(); err != nil {
			return err
		}
	}
	return nil
}
