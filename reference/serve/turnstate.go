package serve

import (
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/contextfragments/conform/reference/turnstate"
)

// turnStateBuild answers turnstate/build: `{current, reference, params}` → `{items, reference}`, the
// reference being the one for the next turn.
func turnStateBuild(_ string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	turn, err := turnstate.DecodeTurn(params)
	if err != nil {
		return jsonvalue.Value{}, err
	}
	return jsonvalue.OfObject(
		jsonvalue.Field("items", item.EncodeAll(turnstate.Build(turn))),
		jsonvalue.Field("reference", turn.Context.Value()),
	), nil
}
