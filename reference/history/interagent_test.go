package history

import (
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// The verdicts of TestInterAgentCommunication are those of Codex 0.150.1, asked one by one.
func TestInterAgentCommunication(t *testing.T) {
	passthrough := func(value string) string {
		return communicationOf(`"internal_chat_message_metadata_passthrough":` + value)
	}
	for name, accepted := range map[string]map[string]bool{
		"surroundings": {
			communicationOf(): true,
			" \n\t\r" + communicationOf() + "\n \t\r\n":                                                       true,
			"{\n\"author\" :\t\"/root\"\r,\"recipient\":\"/root/a\",\"content\":\"\",\"trigger_turn\":false}": true,
			"\u00a0" + communicationOf():                                                                      false,
			"\ufeff" + communicationOf():                                                                      false,
			"\v" + communicationOf():                                                                          false,
			communicationOf() + "\f":                                                                          false,
			communicationOf() + "\x00":                                                                        false,
			communicationOf() + " x":                                                                          false,
			communicationOf() + communicationOf():                                                             false,
			"[" + communicationOf() + "]":                                                                     false,
			"```\n" + communicationOf() + "\n```":                                                             false,
			communicationOf()[:len(communicationOf())-1]:                                                      false,
			"":     false,
			"null": false,
			`"x"`:  false,
			"{}":   false,
		},
		"required": {
			`{"recipient":"/root/a","content":"x","trigger_turn":true}`:                             false,
			`{"author":"/root","content":"x","trigger_turn":true}`:                                  false,
			`{"author":"/root","recipient":"/root/a","trigger_turn":true}`:                          false,
			`{"author":"/root","recipient":"/root/a","content":"x"}`:                                false,
			`{"author":null,"recipient":"/root/a","content":"x","trigger_turn":true}`:               false,
			`{"author":"/root","recipient":null,"content":"x","trigger_turn":true}`:                 false,
			`{"author":"/root","recipient":"/root/a","content":null,"trigger_turn":true}`:           false,
			`{"author":"/root","recipient":"/root/a","content":["x"],"trigger_turn":true}`:          false,
			`{"author":"/root","recipient":"/root/a","content":"x","trigger_turn":null}`:            false,
			`{"author":"/root","recipient":"/root/a","content":"x","trigger_turn":1}`:               false,
			`{"author":"/root","recipient":"/root/a","content":"x","trigger_turn":"true"}`:          false,
			`{"author":"/root","recipient":"/root/a","content":"","trigger_turn":false}`:            true,
			`{"Author":"/root","recipient":"/root/a","content":"x","trigger_turn":true}`:            false,
			`{"trigger_turn":true,"content":"x","recipient":"/root/a","\u0061uthor":"/root"}`:       true,
			`{"author":"/root","recipient":"/root/a","content":"\ud800","trigger_turn":true}`:       false,
			`{"author":"/root","recipient":"/root/a","content":"\ud83d\ude00","trigger_turn":true}`: true,
		},
		"optional": {
			communicationOf(`"id":null`):                         true,
			communicationOf(`"id":""`):                           true,
			communicationOf(`"id":1`):                            false,
			communicationOf(`"id":{}`):                           false,
			communicationOf(`"other_recipients":[]`):             true,
			communicationOf(`"other_recipients":["/root/b"]`):    true,
			communicationOf(`"other_recipients":["/root","/b"]`): false,
			communicationOf(`"other_recipients":[null]`):         false,
			communicationOf(`"other_recipients":null`):           false,
			communicationOf(`"other_recipients":"/root"`):        false,
			communicationOf(`"encrypted_content":null`):          true,
			communicationOf(`"encrypted_content":"e"`):           true,
			communicationOf(`"encrypted_content":1`):             false,
		},
		"doubled": {
			communicationOf(`"author":"/root"`):         false,
			communicationOf(`"\u0061uthor":"/root"`):    false,
			communicationOf(`"id":null`, `"id":null`):   false,
			communicationOf(`"z":1`, `"z":2`):           true,
			communicationOf(`"z":{"a":1,"a":2}`):        true,
			communicationOf(`"Author":1`, `"AUTHOR":2`): true,
		},
		"unknown": {
			communicationOf(`"metadata":1`):     true,
			communicationOf(`"":[]`):            true,
			communicationOf(`"z":"\ud800"`):     true,
			communicationOf(`"z":{"\ud800":1}`): true,
			communicationOf(`"\ud800":1`):       false, // a name is decoded, unknown or not
			communicationOf(`"z":1e999`):        true,
			communicationOf(`"z":01`):           false,
			communicationOf("\"z\":\"\x01\""):   false,
			communicationOf(`"z":` + strings.Repeat("[", 200) + strings.Repeat("]", 200)): true,
		},
		"passthrough metadata": {
			passthrough(`null`):                                              true,
			passthrough(`{}`):                                                true,
			passthrough(`1`):                                                 false,
			passthrough(`"x"`):                                               false,
			passthrough(`{"turn_id":"t","z":[1]}`):                           true,
			passthrough(`{"turn_id":null}`):                                  true,
			passthrough(`{"turn_id":1}`):                                     false,
			passthrough(`{"turn_id":"\ud800"}`):                              false,
			passthrough(`{"Turn_id":1}`):                                     true,
			passthrough(`{"turn_id":"t","turn_id":"t"}`):                     false,
			passthrough(`{"z":"t","z":"t"}`):                                 true,
			passthrough(`{"create_time":1.5}`):                               true,
			passthrough(`{"create_time":1e999}`):                             true,
			passthrough(`{"create_time":null}`):                              true,
			passthrough(`{"create_time":"1"}`):                               false,
			passthrough(`{"create_time":true}`):                              false,
			passthrough(`{"content_item_kinds":[1]}`):                        true,
			passthrough(`{"content_item_kinds":1}`):                          true,
			passthrough(`{"content_item_kinds":[],"content_item_kinds":[]}`): false,
			passthrough(`[]`):                                                true,
			passthrough(`["t"]`):                                             true,
			passthrough(`[null,1,5]`):                                        true,
			passthrough(`[1]`):                                               false,
			passthrough(`["t","x"]`):                                         false,
			passthrough(`["t",null,null,null]`):                              false,
		},
		"positional": {
			`[null,"/root","/root/a",[],"x",null,null,true]`:                      true,
			"\n[\"i\",\"/root\",\"/root/a\",[\"/root/b\"],\"x\",\"e\",{},false] ": true,
			`[null,"/root","/root/a",[],"x",null,null,true,1]`:                    false,
			`[null,"/root","/root/a",[],"x",null,null]`:                           false,
			`[null,"/root","/root/a",[],"x",null,true]`:                           false, // one left out in the middle
			`["/root","/root/a",[],"x",true]`:                                     false, // the required ones alone
			`["/root","/root/a",[],"x",null,null,true]`:                           false,
			`[null,"/root","/root/a",null,"x",null,null,true]`:                    false,
			`[null,"/root","/root/a",[],"x",null,null,1]`:                         false,
			`[null,"/root","/a",[],"x",null,null,true]`:                           false,
			`[null,"/root","/root/a",[],"x",null,null,true]x`:                     false,
			`[]`: false,
		},
	} {
		for text, want := range accepted {
			if got := isInterAgentCommunication(text); got != want {
				t.Errorf("%s: %.200q: got %v, want %v", name, text, got, want)
			}
		}
	}
}

// So are those of TestAgentPaths, for author, recipient and other recipients alike.
func TestAgentPaths(t *testing.T) {
	for path, want := range map[string]bool{
		"/morpheus": true, "/root": true, "/root/a": true, "/root/a/b": true, "/root/a_b9": true, "/root/_": true,
		"/root/rooty": true, "/root/0": true,
		"": false, "/": false, "root": false, "/a": false, "//root": false, "/Root": false, "/rootx": false,
		"/root/": false, "/root//a": false, "/root/a/": false, "/root/root": false, "/root/a/root": false, "/root/root/a": false,
		"/morpheus/": false, "/morpheus/a": false, "/Morpheus": false,
		"/root/A": false, "/root/a-b": false, "/root/.": false, "/root/..": false, "/root/a b": false, "/root/é": false, "/root/\u0660": false,
		" /root": false, "/root ": false, "/root\n": false,
	} {
		if got := validAgentPath(path); got != want {
			t.Errorf("%q: got %v, want %v", path, got, want)
		}
		quoted := jsonvalue.OfString(path).String()
		for _, text := range []string{
			`{"author":` + quoted + `,"recipient":"/root","content":"","trigger_turn":true}`,
			`{"author":"/root","recipient":` + quoted + `,"content":"","trigger_turn":true}`,
			`{"author":"/root","recipient":"/root","other_recipients":["/root",` + quoted + `],"content":"","trigger_turn":true}`,
		} {
			if got := isInterAgentCommunication(text); got != want {
				t.Errorf("%s: got %v, want %v", text, got, want)
			}
		}
	}
}
