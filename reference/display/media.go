package display

import (
	"strings"

	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// media shows an image or audio with those of the members that it has (DET-82).
func media(kind string, content item.Content, members ...string) jsonvalue.Value {
	shown := turnItem(kind)
	for _, name := range members {
		if value, _ := content.Value().Get(name); !value.IsNull() {
			shown = shown.With(name, value)
		}
	}
	return shown
}

// labels has a row a medium: its content type, and the name of the tags that are written around it.
var labels = []struct{ content, tag string }{
	{item.InputImage, "image"},
	{item.InputAudio, "audio"},
}

// isLabel reports whether the text at index i is the label of the medium beside it: an open tag
// directly before it or a close tag directly after it. Any other text of that shape was typed (DET-83).
func isLabel(contents []item.Content, i int) bool {
	text, _ := contents[i].InputText()
	for _, label := range labels {
		before := i+1 < len(contents) && contents[i+1].Type() == label.content
		after := i > 0 && contents[i-1].Type() == label.content
		if (before && isOpenLabel(text, label.tag)) || (after && text == "</"+label.tag+">") {
			return true
		}
	}
	return false
}

// isOpenLabel knows `<image>` and `<image name=…>`, the form of local files; nothing is trimmed and
// case counts (DET-83, DET-87).
func isOpenLabel(text, tag string) bool {
	return text == "<"+tag+">" || (strings.HasPrefix(text, "<"+tag+" name=") && strings.HasSuffix(text, ">"))
}
