package render

import (
	"fmt"
	"strings"

	"espy/internal/across"
	"espy/internal/locate"
)

// searchedIn names the repositories of an answer, with those that it does not concern.
func searchedIn(in *across.Searched) string {
	text := searched(in.Repos)
	if n := len(in.Apart); n > 0 {
		text += fmt.Sprintf(", %d more without a part in it", n)
	}
	return text
}

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

// over returns the options for an answer over several repositories: next calls ask
// about the same ones, or read in the one that a path names.
func (o Options) over(in *across.Searched) Options {
	if in.Several {
		o.among = in
	}
	return o
}

// called are the arguments of a next call after an answer over several repositories.
func (o Options) called(tool string, args []arg) []arg {
	for i, a := range args {
		text, ok := a.value.(string)
		if !ok || a.name != "path" && a.name != "symbol" && a.name != "what" && a.name != "at" {
			continue
		}
		for _, r := range o.among.Repos {
			if rest, ok := strings.CutPrefix(text, r.Repo+":"); ok && a.name == "path" {
				args = append([]arg{}, args...)
				args[i].value = rest
				return append(args, arg{"repo", r.Repo})
			}
		}
	}
	return append(args, arg{"repo", o.all()})
}

// all is the repo argument that asks several again.
func (o Options) all() string {
	if o.Repo != "" {
		return o.Repo
	}
	return "all"
}

// lateNotes name the repositories that could not answer.
func lateNotes(in *across.Searched) (all []string) {
	for _, late := range in.Late {
		all = append(all, "note: not in the answer: "+clean(late))
	}
	return all
}

// repoStateJSON is a repository of an answer over several.
type repoStateJSON struct {
	Repo      string        `json:"repo"`
	Freshness freshnessJSON `json:"freshness"`
}

// severalJSON are the repositories of an answer over several.
type severalJSON struct {
	Repos []repoStateJSON `json:"repos"`
	Apart []string        `json:"not_concerned,omitempty"` // repositories that were asked, and have no part in it
	Late  []string        `json:"unanswered,omitempty"`    // repositories that could not answer, with the reason
}

func newSeveralJSON(s *across.Searched) *severalJSON {
	if !s.Several {
		return nil
	}
	v := &severalJSON{Repos: []repoStateJSON{}, Apart: s.Apart, Late: s.Late}
	for _, r := range s.Repos {
		v.Repos = append(v.Repos, repoStateJSON{r.Repo, freshnessJSON(r.Freshness)})
	}
	return v
}

// definitionsIn are the JSON forms of definitions, each with its repository.
func definitionsIn(in *across.Searched, list []locate.Definition) []definitionJSON {
	all := make([]definitionJSON, len(list))
	for i := range list {
		repo, path := repoOf(in, list[i].Path)
		all[i] = newDefinitionJSON(repo, &list[i])
		all[i].Path, all[i].PathQuoted = path, quotedIfBroken(path)
	}
	return all
}
