// Package csharp holds the rules of C#: what namespaces and using directives
// bring, which declarations are parts of one type, and which methods extend a type.
package csharp

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
)

// csharp is the rules of C#, within one question.
type csharp struct {
	corpus  *corpus.Corpus
	read    *corpus.Reader
	infer   *meaning.Evaluator
	project func() *Project
}

// Language returns the rules of C# for one question.
func Language(read *corpus.Reader, e *meaning.Evaluator, project func() *Project) *infer.Language {
	c := &csharp{corpus: read.Corpus(), read: read, infer: e, project: project}
	elements := map[string]infer.Gives{}
	for name := range strings.FieldsSeq("First FirstOrDefault Last LastOrDefault Single SingleOrDefault ElementAt ElementAtOrDefault Pop Peek Dequeue Find FindLast " +
		"GetValueOrDefault GetOrAdd AddOrUpdate MinBy MaxBy Aggregate") {
		elements[name] = infer.AnElement
	}
	for name := range strings.FieldsSeq("Where OrderBy OrderByDescending ThenBy ThenByDescending Skip SkipWhile Take TakeWhile Distinct DistinctBy Reverse Concat Union Except Intersect " +
		"ToList ToArray ToHashSet AsEnumerable AsReadOnly AsSpan ToImmutableList ToImmutableArray GetEnumerator GetRange FindAll Append Prepend DefaultIfEmpty AsQueryable AsParallel Slice " +
		"ConfigureAwait AsTask AsMemory WithCancellation") {
		elements[name] = infer.TheSame
	}
	callbacks := map[string]int{}
	for name := range strings.FieldsSeq("Select SelectMany Where Any All First FirstOrDefault Last LastOrDefault Single SingleOrDefault Count LongCount Sum Max Min Average OrderBy " +
		"OrderByDescending ThenBy ThenByDescending GroupBy ToDictionary ToLookup ForEach Find FindAll FindIndex FindLast Exists RemoveAll TakeWhile SkipWhile TrueForAll DistinctBy MaxBy MinBy ConvertAll Zip Join GroupJoin") {
		callbacks[name] = 0
	}
	for name := range strings.FieldsSeq("Sort Aggregate") {
		callbacks[name] = infer.EachArgument
	}
	return &infer.Language{
		Rules: c, Namespace: c.namespace, Foreign: c.foreign, Anywhere: c.anywhere, Narrow: c.narrow, Element: c.element, Replaces: c.replaces, Suits: suits,
		Overloads: true, Hierarchy: true, Overrides: infer.AllApart, InheritsOverloads: true, NamedArguments: true, NamedConstructors: true, Keyword: infer.New, Keywords: []string{"new"}, Reopens: true, NamedAsType: true,
		Conversions: conversions, Containers: elements, Callbacks: callbacks,
		Seconds: map[string]bool{"ToDictionary": true, "ToLookup": true, "GroupBy": true, "Zip": true, "Join": true, "GroupJoin": true},
		Takes:   map[string]int{"Add": 0, "Insert": 1, "Push": 0, "Enqueue": 0, "Contains": 0, "Remove": 0, "TryGetValue": 1, "TryPop": 0, "TryPeek": 0, "TryDequeue": 0},
		Pairs: map[string]bool{"Dictionary": true, "IDictionary": true, "IReadOnlyDictionary": true, "SortedDictionary": true, "ConcurrentDictionary": true, "KeyValuePair": true,
			"SortedList": true, "ImmutableDictionary": true},
		Halves:    map[string]int{"Key": 0, "Value": 1},
		Utilities: map[string]bool{"Nullable": true},
		Builtins:  map[string]bool{"ToString": true, "Equals": true, "GetHashCode": true, "GetType": true, "CompareTo": true, "Length": true, "Count": true},
	}
}

// conversions are the types of System that methods are often told apart by, with
// all types above them but object.
var conversions = &infer.Conversions{
	Top: "object", Text: "string", Class: "Type",
	Boxes: map[string]int32{
		"Byte": facts.LiteralByte, "Int16": facts.LiteralShort, "Char": facts.LiteralChar, "Int32": facts.LiteralInt,
		"Int64": facts.LiteralLong, "Single": facts.LiteralFloat, "Double": facts.LiteralDouble, "Boolean": facts.LiteralBool,
	},
	Above: map[string][]string{
		"string": {"IEnumerable", "IComparable", "IConvertible", "IEquatable", "ICloneable"},
		"object": {}, "uint": {}, "ulong": {}, "ushort": {}, "sbyte": {}, "decimal": {}, "nint": {}, "nuint": {},
		"DateTime": {"IComparable", "IFormattable"}, "Guid": {"IComparable", "IFormattable"}, "TimeSpan": {"IComparable", "IFormattable"},
	},
	Results: map[string]string{"ToString": "string", "GetType": "Type"},
	Numbers: map[string]int32{"Count": facts.LiteralInt, "Ticks": facts.LiteralLong, "TotalMilliseconds": facts.LiteralDouble, "TotalSeconds": facts.LiteralDouble, "Length": facts.LiteralInt, "GetHashCode": facts.LiteralInt, "CompareTo": facts.LiteralInt, "Equals": facts.LiteralBool},
}

// Import finds the type of an alias or an attribute, or what a using directive
// brings in whole.
func (c *csharp) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	if m.Name == "*" {
		path := m.Module
		if !c.known(path, b) {
			path = c.brought(f, c.nested(f, path, b), b)
		}
		return infer.Answer{Modules: []*infer.Module{{Path: path, Family: f.Family}}, State: infer.Found, Reason: "named in a using directive"}
	}
	if before, ok := strings.CutPrefix(m.Module, "global::"); ok {
		return c.attribute(f, m, before, b)
	}
	for _, module := range []string{m.Module, strings.Trim(f.Facts.Package()+"."+m.Module, ".")} {
		if a := c.Exported(&infer.Module{Path: module, Family: f.Family}, m.Name, b); a.State == infer.Found {
			return a
		}
	}
	return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere", Via: m.Name}
}

// known reports whether a path names a namespace, or a type by its namespace.
func (c *csharp) known(path string, b infer.Budget) bool {
	if c.project().namespaces[path] {
		return true
	}
	before, name := cutLast(path)
	return before != "" && len(c.inNamespace(before, name)) > 0
}

// nested is a path within the namespaces around a file, else the path itself.
func (c *csharp) nested(f *corpus.File, path string, b infer.Budget) string {
	for space := f.Facts.Package(); space != ""; space, _ = cutLast(space) {
		if inner := space + "." + path; c.known(inner, b) {
			return inner
		}
	}
	return path
}

// brought is a path that begins with what another using directive of a file brings, as
// that of a static one may, else the path itself.
func (c *csharp) brought(f *corpus.File, path string, b infer.Budget) string {
	if c.known(path, b) {
		return path
	}
	for i := range f.Facts.NumImports() {
		if row := f.Facts.Import(i); row.Name == "*" && row.Module != path {
			if inner := c.nested(f, row.Module, b) + "." + path; c.known(inner, b) {
				return inner
			}
		}
	}
	return path
}

// attribute finds the type that [Name] means: NameAttribute or Name.
func (c *csharp) attribute(f *corpus.File, m *facts.Import, before string, b infer.Budget) infer.Answer {
	for _, name := range []string{m.Name, m.Local} {
		a := infer.Answer{}
		if before != "" {
			a = c.Exported(&infer.Module{Path: c.nested(f, before, b), Family: f.Family}, name, b)
		} else {
			a = c.visible(f, &facts.Use{Name: name, Place: m.Place, In: facts.None, Role: facts.RoleType}, b)
		}
		if a.State == infer.Found && len(a.Refs) > 0 {
			return a
		}
	}
	return infer.Answer{State: infer.Outside, Reason: "attribute from elsewhere", Via: m.Name}
}

// cutLast cuts a dotted name in two at its last dot.
func cutLast(s string) (before, last string) {
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		return s[:i], s[i+1:]
	}
	return "", s
}

// maxNested bounds the names of a namespace and the types nested in it.
const maxNested = 24

// Exported finds what a namespace, or a type with its namespace in front, has
// under a name.
func (c *csharp) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	if refs := c.inNamespace(m.Path, name); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in namespace " + m.Path}
	}
	if inner := strings.Trim(m.Path+"."+name, "."); c.project().namespaces[inner] {
		return infer.Answer{Modules: []*infer.Module{{Path: inner, Family: m.Family}}, State: infer.Found, Reason: "a namespace"}
	}
	owner, typ := cutLast(m.Path)
	if typ == "" || c.project().namespaces[m.Path] || strings.Count(m.Path, ".") > maxNested {
		return infer.Answer{State: infer.Outside}
	}
	types := c.Exported(&infer.Module{Path: owner, Family: m.Family}, typ, b)
	for _, t := range types.Refs {
		if found, state := c.infer.Member(infer.TypeOf(t), name, b.Restart()); state == infer.Found {
			a := infer.AnswerOf(found)
			a.Reason = "member of " + m.Path
			return a
		}
	}
	return infer.Answer{State: infer.Outside}
}

// inNamespace finds the types of a name that a namespace holds.
func (c *csharp) inNamespace(space, name string) []corpus.Ref {
	var refs []corpus.Ref
	for _, r := range c.read.Named(name) {
		f := c.read.File(r.File)
		if f.Family != corpus.CSharp {
			continue
		}
		s := f.Symbol(r.Index)
		if !s.Kind.IsType() || s.Kind == code.KindModule {
			continue
		}
		if in, ok := namespaceOf(f, s.Parent); ok && in == space {
			refs = append(refs, r)
		}
	}
	return refs
}

// namespaceOf is the namespace that holds what has a symbol as its parent; ok is
// false where that is no namespace.
func namespaceOf(f *corpus.File, parent int32) (space string, ok bool) {
	if parent == facts.None {
		return f.Facts.Package(), true
	}
	s := f.Symbol(parent)
	return fullName(s), s.Kind == code.KindModule
}

// fullName is the whole name of a namespace.
func fullName(s *facts.Symbol) string { return strings.Trim(s.Owner+"."+s.Name, ".") }

// around is the namespace that a symbol stands in, which may be None.
func around(f *corpus.File, i int32) string {
	for i != facts.None {
		s := f.Symbol(i)
		if s.Kind == code.KindModule {
			return fullName(s)
		}
		i = s.Parent
	}
	return f.Facts.Package()
}

// namespace is the module that a symbol of a namespace is.
func (c *csharp) namespace(_ corpus.Ref, s *facts.Symbol) (*infer.Module, bool) {
	return &infer.Module{Path: fullName(s), Family: corpus.CSharp}, true
}

// Free looks a name up in the types around it with what they inherit, in the
// namespaces around it, and in what using directives bring.
func (c *csharp) Free(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	if a := c.inTypes(f, u, b); a.State == infer.Found {
		return a
	}
	return c.visible(f, u, b)
}

// inTypes looks a name up in the types that a use stands in, the innermost first.
func (c *csharp) inTypes(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	for i := u.In; i != facts.None; i = f.Symbol(i).Parent {
		s := f.Symbol(i)
		if !s.Kind.IsType() || s.Kind == code.KindModule || u.At < s.SigEnd { // its own bases do not know what it inherits
			continue
		}
		t := corpus.Ref{File: f.ID, Index: i}
		found, _ := c.infer.Member(infer.TypeOf(t), u.Name, b.Restart())
		a := infer.Answer{State: infer.Found, Reason: "member of " + s.Name}
		for _, m := range found {
			if c.isBare(m.Ref, u.Role) && !(c.isVariable(m.Ref) && c.namesType(f, u)) {
				a.Refs = append(a.Refs, m.Ref)
			}
		}
		if len(a.Refs) > 0 {
			return a
		}
	}
	return infer.Answer{}
}

// isBare reports whether a bare name in a role can mean a member. Constructors are
// called by the name of their type, methods that extend another one by a value.
func (c *csharp) isBare(r corpus.Ref, role facts.Role) bool {
	s := c.read.Symbol(r)
	switch role {
	case facts.RoleType, facts.RoleInherit, facts.RoleImplement:
		return s.Kind.IsType()
	}
	return !s.Kind.IsFunc() || s.Parent == facts.None || c.read.Symbol(corpus.Ref{File: r.File, Index: s.Parent}).Name != s.Name
}

// isVariable reports whether a member is a field, a property or an event.
func (c *csharp) isVariable(r corpus.Ref) bool { return c.read.Symbol(r).Kind == code.KindField }

// maxBefore bounds the bytes before a use in which the word stands that it follows.
const maxBefore = 40

// namesType reports whether a type or a constant must stand where a use does:
// new Name(), is Name, case Name.
func (c *csharp) namesType(f *corpus.File, u *facts.Use) bool {
	text, err := c.corpus.TextRange(f.ID, max(0, int(u.At)-maxBefore), int(u.At), nil)
	if err != nil {
		return false
	}
	before := strings.TrimRight(string(text), " \t\r\n")
	if len(before) == len(text) {
		return false
	}
	switch i := strings.LastIndexFunc(before, func(r rune) bool { return r < 'a' || r > 'z' }); before[i+1:] {
	case "new", "is", "case", "not":
		return true
	}
	return false
}

// visible looks a name up in the namespaces around it, then in what using
// directives of the file and of its project bring.
func (c *csharp) visible(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	for space := around(f, u.In); ; space, _ = cutLast(space) {
		if refs := c.inNamespace(space, u.Name); len(refs) > 0 {
			return infer.Answer{Refs: c.chosen(f, u, refs), State: infer.Found, Reason: "declared in a namespace around it"}
		}
		if inner := strings.Trim(space+"."+u.Name, "."); u.Role != facts.RoleCall && c.project().namespaces[inner] {
			return infer.Answer{Modules: []*infer.Module{{Path: inner, Family: f.Family}}, State: infer.Found, Reason: "a namespace"}
		}
		if space == "" {
			break
		}
	}
	var refs []corpus.Ref
	for i := range f.Facts.NumImports() {
		row := f.Facts.Import(i)
		if row.Name != "*" {
			continue
		}
		for _, m := range c.infer.Imported(corpus.Ref{File: f.ID, Index: int32(i)}, b).Modules {
			refs = c.add(refs, m, u, b)
		}
	}
	for _, folder := range c.project().of(f.Path) {
		for _, path := range c.project().globals[folder] {
			refs = c.add(refs, &infer.Module{Path: path, Family: f.Family}, u, b)
		}
	}
	if len(refs) > 0 {
		return infer.Answer{Refs: c.chosen(f, u, refs), State: infer.Found, Reason: "brought by a using directive"}
	}
	return infer.Answer{State: infer.Outside, Via: u.Name}
}

// add adds what a namespace or a type has under the name of a use.
func (c *csharp) add(refs []corpus.Ref, m *infer.Module, u *facts.Use, b infer.Budget) []corpus.Ref {
	for _, r := range c.Exported(m, u.Name, b).Refs {
		if !slices.Contains(refs, r) {
			refs = append(refs, r)
		}
	}
	return refs
}

// chosen leaves of several types those of the project of a file, and those with as
// many type parameters as a use gives arguments.
func (c *csharp) chosen(f *corpus.File, u *facts.Use, refs []corpus.Ref) []corpus.Ref {
	if len(refs) < 2 {
		return refs
	}
	if here := keep(refs, func(r corpus.Ref) bool { return r.File == f.ID && c.read.Symbol(r).Flags&facts.Partial == 0 }); len(here) == 1 && c.parameters(here[0]) == c.typeArguments(f, u) {
		return here
	}
	if near := keep(refs, func(r corpus.Ref) bool { return c.project().share(f.Path, c.corpus.Path(r.File)) }); len(near) > 0 {
		refs = near
	}
	first := c.parameters(refs[0])
	if !slices.ContainsFunc(refs, func(r corpus.Ref) bool { return c.parameters(r) != first }) {
		return refs
	}
	given := c.typeArguments(f, u)
	if same := keep(refs, func(r corpus.Ref) bool { return c.parameters(r) == given }); len(same) > 0 {
		return same
	}
	return refs
}

func keep(refs []corpus.Ref, want func(corpus.Ref) bool) []corpus.Ref {
	return slices.DeleteFunc(slices.Clone(refs), func(r corpus.Ref) bool { return !want(r) })
}

// parameters counts the type parameters of a type or a method.
func (c *csharp) parameters(r corpus.Ref) int {
	f, n := c.read.File(r.File), 0
	s := f.Symbol(r.Index)
	for i := r.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < s.SigEnd; i++ {
		if p := f.Symbol(i); p.Kind == code.KindTypeParam && p.Parent == r.Index {
			n++
		}
	}
	return n
}

// narrow leaves the methods with as many type parameters as a call gives arguments.
// They are inferred where it gives none.
func (c *csharp) narrow(use corpus.Ref, refs []corpus.Ref) []corpus.Ref {
	f := c.read.File(use.File)
	given := c.typeArguments(f, f.Use(use.Index))
	if given == 0 {
		return refs
	}
	if same := keep(refs, func(r corpus.Ref) bool { return c.parameters(r) == given }); len(same) > 0 {
		return same
	}
	return refs
}

// maxArguments bounds the bytes in which type arguments are counted.
const maxArguments = 400

// typeArguments counts the type arguments that stand behind a use.
func (c *csharp) typeArguments(f *corpus.File, u *facts.Use) int {
	at := int(u.At) + len(u.Name)
	text, err := c.corpus.TextRange(f.ID, at, at+maxArguments, nil)
	if err != nil {
		return 0
	}
	return countArguments(strings.TrimLeft(string(text), " \t\r\n"))
}

// countArguments counts the type arguments that a text begins with.
func countArguments(text string) int {
	if !strings.HasPrefix(text, "<") {
		return 0
	}
	n, depth := 1, 0
	for _, r := range text {
		switch r {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			if depth--; depth == 0 {
				return n
			}
		case ',':
			if depth == 1 {
				n++
			}
		case ';', '{', '}':
			return 0
		}
	}
	return 0
}

// Owns reports whether a method extends a type: its receiver is of that type.
func (c *csharp) Owns(typ, owned corpus.Ref, b infer.Budget) bool {
	things, ok := c.receiver(owned, b)
	if !ok {
		return false
	}
	parts := c.infer.Together(typ)
	return slices.ContainsFunc(things, func(t infer.Thing) bool {
		r, is := t.Symbol()
		return is && slices.Contains(parts, r)
	})
}

// receiver is what a method that extends a type is called on.
func (c *csharp) receiver(method corpus.Ref, b infer.Budget) ([]infer.Thing, bool) {
	f := c.read.File(method.File)
	s := f.Symbol(method.Index)
	for i := method.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < s.End; i++ {
		if p := f.Symbol(i); p.Parent == method.Index && p.Kind == code.KindVar {
			return c.infer.ThingsOf(corpus.Ref{File: method.File, Index: i}, b.Restart()), true
		}
	}
	return nil, false
}

// suits reports whether a use can mean a symbol of its name where others bear it too: a
// property of a type is read and a method that extends the type is called.
func suits(s *facts.Symbol, u *facts.Use) bool {
	switch u.Role {
	case facts.RoleCall:
		return s.Kind != code.KindField
	case facts.RoleRead, facts.RoleWrite:
		return s.Owner == "" || s.Kind != code.KindMethod
	}
	return true
}

// foreign reports whether a method extends a type.
func (c *csharp) foreign(member corpus.Ref) bool {
	s := c.read.Symbol(member)
	return s.Owner != "" && s.Kind == code.KindMethod
}

// anywhere are the methods of a name that extend every type.
func (c *csharp) anywhere(name string) []corpus.Ref {
	return keep(c.read.Named(name), func(r corpus.Ref) bool {
		return c.corpus.Family(r.File) == corpus.CSharp && c.foreign(r) && c.read.Symbol(r).Owner == "object"
	})
}

// Same reports whether two symbols are parts of one type, or of one method.
func (c *csharp) Same(a, b corpus.Ref) bool {
	if c.corpus.Family(a.File) != corpus.CSharp || c.corpus.Family(b.File) != corpus.CSharp {
		return false
	}
	x, y := c.read.Symbol(a), c.read.Symbol(b)
	if a.File == b.File && x.Parent == y.Parent && x.Parent != facts.None && x.Kind == y.Kind && (x.Kind == code.KindField || x.Kind == code.KindConst) {
		return x.Name == y.Name && corpus.IsMember(x) // in branches of #if
	}
	if x.Flags&y.Flags&facts.Partial == 0 || x.Kind != y.Kind || x.Name != y.Name {
		return false
	}
	if x.Kind.IsType() && c.parameters(a) != c.parameters(b) || x.Kind.IsFunc() && (x.MinArgs != y.MinArgs || x.MaxArgs != y.MaxArgs) {
		return false
	}
	in, top := namespaceOf(c.read.File(a.File), x.Parent)
	other, too := namespaceOf(c.read.File(b.File), y.Parent)
	if top || too {
		return top && too && in == other && c.project().share(c.corpus.Path(a.File), c.corpus.Path(b.File))
	}
	p, q := corpus.Ref{File: a.File, Index: x.Parent}, corpus.Ref{File: b.File, Index: y.Parent}
	return p == q || c.Same(p, q)
}

// maxBases bounds the types above one that are searched for what it holds.
const maxBases = 20

// element is an element of a value by its indexer, or by a base from elsewhere that
// says what it holds.
func (c *csharp) element(t infer.Thing, which infer.Part, b infer.Budget) ([]infer.Thing, bool) {
	if which != infer.ElementPart && which != infer.LoopPart {
		return nil, false
	}
	if which == infer.ElementPart {
		if things, ok := c.infer.Through(t, []string{"this"}, b.Deeper()); ok {
			return things, true
		}
	}
	types := []infer.Thing{t}
	for i := 0; i < len(types) && i < maxBases && !b.Spent(); i++ {
		r, ok := types[i].Symbol()
		if !ok {
			if types[i].Expr.File != nil {
				return c.infer.Element(types[i], which, b.Deeper()), true
			}
			continue
		}
		above, _ := c.infer.Bases(r, b.Deeper())
		types = append(types, above...)
	}
	return nil, false
}
