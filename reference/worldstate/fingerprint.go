package worldstate

import (
	"crypto/sha1" //nolint:gosec // a fixed wire format, no security rests on it
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// Fingerprint is the hash by which a snapshot remembers a rendered fragment: lower-case hex SHA-1
// over a version tag, a zero byte, and role and text each preceded by its length in bytes as
// 64 bits big-endian. CRLF counts as LF; a lone CR stays (WLD-22).
func Fingerprint(role, text string) string {
	hash := sha1.New() //nolint:gosec // see above
	hash.Write([]byte("codex-world-state-fragment-v1\x00"))
	for _, part := range []string{role, text} {
		part = strings.ReplaceAll(part, "\r\n", "\n")
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		hash.Write([]byte(part))
	}
	return hex.EncodeToString(hash.Sum(nil))
}
