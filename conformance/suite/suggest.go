package suite

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest returns up to three of the names that somebody who wrote text may have meant, the best
// first: names within a few slips of the keyboard, names that start with the text, then names that
// contain it. Where a name has the form "area/slug", text without an area is held against the slug.
func Nearest(text string, names []string) []string {
	type candidate struct {
		name string
		rank int
	}
	wanted := strings.ToLower(text)
	candidates := []candidate{}
	for _, name := range names {
		compared := strings.ToLower(name)
		slug := compared[strings.LastIndexByte(compared, '/')+1:]
		if !strings.Contains(wanted, "/") {
			compared = slug
		}
		distance := editDistance(wanted, compared)
		slips := 1 + len(slug)/4
		switch {
		case distance <= slips:
			candidates = append(candidates, candidate{name, distance})
		case len(wanted) >= 3 && strings.HasPrefix(compared, wanted):
			candidates = append(candidates, candidate{name, slips})
		case len(wanted) >= 3 && strings.Contains(compared, wanted):
			candidates = append(candidates, candidate{name, 100 + distance}) // behind every slip
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	nearest := []string{}
	for _, c := range candidates[:min(3, len(candidates))] {
		nearest = append(nearest, c.name)
	}
	return nearest
}

// Suggestion returns ` (did you mean "x" or "y"?)`, or "" where no name is near.
func Suggestion(text string, names []string) string {
	nearest := Nearest(text, names)
	if len(nearest) == 0 {
		return ""
	}
	quoted := make([]string, len(nearest))
	for i, name := range nearest {
		quoted[i] = Quote(name)
	}
	return " (did you mean " + strings.Join(quoted, " or ") + "?)"
}

// editDistance counts the bytes to insert, delete or replace to turn a into b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
