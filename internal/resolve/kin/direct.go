package kin

import "espy/internal/resolve/corpus"

// Bases returns the types of the repository that the declaration of a type names as
// its bases: what it extends, embeds or implements.
func (k *Kin) Bases(typ corpus.Ref) []Related {
	return k.named(typ, k.baseUses(typ))
}

// Satisfying returns the types that have every method of an interface, in languages
// where that is all it takes; none in others. It takes less time than asking each
// type for the interfaces that it satisfies.
func (k *Kin) Satisfying(iface corpus.Ref) []Related {
	if !k.isStructural(iface) || k.late() {
		return nil
	}
	return k.satisfying(iface)
}

// Required returns the methods that an interface requires, in itself and in those
// that it embeds, in languages where types satisfy interfaces by their methods.
func (k *Kin) Required(iface corpus.Ref) []corpus.Ref { return k.required(iface).methods }
