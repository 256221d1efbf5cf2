package jsonvalue

import (
	"math/big"
	"strings"
)

// Equal compares as the protocol does: objects by key set and value in any order, arrays in
// order, numbers by value (`1`, `1.0` and `10e-1` are equal, at any precision), strings by code
// point. No member is ignored here.
func Equal(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case Bool:
		return a.truth == b.truth
	case Number:
		return EqualNumbers(a.text, b.text)
	case String:
		return a.text == b.text
	case Array:
		if len(a.elements) != len(b.elements) {
			return false
		}
		for i := range a.elements {
			if !Equal(a.elements[i], b.elements[i]) {
				return false
			}
		}
		return true
	case Object:
		if len(a.members) != len(b.members) {
			return false
		}
		find := b.Get
		if len(b.members) > mostLinear {
			find = b.index()
		}
		for _, m := range a.members { // names are distinct, so equal counts make this symmetric
			other, ok := find(m.Name)
			if !ok || !Equal(m.Value, other) {
				return false
			}
		}
		return true
	default:
		return true
	}
}

// mostLinear is the number of members up to which looking through them beats an index.
const mostLinear = 16

// index returns a Get that does not look through all members.
func (v Value) index() func(name string) (Value, bool) {
	byName := make(map[string]Value, len(v.members))
	for _, m := range v.members {
		byName[m.Name] = m.Value
	}
	return func(name string) (Value, bool) {
		value, ok := byName[name]
		return value, ok
	}
}

// EqualNumbers compares two JSON number literals by value, exactly. The cost grows with the
// length of the literals only: an exponent of a billion is compared, never expanded.
func EqualNumbers(a, b string) bool {
	if a == b {
		return true
	}
	negativeA, digitsA, exponentA := decimal(a)
	negativeB, digitsB, exponentB := decimal(b)
	if digitsA == "" || digitsB == "" { // zero, whatever its sign and exponent
		return digitsA == digitsB
	}
	return negativeA == negativeB && digitsA == digitsB && exponentA.Cmp(exponentB) == 0
}

// decimal splits a literal into sign, significant digits without zeros at either end, and the
// power of ten of the last digit.
func decimal(literal string) (negative bool, digits string, exponent *big.Int) {
	exponent = new(big.Int)
	literal, negative = strings.CutPrefix(literal, "-")
	mantissa, power, found := strings.Cut(strings.ToLower(literal), "e")
	if found {
		exponent.SetString(strings.TrimPrefix(power, "+"), 10)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	exponent.Sub(exponent, big.NewInt(int64(len(fraction))))
	digits = strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(digits, "0")
	exponent.Add(exponent, big.NewInt(int64(len(digits)-len(trimmed))))
	return negative, trimmed, exponent
}
