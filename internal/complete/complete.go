// Package complete finds what a person may be typing: the paths and the symbols of
// a repository that begin with a text.
package complete

import (
	"context"
	"slices"
	"strings"

	"espy/internal/files"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Paths are those of the files that begin with a text, at most n, sorted.
func Paths(ctx context.Context, r *workspace.Repo, prefix string, n int, w workspace.Wait) (paths []string, err error) {
	req := files.Request{Paths: []string{files.Escape(prefix) + "**"}, Limit: n}
	list, err := files.Find(ctx, []*workspace.Repo{r}, w, req)
	if err != nil {
		return nil, err
	}
	for _, e := range list.Entries {
		paths = append(paths, e.Path)
	}
	return paths, nil
}

// Symbols are the names that begin with a text, letter case aside, at most n, the
// shortest first; behind the name of a type and a dot those of its members. Without a text
// there are none.
func Symbols(ctx context.Context, r *workspace.Repo, prefix string, n int, w workspace.Wait) (names []string, err error) {
	dot := strings.LastIndexByte(prefix, '.') + 1
	owner, typed := prefix[:dot], strings.ToLower(prefix[dot:])
	_, err = r.Explore(ctx, w, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
		return x.Run(func(a *locate.Ask) error {
			names = slices.DeleteFunc(a.Corpus.Near(prefix[dot:], n), func(name string) bool {
				return !strings.HasPrefix(strings.ToLower(name), typed) || owner != "" && !isMember(a, owner+name)
			})
			return nil
		})
	})
	for i := range names {
		names[i] = owner + names[i]
	}
	return names, err
}

// isMember reports whether Type.name is declared.
func isMember(a *locate.Ask, qualified string) bool {
	return slices.ContainsFunc(a.Named(qualified[strings.LastIndexByte(qualified, '.')+1:]), func(r corpus.Ref) bool {
		_, full, _ := strings.Cut(a.ID(r), "#")
		return full == qualified || strings.HasSuffix(full, "."+qualified)
	})
}
