package render

import (
	"fmt"
	"strings"

	"espy/internal/place"
	"espy/internal/progress"
	"espy/internal/workspace"
	"espy/internal/workspace/coverage"
)

// Index is the report of a finished indexing.
type Index struct{ *workspace.IndexReport }

// Text writes how much was indexed and how much was left out.
func (r Index) Text(o Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "indexed %s: %s, %s, %s in %.1f s, %sgeneration %d", place.Name(r.Name), count(r.Files, "file"), count(r.Chunks, "chunk"), size(r.Bytes), r.Duration.Seconds(), checkedOutOf(r.Freshness), r.Generation)
	if r.URL != "" {
		fmt.Fprintf(&b, ", %s of %s", atCommit(r.Freshness), place.Name(r.URL))
	}
	b.WriteByte('\n')
	b.WriteString(syntaxLine(r.Syntax, o.call("files", arg{"unparsed", true}, arg{"repo", r.Name})))
	for _, v := range r.Vectors {
		b.WriteString(vectorLine(v))
	}
	if r.Skipped > 0 {
		fmt.Fprintf(&b, "left out: %s; see %s\n", count(r.Skipped, "file"), o.call("files", arg{"excluded", true}, arg{"repo", r.Name}))
	}
	for _, n := range notes(r.Notices) {
		b.WriteString(n + "\n")
	}
	b.WriteString("next: " + o.call("files", arg{"repo", r.Name}) + "\n")
	return b.String()
}

// Watched reports a generation of a watched repository.
type Watched struct{ *workspace.IndexReport }

// Text writes one line.
func (r Watched) Text(Options) string {
	return fmt.Sprintf("%s generation %d: %s, %s, %s\n", place.Name(r.Name), r.Generation, count(r.Files, "file"), count(r.Chunks, "chunk"), size(r.Bytes))
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

	Freshness freshnessJSON `json:"freshness"`

	Syntax  syntaxJSON    `json:"syntax"`
	Vectors []vectorsJSON `json:"vectors,omitempty"`

	Notes []string `json:"notes,omitempty"`
}

// JSON writes the report as Index does.
func (r Watched) JSON(o Options) []byte { return Index(r).JSON(o) }

// JSON writes the whole report.
func (r Index) JSON(Options) []byte {
	return JSON(indexJSON{
		RepoID: string(r.RepoID), Name: r.Name, Root: r.Root, URL: r.URL, Commit: r.Freshness.Commit, Files: r.Files, Chunks: r.Chunks, Analysed: r.Analysed, Parsed: r.Parsed, Skipped: r.Skipped, Bytes: r.Bytes,
		DurationMS: r.Duration.Milliseconds(), Generation: r.Generation, Freshness: freshnessJSON(r.Freshness), Syntax: syntaxJSON(r.Syntax), Vectors: newVectorsJSON(r.Vectors), Notes: r.Notices,
	})
}

// syntaxLine counts the parsed files; it is "" if no file is in a language with a
// grammar. The call lists the files that failed.
func syntaxLine(s coverage.OfSyntax, call string) string {
	if s.Parsed+s.Failed+s.Pending == 0 {
		return ""
	}
	line := "symbols of " + count(s.Parsed, "file")
	if s.Failed > 0 {
		line += fmt.Sprintf("; %d cannot be parsed, see %s", s.Failed, call)
	}
	if s.Pending > 0 {
		if s.Why != "" {
			line += fmt.Sprintf("; %s not parsed: %s", count(s.Pending, "file"), short(s.Why, 200))
		} else {
			line += fmt.Sprintf("; %d are not parsed yet", s.Pending)
		}
	}
	return line + "\n"
}

// syntaxJSON counts the files by the state of their syntax.
type syntaxJSON struct {
	Parsed  int    `json:"parsed"`
	Failed  int    `json:"failed,omitempty"`
	Pending int    `json:"pending,omitempty"`
	Bytes   int64  `json:"bytes,omitempty"` // on disk
	Why     string `json:"why,omitempty"`   // why some files stay pending
}

// vectorLine counts the files that a model was asked about.
func vectorLine(v coverage.OfVectors) string {
	line := "vectors of " + count(v.Embedded, "file") + " by " + place.Name(v.Model)
	if v.Remote {
		line += " at " + place.Name(v.Host)
	}
	if v.Pending > 0 {
		line += fmt.Sprintf("; %d are not embedded yet", v.Pending)
		switch {
		case v.Why != "":
			line += ": " + short(v.Why, 200)
		case v.Remote && v.Team:
			line += ": espy worker sends them"
		case v.Remote:
			line += ": espy mcp and espy watch send them"
		}
	}
	if v.Away > 0 {
		line += "; " + size(v.Away) + " of them stay in the team's database"
	}
	if v.Failure != "" && !strings.Contains(v.Why, v.Failure) {
		line += "; it did not answer last: " + short(v.Failure, 200)
	}
	return line + "\n"
}

// vectorsJSON counts the files that a model was asked about.
type vectorsJSON struct {
	Model    string `json:"model"`
	Remote   bool   `json:"remote,omitempty"` // it is on another machine
	Team     bool   `json:"-"`
	Embedded int    `json:"embedded"`
	Chunks   int    `json:"-"`
	Pending  int    `json:"pending,omitempty"`
	Bytes    int64  `json:"bytes,omitempty"` // on disk
	Away     int64  `json:"bytes_in_database,omitempty"`
	Why      string `json:"why,omitempty"` // why some files stay pending
	Host     string `json:"host,omitempty"`
	Failure  string `json:"failure,omitempty"` // why the last request to the host failed
}

func newVectorsJSON(all []coverage.OfVectors) (out []vectorsJSON) {
	for _, v := range all {
		out = append(out, vectorsJSON(v))
	}
	return out
}

// Indexing says that the indexing of a repository continues in the background.
type Indexing struct{ ID, Name, Root string }

// Text names the call that shows its progress.
func (r Indexing) Text(o Options) string {
	return fmt.Sprintf("indexing of %s continues in the background; searches use the files that are ready, and say so\nnext: %s\n", place.Name(r.Name), o.call("status", arg{"repo", r.Name}))
}

type indexingJSON struct {
	RepoID   string `json:"repo_id"`
	Name     string `json:"name"`
	Root     string `json:"root"`
	Indexing bool   `json:"indexing"`
}

// JSON has a flag for it.
func (r Indexing) JSON(Options) []byte { return JSON(indexingJSON{r.ID, r.Name, r.Root, true}) }

// Cancelled says whether the indexing of a repository was cancelled.
type Cancelled struct {
	ID, Name, Root string
	Ended          bool // false if none was in progress
}

// Text says what happens to the files that are not indexed yet.
func (r Cancelled) Text(o Options) string {
	if !r.Ended {
		return fmt.Sprintf("no indexing of %s is in progress\n", place.Name(r.Name))
	}
	return fmt.Sprintf("cancelled the indexing of %s; the files indexed so far stay, and the next question resumes it\nnext: %s\n", place.Name(r.Name), o.call("status", arg{"repo", r.Name}))
}

type cancelledJSON struct {
	RepoID    string `json:"repo_id"`
	Name      string `json:"name"`
	Root      string `json:"root"`
	Cancelled bool   `json:"cancelled"`
}

// JSON has a flag for it.
func (r Cancelled) JSON(Options) []byte {
	return JSON(cancelledJSON{r.ID, r.Name, r.Root, r.Ended})
}

// Removed says that a repository is no longer attached.
type Removed struct {
	ID, Name, Root string
	URL            string // of a remote repository
}

// Text writes what was deleted.
func (r Removed) Text(Options) string {
	if r.URL != "" {
		return fmt.Sprintf("removed %s: its index and its clone of %s\n", place.Name(r.Name), place.Name(r.URL))
	}
	return fmt.Sprintf("removed the index of %s; its files at %s are untouched\n", place.Name(r.Name), place.Name(r.Root))
}

type removedJSON struct {
	Removed string `json:"removed"`
	RepoID  string `json:"repo_id"`
	Name    string `json:"name"`
	Root    string `json:"root"`
	URL     string `json:"url,omitempty"`
}

// JSON identifies the repository.
func (r Removed) JSON(Options) []byte {
	return JSON(removedJSON{Removed: r.Name, RepoID: r.ID, Name: r.Name, Root: r.Root, URL: r.URL})
}

// Progress describes the progress of an indexing in a few words.
func Progress(p progress.Report) string {
	switch p.Phase {
	case progress.Wait:
		return "waiting for " + holder(p) + ", which is writing the same index"
	case progress.Clone:
		return "cloning the repository: " + size(p.Bytes)
	case progress.Scan:
		return fmt.Sprintf("looking for files: %d found", max(p.Files, p.TotalFiles))
	case progress.Index:
		return fmt.Sprintf("indexing: %d of %d files", p.Files, p.TotalFiles)
	case progress.Syntax:
		return fmt.Sprintf("parsing: %d of %d files; searches see all of them", p.Files, p.TotalFiles)
	case progress.Vectors:
		return fmt.Sprintf("embedding: %d of %d files; searches by words see all of them", p.Files, p.TotalFiles)
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

// ProgressOf returns the amount of work done and the total, for a progress bar.
// The total is 0 while it is not known.
func ProgressOf(p progress.Report) (done, total float64) {
	if p.Phase == progress.Scan || p.Phase == progress.Clone {
		return 0, 0
	}
	return float64(p.Files), float64(p.TotalFiles)
}
