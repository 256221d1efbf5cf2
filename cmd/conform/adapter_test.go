package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/serve"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// adapterMain is an adapter of the reference that does one thing wrong: its first argument.
func adapterMain() {
	fault := os.Args[1]
	methods := []string{protocol.MarkerMatch, protocol.FragmentClassify}
	switch fault {
	case "declares-nothing":
		methods = nil
	case "declares-one":
		methods = methods[:1]
	case "ends-at-once":
		fmt.Fprintln(os.Stderr, "no configuration found \x1b[31m")
		os.Exit(7)
	case "is-silent":
		time.Sleep(time.Hour)
	}
	lines := bufio.NewScanner(os.Stdin)
	for answered := 0; lines.Scan(); answered++ {
		var request protocol.Request
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			panic(err)
		}
		if request.Method == protocol.Initialize {
			handshake := protocol.InitializeResult{
				ProtocolVersion: protocol.Version,
				Implementation:  protocol.Identification{Name: "test adapter", Version: "1"},
				Profiles:        []string{protocol.ContextFragments},
				Methods:         methods,
			}
			switch fault {
			case "speaks-version-2":
				handshake.ProtocolVersion = "2"
			case "declares-two-profiles":
				handshake.Profiles = append(handshake.Profiles, protocol.ModelVisible)
			}
			answer(request.ID, handshake, nil)
			continue
		}
		switch fault {
		case "crashes":
			fmt.Fprintln(os.Stderr, "panic: out of luck")
			os.Exit(2)
		case "hangs":
			if len(os.Args) > 2 {
				_ = os.WriteFile(os.Args[2], nil, 0o666)
			}
			time.Sleep(time.Hour)
		case "is-unsupported":
			answer(request.ID, nil, &protocol.Error{Code: protocol.Unsupported, Message: "later", Data: jsontext.Value(`{"feature":"colours"}`)})
			continue
		case "drives-the-terminal":
			fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"matches\":\"\u009b31m\u202e\"}}\n", request.ID)
			continue
		case "writes-a-banner":
			if answered == 1 {
				fmt.Println("Welcome!")
			}
		}
		result, err := serve.Reference{}.Call(context.Background(), request.Method, request.Params)
		failure, _ := err.(*protocol.Error)
		if fault == "lies" {
			result, failure = lie(request.Method), nil
		}
		answer(request.ID, result, failure)
	}
	if fault == "ends-badly" {
		os.Exit(5)
	}
}

// lie is a wrong answer to most cases: everything matches, nothing is context.
func lie(method string) jsontext.Value {
	if method == protocol.MarkerMatch {
		return jsontext.Value(`{"matches":true}`)
	}
	return jsontext.Value(`{"contextual":false,"kind":null}`)
}

func answer(id int64, result any, failure *protocol.Error) {
	encoded, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	response := protocol.Response{JSONRPC: "2.0", ID: jsontext.Value(fmt.Sprint(id)), Result: encoded, Error: failure}
	if failure != nil {
		response.Result = nil
	}
	line, err := json.Marshal(response)
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.TrimSpace(string(line)))
}
