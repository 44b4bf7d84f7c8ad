// Package cpp holds the rules of C and C++: what headers and namespaces bring, which
// declarations are one symbol, and what macros hide.
package cpp

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
	"espy/internal/resolve/rules/include"
)

// Language returns the rules of C and C++ for one question.
func Language(read *corpus.Reader, e *meaning.Evaluator, inherited Inherited, lines *include.Lines) *infer.Language {
	c := &cpp{corpus: read.Corpus(), read: read, infer: e, inherited: inherited, lines: lines, programs: map[namesake]*include.Namesakes{}, macros: map[string]bool{}, scoping: map[string]bool{}, mentioned: map[string]bool{}, opened: map[string]map[corpus.FileID]uint32{}, ends: map[namedAt]map[string][]corpus.Ref{}, frees: map[string][]corpus.Ref{}, fields: map[string][]corpus.Ref{}, splices: map[splice]bool{}}
	c.includes = include.New(lines, lines.Included)
	return &infer.Language{
		Rules: c, Implicit: []facts.Op{facts.OpElse}, Dereference: "operator->", Decays: true, Infers: true, Alike: c.alike, InSight: c.inSight, Overloads: true, Prototypes: true, TypesApart: true, Hierarchy: true, Overrides: infer.SiblingsApart, Fulfils: c.overrides, Element: c.element, Expands: c.expands, Spliced: c.spliced,
		Utilities: map[string]bool{"unique_ptr": true, "shared_ptr": true, "weak_ptr": true, "reference_wrapper": true, "add_lvalue_reference_t": true, "remove_reference_t": true,
			"optional": true, "make_shared": true, "make_unique": true, "make_optional": true, "static_pointer_cast": true, "dynamic_pointer_cast": true},
		Unwraps: map[string]bool{"get": true, "lock": true, "operator->": true, "value": true},
		Namespace: func(r corpus.Ref, s *facts.Symbol) (*infer.Module, bool) {
			return &infer.Module{Path: qualify(c.space(r), s.Name), Family: corpus.C}, true
		},
		Texts: map[string]int32{
			"string": facts.LiteralString, "string_view": facts.LiteralString, "wstring": facts.LiteralWide, "wstring_view": facts.LiteralWide,
		},
		Pairs:  map[string]bool{"pair": true, "map": true, "unordered_map": true, "multimap": true, "unordered_multimap": true},
		Halves: map[string]int{"first": 0, "second": 1},
		Leading: map[string]bool{"vector": true, "array": true, "list": true, "forward_list": true, "deque": true, "set": true, "multiset": true, "unordered_set": true,
			"unordered_multiset": true, "stack": true, "queue": true, "priority_queue": true, "unique_ptr": true},
		Inner: map[string]bool{"iterator": true, "const_iterator": true, "reverse_iterator": true, "const_reverse_iterator": true,
			"value_type": true, "reference": true, "const_reference": true},
		Containers: map[string]infer.Gives{
			"at": infer.AnElement, "front": infer.AnElement, "back": infer.AnElement, "top": infer.AnElement,
			"get": infer.AnElement, "value": infer.AnElement, "lock": infer.AnElement,
			"begin": infer.TheSame, "end": infer.TheSame, "cbegin": infer.TheSame, "rbegin": infer.TheSame, "find": infer.TheSame,
		},
	}
}

// overrides finds the methods that one says it overrides.
func (c *cpp) overrides(member corpus.Ref, b infer.Budget) []corpus.Ref {
	s := c.read.Symbol(member)
	if s.Kind != code.KindMethod {
		return nil
	}
	together := c.infer.Together(member)
	says := c.any(together, facts.Overrides)
	owner, ok := c.infer.OwnerType(member, b)
	if !ok {
		return nil
	}
	var all []corpus.Ref
	bases, _ := c.infer.Bases(owner, b)
	for _, base := range bases {
		found, _ := c.infer.Member(base, s.Name, b.Restart())
		for _, m := range found {
			if o := c.read.Symbol(m.Ref); m.Module != nil || !o.Kind.IsFunc() || o.MinArgs != s.MinArgs || slices.Contains(together, m.Ref) || c.infer.Shapes().Differ(member, m.Ref) {
				continue
			}
			above := c.infer.Together(m.Ref)
			if !says && !c.any(above, facts.Virtual|facts.Overrides) {
				continue
			}
			for _, r := range slices.Concat(above, c.infer.Overridden(m.Ref, b)) {
				if !slices.Contains(all, r) {
					all = append(all, r)
				}
			}
		}
	}
	return all
}

// element is what an element of a value is: the value itself, which a pointer
// leads to, unless its type says how it is indexed or gone through.
func (c *cpp) element(t infer.Thing, which infer.Part, b infer.Budget) ([]infer.Thing, bool) {
	if which == infer.RangePart {
		if things := c.ranged(t, b); len(things) > 0 {
			return things, true
		}
	} else if which != infer.ElementPart && which != infer.LoopPart {
		return nil, false
	}
	if things, ok := c.infer.Through(t, []string{"operator[]", "operator*"}, b); ok && len(things) > 0 {
		return things, true
	}
	return []infer.Thing{t}, true
}

// ranged is what the iterator leads to that a value says it begins with.
func (c *cpp) ranged(t infer.Thing, b infer.Budget) []infer.Thing {
	found, state := c.infer.Member(t, "begin", b)
	if state != infer.Found || found[0].Module != nil {
		return nil
	}
	its, _ := c.infer.Through(t, []string{"begin"}, b)
	if c.read.Symbol(found[0].Ref).Flags&facts.Pointer != 0 {
		return its
	}
	return infer.Each(its, func(it infer.Thing) []infer.Thing {
		if it.Kind == infer.AValue {
			if things, ok := c.infer.Through(it, []string{"operator*"}, b.Deeper()); ok {
				return things
			}
		}
		return c.infer.Element(it, infer.LoopPart, b.Deeper())
	})
}

// any reports whether one of several symbols has one of the traits.
func (c *cpp) any(refs []corpus.Ref, traits facts.Flags) bool {
	return slices.ContainsFunc(refs, func(r corpus.Ref) bool { return c.read.Symbol(r).Flags&traits != 0 })
}
