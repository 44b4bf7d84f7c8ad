package across

import (
	"slices"
	"strings"

	"espy/internal/workspace"
)

// List finds the repositories of a text that names one, or several with commas. A name
// with a comma is tried whole first.
func List(text string, find func(name string) (*workspace.Repo, error)) (all []*workspace.Repo, err error) {
	r, err := find(text)
	if err == nil || !strings.Contains(text, ",") {
		return []*workspace.Repo{r}, err
	}
	for name := range strings.SplitSeq(text, ",") {
		if r, err = find(strings.TrimSpace(name)); err != nil {
			return nil, err
		}
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all, nil
}
