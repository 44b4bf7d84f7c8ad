package framework

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// meant is a symbol with how certain it is meant.
type meant struct {
	corpus.Ref
	Confidence facts.Confidence
}

// maxMeant bounds the symbols or files that one place leads to.
const maxMeant = 3

// target finds what a site leads to; ok is false where the site is none, because
// what it must lead to is missing.
func (f *finder) target(s *site) (to []meant, reason string, ok bool) {
	switch s.rule.target {
	case itself:
		return nil, "", true
	case marked:
		d, found := f.marked(s)
		if found && s.rule.kind == Route && f.Symbol(d).Kind.IsType() { // a prefix
			return nil, "", false
		}
		return []meant{{Ref: d}}, "marked with " + s.name, found
	case holder:
		d, found := f.typeAt(s)
		return []meant{{Ref: d}}, "", found
	case typed:
		types := f.typeArguments(s)
		if len(types) == 0 {
			return nil, "", false
		}
		return []meant{{Ref: types[len(types)-1]}}, "", true
	}
	arg, found := written.At(s.list, s.rule.handler)
	switch {
	case !found:
		return nil, "", false
	case s.rule.target == file:
		return f.fileNamed(arg), "a file of that name", true
	}
	return f.function(s, arg)
}

// function finds the function that an argument names or is: the last one that it
// names, which is the innermost where functions are wrapped. One that is written
// there belongs to the code that holds the place.
func (f *finder) function(s *site, a written.Argument) (to []meant, reason string, ok bool) {
	if strings.HasPrefix(a.Text, "{") { // options of a client
		return nil, "", false
	}
	if written.IsInline(a.Text) {
		return nil, "a function written in place", true
	}
	if included().MatchString(a.Text) {
		return nil, "", false
	}
	if to := f.method(s, a); len(to) > 0 {
		return to, "", true
	}
	if name, _, isText := written.Literal(a.Text); isText && s.rule.in == corpus.PHP {
		to := f.action(s, name)
		return to, "", len(to) > 0
	}
	uses := f.usesIn(s.file, a)
	for _, u := range slices.Backward(uses) {
		if to := f.callable(s.file, u); len(to) > 0 {
			return to, "", true
		}
	}
	if len(uses) == 0 {
		return nil, "", false
	}
	last := uses[len(uses)-1]
	if to := f.value(s.file, last); len(to) > 0 {
		return to, "", true
	}
	name := f.Use(s.file, last).Name
	if callee, _, ok := strings.Cut(a.Text, "("); ok && written.IsChain(callee) {
		name = written.LastOf(callee)
	}
	return nil, "handled by " + name + ", which no file declares", s.sure
}

// method finds the method that a list of a class and a name stands for:
// [Users::class, 'show'].
func (f *finder) method(s *site, a written.Argument) (to []meant) {
	if !strings.HasPrefix(a.Text, "[") {
		return nil
	}
	names := written.Literals(a.Text)
	if len(names) != 1 {
		return nil
	}
	for _, u := range f.usesIn(s.file, a) {
		for _, m := range f.Define(s.file, u) {
			for _, r := range f.Members(m.Ref, names[0]) {
				to = append(to, meant{r, m.Confidence})
			}
		}
	}
	return to[:min(len(to), maxMeant)]
}

// usesIn are the uses in an argument.
func (f *finder) usesIn(id corpus.FileID, a written.Argument) (uses []int) {
	file := f.File(id)
	for i := file.UsesFrom(uint32(a.From)); i < file.NumUses() && int(f.Use(id, i).At) < a.To; i++ {
		if f.Use(id, i).Name != "as_view" { // of Django: the view is the type
			uses = append(uses, i)
		}
	}
	return uses
}

// callable are the functions and types that a use may mean.
func (f *finder) callable(id corpus.FileID, use int) (to []meant) {
	all := f.Define(id, use)
	for _, m := range all {
		if m.Confidence > all[0].Confidence || len(to) == maxMeant {
			break
		}
		if k := f.Symbol(m.Ref).Kind; k.IsFunc() || k.IsType() && k != code.KindModule {
			to = append(to, meant{m.Ref, m.Confidence})
		}
	}
	return to
}

// value is the variable that a use means and other files can mean, such as one that
// holds a wrapped function.
func (f *finder) value(id corpus.FileID, use int) []meant {
	all, _ := f.Tell(id, use)
	if len(all) == 0 || f.Symbol(all[0].Ref).Flags&facts.Local != 0 {
		return nil
	}
	return []meant{{all[0].Ref, max(all[0].Confidence, facts.Likely)}}
}

// maxBack bounds the declarations before a mark that are looked at for the one whose
// head holds it.
const maxBack = 200

// marked is the declaration that the decorator or annotation of a site marks.
func (f *finder) marked(s *site) (corpus.Ref, bool) {
	file := f.File(s.file)
	first := file.SymbolsFrom(uint32(s.at) + 1)
	for i := first - 1; i >= max(0, first-maxBack); i-- {
		if d := file.BareSymbol(i); int(d.At) > s.at && int(d.End) > s.at && isMarkable(file.Kind(i)) {
			return corpus.Ref{File: s.file, Index: int32(i)}, true
		}
	}
	behind := written.BehindMarks(s.text, s.end) // where marks are no part of a declaration
	for i := file.SymbolsFrom(uint32(behind)); i < file.NumSymbols(); i++ {
		if d := file.BareSymbol(i); isMarkable(file.Kind(i)) {
			return corpus.Ref{File: s.file, Index: int32(i)}, int(d.Start) < behind+maxModifiers
		}
	}
	return corpus.Ref{}, false
}

// maxModifiers bounds the bytes of words such as public before a declaration.
const maxModifiers = 60

func isMarkable(k code.Kind) bool { return k != code.KindParam && k != code.KindTypeParam }

// typeAt is the type that holds a site, or whose head it stands in.
func (f *finder) typeAt(s *site) (corpus.Ref, bool) {
	file := f.File(s.file)
	for i := int32(file.Enclosing(uint32(s.at))); i != facts.None; i = f.Symbol(corpus.Ref{File: s.file, Index: i}).Parent {
		if sym := f.Symbol(corpus.Ref{File: s.file, Index: i}); sym.Kind.IsType() {
			return corpus.Ref{File: s.file, Index: i}, true
		} else if sym.Owner != "" {
			if all := f.Ask.Find(sym.Owner); len(all) > 0 {
				return all[0], true
			}
		}
	}
	return corpus.Ref{}, false
}

// template is a file that can be rendered.
type template struct {
	id         corpus.FileID
	path, stem string // stem is the path without its extensions
}

// fileNamed finds the templates whose paths end in what a text names, with any
// extension where it names none.
func (f *finder) fileNamed(a written.Argument) (to []meant) {
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
		if endsIn(t.path, v) || endsIn(t.stem, v) || endsIn(t.stem, dotted) {
			to = append(to, meant{corpus.Ref{File: t.id, Index: facts.None}, facts.Likely})
		}
	}
	return to[:min(len(to), maxMeant)]
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

// endsIn reports whether the last folders and the name of a path are another.
func endsIn(p, end string) bool { return p == end || strings.HasSuffix(p, "/"+end) }
