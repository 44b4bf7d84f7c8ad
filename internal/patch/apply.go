package patch

import (
	"bytes"
	"context"
	"slices"
)

// Reversed is the difference from the newer version to the older.
func (f *File) Reversed() *File {
	r := &File{Old: f.New, New: f.Old, Binary: f.Binary}
	for _, run := range f.Runs {
		back := Run{Old: run.New, New: run.Old, Lines: slices.Clone(run.Lines)}
		for i, l := range back.Lines {
			switch l.Mark {
			case '-':
				back.Lines[i].Mark = '+'
			case '+':
				back.Lines[i].Mark = '-'
			}
		}
		r.Runs = append(r.Runs, back)
	}
	return r
}

// Text is one that differences are applied to.
type Text struct {
	all    []byte
	starts []int // of its lines, and its end
}

// NewText returns a text, which must not change.
func NewText(all []byte) *Text {
	t := &Text{all: all, starts: make([]int, 1, 2+bytes.Count(all, []byte{'\n'}))}
	for at := 0; at < len(all); {
		if i := bytes.IndexByte(all[at:], '\n'); i >= 0 {
			at += i + 1
		} else {
			at = len(all)
		}
		t.starts = append(t.starts, at)
	}
	return t
}

// holds reports whether some lines stand in a text from line at on. Spacing at the ends of
// lines may differ.
func (t *Text) holds(at int, lines [][]byte) bool {
	for i, l := range lines {
		if !bytes.Equal(withoutEnd(t.all[t.starts[at+i]:t.starts[at+i+1]]), l) {
			return false
		}
	}
	return true
}

func withoutEnd(line []byte) []byte { return bytes.TrimRight(line, " \t\r\n") }

// find returns where some lines stand in a text, from line least on: at best at a
// given line, else the nearest one; -1 for nowhere, and when ctx ends.
func (t *Text) find(ctx context.Context, lines [][]byte, least, best int) int {
	last := len(t.starts) - 1 - len(lines)
	best = min(max(best, least), max(last, least))
	for away := 0; best-away >= least || best+away <= last; away++ {
		if away%1024 == 1023 && ctx.Err() != nil {
			break
		}
		for _, at := range []int{best + away, best - away} {
			if at >= least && at <= last && t.holds(at, lines) {
				return at
			}
		}
	}
	return -1
}

// Fit says where the older lines of a difference stand in a text.
type Fit struct {
	Failed int // runs that stand nowhere

	file *File
	text *Text
	at   []int // lines, by run; -1 for nowhere
}

// Fit finds the older version of a file in a text. A run whose older lines do not stand
// where it says is looked for further down and up. The error is that of ctx.
func (f *File) Fit(ctx context.Context, t *Text) (Fit, error) {
	fit := Fit{file: f, text: t}
	least, shift := 0, 0 // where the run before ended, and how far from its place it stood
	for i := range f.Runs {
		if ctx.Err() != nil {
			break
		}
		r := &f.Runs[i]
		older := r.side('-')
		at := t.find(ctx, older, least, r.Old-1+shift)
		if at < 0 {
			fit.Failed++
		} else {
			shift, least = at-(r.Old-1), at+len(older)
		}
		fit.at = append(fit.at, at)
	}
	return fit, ctx.Err()
}

// Newer makes the newer version of the file. Runs that stand nowhere are left out.
func (fit *Fit) Newer() []byte {
	t, size := fit.text, 0
	for i := range fit.file.Runs {
		for _, l := range fit.file.Runs[i].Lines {
			size += len(l.Text) + 1
		}
	}
	newer := make([]byte, 0, len(t.all)+size)
	done := 0 // lines of the text that are written or left out
	for i, at := range fit.at {
		if at < 0 {
			continue
		}
		newer, done = append(newer, t.all[t.starts[done]:t.starts[at]]...), at
		for _, l := range fit.file.Runs[i].Lines {
			switch l.Mark {
			case ' ': // as it stands: spacing at its end may differ
				newer = append(newer, t.all[t.starts[done]:t.starts[done+1]]...)
				done++
			case '-':
				done++
			case '+':
				newer = append(append(newer, l.Text...), '\n')
			}
		}
	}
	return append(newer, t.all[t.starts[done]:]...)
}

// side are the lines of a run that are of one version, without the spacing at their ends.
func (r *Run) side(mark byte) (all [][]byte) {
	for _, l := range r.Lines {
		if l.Mark == ' ' || l.Mark == mark {
			all = append(all, withoutEnd([]byte(l.Text)))
		}
	}
	return all
}
