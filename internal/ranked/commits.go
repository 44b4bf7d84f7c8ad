package ranked

import (
	"context"
	"fmt"

	"espy/internal/filter"
	"espy/internal/hit"
)

// maxTold is how many paths that commits changed are looked for among the files.
const maxTold = 200

// told returns what the commits of the repositories say of the files that match, the
// most of each repository being 1.
func (j *judge) told(ctx context.Context, f *filter.Filter, res *hit.Result) map[fileID]float64 {
	all := map[fileID]float64{}
	if j.means.Commits == nil {
		return all
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
			all[id] = file.Worth / most
		}
	}
	return all
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
