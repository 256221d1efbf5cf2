package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/serve"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// troubleMain is an adapter of the reference with trouble at the requests that its arguments name:
// "crash=TEXT" crashes at each request that contains the text. For each kind of trouble there may
// be several arguments.
func troubleMain() {
	trouble := map[string][]string{}
	for _, argument := range os.Args[1:] {
		kind, text, _ := strings.Cut(argument, "=")
		trouble[kind] = append(trouble[kind], text)
	}
	setting := func(name, otherwise string) string {
		if texts := trouble[name]; texts != nil {
			return texts[0]
		}
		return otherwise
	}
	if size := setting("pipes", ""); size != "" {
		shrinkPipes(size)
	}
	if trouble["deaf"] != nil {
		signal.Ignore(syscall.SIGTERM)
	}
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		var request protocol.Request
		if err := json.Unmarshal([]byte(line), &request); err != nil {
			panic(err)
		}
		if request.Method == protocol.Initialize {
			if file := setting("pid", ""); file != "" {
				_ = os.WriteFile(file, fmt.Append(nil, os.Getpid()), 0o666)
			}
			if trouble["silent"] != nil {
				time.Sleep(time.Hour)
			}
			answer(request.ID, protocol.InitializeResult{
				ProtocolVersion: protocol.Version,
				Implementation:  protocol.Identification{Name: setting("name", "trouble"), Version: setting("version", "1.4")},
				Profiles:        strings.Split(setting("profiles", protocol.ContextFragments), ","),
				Methods:         strings.Split(setting("methods", protocol.MarkerMatch), ","),
			}, nil)
			continue
		}
		has := func(kind string) bool {
			for _, text := range trouble[kind] {
				if strings.Contains(line, text) {
					return true
				}
			}
			return false
		}
		switch {
		case has("crash"):
			fmt.Fprintln(os.Stderr, setting("stderr", "panic: out of luck"))
			os.Exit(3)
		case has("hang"):
			if file := setting("ready", ""); file != "" {
				_ = os.WriteFile(file, nil, 0o666)
			}
			time.Sleep(time.Hour)
		case has("wrong"):
			answer(request.ID, map[string]any{"matches": setting("answer", "wrong")}, nil)
			continue
		case has("raw"): // as it is, with the id in place of ID
			fmt.Println(strings.ReplaceAll(setting("line", ""), "ID", fmt.Sprint(request.ID)))
			continue
		case has("unsupported"):
			answer(request.ID, nil, &protocol.Error{Code: protocol.Unsupported, Message: "later", Data: jsontext.Value(`{"feature":"colours"}`)})
			continue
		case has("large"):
			answer(request.ID, map[string]any{"matches": true, "x-pad": strings.Repeat("x", 1<<20)}, nil)
			continue
		}
		result, err := serve.Reference{}.Call(context.Background(), request.Method, request.Params)
		var failure *protocol.Error
		errors.As(err, &failure)
		answer(request.ID, result, failure)
	}
}
