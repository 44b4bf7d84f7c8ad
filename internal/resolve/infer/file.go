package infer

import (
	"math"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// file is a file with what is known of its rows.
type file struct {
	*corpus.File
	language *Language // nil where there are no rules
	uses     map[int32]Answer
	imports  map[int32]Answer
	bases    map[int32][]int32 // by type: the uses that name its bases, in order
	values   map[int32][]Thing // by expression
	calls    map[int32]int32   // by use: the values that a call gives
}

// given are the values that a call gives, by its use; nil where the file does
// not say.
func (f *file) given(use int32) []int32 {
	if f.calls == nil {
		f.calls = map[int32]int32{}
		for i := range f.Facts.NumExprs() {
			if x := f.Facts.Expr(i); x.Op == facts.OpGiven {
				f.calls[x.X] = x.Y
			}
		}
	}
	at, ok := f.calls[use]
	if !ok {
		return nil
	}
	return expr{file: f, at: at}.tuple()
}

// parameterTypes are the expressions of the types that a function takes.
func (f *file) parameterTypes(fn int32) []int32 {
	end := f.Symbol(fn).End
	var all []int32
	for i := fn + 1; int(i) < f.Facts.NumSymbols(); i++ {
		s := f.Symbol(i)
		if s.Start >= end {
			break
		}
		if s.Parent == fn && s.Kind == code.KindParam {
			all = append(all, s.Type)
		}
	}
	return all
}

// baseUses finds the uses that name what a type inherits or embeds.
func (f *file) baseUses(typ int32) []int32 {
	if all, ok := f.bases[typ]; ok {
		return all
	}
	all := []int32{}
	if s := f.Symbol(typ); s.Kind.IsType() {
		start, end := f.basesOf(s)
		for i := f.Facts.UsesFrom(start); i < f.Facts.NumUses(); i++ {
			u := f.Use(int32(i))
			if u.At >= end {
				break
			}
			if u.In == typ && (u.Role == facts.RoleInherit || u.Role == facts.RoleImplement) {
				all = append(all, int32(i))
			}
		}
	}
	f.bases[typ] = all
	return all
}

// basesOf returns the bytes in which the bases of a type are named.
func (f *file) basesOf(typ *facts.Symbol) (start, end uint32) {
	place := InSignature
	if f.language != nil {
		place = f.language.Bases
	}
	switch place {
	case InBody:
		return typ.Start, typ.End
	case InFile:
		return 0, math.MaxUint32
	}
	return typ.Start, typ.SigEnd
}
