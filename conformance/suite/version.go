package suite

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// versionRange is a list of conditions on a version, all of which must hold: ">=1.2 <2".
type versionRange []versionBound

type versionBound struct{ operator, version string }

var versionCondition = regexp.MustCompile(`^(<=|>=|!=|<|>|=)?\s*([0-9A-Za-z][^\s<>=!]*)(?:\s+|$)`)

func parseVersionRange(text string) (versionRange, error) {
	bounds := versionRange{}
	for rest := strings.TrimSpace(text); rest != "" || len(bounds) == 0; {
		match := versionCondition.FindStringSubmatch(rest)
		if match == nil {
			return nil, fmt.Errorf("%s is no range of versions: want conditions such as \"<2.0\", \">=1.2 <2\" or \"1.4.1\"", Quote(text))
		}
		bound := versionBound{cmp.Or(match[1], "="), match[2]}
		if _, ok := parseVersion(bound.version); !ok && bound.isOrder() {
			return nil, fmt.Errorf("%s: %s has no order: want numbers with dots between, such as 1.4.1", Quote(text), Quote(bound.version))
		}
		bounds = append(bounds, bound)
		rest = rest[len(match[0]):]
	}
	return bounds, nil
}

func (b versionBound) isOrder() bool { return b.operator != "=" && b.operator != "!=" }

// holds reports whether the version satisfies every condition. It is an error where the version has
// no order and a condition asks for one.
func (r versionRange) holds(version string) (bool, error) {
	given, ordered := parseVersion(version)
	all := true
	for _, bound := range r {
		wanted, orderly := parseVersion(bound.version)
		order := given.compare(wanted)
		if !ordered || !orderly {
			if bound.isOrder() {
				return false, fmt.Errorf("the adapter's version %s has no order, so it is unknown whether it is %s%s", Quote(version), bound.operator, bound.version)
			}
			order = strings.Compare(version, bound.version)
		}
		switch bound.operator {
		case "<":
			all = all && order < 0
		case "<=":
			all = all && order <= 0
		case ">":
			all = all && order > 0
		case ">=":
			all = all && order >= 0
		case "=":
			all = all && order == 0
		case "!=":
			all = all && order != 0
		}
	}
	return all, nil
}

// version is numbers, and what stands behind a hyphen: a version before the one without it.
type version struct {
	numbers    []int
	preRelease []string
}

// parseVersion reads "1.4.1", "v1.4" or "1.4.1-rc.2+build". Build metadata has no order.
func parseVersion(text string) (version, bool) {
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "v"), "+")
	numbers, preRelease, hasPreRelease := strings.Cut(text, "-")
	v := version{}
	for number := range strings.SplitSeq(numbers, ".") {
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || number[0] == '+' {
			return version{}, false
		}
		v.numbers = append(v.numbers, n)
	}
	if hasPreRelease {
		v.preRelease = strings.Split(preRelease, ".")
	}
	return v, true
}

// compare orders versions as Semantic Versioning does, for any number of numbers: those that are
// not there are 0.
func (v version) compare(other version) int {
	for i := range max(len(v.numbers), len(other.numbers)) {
		if order := cmp.Compare(number(v.numbers, i), number(other.numbers, i)); order != 0 {
			return order
		}
	}
	if len(v.preRelease) == 0 || len(other.preRelease) == 0 {
		return cmp.Compare(len(other.preRelease), len(v.preRelease))
	}
	for i := range min(len(v.preRelease), len(other.preRelease)) {
		if order := comparePreRelease(v.preRelease[i], other.preRelease[i]); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(v.preRelease), len(other.preRelease))
}

func number(numbers []int, i int) int {
	if i < len(numbers) {
		return numbers[i]
	}
	return 0
}

// comparePreRelease orders numbers by value and in front of words.
func comparePreRelease(a, b string) int {
	m, errA := strconv.Atoi(a)
	n, errB := strconv.Atoi(b)
	switch {
	case errA == nil && errB == nil:
		return cmp.Compare(m, n)
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	default:
		return strings.Compare(a, b)
	}
}
