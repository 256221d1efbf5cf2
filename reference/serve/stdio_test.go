package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// serve feeds the input to Serve and returns what it wrote.
func serve(t *testing.T, input io.Reader) string {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(context.Background(), input, &out); err != nil {
		t.Fatalf("Serve: %v", err)
	}
	return out.String()
}

// call is a request that the server answers with patched.
func call(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"mergepatch/create","params":{"previous":{},"current":{"a":1}}}`
}

func patched(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"patch":{"a":1}}}` + "\n"
}

func TestServeLines(t *testing.T) {
	for _, test := range []struct{ name, input, want string }{
		{"no input", "", ""},
		{"one request", call("1") + "\n", patched("1")},
		{"CRLF", call("1") + "\r\n" + call("2") + "\r\n", patched("1") + patched("2")},
		{"the last line lacks its end", call("1") + "\n" + call("2"), patched("1") + patched("2")},
		{"the order is kept", call("3") + "\n" + call("1") + "\n" + call("2") + "\n", patched("3") + patched("1") + patched("2")},
		{"blank lines are no messages", "\n\r\n" + call("1") + "\n\n", patched("1")},
		{"blanks around a message", "  " + call("1") + "\t\n", patched("1")},
		{"a notification has no answer", `{"jsonrpc":"2.0","method":"mergepatch/create","params":{"previous":{},"current":{}}}` + "\n" + call("2") + "\n", patched("2")},
		{"nor has one of an unknown method", `{"jsonrpc":"2.0","method":"no/such"}` + "\n", ""},
		{"nor has one with wrong params", `{"jsonrpc":"2.0","method":"mergepatch/create","params":[]}` + "\n", ""},
		{"equal ids are the peer's affair", call("1") + "\n" + call("1") + "\n", patched("1") + patched("1")},
		{"ids come back as they were written", call("-0") + "\n" + call("1e3") + "\n" + call(`"a\u0062\n"`) + "\n" + call("123456789012345678901234567890") + "\n" + call("null") + "\n",
			patched("-0") + patched("1e3") + patched(`"ab\n"`) + patched("123456789012345678901234567890") + patched("null")},
		{"unknown members are ignored", `{"x-trace":[1],"jsonrpc":"2.0","id":1,"method":"mergepatch/create","params":{"previous":{},"current":{"a":1},"more":0}}` + "\n", patched("1")},
	} {
		if got := serve(t, strings.NewReader(test.input)); got != test.want {
			t.Errorf("%s: got %q\nwant %q", test.name, got, test.want)
		}
		if got := serve(t, iotest.OneByteReader(strings.NewReader(test.input))); got != test.want {
			t.Errorf("%s, byte by byte: got %q\nwant %q", test.name, got, test.want)
		}
	}
}

func TestServeErrors(t *testing.T) {
	for _, test := range []struct {
		name, line, id string
		code           int
		path           string
	}{
		{"no JSON", `hello`, "null", protocol.ParseError, ""},
		{"blanks alone", ` `, "null", protocol.ParseError, ""},
		{"cut off", `{"jsonrpc":"2.0","id":1,"method":"initialize"`, "null", protocol.ParseError, ""},
		{"two messages on a line", call("1") + call("2"), "null", protocol.ParseError, ""},
		{"a doubled member", `{"jsonrpc":"2.0","id":1,"id":2,"method":"initialize"}`, "null", protocol.ParseError, ""},
		{"a doubled member in params", `{"jsonrpc":"2.0","id":1,"method":"mergepatch/create","params":{"previous":{},"current":{},"current":{}}}`, "null", protocol.ParseError, ""},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"initialize\"}", "null", protocol.ParseError, ""},
		{"an unpaired surrogate", `{"jsonrpc":"2.0","id":"\ud800","method":"initialize"}`, "null", protocol.ParseError, ""},
		{"a byte order mark", "\ufeff" + call("1"), "null", protocol.ParseError, ""},
		{"a CR inside", "\r" + `{"jsonrpc":"2.0",` + "\r" + `"id":1,"method":"no/such"}`, "1", protocol.UnknownMethod, ""},

		{"a batch", `[` + call("1") + `]`, "null", protocol.InvalidRequest, ""},
		{"a string", `"initialize"`, "null", protocol.InvalidRequest, ""},
		{"null", `null`, "null", protocol.InvalidRequest, ""},
		{"an empty object", `{}`, "null", protocol.InvalidRequest, ""},
		{"no version", `{"id":1,"method":"initialize"}`, "1", protocol.InvalidRequest, ""},
		{"version 1.0", `{"jsonrpc":"1.0","id":1,"method":"initialize"}`, "1", protocol.InvalidRequest, ""},
		{"version as a number", `{"jsonrpc":2.0,"id":1,"method":"initialize"}`, "1", protocol.InvalidRequest, ""},
		{"names are case-sensitive", `{"JSONRPC":"2.0","id":"x","method":"initialize"}`, `"x"`, protocol.InvalidRequest, ""},
		{"no method", `{"jsonrpc":"2.0","id":1}`, "1", protocol.InvalidRequest, ""},
		{"a method that is no string", `{"jsonrpc":"2.0","id":1,"method":1}`, "1", protocol.InvalidRequest, ""},
		{"a response", `{"jsonrpc":"2.0","id":1,"result":{}}`, "1", protocol.InvalidRequest, ""},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"initialize"}`, "null", protocol.InvalidRequest, ""},
		{"an id that is a boolean", `{"jsonrpc":"2.0","id":true,"method":"initialize"}`, "null", protocol.InvalidRequest, ""},
		{"params that are a string", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":"x"}`, "1", protocol.InvalidRequest, ""},
		{"a malformed request without id", `{"jsonrpc":"2.0","params":{}}`, "null", protocol.InvalidRequest, ""},

		{"an unknown method", `{"jsonrpc":"2.0","id":"a","method":"history/turn"}`, `"a"`, protocol.UnknownMethod, ""},
		{"methods are case-sensitive", `{"jsonrpc":"2.0","id":1,"method":"History/Turns","params":{"items":[]}}`, "1", protocol.UnknownMethod, ""},

		{"no params", `{"jsonrpc":"2.0","id":1,"method":"mergepatch/create"}`, "1", protocol.InvalidParams, ""},
		{"null params", `{"jsonrpc":"2.0","id":1,"method":"mergepatch/create","params":null}`, "1", protocol.InvalidParams, ""},
		{"params that are an array", `{"jsonrpc":"2.0","id":1,"method":"mergepatch/create","params":[{},{}]}`, "1", protocol.InvalidParams, ""},
		{"a missing param", `{"jsonrpc":"2.0","id":1,"method":"mergepatch/create","params":{"previous":{}}}`, "1", protocol.InvalidParams, "/current"},
		{"an unknown profile", `{"jsonrpc":"2.0","id":1,"method":"mergepatch/create","params":{"profile":"none","previous":{},"current":{}}}`, "1", protocol.InvalidParams, "/profile"},
	} {
		output := serve(t, strings.NewReader(test.line+"\n"+call("2")+"\n"))
		line, rest, _ := strings.Cut(output, "\n")
		if rest != patched("2") {
			t.Errorf("%s: the next request got %q", test.name, rest)
		}
		response := jsonvalue.MustParse(line)
		if id, ok := response.Get("id"); !ok || id.String() != test.id {
			t.Errorf("%s: id %s, want %s", test.name, id, test.id)
		}
		failure, _ := response.Get("error")
		if code, _ := failure.Get("code"); code.String() != fmt.Sprint(test.code) {
			t.Errorf("%s: got %s, want code %d", test.name, line, test.code)
		}
		if message, _ := failure.GetText("message"); message == "" {
			t.Errorf("%s: no message", test.name)
		}
		if _, ok := response.Get("result"); ok {
			t.Errorf("%s: a result beside the error", test.name)
		}
		data, hasData := failure.Get("data")
		if hasData != (test.code == protocol.InvalidParams) {
			t.Errorf("%s: data %s", test.name, data)
		}
		path, hasPath := data.GetText("path")
		if reason, _ := data.GetText("reason"); hasData && (!hasPath || path != test.path || reason == "") {
			t.Errorf("%s: data %s, want path %q and a reason", test.name, data, test.path)
		}
	}
}

func TestServeLongLines(t *testing.T) {
	for _, size := range []int{bufferSize - 1, bufferSize, bufferSize + 1, 3*bufferSize + 7, 5 << 20} {
		text := strings.Repeat("x", size)
		request := `{"jsonrpc":"2.0","id":1,"method":"mergepatch/create","params":{"previous":{},"current":{"a":"` + text + `"}}}`
		want := `{"jsonrpc":"2.0","id":1,"result":{"patch":{"a":"` + text + `"}}}` + "\n"
		for _, end := range []string{"\n", "\r\n"} {
			if got := serve(t, strings.NewReader(request+end+request+end+call("2"))); got != want+want+patched("2") {
				t.Errorf("%d bytes, line end %q: got %d bytes, want %d", size, end, len(got), len(want+want+patched("2")))
			}
		}
	}
}

// connection runs Serve on a pair of pipes.
type connection struct {
	in  *os.File
	out *bufio.Reader
	err chan error
}

func connect(ctx context.Context, t testing.TB) *connection {
	t.Helper()
	requests, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, responses, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := &connection{in, bufio.NewReader(out), make(chan error, 1)}
	go func() { c.err <- Serve(ctx, requests, responses) }()
	t.Cleanup(func() {
		for _, f := range []*os.File{in, requests, out, responses} {
			_ = f.Close() // some tests have closed theirs
		}
	})
	if err := out.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *connection) send(t testing.TB, text string) {
	t.Helper()
	if _, err := io.WriteString(c.in, text); err != nil {
		t.Fatal(err)
	}
}

func (c *connection) receive(t testing.TB) string {
	t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	return line
}

func TestServeLockstep(t *testing.T) {
	c := connect(context.Background(), t)
	for i := range 50 {
		c.send(t, call(fmt.Sprint(i))+"\n")
		if got := c.receive(t); got != patched(fmt.Sprint(i)) {
			t.Fatalf("got %q", got)
		}
	}
	if err := c.in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-c.err; err != nil {
		t.Errorf("at the end of input: %v", err)
	}
}

// An answer is not held back because a part of the next request is there already.
func TestServeFlushesBeforeAPartialLine(t *testing.T) {
	c := connect(context.Background(), t)
	next := call("2") + "\n"
	for cut := 1; cut < len(next); cut += 17 {
		c.send(t, call("1")+"\n"+next[:cut])
		if got := c.receive(t); got != patched("1") {
			t.Fatalf("got %q", got)
		}
		c.send(t, next[cut:])
		if got := c.receive(t); got != patched("2") {
			t.Fatalf("got %q", got)
		}
	}
}

// A countingWriter counts writes.
type countingWriter struct{ writes int }

func (w *countingWriter) Write(p []byte) (int, error) { w.writes++; return len(p), nil }

// Pipelined requests share writes: one a request would cost more than the answer.
func TestServeBuffersPipelinedAnswers(t *testing.T) {
	var out countingWriter
	input := strings.Repeat(call("1")+"\n", 200)
	if err := Serve(context.Background(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	if out.writes > 3 {
		t.Errorf("%d writes for 200 answers to one read", out.writes)
	}
}

func TestServeReportsFaultsOfItsStreams(t *testing.T) {
	broken := errors.New("broken")
	var out bytes.Buffer
	err := Serve(context.Background(), io.MultiReader(strings.NewReader(call("1")+"\n"+call("2")), iotest.ErrReader(broken)), &out)
	if !errors.Is(err, broken) || out.String() != patched("1") {
		t.Errorf("reading: %v after %q", err, out.String())
	}
	closed, writer := io.Pipe()
	if err := closed.CloseWithError(broken); err != nil {
		t.Fatal(err)
	}
	if err := Serve(context.Background(), strings.NewReader(call("1")+"\n"), writer); !errors.Is(err, broken) {
		t.Errorf("writing: %v", err)
	}
	if err := Serve(context.Background(), strings.NewReader(strings.Repeat(call("1")+"\n", 5000)), writer); !errors.Is(err, broken) {
		t.Errorf("writing more than the buffer: %v", err)
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := connect(ctx, t)
	c.send(t, call("1")+"\n")
	c.receive(t)
	cancel()
	select {
	case err := <-c.err:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("still waiting for input")
	}
	var out bytes.Buffer
	if err := serveLines(ctx, strings.NewReader(call("1")+"\n"), &out); !errors.Is(err, context.Canceled) || out.Len() > 0 {
		t.Errorf("after the end: %v, wrote %q", err, out.String())
	}
}

// Whatever comes in, each line but notifications gets one answer, with its id, and it does
// not matter how the input was cut into reads.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "\r\n", "\r", "{}", "[]", "null\n1\n", call("1"), call("1") + "\n" + call(`"x"`) + "\r\n\r\n",
		`{"jsonrpc":"2.0","method":"history/turns"}` + "\n",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol_version":"1"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"history/turns","params":{"items":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"[null,\"/root\"]"}]}]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"history/rollback","params":{"items":[{"type":"message","role":"user","content":[]}],"turns":1,"reference":true}}`,
		`{"jsonrpc":"2.0","id":1,"method":"history/normalize","params":{"items":[{"type":"function_call","id":"x","call_id":"c"}],"modalities":[]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"additional/merge","params":{"calls":[null,{"k":{"value":"v","kind":"untrusted"}}]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"message/merge","params":{"fragments":[{"type":"generic","role":"user","start":"","end":"","body":"x"}]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"mergepatch/apply","params":{"target":null,"patch":{"a":{"b":null}}}}`,
		"{\"id\":\"\xff\"}\n\x00\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		output := serve(t, bytes.NewReader(input))
		if got := serve(t, iotest.HalfReader(bytes.NewReader(input))); got != output {
			t.Fatalf("in other reads: %q\nwas %q", got, output)
		}
		responses := strings.SplitAfter(output, "\n")
		responses = responses[:len(responses)-1]
		for line := range strings.SplitSeq(string(input), "\n") {
			line = strings.TrimSuffix(line, "\r")
			if line == "" {
				continue
			}
			request, err := jsonvalue.Parse([]byte(line))
			id, hasID := request.Get("id")
			if err == nil && !hasID && isNotification(request) {
				continue
			}
			if len(responses) == 0 {
				t.Fatalf("no answer to %q", line)
			}
			checkResponse(t, responses[0], id)
			responses = responses[1:]
		}
		if len(responses) > 0 {
			t.Fatalf("answers to nothing: %q", responses)
		}
	})
}

// isNotification reports whether an object without id is a well-formed request.
func isNotification(request jsonvalue.Value) bool {
	version, _ := request.GetText("jsonrpc")
	_, hasMethod := request.GetText("method")
	params, hasParams := request.Get("params")
	structured := params.Kind() == jsonvalue.Object || params.Kind() == jsonvalue.Array || params.IsNull()
	return version == "2.0" && hasMethod && (!hasParams || structured)
}

// checkResponse checks the shape of a response to a request with that id.
func checkResponse(t *testing.T, line string, requestID jsonvalue.Value) {
	t.Helper()
	response, err := jsonvalue.Parse([]byte(line))
	if err != nil {
		t.Fatalf("response %q: %v", line, err)
	}
	version, _ := response.GetText("jsonrpc")
	id, hasID := response.Get("id")
	_, hasResult := response.Get("result")
	failure, hasError := response.Get("error")
	if version != "2.0" || !hasID || hasResult == hasError {
		t.Fatalf("malformed response %s", line)
	}
	code, _ := failure.Get("code")
	unreadable := requestID.Kind() != jsonvalue.Number && requestID.Kind() != jsonvalue.String
	if !jsonvalue.Equal(id, requestID) && (!id.IsNull() || !unreadable) {
		t.Fatalf("response %s to a request with id %s", line, requestID)
	}
	if code.String() == fmt.Sprint(protocol.InternalError) {
		t.Fatalf("internal error: %s", line)
	}
}

const benchmarkRequest = `{"jsonrpc":"2.0","id":17,"method":"history/turns","params":{"items":[` +
	`{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>\nread-only\n</permissions instructions>"}]},` +
	`{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"}]},` +
	`{"type":"message","role":"user","content":[{"type":"input_text","text":"fix the login"}]},` +
	`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}]}}` + "\n"

// BenchmarkServeStdio measures a request of a common size through the loop, with many in flight
// and one at a time over pipes.
func BenchmarkServeStdio(b *testing.B) {
	b.Run("pipelined", func(b *testing.B) {
		b.SetBytes(int64(len(benchmarkRequest)))
		b.ReportAllocs()
		input := strings.NewReader(strings.Repeat(benchmarkRequest, b.N))
		b.ResetTimer()
		if err := Serve(context.Background(), input, io.Discard); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("lockstep", func(b *testing.B) {
		c := connect(context.Background(), b)
		b.ResetTimer()
		for range b.N {
			c.send(b, benchmarkRequest)
			c.receive(b)
		}
	})
}
