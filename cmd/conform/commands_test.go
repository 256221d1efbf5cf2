package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// writeCases is the script command "cases FOLDER COUNT": cases of marker/match that the reference
// passes, marker-matching/case-1 and so on, half of them core. The text of each contains its slug.
func writeCases(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cases FOLDER COUNT")
	}
	count, err := strconv.Atoi(args[1])
	if err == nil {
		err = generateCases(ts.MkAbs(args[0]), count)
	}
	ts.Check(err)
}

// generateCases writes case files, a hundred cases in each.
func generateCases(folder string, count int) error {
	folder = filepath.Join(folder, "marker-matching")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	var cases []any
	for i := 1; i <= count; i++ {
		slug := fmt.Sprintf("case-%d", i)
		cases = append(cases, map[string]any{
			"id": "marker-matching/" + slug, "title": "Case " + slug, "why": "It is there to be counted.",
			"requirements": []string{"DET-1"}, "profiles": []string{"context-fragments/2026-08", "model-visible/2026-03"},
			"level": []string{"core", "edge"}[i%2], "tags": []string{}, "method": "marker/match",
			"params": map[string]any{"start": "<a>", "end": "</a>", "text": "<a>" + slug + ".</a>"},
			"result": map[string]any{"matches": true},
		})
		if i%100 == 0 || i == count {
			file := map[string]any{"$schema": "../case-file.schema.json", "area": "marker-matching", "cases": cases}
			text, err := json.Marshal(file)
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, fmt.Sprintf("%05d.json", (i-1)/100)), text, 0o666)
			}
			if err != nil {
				return err
			}
			cases = nil
		}
	}
	return nil
}

// same is the script command "same RECORD RECORD…": the records are equal but for times.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: same RECORD RECORD…")
	}
	first := timeless(ts, args[0])
	for _, other := range args[1:] {
		if place := unequal("", first, timeless(ts, other)); (place == "") == neg {
			ts.Fatalf("%s and %s: differ at %q", args[0], other, place)
		}
	}
}

func timeless(ts *testscript.TestScript, file string) any {
	var record any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &record))
	return withoutTimes(record)
}

func withoutTimes(value any) any {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "duration_ms")
		delete(value, "duration_us")
		for _, member := range value {
			withoutTimes(member)
		}
	case []any:
		for _, element := range value {
			withoutTimes(element)
		}
	}
	return value
}

// unequal returns the place of the first difference, "" where there is none.
func unequal(place string, a, b any) string {
	if reflect.DeepEqual(a, b) {
		return ""
	}
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok && len(a) == len(b) {
			for name := range a {
				if inner := unequal(place+"/"+name, a[name], b[name]); inner != "" {
					return inner
				}
			}
		}
	case []any:
		if b, ok := b.([]any); ok && len(a) == len(b) {
			for i := range a {
				if inner := unequal(fmt.Sprintf("%s/%d", place, i), a[i], b[i]); inner != "" {
					return inner
				}
			}
		}
	}
	return fmt.Sprintf("%s: %.200v and %.200v", place, a, b)
}

// swap is the script command "swap FILE OLD NEW": replaces a text in a file.
func swap(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, args[1], args[2])), 0o666))
}
