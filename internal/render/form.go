package render

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/files"
	"espy/internal/hit"
	"espy/internal/place"
)

// Form is how a list is written for another program. The zero value is for people and
// agents.
type Form struct {
	Kind FormKind
	Null bool // a path ends in a NUL byte, with the bytes that it has
}

// FormKind is what a line of a list is.
type FormKind string

// The kinds.
const (
	Places FormKind = "places" // PATH:LINE:COLUMN:TEXT
	Paths  FormKind = "paths"  // PATH
	Counts FormKind = "counts" // PATH:NUMBER
	Lines  FormKind = "lines"  // a JSON object
)

// Formed is an answer that can be written for other programs.
type Formed interface {
	Answer
	As(form Form, o Options) string
}

// As writes a line for each hit, each file or each match. What stands round them goes
// to o.Aside.
func (a Search) As(form Form, o Options) string {
	res := a.Result
	if len(res.Hits) == 0 {
		return a.Text(o)
	}
	if form.Kind != Places || res.Partial || lacking(res.Repos) {
		o.Aside.WriteString(searchHead(res, len(res.Hits)) + "\n")
	}
	for _, line := range slices.DeleteFunc(searchFoot(res, o, len(res.Hits)), isNext) {
		o.Aside.WriteString(line + "\n")
	}
	switch form.Kind {
	case Lines:
		return a.jsonLines()
	case Places:
		return a.places(o)
	}
	return a.perFile(form, o)
}

// lacking reports whether an answer may be behind the files of a repository. Where it is
// not, no header is written beside places: editors take what stands on standard error
// for one.
func lacking(repos []hit.Searched) bool {
	return slices.ContainsFunc(repos, func(r hit.Searched) bool {
		f := &r.Freshness
		return f.Partial || f.Unchecked || f.PendingFiles+f.SyntaxPending > 0 || f.Behind != "" || f.Rebuilt != ""
	})
}

func isNext(line string) bool { return strings.HasPrefix(line, "next: ") }

// perFile writes the path of each file, with the number of its matching lines where
// that is wanted.
func (a Search) perFile(form Form, o Options) string {
	var b strings.Builder
	hits := a.Hits
	for len(hits) > 0 {
		n := 1
		for n < len(hits) && sameFile(&hits[0], &hits[n]) {
			n++
		}
		path := a.in(&hits[0]) + form.path(o, hits[0].Path)
		switch {
		case form.Kind == Counts && form.Null:
			fmt.Fprintf(&b, "%s%d\n", path, n)
		case form.Kind == Counts:
			fmt.Fprintf(&b, "%s:%d\n", path, n)
		default:
			b.WriteString(path + form.after())
		}
		hits = hits[n:]
	}
	return b.String()
}

// in names the repository of a hit where several were searched.
func (a Search) in(h *hit.Hit) string {
	if len(a.Repos) < 2 {
		return ""
	}
	return place.Name(h.Repo) + ":"
}

// path writes a path as another program reads it back.
func (f Form) path(o Options, path string) string {
	if f.Null {
		return o.Here.Show(path) + "\x00"
	}
	return o.name(path)
}

// after is what follows a path that stands alone.
func (f Form) after() string {
	if f.Null {
		return ""
	}
	return "\n"
}

// jsonLines writes a line for each hit.
func (a Search) jsonLines() string {
	var b strings.Builder
	for i := range a.Hits {
		b.Write(JSON(newHitJSON(&a.Hits[i], a.Mode.FindsLines())))
	}
	return b.String()
}

// places writes a line for each match, that in which it begins; for a ranked file, the first line that tells.
func (a Search) places(o Options) string {
	var b strings.Builder
	line := func(h *hit.Hit, number, column int, text []byte) {
		fmt.Fprintf(&b, "%s%s:%d:%d:%s\n", a.in(h), o.name(h.Path), number, column, appendClean(nil, text))
	}
	for i := range a.Hits {
		h := &a.Hits[i]
		if !a.Mode.FindsLines() {
			number, text := h.StartLine, []byte(h.Symbol)
			if len(h.Lines) > 0 {
				number, text = h.Lines[0].Number, h.Lines[0].Text
			}
			line(h, number, 1, text)
			continue
		}
		for _, l := range h.Lines {
			if l.Number != h.StartLine { // a match of several lines is told by its first
				continue
			}
			for _, m := range l.Matches {
				line(h, l.Number, m[0]+1, l.Text)
			}
		}
	}
	return b.String()
}

// As writes a line for each file. What stands round them goes to o.Aside.
func (a Files) As(form Form, o Options) string {
	list := a.List
	o.Aside.WriteString(filesHead(list, len(list.Entries)) + "\n")
	foot := filesFoot(list, o, len(list.Entries))
	if list.Total > 0 {
		foot = slices.DeleteFunc(foot, isNext)
	}
	for _, line := range foot {
		o.Aside.WriteString(line + "\n")
	}
	var b strings.Builder
	for i := range list.Entries {
		e := &list.Entries[i]
		switch {
		case form.Kind == Lines:
			b.Write(JSON(newFileJSON(e)))
		default:
			b.WriteString(a.in(e) + form.path(o, e.Path) + form.after())
		}
	}
	return b.String()
}

// in names the repository of an entry where several were asked.
func (a Files) in(e *files.Entry) string {
	if len(a.Repos) < 2 {
		return ""
	}
	return place.Name(e.Repo) + ":"
}
