package resolve

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

func cLanguage() *language {
	return &language{
		family: familyC, module: cImport, free: cFree, exported: cExported, overloads: true,
		same: func(q *Question, owned, typ Ref) bool { return q.sameSpace(owned, typ) }, one: cOne,
	}
}

// cImport finds the header that a line includes, or the namespace that using names.
func cImport(q *Question, f *file, m *facts.Import) meaning {
	if id, ok := q.cHeader(f, m.Module); ok && m.Name == "*" {
		return meaning{mods: []*module{{files: []FileID{id}, dir: q.c.files[id].path, language: f.language}}, state: stateFound, reason: "included"}
	}
	mod := &module{dir: m.Module, language: f.language}
	if m.Name == "*" || m.Name == "" {
		return meaning{mods: []*module{mod}, state: stateFound, reason: "named by using"}
	}
	if got := cExported(q, mod, m.Name); got.state == stateFound {
		return got
	}
	return meaning{state: stateOutside, via: m.Name}
}

// cHeader finds an included file: beside the file, else the one whose path ends
// like it and that is nearest.
func (q *Question) cHeader(f *file, name string) (FileID, bool) {
	if p, ok := join(f.dir, name); ok {
		if id, ok := q.c.byPath[p]; ok {
			return id, true
		}
	}
	best, shared := FileID(facts.None), -1
	for _, id := range q.c.cLayout()[path.Base(name)] {
		p := q.c.files[id].path
		if p != name && !strings.HasSuffix(p, "/"+name) {
			continue
		}
		if n := commonFolders(p, f.path); n > shared {
			best, shared = id, n
		}
	}
	return best, best != facts.None
}

// cLayout are the files of C and C++ by their last names.
func (c *Corpus) cLayout() map[string][]FileID {
	l := &c.layouts[familyC]
	l.once.Do(func() {
		all := map[string][]FileID{}
		for i := range c.files {
			if f := &c.files[i]; f.language != nil && f.language.family == familyC {
				all[path.Base(f.path)] = append(all[path.Base(f.path)], FileID(i))
			}
		}
		l.it = all
	})
	return l.it.(map[string][]FileID)
}

// commonFolders counts the folders that two paths have in common.
func commonFolders(a, b string) int {
	n := 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// cExported finds what a namespace or a header has under a name.
func cExported(q *Question, m *module, name string) meaning {
	var refs []Ref
	for _, r := range q.Named(name) {
		switch {
		case q.file(r.File).language != m.language:
		case len(m.files) > 0 && r.File == m.files[0], len(m.files) == 0 && q.space(r) == m.dir:
			refs = append(refs, r)
		}
	}
	if len(refs) == 0 {
		return meaning{state: stateAbsent}
	}
	return meaning{refs: q.widened(refs), state: stateFound, reason: "declared in " + m.dir}
}

// space names the namespaces round a symbol, and the types.
func (q *Question) space(r Ref) string {
	f := q.file(r.File)
	var names []string
	s := f.symbol(r.Index)
	for s.Owner != "" || s.Parent != facts.None {
		if s.Owner != "" {
			names = append(names, s.Owner)
		}
		if s.Parent == facts.None {
			break
		}
		s = f.symbol(s.Parent)
		names = append(names, s.Name)
	}
	slices.Reverse(names)
	return strings.Join(names, "::")
}

// sameSpace reports whether what a symbol says it belongs to is a type: the
// names of one end in those of the other.
func (q *Question) sameSpace(owned, typ Ref) bool {
	if q.file(owned.File).language != q.file(typ.File).language {
		return false
	}
	a, b := q.space(owned), q.Symbol(typ).Name
	if s := q.space(typ); s != "" {
		b = s + "::" + b
	}
	return a == b || strings.HasSuffix(b, "::"+a) || strings.HasSuffix(a, "::"+b)
}

// reachable are the files that a file includes, and those that they include.
func (q *Question) reachable(f *file) map[FileID]bool {
	if all, ok := q.includes[f.id]; ok {
		return all
	}
	all := map[FileID]bool{f.id: true}
	q.includes[f.id] = all
	queue := []*file{f}
	for len(queue) > 0 && len(all) < 5000 {
		next := queue[0]
		queue = queue[1:]
		for i := range next.NumImports() {
			row := next.Import(i)
			if id, ok := q.cHeader(next, row.Module); ok && row.Name == "*" && !all[id] {
				all[id] = true
				queue = append(queue, q.file(id))
			}
		}
	}
	return all
}

// cFree looks a name up in the types and namespaces round a use, in what the
// file includes, and, for what another file defines without a header, in the
// whole repository.
func cFree(q *Question, f *file, u *facts.Use) meaning {
	if m := q.inherited(f, u); m.state == stateFound {
		return m
	}
	var near, far []Ref
	seen := q.reachable(f)
	for _, r := range q.Named(u.Name) {
		s := q.Symbol(r)
		switch {
		case q.file(r.File).language != f.language && q.file(r.File).language.family != familyC, !q.free(r):
		case seen[r.File]:
			near = append(near, r)
		case s.Flags&facts.Exported != 0:
			far = append(far, r)
		}
	}
	if len(near) > 0 {
		return meaning{refs: q.widened(near), state: stateFound, reason: "declared in a file that is included"}
	}
	if len(far) > 0 && len(q.widened(far[:1])) == len(far) {
		return meaning{refs: far, state: stateFound, confidence: facts.Likely, reason: "the only one of that name"}
	}
	if q.namedByMacro(u.Name) {
		return meaning{mods: []*module{{language: f.language}}, state: stateFound, confidence: facts.Likely, reason: "the namespace that a macro opens"}
	}
	return meaning{state: stateOutside, via: u.Name}
}

// namedByMacro reports whether a macro names a namespace, as in
// #define BEGIN namespace a {: what is declared behind it stands at the top of
// its file. Within a macro a name that :: follows is but used.
func (q *Question) namedByMacro(name string) bool {
	if is, ok := q.spaces[name]; ok {
		return is
	}
	is := slices.ContainsFunc(q.uses(name), func(r Ref) bool {
		f := q.file(r.File)
		u := f.use(r.Index)
		if f.language == nil || f.language.family != familyC || u.In == facts.None || f.symbol(u.In).Kind != code.KindMacro || u.Role == facts.RoleCall {
			return false
		}
		next := int(r.Index) + 1
		return next >= f.NumUses() || f.use(int32(next)).At > u.At+uint32(len(name))+2
	})
	q.spaces[name] = is
	return is
}

// defined is the definition of a class that a declaration announces.
func (q *Question) defined(f *file, r Ref, s *facts.Symbol) Ref {
	if f.language == nil || f.language.family != familyC || s.Flags&facts.Abstract == 0 {
		return r
	}
	for _, o := range q.together(r) {
		if q.Symbol(o).Flags&facts.Abstract == 0 {
			return o
		}
	}
	return r
}

// free reports whether a symbol stands in no type: at the top, in a namespace,
// or as a constant of a plain enumeration.
func (q *Question) free(r Ref) bool {
	f := q.file(r.File)
	s := f.symbol(r.Index)
	if f.language == nil || s.Flags&facts.Local != 0 || s.Owner != "" && s.Kind != code.KindModule && !s.Kind.IsType() {
		return false
	}
	constant := s.Kind == code.KindConst
	for s.Parent != facts.None {
		s = f.symbol(s.Parent)
		if s.Kind != code.KindModule && s.Kind != code.KindEnum && (!constant || s.Kind != code.KindType) { // typedef enum {...}
			return false
		}
	}
	return true
}

// widened adds the other declarations of symbols: definitions to prototypes.
func (q *Question) widened(refs []Ref) []Ref {
	var all []Ref
	for _, r := range refs {
		for _, o := range q.together(r) {
			if !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	return all
}

// cOne reports whether two symbols are declaration and definition of one thing.
func cOne(q *Question, a, b Ref) bool {
	x, y := q.Symbol(a), q.Symbol(b)
	if x.Kind.IsFunc() != y.Kind.IsFunc() || x.Kind.IsType() != y.Kind.IsType() || q.space(a) != q.space(b) && !q.nested(a, b) {
		return false
	}
	if x.Kind.IsFunc() && (x.MinArgs != y.MinArgs && x.MaxArgs != y.MaxArgs) {
		return false
	}
	if a.File == b.File {
		return (x.Flags|y.Flags)&facts.Abstract != 0
	}
	if (x.Flags&y.Flags)&facts.Exported == 0 {
		return false
	}
	return (x.Flags|y.Flags)&facts.Abstract != 0
}

// nested reports whether the names round one symbol end in those round the other.
func (q *Question) nested(a, b Ref) bool {
	x, y := q.space(a), q.space(b)
	return x != "" && y != "" && (strings.HasSuffix(x, "::"+y) || strings.HasSuffix(y, "::"+x))
}
