package worldstate

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// declaredSection is a section made up of its parts, for trying the mechanism and for the sections
// of extensions (WLD-42): it renders its fragment unless the same snapshot is known.
func declaredSection(c jsonvalue.Cursor) (Section, error) {
	f, say, err := fragment.Decode(c.Member("fragment"))
	if err != nil {
		return Section{}, err
	}
	snapshot := c.Member("snapshot").Value
	persist := true
	if c.Member("persist").Present {
		if persist, err = c.Member("persist").Bool(); err != nil {
			return Section{}, err
		}
	}
	legacy, err := declaredMatcher(c.Member("legacy"))
	if err != nil {
		return Section{}, err
	}
	retained, err := declaredMatcher(c.Member("retained"))
	if err != nil {
		return Section{}, err
	}
	return Section{
		Snapshot: snapshot, Transient: !persist, Legacy: legacy, Retained: retained,
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			same := previous.State == Known && jsonvalue.Equal(Clean(previous.Snapshot), Clean(snapshot))
			return f, say && !same, nil
		},
	}, nil
}

// declaredMatcher reads `{role, start, end}`; absent it is nil.
func declaredMatcher(c jsonvalue.Cursor) (Matcher, error) {
	if !c.Present {
		return nil, nil
	}
	var texts [3]string
	for i, name := range []string{"role", "start", "end"} {
		var err error
		if texts[i], err = c.Member(name).Text(); err != nil {
			return nil, err
		}
	}
	return marked(texts[0], texts[1], texts[2]), nil
}

// marked recognises the texts of a role between two markers (DET-140).
func marked(role, start, end string) Matcher {
	return func(r, text string) bool { return r == role && fragment.MatchMarkers(start, end, text) }
}

// markedKind recognises the texts of a kind of fragment by its role and both its markers. The
// prefix rule of rollback is not enough here (DET-140).
func markedKind(kind string) Matcher {
	start, end := fragment.Markers(kind)
	return marked(fragment.Role(kind), start, end)
}
