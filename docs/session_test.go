package docs

import (
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/contextfragments/conform/reference/serve"
)

// The reference, asked what the runner asks in the examples of protocol.md, must give the answers
// that the page shows. The order of answers is free (PRO-2), and so are an error's words.
func TestTheExampleSessionIsWhatTheReferenceSays(t *testing.T) {
	checkExample(t, "`←` by the adapter.\n\n```\n", 4)
	checkExample(t, "Absent in params it is null.\n\n```\n", 1)
}

// checkExample checks the example behind an opening, which must show at least so many answers.
func checkExample(t *testing.T, opening string, least int) {
	t.Helper()
	var requests strings.Builder
	shown := map[string]jsonvalue.Value{}
	for line := range strings.Lines(codeAfter(t, pagesOfFolder(t)["protocol.md"], opening)) {
		direction, message, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case strings.Contains(message, `"id":1,`): // each adapter introduces itself
		case direction == "→":
			requests.WriteString(message + "\n")
		default:
			answer := jsonvalue.MustParse(message)
			id, _ := answer.Get("id")
			shown[id.String()] = answer
		}
	}
	var responses strings.Builder
	if err := serve.Serve(t.Context(), strings.NewReader(requests.String()), &responses); err != nil {
		t.Fatal(err)
	}
	if len(shown) < least {
		t.Fatalf("the example shows %d answers", len(shown))
	}
	for line := range strings.Lines(responses.String()) {
		got := jsonvalue.MustParse(line)
		id, _ := got.Get("id")
		want := shown[id.String()]
		if !jsonvalue.Equal(withoutWords(got), withoutWords(want)) {
			t.Errorf("the reference answers\n%s\nprotocol.md shows\n%s", got, want)
		}
		delete(shown, id.String())
	}
	for id := range shown {
		t.Errorf("the reference did not answer request %s", id)
	}
}

// withoutWords drops the texts of an error that an implementation words as it likes.
func withoutWords(response jsonvalue.Value) jsonvalue.Value {
	failure, ok := response.Get("error")
	if !ok {
		return response
	}
	failure = failure.Without("message")
	if data, ok := failure.Get("data"); ok {
		failure = failure.With("data", data.Without("reason"))
	}
	return response.With("error", failure)
}
