// Package spots lists the places of a name in a repository: where symbols of that very
// name are declared, and where they are used. Names in functions (parameters, local
// variables), packages of others and what is only passed on do not count.
package spots

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/label"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Spot is a place where a name stands.
type Spot struct {
	Path         string
	Line, Column int // from 1, in bytes
	Name         string
	Declaration  bool
}

func (s Spot) compare(o Spot) int {
	return cmp.Or(strings.Compare(s.Path, o.Path), cmp.Compare(s.Line, o.Line), cmp.Compare(s.Column, o.Column))
}

// Answer is what was found.
type Answer struct {
	Spots    []Spot   // by path and place
	More     int      // beyond the limit
	Possible int      // further places that may mean it
	Near     []string // names like it, where nothing has it
	Pending  int      // files whose symbols are not known yet
	Left     int      // what was not looked at, because the time was over: at least
}

// Request asks for a name, which may be qualified in the way of any language.
type Request struct {
	Name  string
	Exact bool // of definitions: no names that merely hold the name where nothing has it
	Limit int
	Only  func(path string) bool // which files pass; nil lets all
	Wait  workspace.Wait
}

// Definitions finds where a name is declared. Where nothing has it, what has it as a
// part of its name, in any case, is listed, at most maxLoose.
func Definitions(ctx context.Context, r *workspace.Repo, req Request) (*Answer, error) {
	return ask(ctx, r, req, func(a *asker) error {
		if err := a.declared(); err != nil || len(a.Spots) > 0 || req.Exact {
			return err
		}
		a.loose()
		return nil
	})
}

// maxLoose bounds the declarations that only hold a name.
const maxLoose = 50

// References finds where what has a name is declared and used, as far as that is
// certain or likely.
func References(ctx context.Context, r *workspace.Repo, req Request) (*Answer, error) {
	return ask(ctx, r, req, func(a *asker) error {
		if err := a.declared(); err != nil {
			return err
		}
		if len(a.Spots) == 0 {
			a.Near = a.ask.Near(req.Name)
			return nil
		}
		return a.used()
	})
}

// asker answers one request.
type asker struct {
	*Answer
	req  Request
	ask  *locate.Ask
	anew *nav.Index
	last string // part of the name
}

func ask(ctx context.Context, r *workspace.Repo, req Request, work func(*asker) error) (found *Answer, err error) {
	_, err = r.Explore(ctx, req.Wait, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
		return x.Run(func(a *locate.Ask) error {
			found = &Answer{Pending: x.Pending()}
			k := &asker{Answer: found, req: req, ask: a, anew: x}
			if parts := facts.SplitName(req.Name); len(parts) > 0 {
				k.last = parts[len(parts)-1]
			}
			if err := work(k); err != nil {
				return err
			}
			k.tidy()
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// tidy sorts the places and takes out repeats; a declaration goes before a use.
func (a *asker) tidy() {
	slices.SortStableFunc(a.Spots, Spot.compare)
	a.Spots = slices.CompactFunc(a.Spots, func(x, y Spot) bool { return x.compare(y) == 0 })
	shown := a.Spots[:min(len(a.Spots), a.req.Limit)]
	a.More, a.Spots = len(a.Spots)-len(shown), shown
}

// declared adds the declarations of the very name.
func (a *asker) declared() error {
	for _, ref := range a.ask.Find(a.req.Name) {
		if s := a.ask.Symbol(ref); s.Name == a.last {
			a.add(ref, s)
		}
	}
	if len(a.Spots) > 0 {
		return nil
	}
	all, err := a.ask.ByLine(a.last)
	for _, o := range all {
		if o.Name != a.last || a.ask.Corpus.Class(o.File).Has(code.ClassVendor) {
			continue
		}
		line, err := a.ask.LineDefinition(o, false)
		if err != nil {
			return err
		}
		a.put(Spot{Path: line.Path, Line: line.Line, Column: max(line.Column, 1), Name: o.Name, Declaration: true})
	}
	return err
}

// add adds a declaration, if it counts.
func (a *asker) add(ref corpus.Ref, s *facts.Symbol) {
	if !label.Solid(s) || s.Flags&facts.Reexport != 0 || a.ask.Corpus.Class(ref.File).Has(code.ClassVendor) {
		return
	}
	at := a.ask.File(ref.File).Symbol(int(ref.Index))
	a.put(Spot{Path: a.ask.Corpus.Path(ref.File), Line: int(at.Line), Column: int(at.Column), Name: s.Name, Declaration: true})
}

// put adds a place, if its file passes.
func (a *asker) put(s Spot) {
	if a.req.Only == nil || a.req.Only(s.Path) {
		a.Spots = append(a.Spots, s)
	}
}

// loose adds the declarations whose names hold the name.
func (a *asker) loose() {
	part := strings.ToLower(a.last)
	for f := range a.ask.Corpus.Files() {
		if a.ask.Late() {
			a.Left++
			return
		}
		file := a.ask.File(f)
		for i := range file.NumSymbols() {
			if bare := file.BareSymbol(i); bare.Kind == code.KindParam || bare.Kind == code.KindTypeParam || bare.Flags&facts.Local != 0 {
				continue
			}
			ref := corpus.Ref{File: f, Index: int32(i)}
			if s := a.ask.Symbol(ref); part != "" && strings.Contains(strings.ToLower(s.Name), part) {
				a.add(ref, s)
			}
		}
	}
	slices.SortStableFunc(a.Spots, Spot.compare)
	if n := len(a.Spots); n > maxLoose {
		a.Spots = a.Spots[:maxLoose]
		a.Left += n - maxLoose
	}
}

// used adds the uses of what has the name.
func (a *asker) used() error {
	res, err := a.anew.References(nav.ReferencesRequest{Target: locate.Target{Name: a.req.Name}, Limit: locate.MaxLimit, Union: true})
	if err != nil {
		return err
	}
	a.Possible, a.Left = res.Possible, res.Left
	for _, f := range res.Files {
		for _, r := range f.References {
			a.put(Spot{Path: f.Path, Line: r.Line, Column: r.Column, Name: r.Name, Declaration: r.Declaration})
		}
	}
	return nil
}
