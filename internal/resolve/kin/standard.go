package kin

import (
	"slices"

	"espy/internal/code"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/methodset"
)

// Standard returns the interfaces of Go's standard library that require a method and
// whose methods its type has, by their paths and names, sorted: what is declared
// elsewhere may call the method through them.
func (k *Kin) Standard(method corpus.Ref) (all []string) {
	s := k.symbol(method)
	if s.Kind != code.KindMethod || !k.isStructural(method) {
		return nil
	}
	owner, ok := k.infer.OwnerType(method, infer.Full())
	if !ok || k.symbol(owner).Kind == code.KindInterface {
		return nil
	}
	for _, name := range methodset.Requiring(s.Name) {
		methods, _ := methodset.Standard(name)
		if fits, _ := k.has(owner, &required{of: none, standard: methods}); fits {
			all = append(all, name)
		}
	}
	return slices.Clip(all)
}
