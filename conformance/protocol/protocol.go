// Package protocol holds the wire contract between conform and an implementation under test:
// names, shapes and error codes, version 1. It has no behaviour. docs/protocol.md is the same
// contract in prose.
package protocol

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// Version is the protocol version that initialize carries on both sides.
const Version = "1"

// The profiles: each a named, frozen set of rules.
const (
	ContextFragments = "context-fragments/2026-08"
	ModelVisible     = "model-visible/2026-03"
)

// The methods.
const (
	Initialize       = "initialize"
	MarkerMatch      = "marker/match"
	FragmentRender   = "fragment/render"
	FragmentClassify = "fragment/classify"
	MessageMerge     = "message/merge"
	MessageProject   = "message/project"
	AdditionalMerge  = "additional/merge"
	MergePatchCreate = "mergepatch/create"
	MergePatchApply  = "mergepatch/apply"
	WorldStateDiff   = "worldstate/diff"
	ContextInitial   = "context/initial"
	HistoryTurns     = "history/turns"
	HistoryRollback  = "history/rollback"
	HistoryNormalize = "history/normalize"
	TurnStateBuild   = "turnstate/build"
	SessionRun       = "session/run"
	RolloutResume    = "rollout/resume"
	RolloutExplain   = "rollout/explain"
)

// The error codes: those of JSON-RPC 2.0, and ours.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	UnknownMethod  = -32601
	InvalidParams  = -32602
	InternalError  = -32603
	Unsupported    = -32001
)

// Implementation answers protocol calls: in process (reference/serve) or as a child process
// (conformance/adapter). Params is anything that encodes to a JSON object. The error is an *Error
// where the implementation itself answered with one.
type Implementation interface {
	Call(ctx context.Context, method string, params any) (jsontext.Value, error)
}

// Request is one line that conform writes.
type Request struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      int64          `json:"id"`
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params,omitzero"`
}

// Response is one line that an implementation writes: a result or an error, never both.
type Response struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Result  jsontext.Value `json:"result,omitzero"`
	Error   *Error         `json:"error,omitzero"`
}

// Error is a JSON-RPC error object.
type Error struct {
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Data    jsontext.Value `json:"data,omitzero"`
}

func (e *Error) Error() string { return e.Message }

// InvalidParamsData is the data of an InvalidParams error.
type InvalidParamsData struct {
	Path   string `json:"path"`   // RFC 6901 JSON pointer into params
	Reason string `json:"reason"` // what is wrong there
}

// UnsupportedData is the data of an Unsupported error.
type UnsupportedData struct {
	Feature string `json:"feature"`
}

// InitializeParams opens a connection.
type InitializeParams struct {
	ProtocolVersion string `json:"protocol_version"`
	Runner          Runner `json:"runner"`
}

// Runner names the program that drives the implementation.
type Runner struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// InitializeResult is what an implementation says of itself.
type InitializeResult struct {
	ProtocolVersion string         `json:"protocol_version"`
	Implementation  Identification `json:"implementation"`
	Profiles        []string       `json:"profiles"`
	Methods         []string       `json:"methods"`
	Notes           string         `json:"notes,omitzero"`
}

// Identification names an implementation.
type Identification struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Language string `json:"language,omitzero"`
	URL      string `json:"url,omitzero"`
}
