package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/framework/written"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// Meant are the symbols that the last name in an argument means.
func (f *Finder) Meant(id corpus.FileID, a written.Argument) (all []corpus.Ref) {
	uses := f.UsesIn(id, a)
	if len(uses) == 0 {
		return nil
	}
	for _, m := range f.Define(id, uses[len(uses)-1]) {
		all = append(all, m.Ref)
	}
	return all
}

// IsValue reports whether an argument is a name of a parameter, or of a variable of a
// value that is not known to be made by a call.
func (f *Finder) IsValue(id corpus.FileID, a written.Argument) bool {
	if !written.IsChain(a.Text) {
		return false
	}
	all := f.Meant(id, a)
	return len(all) > 0 && !slices.ContainsFunc(all, func(r corpus.Ref) bool {
		d := f.Symbol(r)
		return d.Kind != code.KindParam && (d.Kind.IsFunc() || d.Kind.IsType() || d.Type != facts.None && f.File(r.File).Expr(int(d.Type)).Op != facts.OpLiteral)
	})
}

// Routers are the symbols that an argument gets its routes from: a router, or a
// function that makes one or that is given one.
func (f *Finder) Routers(s *Site, a written.Argument) (all []Target) {
	a = written.Included(a)
	for _, u := range slices.Backward(f.UsesIn(s.File, written.LeadingChain(a))) {
		if f.Corpus.Family(s.File) == corpus.Rust && f.Use(s.File, u).Name == "new" {
			return nil // of a type: what it makes has no routes yet
		}
		for _, m := range f.Define(s.File, u) {
			all = append(all, Target{m.Ref, m.Confidence})
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// Located is an argument in a file.
type Located struct {
	written.Argument
	File corpus.FileID
}

// Looped are the values that an argument has which a loop round a site goes through: a
// name of its head, or a field of one.
func (f *Finder) Looped(s *Site, a written.Argument) (all []Located) {
	name, field, _ := strings.Cut(a.Text, ".")
	if !written.IsChain(a.Text) || strings.Contains(field, ".") {
		return nil
	}
	if u := f.File(s.File).UseAt(uint32(a.From)); u != facts.None && f.Use(s.File, u).Bind == facts.BindSymbol {
		if k := f.Symbol(corpus.Ref{File: s.File, Index: f.Use(s.File, u).Target}).Kind; k.IsFunc() || k.IsType() {
			return nil
		}
	}
	over, ok := written.LoopOver(s.Text, s.At, name)
	if !ok {
		return nil
	}
	if field == "" {
		field = over.Field
	}
	id, list := s.File, written.Listed(over.List)
	if len(list) == 1 && list[0] == over.List { // a name of a list
		for _, d := range f.Meant(s.File, over.List) {
			if text, err := f.Text(d.File); err == nil {
				id, list = d.File, written.Listed(written.LongValue(text, int(f.Symbol(d).At)+len(f.Symbol(d).Name)))
			}
		}
	}
	for _, element := range list {
		if one, ok := written.Part(element, over.Part, field); ok {
			all = append(all, Located{one, id})
		}
	}
	return all
}

// scripts are the ends of the paths of modules of JavaScript that a text may leave out.
var scripts = []string{"", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx", "/index.js", "/index.ts"}

// Module are the files that an argument gets its routes from where it names a module:
// require('./users').
func (f *Finder) Module(id corpus.FileID, a written.Argument) (all []corpus.FileID) {
	name, ok := written.Required(a.Text)
	if !ok {
		uses := f.UsesIn(id, a)
		if len(uses) != 1 || f.Use(id, uses[0]).Bind != facts.BindImport || len(f.Define(id, uses[0])) > 0 {
			return nil
		}
		name = f.File(id).Import(int(f.Use(id, uses[0]).Target)).Module
	}
	if !strings.HasPrefix(name, ".") {
		return nil
	}
	whole := path.Join(path.Dir(f.Corpus.Path(id)), name)
	for _, end := range scripts {
		if found, ok := f.Corpus.Find(whole + end); ok {
			return []corpus.FileID{found}
		}
	}
	return nil
}

// Passed is what a call passes to a parameter.
type Passed struct {
	File  corpus.FileID
	Use   int          // of the last name of the call that is passed; facts.None where a name alone is
	Meant []corpus.Ref // what a name alone means
}

// maxUses bounds the uses of the name of a function that are looked at for its calls.
const maxUses = 2000

// Passed lists what calls of a function pass to its parameter of an index, those of
// the first few calls.
func (f *Finder) Passed(fn corpus.Ref, index, most int) (all []Passed) {
	params := f.Parameters(fn)
	name := f.Symbol(params[index]).Name
	if f.extends(fn) {
		index--
	}
	if first := params[0]; index > 0 && (f.Symbol(first).Name == "self" || f.Symbol(first).Name == "cls") {
		index--
	}
	uses := f.Reader.Uses(f.Symbol(fn).Name)
	for _, u := range uses[:min(len(uses), maxUses)] {
		if len(all) == most || f.Late() {
			break
		}
		use := f.Use(u.File, int(u.Index))
		if use.Role != facts.RoleCall || !slices.ContainsFunc(f.Define(u.File, int(u.Index)), func(m resolve.Meaning) bool { return m.Ref == fn }) {
			continue
		}
		text, err := f.Text(u.File)
		if err != nil {
			continue
		}
		if index < 0 {
			all = append(all, Passed{File: u.File, Use: int(u.Index)})
			continue
		}
		list, _, _ := written.Arguments(text, int(use.At)+len(use.Name))
		if a, ok := written.At(list, written.Position{Index: index, Name: name}); ok {
			all = append(all, f.passed(u.File, a))
		}
	}
	return all
}

// extends reports whether a function is an extension of C#: what it is called on is
// passed to its first parameter.
func (f *Finder) extends(fn corpus.Ref) bool {
	head := f.Symbol(fn)
	text, err := f.Text(fn.File)
	return err == nil && f.Corpus.Family(fn.File) == corpus.CSharp && int(head.SigEnd) <= len(text) && bytes.Contains(text[head.At:head.SigEnd], []byte("(this "))
}

func (f *Finder) passed(id corpus.FileID, a written.Argument) Passed {
	p := Passed{File: id, Use: facts.None}
	if written.IsChain(strings.TrimLeft(a.Text, "&*")) {
		p.Meant = f.Meant(id, a)
		return p
	}
	chain := written.LastCall(a)
	p.Use = f.File(id).UseAt(uint32(chain))
	return p
}

// Target is a symbol with how certain it is meant.
type Target struct {
	corpus.Ref
	Confidence facts.Confidence
}

// MaxTargets bounds the symbols or files that one place leads to.
const MaxTargets = 3
