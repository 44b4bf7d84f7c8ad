package ranked

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/label"
	"espy/internal/query"
	"espy/internal/segment/syn"
)

// This file finds the declarations that a query asks for: by symbol:, or by
// being nothing but the name of one.

// asked is a declaration that the query asks for.
type asked struct {
	code.Definition
	chunk    int
	unlikely int  // as syn.Unlikely has it
	first    bool // the query is nothing but its name: its file stands first
}

// declaration is a declaration of a file of a source.
type declaration struct {
	source, file int
	asked
}

// wantedName is the name of a symbol as a query gives it.
type wantedName struct {
	last   string   // its own name
	before []string // the names that qualify it
	path   string   // of an id, its file
	local  string   // and what follows the #
}

func newWantedName(text string) (w wantedName) {
	w.path, w.local, _ = strings.Cut(text, "#")
	if i := strings.LastIndexByte(w.local, '~'); i > 0 && strings.Trim(w.local[i+1:], "0123456789") == "" {
		text = text[:len(text)-len(w.local)+i]
	}
	if names := syn.SplitName(text); len(names) > 0 {
		w.last, w.before = names[len(names)-1], names[:len(names)-1]
	}
	return w
}

// means reports whether symbol i of a file, which has its last name, is meant.
func (w *wantedName) means(s *source, f *syn.File, i int) bool {
	if len(w.before) == 0 {
		return true
	}
	path := s.seg.Path(f.Ordinal())
	if w.local != "" && path == w.path {
		return f.ByID(w.local) == i
	}
	return f.Qualifies(path, i, w.before)
}

// declarations finds the declarations of a name, qualified or not, or of an id,
// in live files: by their syntax, else by their outline, which sees into macros
// too. Where none is spelled in just that way, those of the outlines count that
// differ in case: folded.
func (c *collection) declarations(name string) (found []declaration, folded bool, err error) {
	w := newWantedName(name)
	if w.last == "" {
		return nil, false, nil
	}
	known := make([]map[int]bool, len(c.sources)) // files of which the syntax has the name
	for i, s := range c.sources {
		s.seg.WithSyntax(func(r *syn.Reader) {
			all, in := s.declaredAs(&w, r, i)
			found, known[i] = append(found, all...), in
		})
	}
	outlined, folded, err := c.definitions(w.last)
	if err != nil || folded && len(found) > 0 {
		return found, false, err
	}
	for i, s := range c.sources {
		for _, def := range outlined[i] {
			d := s.seg.Definition(def)
			if known[i][d.File] || !s.outlineQualifies(d.File, w.before) {
				continue
			}
			symbol := facts.Symbol{Kind: d.Kind, Flags: facts.Exported}
			found = append(found, declaration{i, d.File, asked{Definition: d.Definition, unlikely: syn.Unlikely(&symbol, s.seg.Class(d.File))}})
		}
	}
	return found, folded, nil
}

// declaredAs returns the declarations of a source, which is the i-th, and the
// files with any symbol of the last name.
func (s *source) declaredAs(w *wantedName, r *syn.Reader, i int) (found []declaration, in map[int]bool) {
	in = map[int]bool{}
	for f, k := range r.Symbols(w.last) {
		file := f.Ordinal()
		if !s.seg.Alive(file) {
			continue
		}
		in[file] = true
		symbol := f.Symbol(k)
		if !label.Solid(&symbol) || !w.means(s, f, k) {
			continue
		}
		d := code.Definition{Name: symbol.Name, Kind: symbol.Kind, Line: symbol.Line}
		found = append(found, declaration{i, file, asked{Definition: d, unlikely: syn.Unlikely(&symbol, s.seg.Class(file))}})
	}
	return found, in
}

// outlineQualifies reports whether the names before one that a file defines are
// the end of its path, or are defined in the file too.
func (s *source) outlineQualifies(file int, names []string) bool {
	if len(names) == 0 || syn.PathQualifies(s.seg.Path(file), names) {
		return true
	}
	last := names[len(names)-1]
	first, end := s.seg.DefinitionsOf(file)
	for i := first; i < end; i++ {
		if d := s.seg.Definition(i); d.Name == last && d.Kind.IsType() {
			return true
		}
	}
	return false
}

// keepAsked keeps a declaration if it is the likeliest of its file.
func (c *collection) keepAsked(d declaration) {
	s := c.sources[d.source]
	if s.asked == nil {
		s.asked = map[int]asked{}
	}
	old, ok := s.asked[d.file]
	if !ok || d.unlikely < old.unlikely || d.unlikely == old.unlikely && d.Line < old.Line {
		d.chunk = s.chunkAt(d.file, int(d.Line))
		s.asked[d.file] = d.asked
	}
}

// findFirst finds the likeliest declarations of a query that is nothing but the
// name of a symbol: their files stand first, in the order of their scores.
func (k *keywords) findFirst() error {
	word, ok := k.plan.query.Root.(query.Word)
	if !ok || strings.ContainsFunc(word.Text, unicode.IsSpace) {
		return nil
	}
	name := strings.TrimSuffix(word.Text, "()")
	found, folded, err := k.declarations(name)
	if err != nil || folded {
		return err
	}
	found = slices.DeleteFunc(found, func(d declaration) bool {
		s := k.sources[d.source]
		return !d.alone(name) || !s.seg.Rules.Kinds.Has(d.Kind) || !s.seg.Allows(d.file)
	})
	least := math.MaxInt
	for _, d := range found {
		least = min(least, d.tier())
	}
	for _, d := range found {
		if d.tier() == least {
			d.asked.first = true
			k.keepAsked(d)
		}
	}
	return nil
}

// insideFunction is the least unlikeliness of a name inside a function.
const insideFunction = 16

// alone reports whether a query that is nothing but a name may ask for a
// declaration of that name: a field is asked for with its type, and a plain
// word asks for a type or function or is no name at all.
func (a *asked) alone(name string) bool {
	if a.unlikely >= insideFunction {
		return false
	}
	switch a.Kind {
	case code.KindField:
		return len(syn.SplitName(name)) > 1
	case code.KindConst, code.KindVar:
		return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != ""
	}
	return a.Kind.IsType() || a.Kind.IsFunc()
}

// tier is the unlikeliness of a declaration, where what is a type or function
// is all one: 0, 4, 8 ..., and one more of other kinds.
func (a *asked) tier() int {
	if a.Kind.IsType() || a.Kind.IsFunc() {
		return a.unlikely &^ 3
	}
	return a.unlikely&^3 + 1
}

// raise gives what stands first no lower a score than what follows.
func raise(ordered []*match) {
	for i := len(ordered) - 2; i >= 0; i-- {
		if ordered[i].first {
			ordered[i].score = max(ordered[i].score, ordered[i+1].score)
		}
	}
}
