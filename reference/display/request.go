package display

import "strings"

// requestMarker ends what an editor puts in front of a request.
const requestMarker = "## My request for Codex:"

// CutRequest returns the part of a user text that a preview or a title shows: what follows the first
// marker, or all of it, trimmed (DET-88).
func CutRequest(text string) string {
	if _, request, ok := strings.Cut(text, requestMarker); ok {
		text = request
	}
	return strings.TrimSpace(text)
}
