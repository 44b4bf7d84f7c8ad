package corpus

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/label"
	"espy/internal/segment/syn"
)

// Declaration is a symbol that a live file declares.
type Declaration struct {
	code.Definition
	Segment  *Segment
	File     int
	Unlikely int // as syn.Unlikely has it
}

// Declarations finds the declarations of a name, qualified or not, or of an id
// (path#Type.method): by the syntax of their files, else by their outline, which
// sees into macros too. Where none is spelled in just that way, those of the
// outlines count that differ in case: folded.
func (c *Corpus) Declarations(name string) (found []Declaration, folded bool, err error) {
	w := newWanted(name)
	if w.last == "" {
		return nil, false, nil
	}
	for _, s := range c.Segments {
		s.WithSyntax(func(r *syn.Reader) {
			found = append(found, s.declared(&w, r)...)
		})
	}
	outlined, folded, err := c.Definitions(w.last)
	if err != nil || folded && len(found) > 0 {
		return found, false, err
	}
	for i, s := range c.Segments {
		for _, def := range outlined[i] {
			d := s.Definition(def)
			if !s.believes(d.File, d.Definition, w.last) || !s.outlineQualifies(d.File, w.before) {
				continue
			}
			symbol := facts.Symbol{Kind: d.Kind, Flags: facts.Exported}
			found = append(found, Declaration{d.Definition, s, d.File, syn.Unlikely(&symbol, s.Class(d.File))})
		}
	}
	return found, folded, nil
}

// wanted is the name of a symbol as a query gives it.
type wanted struct {
	last   string   // its own name
	before []string // the names that qualify it
	id     string   // the whole of an id
}

func newWanted(text string) (w wanted) {
	if hash := strings.LastIndexByte(text, '#'); hash >= 0 {
		w.id = text
		if i := strings.LastIndexByte(text, '~'); i > hash+1 && strings.Trim(text[i+1:], "0123456789") == "" {
			text = text[:i]
		}
	}
	if names := facts.SplitName(text); len(names) > 0 {
		w.last, w.before = names[len(names)-1], names[:len(names)-1]
	}
	return w
}

// means reports whether symbol i of a file, which has the last name, is meant.
func (w *wanted) means(s *Segment, f *syn.File, i int) bool {
	if len(w.before) == 0 {
		return true
	}
	path := s.Path(f.Ordinal())
	if local, ok := strings.CutPrefix(w.id, path+"#"); ok && local != "" {
		return f.ByID(local) == i
	}
	return f.Qualifies(path, i, w.before)
}

// believes reports whether the outline of a file adds a definition to what its
// syntax has of the name asked for.
func (s *Segment) believes(file int, d code.Definition, asked string) bool {
	believed := true
	s.WithFacts(file, func(f *syn.File) {
		i, _ := label.Declared(f, d)
		believed = i != facts.None && d.Name != asked || label.Beyond(f, s.Language(file), d.Name)
	})
	return believed
}

// declared returns the declarations that the syntax of live files has.
func (s *Segment) declared(w *wanted, r *syn.Reader) (found []Declaration) {
	for f, k := range r.Symbols(w.last) {
		file := f.Ordinal()
		if !s.Alive(file) {
			continue
		}
		symbol := f.Symbol(k)
		if !label.Solid(&symbol) || !w.means(s, f, k) {
			continue
		}
		d := code.Definition{Name: symbol.Name, Kind: symbol.Kind, Line: symbol.Line}
		found = append(found, Declaration{d, s, file, syn.Unlikely(&symbol, s.Class(file))})
	}
	return found
}

// outlineQualifies reports whether the names before one that a file defines are
// the end of its path, or the last of them is a type that the file defines too.
func (s *Segment) outlineQualifies(file int, names []string) bool {
	if len(names) == 0 || syn.PathQualifies(s.Path(file), names) {
		return true
	}
	last := names[len(names)-1]
	first, end := s.DefinitionsOf(file)
	for i := first; i < end; i++ {
		if d := s.Definition(i); d.Name == last && d.Kind.IsType() {
			return true
		}
	}
	return false
}
