package jsonvalue

import (
	"errors"
	"strconv"
	"strings"
	"testing"
)

func TestParseKeepsWhatItRead(t *testing.T) {
	for _, document := range []string{
		`null`, `true`, `false`, `0`, `-0`, `1.50`, `1E+400`, `123456789012345678901234567890`,
		`""`, `"\"\\\n\r\t\b\f\u0001"`, "\"\u2028<>&\U0001F600é\"",
		`[]`, `{}`, `[1,[],{"b":1,"a":{"":null}}]`,
	} {
		v, err := Parse([]byte(document))
		if err != nil {
			t.Errorf("Parse(%s): %v", document, err)
			continue
		}
		if got := v.String(); got != document {
			t.Errorf("Parse(%s).String() = %s", document, got)
		}
	}
}

func TestParseRejects(t *testing.T) {
	for name, document := range map[string]string{
		"nothing":            ``,
		"cut off":            `{"a":`,
		"trailing data":      `1 2`,
		"duplicate name":     `{"a":1,"a":2}`,
		"escaped duplicate":  `{"a":1,"\u0061":2}`,
		"invalid UTF-8":      "\"\xff\"",
		"unpaired surrogate": `"\ud800"`,
		"NaN":                `NaN`,
		"leading zero":       `01`,
		"trailing comma":     `[1,]`,
		"single quotes":      `{'a':1}`,
		"byte order mark":    "\ufeff1",
		"deep nesting":       strings.Repeat("[", 100_000),
	} {
		if v, err := Parse([]byte(document)); err == nil {
			t.Errorf("%s: Parse accepted it as %.40s", name, v)
		}
	}
}

func TestEqual(t *testing.T) {
	equal := [][2]string{
		{`1`, `1.0`}, {`10`, `1e1`}, {`0.1`, `1E-1`}, {`-0`, `0`}, {`0e9`, `0`}, {`100e-2`, `1`},
		{`1e1000000000`, `10e999999999`}, {`1e99999999999999999999`, `10e99999999999999999998`},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`}, {`"\u0061"`, `"a"`},
	}
	for _, pair := range equal {
		if !Equal(MustParse(pair[0]), MustParse(pair[1])) {
			t.Errorf("%s and %s should be equal", pair[0], pair[1])
		}
	}
	different := [][2]string{
		{`1`, `"1"`}, {`1`, `-1`}, {`0`, `null`}, {`9007199254740993`, `9007199254740992`}, {`1e400`, `1e401`},
		{`[1,2]`, `[2,1]`}, {`[1]`, `[1,1]`}, {`{"a":1}`, `{"a":1,"b":null}`}, {`{"a":1,"b":null}`, `{"a":1}`}, {`{"a":1}`, `{"A":1}`},
		{`"é"`, `"e\u0301"`}, {`{}`, `[]`}, {`false`, `null`},
	}
	for _, pair := range different {
		if Equal(MustParse(pair[0]), MustParse(pair[1])) {
			t.Errorf("%s and %s should differ", pair[0], pair[1])
		}
	}
}

func TestEqualLargeObjects(t *testing.T) {
	members := func(first, last int) Value {
		var list []Member
		for i := first; i != last; {
			list = append(list, Field(strconv.Itoa(i), OfInt(i)))
			if first < last {
				i++
			} else {
				i--
			}
		}
		return OfObject(list...)
	}
	up, down := members(1, 41), members(40, 0)
	if !Equal(up, down) {
		t.Error("the order of forty members counts")
	}
	if Equal(up, down.With("7", OfInt(8))) || Equal(up, members(2, 42)) {
		t.Error("a difference among forty members is not seen")
	}
}

func TestValuesAreImmutable(t *testing.T) {
	v := MustParse(`{"a":1,"b":2}`)
	if got := v.With("a", OfInt(3)).String(); got != `{"a":3,"b":2}` {
		t.Errorf("With in place: %s", got)
	}
	if got := v.With("c", OfInt(3)).With("d", OfInt(4)).String(); got != `{"a":1,"b":2,"c":3,"d":4}` {
		t.Errorf("With at the end: %s", got)
	}
	if got := v.Without("a").String(); got != `{"b":2}` {
		t.Errorf("Without: %s", got)
	}
	if got := v.String(); got != `{"a":1,"b":2}` {
		t.Errorf("the original changed: %s", got)
	}
}

func TestCursorNamesThePlace(t *testing.T) {
	root := At(MustParse(`{"a/b":{"~":[1,"x",null,2.5]},"n":null}`))
	list := root.Member("a/b").Member("~")
	elements, err := list.Elements()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"wrong type", fail(elements[0].Text()), "/a~1b/~0/0: want string, got number"},
		{"null element", fail(elements[2].Text()), "/a~1b/~0/2: required: want string"},
		{"fraction", fail(elements[3].Int()), "/a~1b/~0/3: want an integer of at most 64 bits, got 2.5"},
		{"absent member", fail(root.Member("missing").Bool()), "/missing: required: want boolean"},
		{"null member", fail(root.Member("n").Elements()), "/n: required: want array"},
		{"member of an absent member", fail(root.Member("x").Member("y").Text()), "/x/y: required: want string"},
		{"document", fail(At(MustParse(`[]`)).Member("x").Text()), "/x: required: want string"},
		{"texts", fail(list.Texts()), "/a~1b/~0/0: want string, got number"},
	}
	for _, test := range tests {
		var path *PathError
		if !errors.As(test.err, &path) || test.err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.name, test.err, test.want)
		}
	}
	if n, err := At(MustParse(`20e-1`)).Int(); n != 2 || err != nil {
		t.Errorf("20e-1 is the integer 2, got %d, %v", n, err)
	}
	for _, literal := range []string{`1e30`, `9223372036854775808`, `1e400`, `0.1`} {
		if n, err := At(MustParse(literal)).Int(); err == nil {
			t.Errorf("%s is no int, got %d", literal, n)
		}
	}
}

func fail[T any](_ T, err error) error { return err }

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"a":[1,2.0e5,"\u00e9",null,true]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil {
			return
		}
		again, err := Parse(v.Append(nil))
		if err != nil || !Equal(v, again) {
			t.Fatalf("%q does not survive a round trip: %v", data, err)
		}
	})
}
