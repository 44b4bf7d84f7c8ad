package git

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
)

func FuzzStream(f *testing.F) {
	id := strings.Repeat("a", 40)
	f.Add([]byte("100644 blob "+id+"       3\ta\x00160000 commit "+id+"       -\tb\x00"), []byte(id+" blob 3\nabc\n"))
	f.Add([]byte("100644 blob "+id+"     BAD\ta\x00"), []byte(id+" missing\n"))
	f.Fuzz(func(t *testing.T, list, objects []byte) {
		entries, err := parseTree(list)
		if err != nil {
			return
		}
		eachBlob(bufio.NewReader(bytes.NewReader(objects)), entries, func(e TreeEntry, text io.Reader) error {
			if text != nil && e.Size > int64(len(objects)) {
				return io.ErrUnexpectedEOF
			}
			return nil
		})
	})
}
