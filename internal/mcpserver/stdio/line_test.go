package stdio

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	in := bufio.NewReaderSize(strings.NewReader("a\n\n"+long+"\n"+long+"y\nb\n"+long+"yy\nlast"), 4096)
	for i, want := range []struct {
		text string
		err  error
	}{{"a", nil}, {"", nil}, {long, nil}, {"", errTooLong}, {"b", nil}, {"", errTooLong}, {"last", io.EOF}, {"", io.EOF}} {
		t.Run(want.text, func(t *testing.T) {
			text, err := readLine(in)
			if errors.Is(want.err, errTooLong) && len(text) <= 2*endsKept { // both ends of it
				text = nil
			}
			if string(text) != want.text || !errors.Is(err, want.err) {
				t.Fatalf("line %d: %.20q of %d bytes, %v; want %.20q, %v", i, text, len(text), err, want.text, want.err)
			}
		})
	}
}
