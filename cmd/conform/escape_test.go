package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/contextfragments/conform/conformance/suite"
)

// evil drives a terminal, hides text, turns the direction of writing, and ends lines.
const evil = "\x1b]0;title\a\x1b[31mred\u009b32m\u0085\u202eright\u2066\u200b\ufeff\u2028\u2029\b\r\v\f\x7f\u00adend"

// evilJSON is the same as the inside of a JSON string.
var evilJSON = strings.Trim(strconv.QuoteToASCII(evil), `"`)

// evilLine is that without a line end.
var evilLine string

func init() { // Go's escapes that JSON does not have
	evilJSON = strings.NewReplacer(`\a`, `\u0007`, `\v`, `\u000b`, `\x1b`, `\u001b`, `\x7f`, `\u007f`).Replace(evilJSON)
	evilLine = strings.NewReplacer(`\n`, "", `\r`, "").Replace(evilJSON)
}

// harmless checks that every line of an output can be printed as it is.
func harmless(t *testing.T, what, text string) {
	t.Helper()
	for _, line := range strings.Split(strings.ReplaceAll(text, "\t", " "), "\n") {
		if shown := suite.Printable(line); shown != line {
			t.Errorf("%s: a line would drive the terminal: %s", what, shown)
		}
	}
}

// Nothing that an adapter, a case file, a ledger or a record says reaches the terminal as it is.
func TestNothingDrivesTheTerminal(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Skipf("the system has no such names: %v", err)
		}
	}
	nasty := "own\x1b[31m\n\u202e"
	write(nasty+"/marker-matching/x\x1b[32m\n\u202e.json", `{"$schema": "../case-file.schema.json", "area": "marker-matching", "cases": [
		{"id": "marker-matching/evil", "title": "Title `+evilLine+`", "why": "Why `+evilLine+`", "requirements": ["DET-1"],
		 "profiles": ["context-fragments/2026-08"], "level": "core", "tags": [], "method": "marker/match",
		 "params": {"start": "`+evilJSON+`", "end": "x", "text": "`+evilJSON+`\u0000"}, "result": {"matches": "`+evilJSON+`", "`+evilJSON+`": 1}},
		{"id": "marker-matching/error", "title": "T", "why": "W", "requirements": ["DET-1"], "profiles": ["context-fragments/2026-08"], "level": "core",
		 "tags": [], "method": "marker/match", "params": {}, "error": {"code": -32602, "path": "/`+evilJSON+`"}}
	]}`)
	write("bad"+nasty+"/marker-matching/x\x1b[32m\n\u202e.json", `{"$schema": "`+evilJSON+`", "area": "`+evilJSON+`", "`+evilJSON+`": 1, "cases": [
		{"id": "`+evilJSON+`", "title": "\u001b ", "why": "", "requirements": ["`+evilJSON+`"], "profiles": ["`+evilJSON+`"], "level": "`+evilJSON+`",
		 "tags": ["`+evilJSON+`"], "method": "`+evilJSON+`", "params": {}, "result": 1, "`+evilJSON+`": 2}]}`)
	write("worse"+nasty+"/marker-matching/x\x1b[32m\n\u202e.json", "{\x1b")
	write("known\x1b[31m.yaml", "failures:\n  - case: marker-matching/evil\n    reason: \"Because \\e[31m\\u202e\"\n    issue: \"\\e]0;x\\a\"\n    message: \"\\e[31m\\u202e\\n\"\n"+
		"  - case: \"marker-matching/\\e\\u202e\"\n    reason: \"\\e[31m\"\n")
	write("bad\x1b[31m.yaml", "\"\\e[31m\": 1\nfailures:\n  - case: 1\n    \"\\e\": 1\n    profile: \"\\e\"\n    adapter_version: \"\\e\"\n    expires: \"\\e\"\n")
	write("record\x1b[31m.json", `{"format": "`+evilJSON+`"}`)
	write("record.json", `{"format": "conform-run/1", "conform": "`+evilJSON+`", "adapter": {"command": ["`+evilJSON+`"], "implementation": {"name": "`+evilJSON+`", "version": "`+evilJSON+`",
		"language": "`+evilJSON+`"}, "profiles": ["`+evilJSON+`"], "methods": ["`+evilJSON+`"]}, "fixtures": "`+evilJSON+`", "require": ["**"], "broken": "`+evilJSON+`", "interrupted": false,
		"ledger": {"file": "`+evilJSON+`", "entries": [{"line": 1, "case": "`+evilJSON+`", "reason": "", "state": "expired", "note": "`+evilJSON+`"}]},
		"findings": [{"kind": "`+evilJSON+`", "detail": "`+evilJSON+`", "id": "`+evilJSON+`", "count": 2, "fault": true}], "runs": [
		{"id": "`+evilJSON+`/x", "profile": "`+evilJSON+`", "several_profiles": true, "title": "`+evilJSON+`", "why": "`+evilJSON+`", "requirements": ["`+evilJSON+`"], "level": "`+evilJSON+`",
		 "method": "`+evilJSON+`", "location": "`+evilJSON+`", "verdict": "error", "reason": "`+evilJSON+`", "failure": {"kind": "`+evilJSON+`", "stderr": "`+evilJSON+`\n"}, "left_out": ["`+evilJSON+`"],
		 "differences": [{"path": "/`+evilJSON+`", "want": "`+evilJSON+`"}], "known": {"line": 1, "reason": "`+evilJSON+`"}},
		{"id": "`+evilJSON+`/y", "profile": "p", "title": "", "why": "", "requirements": [], "level": "core", "method": "", "location": "", "verdict": "skipped",
		 "skip": {"reason": "`+evilJSON+`", "name": "`+evilJSON+`"}, "known": {"line": 1, "reason": ""}}]}`)
	write("other.json", `{"format": "conform-run/1", "conform": "x", "adapter": {"command": [], "implementation": {"name": "", "version": ""}, "profiles": [], "methods": []}, "runs": []}`)

	answer := `{"jsonrpc":"2.0","id":ID,"result":{"matches":"` + evilJSON + evilJSON + `\n` + evilJSON + `","` + evilJSON + `":["` + evilJSON + `"]}}`
	raw := strings.ReplaceAll(strings.ReplaceAll(evil, "\r", ""), "\n", "")
	commands := []struct {
		name, says string
		arguments  []string
	}{
		{"answer", `FAILED marker-matching/evil`, []string{"run", "--fixtures", nasty, "--all", "--", "trouble", "raw=marker", "line=" + answer}},
		{"raw answer", `FAILED marker-matching/evil`, []string{"run", "--fixtures", nasty, "--", "trouble", "raw=marker", `line={"jsonrpc":"2.0","id":ID,"result":"` + "\u009b31m\u202e" + `"}`}},
		{"error", `FAILED marker-matching/evil`, []string{"run", "--fixtures", nasty, "--", "trouble", "raw=marker", `line={"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"` + evilJSON + `","data":{"path":"/` + evilJSON + `"}}}`}},
		{"feature", `skipped: feature unsupported: \u001b]0;`, []string{"run", "--fixtures", nasty, "--", "trouble", "raw=marker", `line={"jsonrpc":"2.0","id":ID,"error":{"code":-32001,"message":"x","data":{"feature":"` + evilJSON + `"}}}`}},
		{"garbage", `garbage: `, []string{"run", "--timeout", "1s", "--fixtures", nasty, "--", "trouble", "raw=marker", "line=" + raw}},
		{"broken UTF-8", `garbage: `, []string{"run", "--timeout", "1s", "--fixtures", nasty, "--", "trouble", "raw=marker", "line=\xff\x9b31m\xc2"}},
		{"standard error", `crash: `, []string{"run", "--fixtures", nasty, "--", "trouble", "crash=marker", "stderr=" + evil + "\n\x9b31m" + evil}},
		{"name", `control character U+001B`, []string{"run", "--fixtures", nasty, "--", "trouble", "name=" + evil}},
		{"invisible name", `conform devel: a\u200b`, []string{"run", "--fixtures", nasty, "--", "trouble", "name=a\u200b\ufeff\u00ad"}},
		{"version", `control character U+001B`, []string{"run", "--fixtures", nasty, "--", "trouble", "version=" + evil}},
		{"profile", `NOTE unknown profile: profiles declares "\u200b"`, []string{"run", "--fixtures", nasty, "--", "trouble", "profiles=context-fragments/2026-08,\u200b"}},
		{"methods", `control character U+001B`, []string{"run", "--fixtures", nasty, "--", "trouble", "methods=" + evil}},
		{"record", `"format": "conform-run/1"`, []string{"run", "--fixtures", nasty, "--json", "-", "--", "trouble", "raw=marker", "line=" + answer}},
		{"ledger", `LEDGER known`, []string{"run", "--fixtures", nasty, "--known", "known\x1b[31m.yaml", "--", "trouble"}},
		{"failing ledger", `fails, but not with the message`, []string{"run", "--fixtures", nasty, "--known", "known\x1b[31m.yaml", "--", "trouble", "raw=marker", "line=" + answer}},
		{"bad ledger", `unknown member`, []string{"run", "--fixtures", nasty, "--known", "bad\x1b[31m.yaml", "--", "trouble"}},
		{"no ledger", `no such file`, []string{"run", "--fixtures", nasty, "--known", "none\x1b[31m.yaml", "--", "trouble"}},
		{"bad cases", `unknown area`, []string{"run", "--fixtures", "bad" + nasty, "--", "trouble"}},
		{"worse cases", `not valid JSON`, []string{"run", "--fixtures", "worse" + nasty, "--", "trouble"}},
		{"no cases", `no such file`, []string{"run", "--fixtures", "none" + nasty, "--", "trouble"}},
		{"list", `Title \u001b]0;`, []string{"list", "--fixtures", nasty}},
		{"list as JSON", `Title \u001b]0;`, []string{"list", "--fixtures", nasty, "--json"}},
		{"show", `Title \u001b]0;`, []string{"show", "--fixtures", nasty, "marker-matching/evil"}},
		{"show an error", `error`, []string{"show", "--fixtures", nasty, "marker-matching/error"}},
		{"show as JSON", `Title \u001b]0;`, []string{"show", "--fixtures", nasty, "marker-matching/evil", "--json"}},
		{"replay", `marker-matching/evil failed`, []string{"replay", "--fixtures", nasty, "marker-matching/evil", "--", "trouble", "raw=marker", "line=" + answer}},
		{"replay of an end", `crash: `, []string{"replay", "--fixtures", nasty, "marker-matching/evil", "--", "trouble", "crash=marker", "stderr=" + evil}},
		{"merge", `The run broke off`, []string{"merge", "record.json", "--all"}},
		{"merge to JSON", `"format": "conform-run/1"`, []string{"merge", "record.json", "--json", "-"}},
		{"merge of two", `do not belong together`, []string{"merge", "record.json", "other.json"}},
		{"merge of none", `not a record`, []string{"merge", "record\x1b[31m.json"}},
		{"merge of nothing", `no such file`, []string{"merge", "none\x1b[31m.json"}},
		{"ledger fix", `its message is now`, []string{"ledger", "fix", "known\x1b[31m.yaml", "--fixtures", nasty, "--", "trouble", "raw=marker", "line=" + answer}},
		{"unwritable", `cannot write`, []string{"run", "--fixtures", nasty, "--json", "none\x1b[31m/run.json", "--", "trouble"}},
		{"no adapter", `no file`, []string{"run", "--fixtures", nasty, "--", "./none\x1b[31m\u202e"}},
		{"filter", `malformed pattern`, []string{"run", "--case", "\x1b[31m\u202e", "--", "trouble"}},
		{"shard", `want i/n`, []string{"run", "--shard", "\x1b[31m", "--", "trouble"}},
	}
	for _, test := range commands {
		t.Run(test.name, func(t *testing.T) {
			cmd := exec.Command("conform", test.arguments...)
			cmd.Dir = folder
			var stdout, stderr strings.Builder
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); cmd.ProcessState == nil {
				t.Fatal(err)
			}
			text := stdout.String()
			if test.arguments[0] == "replay" { // the lines themselves are shown as they are, except on a terminal
				kept := []string{}
				for line := range strings.Lines(text) {
					if !strings.HasPrefix(line, "→ ") && !strings.HasPrefix(line, "← ") {
						kept = append(kept, line)
					}
				}
				text = strings.Join(kept, "")
			}
			harmless(t, "standard output", text)
			harmless(t, "standard error", stderr.String())
			if !strings.Contains(stdout.String()+stderr.String(), test.says) {
				t.Errorf("it does not say %q but\n%s%s", test.says, stdout.String(), stderr.String())
			}
		})
	}
	// Whatever an adapter calls itself, nothing is written but what was asked for.
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".tmp") || name == "run.json" {
			t.Errorf("%q was written", name)
		}
	}
}
