package turnstate

import "github.com/contextfragments/conform/reference/jsonvalue"

// fields reads the members of one object.
type fields struct{ jsonvalue.Reader }

func read(c jsonvalue.Cursor, err *error) fields { return fields{jsonvalue.NewReader(c, err)} }

func (f fields) object(name string) fields { return fields{f.Object(name)} }
