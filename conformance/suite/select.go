package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Selection says which cases to take: those that match one pattern of each criterion that has
// any. A pattern is a name or a glob in which * stands for everything but a slash, and ** for
// everything.
type Selection struct {
	Areas        []string `json:"areas,omitzero"`
	Cases        []string `json:"cases,omitzero"`
	Levels       []string `json:"levels,omitzero"`
	Tags         []string `json:"tags,omitzero"`
	Methods      []string `json:"methods,omitzero"`
	Profiles     []string `json:"profiles,omitzero"`
	Requirements []string `json:"requirements,omitzero"`
}

// criterion is one row of a Selection: its patterns, and what they are held against.
type criterion struct {
	flag     string // what the command line calls it
	patterns []string
	names    func(*Case) []string
}

func (s Selection) criteria() []criterion {
	return []criterion{
		{"area", s.Areas, func(c *Case) []string { return []string{c.Area()} }},
		{"case", s.Cases, func(c *Case) []string { return []string{c.ID} }},
		{"level", s.Levels, func(c *Case) []string { return []string{string(c.Level)} }},
		{"tag", s.Tags, func(c *Case) []string { return c.Tags }},
		{"method", s.Methods, func(c *Case) []string { return []string{c.Method} }},
		{"profile", s.Profiles, func(c *Case) []string { return c.Profiles }},
		{"requirement", s.Requirements, func(c *Case) []string { return c.Requirements }},
	}
}

// Apply returns the selected cases in their order. It is an error where a pattern matches nothing
// in all cases, because then it is most likely a slip that would quietly narrow or empty the run;
// and where the criteria together leave no case.
func (s Selection) Apply(cases []Case) ([]Case, error) {
	for _, criterion := range s.criteria() {
		if err := criterion.check(cases); err != nil {
			return nil, err
		}
	}
	selected := []Case{}
	for i := range cases {
		if s.matches(&cases[i]) {
			selected = append(selected, cases[i])
		}
	}
	if len(selected) == 0 {
		return nil, fmt.Errorf("no case matches all of %s", s)
	}
	return selected, nil
}

func (s Selection) matches(c *Case) bool {
	for _, criterion := range s.criteria() {
		if len(criterion.patterns) > 0 && !slices.ContainsFunc(criterion.names(c), criterion.match) {
			return false
		}
	}
	return true
}

// MatchesAny reports whether one of the patterns matches the name.
func MatchesAny(patterns []string, name string) bool {
	return criterion{patterns: patterns}.match(name)
}

// CheckRequired reports the first pattern that matches none of the areas of the cases: requiring an
// area that does not run would pass for nothing.
func CheckRequired(patterns []string, cases []Case) error {
	return criterion{"require", patterns, func(c *Case) []string { return []string{c.Area()} }}.check(cases)
}

// MatchProfile reports whether the profile is selected.
func (s Selection) MatchProfile(profile string) bool {
	return len(s.Profiles) == 0 || criterion{patterns: s.Profiles}.match(profile)
}

// String returns the selection as flags of the command line, "" where it selects everything.
func (s Selection) String() string {
	flags := []string{}
	for _, criterion := range s.criteria() {
		for _, pattern := range criterion.patterns {
			flags = append(flags, "--"+criterion.flag+" "+Printable(pattern))
		}
	}
	return strings.Join(flags, " ")
}

func (c criterion) match(name string) bool {
	return slices.ContainsFunc(c.patterns, func(pattern string) bool {
		return pattern == name || doublestar.MatchUnvalidated(pattern, name)
	})
}

// check reports the first pattern that is malformed or matches no case.
func (c criterion) check(cases []Case) error {
	for _, pattern := range c.patterns {
		if !doublestar.ValidatePattern(pattern) {
			return fmt.Errorf("--%s %s: malformed pattern: a bracket, brace or backslash is left open", c.flag, Quote(pattern))
		}
		one := criterion{patterns: []string{pattern}}
		names := []string{} // those that occur, without those that the pattern matches
		matched := false
		for i := range cases {
			for _, name := range c.names(&cases[i]) {
				if one.match(name) {
					matched = true
				} else if len(names) == 0 || names[len(names)-1] != name {
					names = append(names, name)
				}
			}
			if matched {
				break
			}
		}
		if !matched {
			slices.Sort(names)
			names = slices.Compact(names)
			return fmt.Errorf("--%s %s matches nothing%s", c.flag, Quote(pattern), c.hint(pattern, names))
		}
	}
	return nil
}

// hint suggests near names, or lists all names where they are few.
func (c criterion) hint(pattern string, names []string) string {
	if suggestion := Suggestion(pattern, names); suggestion != "" {
		return suggestion
	}
	const few = 20
	if len(names) > 0 && len(names) <= few {
		return "; there are " + strings.Join(names, ", ")
	}
	return ""
}

// Find returns the case of that id.
func Find(cases []Case, id string) (*Case, error) {
	names := make([]string, len(cases))
	for i := range cases {
		if cases[i].ID == id {
			return &cases[i], nil
		}
		names[i] = cases[i].ID
	}
	return nil, fmt.Errorf("unknown case %s%s", Quote(id), Suggestion(id, names))
}
