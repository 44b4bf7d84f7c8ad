package render

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/progress"
	"espy/internal/store"
	"espy/internal/workspace"
	"espy/internal/workspace/view"
)

func TestRead(t *testing.T) {
	t.Parallel()
	at := code.Freshness{Generation: 4, Commit: "abc1234f", Head: "abc1234f", Branch: "main"}
	text := []byte("one\r\n\ttwo\x1b[31m\nthree\nfour\nfive")
	for _, tt := range []struct {
		name string
		f    File
		o    Options
	}{
		{"whole", File{Repo: "espy", Path: "a.go", Content: text, Freshness: at}, Options{}},
		{"range", File{Repo: "espy", Path: "a.go", Content: text, Freshness: at, Start: 2, End: 3, Note: "not in the index: binary"}, Options{Calls: ToolCalls}},
		{"range_color", File{Repo: "espy", Path: "a.go", Content: text, Freshness: at, Start: 2, End: 3}, Options{Color: true}},
		{"past", File{Repo: "espy", Path: "bad\xff.go", Content: text, Freshness: at, Start: 9}, Options{Calls: ToolCalls}},
		{"empty", File{Repo: "espy", Path: "empty"}, Options{Calls: ToolCalls}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, "read_"+tt.name+".txt", tt.f.Text(tt.o))
			golden(t, "read_"+tt.name+".json", indent(t, tt.f.JSON(tt.o)))
		})
	}
}

// TestReadBound checks that a file is cut between lines, that the next call
// goes on after the last line shown, and that one huge line stays bounded.
func TestReadBound(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "line number %d\n", i+1)
	}
	f := &File{Repo: "espy", Path: "a.go", Content: []byte(b.String()), Start: 100, End: 1900}
	text := f.Text(Options{Calls: ToolCalls, MaxTokens: 300})
	if got := code.Tokens(len(text)); got > 300 || got < 250 {
		t.Errorf("%d tokens, bound 300", got)
	}
	var first, last int
	if _, err := fmt.Sscanf(text, "a.go lines %d-%d of 2000", &first, &last); err != nil || first != 100 {
		t.Fatalf("header %.60q: %v", text, err)
	}
	if want := fmt.Sprintf("%d: line number %d\nleft out: lines %d-1900 to stay within 300 tokens\nnext: read(path=\"a.go:%d-1900\")\n", last, last, last+1, last+1); !strings.HasSuffix(text, want) {
		t.Errorf("text ends %q, want %q", text[max(0, len(text)-200):], want)
	}
	huge := &File{Repo: "espy", Path: "a.js", Content: []byte(strings.Repeat("x", 1<<20))}
	if got := code.Tokens(len(huge.Text(Options{MaxTokens: 300}))); got > 300 {
		t.Errorf("one huge line: %d tokens, bound 300", got)
	}
	if data := string(huge.JSON(Options{MaxTokens: 300})); code.Tokens(len(data)) > 300 || !strings.Contains(data, "line 1 alone is larger") {
		t.Errorf("one huge line as JSON: %s", data)
	}
	if got := code.Tokens(len(f.JSON(Options{MaxTokens: 300}))); got > 300 || got < 200 {
		t.Errorf("JSON: %d tokens, bound 300", got)
	}
}

func TestReports(t *testing.T) {
	report := &workspace.IndexReport{RepoID: "5e1f", Name: "espy", Root: "/src/espy", Files: 120, Chunks: 900, Skipped: 7, Bytes: 1_234_567, Duration: 1250 * time.Millisecond, Generation: 4, Freshness: code.Freshness{Generation: 4, Commit: "abc1234f", Head: "abc1234f", Branch: "main"}}
	whole := *report
	whole.Skipped = 0
	status := &Status{
		Version: "1.2.3",
		Repos: []workspace.Status{
			{ID: "5e1f", Name: "espy", Root: "/src/espy", Freshness: code.Freshness{Generation: 4}, Files: 120, Chunks: 900, Definitions: 333, TextBytes: 1_234_567, SourceBytes: 1_300_000, IndexBytes: 900_000, Segments: 1,
				Family: []string{"espy-fix", "espy-try"}, Disk: store.Disk{Bytes: 1_100_000, Kept: 2, KeptBytes: 45_000},
				Nested:    []workspace.Nested{{Path: "libs/a\n", Kind: "submodule"}, {Path: "x", Kind: "repository"}},
				Languages: map[string]int{"go": 100, "markdown": 15, "": 5}, Excluded: map[discover.Reason]int{discover.ReasonBinary: 3, discover.ReasonIgnored: 4}, LastIndexed: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)},
			{ID: "77aa", Name: "big", Root: "/src/big", Freshness: code.Freshness{Generation: 1, Partial: true, IndexedFiles: 10, TotalFiles: 4000}, Files: 10, Segments: 2, Damaged: []string{"0a1b.lex: checksum differs"},
				Indexing: &progress.Report{Phase: progress.Index, Files: 10, TotalFiles: 4000, Elapsed: 2 * time.Second}, LastError: "read a\x1b[2Jb: input/output error"},
		},
		Settings: []Setting{{"data_dir", "/data", "environment"}, {"color", "auto", "default"}},
		Notes:    []string{"/src/other is not attached"},
	}
	tools := Options{Calls: ToolCalls, MaxTokens: DefaultTokens, Now: time.Date(2026, 11, 1, 12, 5, 0, 0, time.UTC)}
	sound := &view.VerifyReport{Segments: 2, Files: 120, Bytes: 900_000}
	broken := &view.VerifyReport{Segments: 2, Files: 120, Bytes: 900_000, Problems: []string{"0a1b.lex at byte 4096: checksum differs"}}
	none := &Status{Version: "1.2.3"}
	for _, tt := range []struct {
		name string
		a    Answer
		o    Options
	}{
		{"index", Index{report}, tools},
		{"indexing", Indexing{"5e1f", "espy", "/src/espy"}, tools},
		{"removed", Removed{ID: "5e1f", Name: "espy", Root: "/src/espy"}, tools},
		{"status", status, tools},
		{"status_none", none, tools},
		{"verify", Verify{"espy", sound}, Options{}},
		{"verify_damaged", Verify{"espy", broken}, Options{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name+".txt", tt.a.Text(tt.o))
			golden(t, tt.name+".json", indent(t, tt.a.JSON(Options{})))
		})
	}
	t.Run("index_all", func(t *testing.T) { golden(t, "index_all.txt", Index{&whole}.Text(Options{})) })
	t.Run("status_cli", func(t *testing.T) { golden(t, "status_cli.txt", status.Text(Options{})) })
}

func TestStatusBound(t *testing.T) {
	t.Parallel()
	r := &Status{Version: "1.2.3"}
	for i := range 500 {
		r.Repos = append(r.Repos, workspace.Status{Name: fmt.Sprintf("repo%d", i), Root: fmt.Sprintf("/src/repo%d", i)})
	}
	text := r.Text(Options{Calls: ToolCalls, MaxTokens: DefaultTokens})
	if got := code.Tokens(len(text)); got > DefaultTokens || got < DefaultTokens/2 || !strings.Contains(text, "left out: ") {
		t.Errorf("%d tokens of %d:\n%s", got, DefaultTokens, text[len(text)-300:])
	}
	data := r.JSON(Options{MaxTokens: DefaultTokens})
	if got := code.Tokens(len(data)); got > DefaultTokens || got < DefaultTokens/2 || !strings.Contains(string(data), "more repos are left out") {
		t.Errorf("JSON: %d tokens of %d", got, DefaultTokens)
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in          progress.Report
		text        string
		done, total float64
	}{
		{progress.Report{Phase: progress.Wait, Holder: 12}, "waiting for process 12, which is writing the same index", 0, 0},
		{progress.Report{Phase: progress.Wait}, "waiting for another process, which is writing the same index", 0, 0},
		{progress.Report{Phase: progress.Scan, Files: 30}, "looking for files: 30 found", 0, 0},
		{progress.Report{Phase: progress.Index, Files: 30, TotalFiles: 100}, "indexing: 30 of 100 files", 30, 100},
		{progress.Report{Phase: progress.Commit, Files: 100, TotalFiles: 100}, "writing the index of 100 files", 100, 100},
		{progress.Report{Phase: progress.Done, Files: 100, TotalFiles: 100}, "indexed 100 files", 100, 100},
	} {
		t.Run(tt.text, func(t *testing.T) {
			done, total := ProgressOf(tt.in)
			if got := Progress(tt.in); got != tt.text || done != tt.done || total != tt.total {
				t.Errorf("%+v: %q, %v of %v, want %q, %v of %v", tt.in, got, done, total, tt.text, tt.done, tt.total)
			}
		})
	}
}
