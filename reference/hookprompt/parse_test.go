package hookprompt

import (
	"fmt"
	"strings"
	"testing"
)

// in wraps a body in a well-formed element.
func in(body string) string { return `<a hook_run_id="1">` + body + `</a>` }

// with puts attributes on an element that has text.
func with(attributes string) string { return `<a ` + attributes + `>x</a>` }

// before puts something in front of a hook prompt.
func before(prolog string) string { return prolog + in("x") }

const none = "\x00none" // the text is no hook prompt

func TestParse(t *testing.T) {
	for _, group := range []struct {
		rule  string
		shape func(string) string // from the input to the whole text
		part  func(Prompt) string // what is compared
		cases [][2]string         // input, want
	}{
		{"DET-51: text must be there and not be blank", in, promptText, [][2]string{
			{"x", "x"}, {"  x  ", "  x  "}, {"\nx\n", "\nx\n"},
			{"", none}, {" ", none}, {"\t\r\n ", none}, {"<!--c-->", none}, {" <!--c--> ", none}, {"<?pi?>", none},
			{"<![CDATA[]]>", none}, {"<![CDATA[ ]]>", none}, {"&#32;", none}, {"&#9;&#10;&#13;", none},
			{"\u00a0", "\u00a0"}, {"\u3000", "\u3000"}, {"\u0085", "\u0085"}, {"\v", "\v"}, {"\x00", "\x00"}, {"\ufeff", "\ufeff"},
		}},
		{"DET-53: references", in, promptText, [][2]string{
			{"&lt;&gt;&amp;&quot;&apos;", `<>&"'`}, {"&amp;lt;", "&lt;"}, {"&lt;;", "<;"}, {"&#65;&#x41;&#x4a;&#x4A;", "AAJJ"},
			{"&#00065;", "A"}, {"&#1;", "\x01"}, {"&#160;", "\u00a0"}, {"&#xFFFE;", "\ufffe"}, {"&#1114111;", "\U0010ffff"},
			{"&#0;", none}, {"&#x0;", none}, {"&#xD800;", none}, {"&#xDFFF;", none}, {"&#x110000;", none}, {"&#4294967361;", none},
			{"&#X41;", none}, {"&#+65;", none}, {"&#-65;", none}, {"&# 65;", none}, {"&#6_5;", none}, {"&#\u0661;", none}, {"&#;", none}, {"&#x;", none}, {"&#xg;", none},
			{"&nbsp;", none}, {"&LT;", none}, {"&lt ;", none}, {"& lt;", none}, {"&;", none}, {"&", none}, {"a & b", none}, {"&lt", none}, {"&amp&lt;", none},
			{"&<!--c-->amp;", none}, {"&a<b/>;", none},
		}},
		{"DET-53: bare characters and CDATA", in, promptText, [][2]string{
			{"x>y", "x>y"}, {"x]]>y", "x]]>y"}, {`"x'`, `"x'`}, {"a < b", none}, {"<", none},
			{"a<![CDATA[<b>&amp;]]>c", "a<b>&amp;c"}, {"<![CDATA[x]]]]><![CDATA[>]]>", "x]]>"}, {" <![CDATA[x]]> ", " x "}, {"<![CDATA[a]b]]c]]>", "a]b]]c"},
			{"<![cdata[x]]>", none}, {"<![CDATA [x]]>", none}, {"<![CDATA[x]>", none}, {"<![X[x]]>", none}, {"<![CDATA[x", none},
		}},
		{"DET-53: comments and processing instructions vanish", in, promptText, [][2]string{
			{"x<!--c-->y", "xy"}, {"x <!--c--> y", "x  y"}, {"x<!--a--b-->y", "xy"}, {"x<!---->", "x"}, {"x<!-->-->y", "xy"}, {"x<!--->-->y", "xy"},
			{"<!-->x", none}, {"<!--->x", none}, {"x<!-- c ->", none}, {"x<!--", none}, {"x<!-c-->", none}, {"<!>x", none}, {"x<!y>", none},
			{"x<?pi?>y", "xy"}, {"x<?pi >y?>z", "xz"}, {"x<??>y", "xy"}, {"x<?pi ??>y", "xy"}, {"x<?>y", none}, {"x<?>y?>z", none}, {"x<?pi", none},
			{"x<!DOCTYPE a>y", "xy"}, {"x<!DOCTYPE>y", none}, {`x<?xml version="1.0"?>y`, "xy"}, {"x<?xml?>y", none},
		}},
		{"DET-53: line ends, a piece at a time", in, promptText, [][2]string{
			{"a\r\nb", "a\nb"}, {"a\rb", "a\nb"}, {"a\n\rb", "a\n\nb"}, {"\rx", "\nx"}, {"<![CDATA[a\r\nb]]>", "a\nb"},
			{"a\r<!--c-->\nb", "a\n\nb"}, {"a\r<![CDATA[\nb]]>", "a\n\nb"}, {"a\r&#10;b", "a\n\nb"}, {"x&#13;&#10;y", "x\r\ny"},
			{"a\u0085b\u2028c\r\u0085d", "a\u0085b\u2028c\n\u0085d"},
		}},
		{"DET-54: children", in, promptText, [][2]string{
			{"<b/>", none}, {"<b>x</b>", none}, {`<a hook_run_id="2">x</a>`, none},
			{"x<b/>", "x"}, {"<b/>x", "x"}, {"<b/> x <b/> ", " x "}, {" <b/> x", " x"}, {"x<b>y</b>", "x"}, {"x<b/>&#32;", "x"}, {"x<b/><c/>", "x"},
			{"<b/>x&amp;<![CDATA[y]]><!--c-->z<b/>", "x&yz"}, {"x<a>y</a>", "x"}, {"<b><b>y</b></b>x", "x"}, {"x<></>", "x"}, {"x< /> ", "x"},
			{"x<b/>y", none}, {"x<b/>\u00a0", none}, {"x<b/>&amp;", none},
			{"x<b></a>", none}, {"x<b></B>", none}, {"x<b><c></b></c>", none}, {"x</b>", none}, {"x<b>", none}, {"x<b", none}, {"x</>", none},
		}},
		{"DET-54: what is skipped must be well-formed, its first text must decode, the rest need not", in, promptText, [][2]string{
			{"<b>&x;</b>x", none}, {"<b>y&x;</b>x", none}, {"<b>&#0;</b>x", none}, {"<b><!--c-->&x;</b>x", none}, {"<b><!DOCTYPE a>&x;</b>x", none},
			{"<b><c>&x;</c></b>x", "x"}, {"<b><c/>&x;</b>x", "x"}, {"<b>y<c/>&#0;</b>x", "x"}, {"<b><c/>&;</b>x", "x"}, {"<b><c/>& </b>x", none}, {"<b><c/>&x<!--c-->;</b>x", none},
			{"<b c=1 d/>x", "x"}, {`<b c="1" c="2">y</b>x`, "x"}, {`<b c="/>x`, none}, {`x<b c=">"/>`, "x"},
			{"<b><![CDATA[</b>]]></b>x", "x"}, {"<b><?pi </b>?></b>x", "x"}, {"<b><!x></b>x", none}, {"<b><c><!DOCTYPE></c></b>x", none},
			{"<b><?xml?></b>x", none}, {"<b><c><?xml?></c></b>x", none}, {"<b>y<c><?xml?></c></b>x", "x"}, {"<b><c><d><?xml?></d></c></b>x", "x"}, {"<b/><?xml?>x", none},
			{"<b><!DOCTYPE a><c><?xml?></c></b>x", none}, {"<b><!DOCTYPE a>y<c><?xml?></c></b>x", "x"}, {"<b><!DOCTYPE a></b>x", "x"},
		}},
		{"DET-54: a child named like a field is that field", in, promptText, [][2]string{
			{"<$text>x</$text>", "x"}, {"<n:$text>x</n:$text>", "x"}, {"<$text> </$text>", " "}, {"<$text/>", ""}, {"<$text><!--c--></$text>", ""}, {"<$text a=1>x&amp;<!--c-->y</$text>", "x&y"},
			{"<$text>x</$text><b/> ", "x"}, {"<$text>x</$text>y", none}, {"y<$text/>", none}, {"<$text/><$text/>", none}, {"<$text>x<b/></$text>", none}, {"<$text> <b/></$text>", none}, {"<$text>&x;</$text>", none},
			{"<$TEXT>x</$TEXT>", none}, {"<a:b:$text>x</a:b:$text>", none}, {"<text>x</text>", none}, {"x<text>y</text>", "x"}, {"<@hook_run_id>2</@hook_run_id>x", none}, {"x<hook_run_id>2</hook_run_id>", "x"},
		}},
		{"DET-52: the attribute", with, runID, [][2]string{
			{`hook_run_id="r"`, "r"}, {`hook_run_id='r'`, "r"}, {`hook_run_id="a'b>c<d"`, "a'b>c<d"}, {`hook_run_id='"'`, `"`}, {"hook_run_id\n=\t\"r\" ", "r"},
			{`b="2" hook_run_id="r"`, "r"}, {`b="2"hook_run_id="r"`, "r"}, {`hook_run_id="r"b=''`, "r"}, {`hook_run_id="r" b="&x;<&"`, "r"}, {`hook_run_id="r" 'b'="2" <="3" =="4"`, "r"},
			{`hook_run_id=r`, none}, {`hook_run_id`, none}, {`hook_run_id=`, none}, {`hook_run_id="r`, none}, {`hook_run_id='r"`, none}, {`hook_run_id=="r"`, none},
			{`hook_run_id="r" b`, none}, {`hook_run_id="r" b=2`, none}, {`b=2 hook_run_id="r"`, none}, {`hook_run_id="r" ="2"`, none}, {`hook_run_id="r","b"`, none}, {`/ hook_run_id="r"`, none},
			{`HOOK_RUN_ID="r"`, none}, {`hook-run-id="r"`, none}, {`b="r"`, none}, {``, none}, {"hook_run_id\u00a0=\"r\"", none}, {"\fhook_run_id=\"r\"", none},
			{`hook_run_id="r" hook_run_id="s"`, none}, {`hook_run_id="r" b="1" b="2"`, none}, {`hook_run_id="r" b="1" B="1" n:b="1"`, "r"},
		}},
		{"DET-52: the local name counts", with, runID, [][2]string{
			{`n:hook_run_id="r"`, "r"}, {`:hook_run_id="r"`, "r"}, {`n:m:hook_run_id="r"`, none}, {`hook_run_id:="r"`, none}, {`hook_run_id:n="r"`, none},
			{`n:hook_run_id="r" hook_run_id="s"`, none}, {`n:hook_run_id="r" m:hook_run_id="s"`, none},
			{`xml:hook_run_id="r"`, none}, {`xmlns:hook_run_id="r"`, none}, {`xmlns:hook_run_id="r" hook_run_id="s"`, "s"}, {`xml:hook_run_id="r" hook_run_id="s"`, "s"},
		}},
		{"DET-52: namespaces that a tag declares", with, runID, [][2]string{
			{`xmlns="u" xmlns:n="v" n:hook_run_id="r"`, "r"}, {`xmlns="http://www.w3.org/XML/1998/namespace" hook_run_id="r"`, "r"},
			{`xmlns:xml="http://www.w3.org/XML/1998/namespace" hook_run_id="r"`, "r"}, {`xmlns:xml="u" hook_run_id="r"`, none}, {`xmlns:xmlns="http://www.w3.org/2000/xmlns/" hook_run_id="r"`, none},
			{`xmlns:n="http://www.w3.org/XML/1998/namespace" hook_run_id="r"`, none}, {`xmlns:n="http://www.w3.org/2000/xmlns/" hook_run_id="r"`, none}, {`xmlns:n="http://www.w3.org/2000/xmlns" hook_run_id="r"`, "r"},
		}},
		{"DET-50, DET-52, DET-66: the id's value", with, runID, [][2]string{
			{`hook_run_id="&lt;&#65;&#x42;&apos;&amp;lt;"`, "<AB'&lt;"}, {`hook_run_id=" r "`, " r "}, {"hook_run_id=\"a\nb\tc\rd\r\n\re\"", "a b c d  e"}, {`hook_run_id="a&#10;b&#9;c&#13;"`, "a\nb\tc\r"},
			{"hook_run_id=\"a\u0085b\u2028\"", "a\u0085b\u2028"}, {"hook_run_id=\"\u200b\"", "\u200b"}, {"hook_run_id=\"\ufeff\"", "\ufeff"}, {"hook_run_id=\"\x00\"", "\x00"},
			{`hook_run_id=""`, none}, {`hook_run_id=" "`, none}, {"hook_run_id=\"\r\n\"", none}, {"hook_run_id=\"\u00a0\u3000\"", none}, {`hook_run_id="&#32;"`, none},
			{`hook_run_id="&"`, none}, {`hook_run_id="a&b"`, none}, {`hook_run_id="&lt"`, none}, {`hook_run_id="&nbsp;"`, none}, {`hook_run_id="&#0;"`, none},
		}},
		{"DET-64, DET-65: in front of the element", before, promptText, [][2]string{
			{"", "x"}, {"\u00a0\u3000\v\u2028", "x"}, {"\ufeff", "x"}, {" \ufeff ", "x"}, {"\ufeff<!--c-->", "x"}, {"\ufeff\ufeff", none}, {"\ufeff\u00a0", none}, {"<!--c-->\ufeff", none},
			{"<!--c--> <?pi?>\n<!DOCTYPE a> ", "x"}, {"<!--c-->&#32;<![CDATA[ ]]>", "x"}, {"<!--c-->\u00a0", none}, {"<!--c-->\v", none},
			{"t", none}, {"\u200b", none}, {"\x00", none}, {"&amp;", none}, {"&#160;", none}, {"<![CDATA[t]]>", none}, {"</a>", none}, {"<b/>", none}, {"<b>x</b>", none},
			{"<?xml version='1.0'?>", "x"}, {`<?xml version="1.1" encoding="nonsense" b=c?>`, "x"}, {`<!--c--><?xml version="1.0"?><?xml version="1.1"?>`, "x"}, {`<?XML?><?xml-stylesheet?><?xml/?>`, "x"},
			{`<?xml?>`, none}, {`<?xml version="2.0"?>`, none}, {`<?xml version="1.00"?>`, none}, {`<?xml version=1.0?>`, none}, {`<?xml encoding="x" version="1.0"?>`, none}, {`<?xml Version="1.0"?>`, none}, {`<?xml version="1.0">`, none},
		}},
		{"DET-64: doctypes", before, promptText, [][2]string{
			{"<!DOCTYPE a>", "x"}, {"<!docType a><!DOCTYPEa>", "x"}, {`<!DOCTYPE a SYSTEM "u>v['">`, "x"}, {"<!DOCTYPE[]>", "x"}, {"<!DOCTYPE ]>", "x"}, {"<!DOCTYPE\u00a0>", "x"},
			{"<!DOCTYPE>", none}, {"<!DOCTYPE \n>", none}, {"<!DOCTYP a>", none}, {"<!DOCTYPE a '>", none}, {"<!DOCTYPE a <b>>", none}, {"<!DOCTYPE", none},
			{`<!DOCTYPE a [<!ENTITY e "v]>'"><!ELEMENT a ANY>]>`, "x"}, {"<!DOCTYPE a [ \" ' > [ %p; ] b \">", "x"}, {"<!DOCTYPE a [<!-- ]> ' --><?pi ]> ' ?>]>", "x"}, {"<!DOCTYPE a [<x ]><!><>]>", "x"},
			{"<!DOCTYPE a [<!ENTITY e '>]>", none}, {"<!DOCTYPE a [<!ATTLIST e '>]>", none}, {"<!DOCTYPE a [<!NOTATION e '>]>", none}, {"<!DOCTYPE a [<!ELEMENT e '>]>", "x"}, {"<!DOCTYPE a [<!entity e '>]>", "x"},
			{"<!DOCTYPE a [", none}, {"<!DOCTYPE a [>", none}, {"<!DOCTYPE a []", none}, {"<!DOCTYPE a [<!x]>", none}, {"<!DOCTYPE a [<!-->]>", none}, {"<!DOCTYPE a [<?x>]>", none}, {"<!DOCTYPE a [] '>'>", none},
		}},
		{"DET-53: entities of a doctype are not used", nil, promptText, [][2]string{
			{`<!DOCTYPE a [<!ENTITY e "v">]>` + in("&e;"), none}, {`<!DOCTYPE a [<!ENTITY lt "v">]>` + in("&lt;"), "<"},
		}},
		{"DET-62: the name is never compared, open and close must agree", nil, promptText, [][2]string{
			{`<hook_prompt hook_run_id="1">x</hook_prompt>`, "x"}, {`<p hook_run_id="1">x</p>`, "x"}, {`<skill hook_run_id="1">x</skill>`, "x"}, {`<HOOK_PROMPT hook_run_id="1">x</HOOK_PROMPT>`, "x"}, {`<n:a hook_run_id="1">x</n:a>`, "x"},
			{`<1 hook_run_id="1">x</1>`, "x"}, {`<é hook_run_id="1">x</é>`, "x"}, {"<a\u00a0 hook_run_id=\"1\">x</a\u00a0>", "x"}, {`< hook_run_id="1">x</>`, "x"}, {`<a/ hook_run_id="1">x</a/>`, "x"}, {`<a'>' hook_run_id="1">x</a'>'>`, "x"},
			{"<a\nhook_run_id=\"1\"\r>x</a\t >", "x"}, {`<a hook_run_id="1">x</A>`, none}, {`<n:a hook_run_id="1">x</a>`, none}, {`<a hook_run_id="1">x</ a>`, none}, {`<a hook_run_id="1">x</a b="1">`, none}, {"<a hook_run_id=\"1\">x</a\u00a0>", none},
			{`< hook_run_id="1">x</ >`, none}, {`< a hook_run_id="1">x</a>`, none}, {`<a"b hook_run_id="1">x</a"b>`, none}, {"<a\fhook_run_id=\"1\">x</a>", none},
			{`<a hook_run_id="1"/>`, none}, {`<a hook_run_id="1"/>x</a>`, none}, {`<a hook_run_id="1"/ >x</a>`, none}, {`<a hook_run_id="1">x`, none}, {`<a hook_run_id="1">x</a`, none}, {`<a hook_run_id="1"`, none},
			{"", none}, {"x", none}, {"<", none}, {"<a>x</a>", none}, {"<!--c-->", none}, {"\ufeff", none}, {`hook_run_id="1"`, none},
		}},
		{"DET-63: everything after the element is ignored", func(after string) string { return in("x") + after }, promptText, [][2]string{
			{"tail", "x"}, {"<", "x"}, {"</b>", "x"}, {"&x;", "x"}, {"<!--", "x"}, {"<?xml?>", "x"}, {`<b xmlns:xml="u"/>`, "x"}, {in("y"), "x"}, {"\x00", "x"},
		}},
		{"DET-52: a bad attribute voids the tag even where a child gives the id", func(attributes string) string {
			return "<a " + attributes + "><@hook_run_id>2</@hook_run_id>x</a>"
		}, runID, [][2]string{{"b='1'", "2"}, {"b=1", none}, {"b", none}, {"b='1' b='2'", none}, {"hook_run_id='1'", none}}},
		{"DET-54: the id by a child of that name", func(children string) string { return "<a>" + children + "</a>" }, runID, [][2]string{
			{"<@hook_run_id> 2\n&amp;</@hook_run_id>x", " 2\n&"}, {"x<n:@hook_run_id>2</n:@hook_run_id>", "2"}, {"<@hook_run_id>2</@hook_run_id><$text/>", "2"},
			{"<@hook_run_id> </@hook_run_id>x", none}, {"<@hook_run_id/>x", none}, {"<hook_run_id>2</hook_run_id>x", none}, {"<@n:hook_run_id>2</@n:hook_run_id>x", none}, {"x<@hook_run_id>2</@hook_run_id>y", none}, {"<@hook_run_id>2</@hook_run_id>", none},
		}},
	} {
		for _, c := range group.cases {
			document := c[0]
			if group.shape != nil {
				document = group.shape(document)
			}
			t.Run(group.rule, func(t *testing.T) {
				got := none
				if prompt, ok := Parse(document); ok {
					got = group.part(prompt)
				}
				if got != c[1] {
					t.Errorf("Parse(%+q) gives %+q, want %+q", document, got, c[1])
				}
			})
		}
	}
}

func promptText(p Prompt) string { return p.Text }
func runID(p Prompt) string      { return p.HookRunID }

// The version of XML decides which line ends there are, and a declaration reaches back over the one
// token before it (DET-66).
func TestParseVersion(t *testing.T) {
	const v10, v11 = `<?xml version="1.0"?>`, `<?xml version="1.1"?>`
	for _, c := range []struct{ document, text, id string }{
		{v11 + in("a\u0085b\u2028c\r\u0085d\r\ne"), "a\nb\nc\nd\ne", "1"},
		{v11 + "<a hook_run_id='a\u0085b\u2028c\r\u0085d'>x</a>", "x", "a b c d"},
		{v11 + "<a hook_run_id='&#x85;1'>x&#x85;</a>", "x\u0085", "\u00851"},
		{v11 + v10 + in("a\u0085"), "a\u0085", "1"},
		{v11 + in("\u0085"), none, ""},
		{v11 + in("<![CDATA[\u2028]]>"), none, ""},
		{in("a\u0085" + v11 + "b\u0085"), "a\nb\n", "1"},
		{in("a\u0085&amp;" + v11 + "b\u0085"), "a\u0085&b\n", "1"},
		{in("a\u0085<!DOCTYPE a>" + v11 + "b\u0085"), "a\u0085b\n", "1"},
		{in("<b>" + v11 + "</b>a\u0085"), "a\n", "1"},
		{in("<b>y<c>" + v11 + "</c></b>a\u0085"), "a\u0085", "1"},
		{"<a hook_run_id='a\u0085'>" + v11 + "x</a>", "x", "a "},
		{"<a hook_run_id='a\u0085'> " + v11 + "x</a>", " x", "a\u0085"},
		{in("a\u0085") + v11, "a\u0085", "1"},
	} {
		prompt, ok := Parse(c.document)
		if !ok {
			prompt = Prompt{Text: none}
		}
		if (prompt != Prompt{c.text, c.id}) {
			t.Errorf("Parse(%+q) gives %+q, want text %+q, id %+q", c.document, prompt, c.text, c.id)
		}
	}
}

func TestParseManyNamespaces(t *testing.T) {
	declare := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ` xmlns:n%d="u"`, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		root, child int
		want        bool
	}{{256, 256, true}, {257, 0, false}, {0, 257, false}} {
		document := `<a hook_run_id="1"` + declare(c.root) + `>x<b` + declare(c.child) + `/></a>`
		if _, ok := Parse(document); ok != c.want {
			t.Errorf("%d namespaces on the root and %d on a child: %v, want %v", c.root, c.child, ok, c.want)
		}
	}
}

func TestParseDeep(t *testing.T) {
	const depth = 100_000
	document := in("x" + strings.Repeat("<b>", depth) + strings.Repeat("</b>", depth))
	if _, ok := Parse(document); !ok {
		t.Errorf("%d nested children should be skipped", depth)
	}
}

// FuzzParseHookPrompt: no text panics, and what parses says the same after it is built again.
func FuzzParseHookPrompt(f *testing.F) {
	for _, seed := range []string{
		in("x"), in("<b c='>'/>x&amp;<![CDATA[y]]>"), with("n:hook_run_id='\r' b=\"&\""), before(`<!DOCTYPE a [<!ENTITY e ">">]>`),
		before(`<?xml version="1.1"?>`), "<a><@hook_run_id>2</@hook_run_id><$text/></a>", in("<b><c/>&;</b>x"), "\ufeff<a/><", in("x<?>") + "<!--",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, document string) {
		prompt, ok := Parse(document)
		if !ok {
			return
		}
		if strings.TrimSpace(prompt.HookRunID) == "" {
			t.Fatalf("Parse(%+q) gives a blank id", document)
		}
		checkRoundTrip(t, prompt)
	})
}
