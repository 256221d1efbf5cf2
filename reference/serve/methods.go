package serve

import (
	"github.com/contextfragments/conform/conformance/protocol"
)

// profiles are those the reference declares, the default first.
var profiles = []string{protocol.ContextFragments}

// methods is the whole protocol, one row a method.
var methods = map[string]method{}
