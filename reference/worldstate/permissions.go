package worldstate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// permissionsSection tells what may be done without asking (WLD-31). While the rest is the same,
// command prefixes that were approved since are told alone; a prefix that is gone needs the full
// text again.
func permissionsSection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	prefixes := readPrefixes(current)
	full := fragment.Permissions([]string{current.Optional("text").Text})
	hash := fingerprintOf(full)
	if given := current.Optional("instructions_hash"); given.Present {
		hash = given.Text
	}
	return Section{
		Snapshot: jsonvalue.OfObject(jsonvalue.Field("instructions", jsonvalue.OfString(hash)),
			jsonvalue.Field("approved_command_prefixes", encodePrefixes(prefixes))),
		Legacy:   markedKind("permissions"),
		Retained: markedKind("permissions"),
		Decodes: func(v jsonvalue.Value) bool {
			return isText(v) || (hasText(v, "instructions") && isTextLists(memberOf(v, "approved_command_prefixes")))
		},
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			if previous.State == Known {
				if bare, ok := previous.Snapshot.Text(); ok { // older form: the hash of the full text
					if bare == fingerprintOf(full) {
						return fragment.Fragment{}, false, nil
					}
				} else if textOf(previous.Snapshot, "instructions") == hash {
					added, removed := comparePrefixes(memberOf(previous.Snapshot, "approved_command_prefixes"), prefixes)
					if !removed {
						return savedPrefixes(added)
					}
				}
			}
			_, err := current.Cursor.Member("text").Text() // from here on it is needed
			return full, true, err
		},
	}, *err
}

// approvedCommandPrefixesSection stands in for permissions where their text is switched off
// (WLD-33, LIF-23): it tells prefixes that were approved since, and nothing else.
func approvedCommandPrefixesSection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	prefixes := readPrefixes(current)
	return Section{
		Snapshot: encodePrefixes(prefixes),
		Legacy: func(role, text string) bool { // exact case
			return role == item.RoleDeveloper && strings.HasPrefix(strings.TrimLeftFunc(text, unicode.IsSpace), fragment.PrefixSavedNotice)
		},
		Decodes: isTextLists,
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			if previous.State != Known {
				return fragment.Fragment{}, false, nil
			}
			added, _ := comparePrefixes(previous.Snapshot, prefixes)
			return savedPrefixes(added)
		},
	}, *err
}

// A prefix is the first words of a command.
type prefix []string

func readPrefixes(current jsonvalue.Reader) []prefix {
	prefixes, err := decodePrefixes(current.Cursor.Member("approved_command_prefixes"))
	current.Fail(err)
	return prefixes
}

func decodePrefixes(c jsonvalue.Cursor) ([]prefix, error) {
	if !c.Present {
		return nil, nil
	}
	elements, err := c.Elements()
	if err != nil {
		return nil, err
	}
	prefixes := make([]prefix, len(elements))
	for i, element := range elements {
		if prefixes[i], err = element.Texts(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(prefixes, slices.Compare)
	return slices.CompactFunc(prefixes, slices.Equal), nil
}

func encodePrefixes(prefixes []prefix) jsonvalue.Value {
	lists := make([]jsonvalue.Value, len(prefixes))
	for i, p := range prefixes {
		lists[i] = jsonvalue.OfStrings(p)
	}
	return jsonvalue.OfArray(lists...)
}

// comparePrefixes returns the prefixes that are new, and whether an old one is gone.
func comparePrefixes(before jsonvalue.Value, now []prefix) (added []prefix, removed bool) {
	old, _ := decodePrefixes(jsonvalue.At(before)) // the snapshot has been checked to decode
	in := func(list []prefix, p prefix) bool {
		return slices.ContainsFunc(list, func(other prefix) bool { return slices.Equal(other, p) })
	}
	for _, p := range now {
		if !in(old, p) {
			added = append(added, p)
		}
	}
	return added, slices.ContainsFunc(old, func(p prefix) bool { return !in(now, p) })
}

// The limits of the list of saved prefixes (WLD-32).
const (
	maxSavedPrefixes   = 100
	maxSavedCharacters = 5000
	savedSuffix        = "...\n[Some commands were truncated]"
)

// savedPrefixes tells the prefixes that were approved since (WLD-32); none is nothing to say.
func savedPrefixes(added []prefix) (f fragment.Fragment, say bool, err error) {
	if len(added) == 0 {
		return fragment.Fragment{}, false, nil
	}
	return fragment.ApprovedCommandPrefixes(PrefixList(added)), true, nil
}

// PrefixList renders command prefixes, a line `- ["a", "b"]` each: fewer words first, then shorter
// ones, then by bytes. Beyond 100 lines or 5000 characters it is cut and says so (WLD-32).
func PrefixList[P ~[]string](prefixes []P) string {
	sorted := slices.SortedFunc(slices.Values(prefixes), func(a, b P) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(len(strings.Join(a, "")), len(strings.Join(b, ""))), slices.Compare(a, b))
	})
	lines := make([]string, 0, len(sorted))
	for _, p := range sorted[:min(len(sorted), maxSavedPrefixes)] {
		words := make([]string, len(p))
		for i, word := range p {
			words[i] = jsonvalue.OfString(word).String()
		}
		lines = append(lines, "- ["+strings.Join(words, ", ")+"]")
	}
	list := strings.Join(lines, "\n")
	characters := []rune(list)
	switch {
	case len(characters) > maxSavedCharacters:
		return string(characters[:maxSavedCharacters]) + savedSuffix
	case len(sorted) > maxSavedPrefixes:
		return list + savedSuffix
	default:
		return list
	}
}
