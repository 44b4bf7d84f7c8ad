package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/files"
	"espy/internal/hit"
	"espy/internal/place"
)

// Files is a list of files.
type Files struct{ *files.List }

// Text writes the list, one file a line.
func (a Files) Text(o Options) string {
	text, _ := a.text(o)
	return text
}

// text reports how many entries it shows.
func (a Files) text(o Options) (string, int) {
	list := a.List
	blocks := make([]string, len(list.Entries))
	for i := range list.Entries {
		blocks[i] = fileLine(list, i, o)
	}
	return layout{
		head:   func(shown int) string { return filesHead(list, shown) },
		blocks: blocks,
		foot:   func(shown int) []string { return filesFoot(list, o, shown) },
	}.text(o)
}

func filesHead(list *files.List, shown int) string {
	first := ""
	if list.Request.Offset > 0 && shown > 0 {
		first = fmt.Sprintf("%d-", list.Request.Offset+1)
		shown += list.Request.Offset
	}
	noun := "file"
	switch {
	case list.Request.Excluded:
		noun = "excluded entry"
	case list.Request.Folders:
		noun = "entry"
	}
	return fmt.Sprintf("%s%d of %s, %s", first, shown, count(list.Total, noun), searched(list.Repos))
}

// fileLine writes one entry: its path, then its known properties.
func fileLine(list *files.List, i int, o Options) string {
	e := &list.Entries[i]
	path := o.name(e.Path)
	if e.Folder {
		path = o.name(strings.TrimSuffix(e.Path, "/") + "/")
	}
	path = o.color(path, colorPath)
	if len(list.Repos) > 1 {
		path = place.Name(e.Repo) + ": " + path
	}
	var facts []string
	if e.Reason != "" {
		facts = append(facts, string(e.Reason))
		if e.Detail != "" {
			facts[0] += ": " + short(e.Detail, 120)
		}
	}
	if e.Files > 0 {
		facts = append(facts, count(e.Files, "file"))
	}
	if e.Size > 0 {
		facts = append(facts, size(e.Size))
	}
	if e.Lines > 0 {
		facts = append(facts, count(e.Lines, "line"))
	}
	if e.Language != "" {
		facts = append(facts, e.Language)
	}
	if e.Unparsed != "" {
		facts = append(facts, "not parsed: "+short(e.Unparsed, 120))
	}
	if len(facts) == 0 {
		return path + "\n"
	}
	return path + "  " + strings.Join(facts, ", ") + "\n"
}

func filesFoot(list *files.List, o Options, shown int) []string {
	var foot []string
	if list.Request.Excluded {
		foot = reasonNotes(list.Entries[:shown])
	}
	if list.Total == 0 {
		foot = append(foot, nothingListed(list, o))
	}
	if len(list.Near) > 0 {
		foot = append(foot, "near: "+strings.Join(list.Near, ", "))
	}
	foot = append(foot, notes(list.Notes)...)
	if len(list.Left) > 0 {
		foot = append(foot, "partial: the time was over before these were looked at: "+names(list.Left, 8))
	}
	if left := list.Total - list.Request.Offset - shown; left > 0 && shown > 0 {
		more := fmt.Sprintf("more: --limit %d", min(nextLimit(shown), list.Request.Offset+shown+left))
		switch {
		case o.Cursor != nil:
			more = "more: same call with cursor=" + quoteText(o.Cursor(list.Request.Offset+shown))
		case o.Calls == ToolCalls:
			more = "more: same call with a larger limit"
		}
		foot = append(foot, fmt.Sprintf("left out: %d more; %s", left, more))
	}
	if next := nextOfFiles(list, o, shown); next != "" {
		foot = append(foot, "next: "+next)
	}
	return foot
}

// nothingListed says what was asked for and what was looked through.
func nothingListed(list *files.List, o Options) string {
	req, n := &list.Request, 0
	for _, r := range list.Repos {
		if n += r.Files; req.Excluded {
			n += r.Excluded - r.Files
		}
	}
	asked := filterWords(&hit.Request{Paths: req.Paths, Languages: req.Languages, Scope: cmp.Or(req.Scope, code.ScopeAll)})
	if req.Folder != "" {
		asked += " in folder " + place.Name(req.Folder)
	}
	if req.Regex != "" {
		asked += " with regex " + short(req.Regex, 200)
	}
	switch {
	case req.Excluded:
		return fmt.Sprintf("nothing of what is left out matches (%s)%s%s", count(n, "entry"), asked, inIndex(list, o))
	case req.Unparsed:
		return fmt.Sprintf("no file of %d could not be parsed%s", n, asked)
	}
	text := fmt.Sprintf("nothing matches among %s%s", count(n, "file"), asked)
	if i := slices.IndexFunc(req.Paths, looksRegular); i >= 0 && req.Regex == "" && o.Calls == Commands {
		text += "; a glob was given, and an expression is --regex " + shellQuote(req.Paths[i])
	}
	return text
}

// looksRegular reports whether a glob has what regular expressions have and globs seldom.
func looksRegular(glob string) bool {
	return strings.HasPrefix(glob, "^") || strings.HasSuffix(glob, "$") || strings.Contains(glob, ".*") || strings.Contains(glob, `\.`)
}

// maxInIndex bounds the files that JSON names so.
const maxInIndex = 8

// inIndex says that what was looked for among what is left out is indexed.
func inIndex(list *files.List, o Options) string {
	switch n := len(list.Indexed); n {
	case 0:
		return ""
	case 1:
		return "; " + o.name(list.Indexed[0].Path) + " is in the index"
	default:
		return fmt.Sprintf("; %d files that do are in the index, such as %s", n, o.name(list.Indexed[0].Path))
	}
}

// reasonNotes explains the reasons that occur.
func reasonNotes(entries []files.Entry) []string {
	var seen []discover.Reason
	for i := range entries {
		if r := entries[i].Reason; r != "" && !slices.Contains(seen, r) {
			seen = append(seen, r)
		}
	}
	slices.Sort(seen)
	out := make([]string, len(seen))
	for i, r := range seen {
		out[i] = fmt.Sprintf("%s: %s", r, r.Explain())
	}
	return out
}

func nextOfFiles(list *files.List, o Options, shown int) string {
	excluded := 0
	for _, r := range list.Repos {
		excluded += r.Excluded
	}
	switch {
	case list.Total == 0 && list.Request.Unparsed:
	case list.Total == 0 && !list.Request.Excluded && excluded > 0:
		return o.call("files", arg{"excluded", true}) + " # what the index leaves out, and why"
	case list.Total == 0 && !list.Request.Excluded:
		return o.call("files") + " # everything"
	case list.Request.Folders:
		isFolder := func(e files.Entry) bool { return e.Folder }
		if i := slices.IndexFunc(list.Entries[:shown], isFolder); i >= 0 {
			return o.call("files", arg{"path", o.globOf(list.Entries[i].Path)})
		}
	case shown == 1 && list.Total == 1 && !list.Request.Excluded:
		return o.call("read", arg{"path", o.wholeFile(list.Entries[0].Path)})
	}
	return ""
}

// wholeFile writes a path as an argument that may have lines behind it: a name
// such as "a:10" needs them.
func (o Options) wholeFile(path string) string {
	name := o.name(path)
	if _, lines := place.Parse(name); lines {
		return name + ":1-"
	}
	return name
}

// filesJSON is the JSON form of a list of files.
type filesJSON struct {
	Total     int            `json:"total"`
	Offset    int            `json:"offset,omitempty"`
	Freshness freshnessJSON  `json:"freshness"`
	Files     []fileJSON     `json:"files"`
	Repos     []searchedJSON `json:"repos"`
	Partial   bool           `json:"partial,omitempty"` // the time was over
	Near      []string       `json:"near,omitempty"`    // of a path that nothing matches
	Left      []string       `json:"not_looked_at,omitempty"`
	Notes     []string       `json:"notes,omitempty"`
	Cursor    string         `json:"cursor,omitempty"`
}

type fileJSON struct {
	Repo       string   `json:"repo"`
	Path       string   `json:"path"`
	PathQuoted string   `json:"path_quoted,omitempty"`
	Indexed    bool     `json:"indexed"`
	Folder     bool     `json:"folder,omitempty"`
	Files      int      `json:"files,omitempty"`
	Size       int64    `json:"size"`
	Lines      int      `json:"lines,omitempty"`
	Language   string   `json:"language,omitempty"`
	Traits     []string `json:"traits,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	Detail     string   `json:"detail,omitempty"`
	Unparsed   string   `json:"unparsed,omitempty"` // why it has no symbols
}

// JSON writes the list within the bound of o, cut between entries.
func (a Files) JSON(o Options) []byte {
	text, _ := a.json(o)
	return text
}

// json reports how many entries it holds.
func (a Files) json(o Options) ([]byte, int) {
	list := a.List
	v := newFilesJSON(list)
	for {
		shown := len(v.Files)
		v.Cursor = nextCursor(o.Cursor, list.Total, list.Request.Offset, shown)
		text := JSON(v)
		if o.MaxTokens == 0 || code.Tokens(len(text)) <= o.MaxTokens || shown == 0 {
			return text, shown
		}
		v.Files = v.Files[:fewer(shown, len(text), o.MaxTokens*4)]
	}
}

func newFilesJSON(list *files.List) filesJSON {
	v := filesJSON{Total: list.Total, Offset: list.Request.Offset, Freshness: freshnessJSON(combined(list.Repos)), Files: make([]fileJSON, len(list.Entries)), Repos: newSearchedJSON(list.Repos), Partial: len(list.Left) > 0, Left: list.Left, Near: list.Near, Notes: list.Notes}
	for _, e := range list.Indexed[:min(len(list.Indexed), maxInIndex)] {
		v.Notes = append(v.Notes, place.Name(e.Path)+" is in the index")
	}
	for i := range list.Entries {
		e := &list.Entries[i]
		v.Files[i] = newFileJSON(e)
	}
	return v
}

func newFileJSON(e *files.Entry) fileJSON {
	return fileJSON{
		Repo: e.Repo, Path: e.Path, PathQuoted: quotedIfBroken(e.Path), Indexed: e.Reason == "" && !e.Folder, Folder: e.Folder, Files: e.Files,
		Size: e.Size, Lines: e.Lines, Language: e.Language, Traits: classWords(e.Class), Reason: string(e.Reason), Detail: e.Detail, Unparsed: e.Unparsed,
	}
}
