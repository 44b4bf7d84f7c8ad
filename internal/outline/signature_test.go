package outline

import "testing"

func TestOneLine(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"python", "def f(\n    a,  # the first\n    b='#',  # the second\n):  # trailing\n    # more", "def f( a, b='#', ):"},
		{"go", "func F(a int, // why\n\tb string /* what */) error", "func F(a int, b string ) error"},
		{"rust", "fn f<'a>(x: &'a str) // it's\n -> u8", "fn f<'a>(x: &'a str) -> u8"},
		{"javascript", "const url = \"http://x\" // y", "const url = \"http://x\""},
		{"", "a # b", "a # b"},
	} {
		t.Run(c.language, func(t *testing.T) {
			if got := OneLine(c.text, c.language); got != c.want {
				t.Errorf("OneLine(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}
