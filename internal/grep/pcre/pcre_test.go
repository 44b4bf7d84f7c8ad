package pcre

import (
	"strings"
	"testing"
)

// TestRefused holds what is refused.
func TestRefused(t *testing.T) {
	for _, tt := range []struct{ expression, want string }{
		{`(?R)`, "(?R)"}, {`(?1)`, "(?1)"}, {`(*FAIL)`, "(*FA"}, {`(?(1)a)`, "(?(1"}, {`(?|a)`, "(?|a"}, {`\Ga`, `\G`}, {`\X`, `\X`}, {`a**`, "repetition of nothing"}, {`*a`, "repetition of nothing"}, {`|+`, "repetition of nothing"},
		{`a{,2}`, "{,"}, {`a{2,1}`, "repetition"}, {`[a--z]`, "in a class"}, {`[[.a.]]`, "in a class"}, {`[[:punct:]]`, "[:punct:]"}, {`(a)\2`, "no group"}, {`\k<n>`, "no group"}, {`(a`, "without an end"}, {`a)`, "closes nothing"}, {`[a`, "without an end"}, {`a\`, "backslash"},
	} {
		t.Run(tt.expression, func(t *testing.T) {
			if _, err := Parse(tt.expression, Options{}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v; want %s", err, tt.want)
			}
		})
	}
}

// TestPlain holds what is written of expressions that need nothing of PCRE2 alone.
func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		`a{2,3}b{x}`: `a{2,3}b\{x\}`, `[][&~]`: `[\]\[\&\~]`, `\Qa.b\Ec`: `a\.bc`, `\Q[`: `\[`, `(?<n>a)(?'m'b)`: `(?P<n>a)(?P<m>b)`, `\_\<\é`: `_<é`, `a\E`: `a`, `\0`: `\x00`, `\p{Lu}[\x{41}[:^alpha:]]`: `\p{Lu}[\x{41}\P{L}]`, `[\b]`: `[\x08]`,
		`(?i)a?b??`: `(?i:a)?(?i:b)??`, `(?x) a # b`: `a`, `a(?#note)b`: `ab`, `(?:a|b)+c`: `(?:a|b)+c`, `x|(?i:y)`: `x|(?i:y)`, `\h`: `[\t\x{20}\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}]`, `(?s).`: `(?s:.)`,
	} {
		t.Run(in, func(t *testing.T) {
			x, err := Parse(in, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := x.Plain(); got != want || !ok {
				t.Errorf("%q, %v; want %q", got, ok, want)
			}
		})
	}
}

// TestWide holds what is written in the place of expressions that PCRE2 alone has.
func TestWide(t *testing.T) {
	for in, want := range map[string]string{
		`a(?=x)b`: `ab`, `(?<!x)(a)\1`: `(?:a)(?s:.*)`, `a++b`: `(?:a+)b`, `x\Ky`: `xy`, `(?>a|b)c\Z`: `(?:a|b)c`, `\bif\b(?!x)`: `if`, `(?=a){2}b{20,3000}c`: `(?:){2}b{10,}c`,
	} {
		t.Run(in, func(t *testing.T) {
			x, err := Parse(in, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := x.Plain(); ok {
				t.Error("it needs nothing of PCRE2")
			}
			if got := x.Wide(); got != want {
				t.Errorf("%q; want %q", got, want)
			}
		})
	}
}
