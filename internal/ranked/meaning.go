package ranked

import (
	"context"
	"slices"

	"espy/internal/rank"
	"espy/internal/ranked/likeness"
	"espy/internal/ranked/score"
)

// What the meaning of a question adds to its words (docs/ranking.md, "Meaning beside words").
const (
	meantFiles = 60  // of the best files
	meantSure  = 0.5 // score from which on a file is likely by the words alone
	meantWorth = 2.0 // logits for a cosine of 1 above that of the file which is least like the question
)

// byMeaning lets files of plain code gain that are nearer in meaning to the question than
// others, where none is likely by its words alone.
func (j *judge) byMeaning(ctx context.Context, found []*match) error {
	if j.means.Meaning == nil || !j.asked.isInWords() || len(found) == 0 {
		return nil
	}
	score.Select(found, meantFiles, compareMatches)
	best := found[:min(len(found), meantFiles)]
	if slices.ContainsFunc(best, func(m *match) bool { return m.rank > 0 || rank.Logistic(m.score) >= meantSure }) {
		return nil
	}
	files := make([]likeness.File, len(best))
	for i, m := range best {
		files[i] = likeness.File{Segment: m.in.seg.Segment, File: m.file}
	}
	nearer, err := likeness.Nearer(ctx, j.means.Meaning, j.asked.text, j.scores.Corpus, files, j.asked.words.AsksFor(rank.Test))
	for i, m := range best {
		if m.in.isPlain(m.file) {
			m.near = float64(meantWorth * nearer[i])
			m.score += m.near
		}
	}
	return err
}
