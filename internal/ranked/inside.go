package ranked

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"espy/internal/parallel"
	"espy/internal/rank"
	"espy/internal/ranked/report"
	"espy/internal/ranked/within"
)

// This file ranks the places inside the files that a report is about.

// Bounds of the search for places.
const (
	placeFiles = 16 // files whose places are ranked
	maxPlaces  = 24 // of each, the best
)

// What makes a place likely, on the scale of files.
const (
	placeChunk  = 3.2 // times the score of its chunk, the best of all having 1,
	placeBody   = 2.4 // the logarithm of the BM25 of its function, the best of all having 1,
	placeTitle  = 1.2 // BM25 by the title alone, the best having 1,
	placeSaid   = 1.6 // the part of its name that the text says,
	placeNamed  = 4.0 // how sure the text mentions that name,
	placeType   = 2.4 // and that of the type that it is a method of,
	placeLength = 0.6 // and the logarithm of the words of its function;
	placeLine   = 1.0 // a trace or a message leads to a line of it;
	placeOther  = 4.0 // less where it is of no function, unless it stands for its file,
	placeMore   = 1.0 // and of further places of a file than the best, times 1 + ln n for the n-th of these
)

// spots returns the places of files: the best one of each, and of the best files
// more before files that are less likely.
func (j *judge) spots(files []*match) ([]spot, error) {
	looked, err := j.looked(files)
	if err != nil {
		return nil, err
	}
	title, body := 0.0, leastBody
	for _, places := range looked {
		for _, p := range places {
			title, body = max(title, p.Title), max(body, p.Body)
		}
	}
	hints := j.hints()
	var all []spot
	var further []scored
	for i, m := range files {
		if i >= len(looked) || len(looked[i]) == 0 {
			all, further = untilBelow(all, further, m.score)
			all = append(all, spotsOf(m)...)
			continue
		}
		places := j.worths(m, looked[i], within.Place{Body: body, Title: title}, hints)
		all, further = untilBelow(all, further, places[0].first)
		all = append(all, places[0].spot)
		for n, p := range places[1:min(len(places), maxPlaces)] {
			p.score -= float64(placeMore * (1 + math.Log(float64(1+n))))
			further = append(further, p)
		}
		slices.SortStableFunc(further, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	}
	return all, nil
}

// looked returns the places of each of the best files, of none where the report leads to
// lines.
func (j *judge) looked(files []*match) ([][]within.Place, error) {
	if j.leads(files) {
		return nil, nil
	}
	all := make([][]within.Place, min(len(files), placeFiles))
	terms := j.placeTerms()
	err := parallel.Each(context.Background(), runtime.GOMAXPROCS(0), len(all), func() func(int) error {
		ranker := within.New(terms)
		return func(i int) (err error) {
			m := files[i]
			first := place(m)
			all[i], err = ranker.Places(m.in.seg.Segment, m.file, m.chunksThatScore(), func(c int) float64 {
				if c == first {
					return math.Inf(1)
				}
				return float64(m.in.seg.Scores[c])
			})
			return err
		}
	})
	return all, err
}

// untilBelow appends the further places that score more than the next file.
func untilBelow(all []spot, further []scored, next float64) ([]spot, []scored) {
	for len(further) > 0 && further[0].score > next {
		all, further = append(all, further[0].spot), further[1:]
	}
	return all, further
}

// scored is a place of a file and its score.
type scored struct {
	spot
	score float64
	first float64 // score where it stands for its file
}

// worths returns the places of a match, the likeliest first. Most is the most that
// any place has of all.
func (j *judge) worths(m *match, places []within.Place, most within.Place, hints map[string]float64) (all []scored) {
	lines := m.in.clues.Lines(m.file)
	for _, p := range places {
		named, typed := min(1, hints[p.Name]), min(1, hints[p.Type])
		score := m.score + float64(placeBody*math.Log(max(p.Body, leastBody)/most.Body)) + float64(placeNamed*p.OfName(named, typed)) + float64(placeType*typed) +
			float64(placeSaid*p.Said) + float64(placeLength*math.Log(float64(p.Words+shortPlace))) +
			float64(placeChunk*float64(m.in.seg.Scores[p.Chunk]/j.gauge.best))
		if most.Title > 0 {
			score += float64(placeTitle * (p.Title / most.Title))
		}
		for _, line := range lines {
			if int(p.First) <= line && line <= int(p.Last) {
				score += placeLine
				break
			}
		}
		less := 0.0
		if !p.Function {
			less = placeOther
		}
		s := spot{match: m, chunk: p.Chunk, lines: m.in.seg.Chunk(p.Chunk)}
		s.lines.Chunk = p.Lines
		all = append(all, scored{s, score - less, score})
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return all
}

// shortPlace is how many words less make no difference.
const shortPlace = 10

// leastBody is what a place is worth in which no word of the text is.
const leastBody = 0.1

// placeTerms returns the terms of the report and what they are worth to a place.
func (j *judge) placeTerms() (all []within.Term) {
	title := map[string]bool{}
	for _, t := range rank.Understand(j.asked.report.Texts[report.Title], "").Terms {
		title[t.Text] = true
	}
	for _, t := range j.scores.Terms {
		w := within.Term{Text: t.Text, Body: t.ChunkWeight}
		if title[t.Text] {
			w.Title = t.ChunkWeight
		}
		all = append(all, w)
	}
	return all
}

// hints returns how sure the text mentions names: those of traces the surer the
// nearer to where it ended.
func (j *judge) hints() map[string]float64 {
	all := map[string]float64{}
	for _, n := range j.asked.words.Names {
		all[n.Text] = n.Weight
	}
	for i, f := range j.asked.report.Frames {
		all[f.Function] = max(all[f.Function], 1/float64(1+i))
	}
	delete(all, "")
	return all
}
