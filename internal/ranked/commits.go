package ranked

import (
	"context"
	"fmt"
	"math"
	"slices"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/ranked/past"
)

// maxTold is how many paths that commits changed are looked for among the files.
const maxTold = 200

// What a file gains of which the commits say most, in logits. Who asks for a change speaks
// as commits do.
const (
	gainOfQuestion = 0.6
	gainOfChange   = 2.4
)

// told is what the commits of the repositories say of the files that match.
type told struct {
	worth map[string]map[string]float64 // by repository and path, the most of each repository being 1
	gain  float64                       // what a question gains by the root of that; reports count it otherwise
	older map[string]bool               // repositories that have commits before those
}

// readCommits finds out what the commits say. Of what is called by one name they say
// nothing.
func (j *judge) readCommits(ctx context.Context, f *filter.Filter, res *hit.Result) {
	if j.means.Commits == nil || j.asked.words.Kind != rank.KindText && j.asked.report == nil {
		return
	}
	j.told = told{worth: map[string]map[string]float64{}, older: map[string]bool{}}
	if j.asked.report == nil {
		j.told.gain = gainOfQuestion
		if rank.OpensAsChange(j.asked.text) {
			j.told.gain = gainOfChange
		}
	}
	for _, snap := range f.Snaps {
		log, err := j.means.Commits(ctx, snap.Name)
		if err != nil {
			if j.asked.report != nil || ctx.Err() != nil { // what is so of every question is said of reports, which need them most
				res.Notes = append(res.Notes, fmt.Sprintf("the commits of %s were not looked at: %v", snap.Name, err))
			}
			continue
		}
		worth, most := map[string]float64{}, 0.0
		for _, file := range log.Files(j.asked.words.Terms, maxTold) {
			if most == 0 {
				if _, ok := j.find(snap.Name, file.Path); !ok {
					continue
				}
				most = file.Worth
			}
			worth[file.Path] = file.Worth / most
		}
		j.told.worth[snap.Name], j.told.older[snap.Name] = worth, log.Older()
	}
}

// of returns what the commits say of a file.
func (t *told) of(m *match) float64 { return t.worth[m.in.seg.Repo][string(m.pathText())] }

// gained is what a file gains of a question by that, in logits.
func (t *told) gained(m *match) float64 {
	if t.gain == 0 {
		return 0
	}
	return float64(t.gain * math.Sqrt(t.of(m)))
}

// files returns the files that match of which the commits say something.
func (j *judge) files() (all []fileID) {
	for repo, worth := range j.told.worth {
		for path := range worth {
			if id, ok := j.find(repo, path); ok {
				all = append(all, id)
			}
		}
	}
	return all
}

// unread says of which repositories the hits have commits for evidence, though older
// ones were not read.
func (t *told) unread(hits []spot) (notes []string) {
	for _, s := range hits {
		repo := s.in.seg.Repo
		note := fmt.Sprintf("the messages of the newest %d commits of %s are evidence; older ones were not read", past.MaxCommits, repo)
		if t.gain == 0 && t.of(s.match) > 0 && t.older[repo] && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
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
