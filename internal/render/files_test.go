package render

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/files"
	"espy/internal/hit"
)

// listing is a list of indexed files with more to come.
func listing() *files.List {
	return &files.List{
		Total: 9, Repos: []hit.Searched{fresh("espy", 3)},
		Entries: []files.Entry{
			{Repo: "espy", Path: "internal/a.go", Size: 1234, Lines: 40, Language: "go"},
			{Repo: "espy", Path: "odd\nname", Size: 1, Lines: 1},
			{Repo: "espy", Path: "empty"},
		},
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	tools := Options{Calls: ToolCalls, MaxTokens: DefaultTokens, Cursor: func(n int) string { return fmt.Sprintf("page-%d", n) }}
	excluded := &files.List{
		Request: files.Request{Excluded: true}, Total: 2, Repos: []hit.Searched{fresh("espy", 3)},
		Entries: []files.Entry{
			{Repo: "espy", Path: "a.bin", Size: 99, Reason: discover.ReasonBinary, Detail: "NUL\x1b at byte 3"},
			{Repo: "espy", Path: "node_modules", Folder: true, Reason: discover.ReasonIgnored},
		},
	}
	folders := &files.List{
		Request: files.Request{Folders: true}, Total: 2, Repos: []hit.Searched{fresh("espy", 3)},
		Entries: []files.Entry{{Repo: "espy", Path: "internal", Folder: true, Files: 12, Size: 5000}, {Repo: "espy", Path: "go.mod", Size: 20, Lines: 3, Language: "gomod"}},
	}
	none := &files.List{Repos: []hit.Searched{fresh("espy", 3)}}
	paged := listing()
	paged.Request.Offset, paged.Total = 3, 6
	for _, tt := range []struct {
		name string
		list *files.List
		o    Options
	}{
		{"list", listing(), tools},
		{"list_cli", listing(), Options{}},
		{"page", paged, tools},
		{"excluded", excluded, tools},
		{"folders", folders, tools},
		{"none", none, tools},
	} {
		t.Run(tt.name, func(t *testing.T) { golden(t, "files_"+tt.name+".txt", Files{tt.list}.Text(tt.o)) })
	}
	t.Run("json", func(t *testing.T) { golden(t, "files.json", indent(t, Files{excluded}.JSON(Options{}))) })
}

func TestFilesBound(t *testing.T) {
	t.Parallel()
	list := &files.List{Total: 5000, Repos: []hit.Searched{fresh("espy", 3)}}
	for i := range 5000 {
		list.Entries = append(list.Entries, files.Entry{Repo: "espy", Path: fmt.Sprintf("folder/file%d.go", i), Size: 10})
	}
	o := Options{Calls: ToolCalls, MaxTokens: 500, Cursor: func(n int) string { return fmt.Sprintf("page-%d", n) }}
	text, shown := Files{list}.text(o)
	if got := code.Tokens(len(text)); got > 500 || got < 400 || strings.Count(text, "folder/") != shown || !strings.Contains(text, fmt.Sprintf("page-%d", shown)) {
		t.Errorf("text: %d tokens, %d shown:\n%s", got, shown, text)
	}
	data, shown := Files{list}.json(o)
	if got := code.Tokens(len(data)); got > 500 || shown == 0 || !strings.Contains(string(data), fmt.Sprintf(`"cursor":"page-%d"`, shown)) {
		t.Errorf("JSON: %d tokens, %d shown", got, shown)
	}
}
