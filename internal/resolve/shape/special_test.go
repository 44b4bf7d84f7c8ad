package shape

import "testing"

// TestSpecializationsMatchByTheirArguments counts what a use and a specialization share.
func TestSpecializationsMatchByTheirArguments(t *testing.T) {
	for _, tc := range []struct {
		name, header   string
		special, given []string
		want           int
	}{
		{"the same type", "template <typename C> struct f", []string{"int", "C"}, []string{"int", "char"}, 1},
		{"an argument by default", "template <typename C> struct f", []string{"int", "C"}, []string{"int"}, 1},
		{"another type", "template <typename C> struct f", []string{"int", "C"}, []string{"long", "char"}, 0},
		{"only parameters", "template <typename T, typename C> struct f", []string{"T", "C"}, []string{"long", "char"}, 0},
		{"a generic type", "template <class R> struct f", []string{"std::duration<R>"}, []string{"duration<int>"}, 1},
		{"a value", "template <class T> struct f", []string{"true", "T"}, []string{"C::value", "T"}, 0},
		{"no arguments", "template <> struct f", []string{"int"}, nil, 0},
		{"too many", "template <> struct f", []string{"int"}, []string{"int", "int"}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := matching(tc.special, tc.given, tc.header); got != tc.want {
				t.Fatalf("matching(%q, %q, %q) = %d, want %d", tc.special, tc.given, tc.header, got, tc.want)
			}
		})
	}
}
