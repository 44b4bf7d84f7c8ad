package e2e

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	load "golang.org/x/tools/go/packages"
)

// A room is what is measured of one package: of its files without tests.
type room struct {
	name    string
	lines   int
	files   []string
	exports []string // exported names of the package level
	dead    []string // exported names, methods too, that no other package uses
	uses    map[arrow][]string
	circle  []string // the most files that all reach each other
	mutual  []arrow  // files that use names of each other
}

// An arrow is from a file to one that declares what it uses.
type arrow struct{ from, to string }

func byFile(a, b arrow) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) }

// mutualPerFile is the number of pairs of files that use each other for each file.
func (r room) mutualPerFile() float64 { return float64(len(r.mutual)) / float64(len(r.files)) }

// A house is what is measured of the whole module.
type house struct {
	rooms      []room
	tests      int // functions that the testing package runs
	runs       int // calls of testing.T.Run
	used       map[string]bool
	interfaces map[string][]*types.Interface // by the names of their methods
}

// measure type-checks the module as the tests are built, with C or without.
func measure(t *testing.T) *house {
	t.Helper()
	loaded, err := load.Load(&load.Config{
		Mode: load.NeedName | load.NeedFiles | load.NeedImports | load.NeedSyntax |
			load.NeedTypes | load.NeedTypesInfo | load.NeedForTest,
		Dir: "../..", Tests: true,
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range loaded {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
	}
	h := &house{used: map[string]bool{}, interfaces: map[string][]*types.Interface{}}
	h.addUses(loaded)
	h.addInterfaces(loaded)
	for _, p := range loaded {
		if isRoom(p) {
			h.rooms = append(h.rooms, h.room(p))
		}
	}
	slices.SortFunc(h.rooms, func(a, b room) int { return cmp.Compare(a.name, b.name) })
	return h
}

// isRoom reports whether p is a package as others import it, not one of tests.
func isRoom(p *load.Package) bool {
	return p.ForTest == "" && len(p.GoFiles) > 0 && !strings.HasSuffix(p.ID, ".test") && p.Name != "main"
}

// owner is the path of the package that p is, or whose tests it holds.
func owner(p *load.Package) string { return strings.TrimSuffix(p.PkgPath, "_test") }

// addUses notes what packages use of each other, and counts tests.
func (h *house) addUses(loaded []*load.Package) {
	for _, p := range loaded {
		for ident, obj := range p.TypesInfo.Uses {
			if obj.Pkg() == nil {
				continue
			}
			if inTests(p, ident) && key(obj) == "testing.T.Run" {
				h.runs++
			}
			if obj.Pkg().Path() != owner(p) && ours(obj) {
				h.used[key(obj)] = true
				addTypes(h.used, obj.Type())
			}
		}
		for ident, obj := range p.TypesInfo.Defs {
			if f, ok := obj.(*types.Func); ok && inTests(p, ident) && f.Signature().Recv() == nil && isTest(f.Name()) {
				h.tests++
			}
		}
	}
}

// ours reports whether a package of this module declares obj.
func ours(obj types.Object) bool {
	return obj.Pkg() != nil && strings.HasPrefix(obj.Pkg().Path(), module)
}

func inTests(p *load.Package, ident *ast.Ident) bool {
	return strings.HasSuffix(p.Fset.Position(ident.Pos()).Filename, "_test.go")
}

func isTest(name string) bool {
	rest, ok := strings.CutPrefix(name, "Test")
	return ok && rest != "Main" && (rest == "" || strings.ToUpper(rest[:1]) == rest[:1])
}

// key names a package-level object or a method.
func key(obj types.Object) string {
	name := obj.Pkg().Path() + "."
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		if named := namedOf(f.Signature().Recv().Type()); named != nil {
			name += named.Obj().Name() + "."
		}
	}
	return name + obj.Name()
}

func namedOf(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// addTypes marks the named types that a user of a value of type t meets: its
// own, and those of its exported fields, elements, parameters and results.
func addTypes(used map[string]bool, t types.Type) {
	seen := map[types.Type]bool{}
	var add func(types.Type)
	add = func(t types.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Alias:
			add(types.Unalias(t))
		case *types.Named:
			if !ours(t.Obj()) {
				return
			}
			used[key(t.Obj())] = true
			for arg := range t.TypeArgs().Types() {
				add(arg)
			}
			add(t.Underlying())
		case *types.Map:
			add(t.Key())
			add(t.Elem())
		case interface{ Elem() types.Type }: // pointer, slice, array, channel
			add(t.Elem())
		case *types.Struct:
			for f := range t.Fields() {
				if f.Exported() {
					add(f.Type())
				}
			}
		case *types.Signature:
			add(t.Params())
			add(t.Results())
		case *types.Tuple:
			for v := range t.Variables() {
				add(v.Type())
			}
		case *types.Interface:
			for m := range t.Methods() {
				add(m.Type())
			}
		}
	}
	add(t)
}

// addInterfaces collects the interfaces of the module, and the exported ones of
// what it imports.
func (h *house) addInterfaces(loaded []*load.Package) {
	add := func(t types.Type) {
		if i, ok := t.Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				h.interfaces[m.Name()] = append(h.interfaces[m.Name()], i)
			}
		}
	}
	add(types.Universe.Lookup("error").Type())
	load.Visit(loaded, nil, func(p *load.Package) {
		for _, name := range p.Types.Scope().Names() {
			if obj, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok && p.ForTest == "" {
				add(obj.Type())
			}
		}
		if p.TypesInfo != nil {
			for expr, tv := range p.TypesInfo.Types {
				if _, ok := expr.(*ast.InterfaceType); ok {
					add(tv.Type)
				}
			}
		}
	})
}

// asked are the methods that the standard library finds by an unnamed interface.
var asked = []string{"Unwrap", "Is", "As"}

// satisfies reports whether some interface needs the method of the type.
func (h *house) satisfies(t *types.Named, m *types.Func) bool {
	return slices.Contains(asked, m.Name()) ||
		slices.ContainsFunc(h.interfaces[m.Name()], func(i *types.Interface) bool {
			return types.Implements(types.NewPointer(t), i) || t.TypeParams().Len() > 0
		})
}

func (h *house) room(p *load.Package) room {
	r := room{name: short(p.PkgPath), uses: fileUses(p)}
	for _, name := range p.GoFiles {
		text, _ := os.ReadFile(name)
		r.lines += strings.Count(string(text), "\n")
		r.files = append(r.files, filepath.Base(name))
	}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if obj.Exported() {
			r.exports = append(r.exports, name)
			if !h.used[key(obj)] && !h.isMember(obj) {
				r.dead = append(r.dead, name)
			}
		}
		if named, ok := obj.Type().(*types.Named); ok && named.Obj() == obj {
			r.dead = append(r.dead, h.deadMethods(named)...)
		}
	}
	r.circle = circle(r)
	for a := range r.uses {
		if _, ok := r.uses[arrow{a.to, a.from}]; ok && a.from < a.to {
			r.mutual = append(r.mutual, a)
		}
	}
	slices.SortFunc(r.mutual, byFile)
	return r
}

// isMember reports whether obj is one of the constants of a type that others use.
func (h *house) isMember(obj types.Object) bool {
	c, ok := obj.(*types.Const)
	if !ok {
		return false
	}
	named := namedOf(c.Type())
	return named != nil && named.Obj().Pkg() != nil && h.used[key(named.Obj())]
}

func (h *house) deadMethods(t *types.Named) (dead []string) {
	for m := range t.Methods() {
		if m.Exported() && !h.used[key(m)] && !h.satisfies(t, m) {
			dead = append(dead, t.Obj().Name()+"."+m.Name())
		}
	}
	return dead
}

// fileUses tells which names the files of a package use of each other: names of
// the package level, methods and fields.
func fileUses(p *load.Package) map[arrow][]string {
	file := func(pos token.Pos) string { return filepath.Base(p.Fset.Position(pos).Filename) }
	uses := map[arrow][]string{}
	for ident, obj := range p.TypesInfo.Uses {
		if obj.Pkg() != p.Types {
			continue
		}
		a := arrow{file(ident.Pos()), file(obj.Pos())}
		if a.from != a.to && !slices.Contains(uses[a], obj.Name()) {
			uses[a] = append(uses[a], obj.Name())
		}
	}
	for _, names := range uses {
		slices.Sort(names)
	}
	return uses
}

// circle returns the most files that all reach each other.
func circle(r room) (largest []string) {
	reach := map[string]map[string]bool{}
	var visit func(seen map[string]bool, file string)
	visit = func(seen map[string]bool, file string) {
		for a := range r.uses {
			if a.from == file && !seen[a.to] {
				seen[a.to] = true
				visit(seen, a.to)
			}
		}
	}
	for _, file := range r.files {
		reach[file] = map[string]bool{}
		visit(reach[file], file)
	}
	for _, file := range r.files {
		both := slices.DeleteFunc(slices.Sorted(maps.Keys(reach[file])), func(other string) bool { return !reach[other][file] })
		if len(both) > len(largest) {
			largest = both
		}
	}
	return largest
}
