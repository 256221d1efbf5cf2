package display

import (
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// others has a row an item type, besides messages, of which a user sees something (DET-86).
var others = map[string]func(it item.Item) jsonvalue.Value{
	"reasoning":             reasoning,
	"web_search_call":       webSearch,
	"image_generation_call": imageGeneration,
}

func reasoning(it item.Item) jsonvalue.Value {
	return turnItem("reasoning",
		jsonvalue.Field("id", idOrEmpty(it)),
		jsonvalue.Field("summary_text", texts(it, "summary", "summary_text")),
		jsonvalue.Field("raw_content", texts(it, "content", "reasoning_text", "text")),
	)
}

// idOrEmpty returns the id of an item, or the empty string where it has none (PRO-17).
func idOrEmpty(it item.Item) jsonvalue.Value {
	id, _ := it.GetText("id")
	return jsonvalue.OfString(id)
}

// texts returns the texts in a list of parts of the given types.
func texts(it item.Item, list string, types ...string) jsonvalue.Value {
	found := []string{}
	parts, _ := it.Get(list)
	for _, part := range parts.Elements() {
		for _, kind := range types {
			if partType, _ := part.GetText("type"); partType == kind {
				text, _ := part.GetText("text")
				found = append(found, text)
			}
		}
	}
	return jsonvalue.OfStrings(found)
}

func webSearch(it item.Item) jsonvalue.Value {
	action, _ := it.Get("action")
	if action.IsNull() {
		action = turnItem("other")
	}
	return turnItem("web_search",
		jsonvalue.Field("id", idOrEmpty(it)),
		jsonvalue.Field("query", jsonvalue.OfString(query(action))),
		jsonvalue.Field("action", action),
	)
}

// query says in one line what a search is after (DET-86).
func query(action jsonvalue.Value) string {
	url, hasURL := action.GetText("url")
	switch kind, _ := action.GetText("type"); kind {
	case "search":
		return searchQuery(action)
	case "open_page":
		return url
	case "find_in_page":
		pattern, hasPattern := action.GetText("pattern")
		switch {
		case hasPattern && hasURL:
			return "'" + pattern + "' in " + url
		case hasPattern:
			return "'" + pattern + "'"
		default:
			return url
		}
	default:
		return ""
	}
}

// searchQuery prefers the one query; of several it shows the first and that there are more.
func searchQuery(action jsonvalue.Value) string {
	if one, _ := action.GetText("query"); one != "" {
		return one
	}
	queries, _ := action.Get("queries")
	if len(queries.Elements()) == 0 {
		return ""
	}
	first, _ := queries.Elements()[0].Text()
	if first != "" && len(queries.Elements()) > 1 {
		first += " ..."
	}
	return first
}

// imageGeneration shows an image that was made; without an id there is nothing to attach it to.
func imageGeneration(it item.Item) jsonvalue.Value {
	if _, ok := it.GetText("id"); !ok {
		return jsonvalue.Value{}
	}
	return withOptions(turnItem("image_generation"), it, "id", "status", "result", "revised_prompt")
}
