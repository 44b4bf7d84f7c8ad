package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExportOutput holds that a file appears when it is whole, and else stays as it was.
func TestExportOutput(t *testing.T) {
	failure := errors.New("no")
	for _, tt := range []struct {
		name   string
		before string // in the file
		err    error
		want   string
	}{
		{"new", "", nil, "second"},
		{"replaced", "old", nil, "second"},
		{"failed", "old", failure, "old"},
		{"failed anew", "", failure, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "x.scip")
			if tt.before != "" {
				if err := os.WriteFile(path, []byte(tt.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			p := &program{}
			out, err := p.exportOutput(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"first, and longer", "second"} {
				if err := out.Restart(); err != nil {
					t.Fatal(err)
				}
				if _, err := out.Write([]byte(text)); err != nil || out.Flush() != nil {
					t.Fatal(err)
				}
			}
			if now, err := os.ReadFile(path); string(now) != tt.before {
				t.Errorf("the file has %q while it is written, %v", now, err)
			}
			if err := out.finish(tt.err); !errors.Is(err, tt.err) {
				t.Errorf("finish: %v", err)
			}
			now, err := os.ReadFile(path)
			if string(now) != tt.want || tt.want == "" && !os.IsNotExist(err) {
				t.Errorf("the file has %q, want %q", now, tt.want)
			}
			if all, err := os.ReadDir(dir); err != nil || len(all) > 1 {
				t.Errorf("%d files are left: %v", len(all), all)
			}
		})
	}
}

// TestExportRefusals holds what espy export says of what it cannot do.
func TestExportRefusals(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nfunc F() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	s := newShell(t)
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"format", []string{"--format", "scp"}, "did you mean --format scip?"},
		{"kind", []string{"--kind", "call"}, "did you mean --kind calls?"},
		{"kind of scip", []string{"--format", "scip", "--kind", "calls"}, "use --format jsonl"},
		{"folder", []string{"--output", dir}, "is a folder"},
		{"missing folder", []string{"--output", filepath.Join(dir, "no", "x.jsonl")}, "no such file or directory"},
		{"scope", []string{"--scope", "codes"}, "did you mean --scope code?"},
		{"language", []string{"--lang", "pyhton"}, "python"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, code := s.run(append([]string{"export"}, tt.args...)...)
			if code != exitError || !strings.Contains(text, tt.want) || strings.Contains(text, `"type"`) {
				t.Errorf("exit code %d, want %d and %q:\n%s", code, exitError, tt.want, text)
			}
		})
	}
	t.Run("to a terminal", func(t *testing.T) {
		f := exportFlags{form: formatSCIP, output: "-", scope: "all"}
		if err := f.check(true); err == nil || !strings.Contains(err.Error(), "terminal") {
			t.Errorf("check = %v", err)
		}
	})
	t.Run("to a file", func(t *testing.T) {
		text, code := s.run("export", "--format", "scip", "--output", "x.scip", "--path", "a.go")
		written, err := os.ReadFile("x.scip")
		if code != exitFound || err != nil || !bytes.Contains(written, []byte("espy . . . a.go")) && !bytes.Contains(written, []byte("F().")) {
			t.Errorf("exit code %d, %v:\n%s", code, err, text)
		}
	})
}
