package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// bufferSize bounds what is read or written at once, not the length of a line.
const bufferSize = 64 << 10

// Serve answers requests on in with responses on out, as an adapter does: JSON-RPC 2.0, a message
// a line, in the order of the requests. It returns nil at the end of in, the context's error when
// that ends first, or what went wrong in reading or writing.
//
// A context that ends cannot interrupt a read: the read is left behind, and what it brings is
// dropped unanswered.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ended := make(chan error, 1)
	go func() { ended <- serveLines(ctx, in, out) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// serveLines is Serve without its watch over the context.
func serveLines(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := lineReader{bufio.NewReaderSize(in, bufferSize), nil}
	responses := bufio.NewWriterSize(out, bufferSize)
	var response []byte
	for {
		if !lines.waiting() { // the peer may be waiting for what is still in the buffer
			if err := responses.Flush(); err != nil {
				return fmt.Errorf("write responses: %w", err)
			}
		}
		line, err := lines.next()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read requests: %w", err) // all answers are out: the read had to wait
		}
		if len(line) > 0 {
			response = appendAnswer(response[:0], line)
			if _, err := responses.Write(response); err != nil {
				return fmt.Errorf("write responses: %w", err)
			}
		}
		if err != nil {
			return responses.Flush()
		}
	}
}

// A lineReader reads lines of any length.
type lineReader struct {
	in   *bufio.Reader
	long []byte // a line that did not fit the reader's buffer
}

// waiting reports whether the next line can be read without waiting for the peer.
func (r *lineReader) waiting() bool {
	buffered, _ := r.in.Peek(r.in.Buffered())
	return bytes.IndexByte(buffered, '\n') >= 0
}

// next returns the next line without its LF or CRLF; it is valid until the following call. The
// last line may lack its end and comes with io.EOF.
func (r *lineReader) next() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = r.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			r.long = append(r.long, line...)
			line, err = r.in.ReadSlice('\n')
		}
		r.long = append(r.long, line...)
		line = r.long
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), err
}

// appendAnswer appends the response line to one request line, or nothing to a notification.
func appendAnswer(dst, line []byte) []byte {
	document, err := jsonvalue.Parse(line)
	if err != nil {
		return appendFailure(dst, jsonvalue.Value{}, &protocol.Error{Code: protocol.ParseError, Message: "parse error: " + err.Error()})
	}
	req, failure := readRequest(document)
	if failure != nil {
		return appendFailure(dst, req.id, failure)
	}
	if req.notification {
		return dst
	}
	result, failure := Reference{}.answer(req.method, req.params)
	if failure != nil {
		return appendFailure(dst, req.id, failure)
	}
	return appendResponse(dst, req.id, jsonvalue.Field("result", result))
}

// A request is one message of the peer. Its id is echoed as it was written.
type request struct {
	id           jsonvalue.Value
	notification bool // no id: the peer wants no answer, not even of an error
	method       string
	params       jsonvalue.Value // an object or array, null where absent
}

// readRequest reads a JSON-RPC 2.0 request. Members it does not know are ignored. The id is read
// first, so that an answer about a fault elsewhere in the request can carry it; it is null
// where it cannot be read.
func readRequest(document jsonvalue.Value) (request, *protocol.Error) {
	if document.Kind() != jsonvalue.Object {
		return request{}, invalidRequest("want an object, got %s", document.Kind())
	}
	id, hasID := document.Get("id")
	switch id.Kind() {
	case jsonvalue.Null, jsonvalue.Number, jsonvalue.String:
	default:
		return request{}, invalidRequest("id: want number, string or null, got %s", id.Kind())
	}
	req := request{id: id, notification: !hasID}
	if version, _ := document.GetText("jsonrpc"); version != "2.0" {
		return req, invalidRequest(`jsonrpc: want "2.0"`)
	}
	method, ok := document.GetText("method")
	if !ok {
		return req, invalidRequest("method: want string")
	}
	req.method = method
	req.params, _ = document.Get("params")
	switch req.params.Kind() {
	case jsonvalue.Null, jsonvalue.Array, jsonvalue.Object:
		return req, nil
	default:
		return req, invalidRequest("params: want object, got %s", req.params.Kind())
	}
}

func invalidRequest(format string, args ...any) *protocol.Error {
	return &protocol.Error{Code: protocol.InvalidRequest, Message: "invalid request: " + fmt.Sprintf(format, args...)}
}

func appendFailure(dst []byte, id jsonvalue.Value, failure *protocol.Error) []byte {
	members := []jsonvalue.Member{
		jsonvalue.Field("code", jsonvalue.OfInt(failure.Code)),
		jsonvalue.Field("message", jsonvalue.OfString(failure.Message)),
	}
	if data, err := jsonvalue.Parse(failure.Data); err == nil { // none, unless it is set
		members = append(members, jsonvalue.Field("data", data))
	}
	return appendResponse(dst, id, jsonvalue.Field("error", jsonvalue.OfObject(members...)))
}

func appendResponse(dst []byte, id jsonvalue.Value, outcome jsonvalue.Member) []byte {
	response := jsonvalue.OfObject(jsonvalue.Field("jsonrpc", jsonvalue.OfString("2.0")), jsonvalue.Field("id", id), outcome)
	return append(response.Append(dst), '\n')
}
