package semantic

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"espy/internal/embedding"
	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/redact"
	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/store"
)

// asking is a question to the chunks of a corpus.
type asking struct {
	req   *hit.Request
	text  string
	words *rank.Query
	in    *corpus.Corpus
}

// passages answers a request for every near chunk. Its hits are chunks, the nearest
// first, those of one cosine by place.
//
// One model compares them all, since cosines of two models say nothing of each
// other: that on another machine, where there is one that answers and has vectors
// of some files, else that of the program.
func passages(ctx context.Context, q *asking, models embedding.Models, res *hit.Result) error {
	var s *chunks
	var err error
	if models.Remote != nil {
		if s, err = q.near(ctx, models.Remote, true, res); err != nil {
			if ctx.Err() == context.Canceled {
				return ctx.Err()
			}
			res.Notes = append(res.Notes, fmt.Sprintf("the model of the program answers, since the other one does not: %v", err))
		} else if s != nil && s.pending == s.seen && s.seen > 0 {
			res.Notes = append(res.Notes, fmt.Sprintf("the model of the program answers: no file has vectors of %s yet", s.model))
			s = nil
		}
	}
	if s == nil {
		if s, err = q.near(ctx, models.Local, false, res); err != nil || s == nil {
			return err
		}
	}
	res.Model, res.Total, res.Files = s.model, len(s.found), s.files()
	if s.pending > 0 {
		res.Notes = append(res.Notes, notCompared(s.pending, s.seen))
	}
	if s.ended {
		res.Partial = true
		res.Notes = append(res.Notes, "the time limit ended the search: chunks may be missing")
	}
	page := s.found[min(q.req.Offset, len(s.found)):]
	return q.show(page[:min(q.req.Limit, len(page))], res)
}

// chunks are those that are near to a question.
type chunks struct {
	model string
	floor func(all *spread) float64

	mu      sync.Mutex
	found   []passage
	spread  spread
	seen    int // files that have text
	pending int // of them, those without vectors
	ended   bool
}

// passage is a chunk and its cosine.
type passage struct {
	in          *corpus.Segment
	file, chunk int
	cosine      float64
}

// leastCosine is the least cosine of a near chunk as the model of the program has
// it: the best chunk for a question about something else than the repository has one
// of 0.2 to 0.45, that for a question about it mostly more than 0.45.
const leastCosine = 0.35

// floorOf is the least cosine of a near chunk: that of the program's own model is
// known; how high those of another are is only known from all of them.
func floorOf(far bool) func(*spread) float64 {
	if !far {
		return func(*spread) float64 { return leastCosine }
	}
	return func(all *spread) float64 {
		if all.n < minSpread {
			return math.SmallestNonzeroFloat64
		}
		mean := float64(all.sum) / float64(all.n)
		deviation := math.Sqrt(max(0, float64(all.squares)/float64(all.n)-float64(mean*mean)))
		return (mean + float64(nearDeviations*deviation)) / millionth
	}
}

// nearDeviations is how many standard deviations above the mean the cosine of a
// near chunk stands.
const nearDeviations = 1

// near compares the question with every chunk, nil where the model knows nothing of
// the question, which is noted.
func (q *asking) near(ctx context.Context, model embedding.Model, far bool, res *hit.Result) (*chunks, error) {
	asked, err := questions(ctx, model, q.text, q.in)
	if err != nil {
		return nil, fmt.Errorf("embed the question by %s: %w", model.Identity(), err)
	}
	if asked == nil && len(q.in.Segments) > 0 {
		res.Notes = append(res.Notes, "the model knows no word of the question, so nothing is near to it")
		return nil, nil
	}
	s := &chunks{model: model.Identity(), floor: floorOf(far)}
	err = q.in.Each(1+q.in.Chunks/chunksPerWorker, func(seg *corpus.Segment) error { s.scan(ctx, seg, asked); return nil })
	if err != nil || ctx.Err() == context.Canceled {
		return nil, cmp.Or(err, ctx.Err())
	}
	least := s.floor(&s.spread)
	s.found = slices.DeleteFunc(s.found, func(p passage) bool { return p.cosine < least })
	slices.SortFunc(s.found, func(a, b passage) int {
		if c := cmp.Compare(b.cosine, a.cosine); c != 0 {
			return c // without a look at the places
		}
		return comparePlaces(&a, &b)
	})
	return s, nil
}

func comparePlaces(a, b *passage) int {
	return cmp.Or(corpus.ComparePlaces(a.in, a.file, b.in, b.file), cmp.Compare(a.chunk, b.chunk))
}

// scan compares the chunks of a segment.
func (s *chunks) scan(ctx context.Context, seg *corpus.Segment, asked map[*store.Snapshot]*vec.Query) {
	part, _ := seg.VectorsOf(s.model)
	var found []passage
	var all spread
	seen, pending, ended := 0, 0, false
	for file := range seg.NumFiles() {
		if file%lookEvery == 0 && ctx.Err() != nil {
			ended = true
			break
		}
		if !seg.Allows(file) {
			continue
		}
		first, end := seg.ChunksOf(file)
		if first == end {
			continue
		}
		seen++
		if part == nil || !part.Knows(first, end) {
			pending++
			continue
		}
		part.Cosines(asked[seg.Snap], first, end, func(chunk int, cosine float64) bool {
			all.add(cosine)
			if cosine > 0 {
				found = append(found, passage{in: seg, file: file, chunk: chunk, cosine: cosine})
			}
			return true
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found = append(s.found, found...)
	s.seen, s.pending, s.ended = s.seen+seen, s.pending+pending, s.ended || ended
	s.spread = spread{s.spread.n + all.n, s.spread.sum + all.sum, s.spread.squares + all.squares}
}

// files counts the files of the chunks.
func (s *chunks) files() int {
	type place struct {
		in   *corpus.Segment
		file int
	}
	all := map[place]bool{}
	for _, p := range s.found {
		all[place{p.in, p.file}] = true
	}
	return len(all)
}

// show makes the hits of chunks, with their text and that around it unless places alone
// are asked for.
func (q *asking) show(list []passage, res *hit.Result) error {
	var cache segment.TextCache
	res.Hits = slices.Grow(res.Hits, len(list))
	for _, p := range list {
		info := p.in.Chunk(p.chunk)
		h := hit.Hit{
			Repo: p.in.Repo, Path: p.in.Path(p.file), StartLine: int(info.StartLine), EndLine: int(info.EndLine),
			Score: rank.Logistic(nearness(p.cosine)), Language: p.in.Language(p.file), Class: p.in.Class(p.file),
		}
		h.Passage = &hit.Passage{}
		if q.req.Detail != hit.DetailLocate {
			text, err := p.in.Reader.Text(p.file, &cache)
			if err != nil {
				return err
			}
			h.Passage = cutPassage(h.Path, text, span{int(info.Start), int(info.End)}, q.req)
		}
		h.Passage.Cosine = p.cosine
		res.Hits = append(res.Hits, h)
	}
	return nil
}

// span is bytes of a file.
type span struct{ start, end int }

// cutPassage cuts a chunk out of a file, with lines before and after it.
func cutPassage(path string, text []byte, at span, req *hit.Request) *hit.Passage {
	show := func(from, to int) string { return string(text[from:to]) }
	if !req.ShowSecrets {
		part := redact.Part{Path: path, Text: text}
		show = func(from, to int) string { return string(part.Show(from, to)) }
	}
	chunk := bytes.TrimSuffix(bytes.TrimSuffix(text[at.start:at.end], []byte("\n")), []byte("\r"))
	at.end = at.start + len(chunk)
	before := at.start
	for n := 0; n < req.Before && before > 0; n++ {
		before--
		for before > 0 && text[before-1] != '\n' {
			before--
		}
	}
	after := at.end
	if rest := string(text[at.end:min(len(text), at.end+3)]); rest == "\n" || rest == "\r\n" { // no line follows
		return &hit.Passage{Before: show(before, at.start), Text: show(at.start, at.end)}
	}
	for n := 0; n <= req.After && after < len(text); n++ {
		if n > 0 {
			after++ // behind the end of the line before
		}
		for after < len(text) && text[after] != '\n' {
			after++
		}
	}
	return &hit.Passage{Before: show(before, at.start), Text: show(at.start, at.end), After: show(at.end, after)}
}
