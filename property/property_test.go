package property_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/property"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/contextfragments/conform/reference/serve"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func TestLaws(t *testing.T) {
	for _, law := range property.Laws() {
		t.Run(law.ID+" "+law.Name, func(t *testing.T) {
			for _, result := range property.Check(t.Context(), serve.Reference{}, []property.Law{law}, property.Options{Seed: 1, Profile: protocol.ContextFragments, Inputs: 500}) {
				report(t, result)
			}
		})
	}
}

func report(t *testing.T, result property.Result) {
	t.Helper()
	if result.Failure == nil {
		return
	}
	t.Errorf("%s (%s): %v", result.Law.Statement, strings.Join(result.Law.Requirements, ", "), result.Failure)
	for _, call := range result.Calls {
		t.Logf("%s %s\n  → %s", call.Method, call.Params, call.Answer)
	}
}

func TestLawsAreNumbered(t *testing.T) {
	for i, law := range property.Laws() {
		if want := fmt.Sprintf("LAW-%d", i+1); law.ID != want {
			t.Errorf("law %q stands at place %d", law.ID, i+1)
		}
		if law.Name == "" || law.Statement == "" || len(law.Requirements) == 0 || len(law.Methods) == 0 {
			t.Errorf("%s lacks a name, a statement, a requirement or a method", law.ID)
		}
	}
}

// broken answers like the reference, but for one fault.
type broken func(call func(method string, params jsonvalue.Value) jsonvalue.Value, method string, params jsonvalue.Value) jsonvalue.Value

func (b broken) Call(ctx context.Context, method string, params any) (jsontext.Value, error) {
	reference := func(method string, params jsonvalue.Value) jsonvalue.Value {
		raw, err := serve.Reference{}.Call(ctx, method, params)
		if err != nil {
			panic(err)
		}
		return jsonvalue.MustParse(string(raw))
	}
	encoded, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	return b(reference, method, jsonvalue.MustParse(string(encoded))).Append(nil), nil
}

type call = func(method string, params jsonvalue.Value) jsonvalue.Value

// onText breaks one method by changing a text param before the reference sees it.
func onText(method, param string, change func(string) string) broken {
	return func(reference call, m string, params jsonvalue.Value) jsonvalue.Value {
		if text, ok := params.GetText(param); ok && m == method {
			params = params.With(param, jsonvalue.OfString(change(text)))
		}
		return reference(m, params)
	}
}

// onResult breaks one method by changing a member of its result.
func onResult(method, member string, change func(params, value jsonvalue.Value) jsonvalue.Value) broken {
	return func(reference call, m string, params jsonvalue.Value) jsonvalue.Value {
		result := reference(m, params)
		if value, ok := result.Get(member); ok && m == method {
			result = result.With(member, change(params, value))
		}
		return result
	}
}

func get(v jsonvalue.Value, name string) jsonvalue.Value {
	member, _ := v.Get(name)
	return member
}

func reversed(_, list jsonvalue.Value) jsonvalue.Value {
	elements := slices.Clone(list.Elements())
	slices.Reverse(elements)
	return jsonvalue.OfArray(elements...)
}

// TestEachLawCanFail breaks an implementation in a plausible way a law and expects that law to
// find it, with a small counterexample.
func TestEachLawCanFail(t *testing.T) {
	faults := map[string]struct {
		fault          string
		implementation broken
		longest        int // bytes of the params of the counterexample's longest call
	}{
		"LAW-1": {"white space outside is not trimmed", onText(protocol.FragmentClassify, "text", func(text string) string {
			if strings.TrimSpace(text) != text {
				return "x" + text
			}
			return text
		}), 80},
		"LAW-2": {"the start alone decides", onText(protocol.FragmentClassify, "text", func(text string) string {
			if strings.HasPrefix(strings.TrimSpace(strings.ToLower(text)), "<skill>") {
				return "<skill></skill>"
			}
			return text
		}), 60},
		"LAW-3": {"Unicode case folding", onText(protocol.FragmentClassify, "text", func(text string) string {
			return strings.NewReplacer("\u212a", "k", "\u017f", "s").Replace(text)
		}), 60},
		"LAW-4": {"the start alone decides", onText(protocol.FragmentClassify, "text", func(text string) string {
			if strings.HasPrefix(strings.TrimSpace(strings.ToLower(text)), "<skill>") {
				return "<skill></skill>"
			}
			return text
		}), 60},
		"LAW-5": {"both ends are trimmed before either is judged", onText(protocol.MarkerMatch, "text", strings.TrimSpace), 60},
		"LAW-6": {"the text of a hook prompt is trimmed", func(reference call, m string, params jsonvalue.Value) jsonvalue.Value {
			if m == protocol.FragmentRender {
				f := get(params, "fragment")
				text, _ := f.GetText("text")
				params = params.With("fragment", f.With("text", jsonvalue.OfString(strings.TrimSpace(text))))
			}
			return reference(m, params)
		}, 160},
		"LAW-7": {"only the first item decides", func(reference call, m string, params jsonvalue.Value) jsonvalue.Value {
			if m != protocol.MessageProject {
				return reference(m, params)
			}
			content := get(get(params, "item"), "content").Elements()
			if len(content) > 1 {
				params = params.With("item", get(params, "item").With("content", jsonvalue.OfArray(content[0])))
			}
			return reference(m, params)
		}, 200},
		"LAW-8": {"messages come out in reverse", onResult(protocol.MessageMerge, "items", reversed), 300},
		"LAW-9": {"the switch to stand alone is ignored", func(reference call, m string, params jsonvalue.Value) jsonvalue.Value {
			if m == protocol.MessageMerge {
				var list []jsonvalue.Value
				for _, f := range get(params, "fragments").Elements() {
					list = append(list, f.With("separate", jsonvalue.OfBool(false)))
				}
				params = params.With("fragments", jsonvalue.OfArray(list...))
			}
			return reference(m, params)
		}, 300},
		"LAW-10": {"a changed value is not sent", func(reference call, m string, params jsonvalue.Value) jsonvalue.Value {
			if m == protocol.AdditionalMerge {
				calls := slices.Clone(get(params, "calls").Elements())
				for i := 1; i < len(calls); i++ {
					for _, e := range calls[i].Members() {
						if old, ok := calls[i-1].Get(e.Name); ok {
							calls[i] = calls[i].With(e.Name, old)
						}
					}
				}
				params = params.With("calls", jsonvalue.OfArray(calls...))
			}
			return reference(m, params)
		}, 200},
		"LAW-11": {"everything is role user", onResult(protocol.AdditionalMerge, "calls", func(_, calls jsonvalue.Value) jsonvalue.Value {
			return jsonvalue.MustParse(strings.ReplaceAll(calls.String(), `"role":"developer"`, `"role":"user"`))
		}), 120},
		"LAW-12": {"removals are left out of the patch", onResult(protocol.MergePatchCreate, "patch", func(_, patch jsonvalue.Value) jsonvalue.Value {
			for _, m := range patch.Members() {
				if m.Value.IsNull() {
					patch = patch.Without(m.Name)
				}
			}
			return patch
		}), 60},
		"LAW-13": {"arrays are appended", onResult(protocol.MergePatchApply, "result", func(params, result jsonvalue.Value) jsonvalue.Value {
			for _, m := range get(params, "patch").Members() {
				if old, ok := get(params, "target").Get(m.Name); ok && m.Value.Kind() == jsonvalue.Array {
					result = result.With(m.Name, jsonvalue.OfArray(slices.Concat(old.Elements(), m.Value.Elements())...))
				}
			}
			return result
		}), 80},
		"LAW-14": {"every user message starts a turn", onResult(protocol.HistoryTurns, "boundaries", func(params, _ jsonvalue.Value) jsonvalue.Value {
			var found []jsonvalue.Value
			for i, it := range get(params, "items").Elements() {
				if role, _ := it.GetText("role"); role == "user" {
					found = append(found, jsonvalue.OfInt(i))
				}
			}
			return jsonvalue.OfArray(found...)
		}), 200},
		"LAW-15": {"all turns is one too many", func(reference call, m string, params jsonvalue.Value) jsonvalue.Value {
			if m == protocol.HistoryRollback {
				if n, _ := jsonvalue.At(params).Member("turns").Int(); n > 1 {
					params = params.With("turns", jsonvalue.OfInt(n-1))
				}
			}
			return reference(m, params)
		}, 300},
		"LAW-16": {"more turns than there are is refused", func(reference call, m string, params jsonvalue.Value) jsonvalue.Value {
			if m == protocol.HistoryRollback {
				starts := get(reference(protocol.HistoryTurns, jsonvalue.OfObject(jsonvalue.Field("items", get(params, "items")))), "boundaries")
				if n, _ := jsonvalue.At(params).Member("turns").Int(); n > len(starts.Elements()) {
					params = params.With("turns", jsonvalue.OfInt(0))
				}
			}
			return reference(m, params)
		}, 400},
		"LAW-17": {"the reference always stays", onResult(protocol.HistoryRollback, "reference", func(_, _ jsonvalue.Value) jsonvalue.Value {
			return jsonvalue.OfBool(true)
		}), 600},
		"LAW-18": {"unknown items are dropped", onResult(protocol.HistoryNormalize, "items", func(_, items jsonvalue.Value) jsonvalue.Value {
			return jsonvalue.OfArray(slices.DeleteFunc(slices.Clone(items.Elements()), func(it jsonvalue.Value) bool {
				kind, _ := it.GetText("type")
				return kind == "from_the_future"
			})...)
		}), 160},
		"LAW-19": {"orphan outputs stay", onResult(protocol.HistoryNormalize, "items", func(params, _ jsonvalue.Value) jsonvalue.Value {
			return get(params, "items")
		}), 160},
		"LAW-20": {"the snapshot is not looked at", func(reference call, m string, params jsonvalue.Value) jsonvalue.Value {
			if m == protocol.WorldStateDiff {
				params = params.With("previous", jsonvalue.Value{})
			}
			return reference(m, params)
		}, 600},
		"LAW-21": {"a section that is gone stays in the state", onResult(protocol.WorldStateDiff, "patch", func(_, patch jsonvalue.Value) jsonvalue.Value {
			for _, m := range patch.Members() {
				if m.Value.IsNull() {
					patch = patch.Without(m.Name)
				}
			}
			return patch
		}), 300},
		"LAW-22": {"fragments that stand alone are left out", func(reference call, m string, params jsonvalue.Value) jsonvalue.Value {
			if m == protocol.ContextInitial {
				params = params.With("world_state", jsonvalue.OfArray(slices.DeleteFunc(slices.Clone(get(params, "world_state").Elements()), func(f jsonvalue.Value) bool {
					start, _ := f.GetText("start")
					return start == "<personality_spec>"
				})...))
			}
			return reference(m, params)
		}, 250},
	}
	for _, law := range property.Laws() {
		t.Run(law.ID, func(t *testing.T) {
			fault, ok := faults[law.ID]
			if !ok {
				t.Fatal("no fault is known that this law finds")
			}
			result := property.Check(t.Context(), fault.implementation, []property.Law{law}, property.Options{Seed: 1, Inputs: 1000})[0]
			if result.Failure == nil {
				t.Fatalf("not found in %d inputs: %s", result.Inputs, fault.fault)
			}
			for _, call := range result.Calls {
				if n := len(call.Params.String()); n > fault.longest {
					t.Errorf("the counterexample is not small (%d bytes): %s %s", n, call.Method, call.Params)
				}
			}
		})
	}
}

func TestSameSeedSameInputs(t *testing.T) {
	draw := func(seed int64) string {
		var seen strings.Builder
		recorder := broken(func(reference call, m string, params jsonvalue.Value) jsonvalue.Value {
			seen.WriteString(params.String())
			return reference(m, params)
		})
		property.Check(t.Context(), recorder, property.Laws()[:3], property.Options{Seed: seed, Inputs: 50})
		return seen.String()
	}
	first, again := draw(7), draw(7)
	if first != again {
		t.Error("one seed gave two series of inputs")
	}
	if first == draw(8) {
		t.Error("two seeds gave the same inputs")
	}
}

func TestLawsOfMissingMethodsAreNotRun(t *testing.T) {
	results := property.Check(t.Context(), serve.Reference{}, property.Laws(), property.Options{Inputs: 1, Methods: []string{protocol.FragmentClassify}})
	for _, result := range results {
		needsMore := !slices.Equal(result.Law.Methods, []string{protocol.FragmentClassify})
		if needsMore != (result.Missing != "") {
			t.Errorf("%s needs %v, missing %q", result.Law.ID, result.Law.Methods, result.Missing)
		}
	}
}
