package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"espy/internal/changes"
	"espy/internal/git"
	"espy/internal/workspace"
)

// checkout names the state of the repository, and the commit of the history if
// it is not the one that is checked out.
func checkout(c workspace.Checkout) string {
	text := "repo " + state(c.Repo, c.Freshness)
	if f := c.Freshness; c.Commit == f.Head || f.Head == "" && c.Commit == f.Commit {
		return text
	}
	return fmt.Sprintf("at %.8s, ", c.Commit) + text
}

const shallowNote = "note: the clone is shallow: it has no older commits"

const editedNote = "note: the file has been edited since; line numbers are those of the commit"

// commitLine writes a commit: id, day, author, subject.
func commitLine(c *git.Commit) string {
	return fmt.Sprintf("%.8s %s %s: %s", c.ID, c.Time.Format(time.DateOnly), short(c.Author, 40), short(c.Subject, 120))
}

// blameRun is a run of lines of one commit.
type blameRun struct {
	First  int    `json:"start_line"`
	Last   int    `json:"end_line"`
	Commit string `json:"commit"`
}

func blameRuns(lines []git.Line) []blameRun {
	var runs []blameRun
	for _, l := range lines {
		if n := len(runs); n > 0 && runs[n-1].Commit == l.Commit && runs[n-1].Last+1 == l.Number {
			runs[n-1].Last = l.Number
		} else {
			runs = append(runs, blameRun{l.Number, l.Number, l.Commit})
		}
	}
	return runs
}

// Blame names the commit that each line of a file comes from.
type Blame struct{ *changes.Blame }

// Text writes the runs of lines with the commit of each.
func (a Blame) Text(o Options) string {
	a = a.redacted(o)
	b := a.Blame
	runs := blameRuns(b.Lines)
	blocks := make([]string, len(runs))
	told := map[string]bool{}
	for i, r := range runs {
		c := b.Commits[r.Commit]
		text := commitLine(&c)
		if told[c.ID] {
			text = fmt.Sprintf("%.8s", c.ID)
		}
		told[c.ID] = true
		blocks[i] = fmt.Sprintf("%s %s\n", o.color(span(r.First, r.Last), colorNumber), text)
	}
	text, _ := layout{
		head: func(int) string {
			return fmt.Sprintf("%s, %s from %s, %s", o.name(cmp.Or(b.Symbol, b.Path)), count(len(b.Lines), "line"), count(len(b.Commits), "commit"), checkout(b.Checkout))
		},
		blocks: blocks,
		foot: func(shown int) []string {
			foot := gitNotes(b.Edited, b.Checkout)
			if shown < len(runs) {
				foot = append(foot, fmt.Sprintf("left out: line %d and later; ask for those lines", runs[shown].First))
			}
			if len(runs) == 0 {
				return foot
			}
			place := fmt.Sprintf("%s:%d-%d", o.name(b.Path), runs[0].First, runs[0].Last)
			return append(foot, "next: "+o.call("history", arg{"path", cmp.Or(b.Symbol, place)}))
		},
	}.text(o)
	return text
}

func gitNotes(edited bool, c workspace.Checkout) (list []string) {
	if edited {
		list = append(list, editedNote)
	}
	if c.Shallow {
		list = append(list, shallowNote)
	}
	return list
}

// History is a list of commits.
type History struct{ *changes.History }

// Text writes the commits, the newest first.
func (a History) Text(o Options) string {
	a = a.redacted(o)
	h := a.History
	blocks := make([]string, len(h.Commits))
	for i := range h.Commits {
		blocks[i] = commitLine(&h.Commits[i]) + "\n"
	}
	what := o.folder(h.Path)
	if h.First > 0 {
		what += ":" + span(h.First, h.Last)
	}
	if h.Symbol != "" {
		what = fmt.Sprintf("%s, lines %s", o.name(h.Symbol), span(h.First, h.Last))
	}
	text, _ := layout{
		head: func(shown int) string {
			return fmt.Sprintf("%s of %s, %s", count(shown, "commit"), what, checkout(h.Checkout))
		},
		blocks: blocks,
		foot: func(shown int) []string {
			foot := gitNotes(h.Edited, h.Checkout)
			if h.Partial {
				foot = append(foot, "partial: the time was over before git had looked at every commit; ask for a file, fewer commits, or since a day")
			}
			if h.More || shown < len(blocks) {
				foot = append(foot, "left out: older commits; ask with a larger limit")
			}
			if len(h.Churn) > 0 {
				foot = append(foot, o.churnLine(h))
			}
			if h.File && h.First == 0 && shown > 0 {
				foot = append(foot, "next: "+o.call("blame", arg{"path", o.wholeFile(h.Path)}))
			}
			return foot
		},
	}.text(o)
	return text
}

// churnLine names the files that were changed most often.
func (o Options) churnLine(h *changes.History) string {
	var files []string
	for _, c := range h.Churn {
		files = append(files, fmt.Sprintf("%s %d (%s)", o.name(c.Path), c.Commits, c.Last.Time.Format(time.DateOnly)))
	}
	return fmt.Sprintf("changed most often in %s (times, last day): %s", count(h.ChurnCommits, "commit"), strings.Join(files, ", "))
}

type commitJSON struct {
	ID      string `json:"id"`
	Author  string `json:"author"`
	Email   string `json:"email"`
	Time    string `json:"time"` // RFC 3339, UTC
	Subject string `json:"subject"`
	Body    string `json:"body,omitempty"`
}

func newCommitJSON(c *git.Commit) commitJSON {
	return commitJSON{ID: c.ID, Author: c.Author, Email: c.Email, Time: c.Time.Format(time.RFC3339), Subject: c.Subject, Body: c.Body}
}

type checkoutJSON struct {
	Repo    string `json:"repo"`
	Commit  string `json:"commit"`
	Branch  string `json:"branch,omitempty"`
	Path    string `json:"path"`
	Symbol  string `json:"symbol,omitempty"`
	Edited  bool   `json:"edited,omitempty"`
	Shallow bool   `json:"shallow,omitempty"` // it has no older commits

	Freshness freshnessJSON `json:"freshness"`
}

type blameJSON struct {
	checkoutJSON
	Lines   []blameRun   `json:"lines"`
	Commits []commitJSON `json:"commits"` // of Lines, in order of first occurrence
}

// JSON writes the runs of lines within the bound of o.
func (a Blame) JSON(o Options) []byte {
	a = a.redacted(o)
	b := a.Blame
	runs := blameRuns(b.Lines)
	return page(o, len(runs), func(shown int) any {
		v := blameJSON{checkoutJSON: checkoutJSON{b.Repo, b.Commit, b.Branch, b.Path, b.Symbol, b.Edited, b.Shallow, freshnessJSON(b.Freshness)}, Lines: append([]blameRun{}, runs[:shown]...), Commits: []commitJSON{}}
		seen := map[string]bool{}
		for _, r := range v.Lines {
			if c := b.Commits[r.Commit]; !seen[r.Commit] {
				seen[r.Commit] = true
				v.Commits = append(v.Commits, newCommitJSON(&c))
			}
		}
		return v
	})
}

type historyJSON struct {
	checkoutJSON
	StartLine int          `json:"start_line,omitempty"`
	EndLine   int          `json:"end_line,omitempty"`
	Commits   []commitJSON `json:"commits"`
	More      bool         `json:"more,omitempty"`
	Partial   bool         `json:"partial,omitempty"` // the time was over

	Churn   []churnJSON `json:"most_changed,omitempty"`
	Counted int         `json:"counted_commits,omitempty"` // counted by most_changed
}

type churnJSON struct {
	Path       string `json:"path"`
	PathQuoted string `json:"path_quoted,omitempty"`
	Commits    int    `json:"commits"`
	Last       string `json:"last_commit"`
	Time       string `json:"last_time"`
}

// JSON writes the commits within the bound of o.
func (a History) JSON(o Options) []byte {
	a = a.redacted(o)
	h := a.History
	v := historyJSON{checkoutJSON: checkoutJSON{h.Repo, h.Commit, h.Branch, h.Path, h.Symbol, h.Edited, h.Shallow, freshnessJSON(h.Freshness)}, StartLine: h.First, EndLine: h.Last, Partial: h.Partial}
	for _, c := range h.Churn {
		v.Churn = append(v.Churn, churnJSON{c.Path, quotedIfBroken(c.Path), c.Commits, c.Last.ID, c.Last.Time.Format(time.RFC3339)})
		v.Counted = h.ChurnCommits
	}
	commits := make([]commitJSON, len(h.Commits))
	for i := range h.Commits {
		commits[i] = newCommitJSON(&h.Commits[i])
	}
	return page(o, len(commits), func(shown int) any {
		v.Commits, v.More = commits[:shown], h.More || shown < len(commits)
		return v
	})
}

func (o Options) commit(c git.Commit) git.Commit {
	c.Subject, c.Body = o.hidden("", c.Subject), o.hidden("", c.Body)
	return c
}

func (a History) redacted(o Options) History {
	if o.ShowSecrets {
		return a
	}
	found := *a.History
	found.Commits = slices.Clone(found.Commits)
	for i, c := range found.Commits {
		found.Commits[i] = o.commit(c)
	}
	return History{&found}
}

func (a Blame) redacted(o Options) Blame {
	if o.ShowSecrets {
		return a
	}
	found := *a.Blame
	found.Commits = maps.Clone(found.Commits)
	for id, c := range found.Commits {
		found.Commits[id] = o.commit(c)
	}
	return Blame{&found}
}
