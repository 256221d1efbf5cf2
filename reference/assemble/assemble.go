// Package assemble groups fragments into the messages that carry them.
package assemble

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
)

// Merge returns the messages for a list of fragments, in the order of the list; roles may
// alternate and nothing is reordered (MRG-10). Neighbours share a message when their roles are
// equal and neither demands a message of its own: one that does closes the message before it and
// takes no followers (MRG-9). No fragments give no messages (MRG-12).
func Merge(fragments []fragment.Fragment) []item.Item {
	messages := []item.Item{}
	for start := 0; start < len(fragments); {
		end := start + 1
		for end < len(fragments) && joins(fragments[end-1], fragments[end]) {
			end++
		}
		messages = append(messages, message(fragments[start:end]))
		start = end
	}
	return messages
}

// joins reports whether next belongs into the message that previous ends (MRG-9).
func joins(previous, next fragment.Fragment) bool {
	return previous.Role == next.Role && !previous.Separate && !next.Separate
}

// message returns one message with a content item a fragment: texts are not joined, nothing is put
// between them, and an empty text still counts (MRG-11, MRG-12). It has content kinds and no other
// metadata (MRG-14, MRG-17).
func message(run []fragment.Fragment) item.Item {
	contents := make([]item.Content, len(run))
	kinds := make([]string, len(run))
	for i, f := range run {
		contents[i] = item.Text(f.Render())
		kinds[i] = f.ContentKind
	}
	return item.Message(run[0].Role, contents, kinds)
}
