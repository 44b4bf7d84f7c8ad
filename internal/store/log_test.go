package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
)

func record(generation uint64, paths ...string) *LogRecord {
	r := &LogRecord{Version: logVersion, Generation: generation, Base: generation - 1, Time: time.Unix(int64(generation), 0).UTC(), Files: len(paths)}
	for _, p := range paths {
		r.Changes = append(r.Changes, LogChange{Path: LogPath(p), Status: "modified", Symbols: []LogSymbol{{"body", "f", code.KindFunc, 1, 2}}})
	}
	return r
}

func generations(t *testing.T, f *Family) (list []uint64) {
	t.Helper()
	records, err := f.Log(MainView)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		list = append(list, r.Generation)
	}
	return list
}

func TestLog(t *testing.T) {
	f := family(t, t.TempDir())
	want := []LogRecord{*record(1), *record(2, "a.go", "odd\xffname\n.go"), *record(3, "b.go")}
	for i := range want {
		if err := f.appendLog(MainView, &want[i]); err != nil {
			t.Fatal(err)
		}
	}
	got, err := f.Log(MainView)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Fatalf("Log: %v\n%s", err, diff)
	}
	if other, err := f.Log("other"); err != nil || other != nil {
		t.Errorf("log of another view: %v, %v", other, err)
	}
}

// TestLogSample reads a log that version 1 wrote, and leaves out a record of another.
func TestLogSample(t *testing.T) {
	data, err := os.ReadFile("testdata/changes-1.log")
	if err != nil {
		t.Fatal(err)
	}
	want := []LogRecord{*record(1), *record(2, "a.go", "odd\xffname\n.go")}
	want[1].Changes[0].Old, want[1].Changes[0].Status = "b.go", "renamed"
	got, damaged := parseLog(data)
	if diff := cmp.Diff(want, got); diff != "" || damaged != 1 {
		t.Errorf("%d records damaged, want 1 (-want +got):\n%s", damaged, diff)
	}
}

// TestLogDamage cuts the log at every byte, and changes every byte of it.
func TestLogDamage(t *testing.T) {
	f := family(t, t.TempDir())
	for g := range 3 {
		if err := f.appendLog(MainView, record(uint64(g+1), "a.go")); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(f.dir.Path(), logName(MainView))
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		if err := os.WriteFile(name, whole[:i], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.appendLog(MainView, record(9)); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(whole[:i]), "\n") - 1; i > 0 && len(generations(t, f)) < n+1 {
			t.Fatalf("cut at %d: %v, want %d records and one more", i, generations(t, f), n)
		}
		bad := append([]byte(nil), whole...)
		bad[i] ^= 1
		if err := os.WriteFile(name, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, damaged := parseLog(bad); damaged == 0 {
			t.Fatalf("byte %d changed: no record is damaged", i)
		}
		if got := generations(t, f); len(got) < 1 || len(got) > 2 {
			t.Fatalf("byte %d changed: %v, want all records but that one, or the two that it joins", i, got)
		}
	}
}

func TestLogIsBounded(t *testing.T) {
	f := family(t, t.TempDir())
	var long []string
	for i := range 5000 {
		long = append(long, fmt.Sprintf("%s/%d.go", strings.Repeat("x", 100), i))
	}
	for g := range uint64(40) {
		if err := f.appendLog(MainView, record(g+1, long...)); err != nil {
			t.Fatal(err)
		}
	}
	size := int64(0)
	for _, n := range []string{logName(MainView), olderLog(MainView)} {
		info, err := f.dir.Stat(n)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	got, err := f.Log(MainView)
	if err != nil || size > maxLog || len(got) < 4 || got[len(got)-1].Generation != 40 || got[len(got)-1].Files != 5000 || len(got[len(got)-1].Changes) >= 5000 {
		t.Errorf("%d bytes, %d records, %v", size, len(got), err)
	}
}

func TestCommitsAreLogged(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	commit(t, f, state, map[string]string{"a": "one", "b": "two"})
	b := begin(t, f, false)
	if err := b.Bury([]string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	add(t, b, map[string]string{"a": "one more", "c": "new"})
	pairs, err := b.Changed()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pairs {
		got = append(got, fmt.Sprintln(p.Path, p.Old != nil, p.New != nil))
	}
	if diff := cmp.Diff([]string{"a true true\n", "b true false\n", "c false true\n"}, got); diff != "" {
		t.Errorf("Changed: %s", diff)
	}
	if _, err := b.Commit(context.Background(), Generation{Tree: treeOf(map[string]string{"a": "one more", "c": "new"}), Written: time.Now(), ChangedFiles: 3}); err != nil {
		t.Fatal(err)
	}
	b.Close()
	commit(t, f, map[string]string{"a": "one more", "c": "new"}, nil) // changes nothing
	records, err := f.Log(MainView)
	if err != nil || len(records) != 2 || records[0].Base != 0 || records[0].Files != 2 || records[1].Base != 1 || records[1].Generation != 2 || records[1].Files != 3 {
		t.Errorf("Log = %+v, %v", records, err)
	}
	if err := f.Drop(t.Context(), func(string) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if got := generations(t, f); got != nil {
		t.Errorf("the log of a view that was dropped: %v", got)
	}
}

// TestLogCannotBeWritten commits where the log is a folder.
func TestLogCannotBeWritten(t *testing.T) {
	f := family(t, t.TempDir())
	if err := os.Mkdir(filepath.Join(f.dir.Path(), logName(MainView)), 0o700); err != nil {
		t.Fatal(err)
	}
	if g := commit(t, f, map[string]string{}, map[string]string{"a": "one"}); g != 1 {
		t.Errorf("generation %d, want 1", g)
	}
}

func FuzzLog(f *testing.F) {
	line, _ := record(1, "a.go").encode()
	f.Add(line)
	f.Fuzz(func(t *testing.T, data []byte) {
		records, _ := parseLog(data)
		for _, r := range records {
			if _, err := r.encode(); err != nil {
				t.Error(err)
			}
		}
	})
}
