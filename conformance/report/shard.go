package report

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/go-json-experiment/json"

	"github.com/contextfragments/conform/conformance/suite"
)

// Shard says which part of a run a record holds, and all that it takes to put the parts together.
type Shard struct {
	Index     int    `json:"index" jsonschema:"from 1"`
	Total     int    `json:"total"`
	Cases     int    `json:"cases" jsonschema:"how many cases all shards hold together"`
	Digest    string `json:"digest" jsonschema:"SHA-256 of these cases: shards of different cases do not belong together"`
	Positions []int  `json:"positions" jsonschema:"for each run the place of its case among the cases of all shards, from 0"`
}

// newShard returns nil for a run that is whole.
func newShard(options suite.Options, runs []suite.Run) *Shard {
	if options.Shard.IsWhole() {
		return nil
	}
	s := &Shard{
		Index: options.Shard.Index, Total: options.Shard.Total,
		Cases: len(options.Cases), Digest: digest(options.Cases),
		Positions: make([]int, len(runs)),
	}
	position := make(map[string]int, len(options.Cases))
	for i := range options.Cases {
		position[options.Cases[i].ID] = i
	}
	for i := range runs {
		s.Positions[i] = position[runs[i].Case.ID]
	}
	return s
}

// digest is a fingerprint of all that the cases ask and want.
func digest(cases []suite.Case) string {
	sum := sha256.New()
	_ = json.MarshalWrite(sum, cases) // cases that were read can be written, and a hash takes everything
	return hex.EncodeToString(sum.Sum(nil))
}
