// Package golang turns the text of a Go file into its syntax facts with the
// parser of the standard library. Names are bound by the scopes of the
// language as far as the file alone tells: what other files of the package, an
// import or a type from elsewhere decide is left as an expression.
//
// Of the facts the following is particular to Go:
//
//   - A pointer is as its element: *T is T, and so are &x and *x the same as x.
//   - A channel is a list of what it carries.
//   - The type that a declaration writes is an expression that names a type; a
//     slice, a map, a function and an unnamed struct stand for both a type and
//     a value of it.
//   - The variable of a type switch is one symbol. In the clauses that narrow
//     it, expressions are made of the clause's type in its stead.
//   - A package that an import brings without naming it is given the name that
//     the last element of its path suggests.
package golang

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"sort"

	"espy/internal/facts"
)

// Parse returns the facts of a Go file. Of a file that does not parse they
// tell what the parser could make of it, and where it could not.
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
var topLevel = regexp.MustCompile(`(?m)^(?:func|type|var|const|import)\b`)

const header = "package p;"

// pieces walks a file that does not parse by parsing each of its declarations
// alone, so that a mistake costs no more than the one that it is in.
func (w *walker) pieces(whole *ast.File) {
	if whole != nil && whole.Name != nil {
		w.facts.Package = whole.Name.Name
	}
	starts := topLevel.FindAllIndex(w.text, -1)
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

// repair makes the ranges of a file that does not parse lie in each other.
func (w *walker) repair() {
	for i := range w.facts.Symbols {
		s := &w.facts.Symbols[i]
		s.Start = min(s.Start, s.At)
		s.End = max(s.End, s.At+uint32(len(s.Name)))
		s.SigStart = min(max(s.SigStart, s.Start), s.End)
		s.SigEnd = min(max(s.SigEnd, s.SigStart), s.End)
	}
}

// bindTop binds what no scope inside a function declared to the names of the
// whole file, whatever the order they stand in.
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

// sortUses puts the uses in the order of the text, in which a well-formed
// tree is walked anyway.
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
		if e := &w.facts.Exprs[i]; e.Op == facts.OpUse {
			e.X = place[e.X]
		}
	}
}

// places fills in the lines and columns, and puts the symbols of a malformed
// tree in order, too.
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
