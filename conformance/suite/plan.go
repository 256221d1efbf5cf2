package suite

import (
	"slices"

	"github.com/contextfragments/conform/conformance/protocol"
)

// Run is one case under one profile: what is sent, judged and counted.
type Run struct {
	Case    *Case
	Profile string
	// Named says that the case has other runs in this plan, so that a report must tell the
	// profiles apart.
	Named bool
	// WithProfile says that the request carries the profile: the implementation declares several.
	WithProfile bool
	// Skip is set where nothing is sent, because the implementation does not declare what it takes.
	Skip *Skip
}

// Skip says why a run was not judged.
type Skip struct {
	Reason SkipReason `json:"reason"`
	Name   string     `json:"name" jsonschema:"the method, profile or feature"`
}

// SkipReason is the kind of a Skip.
type SkipReason string

// The reasons to skip a run.
const (
	MethodNotDeclared  SkipReason = "method not declared"
	ProfileNotDeclared SkipReason = "profile not declared"
	FeatureUnsupported SkipReason = "feature unsupported"
	NothingObserved    SkipReason = "nothing observed"
)

func (s Skip) String() string {
	if s.Name == "" {
		return Printable(string(s.Reason))
	}
	return Printable(string(s.Reason) + ": " + s.Name)
}

// Name is the id of the case, with the profile where the case runs in more than one.
func (r *Run) Name() string {
	if r.Named {
		return r.Case.ID + " [" + r.Profile + "]"
	}
	return r.Case.ID
}

// Plan returns the runs of the cases: one for each profile that the case holds in, the selection
// takes and the implementation declares. A case without such a profile, or of a method that is
// not declared, gets one run that is skipped, so that it is counted.
func Plan(cases []Case, selection Selection, declared protocol.InitializeResult) []Run {
	runs := make([]Run, 0, len(cases))
	for i := range cases {
		c := &cases[i]
		wanted := slices.DeleteFunc(slices.Clone(c.Profiles), func(profile string) bool { return !selection.MatchProfile(profile) })
		if len(wanted) == 0 {
			continue // Selection.Apply does not select such a case
		}
		held := slices.DeleteFunc(slices.Clone(wanted), func(profile string) bool { return !slices.Contains(declared.Profiles, profile) })
		switch {
		case len(held) == 0:
			runs = append(runs, Run{Case: c, Profile: wanted[0], Skip: &Skip{ProfileNotDeclared, wanted[0]}})
		case !slices.Contains(declared.Methods, c.Method):
			runs = append(runs, Run{Case: c, Profile: held[0], Skip: &Skip{MethodNotDeclared, c.Method}})
		default:
			for _, profile := range held {
				runs = append(runs, Run{Case: c, Profile: profile, Named: len(held) > 1, WithProfile: len(declared.Profiles) > 1})
			}
		}
	}
	return runs
}
