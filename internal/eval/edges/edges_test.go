package edges

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/usage"
	"espy/internal/workspace"
)

const code = `package p

type Dog struct{}

func (Dog) Bark() int { return sound() }

func sound() int { return 1 }

func walk(d Dog) int { return d.Bark() + sound() + other() }

func other() int { return 2 }

func alone() int { return len("alone") }
`

func scoreOf(t *testing.T, truth string) (*Score, error) {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"p.go": code, "go.mod": "module p\n"})
	file := filepath.Join(t.TempDir(), "truth.jsonl")
	if err := os.WriteFile(file, []byte(truth), 0o600); err != nil {
		t.Fatal(err)
	}
	edges, err := Read(file)
	if err != nil {
		return nil, err
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Name: "p"})
	if err != nil {
		t.Fatal(err)
	}
	return Compare(t.Context(), r, edges)
}

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, truth      string
		callees, callers Share
	}{
		{
			"all", `{"caller":"p.go:5:12","callee":"p.go:7:6"}
{"caller":"p.go:9:6","callee":"p.go:5:12"}
{"caller":"p.go:9:6","callee":"p.go:7"}
{"caller":"p.go:9:6","callee":"p.go:11:6"}
{"caller":"p.go:13:6"}
`, Share{Said: 4, Found: 4}, Share{Said: 4, Found: 4},
		},
		{
			"one is optional", `{"caller":"p.go:9:6","callee":"p.go:5:12"}
{"caller":"p.go:9:6","callee":"p.go:7:6","optional":true}
{"caller":"p.go:9:6","callee":"p.go:11:6"}
{"caller":"p.go:9:6","callee":"p.go:13:6","optional":true}
`, Share{Said: 3, Found: 2}, Share{Said: 2, Found: 2},
		},
		{
			"one is missed, one is wrong", `{"caller":"p.go:9:6","callee":"p.go:5:12"}
{"caller":"p.go:9:6","callee":"p.go:13:6"}
{"caller":"p.go:9:6","callee":"p.go:11:6"}
`, Share{
				Said: 3, Found: 2, Missed: []Mismatch{{Caller: "p.go:9:6", Callee: "p.go:13:6"}},
				Wrong: []Mismatch{{"p.go:9:6", "p.go:7:6", "p.go#sound certain"}},
			}, Share{Said: 2, Found: 2, Missed: []Mismatch{{Caller: "p.go:9:6", Callee: "p.go:13:6"}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := scoreOf(t, c.truth)
			if err != nil {
				t.Fatal(err)
			}
			same(t, &s.Callees, &c.callees)
			same(t, &s.Callers, &c.callers)
		})
	}
}

func same(t *testing.T, got, want *Share) {
	t.Helper()
	list := func(all []Mismatch) (text string) {
		for _, m := range all {
			proof, _, _ := strings.Cut(m.Proof, ":")
			text += m.Caller + " " + m.Callee + " " + proof + "\n"
		}
		return text
	}
	if got.Said != want.Said || got.Found != want.Found || list(got.Missed) != list(want.Missed) || list(got.Wrong) != list(want.Wrong) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	s, err := scoreOf(t, `{"caller":"p.go:9:6","callee":"p.go:5:12"}
{"caller":"p.go:1:1"}
`)
	if err != nil {
		t.Fatal(err)
	}
	text := s.Text()
	for _, want := range []string{"calls of 1 functions of p", "callees  0.333      1.000   3     2      1         0", "callers  1.000", "left out: 1 callers of the truth"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for name, truth := range map[string]string{
		"nothing": "", "no JSON": "x\n", "no place": `{"caller":"p.go"}` + "\n", "no caller": `{"callee":"p.go:1"}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := scoreOf(t, truth)
			if refused := (*usage.Error)(nil); !errors.As(err, &refused) || refused.Hint == "" {
				t.Errorf("%q gives %v", truth, err)
			}
		})
	}
}
