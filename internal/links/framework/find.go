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
	keysOf    map[Kind]map[string]bool // what is declared, once that is asked
	links     []Link
}

type importKey struct {
	file   corpus.FileID
	module string
}

func newFinder(a *locate.Ask) *finder {
	return &finder{Ask: a, reader: a.Corpus.Reader(), imported: map[importKey]bool{}}
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

// apply finds the links of one rule.
func (f *finder) apply(r *rule) error {
	switch r.shape {
	case stated:
		return f.eachStated(r)
	case lined:
		return f.eachLine(r)
	case drawn:
		return f.eachDrawn(r)
	}
	return f.each(r, f.link)
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
	if s.rule.of != "" && s.rule.of != written.LastOf(s.chain) {
		return nil
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
		return index(s, behind)
	case assigned:
		return assign(s, behind)
	case drawn:
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

// index reads the key of environ["KEY"], env.KEY.
func index(s *site, behind int) (ok bool) {
	if behind < len(s.text) && s.text[behind] == '[' {
		s.list, s.end, ok = written.Arguments(s.text, behind)
		return ok
	}
	if behind+1 < len(s.text) && s.text[behind] == '.' {
		n := written.NameEnd(string(s.text[behind+1 : min(len(s.text), behind+200)]))
		name := string(s.text[behind+1 : behind+1+n])
		s.end = behind + 1 + n
		if n == 0 || name != strings.ToUpper(name) || s.end < len(s.text) && s.text[s.end] == '(' {
			return false
		}
		s.list = []written.Argument{{From: behind + 1, To: s.end, Text: `"` + name + `"`}}
		return true
	}
	return false
}

// assign reads the key of name = "key".
func assign(s *site, behind int) bool {
	a, ok := written.Value(s.text, behind)
	if !ok {
		return false
	}
	s.list, s.end = []written.Argument{a}, a.To
	return true
}

// link adds the links of a site.
func (f *finder) link(s *site) {
	if f.isForeign(s) {
		return
	}
	if s.rule.verb == resourceVerb {
		f.resource(s)
		return
	}
	to, reason, ok := f.target(s)
	if !ok {
		return
	}
	all := f.keys(s)
	if len(all) == 0 {
		return
	}
	base := Link{
		Kind: s.rule.kind, Role: s.rule.role, By: f.told(s), At: corpus.Ref{File: s.file, Index: s.in}, Line: int(f.File(s.file).Line(uint32(s.at))),
		To: corpus.Ref{File: s.file, Index: facts.None}, Reason: reason,
	}
	for _, key := range all {
		l := base
		l.Key, l.Confidence = key.text, key.confidence
		if !s.sure {
			l.Confidence = max(l.Confidence, facts.Likely)
		}
		if len(to) == 0 {
			f.links = append(f.links, l)
		}
		for _, m := range to {
			l.To, l.Confidence = m.Ref, max(l.Confidence, m.Confidence)
			f.links = append(f.links, l)
		}
	}
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
	if m, ok := f.origin(s.file, f.File(s.file).UseAt(uint32(s.at)), maxOrigin); ok {
		for _, by := range s.rule.by {
			if slices.ContainsFunc(by.modules, func(module string) bool { return brings(m, module) }) {
				return by.name
			}
		}
	}
	var names []string
	for _, by := range s.rule.by {
		if s.sure && f.imports(s.file, by.modules) || !s.sure && f.anywhere(s.rule.in, by.modules) {
			names = append(names, by.name)
		}
	}
	return strings.Join(names, " or ")
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
		return slices.ContainsFunc(by.modules, func(m string) bool { return within(e.From, m) })
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
	return within(m.Module, module) || m.Name != "" && within(m.Module+"."+m.Name, module) || within(m.Name, module)
}

// within reports whether a module is another or stands below it.
func within(module, other string) bool {
	rest, ok := strings.CutPrefix(module, other)
	return ok && (rest == "" || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, `\`) || strings.HasPrefix(rest, "::"))
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
