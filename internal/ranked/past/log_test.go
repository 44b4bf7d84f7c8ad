package past

import (
	"hash/crc32"
	"testing"

	"encoding/binary"

	"espy/internal/git"
	"espy/internal/rank"
)

// TestDecodeDamaged holds that bytes which are no log are refused, and never read beyond
// their end: each byte is changed, with its checksum and without, and each end cut off.
func TestDecodeDamaged(t *testing.T) {
	t.Parallel()
	data := Encode([]git.Step{
		{ID: "one", Message: "give a refund back once", Paths: []string{"refund.go", "ledger.go"}},
		{ID: "two", Message: "close the till", Paths: []string{"till.go"}},
	}, Unread, nil)
	terms := rank.Understand("refund till", "").Terms
	ask := func(log *Log) {
		log.files(terms, 9)
		log.With([]string{"refund.go"}, func(string) bool { return true })
		Encode([]git.Step{{ID: "two"}, {ID: "one"}}, Whole, log)
	}
	log, err := Decode(data)
	if err != nil || len(log.files(terms, 9)) != 3 {
		t.Fatalf("Decode: %v", err)
	}
	for i := range data {
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := append([]byte(nil), data...)
			bad[i] ^= flip
			if _, err := Decode(bad); err == nil {
				t.Fatalf("byte %d changed: %v", i, err)
			}
			end := len(bad) - 4
			binary.LittleEndian.PutUint32(bad[end:], crc32.Checksum(bad[:end], crc32.MakeTable(crc32.Castagnoli)))
			if log, err := Decode(bad); err == nil {
				ask(log)
			}
		}
		if _, err := Decode(data[:i]); err == nil {
			t.Fatalf("the first %d bytes: %v", i, err)
		}
	}
}
