package property

import (
	"math/rand"
	"slices"
	"strings"

	"github.com/leanovate/gopter"
)

// A domain is a set of inputs: how to draw one, and how to make one smaller. gopter's own
// combinators lose the shrinker as soon as a value is mapped to another type, so inputs are built
// from domains, which carry theirs with them, and become a gopter.Gen only at the end.
type domain[T any] struct {
	draw func(s source) T
	// shrink returns smaller candidates, the boldest first. Every candidate is itself in the
	// domain, and a chain of candidates is finite.
	shrink func(v T) []T
}

// source is where a draw gets its choices from. Size grows from nothing over a run, so that small
// inputs are tried first.
type source struct {
	rng  *rand.Rand
	size int
}

func (s source) below(n int) int { return s.rng.Intn(n) }

// gen returns the domain as a gopter generator with its shrinker.
func (d domain[T]) gen() gopter.Gen {
	return func(parameters *gopter.GenParameters) *gopter.GenResult {
		value := d.draw(source{parameters.Rng, parameters.MaxSize})
		return gopter.NewGenResult(value, func(v any) gopter.Shrink {
			candidates := d.shrink(v.(T))
			return func() (any, bool) {
				if len(candidates) == 0 {
					return nil, false
				}
				next := candidates[0]
				candidates = candidates[1:]
				return next, true
			}
		})
	}
}

// choice draws one of a fixed list; earlier entries are smaller.
func choice[T comparable](values ...T) domain[T] {
	return domain[T]{
		draw: func(s source) T { return values[s.below(len(values))] },
		shrink: func(v T) []T {
			if i := slices.Index(values, v); i > 0 {
				return values[:i:i]
			}
			return nil
		},
	}
}

// list draws up to most elements. It shrinks by leaving out runs, the longest first, then by
// making single elements smaller.
func list[T any](element domain[T], most int) domain[[]T] {
	return domain[[]T]{
		draw: func(s source) []T {
			values := make([]T, s.below(min(most, s.size)+1))
			for i := range values {
				values[i] = element.draw(s)
			}
			return values
		},
		shrink: func(values []T) [][]T {
			candidates := withoutRuns(values)
			for i, value := range values {
				for _, smaller := range element.shrink(value) {
					candidate := slices.Clone(values)
					candidate[i] = smaller
					candidates = append(candidates, candidate)
				}
			}
			return candidates
		},
	}
}

// withoutRuns returns the list without each of its halves, quarters, … down to single elements.
func withoutRuns[T any](values []T) [][]T {
	var candidates [][]T
	for run := len(values); run > 0; run /= 2 {
		for start := 0; start < len(values); start += run {
			end := min(start+run, len(values))
			candidates = append(candidates, slices.Concat(values[:start], values[end:]))
		}
	}
	return candidates
}

// text draws strings joined from pieces. It shrinks by leaving pieces of the text out, by whole
// characters, and by turning characters into "a".
func text(pieces ...string) domain[string] {
	return domain[string]{
		draw: func(s source) string {
			var b strings.Builder
			for range s.below(min(s.size, 12) + 1) {
				b.WriteString(pieces[s.below(len(pieces))])
			}
			return b.String()
		},
		shrink: func(v string) []string {
			characters := []rune(v)
			var candidates []string
			for _, candidate := range withoutRuns(characters) {
				candidates = append(candidates, string(candidate))
			}
			for i, c := range characters {
				if c != 'a' {
					candidate := slices.Clone(characters)
					candidate[i] = 'a'
					candidates = append(candidates, string(candidate))
				}
			}
			return candidates
		},
	}
}

// pair is two independent inputs.
type pair[A, B any] struct {
	A A
	B B
}

// both draws two inputs and shrinks one at a time.
func both[A, B any](a domain[A], b domain[B]) domain[pair[A, B]] {
	return domain[pair[A, B]]{
		draw: func(s source) pair[A, B] { return pair[A, B]{a.draw(s), b.draw(s)} },
		shrink: func(v pair[A, B]) []pair[A, B] {
			var candidates []pair[A, B]
			for _, smaller := range a.shrink(v.A) {
				candidates = append(candidates, pair[A, B]{smaller, v.B})
			}
			for _, smaller := range b.shrink(v.B) {
				candidates = append(candidates, pair[A, B]{v.A, smaller})
			}
			return candidates
		},
	}
}

// only keeps what holds; draws are repaired rather than rejected, since a generator that rejects
// ends as "gave up".
func (d domain[T]) only(holds func(T) bool, repair func(T) T) domain[T] {
	return domain[T]{
		draw: func(s source) T {
			v := d.draw(s)
			if !holds(v) {
				v = repair(v)
			}
			return v
		},
		shrink: func(v T) []T {
			return slices.DeleteFunc(d.shrink(v), func(candidate T) bool { return !holds(candidate) })
		},
	}
}

// numberBelow draws 0 … n-1.
func numberBelow(n int) domain[int] {
	return domain[int]{
		draw: func(s source) int { return s.below(n) },
		shrink: func(v int) []int {
			var candidates []int
			for smaller := 0; smaller < v; smaller += max(1, (v-smaller)/2) {
				candidates = append(candidates, smaller)
			}
			return candidates
		},
	}
}
