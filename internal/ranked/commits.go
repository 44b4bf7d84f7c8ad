package ranked

import (
	"context"
	"fmt"

	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/ranked/past"
)

// readCommits finds out what the commits of the repositories say of the files that match.
// Of what is called by one name they say nothing. What is so of every question is noted for
// reports, which need commits most.
func (j *judge) readCommits(ctx context.Context, f *filter.Filter, res *hit.Result) {
	report := j.asked.report != nil
	if j.means.Commits == nil || j.asked.words.Kind != rank.KindText && !report {
		return
	}
	j.told = past.Of(report, j.asked.change, j.asked.words.AsksFor(rank.Test))
	for _, snap := range f.Snaps {
		log, err := j.means.Commits(ctx, snap.Name)
		if err == nil {
			j.told.Add(snap.Name, log, j.asked.words.Terms, func(path string) (class code.Class, ok bool) {
				f, ok := j.find(snap.Name, path)
				if ok {
					class = j.parts[f.segment].traits[f.file].Class
				}
				return class, ok
			})
		} else if report || ctx.Err() != nil {
			res.Notes = append(res.Notes, fmt.Sprintf("the commits of %s were not looked at: %v", snap.Name, err))
		}
	}
}

// find returns the file of a path, where it may be found.
func (j *judge) find(repo, path string) (fileID, bool) {
	for i := range j.parts {
		s := j.parts[i].seg
		if s.Repo != repo {
			continue
		}
		if file, ok := s.FindPath(path); ok && s.Alive(file) {
			return fileID{i, file}, j.chosen.allows(s, file)
		}
	}
	return fileID{}, false
}

// gained is what a match gains of a question by what commits say, in logits.
func (j *judge) gained(m *match) float64 { return j.told.Gain(m.in.seg.Repo, m.pathText(), m.class()) }

// lowered is by how much a match is lowered, in logits.
func (j *judge) lowered(m *match) float64 {
	if j.asked.change && m.class()&code.ClassDocs != 0 && rank.IsChangeLog(m.path()) && !j.asked.words.AsksFor(rank.Docs) {
		return rank.ChangeLogLess
	}
	return 0
}
