package serve

import (
	"github.com/contextfragments/conform/conformance/protocol"
)

// profiles are those the reference declares, the default first.
var profiles = []string{protocol.ContextFragments}

// methods is the whole protocol, one row a method.
var methods = map[string]method{
	protocol.MarkerMatch:      markerMatch,
	protocol.FragmentRender:   fragmentRender,
	protocol.FragmentClassify: fragmentClassify,
	protocol.MessageProject:   messageProject,
	protocol.MessageMerge:     messageMerge,
	protocol.AdditionalMerge:  additionalMerge,
	protocol.MergePatchCreate: mergePatchCreate,
	protocol.MergePatchApply:  mergePatchApply,
	protocol.WorldStateDiff:   worldStateDiff,
	protocol.ContextInitial:   contextInitial,
	protocol.HistoryTurns:     historyTurns,
	protocol.HistoryRollback:  historyRollback,
	protocol.HistoryNormalize: historyNormalize,
}
