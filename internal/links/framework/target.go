package framework

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/laravel"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// target finds what a site leads to; ok is false where the site is none, because
// what it must lead to is missing.
func (f *finder) target(s *site.Site) (to []site.Target, reason string, ok bool) {
	switch s.Rule.Target {
	case rules.Itself:
		return nil, "", true
	case rules.Marked:
		d, found := f.Marked(s)
		if found && s.Rule.Kind == edge.Route && f.Symbol(d).Kind.IsType() { // a prefix
			return nil, "", false
		}
		return []site.Target{{Ref: d}}, "marked with " + s.Name, found
	case rules.Holder:
		d, found := f.TypeAt(s)
		return []site.Target{{Ref: d}}, "", found
	case rules.Typed:
		types := f.typeArguments(s)
		if len(types) == 0 {
			return nil, "", false
		}
		return []site.Target{{Ref: types[len(types)-1]}}, "", true
	}
	arg, found := written.At(s.List, s.Rule.Handler)
	switch s.Rule.Target {
	case rules.Beside:
		arg, found = written.Beside(s.Text, s.List, s.End)
	case rules.Behind:
		arg, found = written.ArgumentBehind(s.Text, s.End, "Handler", "HandlerFunc")
	}
	switch {
	case !found:
		return nil, "", false
	case s.Rule.Target == rules.File:
		return f.fileNamed(arg), "a file of that name", true
	}
	return f.function(s, arg)
}

// function finds the function that an argument names or is: the last one that it
// names, which is the innermost where functions are wrapped; of several in one call, one
// that does not wrap. One that is written there belongs to the code that holds the place.
func (f *finder) function(s *site.Site, a written.Argument) (to []site.Target, reason string, ok bool) {
	if strings.HasPrefix(a.Text, "{") { // options of a client
		return nil, "", false
	}
	if s.Rule.In == corpus.PHP {
		if uses, ok := laravel.Uses(a); ok {
			a = uses
		}
	}
	if written.IsInline(a.Text) {
		return nil, "a function written in place", true
	}
	if strings.HasPrefix(a.Text, "include(") {
		return nil, "", false
	}
	if to := f.method(s, a); len(to) > 0 {
		return to, "", true
	}
	if name, _, isText := written.Literal(a.Text); isText && s.Rule.In == corpus.PHP {
		if to := f.prefixes.Action(s, name); len(to) > 0 {
			return to, "", true
		}
		return nil, "handled by " + name + ", which no file declares", s.Sure && strings.Contains(name, "@")
	}
	uses := f.UsesIn(s.File, a)
	for _, u := range slices.Backward(uses) {
		found := f.callable(s.File, u)
		if len(found) > 0 && !f.wraps(found[0].Ref) {
			return found, "", true
		}
		if len(to) == 0 {
			to = found
		}
	}
	if len(to) > 0 {
		return to, "", true
	}
	if len(uses) == 0 {
		return nil, "", false
	}
	last := uses[len(uses)-1]
	if to := f.value(s.File, last); len(to) > 0 {
		return to, "", true
	}
	name := f.Use(s.File, last).Name
	if callee, _, ok := strings.Cut(a.Text, "("); ok && written.IsChain(callee) {
		name = written.LastOf(callee)
	}
	return nil, "handled by " + name + ", which no file declares", s.Sure
}

// wraps reports whether a function takes or gives what answers requests, as those do
// that are put round a handler: use(f.index, requireLogin).
func (f *finder) wraps(d corpus.Ref) bool {
	y := f.Symbol(d)
	text, err := f.Text(d.File)
	from := int(y.At) + len(y.Name)
	return err == nil && y.Kind.IsFunc() && from < int(y.SigEnd) && wrapper().Match(text[from:y.SigEnd])
}

// wrapper are types of what answers requests, in the head of a function.
var wrapper = pattern.New(`\b(?:Handler|HandlerFunc|MiddlewareFunc|RequestHandler)\b`)

// method finds the method that a list of a class and a name stands for:
// [Users::class, 'show'].
func (f *finder) method(s *site.Site, a written.Argument) (to []site.Target) {
	if !strings.HasPrefix(a.Text, "[") {
		return nil
	}
	names := written.Literals(a.Text)
	if len(names) != 1 {
		return nil
	}
	for _, u := range f.UsesIn(s.File, a) {
		for _, m := range f.Define(s.File, u) {
			for _, r := range f.Members(m.Ref, names[0]) {
				to = append(to, site.Target{Ref: r, Confidence: m.Confidence})
			}
		}
	}
	return to[:min(len(to), site.MaxTargets)]
}

// callable are the functions and types that a use may mean.
func (f *finder) callable(id corpus.FileID, use int) (to []site.Target) {
	all := f.Define(id, use)
	for _, m := range all {
		if m.Confidence > all[0].Confidence || len(to) == site.MaxTargets {
			break
		}
		if k := f.Symbol(m.Ref).Kind; k.IsFunc() || k.IsType() && k != code.KindModule {
			to = append(to, site.Target{Ref: m.Ref, Confidence: m.Confidence})
		}
	}
	return to
}

// value is the variable that a use means and other files can mean, such as one that
// holds a wrapped function.
func (f *finder) value(id corpus.FileID, use int) []site.Target {
	all, _ := f.Tell(id, use)
	if len(all) == 0 || f.Symbol(all[0].Ref).Flags&facts.Local != 0 {
		return nil
	}
	return []site.Target{{Ref: all[0].Ref, Confidence: max(all[0].Confidence, facts.Likely)}}
}

// template is a file that can be rendered.
type template struct {
	id         corpus.FileID
	path, stem string // stem is the path without its extensions
}

// fileNamed finds the templates whose paths end in what a text names, with any
// extension where it names none.
func (f *finder) fileNamed(a written.Argument) (to []site.Target) {
	v, _, ok := written.Literal(a.Text)
	if !ok || v == "" {
		return nil
	}
	if f.templates == nil {
		f.templates = f.listTemplates()
	}
	v = strings.TrimPrefix(path.Clean(v), "/")
	dotted := strings.ReplaceAll(v, ".", "/") // as Laravel names them
	for _, t := range f.templates {
		if written.EndsIn(t.path, v) || written.EndsIn(t.stem, v) || written.EndsIn(t.stem, dotted) {
			to = append(to, site.Target{Ref: corpus.Ref{File: t.id, Index: facts.None}, Confidence: facts.Likely})
		}
	}
	return to[:min(len(to), site.MaxTargets)]
}

func (f *finder) listTemplates() []template {
	all := []template{}
	for id := range corpus.FileID(f.Corpus.NumFiles()) {
		if stem, ok := written.Template(f.Corpus.Path(id)); ok {
			all = append(all, template{id, f.Corpus.Path(id), stem})
		}
	}
	return all
}
