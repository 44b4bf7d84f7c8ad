package proof

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// listener is a test that keeps what it fails with.
type listener struct {
	testing.TB
	said string
}

func (f *listener) Helper() {}
func (f *listener) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestVersion(t *testing.T) {
	file := filepath.Join(t.TempDir(), "version.txt")
	check := func(step string, version int, update bool, want string, made map[string]string) {
		t.Helper()
		f := &listener{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			all := map[string]Made{}
			for from, to := range made {
				name, _, _ := strings.Cut(from, ":")
				all[name] = Made{[]byte(from), []byte(to)}
			}
			Version{File: file, Of: version, Raise: "x.Y in y.go"}.Check(f, all, update)
		}()
		<-done
		if (want == "") != (f.said == "") || !strings.Contains(f.said, want) {
			t.Errorf("%s: %q, want %q", step, f.said, want)
		}
	}
	check("no file", 1, false, "run `go test -update`", map[string]string{"a:1": "x"})
	check("first", 1, true, "", map[string]string{"a:1": "x"})
	check("the same", 1, false, "", map[string]string{"a:1": "x"})
	check("another result", 1, false, "Raise x.Y in y.go to 2", map[string]string{"a:1": "y"})
	check("another result, update", 1, true, "what is made of a has changed", map[string]string{"a:1": "y"})
	check("another input", 1, false, "other inputs", map[string]string{"a:2": "y"})
	check("another input, update", 1, true, "", map[string]string{"a:2": "y", "b:1": "z"})
	check("raised", 2, false, "is of version 1", map[string]string{"a:2": "z", "b:1": "z"})
	check("raised, update", 2, true, "", map[string]string{"a:2": "z", "b:1": "z"})
	check("raised and the same", 2, false, "", map[string]string{"a:2": "z", "b:1": "z"})
	check("lowered", 1, false, "is of version 2", map[string]string{"a:2": "z", "b:1": "z"})
}
