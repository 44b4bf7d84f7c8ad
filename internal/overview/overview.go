// Package overview tells how a repository, or a folder of it, hangs together: what
// it is written in and built with, where it starts, its areas and what they depend
// on, what is used most, where change meets complexity, and who knows it.
package overview

import (
	"context"
	"path"
	"sync"

	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Request is one question.
type Request struct {
	Path  string // folder; empty for the whole repository
	Limit int    // items of each list; 0 is what fits on a screen
}

// Answer is the answer to a request. Each list is the first part of as many as its
// total says.
type Answer struct {
	Request Request
	In      hit.Searched
	Quote   *Quote // what the project says of itself; nil where it says nothing

	Total     Size
	Languages List[Language]
	Tests     List[Folder]
	Generated Size
	Vendored  Size

	Builds  List[Build]
	Entries List[Entry]
	Areas   List[Area]
	Used    List[Used]
	Symbols List[Symbol]
	Hot     List[Hot]
	Cycles  List[Cycle]
	Authors List[Author]

	Commits   int    // that hot spots and authors were counted in
	NoHistory string // why there are none
	Left      int    // files that were not looked at, because the time was over
	Pending   int    // files whose syntax is not known yet
	Notes     []string
}

// List is the first items of a list, and how many there are.
type List[T any] struct {
	Items []T
	Total int
}

// first keeps the first n items.
func first[T any](all []T, n int) List[T] { return List[T]{all[:min(n, len(all))], len(all)} }

// Size is a number of files and of their lines.
type Size struct{ Files, Lines int }

func (s *Size) add(lines int) { s.Files++; s.Lines += lines }

// Quote is a sentence of a file.
type Quote struct {
	Path string
	Line int
	Text string
}

// Ask answers a request about a repository as it is now.
func Ask(ctx context.Context, r *workspace.Repo, req Request, w workspace.Wait) (*Answer, error) {
	req.Path = path.Clean(place.FromRoot(req.Path))
	if req.Path == "." || req.Path == "/" {
		req.Path = ""
	}
	if err := locate.CheckLimits(req.Limit, 0); err != nil {
		return nil, err
	}
	var past *past
	var reading sync.WaitGroup
	reading.Go(func() { past = readPast(ctx, r, req.Path) })
	var a *Answer
	in, err := r.Explore(ctx, w, func(ctx context.Context, _ *store.Snapshot, x *nav.Index) error {
		return x.Run(func(ask *locate.Ask) error {
			files := ask.Corpus.Under(req.Path)
			if _, one := ask.Corpus.Find(req.Path); one && req.Path != "" {
				return &usage.Error{Arg: "path", Value: req.Path, Msg: "is a file", Hint: "give a folder; the outline shows a file"}
			}
			if len(files) == 0 && req.Path != "" {
				return &usage.Error{Arg: "path", Value: req.Path, Msg: "not in the index", Hint: ask.NearestPath(req.Path)}
			}
			a = &Answer{Request: req, Pending: x.Pending()}
			reading.Wait()
			return (&surveyor{Answer: a, ask: ask, files: files, past: past}).survey()
		})
	})
	reading.Wait()
	if err != nil {
		return nil, err
	}
	a.In = in
	return a, nil
}

// surveyor collects an answer.
type surveyor struct {
	*Answer
	ask   *locate.Ask
	files []corpus.FileID // under the path
	past  *past
}

// show is how many items of a list are kept, where so many fit on a screen.
func (s *surveyor) show(n int) int {
	if s.Request.Limit > 0 {
		return s.Request.Limit
	}
	return n
}

func (s *surveyor) survey() error {
	if err := s.quote(); err != nil {
		return err
	}
	s.count()
	s.builds()
	s.entries()
	s.modules()
	return s.change()
}
