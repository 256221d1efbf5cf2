package suite

import (
	"fmt"
	"testing"
)

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"1/1": {1, 1}, "2/5": {2, 5}, "5/5": {5, 5}, "10/12": {10, 12}} {
		if got, err := ParseShard(text); err != nil || got != want || got.String() != text {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "/", "1", "1/", "/2", "0/2", "3/2", "-1/2", "1/0", "1/2/3", "01/2", "+1/2", "1 /2", "1/2 ", "a/b", "1/99999999999999999999"} {
		if got, err := ParseShard(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, got)
		}
	}
}

// Every case belongs to exactly one shard, and the shards are about equally large.
func TestShardsDivide(t *testing.T) {
	cases := make([]Case, 3000)
	for i := range cases {
		cases[i].ID = fmt.Sprintf("history/case-%d", i)
	}
	for _, total := range []int{1, 2, 3, 8, 16, 30} {
		owner := map[string]int{}
		for index := 1; index <= total; index++ {
			taken := Shard{index, total}.Take(cases)
			if fair := len(cases) / total; len(taken) < fair*2/3 || len(taken) > fair*3/2 {
				t.Errorf("shard %d/%d has %d of %d cases", index, total, len(taken), len(cases))
			}
			for i, c := range taken {
				if other, ok := owner[c.ID]; ok {
					t.Fatalf("%s is in shards %d and %d of %d", c.ID, other, index, total)
				}
				owner[c.ID] = index
				if i > 0 && len(taken[i-1].ID) > len(c.ID) {
					t.Fatalf("%s stands before %s", taken[i-1].ID, c.ID)
				}
			}
		}
		if len(owner) != len(cases) {
			t.Errorf("%d shards hold %d of %d cases", total, len(owner), len(cases))
		}
	}
	if got := (Shard{}).Take(cases); len(got) != len(cases) {
		t.Errorf("the whole run has %d of %d cases", len(got), len(cases))
	}
}

// The division is for ever: a matrix that runs two versions of conform must not lose a case
// between them.
func TestShardsAreStable(t *testing.T) {
	for id, want := range map[string]int{
		"marker-matching/empty-start-never-matches": 2,
		"marker-matching/both-empty-never-match":    7,
		"history/no-boundary":                       4,
		"display/plain-text":                        6,
	} {
		got := 0
		for index := 1; index <= 7; index++ {
			if (Shard{index, 7}).Has(id) {
				got = index
			}
		}
		if got != want {
			t.Errorf("%s is in shard %d/7, want %d", id, got, want)
		}
	}
}
