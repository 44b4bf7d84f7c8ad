package rust

import (
	"strings"
	"testing"
)

// TestPerlAlone holds what is refused because PCRE2 alone has it.
func TestPerlAlone(t *testing.T) {
	for _, tt := range []struct{ expression, want string }{
		{`(?=x)`, "(?=x"}, {`a(?!x)`, "(?!x"}, {`(?<=x)y`, "(?<="}, {`(?<!x)y`, "(?<!"}, {`(?>a)`, "(?>a"}, {`(?#c)`, "(?#c"}, {`(?x) a`, "(?x)"}, {`(?R)`, "(?R)"}, {`(*FAIL)`, "(*FA"},
		{`(a)\1`, `\1`}, {`\Ka`, `\K`}, {`\R`, `\R`}, {`\Ga`, `\G`}, {`(?P=n)`, "(?P="}, {`\g{1}`, `\g`}, {`a\Z`, `\Z`}, {`[\H]`, `\H`},
		{`a++`, "possessive"}, {`a{2}+`, "possessive"}, {`a*+b`, "possessive"}, {`a**`, "repetition of nothing"}, {`*a`, "repetition of nothing"}, {`|+`, "repetition of nothing"}, {`a{,2}`, "{,"}, {`[a--z]`, "in a class"}, {`[[.a.]]`, "in a class"}, {`[[:punct:]]`, "[:punct:]"},
	} {
		t.Run(tt.expression, func(t *testing.T) {
			if got, err := FromPerl(tt.expression); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q, %v; want %s", got, err, tt.want)
			}
		})
	}
}

// TestFromPerl holds what is written.
func TestFromPerl(t *testing.T) {
	for in, want := range map[string]string{
		`a{2,3}b{x}`: `a{2,3}b\{x\}`, `[][&~]`: `[\]\[\&\~]`, `\Qa.b\Ec`: `a\.bc`, `\Q[`: `\[`, `(?<n>a)(?'m'b)`: `(?P<n>a)(?P<m>b)`, `\_\<\é`: `_<é`, `a\E`: `a`, `\0`: `\x00`, `\p{Lu}[\x{41}[:^alpha:]]`: `(?-i:\p{Lu})[\x{41}\P{L}]`, `[\b]`: `[\x08]`, `a`: `a`, `\`: `\`, `[`: `[`, `(?i)a?b??`: `(?i)a?b??`,
	} {
		t.Run(in, func(t *testing.T) {
			if got, err := FromPerl(in); got != want || err != nil {
				t.Errorf("%q, %v; want %q", got, err, want)
			}
		})
	}
}

// FuzzFromPerl holds that what is written can be compiled or is refused, and ends.
func FuzzFromPerl(f *testing.F) {
	for _, s := range []string{`a{2}[\]&]\Qx`, `(?<n>\h)+`, `[`, `\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if out, err := FromPerl(s); err == nil {
			Compile([]string{out}, Options{})
		}
	})
}
