package route

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/rails"
	"espy/internal/links/framework/site"
	"espy/internal/resolve/corpus"
)

// Drawn are the routes of a file that draws those of Rails, and of those that it
// draws in its turn.
func (p *Prefixes) Drawn(s *site.Site) (all []edge.Link, failed error) {
	f := p.f
	folder := path.Dir(f.Corpus.Path(s.File))
	files := map[string]corpus.FileID{"": s.File}
	of, err := p.engine(rails.DrawnOf(s.Text, s.At))
	if err != nil {
		return nil, err
	}
	routes := rails.Routes(s.Text, s.End, of, func(name string) []byte {
		id, ok := f.Corpus.Find(path.Join(folder, "routes", name+".rb"))
		if !ok {
			return nil
		}
		files[name] = id
		text, err := f.Text(id)
		failed = cmp.Or(failed, err)
		return text
	})
	actions := actionsOf(f, folder)
	for i := range routes {
		r := &routes[i]
		if f.Late() {
			break
		}
		all = append(all, drawnLinks(r, files[r.File], actions)...)
	}
	return all, failed
}

// engine is what stands before the routes of an engine: what its class says, and where
// a file of routes mounts it.
func (p *Prefixes) engine(name string) (of rails.Engine, err error) {
	if name == "" {
		return of, nil
	}
	f := p.f
	for _, d := range f.Ask.Find(name) {
		text, err := f.Text(d.File)
		if err != nil {
			return of, err
		}
		of.Module = cmp.Or(of.Module, rails.ModuleOf(text))
	}
	for id := range corpus.FileID(f.Corpus.NumFiles()) {
		if at := f.Corpus.Path(id); !strings.HasSuffix(at, "config/routes.rb") {
			continue
		}
		text, err := f.Text(id)
		if err != nil {
			return of, err
		}
		if at, ok := rails.MountedAt(text, name); ok {
			of.Path = at
			break
		}
	}
	return of, nil
}

// drawnLinks are the links of a route of Rails.
func drawnLinks(r *rails.Route, id corpus.FileID, actions *actions) []edge.Link {
	l := edge.Link{
		Kind: edge.Route, Key: strings.TrimLeft(r.Verb+" "+r.Path, " "), Role: edge.Handles, By: "Rails", Line: int(actions.File(id).Line(uint32(r.At))),
		At: corpus.Ref{File: id, Index: int32(actions.File(id).Enclosing(uint32(r.At)))}, To: corpus.Ref{File: id, Index: facts.None},
	}
	if r.Filled {
		l.Confidence = facts.Likely
	}
	if r.Controller == "" {
		l.Reason = "which action answers is not written"
		if r.Other != "" {
			l.Reason = "answered by " + r.Other
		}
		return []edge.Link{l}
	}
	to, isAction := actions.of(r.Controller, r.Action)
	switch {
	case len(to) == 0:
		l.Reason = "handled by " + r.Controller + "#" + r.Action + ", which no file declares"
		return []edge.Link{l}
	case !isAction:
		l.Reason, l.Confidence = "the controller of "+r.Action+", which it does not declare", max(l.Confidence, facts.Likely)
	}
	all := make([]edge.Link, len(to))
	for i, d := range to {
		l.To = d
		all[i] = l
	}
	return all
}

// actions finds the actions of controllers.
type actions struct {
	*site.Finder
	app   string // the folder of the controllers that the routes are nearest to
	known map[string][]corpus.Ref
}

// actionsOf are those that the routes in a folder lead to.
func actionsOf(f *site.Finder, folder string) *actions {
	return &actions{f, path.Join(path.Dir(folder), "app/controllers") + "/", map[string][]corpus.Ref{}}
}

// of finds an action: by the path that Rails loads its controller from, in the
// application of the routes before others. isAction is false where only the
// controller is found: its action is of a module, or a template alone.
func (a *actions) of(controller, action string) (to []corpus.Ref, isAction bool) {
	classes, ok := a.known[controller]
	if !ok {
		classes = a.classes(controller)
		a.known[controller] = classes
	}
	for _, c := range classes {
		to = append(to, a.Members(c, action)...)
	}
	if len(to) > 0 {
		return to[:min(len(to), site.MaxTargets)], true
	}
	return classes, false
}

// classes are the controllers of a name.
func (a *actions) classes(controller string) (all []corpus.Ref) {
	file := controller + "_controller.rb"
	name := strings.ReplaceAll(path.Base(controller), "_", "") + "controller"
	if id, ok := a.Corpus.Find(a.app + file); ok {
		return a.classIn(id, name)
	}
	for id := range corpus.FileID(a.Corpus.NumFiles()) {
		if strings.HasSuffix(a.Corpus.Path(id), "/controllers/"+file) {
			all = append(all, a.classIn(id, name)...)
		}
	}
	slices.SortFunc(all, func(x, y corpus.Ref) int { return cmp.Compare(x.File, y.File) })
	return all[:min(len(all), site.MaxTargets)]
}

// classIn is the class of a file whose name is a text, in any case.
func (a *actions) classIn(id corpus.FileID, name string) []corpus.Ref {
	file := a.File(id)
	for i := range file.NumSymbols() {
		if s := file.BareSymbol(i); s.Kind.IsType() && strings.EqualFold(a.Symbol(corpus.Ref{File: id, Index: int32(i)}).Name, name) {
			return []corpus.Ref{{File: id, Index: int32(i)}}
		}
	}
	return nil
}
