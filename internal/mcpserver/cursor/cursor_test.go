package cursor

import "testing"

func FuzzCursor(f *testing.F) {
	for _, c := range []Cursor{{}, {1, 2, 3}, {1 << 31, 1<<32 - 1, 0}} {
		f.Add(c.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text, 2)
		if err == nil && text != "" && c.String() != text {
			t.Fatalf("cursor %q reads as %+v, which writes %q", text, c, c.String())
		}
	})
}
