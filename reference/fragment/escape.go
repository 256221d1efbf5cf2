package fragment

import "strings"

// Most bodies escape nothing. These are the two ways of those that do.
var (
	// textEscapes is for realtime delegations (DET-37).
	textEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	// xmlEscapes is for environments and tools (DET-24, WLD-38, WLD-57).
	xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")
)

func element(name, text string) string {
	return "<" + name + ">" + xmlEscapes.Replace(text) + "</" + name + ">"
}
