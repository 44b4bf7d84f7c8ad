package ranked

import (
	"context"
	"fmt"
	"slices"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/ranked/past"
)

// maxTold is how many paths that commits changed are looked for among the files.
const maxTold = 200

// told is what the commits of the repositories say of the files that match.
type told struct {
	worth map[fileID]float64 // the most of each repository being 1
	older map[string]bool    // repositories that have commits before those
}

// readCommits finds out what the commits say.
func (j *judge) readCommits(ctx context.Context, f *filter.Filter, res *hit.Result) {
	j.told = told{map[fileID]float64{}, map[string]bool{}}
	if j.means.Commits == nil {
		return
	}
	for _, snap := range f.Snaps {
		log, err := j.means.Commits(ctx, snap.Name)
		if err != nil {
			res.Notes = append(res.Notes, fmt.Sprintf("the commits of %s were not looked at: %v", snap.Name, err))
			continue
		}
		most := 0.0
		for _, file := range log.Files(j.asked.words.Terms, maxTold) {
			id, ok := j.find(snap.Name, file.Path)
			if !ok {
				continue
			}
			if most == 0 {
				most = file.Worth
			}
			j.told.worth[id] = file.Worth / most
		}
		j.told.older[snap.Name] = log.Older()
	}
}

// unread says of which repositories the hits have commits for evidence, though older
// ones were not read.
func (t *told) unread(hits []spot) (notes []string) {
	for _, s := range hits {
		repo := s.in.seg.Repo
		note := fmt.Sprintf("the messages of the newest %d commits of %s are evidence; older ones were not read", past.MaxCommits, repo)
		if t.worth[idOf(s.match)] > 0 && t.older[repo] && !slices.Contains(notes, note) {
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
