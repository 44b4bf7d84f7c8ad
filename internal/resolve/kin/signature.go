package kin

import (
	"cmp"
	"strconv"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/methodset"
	"espy/internal/segment"
)

// signature reads what a method takes and gives.
func (k *Kin) signature(m corpus.Ref) (methodset.Signature, bool) {
	if s, ok := k.signatures[m]; ok {
		return s.Signature, s.ok
	}
	s := k.symbol(m)
	var r signature
	if text, err := k.corpus.TextRange(m.File, int(s.SigStart), int(s.SigEnd), &k.piece); err == nil {
		r.Signature, r.ok = methodset.Read(string(text), func(at int, name string) string {
			return k.typeAt(m.File, s.SigStart+uint32(at), name)
		})
	}
	k.signatures[m] = r
	return r.Signature, r.ok
}

// maxAliases bounds the names of names of a type that are followed.
const maxAliases = 8

// typeAt is a name of the type that the identifier at a byte of a file names: the
// same for all names of a type, methodset.Any where it is not known.
func (k *Kin) typeAt(id corpus.FileID, at uint32, name string) string {
	f := k.facts(id)
	i := f.UsesFrom(at)
	if i >= f.NumUses() || k.use(corpus.Ref{File: id, Index: int32(i)}).At != at {
		return name
	}
	return k.typeNamed(corpus.Ref{File: id, Index: int32(i)}, maxAliases)
}

func (k *Kin) typeNamed(use corpus.Ref, aliases int) string {
	a := k.infer.Meaning(use, infer.Full())
	for _, r := range a.Refs {
		s := k.symbol(r)
		switch {
		case s.Kind == code.KindTypeParam:
			return methodset.Any
		case !s.Kind.IsType():
			continue
		case s.Kind == code.KindType && k.IsAlias(r):
			if x := k.read.File(r.File).Facts; aliases > 0 && s.Type != facts.None && x.Expr(int(s.Type)).Op == facts.OpUse {
				return k.typeNamed(corpus.Ref{File: r.File, Index: x.Expr(int(s.Type)).X}, aliases-1)
			}
			return methodset.Any
		}
		first := k.infer.Together(r)[0]
		return "@" + strconv.Itoa(int(first.File)) + ":" + strconv.Itoa(int(first.Index))
	}
	o, ok := k.origin.Used(use)
	if !ok || o.From == "" && !methodset.IsPredeclared(o.Name) {
		return methodset.Any
	}
	return cmp.Or(o.From, o.Name)
}

// IsAlias reports whether a declaration of a type gives another name to one.
func (k *Kin) IsAlias(typ corpus.Ref) bool {
	s := k.symbol(typ)
	if s.Kind != code.KindType {
		return false
	}
	var cache segment.TextCache
	text, err := k.corpus.TextRange(typ.File, int(s.At)+len(s.Name), int(s.End), &cache)
	if err != nil {
		return false
	}
	depth := 0
	for i, c := range text {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '=' && depth == 0:
			return true
		case c != ' ' && c != '\t' && depth == 0 && i > 0 && text[i-1] != ']':
			return false
		}
	}
	return false
}
