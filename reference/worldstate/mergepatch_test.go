package worldstate

import (
	"testing"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

func TestCreatePatch(t *testing.T) {
	for _, test := range []struct{ name, previous, current, want string }{
		{"nothing at all", `{}`, `{}`, ``},
		{"equal (WLD-15)", `{"a":{"b":[1]}}`, `{"a":{"b":[1]}}`, ``},
		{"equal but for the order of members", `{"a":1,"b":{"c":1,"d":2}}`, `{"b":{"d":2,"c":1},"a":1}`, ``},
		{"equal but for the spelling of numbers", `{"a":1,"b":[10]}`, `{"a":1.0,"b":[1e1]}`, ``},
		{"a new section", `{}`, `{"a":1}`, `{"a":1}`},
		{"a removed section", `{"a":1,"b":2}`, `{"b":2}`, `{"a":null}`},
		{"a changed section", `{"a":1,"b":2}`, `{"a":1,"b":3}`, `{"b":3}`},
		{"removed, changed and new", `{"a":1,"b":2,"c":3}`, `{"d":4,"b":5,"c":3}`, `{"a":null,"b":5,"d":4}`},
		{"a new section is copied whole", `{}`, `{"a":{"b":{"c":[{"d":null}]}}}`, `{"a":{"b":{"c":[{"d":null}]}}}`},
		{"a new empty section", `{}`, `{"a":{}}`, `{"a":{}}`},
		{"nested change", `{"a":{"b":1,"c":2}}`, `{"a":{"b":1,"c":3}}`, `{"a":{"c":3}}`},
		{"nested removal", `{"a":{"b":1,"c":2}}`, `{"a":{"b":1}}`, `{"a":{"c":null}}`},
		{"the last member goes: not the section", `{"a":{"b":1}}`, `{"a":{}}`, `{"a":{"b":null}}`},
		{"deeply nested", `{"a":{"b":{"c":{"d":1,"e":2}}}}`, `{"a":{"b":{"c":{"d":3}}}}`, `{"a":{"b":{"c":{"e":null,"d":3}}}}`},
		{"an object in place of a scalar (WLD-16)", `{"a":1}`, `{"a":{"b":{"c":1}}}`, `{"a":{"b":{"c":1}}}`},
		{"an empty object in place of a scalar", `{"a":1}`, `{"a":{}}`, `{"a":{}}`},
		{"an empty object in place of an array", `{"a":{"b":[]}}`, `{"a":{"b":{}}}`, `{"a":{"b":{}}}`},
		{"an empty object newly inserted", `{"a":{"b":1}}`, `{"a":{"b":1,"c":{}}}`, `{"a":{"c":{}}}`},
		{"a scalar in place of an object", `{"a":{"b":1}}`, `{"a":false}`, `{"a":false}`},
		{"arrays are replaced whole (WLD-18)", `{"a":[1,2,{"b":1}]}`, `{"a":[1,2,{"b":2}]}`, `{"a":[1,2,{"b":2}]}`},
		{"order of elements counts", `{"a":[1,2]}`, `{"a":[2,1]}`, `{"a":[2,1]}`},
		{"an emptied array", `{"a":[1]}`, `{"a":[]}`, `{"a":[]}`},
		{"an array in place of an object", `{"a":{"0":1}}`, `{"a":[1]}`, `{"a":[1]}`},
		{"numbers apart beyond a float's precision", `{"a":9007199254740992}`, `{"a":9007199254740993}`, `{"a":9007199254740993}`},
		{"types are not mixed", `{"a":1,"b":"","c":false}`, `{"a":"1","b":null,"c":0}`, `{"a":"1","b":null,"c":0}`},
		{"names are exact", `{"a":1}`, `{"A":1}`, `{"a":null,"A":1}`},
		{"the empty name", `{"":1}`, `{"":2}`, `{"":2}`},
	} {
		previous, current := jsonvalue.MustParse(test.previous), jsonvalue.MustParse(test.current)
		patch, ok := CreatePatch(previous, current)
		if !ok && test.want == "" && patch.IsNull() {
			continue
		}
		if !ok || test.want == "" || !jsonvalue.Equal(patch, jsonvalue.MustParse(test.want)) {
			t.Errorf("%s: got %s, %v; want %s", test.name, patch, ok, test.want)
		}
	}
}

// Removals come before changes at each level (WLD-17).
func TestCreatePatchOrder(t *testing.T) {
	patch, _ := CreatePatch(jsonvalue.MustParse(`{"a":{"x":1,"y":1},"z":1}`), jsonvalue.MustParse(`{"n":1,"a":{"w":1,"x":2}}`))
	if got, want := patch.String(), `{"z":null,"n":1,"a":{"y":null,"w":1,"x":2}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestApplyPatch(t *testing.T) {
	for _, test := range []struct{ name, target, patch, want string }{
		{"nothing", `{}`, `{}`, `{}`},
		{"no target yet (WLD-19)", `null`, `{"a":1}`, `{"a":1}`},
		{"no target, nothing to say", `null`, `{}`, `{}`},
		{"an empty patch", `{"a":null,"b":[null]}`, `{}`, `{"a":null,"b":[null]}`},
		{"removal", `{"a":1,"b":2}`, `{"a":null}`, `{"b":2}`},
		{"removal of what is not there", `{"b":2}`, `{"a":null}`, `{"b":2}`},
		{"removal from nothing", `null`, `{"a":null}`, `{}`},
		{"the last member goes (WLD-20)", `{"a":{"b":1}}`, `{"a":{"b":null}}`, `{"a":{}}`},
		{"nulls inside something new are dropped", `{}`, `{"a":{"b":null,"c":{"d":null}}}`, `{"a":{"c":{}}}`},
		{"nulls inside something that was no object", `{"a":1}`, `{"a":{"b":null,"c":2}}`, `{"a":{"c":2}}`},
		{"nulls in the target that the patch does not name", `{"a":{"x":null,"y":1}}`, `{"a":{"y":2}}`, `{"a":{"x":null,"y":2}}`},
		{"a null member of the target is overwritten", `{"a":null}`, `{"a":{"b":1}}`, `{"a":{"b":1}}`},
		{"arrays are not looked into", `{"a":[{"b":1,"c":2}]}`, `{"a":[{"b":null}]}`, `{"a":[{"b":null}]}`},
		{"several levels", `{"a":{"b":{"c":1,"d":2},"e":3}}`, `{"a":{"b":{"d":null,"f":4},"g":5}}`, `{"a":{"b":{"c":1,"f":4},"e":3,"g":5}}`},

		// The examples of RFC 7386, appendix A. Those between values that are no objects stand here as
		// the member of one.
		{"A 1", `{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{"A 2", `{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{"A 3", `{"a":"b"}`, `{"a":null}`, `{}`},
		{"A 4", `{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{"A 5", `{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{"A 6", `{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{"A 7", `{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{"A 8", `{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{"A 9", `{"v":["a","b"]}`, `{"v":["c","d"]}`, `{"v":["c","d"]}`},
		{"A 10", `{"v":{"a":"b"}}`, `{"v":["c"]}`, `{"v":["c"]}`},
		{"A 11", `{"v":{"a":"foo"}}`, `{"v":null}`, `{}`},
		{"A 12", `{"v":{"a":"foo"}}`, `{"v":"bar"}`, `{"v":"bar"}`},
		{"A 13", `{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{"A 14", `{"v":[1,2]}`, `{"v":{"a":"b","c":null}}`, `{"v":{"a":"b"}}`},
		{"A 15", `{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
	} {
		target := jsonvalue.MustParse(test.target)
		got := ApplyPatch(target, jsonvalue.MustParse(test.patch))
		if !jsonvalue.Equal(got, jsonvalue.MustParse(test.want)) {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
		if target.String() != test.target {
			t.Errorf("%s: the target changed to %s", test.name, target)
		}
	}
}

// Create and apply round the circle for every pair of snapshots, which hold no null members
// (WLD-21).
func TestPatchLeadsToTheNewSnapshot(t *testing.T) {
	snapshots := []string{
		`{}`, `{"a":1}`, `{"a":1.5}`, `{"a":{}}`, `{"a":[]}`, `{"a":[null,{"b":null}]}`, `{"a":{"b":1}}`, `{"a":{"b":{}}}`,
		`{"a":{"b":{"c":"x","d":[1]}},"e":true}`, `{"a":{"b":{"c":"y"}},"e":{"f":[[]]}}`, `{"e":{"f":[[]],"g":""},"h":false}`,
	}
	for _, from := range snapshots {
		for _, to := range snapshots {
			previous, current := jsonvalue.MustParse(from), jsonvalue.MustParse(to)
			patch, ok := CreatePatch(previous, current)
			if ok != (from != to) {
				t.Errorf("%s to %s: ok is %v", from, to, ok)
			}
			if got := ApplyPatch(previous, patch); ok && !jsonvalue.Equal(got, current) {
				t.Errorf("%s to %s: patch %s gives %s", from, to, patch, got)
			}
		}
	}
}
