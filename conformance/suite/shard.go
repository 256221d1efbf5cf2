package suite

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of several parts of a run that are run apart, for instance on different machines.
// Which part a case belongs to depends on its id and the number of parts alone, so that it stays
// there when cases are added and whatever is selected. The zero value is the whole run.
type Shard struct {
	Index int // from 1
	Total int
}

// ParseShard reads "i/n".
func ParseShard(text string) (Shard, error) {
	before, after, _ := strings.Cut(text, "/")
	index, err := parseCount(before)
	if err == nil {
		var total int
		if total, err = parseCount(after); err == nil && index <= total {
			return Shard{index, total}, nil
		}
	}
	return Shard{}, fmt.Errorf("%s: want i/n with i from 1 to n, such as 2/5", Quote(text))
}

// parseCount reads a positive number in its shortest spelling.
func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("%s: want a number from 1", Quote(text))
	}
	return n, nil
}

// IsWhole reports whether the shard is the whole run.
func (s Shard) IsWhole() bool { return s.Total == 0 }

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Total) }

// Has reports whether the case of that id belongs to the shard.
func (s Shard) Has(id string) bool {
	if s.IsWhole() {
		return true
	}
	sum := sha256.Sum256([]byte(id))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.Total) == uint64(s.Index-1)
}

// Take returns the cases that belong to the shard, in their order.
func (s Shard) Take(cases []Case) []Case {
	if s.IsWhole() {
		return cases
	}
	taken := []Case{}
	for i := range cases {
		if s.Has(cases[i].ID) {
			taken = append(taken, cases[i])
		}
	}
	return taken
}
