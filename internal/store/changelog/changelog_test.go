package changelog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/store/blob/local"
)

const view = "main"

func folder(t *testing.T) *local.Dir {
	t.Helper()
	d, err := local.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func record(generation uint64, paths ...string) *Record {
	r := &Record{Version: version, Generation: generation, Base: generation - 1, Time: time.Unix(int64(generation), 0).UTC(), Files: len(paths)}
	for _, p := range paths {
		r.Changes = append(r.Changes, Change{Path: Path(p), Status: "modified", Symbols: []Symbol{{"body", "f", code.KindFunc, 1, 2}}})
	}
	return r
}

func generations(t *testing.T, d *local.Dir) (list []uint64) {
	t.Helper()
	records, err := Read(d, view)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		list = append(list, r.Generation)
	}
	return list
}

func TestReadAndAppend(t *testing.T) {
	d := folder(t)
	want := []Record{*record(1), *record(2, "a.go", "odd\xffname\n.go"), *record(3, "b.go")}
	for i := range want {
		if err := Append(d, view, &want[i]); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Read(d, view)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Fatalf("Log: %v\n%s", err, diff)
	}
	if other, err := Read(d, "other"); err != nil || other != nil {
		t.Errorf("log of another view: %v, %v", other, err)
	}
}

// TestSample reads a log that version 1 wrote, and leaves out a record of another.
func TestSample(t *testing.T) {
	data, err := os.ReadFile("testdata/changes-1.log")
	if err != nil {
		t.Fatal(err)
	}
	want := []Record{*record(1), *record(2, "a.go", "odd\xffname\n.go")}
	want[1].Changes[0].Old, want[1].Changes[0].Status = "b.go", "renamed"
	got, damaged := parse(data)
	if diff := cmp.Diff(want, got); diff != "" || damaged != 1 {
		t.Errorf("%d records damaged, want 1 (-want +got):\n%s", damaged, diff)
	}
}

// TestDamage cuts the log at every byte, and changes every byte of it.
func TestDamage(t *testing.T) {
	d := folder(t)
	for g := range 3 {
		if err := Append(d, view, record(uint64(g+1), "a.go")); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(d.Path(), fileName(view))
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		if err := os.WriteFile(name, whole[:i], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Append(d, view, record(9)); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(whole[:i]), "\n") - 1; i > 0 && len(generations(t, d)) < n+1 {
			t.Fatalf("cut at %d: %v, want %d records and one more", i, generations(t, d), n)
		}
		bad := append([]byte(nil), whole...)
		bad[i] ^= 1
		if err := os.WriteFile(name, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, damaged := parse(bad); damaged == 0 {
			t.Fatalf("byte %d changed: no record is damaged", i)
		}
		if got := generations(t, d); len(got) < 1 || len(got) > 2 {
			t.Fatalf("byte %d changed: %v, want all records but that one, or the two that it joins", i, got)
		}
	}
}

func TestRecordBound(t *testing.T) {
	r := record(1)
	for i := range 5000 {
		r.Changes = append(r.Changes, Change{Path: Path(fmt.Sprintf("%s/%d.go", strings.Repeat("x", 100), i))})
	}
	line, err := r.encode()
	if err != nil {
		t.Fatal(err)
	}
	if seal := len("\n 0123456789abcdef"); len(line) > maxRecord+seal || len(line) < maxRecord*9/10 {
		t.Errorf("a record of many changes takes %d bytes, want nearly %d", len(line), maxRecord)
	}
}

func TestBound(t *testing.T) {
	d := folder(t)
	var long []string
	for i := range 5000 {
		long = append(long, fmt.Sprintf("%s/%d.go", strings.Repeat("x", 100), i))
	}
	for g := range uint64(40) {
		if err := Append(d, view, record(g+1, long...)); err != nil {
			t.Fatal(err)
		}
	}
	size := int64(0)
	for _, n := range []string{fileName(view), olderName(view)} {
		info, err := d.Stat(n)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	got, err := Read(d, view)
	if err != nil || size > maxLog || len(got) < 4 || got[len(got)-1].Generation != 40 || got[len(got)-1].Files != 5000 || len(got[len(got)-1].Changes) >= 5000 {
		t.Errorf("%d bytes, %d records, %v", size, len(got), err)
	}
}

func FuzzParse(f *testing.F) {
	line, _ := record(1, "a.go").encode()
	f.Add(line)
	f.Fuzz(func(t *testing.T, data []byte) {
		records, _ := parse(data)
		for _, r := range records {
			if _, err := r.encode(); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestPaths(t *testing.T) {
	for _, c := range []struct {
		text string
		want Path // "" for a refusal
	}{
		{`"a.go"`, "a.go"},
		{`["YS5nbw=="]`, "a.go"},
		{`[]`, ""},
		{`["YQ==","Yg=="]`, ""},
		{`5`, ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			var p Path
			err := p.UnmarshalJSON([]byte(c.text))
			if p != c.want || (err == nil) != (c.want != "") {
				t.Errorf("%q, %v; want %q", p, err, c.want)
			}
			if err != nil && !errors.Is(err, local.ErrDamaged) {
				t.Errorf("the error is no damage: %v", err)
			}
		})
	}
}
