package ranked

import (
	"context"
	"maps"
	"slices"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/report"
	"espy/internal/ranked/score"
	"espy/internal/segment"
)

// This file orders the files and places of a report by five sources of evidence.
// Each sees another side of it: the signals of all that it says and of its title
// alone, its words in whole files, in single chunks, and in the messages of commits.

// What a source adds to the score of a file.
const (
	byAll     = 0.6  // times the logit by all that the report says,
	byTitle   = 0.45 // the logit by its title,
	byWhole   = 3.0  // BM25 of the whole file, the best file having 1,
	byChunk   = 3.3  // and of its best chunk, the best of all having 1
	byCommits = 2.4  // what past commits say of it, the most being 1,
	byFrame   = 10.0 // where its trace ended, of a report that is no more than that,
	byQuote   = 2.0  // and a message that it holds as it stands,
	byOnly    = 12.0 // where no other file of plain code holds it: nearly always what printed it,
	besides   = 0.4  // what of its words does not count of a file that is no plain code
	evens     = -4.6 // so that a score of 0 is as often right as wrong
	untitled  = -8.0 // the logit of a file that the title does not find
)

// reported returns the spots of a report, best first, at least so many where there are.
func (j *judge) reported(ctx context.Context, f *filter.Filter, least int, res *hit.Result) ([]spot, error) {
	found, err := j.order(max(least, maxCandidates))
	if err != nil {
		return nil, err
	}
	titles, err := j.titled(ctx, f)
	if err != nil {
		return nil, err
	}
	j.readCommits(ctx, f, res)
	head, tail := j.candidates(found, titles)
	j.fuse(head, titles)
	spots, err := j.spots(head)
	for _, m := range tail {
		m.score = min(m.score, head[len(head)-1].score)
		spots = append(spots, spotOf(m))
	}
	return spots, err
}

// fileID is a file of a corpus.
type fileID struct{ segment, file int }

func idOf(m *match) fileID { return fileID{m.in.seg.Index, m.file} }

// titled returns the logits of the files that the title of a report finds.
func (j *judge) titled(ctx context.Context, f *filter.Filter) (map[fileID]float64, error) {
	all := map[fileID]float64{}
	in := j.scores.Corpus
	asked, _, err := understand(&query.Query{Root: query.Word{Text: j.asked.report.Texts[report.Title]}}, in, f.Snaps)
	if err != nil || asked.isEmpty() {
		return all, err
	}
	asked.title = true
	scores, _, err := score.Run(ctx, in, asked.words.Terms, score.Ways{Early: asked.isPlain(), Whole: score.WholeLong})
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
	by := newJudge(findings{asked, scores, found, chosen, Means{}}, j.model)
	defer by.release()
	best, err := by.order(maxCandidates)
	for _, m := range best {
		all[idOf(m)] = m.score
	}
	return all, err
}

// candidates returns the files that some source finds among its best, of those that
// match in order, and the others.
func (j *judge) candidates(found []*match, titles map[fileID]float64) (head, tail []*match) {
	n := min(len(found), maxCandidates)
	head = slices.Clone(found[:n])
	worst := 0.0
	known := map[fileID]bool{}
	for _, m := range head {
		known[idOf(m)] = true
		worst = m.score
	}
	var more []fileID
	for _, f := range j.scores.BestFiles(maxCandidates, j.chosen.allows) {
		more = append(more, fileID{f.Segment.Index, f.File})
	}
	more = slices.AppendSeq(more, maps.Keys(titles))
	more = slices.AppendSeq(more, maps.Keys(j.told.worth))
	for _, f := range more {
		if !known[f] {
			known[f] = true
			p := &j.parts[f.segment]
			one := segment.EmptyBitmap(p.seg.NumFiles())
			one.Set(f.file)
			m := &j.matches(nil, p, one)[0]
			m.score = min(m.score, worst)
			head = append(head, m)
		}
	}
	for _, m := range found[n:] {
		if !known[idOf(m)] {
			tail = append(tail, m)
		}
	}
	return head, tail
}

// fuse puts files in the order of all sources together.
func (j *judge) fuse(files []*match, titles map[fileID]float64) {
	most := float32(0)
	for _, m := range files {
		most = max(most, m.in.seg.Whole[m.file])
	}
	alone := j.alone(files)
	for _, m := range files {
		title, ok := titles[idOf(m)]
		switch {
		case j.asked.report.Texts[report.Title] == "":
			title = m.score
		case !ok:
			title = untitled
		}
		words := float64(byChunk * float64(m.best/j.gauge.best))
		if most > 0 {
			words += float64(byWhole * float64(m.in.seg.Whole[m.file]/most))
		}
		words += float64(byCommits * j.told.worth[idOf(m)])
		m.first = false
		if j.asked.report.Texts[report.Prose] == "" {
			words += float64(byFrame * j.frame(m))
		}
		words += float64(byOnly * j.only(m) * alone)
		m.score = evens + float64(byQuote*j.holds(m)) + float64(byAll*m.score) + float64(byTitle*title) + float64(words*(1-float64(besides*j.beside(m))))
	}
	slices.SortFunc(files, compareMatches)
}

// alone returns what part one file has of the messages that a report quotes: a list of
// them is of a program that checks others.
func (j *judge) alone(files []*match) float64 {
	sum, most := 0.0, 0.0
	for _, m := range files {
		one := j.only(m)
		sum += one
		most = max(most, one)
	}
	if most == 0 {
		return 0
	}
	return most / sum
}

// only returns how sure it is that the match alone printed what the report quotes.
func (j *judge) only(m *match) (most float64) {
	for c := range m.in.clues.Of(m.file) {
		most = max(most, c.Only)
	}
	return most
}

// frame returns how near a match is to where the trace of a report ended, 1 for there.
func (j *judge) frame(m *match) (most float64) {
	for c := range m.in.clues.Of(m.file) {
		most = max(most, c.Frame)
	}
	return most
}

// holds returns how many words of a message of the report the match holds, none 0,
// many 1.
func (j *judge) holds(m *match) (most float64) {
	for c := range m.in.clues.Of(m.file) {
		if c.First {
			most = max(most, min(1, c.Value/manyWords))
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
