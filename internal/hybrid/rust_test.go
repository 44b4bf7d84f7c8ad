package hybrid

import (
	"fmt"
	"strings"
	"testing"
)

func TestImpls(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"impl T {}\n", "impl T 0-8"},
		{"unsafe impl Send for T { fn f() {} }\nfn g() {}\n", "impl Send for T 7-35"},
		{"impl<T: Fn(u8) -> u8, const N: usize> Tr<T> for S<T, N>\nwhere\n    T: Copy,\n{\n    fn f() {}\n}\n", "impl Tr<T> for S<T, N> 0-91"},
		{"fn f(x: impl Fn()) -> impl Tr { }\n", ""},
		{"// impl A {}\n/* impl B {} */\nlet s = \"impl C {\";\n", ""},
		{"mod m {\n    impl A {\n        fn f() { \"}\" }\n    }\n}\n", "impl A 12-48"},
		{"default impl A {}\nimplement {}\nimpl B;\nimpl C {\n", "impl A 8-16, impl C 39-47"},
		{"impl", ""},
	} {
		t.Run(tt.text, func(t *testing.T) {
			var got []string
			for _, b := range impls([]byte(tt.text)) {
				got = append(got, fmt.Sprintf("%s %d-%d", b.name, b.start, b.end))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{"std::io": "std io", `"open`: "open", "a AND b": "a and b", "x_y lang:go": "x_y lang go", "::": "", "Größe": "Größe"} {
		t.Run(text, func(t *testing.T) {
			if got := plain(text); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
