package e2e

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"espy/internal/facts/worker"
	"espy/internal/lang"
)

// parsers starts the real program as the child that parses; the test is
// skipped where it has no grammars.
func parsers(t *testing.T, n int) *worker.Pool {
	t.Helper()
	p := worker.New(worker.Options{Command: []string{espy(t), worker.Command}, Workers: n})
	t.Cleanup(func() { p.Close() })
	if _, err := p.Parse(t.Context(), "python", "a.py", nil); errors.Is(err, worker.ErrUnavailable) {
		t.Skip(err)
	}
	return p
}

// hasGrammars reports whether the real program has grammars: one with the race
// detector has none.
func hasGrammars(t *testing.T) bool {
	p := worker.New(worker.Options{Command: []string{espy(t), worker.Command}, Workers: 1})
	defer p.Close()
	_, err := p.Parse(t.Context(), "python", "a.py", nil)
	return !errors.Is(err, worker.ErrUnavailable)
}

// TestParseWorker asks the real child for the facts of a file per language.
func TestParseWorker(t *testing.T) {
	t.Parallel()
	p := parsers(t, 1)
	for _, tt := range []struct{ language, path, text string }{
		{"python", "a.py", "def named(a): return a\n"},
		{"javascript", "a.jsx", "function named(a) { return <B>{a}</B> }\n"},
		{"typescript", "a.ts", "export function named<T>(a: T): T { return <T>a }\n"},
		{"typescript", "a.tsx", "export function named(a: any) { return <B>{a}</B> }\n"},
		{"java", "A.java", "class A { int named(int a) { return a; } }\n"},
		{"rust", "a.rs", "fn named(a: u8) -> u8 { a }\n"},
		{"c", "a.c", "int named(int a) { return a; }\n"},
		{"c", "a.h", "class A { int named(int a) { return a; } };\n"},
		{"cpp", "a.cc", "int A::named(int a) { return a; }\n"},
	} {
		t.Run(tt.language+" "+tt.path, func(t *testing.T) {
			f, err := p.Parse(t.Context(), tt.language, tt.path, []byte(tt.text))
			if err != nil {
				t.Errorf("%s: %v", tt.path, err)
				return
			}
			found := false
			for i := range f.Symbols {
				found = found || f.Symbols[i].Name == "named" && f.Symbols[i].Kind.IsFunc()
			}
			if !found || len(f.Errors) > 0 {
				t.Errorf("%s: symbols %+v, faults %+v", tt.path, f.Symbols, f.Errors)
			}
		})
	}
}

// TestParseSpeed parses the files below the folder ESPY_CORPUS in children and
// says how fast: parser, facts, pipe and decoding together.
func TestParseSpeed(t *testing.T) {
	root := os.Getenv("ESPY_CORPUS")
	if root == "" {
		t.Skip("ESPY_CORPUS names no folder")
	}
	espy(t)
	built := used(t, syscall.RUSAGE_CHILDREN).seconds // by the go command, for these tests
	p := parsers(t, 2)
	files, bytes, failed := 0, 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		l := lang.Detect(path, nil)
		if l == nil || !worker.HasGrammar(l.Name) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) > 2<<20 {
			return err
		}
		var failure *worker.Failure
		if _, err := p.Parse(context.Background(), l.Name, path, text); errors.As(err, &failure) {
			t.Logf("%s: %v", path, err)
			failed++
		} else if err != nil {
			return err
		}
		files, bytes = files+1, bytes+len(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Close() // so that its children are counted
	own, children := used(t, syscall.RUSAGE_SELF), used(t, syscall.RUSAGE_CHILDREN)
	children.seconds -= built
	t.Logf("%d files, %.1f MB, %d failed: %.1f MB per CPU second of the children (%.1f s, largest %d MB), parent %.1f s",
		files, float64(bytes)/1e6, failed, float64(bytes)/1e6/children.seconds, children.seconds, children.megabytes, own.seconds)
}

type usage struct {
	seconds   float64
	megabytes int64
}

func used(t *testing.T, who int) usage {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		t.Fatal(err)
	}
	return usage{float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, u.Maxrss >> 10}
}
