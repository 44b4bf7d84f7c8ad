package bundle

import (
	"bytes"
	"context"

	"espy/internal/bundle/pack"
	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/lang"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/search"
	"espy/internal/seen"
	"espy/internal/segment"
	"espy/internal/store"
)

// gatherer collects what one question needs from one state of a repository, or of
// several.
type gatherer struct {
	ctx      context.Context // of the question: it lives no longer
	snaps    []*store.Snapshot
	names    []string // of the repositories, which paths begin with; nil for one alone
	index    *nav.Index
	means    search.Means
	request  *Request
	question *question
	files    *filter.FileFilter

	answer  *Answer
	pieces  []pack.Piece
	byBlock map[string]int // pieces by the path and lines of their block
}

// seed is a declaration that the question is about.
type seed struct {
	block  locate.Block
	weight float64 // how surely, to 1
	reason string
}

// late reports whether the time is nearly over.
func (g *gatherer) late() bool { return g.ctx.Err() != nil }

// allows reports whether the filters of the request let a file through.
func (g *gatherer) allows(path string, class code.Class) bool {
	_, path = g.in(path)
	language := ""
	if l := lang.Detect(path, nil); l != nil {
		language = l.Name
	}
	return g.files.Allows(path, language) && filter.InScope(g.request.Scope, class, language)
}

// lines returns the lines of a file, nil where the index does not hold it.
func (g *gatherer) lines(path string) ([]string, error) {
	if f, ok := g.answer.texts[path]; ok {
		return f.lines, nil
	}
	s, rest := g.in(path)
	if s == nil {
		return nil, nil
	}
	seg, file, ok := s.Find(rest)
	if !ok {
		return nil, nil
	}
	text, err := s.Segments[seg].Text(file, &segment.TextCache{})
	if err != nil {
		return nil, err
	}
	f := &fileText{text: bytes.Clone(text)}
	f.lines = seen.Split(f.text)
	g.answer.texts[path] = f
	return f.lines, nil
}
