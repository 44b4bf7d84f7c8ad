package render

import (
	"fmt"
	"strings"

	"espy/internal/tasks"
	"espy/internal/tasks/codebase"
)

// TaskImport is what an import of tasks did.
type TaskImport struct {
	From   *codebase.Report
	DryRun bool
	Fates  map[tasks.Fate]int
	Marked []MarkedTask // those skipped, kept, shortened, in the order of the tables
}

// MarkedTask is a task that was not taken over as it is there.
type MarkedTask struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Skipped string   `json:"skipped,omitempty"` // why
	Kept    bool     `json:"kept,omitempty"`    // it was changed here since
	Lost    []string `json:"left_out,omitempty"`
}

// Maximal numbers of marked tasks that are listed.
const (
	maxMarkedText = 20
	maxMarkedJSON = 1000
)

func (a TaskImport) skipped() (n int) {
	for _, m := range a.Marked {
		if m.Skipped != "" {
			n++
		}
	}
	return n
}

// Text writes the totals, where the tasks came from, and what needs a look.
func (a TaskImport) Text(o Options) string {
	var b strings.Builder
	for _, s := range a.From.Sources {
		fmt.Fprintf(&b, "%s, schema %s: %s\n", clean(s.Database), clean(s.Schema), count(s.Tasks, "task"))
		if len(s.Absent) > 0 {
			fmt.Fprintf(&b, "  not there: %s\n", strings.Join(s.Absent, ", "))
		}
		if len(s.NoPlace) > 0 {
			names := make([]string, len(s.NoPlace))
			for i, c := range s.NoPlace {
				names[i] = fmt.Sprintf("%s (%s)", clean(c.Name), count(c.Rows, "row"))
			}
			fmt.Fprintf(&b, "  left out, a task has no field for it: %s\n", strings.Join(names, ", "))
		}
	}
	for _, m := range a.From.Missing {
		fmt.Fprintf(&b, "%s: not read: %s\n", clean(m.Database), clean(m.Reason))
	}
	for _, m := range a.Marked[:min(len(a.Marked), maxMarkedText)] {
		b.WriteString(m.line() + "\n")
	}
	text, _ := layout{
		head: func(int) string { return a.head() }, blocks: []string{b.String()}, foot: func(int) []string { return a.foot() },
	}.text(o)
	return text
}

func (a TaskImport) head() string {
	total, done := a.skipped(), "tasks of "
	for _, n := range a.Fates {
		total += n
	}
	if a.DryRun {
		done = "nothing is written: a dry run over tasks of "
	}
	head := fmt.Sprintf("%s%s: %d", done, clean(a.From.Server), total)
	for _, f := range []tasks.Fate{tasks.Created, tasks.Updated, tasks.Unchanged, tasks.Kept} {
		if n := a.Fates[f]; n > 0 {
			head += fmt.Sprintf(", %d %s", n, f)
		}
	}
	if n := a.skipped(); n > 0 {
		head += fmt.Sprintf(", %d skipped", n)
	}
	return head
}

func (m MarkedTask) line() string {
	line := m.ID + " " + short(clean(m.Title), 60)
	switch {
	case m.Skipped != "":
		return line + ": skipped, " + clean(m.Skipped)
	case m.Kept:
		return line + ": kept, it was changed here since"
	}
	return line + ": " + clean(strings.Join(m.Lost, "; "))
}

func (a TaskImport) foot() (foot []string) {
	if left := len(a.Marked) - maxMarkedText; left > 0 {
		foot = append(foot, fmt.Sprintf("left out: %s more; --json lists up to %d", count(left, "such task"), maxMarkedJSON))
	}
	if a.Fates[tasks.Kept] > 0 {
		foot = append(foot, "next: --overwrite replaces those that were kept")
	}
	if a.DryRun {
		return append(foot, "next: the same call without --dry-run")
	}
	return append(foot, "next: espy task list")
}

// JSON writes it for programs.
func (a TaskImport) JSON(o Options) []byte {
	listed := a.Marked[:min(len(a.Marked), maxMarkedJSON)]
	return page(o, len(listed), func(shown int) any {
		return struct {
			From      string             `json:"from"`
			DryRun    bool               `json:"dry_run"`
			Created   int                `json:"created"`
			Updated   int                `json:"updated"`
			Unchanged int                `json:"unchanged"`
			Kept      int                `json:"kept"`
			Skipped   int                `json:"skipped"`
			Sources   []codebase.Source  `json:"sources"`
			Missing   []codebase.Missing `json:"missing,omitempty"`
			Marked    int                `json:"marked_total"`
			List      []MarkedTask       `json:"marked"`
		}{
			a.From.Server, a.DryRun, a.Fates[tasks.Created], a.Fates[tasks.Updated], a.Fates[tasks.Unchanged], a.Fates[tasks.Kept], a.skipped(),
			a.From.Sources, a.From.Missing, len(a.Marked), append([]MarkedTask{}, listed[:shown]...),
		}
	})
}
