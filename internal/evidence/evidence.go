// Package evidence has the chunks of a repository that answer a question, and what
// is known for each of them: how near its meaning is, which share of the words it
// answers, and how many of the other chunks its code stands beside.
//
// None of these rests on what else was asked for: the same question gives a chunk
// the same numbers whatever filters, limits and results there are, but for the
// chunks beside it, which are counted among the candidates.
package evidence

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/query"
	"espy/internal/ranked/report"
	"espy/internal/redact"
	"espy/internal/segment"
	"espy/internal/semantic"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Request asks for the evidence of a text.
type Request struct {
	Text        string
	Only        func(path, language string, class code.Class) bool // which files pass; nil lets all
	Limit       int                                                // candidates
	Pick        func(a *Answer) []int                              // says which hits are shown, by their numbers; nil shows none
	ShowSecrets bool
}

// Answer is the chunks that answer best. They are in the order of the larger of
// Near and Share, then by place.
type Answer struct {
	Hits     []Hit
	Shown    []int   // of Hits, what Pick said
	Compared bool    // meanings were compared; else Near is 0
	Model    string  // that compared them
	Embedded float64 // share of the files that have vectors of it
	Chunks   int     // of the repository
	In       hit.Searched
	Notes    []string
}

// Hit is a chunk, or the whole function that it is a part of. Symbol, Kind, Line, Text,
// and First of a function that goes beyond one chunk, are known of one that is shown.
type Hit struct {
	Path, Language string
	At             int    // the byte at which it begins, its indentation left out
	First, Last    int    // lines
	Symbol         string // what it declares, that the question asks for most; "" where it declares nothing
	Kind           code.Kind
	Line           int // of the symbol's name
	Near           float64
	Share          float64
	Beside         int // other hits within two steps: that use it, that it uses, or that share a user or something used
	Text           string

	spot spot
}

// Gather finds the evidence in a repository as it is now.
func Gather(ctx context.Context, r *workspace.Repo, req Request, w workspace.Wait) (a *Answer, err error) {
	rules, err := filter.Compile(&hit.Request{Only: req.Only}, query.Filters{})
	if err != nil {
		return nil, err
	}
	in, err := r.Explore(ctx, w, func(ctx context.Context, s *store.Snapshot, x *nav.Index) error {
		f, err := rules.Over([]*store.Snapshot{s})
		if err != nil {
			return err
		}
		text, note := report.Digest(req.Text, hit.MaxQueryBytes)
		found, err := semantic.Gather(ctx, f, strings.Join(strings.Fields(text), " "), 2*req.Limit, r.Models())
		if err != nil {
			return err
		}
		a = &Answer{Compared: found.Model != "", Model: found.Model, Notes: slices.Concat(found.Notes, r.Notes(s)), Chunks: s.Stats().Chunks}
		if note != "" {
			a.Notes = append(a.Notes, note)
		}
		if a.Compared {
			a.Embedded = embedded(s, a.Model)
		}
		return x.Run(func(ask *locate.Ask) error { return a.fill(s, newCircle(s, ask), &req, found.Chunks) })
	})
	if a != nil {
		a.In = in
	}
	return a, err
}

// embedded is the share of the files with chunks that have vectors of a model.
func embedded(s *store.Snapshot, model string) float64 {
	files := s.Stats().Files
	if files == 0 {
		return 0
	}
	return float64(files-s.VectorsPending(model)) / float64(files)
}

// fill makes hits of what was found, and reads those that are shown.
func (a *Answer) fill(s *store.Snapshot, c *circle, req *Request, found []semantic.Evident) error {
	n := &namer{snapshot: s, words: strings.Fields(strings.ToLower(req.Text))}
	whole := map[node]int{}
	a.Hits = make([]Hit, 0, min(req.Limit, len(found)))
	for i := range found {
		if len(a.Hits) == req.Limit {
			break
		}
		h := n.place(&found[i])
		if !h.spot.whole {
			a.Hits = append(a.Hits, h)
			continue
		}
		of := node{h.spot.seg, h.spot.file, h.spot.symbol}
		if at, ok := whole[of]; ok {
			a.Hits[at].join(&h)
			continue
		}
		whole[of] = len(a.Hits)
		a.Hits = append(a.Hits, h)
	}
	c.count(a.Hits)
	if req.Pick == nil {
		return nil
	}
	a.Shown = req.Pick(a)
	var cache segment.TextCache
	for _, i := range a.Shown {
		n.tell(&a.Hits[i])
		if err := a.Hits[i].read(s, req.ShowSecrets, &cache); err != nil {
			return err
		}
	}
	return nil
}

// join adds another chunk of the same function.
func (h *Hit) join(o *Hit) {
	h.Near, h.Share = max(h.Near, o.Near), max(h.Share, o.Share)
}

// read fills in the text of a hit, without the end of its last line, and where a
// function begins.
func (h *Hit) read(s *store.Snapshot, all bool, cache *segment.TextCache) error {
	text, err := s.Segments[h.spot.seg].Text(int(h.spot.file), cache)
	if err != nil {
		return err
	}
	start, end := min(int(h.spot.start), len(text)), min(int(h.spot.end), len(text))
	if h.spot.whole {
		h.First = 1 + bytes.Count(text[:start], []byte("\n"))
		start = bytes.LastIndexByte(text[:start], '\n') + 1 // with its indentation
	}
	shown := text[start:end]
	if !all {
		part := redact.Part{Path: h.Path, Text: text}
		shown = part.Show(start, end)
	}
	h.Text = strings.ToValidUTF8(string(bytes.TrimRight(shown, "\r\n")), "\uFFFD")
	return nil
}
