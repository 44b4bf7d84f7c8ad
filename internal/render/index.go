package render

import (
	"fmt"
	"strings"

	"espy/internal/code"
	"espy/internal/progress"
	"espy/internal/workspace"
)

// Index writes the report of a finished indexing.
func Index(r *workspace.IndexReport, o Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "indexed %s: %s, %s, %s in %.1f s, %sgeneration %d", Name(r.Name), count(r.Files, "file"), count(r.Chunks, "chunk"), size(r.Bytes), r.Duration.Seconds(), checkedOutOf(r.Freshness), r.Generation)
	if r.URL != "" {
		fmt.Fprintf(&b, ", %s of %s", atCommit(r.Freshness), Name(r.URL))
	}
	b.WriteByte('\n')
	b.WriteString(syntaxLine(r.Syntax, o.call("files", arg{"unparsed", true}, arg{"repo", r.Name})))
	if r.Skipped > 0 {
		fmt.Fprintf(&b, "left out: %s; see %s\n", count(r.Skipped, "file"), o.call("files", arg{"excluded", true}, arg{"repo", r.Name}))
	}
	for _, n := range notes(r.Notices) {
		b.WriteString(n + "\n")
	}
	b.WriteString("next: " + o.call("search", arg{"query", "..."}, arg{"repo", r.Name}) + "\n")
	return b.String()
}

// Watched writes one line on a generation of a repository that is followed.
func Watched(r *workspace.IndexReport) string {
	return fmt.Sprintf("%s generation %d: %s, %s, %s\n", Name(r.Name), r.Generation, count(r.Files, "file"), count(r.Chunks, "chunk"), size(r.Bytes))
}

type indexJSON struct {
	RepoID     string `json:"repo_id"`
	Name       string `json:"name"`
	Root       string `json:"root"`
	URL        string `json:"url,omitempty"`
	Commit     string `json:"commit,omitempty"`
	Files      int    `json:"files"`
	Chunks     int    `json:"chunks"`
	Analysed   int    `json:"analysed"` // in this run
	Parsed     int    `json:"parsed"`   // in this run
	Skipped    int    `json:"skipped"`
	Bytes      int64  `json:"bytes"`
	DurationMS int64  `json:"duration_ms"`
	Generation uint64 `json:"generation"`

	Freshness code.Freshness `json:"freshness"`

	Syntax syntaxJSON `json:"syntax"`

	Notes []string `json:"notes,omitempty"`
}

// IndexJSON returns the JSON form of a report.
func IndexJSON(r *workspace.IndexReport) any {
	return indexJSON{
		RepoID: string(r.RepoID), Name: r.Name, Root: r.Root, URL: r.URL, Commit: r.Freshness.Commit, Files: r.Files, Chunks: r.Chunks, Analysed: r.Analysed, Parsed: r.Parsed, Skipped: r.Skipped, Bytes: r.Bytes,
		DurationMS: r.Duration.Milliseconds(), Generation: r.Generation, Freshness: r.Freshness, Syntax: syntaxJSON(r.Syntax), Notes: r.Notices,
	}
}

// syntaxLine tells how many files are known by their symbols; "" where no file
// is of a language with a grammar. The call lists those that failed.
func syntaxLine(s workspace.SyntaxStatus, call string) string {
	if s.Parsed+s.Failed+s.Pending == 0 {
		return ""
	}
	line := "symbols of " + count(s.Parsed, "file")
	if s.Failed > 0 {
		line += fmt.Sprintf("; %d cannot be parsed, see %s", s.Failed, call)
	}
	if s.Pending > 0 {
		line += fmt.Sprintf("; %d are not parsed yet", s.Pending)
		if s.Why != "" {
			line += ": " + short(s.Why, 200)
		}
	}
	return line + "\n"
}

// syntaxJSON tells how many files are known by their symbols.
type syntaxJSON struct {
	Parsed  int    `json:"parsed"`
	Failed  int    `json:"failed,omitempty"`
	Pending int    `json:"pending,omitempty"`
	Bytes   int64  `json:"bytes,omitempty"` // on disk
	Why     string `json:"why,omitempty"`   // why some stay pending
}

// Indexing writes that an indexing goes on in the background.
func Indexing(name string, o Options) string {
	return fmt.Sprintf("indexing of %s goes on in the background; searches answer from what is ready and say so\nnext: %s\n", Name(name), o.call("status", arg{"repo", name}))
}

type indexingJSON struct {
	RepoID   string `json:"repo_id"`
	Name     string `json:"name"`
	Root     string `json:"root"`
	Indexing bool   `json:"indexing"`
}

// IndexingJSON returns the JSON form of Indexing.
func IndexingJSON(id, name, root string) any { return indexingJSON{id, name, root, true} }

// RefHint says which ref would do instead of one that does not exist.
func RefHint(e *workspace.RefError) string {
	var names []string
	for _, n := range e.Nearest {
		names = append(names, Name(n))
	}
	switch {
	case e.Shallow && len(names) == 0:
		return "the clone is shallow: it holds its newest commit only"
	case e.Shallow:
		return "the clone is shallow and holds few commits; it has " + strings.Join(names, ", ")
	case len(names) > 0:
		return "did you mean " + strings.Join(names, " or ") + "?"
	}
	return "give the name of a branch or tag, or the id of a commit"
}

// Cancelled writes whether an indexing was ended.
func Cancelled(name string, ended bool, o Options) string {
	if !ended {
		return fmt.Sprintf("no indexing of %s is under way\n", Name(name))
	}
	return fmt.Sprintf("cancelled the indexing of %s; what is indexed stays, and the next question goes on with the rest\nnext: %s\n", Name(name), o.call("status", arg{"repo", name}))
}

type cancelledJSON struct {
	RepoID    string `json:"repo_id"`
	Name      string `json:"name"`
	Root      string `json:"root"`
	Cancelled bool   `json:"cancelled"`
}

// CancelledJSON returns the JSON form of Cancelled.
func CancelledJSON(id, name, root string, ended bool) any {
	return cancelledJSON{id, name, root, ended}
}

// Removed writes that a repository was forgotten and its index deleted.
func Removed(name, root string) string {
	if workspace.IsURL(root) {
		return fmt.Sprintf("removed %s: its index and what was received of %s\n", Name(name), Name(root))
	}
	return fmt.Sprintf("removed the index of %s; its files at %s are untouched\n", Name(name), Name(root))
}

type removedJSON struct {
	Removed string `json:"removed"`
	Root    string `json:"root"`
}

// RemovedJSON returns the JSON form of Removed.
func RemovedJSON(name, root string) any { return removedJSON{name, root} }

// Progress says in a few words how far an indexing has come.
func Progress(p progress.Report) string {
	switch p.Phase {
	case progress.Wait:
		return "waiting for " + holder(p) + ", which is writing the same index"
	case progress.Clone:
		return "receiving the repository: " + size(p.Bytes)
	case progress.Scan:
		return fmt.Sprintf("looking for files: %d found", max(p.Files, p.TotalFiles))
	case progress.Index:
		return fmt.Sprintf("indexing: %d of %d files", p.Files, p.TotalFiles)
	case progress.Syntax:
		return fmt.Sprintf("parsing: %d of %d files; searches see all of them", p.Files, p.TotalFiles)
	case progress.Compare:
		return fmt.Sprintf("comparing: %d of %d files", p.Files, p.TotalFiles)
	case progress.Commit:
		return fmt.Sprintf("writing the index of %d files", p.TotalFiles)
	}
	return fmt.Sprintf("indexed %d files", p.TotalFiles)
}

// holder names the process that an indexing waits for.
func holder(p progress.Report) string {
	if p.Holder == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d", p.Holder)
}

// ProgressOf returns how much of how much an indexing has done, for a client
// that draws a bar. The total is 0 while it is not known.
func ProgressOf(p progress.Report) (done, total float64) {
	if p.Phase == progress.Scan || p.Phase == progress.Clone {
		return 0, 0
	}
	return float64(p.Files), float64(p.TotalFiles)
}
