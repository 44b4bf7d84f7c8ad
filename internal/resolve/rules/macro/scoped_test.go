package macro

import "testing"

// TestScopesFirst tells macros that write :: before their first parameter.
func TestScopesFirst(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"#define CALL(call) ::call", true},
		{"#  define CALL(call) \\\n\tcheck(::call)", true},
		{"#define CALL(call, n) retry(:: call, n)", true},
		{"#define CALL(call) test::call", false},
		{"#define CALL(call) a<b>::call", false},
		{"#define CALL(call) ::_##call", false},
		{"#define CALL(call) ::callback", false},
		{"#define CALL(n, call) ::call", false},
		{"#define CALL(call) call", false},
		{"#define CALL ::call", false},
	} {
		t.Run(tt.text, func(t *testing.T) {
			if got := ScopesFirst(tt.text); got != tt.want {
				t.Errorf("%t, want %t", got, tt.want)
			}
		})
	}
}
