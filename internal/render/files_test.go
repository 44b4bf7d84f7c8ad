package render

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/search"
	"espy/internal/usage"
)

// listing is a list of indexed files with more to come.
func listing() *FileList {
	return &FileList{
		Total: 9, Repos: []search.Searched{fresh("espy", 3)},
		Entries: []FileEntry{
			{Repo: "espy", Path: "internal/a.go", Size: 1234, Lines: 40, Language: "go"},
			{Repo: "espy", Path: "odd\nname", Size: 1, Lines: 1},
			{Repo: "espy", Path: "empty"},
		},
	}
}

func TestFiles(t *testing.T) {
	tools := Options{Calls: ToolCalls, MaxTokens: DefaultTokens, Cursor: func(n int) string { return fmt.Sprintf("page-%d", n) }}
	excluded := &FileList{
		Request: FileRequest{Excluded: true}, Total: 2, Repos: []search.Searched{fresh("espy", 3)},
		Entries: []FileEntry{
			{Repo: "espy", Path: "a.bin", Size: 99, Reason: discover.ReasonBinary, Detail: "NUL\x1b at byte 3"},
			{Repo: "espy", Path: "node_modules", Folder: true, Reason: discover.ReasonIgnored},
		},
	}
	folders := &FileList{
		Request: FileRequest{Folders: true}, Total: 2, Repos: []search.Searched{fresh("espy", 3)},
		Entries: []FileEntry{{Repo: "espy", Path: "internal", Folder: true, Files: 12, Size: 5000}, {Repo: "espy", Path: "go.mod", Size: 20, Lines: 3, Language: "gomod"}},
	}
	none := &FileList{Repos: []search.Searched{fresh("espy", 3)}}
	paged := listing()
	paged.Request.Offset, paged.Total = 3, 6
	for _, tt := range []struct {
		name string
		list *FileList
		o    Options
	}{
		{"list", listing(), tools},
		{"list_cli", listing(), Options{}},
		{"page", paged, tools},
		{"excluded", excluded, tools},
		{"folders", folders, tools},
		{"none", none, tools},
	} {
		t.Run(tt.name, func(t *testing.T) { golden(t, "files_"+tt.name+".txt", Files(tt.list, tt.o)) })
	}
	t.Run("json", func(t *testing.T) { golden(t, "files.json", indent(t, JSON(FilesJSON(excluded)))) })
}

func TestFilesBound(t *testing.T) {
	list := &FileList{Total: 5000, Repos: []search.Searched{fresh("espy", 3)}}
	for i := range 5000 {
		list.Entries = append(list.Entries, FileEntry{Repo: "espy", Path: fmt.Sprintf("folder/file%d.go", i), Size: 10})
	}
	o := Options{Calls: ToolCalls, MaxTokens: 500, Cursor: func(n int) string { return fmt.Sprintf("page-%d", n) }}
	text, shown := FilesPage(list, o)
	if got := code.Tokens(len(text)); got > 500 || got < 400 || strings.Count(text, "folder/") != shown || !strings.Contains(text, fmt.Sprintf("page-%d", shown)) {
		t.Errorf("text: %d tokens, %d shown:\n%s", got, shown, text)
	}
	data, shown := FilesJSONPage(list, o)
	if got := code.Tokens(len(data)); got > 500 || shown == 0 || !strings.Contains(string(data), fmt.Sprintf(`"cursor":"page-%d"`, shown)) {
		t.Errorf("JSON: %d tokens, %d shown", got, shown)
	}
}

func TestFileMatcher(t *testing.T) {
	for _, tt := range []struct {
		req    FileRequest
		path   string
		want   bool
		folder bool
	}{
		{FileRequest{}, "a/b.go", true, false},
		{FileRequest{Paths: []string{"*.go"}}, "a/b.go", true, false},
		{FileRequest{Paths: []string{"*.go"}}, "a/b.c", false, false},
		{FileRequest{Paths: []string{"a"}}, "a/b/c.go", true, false},
		{FileRequest{Paths: []string{"a/"}}, "a/b/c.go", true, false},
		{FileRequest{Paths: []string{"b"}}, "a/b/c.go", true, false},
		{FileRequest{Paths: []string{"/b"}}, "a/b/c.go", false, false},
		{FileRequest{Paths: []string{"./a/*.go"}}, "a/b.go", true, false},
		{FileRequest{Paths: []string{"a/*.go"}}, "a/b/c.go", false, false},
		{FileRequest{Paths: []string{"a/**"}}, "a/b/c.go", true, false},
		{FileRequest{Paths: []string{"src/**/*_test.go"}}, "src/x_test.go", true, false},
		{FileRequest{Paths: []string{"*.{js,ts}"}}, "x/y.ts", true, false},
		{FileRequest{Paths: []string{"*.go", "!*_test.go"}}, "x_test.go", false, false},
		{FileRequest{Paths: []string{"!vendor"}}, "vendor/x.go", false, false},
		{FileRequest{Paths: []string{"!vendor"}}, "x.go", true, false},
		{FileRequest{Paths: []string{"a/"}}, "a", false, false},
		{FileRequest{Paths: []string{"a/"}}, "a", true, true},
		{FileRequest{Regex: `_test\.go$`}, "a/x_test.go", true, false},
		{FileRequest{Regex: `^x`}, "a/x.go", false, false},
	} {
		m, err := newFileMatcher(tt.req)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.path(tt.path, tt.folder); got != tt.want {
			t.Errorf("%+v matches %q: %v, want %v", tt.req, tt.path, got, tt.want)
		}
	}
}

func TestFileMatcherErrors(t *testing.T) {
	for arg, req := range map[string]FileRequest{
		"path":  {Paths: []string{"a["}},
		"lang":  {Languages: []string{"golagn"}},
		"regex": {Regex: "a("},
	} {
		_, err := newFileMatcher(req)
		var refused *usage.Error
		if !errors.As(err, &refused) || refused.Arg != arg || refused.Hint == "" {
			t.Errorf("%+v: error %v, want one for %s with a hint", req, err, arg)
		}
	}
}

func TestLevel(t *testing.T) {
	all := []FileEntry{{Path: "a/b/c.go", Size: 1}, {Path: "a/d.go", Size: 2}, {Path: "a.go", Size: 4}, {Path: "ab/x", Size: 8}}
	for _, tt := range []struct {
		folder string
		want   []FileEntry
	}{
		{"", []FileEntry{{Path: "a", Folder: true, Files: 2, Size: 3}, {Path: "a.go", Size: 4}, {Path: "ab", Folder: true, Files: 1, Size: 8}}},
		{"a", []FileEntry{{Path: "a/b", Folder: true, Files: 1, Size: 1}, {Path: "a/d.go", Size: 2}}},
		{"none", nil},
	} {
		if diff := cmp.Diff(tt.want, level(all, tt.folder)); diff != "" {
			t.Errorf("level %q (-want +got):\n%s", tt.folder, diff)
		}
	}
}
