// Package schema embeds the JSON Schemas of what conform writes and speaks. The schema of the
// case files stands beside them, in fixtures/.
package schema

import "embed"

// Files holds the schemas, NAME.schema.json.
//
//go:embed *.schema.json
var Files embed.FS
