package serve

import (
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// markerMatch answers marker/match: `{start, end, text}` → `{matches}`.
func markerMatch(profile string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	start, err := params.Member("start").Text()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	end, err := params.Member("end").Text()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	text, err := params.Member("text").Text()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	matches := rulesOf[profile].matchMarkers(start, end, text)
	return jsonvalue.OfObject(jsonvalue.Field("matches", jsonvalue.OfBool(matches))), nil
}

// fragmentRender answers fragment/render: `{fragment}` → `{role, text, content_kind, separate}`.
// Fields that give no fragment are an error (PRO-21).
func fragmentRender(profile string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	f, err := rulesOf[profile].decodeOne(params.Member("fragment"))
	if err != nil {
		return jsonvalue.Value{}, err
	}
	return jsonvalue.OfObject(
		jsonvalue.Field("role", jsonvalue.OfString(f.Role)),
		jsonvalue.Field("text", jsonvalue.OfString(f.Render())),
		jsonvalue.Field("content_kind", jsonvalue.OfString(f.ContentKind)),
		jsonvalue.Field("separate", jsonvalue.OfBool(f.Separate)),
	), nil
}

// fragmentClassify answers fragment/classify: `{role, text}` → `{contextual, kind}` (PRO-25).
func fragmentClassify(profile string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	role, err := params.Member("role").Text()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	text, err := params.Member("text").Text()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	var kind jsonvalue.Value
	contextual := false
	if classify, ok := rulesOf[profile].classifiers[role]; ok {
		if id, ok := classify(text); ok {
			contextual, kind = true, jsonvalue.OfString(id)
		}
	}
	return jsonvalue.OfObject(
		jsonvalue.Field("contextual", jsonvalue.OfBool(contextual)),
		jsonvalue.Field("kind", kind),
	), nil
}

// messageProject answers message/project: `{item}` → `{turn_item}`.
func messageProject(profile string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	it, err := item.Decode(params.Member("item"))
	if err != nil {
		return jsonvalue.Value{}, err
	}
	return jsonvalue.OfObject(jsonvalue.Field("turn_item", rulesOf[profile].display.Project(it))), nil
}
