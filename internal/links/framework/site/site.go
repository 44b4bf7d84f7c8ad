// Package site finds the places where the names of a table of frameworks stand, and
// reads what stands round them: arguments, marks, constants, what a name is a member
// of.
package site

import (
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/written"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// Finder looks for rules rules to the files of one state of a repository.
type Finder struct {
	*locate.Ask
	Reader   *corpus.Reader
	imported map[importKey]bool
	families map[corpus.Family]bool           // those that have files, once that is asked
	modules  map[corpus.Family][]facts.Import // that files import, once that is asked
}

type importKey struct {
	file   corpus.FileID
	module string
}

// New returns a finder for a question.
func New(a *locate.Ask) *Finder {
	return &Finder{Ask: a, Reader: a.Corpus.Reader(), imported: map[importKey]bool{}}
}

// Site is a place where a name of a rule stands.
type Site struct {
	Rule  *rules.Rule
	Name  string
	File  corpus.FileID
	Text  []byte
	At    int   // byte of the name
	In    int32 // the symbol that holds it; facts.None at the top
	List  []written.Argument
	End   int    // byte behind the arguments
	Sure  bool   // the file imports a framework of the rule
	chain string // what the name is a member of: os.environ of os.environ.get
}

// Each calls yield for every site of a rule.
func (f *Finder) Each(r *rules.Rule, yield func(*Site)) error {
	if !f.MayBeUsed(r) {
		return nil
	}
	for _, name := range r.Names {
		if r.Shape == rules.Assigned {
			if err := f.eachDeclared(r, name, yield); err != nil {
				return err
			}
		}
		for _, u := range f.Reader.Uses(name) {
			if f.Late() {
				return nil
			}
			if f.Corpus.Family(u.File) != r.In {
				continue
			}
			use := f.Use(u.File, int(u.Index))
			s := &Site{Rule: r, Name: name, File: u.File, At: int(use.At), In: use.In}
			if err := f.visit(s, yield); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachDeclared calls yield for the declarations of a name, such as that of a field.
func (f *Finder) eachDeclared(r *rules.Rule, name string, yield func(*Site)) error {
	for _, d := range f.Reader.Named(name) {
		if f.Corpus.Family(d.File) != r.In {
			continue
		}
		sym := f.Symbol(d)
		if err := f.visit(&Site{Rule: r, Name: name, File: d.File, At: int(sym.At), In: sym.Parent}, yield); err != nil {
			return err
		}
	}
	return nil
}

// visit reads what stands round a name and calls yield where it is a site.
func (f *Finder) visit(s *Site, yield func(*Site)) error {
	if !f.isUsed(s) {
		return nil
	}
	text, err := f.Text(s.File)
	if err != nil || s.At+len(s.Name) > len(text) {
		return err
	}
	s.Text = text
	s.chain = written.Chain(text, s.At)
	if s.Rule.Of != "" && s.Rule.Of != written.LastOf(s.chain) || s.Rule.Member && s.chain == "" && text[max(0, s.At-1)] != '.' {
		return nil
	}
	if s.Rule.From {
		if _, ok := f.originOf(s); !ok {
			return nil
		}
	}
	if f.shaped(s) {
		yield(s)
	}
	return nil
}

// shaped reports whether a site has the shape of its rule, and reads its arguments.
func (f *Finder) shaped(s *Site) (ok bool) {
	behind := s.At + len(s.Name)
	switch s.Rule.Shape {
	case rules.Called:
		read := written.Arguments
		if s.Rule.Long {
			read = written.LongArguments
		}
		s.List, s.End, ok = read(s.Text, behind)
		if s.Rule.Options {
			s.List = written.Options(s.List)
		}
		return ok && !isMark(s)
	case rules.Marking:
		s.List, s.End, _ = written.Arguments(s.Text, behind)
		if s.Rule.Options {
			s.List = written.Options(s.List)
		}
		return isMark(s)
	case rules.Indexed:
		s.List, s.End, ok = written.Index(s.Text, s.At, behind)
		return ok
	case rules.Assigned:
		a, ok := written.Value(s.Text, behind)
		s.List, s.End = []written.Argument{a}, a.To
		return ok
	case rules.Blocked:
		s.List, s.End, _ = written.Arguments(s.Text, behind)
		return written.BlockEnd(s.Text, s.End) > 0
	case rules.Drawn, rules.Inherited:
		s.End = behind
		return true
	}
	return false
}

// isMark reports whether the name of a site is that of a mark in its language.
func isMark(s *Site) bool {
	if s.Rule.In == corpus.CSharp {
		return written.IsAttribute(s.Text, s.At)
	}
	return written.IsMark(s.Text, s.At)
}

// isUsed reports whether a framework of the rule of a site may be used there: the
// file imports it, or another file of the family does, from which the object may come
// that a route is added to.
func (f *Finder) isUsed(s *Site) bool {
	for _, by := range s.Rule.By {
		if f.imports(s.File, by.Modules) {
			s.Sure = true
			return true
		}
	}
	return slices.ContainsFunc(s.Rule.By, func(by rules.Framework) bool { return f.anywhere(s.Rule.In, by.Modules) })
}

// Told names the framework of a site: the one that its name is a member of, else the
// one that its file imports, else the one that any file imports. Where several may
// be meant it names them all.
func (f *Finder) Told(s *Site) string {
	if len(s.Rule.By) == 1 {
		return s.Rule.By[0].Name
	}
	if by, ok := f.originOf(s); ok {
		return by.Name
	}
	var names []string
	for _, by := range s.Rule.By {
		if s.Sure && f.imports(s.File, by.Modules) || !s.Sure && f.anywhere(s.Rule.In, by.Modules) {
			names = append(names, by.Name)
		}
	}
	return strings.Join(names, " or ")
}

// IsOf reports whether the name of a site is a member of what comes from a framework of
// its rule, as far as its file tells.
func (f *Finder) IsOf(s *Site) bool {
	_, ok := f.originOf(s)
	return ok
}

// originOf is the framework that the name of a site is a member of, as far as its file
// tells.
func (f *Finder) originOf(s *Site) (rules.Framework, bool) {
	m, ok := f.origin(s.File, f.File(s.File).UseAt(uint32(s.At)), maxOrigin)
	if !ok {
		return rules.Framework{}, false
	}
	for _, by := range s.Rule.By {
		if slices.ContainsFunc(by.Modules, func(module string) bool { return brings(m, module) }) {
			return by, true
		}
	}
	return rules.Framework{}, false
}

// Receiver is the use that another is a member of, or of what a call of it gives.
func (f *Finder) Receiver(id corpus.FileID, use int) int {
	if use == facts.None || f.Use(id, use).Bind != facts.BindMember {
		return facts.None
	}
	for expr := f.Use(id, use).Target; expr != facts.None; {
		switch x := f.File(id).Expr(int(expr)); x.Op {
		case facts.OpUse:
			return int(x.X)
		case facts.OpCall, facts.OpValue:
			expr = x.X
		default:
			return facts.None
		}
	}
	return facts.None
}

// IsForeign reports whether the name of a site in a file that imports no framework of
// its rule is a member of what comes from another module, such as a client of HTTP.
func (f *Finder) IsForeign(s *Site) bool {
	if s.Sure || s.Rule.Shape != rules.Called || s.chain == "" {
		return false
	}
	u := f.File(s.File).UseAt(uint32(s.At))
	if u == facts.None {
		return false
	}
	e, outside := f.UsedElsewhere(corpus.Ref{File: s.File, Index: int32(u)})
	return outside && e.From != "" && !slices.ContainsFunc(s.Rule.By, func(by rules.Framework) bool {
		return slices.ContainsFunc(by.Modules, func(m string) bool { return written.Within(e.From, m) })
	})
}

// maxOrigin bounds the steps from a use to the import that it begins with.
const maxOrigin = 12

// origin is the import that a use begins with, as far as its file tells: mux of
// r.Handle where r is mux.NewRouter().
func (f *Finder) origin(id corpus.FileID, use, steps int) (m facts.Import, ok bool) {
	if use == facts.None || steps == 0 {
		return m, false
	}
	file, expr := f.File(id), int32(facts.None)
	switch u := f.Use(id, use); {
	case u.Target == facts.None:
	case u.Bind == facts.BindImport:
		return file.Import(int(u.Target)), true
	case u.Bind == facts.BindMember:
		expr = u.Target
	case u.Bind == facts.BindSymbol:
		expr = f.Symbol(corpus.Ref{File: id, Index: u.Target}).Type
	}
	for ; expr != facts.None && steps > 0; steps-- {
		switch x := file.Expr(int(expr)); x.Op {
		case facts.OpUse:
			return f.origin(id, int(x.X), steps-1)
		case facts.OpSymbol:
			expr = f.Symbol(corpus.Ref{File: id, Index: x.X}).Type
		case facts.OpValue, facts.OpCall, facts.OpElem, facts.OpResult, facts.OpApply:
			expr = x.X
		default:
			return m, false
		}
	}
	return m, false
}

// imports reports whether a file imports one of some modules, or something below
// one.
func (f *Finder) imports(id corpus.FileID, modules []string) bool {
	for _, m := range modules {
		key := importKey{id, m}
		known, ok := f.imported[key]
		if !ok {
			known = f.importing(id, m)
			f.imported[key] = known
		}
		if known {
			return true
		}
	}
	return len(modules) == 0
}

func (f *Finder) importing(id corpus.FileID, module string) bool {
	file := f.File(id)
	for i := range file.NumImports() {
		if brings(file.Import(i), module) {
			return true
		}
	}
	return false
}

// brings reports whether an import is of a module, or of what is below it.
func brings(m facts.Import, module string) bool {
	return written.Within(m.Module, module) || m.Name != "" && written.Within(m.Module+"."+m.Name, module) || written.Within(m.Name, module)
}

// anywhere reports whether any file of a family imports one of some modules.
func (f *Finder) anywhere(in corpus.Family, modules []string) bool {
	for _, m := range modules {
		key := importKey{corpus.FileID(-1 - int(in)), m}
		known, ok := f.imported[key]
		if !ok {
			known = slices.ContainsFunc(f.importsOf(in), func(i facts.Import) bool { return brings(i, m) })
			f.imported[key] = known
		}
		if known {
			return true
		}
	}
	return len(modules) == 0
}

// importsOf are the modules and the names that files of a family import, each once.
func (f *Finder) importsOf(in corpus.Family) []facts.Import {
	if f.modules == nil {
		f.modules = map[corpus.Family][]facts.Import{}
		type imported struct {
			in           corpus.Family
			module, name string
		}
		seen := map[imported]bool{}
		for id := range corpus.FileID(f.Corpus.NumFiles()) {
			family := f.Corpus.Family(id)
			f.Corpus.Imported(id, func(module, name string) {
				if key := (imported{family, module, name}); !seen[key] {
					seen[key] = true
					f.modules[family] = append(f.modules[family], facts.Import{Module: module, Name: name})
				}
			})
		}
	}
	return f.modules[in]
}

// MayBeUsed reports whether a framework of a rule may be used in any file.
func (f *Finder) MayBeUsed(r *rules.Rule) bool {
	return slices.ContainsFunc(r.By, func(by rules.Framework) bool { return f.anywhere(r.In, by.Modules) })
}

// Has reports whether there are files of a family.
func (f *Finder) Has(in corpus.Family) bool {
	if f.families == nil {
		f.families = map[corpus.Family]bool{}
		for id := range corpus.FileID(f.Corpus.NumFiles()) {
			f.families[f.Corpus.Family(id)] = true
		}
	}
	return f.families[in]
}
