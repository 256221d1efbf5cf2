package fragment

import "github.com/contextfragments/conform/reference/jsonvalue"

// reader reads the fields of a fragment.
type reader struct{ jsonvalue.Reader }

func read(c jsonvalue.Cursor, err *error) reader { return reader{jsonvalue.NewReader(c, err)} }

func (r reader) object(name string) reader { return reader{r.Object(name)} }

// some passes a fragment on that exists only if ok; the field is what makes it so.
func (r reader) some(f Fragment, ok bool, field string) Fragment {
	if !ok {
		NothingToSay(r.Reader, field)
	}
	return f
}

// NothingToSay fails at the field that leaves a fragment without content. Decode takes that as an
// answer, DecodeOne as an error.
func NothingToSay(r jsonvalue.Reader, field string) {
	r.Fail(&nothingToSay{r.Cursor.Member(field).Fail("leaves nothing to say")})
}

// SaysNothing reports whether an error is one of NothingToSay.
func SaysNothing(err error) bool {
	_, ok := err.(*nothingToSay) //nolint:errorlint // it is never wrapped
	return ok
}

// nothingToSay wraps the error at the field.
type nothingToSay struct{ err error }

func (n *nothingToSay) Error() string { return n.err.Error() }
func (n *nothingToSay) Unwrap() error { return n.err }
