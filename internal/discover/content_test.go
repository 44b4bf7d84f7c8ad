package discover

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
)

func TestReadContent(t *testing.T) {
	const none = Reason("")
	tests := []struct {
		name, raw string
		want      string // the text
		reason    Reason
	}{
		{"empty", "", "", none},
		{"text", "a\nb\n", "a\nb\n", none},
		{"CR only", "a\rb\r", "a\rb\r", none},
		{"CRLF", "a\r\nb", "a\r\nb", none},
		{"UTF-8 BOM", "\xef\xbb\xbfa", "a", none},
		{"only a BOM", "\xef\xbb\xbf", "", none},
		{"invalid UTF-8", "caf\xe9 \xff\xc0\x80 \xed\xa0\x80 x", "caf\xe9 \xff\xc0\x80 \xed\xa0\x80 x", none},
		{"Latin-1", strings.Repeat("\xe4\xf6\xfc", 50), strings.Repeat("\xe4\xf6\xfc", 50), none},
		{"Latin-1 with C1 bytes", "\x80\x81 windows quotes \x93\x94", "\x80\x81 windows quotes \x93\x94", none},
		{"NUL first", "\x00abc", "", ReasonBinary},
		{"NUL late", strings.Repeat("text\n", 10000) + "\x00", "", ReasonBinary},
		{"ELF", "\x7fELF\x02\x01\x01\x00\x00", "", ReasonBinary},
		{"control bytes without NUL", strings.Repeat("\x01\x02\x03\x04abcdefgh", 20), "", ReasonBinary},
		{"few control bytes", strings.Repeat("x", 60) + "\x01\x02\x03", strings.Repeat("x", 60) + "\x01\x02\x03", none},
		{"escape codes are text", "\x1b[31mred\x1b[0m\f\b\v", "\x1b[31mred\x1b[0m\f\b\v", none},
		{"UTF-16 LE", "\xff\xfea\x00\xe4\x00\n\x00", "aä\n", none},
		{"UTF-16 BE", "\xfe\xff\x00a\x00\xe4\x00\n", "aä\n", none},
		{"UTF-16 pair", "\xff\xfe\x3d\xd8\x00\xde", "😀", none},
		{"UTF-16 lone high, then a letter", "\xff\xfe\x3d\xd8a\x00", "\ufffda", none},
		{"UTF-16 lone low", "\xff\xfe\x00\xdea\x00", "\ufffda", none},
		{"UTF-16 odd length", "\xff\xfea\x00b", "a\ufffd", none},
		{"UTF-16 cut pair", "\xff\xfe\x3d\xd8", "\ufffd", none},
		{"UTF-16 with U+0000", "\xff\xfea\x00\x00\x00\xff\x00", "", ReasonBinary},
		{"UTF-16 without BOM", "a\x00b\x00", "", ReasonBinary},
		{"UTF-32 LE", "\xff\xfe\x00\x00a\x00\x00\x00", "", ReasonEncoding},
		{"UTF-32 BE", "\x00\x00\xfe\xff\x00\x00\x00a", "", ReasonEncoding},
	}
	dir := t.TempDir()
	root := openRoot(t, dir)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "f"), []byte(tt.raw), 0o644); err != nil {
				t.Fatal(err)
			}
			c, x, err := read(root, "f", 0)
			if err != nil {
				t.Fatal(err)
			}
			if x != nil {
				if x.Reason != tt.reason || x.Path != "f" {
					t.Fatalf("excluded: %+v, want %q", x, tt.reason)
				}
				return
			}
			if string(c.Text) != tt.want || tt.reason != none {
				t.Errorf("text %q, want %q %s", c.Text, tt.want, tt.reason)
			}
			if string(c.Raw) != tt.raw || c.Hash != code.Hash(xxh3.HashString128(tt.raw).Bytes()) || c.Entry.Size != int64(len(tt.raw)) {
				t.Errorf("raw %q, hash %s, size %d", c.Raw, c.Hash, c.Entry.Size)
			}
		})
	}
}

func TestReadLimits(t *testing.T) {
	root := openRoot(t, plant(t, map[string]string{"f": "12345"}))
	for limit, want := range map[int64]Reason{4: ReasonTooLarge, 5: "", 0: "", -1: ""} {
		t.Run(fmt.Sprintf("limit %d", limit), func(t *testing.T) {
			_, x, err := read(root, "f", limit)
			if err != nil || (x != nil) != (want != "") || x != nil && x.Reason != want {
				t.Errorf("Read with limit %d: %+v, %v, want %q", limit, x, err, want)
			}
		})
	}
	if _, _, err := read(root, "missing", 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read of a missing file: %v", err)
	}
}

// A Reader reuses its memory from file to file without mixing them up.
func TestReaderReusesMemory(t *testing.T) {
	files := map[string]string{"a": strings.Repeat("a", 5000), "b": "\xff\xfeb\x00", "c": "", "d": "\xff\xfed\x00d\x00", "e": strings.Repeat("e", 9000)}
	root := openRoot(t, plant(t, files))
	r, err := NewReader(root, Policy{Secrets: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 3 {
		for path, raw := range files {
			c, x, err := r.Read(path)
			if err != nil || x != nil {
				t.Fatal(path, x, err)
			}
			if string(c.Raw) != raw || strings.Trim(string(c.Text), path) != "" || c.Entry.Path != path {
				t.Errorf("Read(%s) = %q, text %q", path, c.Raw, c.Text)
			}
		}
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, _, err := r.Read("e"); err != nil {
			t.Error(err)
		}
	}); n > 8 {
		t.Errorf("%v allocations for each file read", n)
	}
}

func ExampleReason_Explain() {
	fmt.Println(ReasonSymlink.Explain())
	// Output: it is a symbolic link, and links are not followed
}

// read reads one file beneath root with the default policy, save that maxBytes,
// when not 0, is the limit on its size.
func read(root *os.Root, path string, maxBytes int64) (Content, *Exclusion, error) {
	r, err := NewReader(root, Policy{MaxFileBytes: maxBytes})
	if err != nil {
		return Content{}, nil, err
	}
	defer r.Close()
	return r.Read(path)
}
