// Package snapshots embeds the layouts of chosen cases: what an implementation renders, sends and
// keeps, as a person would read it. conformance/snapshot writes and checks the files.
package snapshots

import "embed"

// Files holds a text for each claimed case, named for its id with "--" in place of "/".
//
//go:embed *.txt
var Files embed.FS
