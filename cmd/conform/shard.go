package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/contextfragments/conform/conformance/suite"
)

// The variables by which Bazel, and build systems that follow it, divide a test.
const (
	totalShardsVariable = "TEST_TOTAL_SHARDS"
	shardIndexVariable  = "TEST_SHARD_INDEX"       // from 0
	shardStatusVariable = "TEST_SHARD_STATUS_FILE" // to be touched by a test that divides itself
)

// shardOf returns the shard of the flag or of the environment.
func shardOf(flag string) (suite.Shard, error) {
	var shard suite.Shard
	var err error
	if flag != "" {
		if shard, err = suite.ParseShard(flag); err != nil {
			return shard, fmt.Errorf("--shard %w", err)
		}
	}
	total := os.Getenv(totalShardsVariable)
	if total == "" || total == "0" {
		return shard, nil
	}
	index := os.Getenv(shardIndexVariable)
	given := suite.Shard{}
	if given.Index, err = strconv.Atoi(index); err == nil {
		given.Index++
		given, err = suite.ParseShard(fmt.Sprintf("%d/%s", given.Index, total))
	}
	switch {
	case err != nil:
		return shard, fmt.Errorf("%s=%s %s=%s: want a number of shards, and an index from 0 below it",
			totalShardsVariable, suite.Printable(total), shardIndexVariable, suite.Printable(index))
	case flag != "" && shard != given:
		return shard, fmt.Errorf("--shard %s, but %s and %s say %s: leave one of them out", shard, totalShardsVariable, shardIndexVariable, given)
	}
	if file := os.Getenv(shardStatusVariable); file != "" {
		touched, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o666)
		if err == nil {
			err = touched.Close()
		}
		if err != nil {
			return shard, brokenError{fmt.Errorf("%s: %w", shardStatusVariable, err)}
		}
	}
	return given, nil
}
