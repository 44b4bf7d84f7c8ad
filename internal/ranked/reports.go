package ranked

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/clue"
	"espy/internal/ranked/imported"
	"espy/internal/ranked/report"
	"espy/internal/ranked/score"
	"espy/internal/segment"
)

// This file orders the files and places of a report by five sources of evidence.
// Each sees another side of it: the signals of all that it says and of its title
// alone, its words in whole files, in single chunks, and in the messages of commits.

// reported returns the spots of a report, best first, at least so many where there are.
func (j *judge) reported(ctx context.Context, f *filter.Filter, least int, res *hit.Result) ([]spot, error) {
	found, err := j.order(ctx, max(least, maxCandidates))
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
	if err := j.raiseImported(head); err != nil {
		return nil, err
	}
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
	scores, _, err := score.Run(ctx, in, asked.words.Terms, asked.ways())
	if err != nil {
		return nil, err
	}
	defer scores.Release()
	found, _, err := find(asked, in)
	if err != nil {
		return nil, err
	}
	chosen, _, err := choose(asked.root, scores, found)
	if err != nil || chosen.total == 0 {
		return all, err
	}
	by := newJudge(findings{asked, scores, found, chosen, Means{}}, j.model)
	defer by.release()
	best, err := by.order(ctx, maxCandidates)
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
	j.told.Files(func(repo, path string) {
		if id, ok := j.find(repo, path); ok {
			more = append(more, id)
		}
	})
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
			title = report.Untitled
		}
		e := report.Evidence{
			All: m.score, Title: title, Chunk: float64(m.best / j.gauge.best), Commits: j.told.Worth(m.in.seg.Repo, m.pathText()),
			Quote: m.in.clues.Most(m.file, (*clue.Clue).Held), Only: float64(j.only(m) * alone), Beside: j.beside(m),
		}
		if most > 0 {
			e.Whole = float64(m.in.seg.Whole[m.file] / most)
		}
		if j.asked.report.Leads {
			e.Frame = m.in.clues.Most(m.file, func(c *clue.Clue) float64 { return c.Frame })
		}
		if m.score = e.Score(); !clue.IsNamed(m.rank) {
			m.rank = 0
		}
	}
	slices.SortFunc(files, compareMatches)
	raise(files)
}

// leads reports whether the report leads to lines of files by itself: it is a trace, a log
// or the output of a tool.
func (j *judge) leads(files []*match) bool {
	return j.asked.report.Leads || len(files) > 0 && clue.IsNamed(files[0].rank)
}

// raiseImported raises files behind the first ones that these import: a report says what was
// called, and the fault may lie in what that works with. None comes before the first ones.
func (j *judge) raiseImported(files []*match) error {
	if j.leads(files) {
		return nil
	}
	files = files[:min(len(files), imported.First+imported.Among)]
	first, rest := files[:min(len(files), imported.First)], files[min(len(files), imported.First):]
	among := imported.New(len(files), func(i int) string { return string(files[i].pathText()) })
	var cache segment.TextCache
	for n, m := range first {
		text, err := m.in.seg.Reader.TextRange(m.file, 0, min(m.in.seg.TextSize(m.file), imported.MaxText), &cache)
		if err != nil {
			return err
		}
		for _, i := range among.By(string(m.pathText()), text) {
			if i >= len(first) && files[i].in.repo == m.in.repo {
				files[i].score = min(files[i].score+float64(imported.Worth/float64(n+1)), first[len(first)-1].score)
			}
		}
	}
	slices.SortStableFunc(rest, func(a, b *match) int { return cmp.Compare(b.score, a.score) })
	return nil
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
func (j *judge) only(m *match) float64 {
	return m.in.clues.Most(m.file, func(c *clue.Clue) float64 { return c.Only })
}

// beside returns how fully a file is no plain code: a test, an example, prose. What is
// reported of a tool is about that tool as much as about the program that it goes with.
func (j *judge) beside(m *match) (most float64) {
	var known rank.Some
	j.gauge.guess(m, &known)
	signals := known.All()
	signals[rank.Tool] = 0
	for _, s := range signals[rank.Test:] {
		most = max(most, s)
	}
	return most
}
