package render

import (
	"strings"

	"espy/internal/across"
)

// repoOf tells the repository of a path of an answer, and the path in it.
func repoOf(in *across.Searched, path string) (repo, rest string) {
	if !in.Several {
		return in.All().Repo, path
	}
	rest = path
	for _, r := range in.Repos {
		if after, ok := strings.CutPrefix(path, r.Repo+":"); ok && len(r.Repo) > len(repo) {
			repo, rest = r.Repo, after
		}
	}
	return repo, rest
}
