// Package golang turns the text of a Go file into its facts, with the parser of
// the standard library. It binds names by the scopes of the language as far as the
// file alone tells. What depends on other files of the package, on an import or on
// a type from elsewhere stays an expression.
//
// Facts of Go are special in these ways:
//
//   - A pointer is the same as its element: *T is T, and &x and *x are x.
//   - A channel is a list of its elements.
//   - The type in a declaration is an expression for a type. A slice, a map, a
//     function and an unnamed struct stand for both a type and its value.
//   - The variable of a type switch is one symbol. In a clause that narrows it,
//     its expression is a value of the type in the clause.
//   - An import without a name gets the package name that the last element of its
//     path suggests.
package golang

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"sort"

	"espy/internal/facts"
	"espy/internal/pattern"
)

// Parse returns the facts of a Go file. In a file that does not parse, broken
// declarations are left out or cut, and faults say where.
func Parse(text []byte) *facts.File {
	file, err := parse(text)
	w := newWalker(text)
	if err == nil {
		w.file(file)
	} else {
		w.broken = true
		w.faults(err)
		w.pieces(file)
		w.repair()
	}
	w.bindTop()
	w.sortUses()
	w.places()
	return w.end()
}

func parse(text []byte) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
}

func (w *walker) faults(err error) {
	list, _ := err.(scanner.ErrorList)
	for _, e := range list[:min(len(list), facts.MaxFaults)] {
		w.facts.Errors = append(w.facts.Errors, facts.Fault{Line: uint32(max(1, e.Pos.Line)), Message: e.Msg})
	}
}

func (w *walker) file(f *ast.File) {
	w.facts.Package = f.Name.Name
	w.keyed = keyedTypes(f)
	for _, d := range f.Decls {
		w.decl(d)
	}
}

// topLevel finds the lines that begin a declaration of the file.
var topLevel = pattern.New(`(?m)^(?:func|type|var|const|import)\b`)

const header = "package p;"

// pieces parses each declaration of a broken file alone, so that a mistake costs
// one declaration.
func (w *walker) pieces(whole *ast.File) {
	if whole != nil && whole.Name != nil {
		w.facts.Package = whole.Name.Name
	}
	starts := topLevel().FindAllIndex(w.text, -1)
	for i, at := range starts {
		end := len(w.text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		piece := append([]byte(header), w.text[at[0]:end]...)
		f, _ := parse(piece)
		if f == nil {
			continue
		}
		w.shift = at[0] - len(header)
		for _, d := range f.Decls {
			w.decl(d)
		}
	}
	w.shift = 0
}

// keyedTypes lists the types of the file that are maps, slices or arrays.
func keyedTypes(f *ast.File) map[string]bool {
	keyed := map[string]bool{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			if t := s.(*ast.TypeSpec); isKeyed(t.Type) {
				keyed[t.Name.Name] = true
			}
		}
	}
	return keyed
}

func isKeyed(t ast.Expr) bool {
	switch t.(type) {
	case *ast.MapType, *ast.ArrayType:
		return true
	}
	return false
}

// repair nests the ranges of symbols in a broken file.
func (w *walker) repair() {
	for i := range w.facts.Symbols {
		s := &w.facts.Symbols[i]
		s.Start = min(s.Start, s.At)
		s.End = max(s.End, s.At+uint32(len(s.Name)))
		s.SigStart = min(max(s.SigStart, s.Start), s.End)
		s.SigEnd = min(max(s.SigEnd, s.SigStart), s.End)
	}
}

// bindTop binds the uses that no function scope declares to the names of the whole
// file, in any order.
func (w *walker) bindTop() {
	for i := range w.facts.Symbols {
		s := &w.facts.Symbols[i]
		if s.Parent == facts.None && s.Owner == "" && s.Flags&facts.Local == 0 && s.Name != "_" && s.Name != "init" {
			if _, again := w.top[s.Name]; !again {
				w.top[s.Name] = int32(i)
			}
		}
	}
	for i := range w.facts.Imports {
		if m := &w.facts.Imports[i]; m.Local != "" {
			w.top[m.Local] = facts.None - 1 - int32(i)
		}
	}
	for i := range w.facts.Uses {
		u := &w.facts.Uses[i]
		if u.Bind != facts.BindFree {
			continue
		}
		switch t, ok := w.top[u.Name]; {
		case ok && t >= 0:
			u.Bind, u.Target = facts.BindSymbol, t
		case ok:
			u.Bind, u.Target = facts.BindImport, facts.None-1-t
		}
	}
}

// sortUses sorts the uses by place. The walk over a well-formed tree meets them in
// that order anyway.
func (w *walker) sortUses() {
	uses := w.facts.Uses
	byPlace := func(a, b facts.Use) int { return cmp.Compare(a.At, b.At) }
	if slices.IsSortedFunc(uses, byPlace) {
		return
	}
	order := make([]int32, len(uses))
	for i := range order {
		order[i] = int32(i)
	}
	sort.SliceStable(order, func(i, j int) bool { return uses[order[i]].At < uses[order[j]].At })
	sorted, place := make([]facts.Use, len(uses)), make([]int32, len(uses))
	for to, from := range order {
		sorted[to], place[from] = uses[from], int32(to)
	}
	w.facts.Uses = sorted
	for i := range w.facts.Exprs {
		if e := &w.facts.Exprs[i]; e.Op == facts.OpUse || e.Op == facts.OpGiven {
			e.X = place[e.X]
		}
	}
}

// places sets lines and columns.
func (w *walker) places() {
	l := newLines(w.text, w.starts)
	w.starts = l.start
	for i := range w.facts.Uses {
		l.fill(&w.facts.Uses[i].Place)
	}
	for i := range w.facts.Imports {
		l.fill(&w.facts.Imports[i].Place)
	}
	for i := range w.facts.Symbols {
		s := &w.facts.Symbols[i]
		l.fill(&s.Place)
		s.EndLine = uint32(l.find(max(s.End, 1)-1)) + 1
	}
}
