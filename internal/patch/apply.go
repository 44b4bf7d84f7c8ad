package patch

import (
	"slices"
	"strings"
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

// Apply makes the newer version of a file out of the older one. A run whose older
// lines do not stand where it says is looked for further down and up; failed
// counts the runs that stand nowhere, which are left out.
func (f *File) Apply(text string) (newer string, failed int) {
	lines := slices.Collect(strings.Lines(text))
	bare := withoutEnds(lines)
	var out []string
	at, shift := 0, 0 // what is written of lines, and where the run before stood
	for i := range f.Runs {
		r := &f.Runs[i]
		found := find(bare, withoutEnds(r.side('-')), at, r.Old-1+shift)
		if found < 0 {
			failed++
			continue
		}
		shift = found - (r.Old - 1)
		out = append(out, lines[at:found]...)
		at = found
		for _, l := range r.Lines {
			switch l.Mark {
			case ' ': // as it stands: spacing at its end may differ
				out = append(out, lines[at])
				at++
			case '-':
				at++
			case '+':
				out = append(out, l.Text+"\n")
			}
		}
	}
	return strings.Join(append(out, lines[at:]...), ""), failed
}

// side are the lines of a run that are of one version.
func (r *Run) side(mark byte) (all []string) {
	for _, l := range r.Lines {
		if l.Mark == ' ' || l.Mark == mark {
			all = append(all, l.Text)
		}
	}
	return all
}

// find returns where some lines stand in a text, from line least on: at best at a
// given line, else the nearest one; -1 for nowhere.
func find(text, lines []string, least, best int) int {
	last := len(text) - len(lines)
	best = min(max(best, least), max(last, least))
	for away := 0; best-away >= least || best+away <= last; away++ {
		for _, at := range []int{best + away, best - away} {
			if at >= least && at <= last && slices.Equal(text[at:at+len(lines)], lines) {
				return at
			}
		}
	}
	return -1
}

// withoutEnds are lines without the spacing at their ends, in which two that are alike
// may differ.
func withoutEnds(lines []string) []string {
	bare := make([]string, len(lines))
	for i, l := range lines {
		bare[i] = strings.TrimRight(l, " \t\r\n")
	}
	return bare
}
