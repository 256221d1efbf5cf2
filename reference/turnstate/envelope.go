package turnstate

import (
	"strings"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
)

// separator stands between the texts of a message, which a model reads as if they were one.
const separator = "\n\n"

// Messages puts fragments into two envelopes, first the developer's and then the user's, whatever
// their order in the list (REG-28). An envelope that nothing is in does not exist (REG-30).
// Fragments that stand alone are messages of their own behind them (REG-31).
func Messages(fragments []fragment.Fragment) []item.Item {
	var developer, user []fragment.Fragment
	alone := []item.Item{}
	for _, f := range fragments {
		switch {
		case f.Separate:
			alone = append(alone, message([]fragment.Fragment{f}))
		case f.Role == item.RoleDeveloper:
			developer = append(developer, f)
		default:
			user = append(user, f)
		}
	}
	messages := []item.Item{}
	for _, envelope := range [][]fragment.Fragment{developer, user} {
		if len(envelope) > 0 {
			messages = append(messages, message(envelope))
		}
	}
	return append(messages, alone...)
}

// message returns one message with a content item a fragment. A text that another one follows ends
// in the separator: it is added unless it is there already, and one LF is not half of it (REG-29).
// There is no metadata.
func message(fragments []fragment.Fragment) item.Item {
	contents := make([]item.Content, len(fragments))
	for i, f := range fragments {
		text := f.Render()
		if i < len(fragments)-1 && !strings.HasSuffix(text, separator) {
			text += separator
		}
		contents[i] = item.Text(text)
	}
	return item.Message(fragments[0].Role, contents, nil)
}
