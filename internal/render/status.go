package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/place"
	"espy/internal/queue"
	"espy/internal/workspace"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/view"
)

// Status is the state of the repositories and the settings.
type Status struct {
	Version  string
	Repos    []workspace.Status
	Settings []Setting
	Notes    []string
	Disk     int64         // bytes of the whole data folder
	Jobs     *queue.Counts // of the team; nil for none

	Until map[code.RepoID]time.Time // when the indexes are dropped that only questions asked for
}

// Setting is one setting with its value and the source of the value.
type Setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"` // default, file, environment or flag
}

// Text writes the state of the repositories, then the settings.
func (r *Status) Text(o Options) string {
	blocks := make([]string, 0, len(r.Repos)+1)
	for i := range r.Repos {
		text := repoStatus(&r.Repos[i], o)
		if until, ok := r.Until[r.Repos[i].ID]; ok {
			text += "  kept until " + until.UTC().Format(time.DateOnly) + ": only questions have asked for it; " + o.call("index", arg{"query", r.Repos[i].Name}) + " keeps it\n"
		}
		blocks = append(blocks, text)
	}
	if len(r.Settings) > 0 {
		blocks = append(blocks, settings(r.Settings))
	}
	text, _ := layout{
		head: func(shown int) string {
			head := fmt.Sprintf("espy %s, %s", r.Version, count(len(r.Repos), "repository"))
			if r.Disk > 0 {
				head += ", " + size(r.Disk) + " on disk in all"
			}
			return head
		},
		blocks: blocks,
		foot: func(shown int) []string {
			foot := notes(r.Notes)
			if r.Jobs != nil {
				foot = append(foot, "jobs of the team: "+countsOf(*r.Jobs))
			}
			if left := len(blocks) - shown; left > 0 {
				foot = append(foot, fmt.Sprintf("left out: %d more; name one: %s", left, o.call("status", arg{"repo", r.Repos[min(shown, len(r.Repos)-1)].Name})))
			}
			return append(foot, "next: "+nextOfStatus(r, o))
		},
	}.text(o)
	return text
}

func repoStatus(s *workspace.Status, o Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s at %s\n", o.color(place.Name(s.Name), colorPath), place.Name(placeOf(s)))
	b.WriteString("  " + checkedOutOf(s.Freshness) + generation(s.Freshness))
	if !s.LastIndexed.IsZero() {
		b.WriteString(", indexed " + o.moment(s.LastIndexed))
	}
	b.WriteByte('\n')
	if why := s.Freshness.DirtyUnknown; why != "" {
		b.WriteString("  dirty unknown: " + short(why, 200) + "\n")
	}
	fmt.Fprintf(&b, "  %s, %s, %s; text %s, index %s in %s\n", count(s.Files, "file"), count(s.Chunks, "chunk"), count(s.Definitions, "definition"), size(s.TextBytes), size(s.IndexBytes), count(s.Segments, "segment"))
	b.WriteString(familyLine(s))
	if line := syntaxLine(s.Syntax, o.call("files", arg{"unparsed", true}, arg{"repo", s.Name})); line != "" {
		b.WriteString("  " + line)
	}
	for _, v := range s.Vectors {
		b.WriteString("  " + vectorLine(v))
	}
	if s.Learned != nil {
		b.WriteString("  " + learnedLine(s.Learned))
	}
	if len(s.Languages) > 0 {
		b.WriteString("  languages: " + tally(s.Languages, 12) + "\n")
	}
	if len(s.Excluded) > 0 {
		b.WriteString("  left out: " + tally(s.Excluded, 20) + "\n")
	}
	if n := s.Excluded[discover.ReasonSecret]; n > 0 {
		fmt.Fprintf(&b, "  left out as secrets: %s, named by %s; the setting secrets lets them in\n", count(n, "file"), o.call("files", arg{"excluded", true}, arg{"repo", s.Name}))
	}
	if len(s.Nested) > 0 {
		b.WriteString("  contains: " + nested(s.Nested) + "\n")
	}
	for _, d := range s.Damaged {
		b.WriteString("  damaged and being rebuilt: " + short(d, 200) + "\n")
	}
	if s.Watching != "" {
		b.WriteString("  files: " + short(s.Watching, 200) + "\n")
	}
	if s.Remote != nil {
		b.WriteString("  " + remote(s.Remote, o) + "\n")
	}
	if len(s.Refs) > 0 {
		b.WriteString("  also kept: " + keptRefs(s.Refs, o) + "\n")
	}
	for _, n := range notes(s.Notices) {
		b.WriteString("  " + n + "\n")
	}
	if s.Indexing != nil {
		b.WriteString("  now " + Progress(*s.Indexing) + pace(*s.Indexing) + by(s.Process) + "\n")
	}
	if s.LastError != "" {
		b.WriteString("  last error: " + short(s.LastError, 400) + "\n")
	}
	return b.String()
}

// placeOf is the root of a repository, or its URL.
func placeOf(s *workspace.Status) string {
	if s.Remote != nil {
		return s.Remote.Place
	}
	return s.Root
}

// remote describes the clone of a remote repository, and when it was fetched.
func remote(r *origin.RemoteStatus, o Options) string {
	text := "not cloned yet"
	if r.Commit != "" {
		text = fmt.Sprintf("commit %.12s of %s, fetched %s, clone %s", r.Commit, r.Committed.Format(time.DateOnly), o.moment(r.Fetched), size(r.Bytes))
	}
	if r.Failed != "" {
		text += fmt.Sprintf("; fetch failed %s: %s", o.moment(r.FailedAt), short(r.Failed, 300))
	}
	return text
}

// keptRefs writes the commits that are indexed beside the work tree.
func keptRefs(list []view.KeptRef, o Options) string {
	const most = 6
	var parts []string
	for _, k := range list[:min(len(list), most)] {
		parts = append(parts, fmt.Sprintf("%.12s (as %s, used %s)", k.Commit, place.Name(k.Ref), o.moment(k.Used)))
	}
	if more := len(list) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}

// familyLine names the work trees that share the index, and the size of earlier
// checkouts; it is "" if there are neither.
func familyLine(s *workspace.Status) string {
	if len(s.Family) == 0 && s.Disk.Kept == 0 {
		return ""
	}
	line := "  on disk " + size(s.Disk.Bytes+s.Disk.KeptBytes)
	if len(s.Family) > 0 {
		names := make([]string, len(s.Family))
		for i, n := range s.Family {
			names[i] = place.Name(n)
		}
		line += " shared with " + list(names, 5)
	}
	if s.Disk.Kept > 0 {
		line += fmt.Sprintf("; %s of it for %s", size(s.Disk.KeptBytes), count(s.Disk.Kept, "earlier checkout"))
	}
	return line + "\n"
}

// nested lists the git work trees that are indexed with the one around them.
func nested(trees []workspace.Nested) string {
	names := make([]string, len(trees))
	for i, n := range trees {
		names[i] = n.Kind + " " + place.Name(n.Path)
	}
	return list(names, 5)
}

// list joins names and counts those it leaves out.
func list(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// tally writes counts, the largest first, and counts those it leaves out.
func tally[K ~string](counts map[K]int, most int) string {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, k := range keys[:min(len(keys), most)] {
		name := string(k)
		if name == "" {
			name = "other"
		}
		parts = append(parts, fmt.Sprintf("%s %d", clean(name), counts[k]))
	}
	if more := len(keys) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}

func settings(list []Setting) string {
	var b strings.Builder
	b.WriteString("settings\n")
	for _, s := range list {
		fmt.Fprintf(&b, "  %s = %s (%s)\n", clean(s.Name), clean(s.Value), clean(s.Source))
	}
	return b.String()
}

func nextOfStatus(r *Status, o Options) string {
	if len(r.Repos) == 0 {
		return o.call("files") + " # indexes the folder it is called in"
	}
	for i := range r.Repos {
		if r.Repos[i].LastError != "" {
			return o.call("index", arg{"path", placeOf(&r.Repos[i])})
		}
	}
	return o.call("files")
}

type statusJSON struct {
	Version  string           `json:"version"`
	Repos    []repoStatusJSON `json:"repos"`
	Settings []Setting        `json:"settings,omitempty"`
	Notes    []string         `json:"notes,omitempty"`
	Disk     int64            `json:"disk_bytes,omitempty"` // of the data folder
	Jobs     *queue.Counts    `json:"team,omitempty"`
}

type repoStatusJSON struct {
	RepoID      string         `json:"repo_id"`
	KeptUntil   string         `json:"kept_until,omitempty"` // a day, where only questions have asked for the index
	Name        string         `json:"name"`
	Root        string         `json:"root"`
	Freshness   freshnessJSON  `json:"freshness"`
	Files       int            `json:"files"`
	Chunks      int            `json:"chunks"`
	Definitions int            `json:"definitions"`
	TextBytes   int64          `json:"text_bytes"`
	SourceBytes int64          `json:"source_bytes"`
	IndexBytes  int64          `json:"index_bytes"`
	Segments    int            `json:"segments"`
	Syntax      syntaxJSON     `json:"syntax"`
	Vectors     []vectorsJSON  `json:"vectors,omitempty"` // of each model
	Learned     *learnedJSON   `json:"learned,omitempty"` // from the commits
	Languages   map[string]int `json:"languages"`
	Excluded    map[string]int `json:"excluded"`
	Damaged     []string       `json:"damaged,omitempty"`
	Indexing    *progressJSON  `json:"indexing,omitempty"`
	LastError   string         `json:"last_error,omitempty"`
	Notes       []string       `json:"notes,omitempty"`
	LastIndexed string         `json:"last_indexed,omitempty"` // RFC 3339, UTC
	Watching    string         `json:"watching,omitempty"`
	Family      []string       `json:"family,omitempty"` // other work trees of its git repository, which share the index
	Disk        diskJSON       `json:"disk"`
	Nested      []nestedJSON   `json:"nested,omitempty"` // git work trees inside this one, indexed with it
	Remote      *remoteJSON    `json:"remote,omitempty"`
	Refs        []keptRefJSON  `json:"refs,omitempty"` // commits indexed beside it
}

type nestedJSON struct {
	Path string `json:"path"`
	Kind string `json:"kind"` // submodule, repository or worktree
}

// diskJSON is the size of the index on disk, including that of its family.
type diskJSON struct {
	Bytes     int64 `json:"bytes"`
	Kept      int   `json:"kept,omitempty"`       // earlier checkouts
	KeptBytes int64 `json:"kept_bytes,omitempty"` // used only by those
}

// remoteJSON describes the clone of a remote repository. Times are RFC 3339, UTC.
type remoteJSON struct {
	URL       string `json:"url"`
	Ref       string `json:"ref,omitempty"` // to fetch
	Commit    string `json:"commit,omitempty"`
	Committed string `json:"committed,omitempty"`
	Fetched   string `json:"fetched,omitempty"`
	Failed    string `json:"failed,omitempty"` // why the last fetch failed
	FailedAt  string `json:"failed_at,omitempty"`
	Bytes     int64  `json:"bytes"` // of the clone on disk
}

func newRemoteJSON(r *origin.RemoteStatus) *remoteJSON {
	if r == nil {
		return nil
	}
	return &remoteJSON{r.URL, r.Ref, r.Commit, utc(r.Committed), utc(r.Fetched), r.Failed, utc(r.FailedAt), r.Bytes}
}

// utc writes a time, "" for none.
func utc(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// keptRefJSON is an indexed commit. It may share parts with others.
type keptRefJSON struct {
	Ref    string `json:"ref"`
	Commit string `json:"commit"`
	Used   string `json:"used"` // RFC 3339, UTC
	Bytes  int64  `json:"bytes"`
}

type progressJSON struct {
	Phase      string `json:"phase"`
	Files      int    `json:"files"`
	TotalFiles int    `json:"total_files"`
	Bytes      int64  `json:"bytes"`
	TotalBytes int64  `json:"total_bytes"`
	ElapsedMS  int64  `json:"elapsed_ms"`
	Rate       int64  `json:"bytes_per_second,omitempty"`
	LeftMS     int64  `json:"left_ms,omitempty"`
	Process    int    `json:"process,omitempty"` // that does the work
	Holder     int    `json:"holder,omitempty"`  // the process it waits for
}

// JSON writes as many repositories as the bound of o allows. A note counts those
// that are left out.
func (r *Status) JSON(o Options) []byte {
	for shown := len(r.Repos); ; {
		text := JSON(newStatusJSON(r, shown, o))
		if o.MaxTokens == 0 || code.Tokens(len(text)) <= o.MaxTokens || shown == 0 {
			return text
		}
		shown = fewer(shown, len(text), o.MaxTokens*4)
	}
}

func newStatusJSON(r *Status, shown int, o Options) statusJSON {
	v := statusJSON{Version: r.Version, Repos: make([]repoStatusJSON, shown), Settings: r.Settings, Notes: r.Notes, Disk: r.Disk, Jobs: r.Jobs}
	for i := range v.Repos {
		v.Repos[i] = newRepoStatusJSON(&r.Repos[i])
		if until, ok := r.Until[r.Repos[i].ID]; ok {
			v.Repos[i].KeptUntil = until.UTC().Format(time.DateOnly)
		}
	}
	if left := len(r.Repos) - shown; left > 0 {
		v.Notes = append(slices.Clone(r.Notes), fmt.Sprintf("%d more repos are left out to stay within %d tokens; name one", left, o.MaxTokens))
	}
	return v
}

func newRepoStatusJSON(s *workspace.Status) repoStatusJSON {
	v := repoStatusJSON{
		RepoID: string(s.ID), Name: s.Name, Root: s.Root, Freshness: freshnessJSON(s.Freshness), Files: s.Files, Chunks: s.Chunks, Definitions: s.Definitions,
		TextBytes: s.TextBytes, SourceBytes: s.SourceBytes, IndexBytes: s.IndexBytes, Segments: s.Segments, LastError: s.LastError, Damaged: s.Damaged, Notes: s.Notices, Watching: s.Watching,
		Syntax: syntaxJSON(s.Syntax), Vectors: newVectorsJSON(s.Vectors), Learned: newLearnedJSON(s.Learned), Languages: make(map[string]int), Excluded: make(map[string]int),
	}
	maps.Copy(v.Languages, s.Languages)
	for reason, n := range s.Excluded {
		v.Excluded[string(reason)] = n
	}
	if !s.LastIndexed.IsZero() {
		v.LastIndexed = s.LastIndexed.UTC().Format(time.RFC3339)
	}
	v.Remote = newRemoteJSON(s.Remote)
	for _, n := range s.Nested {
		v.Nested = append(v.Nested, nestedJSON(n))
	}
	v.Family, v.Disk = s.Family, diskJSON{s.Disk.Bytes, s.Disk.Kept, s.Disk.KeptBytes}
	for _, k := range s.Refs {
		v.Refs = append(v.Refs, keptRefJSON{k.Ref, k.Commit, k.Used.UTC().Format(time.RFC3339), k.Bytes})
	}
	if p := s.Indexing; p != nil {
		v.Indexing = &progressJSON{Phase: p.Phase, Files: p.Files, TotalFiles: p.TotalFiles, Bytes: p.Bytes, TotalBytes: p.TotalBytes, ElapsedMS: p.Elapsed.Milliseconds(), Holder: p.Holder, Rate: int64(p.Rate()), LeftMS: p.Left().Milliseconds(), Process: s.Process}
	}
	return v
}
