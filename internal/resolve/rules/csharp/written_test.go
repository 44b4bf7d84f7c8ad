package csharp

import "testing"

// TestParametersAreReadAsTheyAreWritten compares what two methods take.
func TestParametersAreReadAsTheyAreWritten(t *testing.T) {
	for _, tc := range []struct {
		name, x, y string
		same       bool
	}{
		{"keywords", "F(Int32 a, System.String b)", "F(int x, string y = \"a, b\")", true},
		{"other built-in types", "F(int a)", "F(uint a)", false},
		{"values that may be null", "F(int? a)", "F(int a)", false},
		{"as a generic type", "F(Nullable<int> a)", "F(int? a)", true},
		{"texts that may be null", "F(string? a, object?[]? b)", "F(string a, object[] b)", true},
		{"attributes and params", "F([NotNull(\"]\")] params object[] a)", "F(object[] b)", true},
		{"by reference", "F(out int a)", "F(int a)", false},
		{"arguments of types", "F(Func<Context, CancellationToken, Task<int>> a)", "F(Func<Context, Task<int>> a)", false},
		{"the same arguments", "F(Func<Context,Task<int>> a, bool b)", "F(System.Func<Context, Task<int>> a, bool c)", true},
		{"tuples", "F((int a, string b) x)", "F((int, string) x)", true},
		{"other tuples", "F((int a, string b) x)", "F((string, int) x)", false},
		{"arrays of two dimensions", "F(int[,] a, int b)", "F(int[] a, int b)", false},
		{"type parameters of the methods", "F<T>(IList<T> a)", "F<U>(IList<U> b)", true},
		{"a type parameter of the class", "F(T a)", "F(Dictionary<string, int> a)", true},
		{"none", "F()", "F( )", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := taken{params: parameters(tc.x), own: map[string]int{}, around: map[string]bool{"T": tc.name[0] == 'a'}}
			b := taken{params: parameters(tc.y), own: map[string]int{}}
			if tc.name == "type parameters of the methods" {
				a.own["T"], b.own["U"] = 0, 0
			}
			both := comparison{a, b, func(name string) bool { return values[name] }}
			same := len(a.params) == len(b.params)
			for i := range min(len(a.params), len(b.params)) {
				same = same && both.alike(a.params[i], b.params[i])
			}
			if same != tc.same {
				t.Fatalf("%s and %s are the same: %v, want %v", tc.x, tc.y, same, tc.same)
			}
		})
	}
}
