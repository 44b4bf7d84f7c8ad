package shape

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// rank says how a value fits a parameter, the worst first.
type rank uint8

const (
	never    rank = iota
	unranked      // not known
	made          // by a constructor of what it is turned into, if at all
	converted
	promoted
	qualified // a pointer to what is not changed through it
	taken     // by a type parameter
	same
)

// rankOf is how a value of a shape fits what a function takes.
func rankOf(takes, got shape, l *infer.Language) rank {
	if text, ok := l.Texts[takes.name]; ok && got.kind == builtin && !got.generic && (got.literal == facts.LiteralString || got.literal == facts.LiteralWide) && text != got.literal {
		return never
	}
	pointer := takes.flags&facts.Pointer != 0
	isPointer := got.flags&facts.Pointer != 0
	switch {
	case takes.moved && takes.kind != variable && got.written && !isPointer && !pointer:
		return never
	case got.kind == braced:
		if takes.kind == variable && !pointer {
			return never
		}
		return unranked
	case takes.name == "initializer_list" && takes.generic && (got.kind == builtin || isPointer):
		return never
	case (takes.deep || got.deep) && takes.kind != variable:
		return rankDeep(takes, got)
	case takes.generic && takes.kind != variable && !pointer && !isPointer && got.kind == builtin && got.literal == facts.LiteralString && !got.generic:
		return made
	case takes.aliased && got.aliased && takes.alias == got.alias && !takes.generic && !got.generic && pointer == isPointer && (takes.flags&facts.Reference == 0 || takes.flags&facts.Constant != 0):
		return same // whatever it is
	case takes.kind == noShape && pointer && got.kind == builtin && !isPointer && got.literal == facts.LiteralString && strings.Contains(strings.ToLower(takes.name), "char"):
		return same // by whatever name characters go there
	case takes.kind == noShape || got.kind == noShape || got.kind == variable:
		return unranked
	case takes.kind == variable:
		if takes.flags&facts.Reference != 0 && takes.flags&facts.Constant == 0 || pointer {
			return unranked
		}
		return taken
	case l.Utilities[takes.name] && takes.generic && !pointer && (isPointer || l.Utilities[got.name] && got.name != takes.name):
		return never // its type arguments must be those of the value
	case got.kind == pointed:
		return unranked
	case got.kind == builtin && !isPointer:
		return rankBuiltin(takes, got.literal)
	case takes.kind == builtin && !pointer && isPointer && takes.literal != facts.LiteralBool:
		return never
	case pointer && got.kind == declared && !isPointer:
		return never
	case pointer != isPointer:
		return converted
	case pointer && isPointer && got.written && takes.isLike(got) && takes.flags&facts.Reference == 0 && (takes.flags^got.flags)&facts.Constant != 0:
		if got.flags&facts.Constant != 0 {
			return never
		}
		return qualified
	case pointer && isPointer && takes.kind == builtin && got.kind == builtin && areDistinct(takes.literal, got.literal):
		return never
	case takes.kind == declared && got.kind == declared && takes.ref == got.ref, takes.kind == foreign && got.kind == foreign && takes.name == got.name, takes.kind == builtin && got.kind == builtin && takes.literal == got.literal && takes.literal != facts.LiteralNumber:
		return same
	}
	return unsureIfForeign(takes, got)
}

// isLike reports whether two shapes are of one type, which is known.
func (s shape) isLike(o shape) bool {
	return s.kind == o.kind && (s.kind == declared && s.ref == o.ref || s.kind == builtin && s.literal == o.literal && s.literal != facts.LiteralNumber)
}

// areDistinct reports whether two built-in types cannot be one by another name.
func areDistinct(x, y int32) bool {
	return x != y && (x != facts.LiteralNumber && y != facts.LiteralNumber || x == facts.LiteralChar || y == facts.LiteralChar || isFloating(x) || isFloating(y))
}

// rankDeep is rankOf where one of the two is a pointer to pointers, which no conversion
// makes of another.
func rankDeep(takes, got shape) rank {
	known := func(s shape) bool { return s.kind == builtin || s.kind == declared }
	switch {
	case !known(takes) || !known(got) || got.kind == builtin && got.flags&facts.Pointer == 0 && got.literal != facts.LiteralString && !got.written: // as 0 is a pointer too
		return unranked
	case takes.flags&facts.Pointer == 0:
		if takes.kind == builtin && takes.literal != facts.LiteralBool {
			return never
		}
		return unranked
	case takes.deep != got.deep, takes.kind != got.kind, takes.kind == declared && takes.ref != got.ref, takes.kind == builtin && areDistinct(takes.literal, got.literal):
		return never
	case !takes.isLike(got) || !got.written:
		return unranked
	case (takes.flags^got.flags)&facts.Constant != 0:
		return never
	}
	return same
}

// unsureIfForeign is converted, unless one of two types may be the other by a
// further name.
func unsureIfForeign(takes, got shape) rank {
	if got.kind == declared && (takes.kind == declared || takes.kind == builtin) {
		return converted
	}
	return unranked
}

// rankBuiltin is how a value of a built-in type fits.
func rankBuiltin(takes shape, got int32) rank {
	isText := got == facts.LiteralString || got == facts.LiteralWide
	switch pointer := takes.flags&facts.Pointer != 0; {
	case takes.kind == declared && pointer:
		if got == facts.LiteralNumber || got == facts.LiteralNull {
			return unranked
		}
		return never
	case takes.kind != builtin:
		return converted
	case pointer && isText:
		switch wide := got == facts.LiteralWide; {
		case wide == (takes.literal == facts.LiteralNumber) && wide == (takes.literal != facts.LiteralChar):
			return same
		case takes.literal == facts.LiteralNumber: // as a text of char8_t goes there
			return converted
		}
		return never
	case pointer && (got == facts.LiteralNumber || got == facts.LiteralNull):
		return unranked // as 0 is a pointer too
	case pointer:
		return never
	case isText:
		if takes.literal == facts.LiteralBool {
			return converted
		}
		return never
	case got == facts.LiteralNull:
		return never
	case isCharacter(takes.name) && got != facts.LiteralNumber:
		return converted
	case takes.literal == facts.LiteralNumber || got == facts.LiteralNumber:
		if isFloating(takes.literal) || isFloating(got) {
			return converted
		}
		return unranked
	case takes.literal == got:
		return same
	case got == facts.LiteralFloat && takes.literal == facts.LiteralDouble, takes.literal == facts.LiteralInt && isSmall(got):
		return promoted
	}
	return converted
}

// isSmall reports whether a number of a built-in type fits an int, and becomes one.
func isSmall(literal int32) bool {
	switch literal {
	case facts.LiteralBool, facts.LiteralChar, facts.LiteralByte, facts.LiteralShort, facts.LiteralUnsignedByte, facts.LiteralUnsignedShort:
		return true
	}
	return false
}

// shaped is a function that a call may mean.
type shaped struct {
	ref   corpus.Ref
	takes []shape
	ranks []rank
	plain bool // a template that takes values of any type
}

// Choose leaves those of several functions that a call means by what is
// written of its arguments and of its receiver. Where it cannot be told which,
// each is likely.
func (v *Choice) Choose(use corpus.Ref, a *infer.Answer, b infer.Budget) {
	if len(a.Refs) < 2 || slices.ContainsFunc(a.Refs, func(r corpus.Ref) bool { return !v.read.Symbol(r).Kind.IsFunc() }) {
		return
	}
	a.Refs = v.byReceiver(use, v.byTypeArguments(use, a.Refs), b)
	f := v.e.File(use.File)
	if given := f.Given(use.Index); given != nil {
		a.Refs = v.byShapes(f, given, a.Refs, b.Deeper())
	}
	if one := v.e.Together(a.Refs[0]); slices.ContainsFunc(a.Refs, func(r corpus.Ref) bool { return !slices.Contains(one, r) }) {
		a.Confidence = max(a.Confidence, facts.Likely)
	}
}

// Among leaves those of several functions of one type that a call may mean by what
// is written of its arguments.
func (v *Choice) Among(use corpus.Ref, refs []corpus.Ref, b infer.Budget) []corpus.Ref {
	f := v.e.File(use.File)
	given := f.Given(use.Index)
	if len(refs) < 2 || given == nil {
		return refs
	}
	return v.byShapes(f, given, refs, b)
}

func (v *Choice) byShapes(f *infer.File, given []int32, refs []corpus.Ref, b infer.Budget) []corpus.Ref {
	got := make([]shape, len(given))
	for i, g := range given {
		got[i] = v.shapeOf(f.Expr(g, nil), 0, b)
	}
	var all []shaped
	var unnamed, out []corpus.Ref // of which nothing is told, and what is left out
	for _, r := range refs {
		c := shaped{ref: r}
		takes, ok := v.shapesTaken(r, b)
		if !ok || len(takes) < len(got) {
			all, unnamed = append(all, c), append(unnamed, r)
			continue
		}
		for i := range got {
			c.takes, c.ranks = append(c.takes, takes[i]), append(c.ranks, rankOf(takes[i], got[i], f.Language))
		}
		if slices.Contains(c.ranks, never) || areAtOdds(takes, got) {
			out = append(out, r)
			continue
		}
		c.plain = slices.Contains(c.ranks, taken) && v.takesAny(r)
		all = append(all, c)
	}
	var left []corpus.Ref
	for i := range all {
		if slices.ContainsFunc(all, func(o shaped) bool { return o.beats(&all[i]) || o.moves(&all[i], got) }) {
			out = append(out, all[i].ref)
		} else {
			left = append(left, all[i].ref)
		}
	}
	if len(out) > 0 && len(unnamed) > 0 { // and the other declarations of these
		left = slices.DeleteFunc(left, func(r corpus.Ref) bool {
			return slices.Contains(unnamed, r) && slices.ContainsFunc(v.e.Together(r), func(o corpus.Ref) bool { return slices.Contains(out, o) })
		})
	}
	if len(left) == 0 {
		return refs
	}
	return v.byConstraints(left, got)
}

// byTypeArguments leaves the templates where a call writes type arguments behind the name:
// f<4>(a) calls no plain function.
func (v *Choice) byTypeArguments(use corpus.Ref, refs []corpus.Ref) []corpus.Ref {
	if len(refs) < 2 || !v.isCpp(use) || !slices.ContainsFunc(refs, v.isTemplate) {
		return refs
	}
	kept := slices.DeleteFunc(slices.Clone(refs), func(r corpus.Ref) bool { return !v.isTemplate(r) })
	u := v.read.File(use.File).Use(use.Index)
	behind := int(u.At) + len(u.Name)
	if text, err := v.read.Corpus().TextRange(use.File, behind, behind+1, nil); len(kept) == len(refs) || err != nil || string(text) != "<" {
		return refs
	}
	return kept
}

// moves reports whether a function differs from another one in nothing but that it takes
// values without names, T && instead of const T &, where such are given.
func (c *shaped) moves(o *shaped, got []shape) bool {
	if len(c.takes) == 0 || len(c.takes) != len(o.takes) {
		return false
	}
	moves := false
	for i, takes := range c.takes {
		switch {
		case takes == o.takes[i]:
		case takes.moved && !o.takes[i].moved && takes.isLike(o.takes[i]) && takes.generic == o.takes[i].generic && got[i].isTemporary():
			moves = true
		default:
			return false
		}
	}
	return moves
}

// isTemporary reports whether a value of a shape is surely made where it stands, if it is
// to be one of a class: a built-in one is turned into one there.
func (s shape) isTemporary() bool {
	if s.flags&facts.Pointer != 0 {
		return false
	}
	return s.kind == builtin || s.kind == declared && !s.written && s.flags&facts.Reference == 0
}

// isWritten reports whether two functions take what is written alike, type parameters by
// whatever name.
func (s shape) isWritten(o shape) bool {
	if s.kind == variable && o.kind == variable {
		s.ref, o.ref = corpus.Ref{}, corpus.Ref{}
	}
	return s == o
}

// areAtOdds reports whether values of different types are given where a function takes
// several of one type parameter.
func areAtOdds(takes, got []shape) bool {
	told := func(s shape) bool {
		return s.flags&facts.Pointer == 0 && (s.kind == declared && !s.generic || s.kind == builtin && s.literal != facts.LiteralNumber && s.literal != facts.LiteralString && s.literal != facts.LiteralWide && s.literal != facts.LiteralNull)
	}
	for i := range got {
		for j := range i {
			if takes[i].kind == variable && takes[j].kind == variable && takes[i].ref == takes[j].ref && told(got[i]) && told(got[j]) && (got[i].kind != got[j].kind || got[i].literal != got[j].literal || got[i].ref != got[j].ref) {
				return true
			}
		}
	}
	return false
}

// beats reports whether each value fits a function as well as another or better,
// and one better.
func (c *shaped) beats(o *shaped) bool {
	if len(c.ranks) == 0 || len(o.ranks) == 0 {
		return false
	}
	better := false
	for i := range c.ranks {
		switch x, y := c.ranks[i], o.ranks[i]; {
		case x > made && y == made:
			better = true
		case x == y && x != unranked, c.takes[i].isWritten(o.takes[i]) && (c.takes[i].kind != noShape || c.takes[i].aliased):
		case x == same && y == unranked && o.takes[i].kind != variable && (c.takes[i].aliased || o.takes[i].aliased || o.takes[i].kind == foreign):
			better = true // unless that is the same by another name, and then another value differs
		case x == unranked || y == unranked || x < y, x == taken && !c.plain || y == taken && x != same:
			return false
		case x > y:
			better = true
		}
	}
	return better
}

// byReceiver leaves those of several methods that values which do not change
// have, or those that others have, where the receiver of a call is known to be
// one or the other.
func (v *Choice) byReceiver(use corpus.Ref, refs []corpus.Ref, b infer.Budget) []corpus.Ref {
	constant, known := v.isConstant(use, refs, b)
	if !known {
		return refs
	}
	kept := slices.DeleteFunc(slices.Clone(refs), func(r corpus.Ref) bool {
		s := v.read.Symbol(r)
		if s.Flags&facts.Static != 0 || (s.Flags&facts.Constant != 0) == constant {
			return false
		}
		return slices.ContainsFunc(refs, func(o corpus.Ref) bool { return v.isVersion(r, o) })
	})
	if len(kept) == 0 {
		return refs
	}
	return kept
}

// isVersion reports whether two methods differ in nothing but their receiver.
func (v *Choice) isVersion(r, o corpus.Ref) bool {
	x, y := v.read.Symbol(r), v.read.Symbol(o)
	if (x.Flags^y.Flags)&facts.Constant == 0 || x.Kind != code.KindMethod || y.Kind != code.KindMethod || x.MinArgs != y.MinArgs || x.MaxArgs != y.MaxArgs {
		return false
	}
	a, named := v.spelled(r)
	c, alsoNamed := v.spelled(o)
	return x.MaxArgs == 0 || named && alsoNamed && slices.Equal(a, c)
}
