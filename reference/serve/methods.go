package serve

import (
	"github.com/contextfragments/conform/conformance/protocol"
)

// profiles are those the reference declares, the default first.
var profiles = []string{protocol.ContextFragments, protocol.ModelVisible}

// methods is the whole protocol, one row a method.
var methods = map[string]method{
	protocol.MarkerMatch:      markerMatch,
	protocol.FragmentRender:   fragmentRender,
	protocol.FragmentClassify: fragmentClassify,
	protocol.MessageProject:   messageProject,
	protocol.MessageMerge:     messageMerge,
	protocol.AdditionalMerge:  only(protocol.ContextFragments, additionalMerge),
	protocol.MergePatchCreate: only(protocol.ContextFragments, mergePatchCreate),
	protocol.MergePatchApply:  only(protocol.ContextFragments, mergePatchApply),
	protocol.WorldStateDiff:   only(protocol.ContextFragments, worldStateDiff),
	protocol.ContextInitial:   only(protocol.ContextFragments, contextInitial),
	protocol.HistoryTurns:     historyTurns,
	protocol.HistoryRollback:  historyRollback,
	protocol.HistoryNormalize: historyNormalize,
	protocol.TurnStateBuild:   only(protocol.ModelVisible, turnStateBuild),
}
