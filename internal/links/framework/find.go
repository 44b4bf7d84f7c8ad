package framework

import (
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/framework/written"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// finder applies rules to the files of one state of a repository.
type finder struct {
	*locate.Ask
	reader    *corpus.Reader
	imported  map[importKey]bool
	prefixes  *prefixes
	templates []template
	families  map[corpus.Family]bool      // those that have files, once that is asked
	keysOf    map[Kind]map[string]bool    // what is known, once that is asked
	standing  map[corpus.Ref][]corpus.Ref // what is injected for a type
	component map[corpus.Ref]bool         // types whose values a framework makes
	links     []Link
}

type importKey struct {
	file   corpus.FileID
	module string
}

func newFinder(a *locate.Ask) *finder {
	return &finder{Ask: a, reader: a.Corpus.Reader(), imported: map[importKey]bool{}, standing: map[corpus.Ref][]corpus.Ref{}, component: map[corpus.Ref]bool{}, keysOf: map[Kind]map[string]bool{}}
}

// site is a place where a name of a rule stands.
type site struct {
	rule  *rule
	name  string
	file  corpus.FileID
	text  []byte
	at    int   // byte of the name
	in    int32 // the symbol that holds it; facts.None at the top
	list  []written.Argument
	end   int    // byte behind the arguments
	sure  bool   // the file imports a framework of the rule
	chain string // what the name is a member of: os.environ of os.environ.get
}

// each calls yield for every site of a rule.
func (f *finder) each(r *rule, yield func(*site)) error {
	for _, name := range r.names {
		if r.shape == assigned {
			if err := f.eachDeclared(r, name, yield); err != nil {
				return err
			}
		}
		for _, u := range f.reader.Uses(name) {
			if f.Late() {
				return nil
			}
			if f.Corpus.Family(u.File) != r.in {
				continue
			}
			use := f.Use(u.File, int(u.Index))
			s := &site{rule: r, name: name, file: u.File, at: int(use.At), in: use.In}
			if err := f.visit(s, yield); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachDeclared calls yield for the declarations of a name, such as that of a field.
func (f *finder) eachDeclared(r *rule, name string, yield func(*site)) error {
	for _, d := range f.reader.Named(name) {
		if f.Corpus.Family(d.File) != r.in {
			continue
		}
		sym := f.Symbol(d)
		if err := f.visit(&site{rule: r, name: name, file: d.File, at: int(sym.At), in: sym.Parent}, yield); err != nil {
			return err
		}
	}
	return nil
}

// visit reads what stands round a name and calls yield where it is a site.
func (f *finder) visit(s *site, yield func(*site)) error {
	if !f.isUsed(s) {
		return nil
	}
	text, err := f.Text(s.file)
	if err != nil || s.at+len(s.name) > len(text) {
		return err
	}
	s.text = text
	s.chain = written.Chain(text, s.at)
	if s.rule.of != "" && s.rule.of != written.LastOf(s.chain) || s.rule.member && s.chain == "" && text[max(0, s.at-1)] != '.' {
		return nil
	}
	if s.rule.from {
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
func (f *finder) shaped(s *site) (ok bool) {
	behind := s.at + len(s.name)
	switch s.rule.shape {
	case called:
		s.list, s.end, ok = written.Arguments(s.text, behind)
		return ok && !isMark(s)
	case marking:
		s.list, s.end, _ = written.Arguments(s.text, behind)
		return isMark(s)
	case indexed:
		s.list, s.end, ok = written.Index(s.text, s.at, behind)
		return ok
	case assigned:
		a, ok := written.Value(s.text, behind)
		s.list, s.end = []written.Argument{a}, a.To
		return ok
	case blocked:
		s.list, s.end, _ = written.Arguments(s.text, behind)
		return written.BlockEnd(s.text, s.end) > 0
	case drawn, inherited:
		s.end = behind
		return true
	}
	return false
}

// isMark reports whether the name of a site is that of a mark in its language.
func isMark(s *site) bool {
	if s.rule.in == corpus.CSharp {
		return written.IsAttribute(s.text, s.at)
	}
	return written.IsMark(s.text, s.at)
}

// isUsed reports whether a framework of the rule of a site may be used there: the
// file imports it, or another file of the family does, from which the object may come
// that a route is added to.
func (f *finder) isUsed(s *site) bool {
	for _, by := range s.rule.by {
		if f.imports(s.file, by.modules) {
			s.sure = true
			return true
		}
	}
	return slices.ContainsFunc(s.rule.by, func(by framework) bool { return f.anywhere(s.rule.in, by.modules) })
}

// told names the framework of a site: the one that its name is a member of, else the
// one that its file imports, else the one that any file imports. Where several may
// be meant it names them all.
func (f *finder) told(s *site) string {
	if len(s.rule.by) == 1 {
		return s.rule.by[0].name
	}
	if by, ok := f.originOf(s); ok {
		return by.name
	}
	var names []string
	for _, by := range s.rule.by {
		if s.sure && f.imports(s.file, by.modules) || !s.sure && f.anywhere(s.rule.in, by.modules) {
			names = append(names, by.name)
		}
	}
	return strings.Join(names, " or ")
}

// originOf is the framework that the name of a site is a member of, as far as its file
// tells.
func (f *finder) originOf(s *site) (framework, bool) {
	m, ok := f.origin(s.file, f.File(s.file).UseAt(uint32(s.at)), maxOrigin)
	if !ok {
		return framework{}, false
	}
	for _, by := range s.rule.by {
		if slices.ContainsFunc(by.modules, func(module string) bool { return brings(m, module) }) {
			return by, true
		}
	}
	return framework{}, false
}

// receiver is the use that another is a member of, or of what a call of it gives.
func (f *finder) receiver(id corpus.FileID, use int) int {
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

// isForeign reports whether the name of a site in a file that imports no framework of
// its rule is a member of what comes from another module, such as a client of HTTP.
func (f *finder) isForeign(s *site) bool {
	if s.sure || s.rule.shape != called || s.chain == "" {
		return false
	}
	u := f.File(s.file).UseAt(uint32(s.at))
	if u == facts.None {
		return false
	}
	e, outside := f.UsedElsewhere(corpus.Ref{File: s.file, Index: int32(u)})
	return outside && e.From != "" && !slices.ContainsFunc(s.rule.by, func(by framework) bool {
		return slices.ContainsFunc(by.modules, func(m string) bool { return written.Within(e.From, m) })
	})
}

// maxOrigin bounds the steps from a use to the import that it begins with.
const maxOrigin = 12

// origin is the import that a use begins with, as far as its file tells: mux of
// r.Handle where r is mux.NewRouter().
func (f *finder) origin(id corpus.FileID, use, steps int) (m facts.Import, ok bool) {
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
func (f *finder) imports(id corpus.FileID, modules []string) bool {
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

func (f *finder) importing(id corpus.FileID, module string) bool {
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
func (f *finder) anywhere(in corpus.Family, modules []string) bool {
	for _, m := range modules {
		key := importKey{corpus.FileID(-1 - int(in)), m}
		known, ok := f.imported[key]
		if !ok {
			for id := range f.Corpus.NumFiles() {
				if id := corpus.FileID(id); f.Corpus.Family(id) == in && f.importing(id, m) {
					known = true
					break
				}
			}
			f.imported[key] = known
		}
		if known {
			return true
		}
	}
	return false
}
