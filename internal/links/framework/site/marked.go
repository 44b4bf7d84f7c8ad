package site

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// maxBack bounds the declarations before a mark that are looked at for the one whose
// head holds it.
const maxBack = 200

// Marked is the declaration that the decorator or annotation of a site marks.
func (f *Finder) Marked(s *Site) (corpus.Ref, bool) {
	file := f.File(s.File)
	first := file.SymbolsFrom(uint32(s.At) + 1)
	for i := first - 1; i >= max(0, first-maxBack); i-- {
		if d := file.BareSymbol(i); int(d.At) > s.At && int(d.End) > s.At && isMarkable(file.Kind(i)) {
			return corpus.Ref{File: s.File, Index: int32(i)}, true
		}
	}
	behind := written.BehindMarks(s.Text, s.End) // where marks are no part of a declaration
	for i := file.SymbolsFrom(uint32(behind)); i < file.NumSymbols(); i++ {
		if d := file.BareSymbol(i); isMarkable(file.Kind(i)) {
			return corpus.Ref{File: s.File, Index: int32(i)}, int(d.Start) < behind+maxModifiers
		}
	}
	return corpus.Ref{}, false
}

// maxModifiers bounds the bytes of words such as public before a declaration.
const maxModifiers = 60

func isMarkable(k code.Kind) bool { return k != code.KindParam && k != code.KindTypeParam }

// TypeAt is the type that holds a site, or whose head it stands in.
func (f *Finder) TypeAt(s *Site) (corpus.Ref, bool) {
	file := f.File(s.File)
	for i := int32(file.Enclosing(uint32(s.At))); i != facts.None; i = f.Symbol(corpus.Ref{File: s.File, Index: i}).Parent {
		if sym := f.Symbol(corpus.Ref{File: s.File, Index: i}); sym.Kind.IsType() {
			return corpus.Ref{File: s.File, Index: i}, true
		} else if sym.Owner != "" {
			if all := f.Ask.Find(sym.Owner); len(all) > 0 {
				return all[0], true
			}
		}
	}
	return corpus.Ref{}, false
}

// Parameters are the parameters in the head of a function or a type, and the
// fields that are declared there.
func (f *Finder) Parameters(d corpus.Ref) (all []corpus.Ref) {
	head, file := f.Symbol(d), f.File(d.File)
	from, to, last := head.At+uint32(len(head.Name)), head.SigEnd, uint32(0)
	for i := file.SymbolsFrom(from); i < file.NumSymbols() && file.BareSymbol(i).Start < to; i++ {
		k, at := file.Kind(i), file.BareSymbol(i).At
		if (k == code.KindParam || k == code.KindField) && at != last { // a parameter may declare a field too
			all, last = append(all, corpus.Ref{File: d.File, Index: int32(i)}), at
		}
	}
	return all
}
