package past_test

import (
	"errors"
	"hash/crc32"
	"testing"

	"encoding/binary"

	"espy/internal/git"
	"espy/internal/rank"
	"espy/internal/ranked/past"
)

// TestDecodeDamaged holds that bytes which are no log are refused, and never read beyond
// their end: each byte is changed, with its checksum and without, and each end cut off.
func TestDecodeDamaged(t *testing.T) {
	t.Parallel()
	data := past.Encode([]git.Step{
		{Message: "give a refund back once", Paths: []string{"refund.go", "ledger.go"}},
		{Message: "close the till", Paths: []string{"till.go"}},
	})
	terms := rank.Understand("refund till", "").Terms
	ask := func(log *past.Log) {
		log.Files(terms, 9)
		log.With([]string{"refund.go"}, func(string) bool { return true })
	}
	log, err := past.Decode(data)
	if err != nil || len(log.Files(terms, 9)) != 3 {
		t.Fatalf("Decode: %v", err)
	}
	for i := range data {
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := append([]byte(nil), data...)
			bad[i] ^= flip
			if _, err := past.Decode(bad); !errors.Is(err, past.ErrDamaged) {
				t.Fatalf("byte %d changed: %v", i, err)
			}
			end := len(bad) - 4
			binary.LittleEndian.PutUint32(bad[end:], crc32.Checksum(bad[:end], crc32.MakeTable(crc32.Castagnoli)))
			if log, err := past.Decode(bad); err == nil {
				ask(log)
			}
		}
		if _, err := past.Decode(data[:i]); !errors.Is(err, past.ErrDamaged) {
			t.Fatalf("the first %d bytes: %v", i, err)
		}
	}
}
