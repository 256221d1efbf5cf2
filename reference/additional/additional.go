// Package additional holds the context that an application hands over with each request: what of
// it has to be told to the model again.
package additional

import (
	"maps"
	"slices"

	"github.com/contextfragments/conform/reference/assemble"
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
)

// Entry is the value under one key. Its kind says whether the application vouches for it.
type Entry struct {
	Value string
	Kind  string // fragment.Untrusted or fragment.Application
}

// Store remembers the entries of the last request. The zero Store is empty, as after a resume
// (LIF-32).
type Store struct{ entries map[string]Entry }

// Merge takes the entries of a request, nil or empty where it has none, and returns the messages
// that go before the user's input: in byte order of the keys, one for each entry that is new or
// differs in value or kind from the one remembered (LIF-29, DET-115). Values are compared as they
// came, before the cut (LIF-30).
//
// The request then takes the place of what was remembered: a key that it leaves out is forgotten
// without a word, and is told again when it returns (LIF-31).
func (s *Store) Merge(request map[string]Entry) []item.Item {
	messages := []item.Item{}
	for _, key := range slices.Sorted(maps.Keys(request)) {
		entry := request[key]
		if known, ok := s.entries[key]; ok && known == entry {
			continue
		}
		told := fragment.AdditionalContext(key, entry.Value, entry.Kind)
		messages = append(messages, assemble.Merge([]fragment.Fragment{told})...) // never joined (DET-111)
	}
	s.entries = maps.Clone(request)
	return messages
}
