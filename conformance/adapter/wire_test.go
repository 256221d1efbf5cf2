package adapter

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

func TestDecode(t *testing.T) {
	for _, row := range []struct {
		line   string
		kind   FailureKind // "": a right answer
		detail string
		ids    []int64
	}{
		{`{"jsonrpc":"2.0","id":7,"result":null}`, "", "", nil},
		{` { "id" : 7 , "result" : [1] , "jsonrpc" : "2.0" , "x-time" : 3 } `, "", "", nil},
		{`{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"","data":null,"x":1}}`, "", "", nil},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`, "", "", nil},

		{``, Garbage, "an empty line", nil},
		{`  `, Garbage, "an empty line", nil},
		{`OK`, Garbage, "not strict JSON", nil},
		{"\ufeff" + `{"jsonrpc":"2.0","id":7,"result":1}`, Garbage, "byte order mark", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"result":`, Garbage, "ends in the middle", []int64{7}},
		{`{"jsonrpc":"2.0","id":7`, Garbage, "ends in the middle", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"result":01}`, Garbage, "", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"result":'x'}`, Garbage, "", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"result":{},}`, Garbage, "", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"result":1}x`, Garbage, "", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"id":8,"result":1}`, Garbage, "duplicate", []int64{7}},
		{`{"jsonrpc":"2.0","result":NaN,"id":7}`, Garbage, "", []int64{7}},
		{`{"jsonrpc":"2.0","result":"\u12","id": 7 } `, Garbage, "", []int64{7}},
		{`{"jsonrpc":"2.0","result":NaN,"nid":7}`, Garbage, "", nil},
		{`noise {"jsonrpc":"2.0","result":1,"id":7}`, Garbage, "", []int64{7}},

		{`{"jsonrpc":"2.0","id":7,"result":1}{"jsonrpc":"2.0","id":8,"result":1}`, InvalidResponse, "more than one", []int64{7, 8}},
		{`"text"`, InvalidResponse, "a string, want a response object", nil},
		{`[]`, InvalidResponse, "an array", nil},
		{`{}`, InvalidResponse, "jsonrpc is missing", nil},
		{`{"jsonrpc":2.0,"id":7,"result":1}`, InvalidResponse, `want "2.0"`, []int64{7}},
		{`{"jsonrpc":"1.0","id":7,"result":1}`, InvalidResponse, `want "2.0"`, []int64{7}},
		{`{"JSONRPC":"2.0","id":7,"result":1}`, InvalidResponse, "jsonrpc is missing", []int64{7}},
		{`{"jsonrpc":"2.0","ID":7,"result":1}`, InvalidResponse, "id is missing", nil},
		{`{"jsonrpc":"2.0","id":7}`, InvalidResponse, "neither", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"result":1,"error":null}`, InvalidResponse, "both", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"result":1,"error":{"code":1,"message":"m"}}`, InvalidResponse, "both", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"error":{"code":1.5,"message":"m"}}`, InvalidResponse, `error.code is "1.5"`, []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"error":{"code":"1","message":"m"}}`, InvalidResponse, "error.code is `\"1\"`", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"error":{"message":"m"}}`, InvalidResponse, "error.code is missing", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"error":{"code":1}}`, InvalidResponse, "error.message is missing", []int64{7}},
		{`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":2}}`, InvalidResponse, "error.message is no string", []int64{7}},
		{`{"jsonrpc":"2.0","id":null,"result":1}`, InvalidResponse, "a result with id null", nil},
		{`{"jsonrpc":"2.0","id":7,"method":"x","result":1}`, InvalidResponse, "it has a method", nil},

		{`{"jsonrpc":"2.0","id":"7","result":1}`, WrongID, `want the integer`, []int64{7}},
		{`{"jsonrpc":"2.0","id":7.0,"result":1}`, WrongID, "the id is", []int64{7}},
		{`{"jsonrpc":"2.0","id":7.5,"result":1}`, WrongID, "the id is", nil},
		{`{"jsonrpc":"2.0","id":true,"result":1}`, WrongID, "the id is", nil},
		{`{"jsonrpc":"2.0","id":99999999999999999999,"result":1}`, WrongID, "the id is", nil},
	} {
		var d lineDecoder
		for range 2 { // the second time with used buffers
			r, f := d.decode([]byte(row.line))
			switch {
			case row.kind == "" && f != nil:
				t.Errorf("%s: %v", row.line, f)
			case row.kind == "":
				if r.id != 7 && !r.noID || r.result == nil && r.err == nil {
					t.Errorf("%s: %+v", row.line, r)
				}
			case f == nil:
				t.Errorf("%s is accepted", row.line)
			case f.kind != row.kind || !strings.Contains(f.detail, row.detail) || !slices.Equal(f.ids, row.ids):
				t.Errorf("%s: %s, %s, ids %v; want %s, %q, ids %v", row.line, f.kind, f.detail, f.ids, row.kind, row.detail, row.ids)
			}
		}
	}
}

// FuzzDecode: whatever the line, it is either a response that a strict reader reads the same way,
// or a fault with a detail that may be printed.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":7,"result":{"a":[1,"\ud83d\ude00"]}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"m","data":{}}}`))
	f.Add([]byte("{\"id\":1,\"id\":2}\xff"))
	f.Fuzz(func(t *testing.T, line []byte) {
		var d lineDecoder
		before := bytes.Clone(line)
		r, fault := d.decode(line)
		if !bytes.Equal(before, line) {
			t.Fatalf("the line has changed from %q to %q", before, line)
		}
		if fault != nil {
			if strings.ContainsFunc(fault.detail, func(r rune) bool { return r < ' ' || r == '\ufffd' }) {
				t.Fatalf("%q: detail %q", line, fault.detail)
			}
			return
		}
		value, err := jsonvalue.Parse(line)
		if err != nil {
			t.Fatalf("%q is accepted: %v", line, err)
		}
		result, _ := value.Get("result")
		if got, err := jsonvalue.Parse(r.result); r.err == nil && (err != nil || !jsonvalue.Equal(got, result)) {
			t.Fatalf("%q has the result %s", line, r.result)
		}
	})
}

// TestLinesWhateverTheReads: the same bytes give the same lines however they arrive.
func TestLinesWhateverTheReads(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var text []byte
	var want []string
	for i := range 300 {
		n := random.IntN(40)
		if i%40 == 0 {
			n = random.IntN(3 * leastLineLimit)
		}
		line := strings.Repeat(fmt.Sprint(i%10), n) + "\n"
		text = append(text, line...)
		if len(line) > leastLineLimit {
			line = fmt.Sprintf("long %d %s", len(line), line[:headKept])
		}
		want = append(want, line)
	}
	text = append(text, "no end"...)
	want = append(want, "end: no end")
	for _, most := range []int{1, 7, 100, 5000, readSize, 10 * readSize} {
		o := newOutput(leastLineLimit)
		go o.run(&stutter{text: text, most: most, random: random})
		var got []string
		for ch := range o.chunks {
			for _, line := range bytes.SplitAfter(ch.lines, []byte("\n")) {
				if len(line) > 0 {
					got = append(got, string(line))
				}
			}
			if ch.long != nil {
				got = append(got, fmt.Sprintf("long %d %s", ch.long.length, ch.long.head))
				if !bytes.HasSuffix(ch.long.tail, []byte("\n")) || len(ch.long.tail) != idTail {
					t.Errorf("tail %q", ch.long.tail)
				}
			}
			if ch.end {
				got = append(got, "end: "+string(ch.rest))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("reads of up to %d bytes: %d lines, want %d", most, len(got), len(want))
		}
	}
}

// stutter reads a text in pieces of random size.
type stutter struct {
	text   []byte
	most   int
	random *rand.Rand
}

func (s *stutter) Read(buffer []byte) (int, error) {
	if len(s.text) == 0 {
		return 0, fmt.Errorf("the end")
	}
	n := copy(buffer, s.text[:min(len(s.text), 1+s.random.IntN(s.most))])
	s.text = s.text[n:]
	return n, nil
}

func TestTailKeepsTheEnd(t *testing.T) {
	var kept tail
	var all strings.Builder
	for i := range 20_000 {
		line := fmt.Sprintf("line %d é\n", i)
		kept.Write([]byte(line))
		all.WriteString(line)
	}
	text := kept.text()
	if !strings.HasSuffix(all.String(), text) || len(text) < stderrKept-3 || len(text) > stderrKept {
		t.Errorf("%d bytes, beginning with %q", len(text), text[:20])
	}
	if short := kept.excerpt(); !strings.HasSuffix(text, short) || len(short) > excerptKept {
		t.Errorf("the excerpt has %d bytes", len(short))
	}
	kept.Write(bytes.Repeat([]byte("x"), 3*stderrKept))
	kept.Write([]byte("\xff\xfe"))
	if text := kept.text(); len(text) > stderrKept+4 || !strings.HasSuffix(text, "xx\ufffd") {
		t.Errorf("%d bytes, ending with %q", len(text), text[len(text)-8:])
	}
}

func TestWritesNeverBlock(t *testing.T) {
	p, err := launch(playing(t, "sleeper").withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for range 100 {
		p.in.write(bytes.Repeat([]byte("x"), 100_000))
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("writing to a process that does not read took %v", took)
	}
	p.kill()
	p.discard(closePatience)
	noneLeft(t, []*process{p})
}
