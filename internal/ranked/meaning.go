package ranked

import (
	"context"
	"os"
	"strconv"

	"espy/internal/rank"
	"espy/internal/ranked/likeness"
	"espy/internal/ranked/score"
)

func lab(name string, def float64) float64 {
	if v, err := strconv.ParseFloat(os.Getenv(name), 64); err == nil {
		return v
	}
	return def
}

var (
	labWeight = lab("LAB_W", 4)
	labSure   = lab("LAB_SURE", 0.3)
	labSoft   = lab("LAB_SOFT", 0)
	labFiles  = int(lab("LAB_FILES", 60))
	labPlain  = lab("LAB_PLAIN", 1)
)

// byMeaning lets files gain that are nearer in meaning to a question than others.
func (j *judge) byMeaning(ctx context.Context, found []*match) error {
	model := j.means.Meaning
	if model == nil || j.asked.words.Kind != rank.KindText || j.asked.report != nil || j.asked.title || len(found) == 0 {
		return nil
	}
	score.Select(found, labFiles, compareMatches)
	best := found[:min(len(found), labFiles)]
	top := best[0].score
	for _, m := range best {
		top = max(top, m.score)
	}
	p := rank.Logistic(top)
	w := labWeight
	if labSoft > 0 {
		w *= max(0, 1-p/labSoft)
	} else if p >= labSure {
		return nil
	}
	if w == 0 {
		return nil
	}
	asked, err := likeness.Questions(ctx, model, j.asked.text, j.scores.Corpus)
	if err != nil || asked == nil {
		return nil
	}
	cosines := make([]float64, len(best))
	least := 1.0
	for i, m := range best {
		seg := m.in.seg
		part, _ := likeness.VectorsOf(seg.Segment, model.Identity())
		first, end := int(m.in.traits[m.file].FirstChunk), int(m.in.traits[m.file+1].FirstChunk)
		if !j.asked.words.AsksFor(rank.Test) {
			end = min(end, seg.TestsFrom(m.file))
		}
		c, known := likeness.Nearest(part, asked[seg.Snap], first, end)
		cosines[i] = -1
		if known {
			cosines[i] = c
			least = min(least, c)
		}
	}
	for i, m := range best {
		if cosines[i] < 0 || labPlain > 0 && !m.in.isPlain(m.file) {
			continue
		}
		m.near = w * (cosines[i] - least)
		m.score += m.near
	}
	return nil
}
