package deps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/nearest"
	"espy/internal/packages"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Request says which packages to list.
type Request struct {
	Name   string // of a package, or a part of it; empty for all
	All    bool   // also those that only packages ask for
	Limit  int    // 0 for the usual number
	Offset int
}

// Answer is a list of packages.
type Answer struct {
	Request Request
	In      hit.Searched
	Total   int
	Rows    []Row
	Notes   []string // what could not be read
	Direct  int      // of all packages of the repository
	Others  int      // that only packages ask for
	Lacking int      // of both, without sources
}

// Row is a package.
type Row struct {
	packages.Package
	Indexed bool // there is a view of it, or it is indexed with the repository
}

// Limits of a list.
const (
	defaultLimit = 100
	maxLimit     = 1_000
)

// List lists the packages that a repository uses. It reads manifests and lock
// files of the repository, and looks where their sources lie.
func (l *Library) List(ctx context.Context, r *workspace.Repo, req Request, w workspace.Wait) (*Answer, error) {
	if l == nil {
		return nil, errElsewhere
	}
	if req.Limit < 0 || req.Limit > maxLimit || req.Offset < 0 {
		return nil, &usage.Error{Msg: "limit or offset out of range", Hint: fmt.Sprintf("limit 0 to %d, offset 0 or more", maxLimit)}
	}
	if req.Limit == 0 {
		req.Limit = defaultLimit
	}
	list, in, err := l.list(ctx, r, w)
	if err != nil {
		return nil, err
	}
	kept, err := l.kept(ctx)
	if err != nil {
		return nil, err
	}
	a := &Answer{Request: req, In: in, Notes: list.Notes}
	for i := range list.Packages {
		p := &list.Packages[i]
		a.count(p)
		if !req.wants(p) {
			continue
		}
		if a.Total >= req.Offset && len(a.Rows) < req.Limit {
			a.Rows = append(a.Rows, Row{*p, p.Source.Inside != "" || isIndexed(view(kept, p))})
		}
		a.Total++
	}
	if a.Total == 0 && req.Name != "" {
		return nil, noPackage(req.Name, list)
	}
	return a, nil
}

func (a *Answer) count(p *packages.Package) {
	if p.Direct {
		a.Direct++
	} else {
		a.Others++
	}
	if !p.At() {
		a.Lacking++
	}
}

// isIndexed reports whether a package has an index.
func isIndexed(r *workspace.Repo) bool {
	return r != nil && r.Family().Stamp(store.MainView) != (store.Stamp{})
}

// wants reports whether a package is asked for.
func (req *Request) wants(p *packages.Package) bool {
	if req.Name != "" {
		return p.Ref() == req.Name || p.Name == req.Name || strings.Contains(strings.ToLower(p.Name), strings.ToLower(req.Name))
	}
	return req.All || p.Direct
}

func noPackage(name string, list *packages.List) error {
	var names []string
	for i := range list.Packages {
		names = append(names, list.Packages[i].Name)
	}
	hint := "`espy deps --all` lists them"
	if near := nearest.Of(name, names, 3); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return &usage.Error{Msg: fmt.Sprintf("the repository uses no package %q", usage.Shorten(name, 200)), Hint: hint}
}

// list finds the packages of a repository as it is now.
func (l *Library) list(ctx context.Context, r *workspace.Repo, w workspace.Wait) (list *packages.List, in hit.Searched, err error) {
	err = r.Look(ctx, w, func(s *store.Snapshot) error {
		in = hit.Searched{Repo: s.Name, Files: s.Stats().Files, Excluded: s.Left(), Freshness: s.Freshness}
		repository, err := l.repository(r, s)
		if err == nil {
			list = packages.Find(repository, l.places)
		}
		return err
	})
	if err != nil {
		return nil, in, fmt.Errorf("list packages of %s: %w", r.Name(), err)
	}
	return list, in, nil
}

// repository is what is read of a repository.
func (l *Library) repository(r *workspace.Repo, s *store.Snapshot) (in packages.Repository, err error) {
	folders := map[string]bool{}
	cache := &segment.TextCache{}
	s.Each(func(seg, file int) bool {
		p := s.Segments[seg].Reader.File(file).Path
		for d := path.Dir(p); d != "." && !folders[d]; d = path.Dir(d) {
			folders[d] = true
		}
		if !packages.IsRead(p) {
			return true
		}
		text, textErr := s.Segments[seg].Text(file, cache)
		err = errors.Join(err, textErr)
		in.Manifests = append(in.Manifests, packages.File{Path: strings.Clone(p), Text: bytes.Clone(text)})
		return err == nil
	})
	in.Holds = func(folder string) bool {
		_, _, ok := s.Find(folder)
		return ok || folders[folder]
	}
	if !r.Frozen() {
		in.Root = r.Root()
	}
	in.Allowed = l.allowed
	for _, x := range s.Excluded() {
		if !x.Dir && packages.IsRead(x.Path) {
			in.Left = append(in.Left, x.Path+": "+x.Reason.Explain())
		}
	}
	return in, err
}

// allowed refuses a folder that the setting roots does not allow.
func (l *Library) allowed(dir string) error {
	roots := l.of.Options().Roots
	if len(roots) == 0 {
		return nil
	}
	for _, root := range roots {
		if _, ok := code.Below(root, dir); ok {
			return nil
		}
	}
	return errors.New("the setting roots does not allow " + dir)
}

// Add makes and indexes the views of packages that a repository uses: of those of
// a name, or of all.
func (l *Library) Add(ctx context.Context, r *workspace.Repo, req Request, w workspace.Wait) (added []*workspace.Repo, notes []string, err error) {
	list, _, err := l.list(ctx, r, w)
	if err != nil {
		return nil, nil, err
	}
	var chosen []packages.Package
	met := 0
	for i := range list.Packages {
		p := &list.Packages[i]
		if !req.wants(p) {
			continue
		}
		met++
		switch {
		case p.Source.Dir != "":
			chosen = append(chosen, *p)
		case p.Lacks != "" && req.Name != "":
			notes = append(notes, p.Ref()+": "+p.Lacks)
		case p.Source.Inside != "" && req.Name != "":
			notes = append(notes, p.Ref()+": its files are indexed with the repository, in "+p.Source.Inside)
		}
	}
	if met == 0 && req.Name != "" {
		return nil, nil, noPackage(req.Name, list)
	}
	found, late, err := l.ready(ctx, chosen, w)
	for _, m := range found {
		added = append(added, m.repo)
	}
	return added, append(notes, late...), err
}

// Remove drops the views of the packages of a name, of all where it is empty, and
// returns their names.
func (l *Library) Remove(ctx context.Context, name string) (removed []string, err error) {
	w, err := l.workspace()
	if err != nil {
		return nil, err
	}
	all, err := w.Repos(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		if name == "" || r.Name() == name || strings.Contains(r.Name(), "/"+name+"@") {
			if err := w.Remove(ctx, r); err != nil {
				return removed, err
			}
			removed = append(removed, r.Name())
		}
	}
	if len(removed) == 0 && name != "" {
		return nil, l.unknown(ctx, name)
	}
	return removed, nil
}
