package render

import (
	"fmt"
	"strings"

	"espy/internal/code"
	"espy/internal/place"
)

// state names a repository, its checkout, and the state that an answer describes:
// "espy main@abc1234 (2 dirty), generation 12, fresh".
func state(repo string, f code.Freshness) string {
	if at := checkedOutOf(f); at != "" {
		return place.Name(repo) + " " + at + generation(f)
	}
	return place.Name(repo) + ", " + generation(f)
}

// checkedOutOf is "main@abc1234 (2 dirty), ", or "" outside git.
func checkedOutOf(f code.Freshness) string {
	at, words := checkedOut(f)
	if len(words) > 0 {
		at += " (" + strings.Join(words, ", ") + ")"
	}
	if at != "" {
		at += ", "
	}
	return at
}

// brief is state for a list of repositories: all but the names is in parentheses.
func brief(repo string, f code.Freshness) string {
	at, words := checkedOut(f)
	if at != "" {
		at = " " + at
	}
	return fmt.Sprintf("%s%s (%s)", place.Name(repo), at, strings.Join(append(words, generation(f)), ", "))
}

// checkedOut names the branch and commit that are checked out, and describes them
// in words. Outside git it returns nothing.
func checkedOut(f code.Freshness) (at string, words []string) {
	switch {
	case f.Head == "" && f.Branch == "":
		return "", nil
	case f.Head == "":
		return place.Name(f.Branch), []string{"no commit found"}
	case f.Branch == "":
		at = fmt.Sprintf("HEAD@%.7s", f.Head)
	default:
		at = fmt.Sprintf("%s@%.7s", place.Name(f.Branch), f.Head)
	}
	if f.Commit != f.Head && f.Commit != "" {
		words = append(words, fmt.Sprintf("indexed %.7s", f.Commit))
	}
	switch {
	case f.DirtyUnknown != "":
		words = append(words, "dirty unknown") // status says why
	case f.DirtyAbout:
		words = append(words, fmt.Sprintf("about %d dirty", *f.Dirty))
	case f.Dirty != nil && *f.Dirty > 0:
		words = append(words, fmt.Sprintf("%d dirty", *f.Dirty))
	}
	return at, words
}

// generation names the generation and says how fresh it is.
func generation(f code.Freshness) string {
	switch {
	case f.Generation == 0 && !f.Partial && f.Ref != "":
		return freshness(f) // of git, which needs no index
	case f.Generation == 0 && !f.Partial:
		return "not indexed"
	}
	return fmt.Sprintf("generation %d, %s", f.Generation, freshness(f))
}

// freshness describes in a few words the state that an answer is from.
func freshness(f code.Freshness) string {
	var words []string
	if f.Ref != "" {
		words = append(words, atCommit(f))
	}
	if f.Fetched != "" {
		words = append(words, "fetched "+f.Fetched)
	}
	if f.Indexed != "" {
		words = append(words, "indexed "+f.Indexed)
	}
	if f.Behind != "" {
		words = append(words, "may be behind since "+f.Behind+": the database cannot be reached")
	}
	if f.Partial {
		words = append(words, fmt.Sprintf("partial: %d of %d files", f.IndexedFiles, f.TotalFiles))
	}
	if f.PendingFiles > 0 {
		words = append(words, "pending: "+count(f.PendingFiles, "file"))
	}
	if f.SyntaxPending > 0 {
		words = append(words, "syntax pending: "+count(f.SyntaxPending, "file"))
	}
	if f.Unchecked {
		words = append(words, "not checked for changes")
	}
	if len(words) == 0 {
		words = append(words, "fresh")
	}
	if f.Compared != "" {
		words = append(words, "compared with the files of "+strings.TrimPrefix(f.Compared, "/")+" alone")
	}
	if f.Rebuilt != "" {
		words = append(words, "index rebuilt: "+f.Rebuilt)
	}
	return strings.Join(words, ", ")
}

// atCommit names the commit that an answer is from.
func atCommit(f code.Freshness) string {
	text := fmt.Sprintf("commit %.12s", f.Commit)
	if f.Committed != "" {
		text += " of " + f.Committed
	}
	return text
}

// freshnessJSON is the JSON form of code.Freshness, which explains the fields.
type freshnessJSON struct {
	Generation   uint64 `json:"generation"`
	Commit       string `json:"commit,omitempty"`
	Ref          string `json:"ref,omitempty"`
	Committed    string `json:"committed,omitempty"`
	Fetched      string `json:"fetched,omitempty"`
	Indexed      string `json:"indexed,omitempty"`
	Behind       string `json:"behind,omitempty"`
	Head         string `json:"head,omitempty"`
	Branch       string `json:"branch,omitempty"`
	Dirty        *int   `json:"dirty,omitempty"`
	DirtyAbout   bool   `json:"dirty_about,omitempty"`
	DirtyUnknown string `json:"dirty_unknown,omitempty"`
	PendingFiles int    `json:"pending_files"`
	Partial      bool   `json:"partial,omitempty"`
	IndexedFiles int    `json:"indexed_files,omitempty"`
	TotalFiles   int    `json:"total_files,omitempty"`
	Compared     string `json:"compared,omitempty"`
	Unchecked    bool   `json:"unchecked,omitempty"`
	Rebuilt      string `json:"rebuilt,omitempty"`

	SyntaxPending int `json:"syntax_pending,omitempty"`
}
