package eval

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// result and target make what they are named for, short to write.
func result(path string, from, to int) Result {
	return Result{Path: path, StartLine: from, EndLine: to}
}

func target(path string, from, to int) Target {
	return Target{Path: path, StartLine: from, EndLine: to}
}

func TestGrade(t *testing.T) {
	a, b, c := result("src/a.go", 1, 20), result("src/b.go", 1, 20), result("src/c.go", 1, 20)
	second := 1 / math.Log2(3)
	two := 1 + second // the ideal of two targets
	for _, test := range []struct {
		name    string
		results []Result
		targets []Target
		want    score
	}{
		{"nothing found", nil, []Target{target("src/a.go", 0, 0)}, score{}},
		{"first", []Result{a, b}, []Target{target("src/a.go", 0, 0)}, score{1, 1, 1, 1}},
		{"second", []Result{b, a}, []Target{target("src/a.go", 0, 0)}, score{second, 0.5, 1, 2}},
		{"tenth", []Result{b, b, b, b, b, b, b, b, b, a}, []Target{target("src/a.go", 0, 0)}, score{1 / math.Log2(11), 0.1, 1, 10}},
		{"eleventh does not count", []Result{b, b, b, b, b, b, b, b, b, b, a}, []Target{target("src/a.go", 0, 0)}, score{}},
		{"two targets", []Result{a, c, b}, []Target{target("src/a.go", 0, 0), target("src/b.go", 0, 0)}, score{(1 + 0.5) / two, 1, 1, 1}},
		{"one of two", []Result{c, b}, []Target{target("src/a.go", 0, 0), target("src/b.go", 0, 0)}, score{second / two, 0.5, 0.5, 2}},
		{"two targets in one result share a gain", []Result{a}, []Target{target("src/a.go", 1, 5), target("src/a.go", 10, 12)}, score{1 / two, 1, 1, 1}},
		{"a file twice gains once", []Result{a, a}, []Target{target("src/a.go", 0, 0)}, score{1, 1, 1, 1}},
		{"path ends in the target's", []Result{result("x/src/a.go", 1, 2)}, []Target{target("src/a.go", 0, 0)}, score{1, 1, 1, 1}},
		{"target ends in the path", []Result{result("a.go", 1, 2)}, []Target{target("src/a.go", 0, 0)}, score{1, 1, 1, 1}},
		{"half a name is another name", []Result{result("aa.go", 1, 2)}, []Target{target("a.go", 0, 0)}, score{}},
		{"./ and backslashes", []Result{result(`src\a.go`, 1, 2)}, []Target{target("./src/a.go", 0, 0)}, score{1, 1, 1, 1}},
		{"lines touch", []Result{result("a.go", 5, 9)}, []Target{target("a.go", 9, 12)}, score{1, 1, 1, 1}},
		{"lines miss", []Result{result("a.go", 5, 8)}, []Target{target("a.go", 9, 12)}, score{}},
		{"a result without lines is the file", []Result{result("a.go", 0, 0)}, []Target{target("a.go", 9, 12)}, score{1, 1, 1, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := grade(test.results, test.targets)
			if diff := cmp.Diff(test.want, got, cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })); diff != "" {
				t.Fatalf("Grade(%v, %v) differs (-want +got):\n%s", test.results, test.targets, diff)
			}
		})
	}
}
