package impact

import (
	"context"
	"slices"

	"espy/internal/code"
	"espy/internal/deps"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

// inPackage reports whether a request is about what a package declares: by its scope,
// or since it names one.
func inPackage(q *deps.Question, req *Request) (bool, error) {
	if _, _, ok := deps.CutRef(place.ParseName(req.What)); ok && q.Scope == "" && len(q.Repos) == 1 {
		q.Scope = code.ScopeDeps
	}
	return q.InPackages()
}

// findDeep finds what a change of a package affects in the repository that uses it, on
// the way there in packages, and which tests of the repository to run.
func findDeep(ctx context.Context, q deps.Question, req Request) (*Impact, error) {
	if req.What == "" {
		return nil, &usage.Error{Arg: "scope", Value: string(code.ScopeDeps), Msg: "asks about what a package declares", Hint: "name a symbol, a file or lines of a package, as deps/go/NAME@VERSION:PATH#SYMBOL; leave it out for changes of the repository"}
	}
	f := &finder{req: &req, several: true, deep: true}
	in, err := q.Explore(ctx, locate.Target{Name: place.ParseName(req.What)}, func(ctx context.Context, t locate.Target, x *nav.Index) (paths []string, err error) {
		req.What = t.Name
		if err := f.find(ctx, nil, x, nil); err != nil {
			return nil, err
		}
		return f.answer.paths(), nil
	})
	if err != nil {
		return nil, err
	}
	f.answer.In = in
	return f.answer, nil
}

// paths are those of the files of an answer.
func (a *Impact) paths() (all []string) {
	for i := range a.Changed {
		all = append(all, a.Changed[i].Path)
	}
	for i := range a.Candidates {
		all = append(all, a.Candidates[i].Path)
	}
	for i := range a.Files {
		all = append(all, a.Files[i].Path)
	}
	return all
}

// isHere reports whether a file is one of a repository that was asked about, and none of
// a package that it uses.
func (f *finder) isHere(id corpus.FileID) bool { return !f.deep || f.ask.Corpus.Home(id) == 0 }

// inPackages leaves the symbols of packages, where these are asked about.
func (f *finder) inPackages(groups [][]corpus.Ref) [][]corpus.Ref {
	if !f.deep {
		return groups
	}
	return slices.DeleteFunc(groups, func(g []corpus.Ref) bool { return f.isHere(g[0].File) })
}
