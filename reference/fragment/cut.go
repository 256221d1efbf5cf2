package fragment

import "fmt"

// bytesPerToken is how tokens are estimated everywhere.
const bytesPerToken = 4

// cutMiddle shortens a text of more than that many tokens: the first half of the budget, the last
// half, and between them how many tokens are gone, rounded up. Characters stay whole; the result
// may exceed the budget by the notice (DET-112, LIF-30).
func cutMiddle(text string, tokens int) string {
	budget := tokens * bytesPerToken
	if len(text) <= budget {
		return text
	}
	gone := (len(text) - budget + bytesPerToken - 1) / bytesPerToken
	half := budget / 2
	return keepStart(text, half) + fmt.Sprintf("…%d tokens truncated…", gone) + keepEnd(text, half)
}

// keepStart returns the longest start of whole characters within n bytes; n is below the length.
func keepStart(text string, n int) string {
	for !isBoundary(text, n) {
		n--
	}
	return text[:n]
}

// keepEnd returns the longest end of whole characters within n bytes; n is below the length.
func keepEnd(text string, n int) string {
	from := len(text) - n
	for !isBoundary(text, from) {
		from++
	}
	return text[from:]
}
