package fragment

import "strings"

// Texts that are recognised in old histories and never written any more. They are matchers only:
// no kind of fragment can be built for them.

// matchGoal knows the wrapper of goals before internal model context had a source (DET-33). The
// text is trimmed; case counts.
func matchGoal(trimmed string) bool {
	return strings.HasPrefix(trimmed, "<goal_context>") && strings.HasSuffix(trimmed, "</goal_context>")
}

// The warnings that once went into user messages; case counts (DET-36).
const (
	processLimitWarning  = "Warning: The maximum number of unified exec processes you can keep open is"
	applyPatchWarning    = "Warning: apply_patch was requested via "
	applyPatchAdvice     = "Use the apply_patch tool instead of exec_command."
	modelMismatchWarning = "Warning: Your account was flagged for potentially high-risk cyber activity"
)

func matchProcessLimitWarning(text string) bool {
	return strings.HasPrefix(trim(text), processLimitWarning)
}

func matchApplyPatchWarning(text string) bool {
	text = trim(text)
	return strings.HasPrefix(text, applyPatchWarning) && strings.HasSuffix(text, applyPatchAdvice)
}

func matchModelMismatchWarning(text string) bool {
	return strings.HasPrefix(trim(text), modelMismatchWarning)
}
