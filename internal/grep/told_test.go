package grep

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTold holds that what one process tells another reads, and that nothing else is
// taken for it.
func TestTold(t *testing.T) {
	want := &found{missed: 2, files: []file{{path: "a.go", mtime: -5}, {path: "b\n/c", mtime: 1 << 60, skip: true}}}
	all := cmp.AllowUnexported(found{}, file{})
	p := want.encode((&found{files: []file{}}).encode(nil, "/first"), "/second")
	whole := &told{p: p}
	for _, top := range []string{"/first", "/second"} {
		got, ok := whole.files(&walk{top: top})
		if !ok {
			t.Fatalf("%s was not told", top)
		}
		if top == "/second" {
			if diff := cmp.Diff(want, got, all); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
		}
	}
	if _, ok := whole.files(&walk{top: "/third"}); ok {
		t.Error("a folder was told that was not")
	}
	for n := range p {
		short := &told{p: p[:n]}
		if _, ok := short.files(&walk{top: "/first"}); !ok {
			continue
		}
		if _, ok := short.files(&walk{top: "/second"}); ok {
			t.Errorf("%d of %d bytes were taken for all", n, len(p))
		}
	}
	if _, ok := (&told{p: p}).files(&walk{top: "/other"}); ok {
		t.Error("another folder was taken")
	}
}
