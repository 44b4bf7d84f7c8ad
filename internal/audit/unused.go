package audit

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/modules"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// unused lists symbols that nothing uses, the surest first: those that only their
// own file, package or module could use, and those of modules that others import
// but nobody this. What may be used from outside of the repository is not listed:
// what a package exports, entry points, what a framework finds by an annotation, and
// what overrides or implements something.
func (a *auditor) unused() (found []Finding, t Total, err error) {
	if a.parsed == 0 {
		t.None = "no file is in a language whose symbols are known"
		return nil, t, nil
	}
	d := &dead{auditor: a, graph: modules.Of(a.ask), gone: map[corpus.Ref]bool{}, given: map[corpus.FileID]map[string]bool{}}
	d.read()
	t.AtLeast = d.left > 0
	a.Left = max(a.Left, d.left)
	d.settle()
	if err := d.confirm(); err != nil {
		return nil, t, err
	}
	d.settle()
	at := map[corpus.Ref]int{}
	for r := range d.gone {
		one, err := d.finding(r)
		if err != nil {
			return nil, t, err
		}
		at[r] = len(found)
		found = append(found, one)
	}
	d.doubt(found, at)
	slices.SortFunc(found, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Confidence, y.Confidence), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line))
	})
	return found, t, nil
}

// doubt makes no finding surer than those about what uses it; at has the places of the
// findings.
func (d *dead) doubt(found []Finding, at map[corpus.Ref]int) {
	for raised := true; raised; {
		raised = false
		for i := range d.candidates {
			c := &d.candidates[i]
			n, ok := at[c.Ref]
			if !ok {
				continue
			}
			for _, u := range c.by {
				if by, ok := at[d.goneAt(u)]; ok && found[by].Confidence > found[n].Confidence {
					found[n].Confidence, raised = found[by].Confidence, true
				}
			}
		}
	}
}

// dead finds symbols that nothing uses.
type dead struct {
	*auditor
	graph      *modules.Graph
	candidates []candidate
	gone       map[corpus.Ref]bool
	given      map[corpus.FileID]map[string]bool // of files of C: what macros at their top are given
	left       int                               // files that were not looked at
}

// candidate is a symbol that can be told to be unused.
type candidate struct {
	corpus.Ref
	group []corpus.Ref // its declarations
	name  string
	by    []user // who uses it
	open  bool   // something that is not known may use it
}

// user is the innermost symbol of a file that holds a use; None at the top.
type user struct {
	file corpus.FileID
	in   int32
}

// read finds the candidates, and who uses them.
func (d *dead) read() {
	for i, f := range d.under {
		if d.ask.Late() {
			d.left = len(d.under) - i
			return
		}
		file := d.ask.File(f)
		if !d.judges(f) || d.ask.Corpus.Family(f) == corpus.NoFamily || file.State() != syn.Parsed {
			continue
		}
		for n := range file.NumSymbols() {
			if c, ok := d.candidate(f, file, n); ok {
				d.candidates = append(d.candidates, c)
			}
		}
	}
}

// judged are the kinds of symbols that are looked at.
func judgedKind(k code.Kind) bool {
	return k.IsFunc() || k.IsType() && k != code.KindModule || k == code.KindConst || k == code.KindVar
}

// candidate reads one symbol; ok is false where it may be used unseen, or is used
// beyond doubt.
func (d *dead) candidate(f corpus.FileID, file *syn.File, n int) (c candidate, ok bool) {
	if file.Flags(n)&(facts.Local|facts.Reexport|facts.Abstract|facts.Overrides|facts.Virtual) != 0 || !judgedKind(file.Kind(n)) {
		return c, false
	}
	r := corpus.Ref{File: f, Index: int32(n)}
	s := d.ask.Symbol(r)
	if _, known := hooks[d.ask.Corpus.Family(f)]; !known || len(s.Name) < 3 || isHook(s.Name, d.ask.Corpus.Family(f)) || d.isConstructor(r, s) || !d.isOwn(r, s) {
		return c, false
	}
	c = candidate{Ref: r, group: d.ask.Together(r), name: s.Name}
	if c.group[0] != r && slices.Contains(c.group, r) {
		return c, false // it is judged with its first declaration
	}
	if d.usedInFile(file, &c) {
		return c, false
	}
	known, err := d.isKnown(r)
	if err != nil || known {
		return c, false
	}
	d.users(&c)
	return c, !c.open
}

// usedInFile reports whether the top of the file, or a function that is not judged,
// uses a symbol: most are used that way.
func (d *dead) usedInFile(file *syn.File, c *candidate) bool {
	for i := range file.UsesNamed(c.name) {
		u := file.BareUse(i)
		if u.Bind == facts.BindSymbol && u.Target == c.Index && !d.isWithin(c, c.File, u.In) && (u.In == facts.None || file.Flags(int(u.In))&facts.Exported != 0) {
			return true
		}
	}
	return false
}

// isOwn reports whether only the repository can use a symbol.
func (d *dead) isOwn(r corpus.Ref, s *facts.Symbol) bool {
	member := !corpus.AtTop(s)
	switch {
	case member && (s.Flags&facts.Exported != 0 || !s.Kind.IsFunc()) || d.isShared(r.File):
		return false
	case s.Flags&facts.Exported == 0:
		return !member || d.isOwnMember(r, s)
	}
	switch p := d.ask.Corpus.Path(r.File); d.ask.Corpus.Family(r.File) {
	case corpus.Go:
		pkg := d.ask.File(r.File).Package()
		return pkg == "main" && s.Name != "main" || strings.Contains("/"+path.Dir(p)+"/", "/internal/")
	case corpus.Script:
		return d.isOwnModule(r.File, p)
	}
	return false
}

// isShared reports whether what a file declares at its top can be used by files
// that do not name it: a header, a script that is no module, declarations for others.
func (d *dead) isShared(f corpus.FileID) bool {
	file, p := d.ask.File(f), d.ask.Corpus.Path(f)
	switch d.ask.Corpus.Family(f) {
	case corpus.C:
		return strings.HasPrefix(path.Ext(p), ".h")
	case corpus.Script:
		if strings.Contains(path.Base(p), ".d.") {
			return true
		}
		for n := range file.NumSymbols() {
			if file.Flags(n)&facts.Exported == 0 {
				continue
			}
			if s := d.ask.Symbol(corpus.Ref{File: f, Index: int32(n)}); s.Parent == facts.None && s.Owner == "" { // window.f = ... is none
				return false
			}
		}
		return file.NumImports() == 0
	}
	return false
}

// isOwnMember reports whether a private method can only be called by code that names it.
func (d *dead) isOwnMember(r corpus.Ref, s *facts.Symbol) bool {
	for _, o := range d.ask.Named(s.Name) { // a method that an interface asks for
		if d.ask.Symbol(o).Flags&(facts.Abstract|facts.Virtual) != 0 {
			return false
		}
	}
	if f := d.ask.Corpus.Family(r.File); f == corpus.Python || f == corpus.Script {
		return !d.hasUnknownBase(r, s)
	}
	return true
}

// hasUnknownBase reports whether the class of a method has a base that no file
// declares, which may call the method.
func (d *dead) hasUnknownBase(r corpus.Ref, s *facts.Symbol) bool {
	if s.Parent == facts.None {
		return true
	}
	typ := d.ask.Symbol(corpus.Ref{File: r.File, Index: s.Parent})
	file := d.ask.File(r.File)
	for i := file.UsesFrom(typ.Start); i < file.NumUses(); i++ {
		u := file.BareUse(i)
		if u.At >= typ.End {
			break
		}
		if u.Role == facts.RoleInherit && u.In == s.Parent && len(d.ask.Define(r.File, i)) == 0 {
			return true
		}
	}
	return false
}

// isOwnModule reports whether a module of JavaScript or TypeScript is one that
// others import, and no entry of a package: what nobody imports of it is unused.
func (d *dead) isOwnModule(f corpus.FileID, p string) bool {
	base := path.Base(p)
	stem, _, _ := strings.Cut(base, ".")
	if slices.Contains([]string{"index", "main", "mod", "cli", "app", "server"}, stem) || strings.Contains(base, ".config.") {
		return false
	}
	into := d.graph.Into(f)
	if len(into) == 0 {
		return false
	}
	for _, e := range into {
		if d.takesAll(d.graph.Edges[e].From, f) {
			return false
		}
	}
	return true
}

// takesAll reports whether a file passes on, or holds as one value, all that
// another one exports.
func (d *dead) takesAll(from, to corpus.FileID) bool {
	file := d.ask.File(from)
	for i := range file.NumImports() {
		m := file.Import(i)
		if m.Name != "*" && m.Name != "" && m.Name != facts.WholeModule {
			continue
		}
		if s := d.ask.Source(corpus.Ref{File: from, Index: int32(i)}); slices.Contains(s.Files, to) {
			return true
		}
	}
	return false
}

// isConstructor reports whether a method bears the name of its type: a private one
// keeps others from making values.
func (d *dead) isConstructor(r corpus.Ref, s *facts.Symbol) bool {
	owner := corpus.LastName(s.Owner)
	if owner == "" && s.Parent != facts.None {
		owner = d.ask.Symbol(corpus.Ref{File: r.File, Index: s.Parent}).Name
	}
	return s.Kind.IsFunc() && owner == strings.TrimPrefix(s.Name, "~")
}

// hooks are names that a language or its system calls by itself. Languages that are
// not here are not judged: what is private to their files is not known well enough.
var hooks = map[corpus.Family]string{
	corpus.Go:     " main init ",
	corpus.Java:   " main readObject writeObject readResolve writeReplace readObjectNoData finalize serialVersionUID ",
	corpus.C:      " main WinMain DllMain wmain LLVMFuzzerTestOneInput ",
	corpus.Rust:   " main drop ",
	corpus.Script: " default constructor ",
	corpus.Python: " main ",
	corpus.PHP:    " main ",
	corpus.CSharp: " Main Dispose ",
}

// isHook reports whether a name is called without being named.
func isHook(name string, f corpus.Family) bool {
	return strings.Contains(hooks[f], " "+name+" ") || strings.HasPrefix(name, "__")
}
