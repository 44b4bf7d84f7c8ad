package deps

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"espy/internal/packages"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// CutRepo takes the name of a package and a path in it apart, as CutRef does; the path
// is empty where the name stands alone.
func CutRepo(text string) (ref, path string, ok bool) { return packages.CutRef(text) }

// maxPlaces is how many files are named that a path may mean.
const maxPlaces = 5

// At finds what a path means in the packages that the repository of a question uses: a
// path with the name of its package in front, as answers print it or as imports write
// it, or one that a single package has. In another scope it is the repository and the path.
func (q Question) At(ctx context.Context, p string) (r *workspace.Repo, rest string, err error) {
	deep, err := q.InPackages()
	if err != nil || !deep {
		return q.Repos[0], p, err
	}
	ref, rest, ok := packages.CutRef(p)
	if !ok {
		if ref, rest, err = q.place(ctx, p); err != nil {
			return nil, "", err
		}
	}
	r, err = q.Library.Find(ctx, ref)
	return r, rest, err
}

// place is the package that has a path, and the path in it.
func (q Question) place(ctx context.Context, p string) (ref, rest string, err error) {
	a := &asked{Question: q}
	used, err := a.members(ctx)
	if err != nil {
		return "", "", err
	}
	file, lines := cutLines(path.Clean(p))
	if m, rest := imported(used, file); m != nil {
		return m.repo.Name(), rest + lines, nil
	}
	var has []string
	for _, m := range used {
		err := m.repo.Look(ctx, a.Wait, func(s *store.Snapshot) error {
			if _, _, ok := s.Find(file); ok {
				has = append(has, m.repo.Name())
			}
			return nil
		})
		if err != nil {
			return "", "", err
		}
	}
	if len(has) == 1 {
		return has[0], file + lines, nil
	}
	return "", "", unclear(p, file, has)
}

// cutLines takes lines or a symbol off a path.
func cutLines(p string) (file, lines string) {
	if i := strings.IndexAny(p, ":#"); i > 0 {
		return p[:i], p[i:]
	}
	return p, ""
}

// imported is the package whose name a path begins with, the longest such name.
func imported(used []member, file string) (best *member, rest string) {
	used = slices.Clone(used)
	slices.SortStableFunc(used, func(x, y member) int { return cmp.Compare(len(y.of.Name), len(x.of.Name)) })
	for i := range used {
		if rest, ok := strings.CutPrefix(file+"/", used[i].of.Name+"/"); ok {
			return &used[i], strings.TrimSuffix(rest, "/")
		}
	}
	return nil, ""
}

// unclear refuses a path that no package has, or several.
func unclear(p, file string, has []string) error {
	e := &usage.Error{Arg: "path", Value: p, Msg: "no package that the repository uses has that file", Hint: "files with scope deps lists them; write deps/ECOSYSTEM/NAME@VERSION:PATH"}
	if len(has) == 0 {
		return e
	}
	e.Msg = fmt.Sprintf("%d packages have that file", len(has))
	for i, name := range has {
		has[i] = name + ":" + file
	}
	e.Hint = "name one: " + strings.Join(has[:min(len(has), maxPlaces)], ", ")
	return e
}
