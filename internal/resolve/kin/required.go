package kin

import (
	"slices"

	"espy/internal/code"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/methodset"
)

// maxEmbedded bounds the interfaces that one interface embeds, directly or not.
const maxEmbedded = 100

// required returns what an interface requires. Do not change it.
func (k *Kin) required(iface corpus.Ref) *required {
	if need, ok := k.needs[iface]; ok {
		return need
	}
	need := &required{of: iface}
	k.require(need, iface, map[corpus.Ref]bool{})
	k.needs[iface] = need
	return need
}

// require adds what an interface requires that was not seen before.
func (k *Kin) require(need *required, iface corpus.Ref, seen map[corpus.Ref]bool) {
	if seen[iface] || len(seen) > maxEmbedded {
		return
	}
	seen[iface] = true
	need.methods = append(need.methods, k.declaredBy(iface)...)
	bases, _ := k.infer.Bases(iface, infer.Full())
	for _, base := range bases {
		if embedded, ok := base.Symbol(); ok {
			k.require(need, embedded, seen)
		}
	}
	for _, o := range k.outside(k.baseUses(iface)) {
		methods, ok := methodset.Standard(o.Outside)
		need.standard = append(need.standard, methods...)
		need.partial = need.partial || !ok
	}
}

// declaredBy are the methods that stand in an interface.
func (k *Kin) declaredBy(iface corpus.Ref) (all []corpus.Ref) {
	f := k.read.File(iface.File)
	end := f.Symbol(iface.Index).End
	for i := iface.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < end; i++ {
		if s := f.Symbol(i); s.Parent == iface.Index && s.Kind == code.KindMethod {
			all = append(all, corpus.Ref{File: iface.File, Index: i})
		}
	}
	return all
}

// rarest is the name of the method that an interface requires and that the fewest
// symbols have, of those that no type gets by embedding an interface of the standard
// library, where there are any; ok is false where it requires none.
func (k *Kin) rarest(need *required) (name string, ok bool) {
	var names, own []string
	for _, m := range need.methods {
		names = append(names, k.symbol(m).Name)
	}
	for _, m := range need.standard {
		names = append(names, m.Name)
	}
	for _, n := range names {
		if len(methodset.Requiring(n)) == 0 {
			own = append(own, n)
		}
	}
	if len(own) > 0 {
		names = own
	}
	if len(names) == 0 {
		return "", false
	}
	return slices.MinFunc(names, func(x, y string) int { return len(k.read.Named(x)) - len(k.read.Named(y)) }), true
}

// IsEmptyInterface reports whether a type is an interface that requires nothing, so
// that every type has its methods.
func (k *Kin) IsEmptyInterface(typ corpus.Ref) bool {
	if !k.isStructural(typ) || k.symbol(typ).Kind != code.KindInterface {
		return false
	}
	need := k.required(typ)
	return len(need.methods)+len(need.standard) == 0 && !need.partial
}
