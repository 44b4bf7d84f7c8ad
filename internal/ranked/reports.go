package ranked

import (
	"cmp"
	"context"
	"math"
	"slices"

	"espy/internal/filter"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/report"
	"espy/internal/ranked/score"
	"espy/internal/ranked/whole"
	"espy/internal/ranked/within"
	"espy/internal/segment"
)

// This file orders the files and places of a report by four sources of evidence.
// Each sees another side of it: the signals of all that it says and of its title
// alone, its words in whole files and in single chunks.

// What a source adds to the score of a file.
const (
	byAll    = 0.45 // times the logit by all that the report says,
	byTitle  = 0.45 // the logit by its title,
	byWhole  = 3.0  // BM25 of the whole file, the best file having 1,
	byChunk  = 3.3  // and of its best chunk, the best of all having 1
	byQuote  = 2.0  // and a message that it holds as it stands,
	besides  = 0.4  // what of its words does not count of a file that is no plain code
	untitled = -8.0 // the logit of a file that the title does not find
)

// reported returns the spots of a report, best first, at least so many where there are.
func (j *judge) reported(ctx context.Context, f *filter.Filter, least int) ([]spot, error) {
	found, err := j.order(max(least, maxCandidates))
	if err != nil {
		return nil, err
	}
	titles, err := j.titled(ctx, f)
	if err != nil {
		return nil, err
	}
	wholes, err := whole.Score(j.scores.Corpus, j.asked.words.Terms)
	if err != nil {
		return nil, err
	}
	head, tail := j.candidates(found, titles, wholes)
	j.fuse(head, titles, wholes)
	spots, err := j.spots(head)
	for _, m := range tail {
		spots = append(spots, spotOf(m))
	}
	return spots, err
}

func fileOf(m *match) whole.File { return whole.File{Segment: m.in.seg.Index, File: m.file} }

// titled returns the logits of the files that the title of a report finds.
func (j *judge) titled(ctx context.Context, f *filter.Filter) (map[whole.File]float64, error) {
	all := map[whole.File]float64{}
	in := j.scores.Corpus
	asked, _, err := understand(&query.Query{Root: query.Word{Text: j.asked.report.Texts[report.Title]}}, in, f.Snaps)
	if err != nil || asked.isEmpty() {
		return all, err
	}
	scores, _, err := score.Run(ctx, in, asked.words.Terms, asked.isPlain())
	if err != nil {
		return nil, err
	}
	defer scores.Release()
	found, err := find(asked, in)
	if err != nil {
		return nil, err
	}
	chosen, _, err := choose(asked.root, scores, found)
	if err != nil || chosen.total == 0 {
		return all, err
	}
	by := newJudge(findings{asked, scores, found, chosen}, j.model)
	defer by.release()
	best, err := by.order(maxCandidates)
	for _, m := range best {
		all[fileOf(m)] = m.score
	}
	return all, err
}

// candidates returns the files that some source finds among its best, of those that
// match in order, and the others.
func (j *judge) candidates(found []*match, titles map[whole.File]float64, wholes whole.Scores) (head, tail []*match) {
	n := min(len(found), maxCandidates)
	head = slices.Clone(found[:n])
	worst := 0.0
	known := map[whole.File]bool{}
	for _, m := range head {
		known[fileOf(m)] = true
		worst = m.score
	}
	shown := func(f whole.File) bool {
		return j.chosen.only.Files[f.Segment].Has(f.File) && j.parts[f.Segment].seg.Allows(f.File)
	}
	more := wholes.Best(j.scores.Corpus, maxCandidates, shown)
	for f := range titles {
		more = append(more, f)
	}
	for _, f := range more {
		if !known[f] {
			known[f] = true
			p := &j.parts[f.Segment]
			one := segment.EmptyBitmap(p.seg.NumFiles())
			one.Set(f.File)
			m := &j.matches(nil, p, one)[0]
			m.score = min(m.score, worst)
			head = append(head, m)
		}
	}
	for _, m := range found[n:] {
		if !known[fileOf(m)] {
			tail = append(tail, m)
		}
	}
	return head, tail
}

// fuse puts files in the order of all sources together.
func (j *judge) fuse(files []*match, titles map[whole.File]float64, wholes whole.Scores) {
	most := float32(0)
	for _, m := range files {
		most = max(most, wholes.Of(fileOf(m)))
	}
	for _, m := range files {
		title, ok := titles[fileOf(m)]
		switch {
		case j.asked.report.Texts[report.Title] == "":
			title = m.score
		case !ok:
			title = untitled
		}
		words := float64(byChunk * float64(m.best/j.gauge.best))
		if most > 0 {
			words += float64(byWhole * float64(wholes.Of(fileOf(m))/most))
		}
		m.first = false
		m.score = float64(byQuote*j.holds(m)) + float64(byAll*m.score) + float64(byTitle*title) + float64(words*(1-float64(besides*j.beside(m))))
	}
	slices.SortFunc(files, compareMatches)
}

// holds returns how many words of a message of the report the match holds, none 0,
// many 1.
func (j *judge) holds(m *match) (most float64) {
	for c := m.in.clues.of(m.file); c != nil; c = m.in.clues.next(c) {
		if c.first {
			most = max(most, min(1, c.value/manyWords))
		}
	}
	return most
}

// manyWords is how many words of a message leave no doubt.
const manyWords = 8

// beside returns how fully a file is no plain code: a test, an example, prose.
func (j *judge) beside(m *match) (most float64) {
	var known rank.Some
	j.gauge.guess(m, &known)
	signals := known.All()
	for _, s := range signals[rank.Test:] {
		most = max(most, s)
	}
	return most
}

// Bounds of the search for places.
const (
	placeFiles  = 20 // files whose places are ranked
	placeChunks = 6  // of each, the best
)

// What another place of a file gives way to the first place of the next files.
const (
	furtherStep = 0.7 // that it is not the first,
	furtherWay  = 1.2 // and times how much less it is worth, as a logarithm
)

// spots returns the places of files: the best one of each, and of the best files
// more before files that are less likely.
func (j *judge) spots(files []*match) ([]spot, error) {
	ranker := within.New(j.weights(), j.hints())
	var all []spot
	var further []scored
	for i, m := range files {
		best := spotOf(m)
		if i < placeFiles && best.chunk >= 0 {
			lines := m.mentioned()
			chunks := m.bestChunks(placeChunks)
			if !slices.Contains(chunks, best.chunk) {
				chunks = append(chunks, best.chunk)
			}
			places, err := ranker.Places(m.in.seg.Segment, m.file, chunks, lines)
			if err != nil {
				return nil, err
			}
			best = placed(m, places[0])
			for _, p := range places[1:] {
				loss := furtherStep + float64(furtherWay*math.Log(places[0].Worth/max(p.Worth, 1e-9)))
				further = append(further, scored{placed(m, p), m.score - loss})
			}
		}
		all = append(all, best)
	}
	return merged(all, further), nil
}

// mentioned returns the lines of a match that clues speak of, and what a place gains
// that holds one.
func (m *match) mentioned() map[int]float64 {
	all := map[int]float64{}
	for c := m.in.clues.of(m.file); c != nil; c = m.in.clues.next(c) {
		if c.line > 0 && c.shows >= showQuote {
			all[c.line] = mentionedPlace
		}
	}
	return all
}

// scored is a further place of a file and what it scores among the files.
type scored struct {
	spot
	score float64
}

// merged puts further places of files before the first file that scores less.
func merged(first []spot, further []scored) (all []spot) {
	slices.SortStableFunc(further, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for _, s := range first {
		for len(further) > 0 && further[0].score > s.match.score {
			all = append(all, further[0].spot)
			further = further[1:]
		}
		all = append(all, s)
	}
	return all
}

// placed returns the spot of a place.
func placed(m *match, p within.Place) spot {
	s := spot{match: m, chunk: p.Chunk, lines: m.in.seg.Chunk(p.Chunk)}
	s.lines.Chunk = p.Lines
	return s
}

// weights are what the terms of the text are worth to a place.
func (j *judge) weights() (all []within.Term) {
	for _, t := range j.scores.Terms {
		all = append(all, within.Term{Text: t.Text, Weight: t.ChunkWeight})
	}
	return all
}

// hints returns what a place gains by the name it defines.
func (j *judge) hints() map[string]float64 {
	all := map[string]float64{}
	for _, n := range j.asked.words.Names {
		all[n.Text] = float64(namedPlace * n.Weight)
	}
	for i, f := range j.asked.report.Frames {
		all[f.Function] = max(all[f.Function], namedPlace/float64(1+i))
	}
	delete(all, "")
	return all
}

// What a place gains beside its words.
const (
	namedPlace     = 8  // the text mentions its name for sure
	mentionedPlace = 20 // a trace or a message leads to a line of it
)
