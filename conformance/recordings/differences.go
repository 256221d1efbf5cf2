package recordings

// Difference is one place where the program did something else than the rules of the profile say
// of the same input, and why.
type Difference struct {
	// Recording and Versions say where; Every stands for any recording, nil for every version.
	Recording string
	Versions  []string
	// Check is the comparison that differs, and Input the text it differs for, "" for the whole
	// recording.
	Check, Input string
	// Requirement is the rule that explains it, Why the explanation.
	Requirement, Why string
}

// The comparisons.
const (
	CheckKind     = "kind"     // the kind that the program recorded for a text, and the text rule
	CheckShown    = "shown"    // what a client was shown, and the projection of the persisted items
	CheckProbe    = "probe"    // the verdicts of a scenario that probes many texts
	CheckHistory  = "history"  // the items of a request, and the rollout replayed with its rollbacks
	CheckUpdates  = "updates"  // the context messages of each turn, and the state of the turn rendered
	CheckGrouping = "grouping" // the messages of an update, and its fragments merged
)

// Every stands in place of a recording's name: wherever it is met.
const Every = "*"

// BaseInstructions stands in place of an input for the item that carries the base instructions.
const BaseInstructions = "(base instructions)"

// NoMarker stands in place of an input for a thread that was reverted, of which the file shows nothing.
const NoMarker = "(no rollback marker)"

// Differences has a row for each. docs/versions.md shows the same table.
var Differences = []Difference{
	{"typed_environment_context", nil, CheckKind, "<environment_context>mine</environment_context>", "DET-132",
		"The program records where a text came from and still decides by the text alone: a typed look-alike counts as context."},
	{"typed_external_closed", nil, CheckKind, "<external_api>x</external_api>", "DET-132",
		"As above, for additional context."},
	{"typed_environment_context", nil, CheckShown, "<environment_context>mine</environment_context>", "DET-81",
		"Live, a client is shown what the turn was started with; the persisted item projects to nothing."},
	{"typed_external_closed", nil, CheckShown, "<external_api>x</external_api>", "DET-81",
		"As above, for additional context."},
	{"hook_prompt_in_history", nil, CheckProbe, "hook+env", "DET-57",
		"A history that is handed over is read by the stricter parser, which accepts hook prompts alone; the projection of an item is DET-84."},
	{"hook_prompt_in_history", nil, CheckProbe, "env+hook", "DET-57",
		"As above, the other way round."},
	{Every, []string{"0.171.0"}, CheckHistory, BaseInstructions, "MRG-20",
		"The newer version sends the base instructions as the first developer item of each request and does not persist it."},
	{Every, []string{"0.171.0"}, CheckHistory, NoMarker, "LIF-22",
		"The newer version has no live rollback that appends a marker; it reverts a thread, and the lines that are gone are in no file."},
	{"fork_then_turn", nil, CheckHistory, "", "LIF-21",
		"The last request is the parent's and the file is the fork's."},
	{"fork_before_turn", []string{"0.171.0"}, CheckHistory, "", "LIF-21",
		"The fork's file refers to its parent's lines instead of copying them."},
	{"settings_model_only", []string{"0.171.0"}, CheckUpdates, "turn 2 patch", "WLD-43",
		"The newer version has no personality section any more."},
	{"settings_many_at_once", []string{"0.171.0"}, CheckUpdates, "turn 2 patch", "WLD-43",
		"As above."},
}
