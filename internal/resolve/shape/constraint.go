package shape

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// verdict says whether a trait holds of a type.
type verdict uint8

const (
	open verdict = iota // not known
	fails
	holds
	doubted // named after another type, and so denied where one function asks for it and another one for the contrary
)

// byConstraints leaves out the functions whose template asks of a type what does
// not hold of the value given.
func (v *Choice) byConstraints(refs []corpus.Ref, got []shape) []corpus.Ref {
	if len(refs) < 2 || !slices.ContainsFunc(refs, v.isTemplate) {
		return refs
	}
	asked := map[corpus.Ref][]constraint{}
	for _, r := range refs {
		asked[r] = v.constraintsOf(r)
	}
	contrary := func(c constraint) bool {
		return slices.ContainsFunc(refs, func(r corpus.Ref) bool {
			return slices.Contains(asked[r], constraint{c.trait, !c.negative, c.argument})
		})
	}
	kept := slices.DeleteFunc(slices.Clone(refs), func(r corpus.Ref) bool {
		return slices.ContainsFunc(asked[r], func(c constraint) bool {
			if c.argument >= len(got) {
				return false
			}
			is := v.judge(c.trait, got[c.argument])
			return is == fails && !c.negative || is == holds && c.negative || is == doubted && !c.negative && contrary(c)
		})
	})
	if len(kept) == 0 {
		return refs
	}
	return kept
}

// maxHead bounds the bytes of the head of a template that are read.
const maxHead = 2000

// constraintsOf are the constraints of a function's template. Alternatives, a || b,
// tell nothing.
func (v *Choice) constraintsOf(r corpus.Ref) []constraint {
	all, ok := v.asked[r]
	if !ok {
		all = v.readConstraints(r)
		v.asked[r] = all
	}
	return all
}

func (v *Choice) readConstraints(r corpus.Ref) (all []constraint) {
	f := v.e.File(r.File)
	s := f.Symbol(r.Index)
	if s.At-s.Start > maxHead || !v.isTemplate(r) {
		return nil
	}
	text, err := v.read.Corpus().TextRange(r.File, int(s.Start), int(s.At), nil)
	if err != nil || strings.Contains(string(text), "||") {
		return nil
	}
	for n, name := range v.parametersTaken(r) {
		if name == "" {
			continue
		}
		for _, m := range asks(name).FindAllStringSubmatch(string(text), -1) {
			all = append(all, constraint{trait: m[2], negative: m[1] != "", argument: n})
		}
		for _, m := range conceptOf(name).FindAllStringSubmatch(string(text), -1) {
			if m[1] != "typename" && m[1] != "class" {
				all = append(all, constraint{trait: m[1], argument: n})
			}
		}
	}
	return all
}

var anyTypes = pattern.New(`^template\s*<\s*(?:(?:class|typename)\s+\w+\s*,?\s*)+>[^<>()]*$`)

// takesAny reports whether the head of a template asks nothing of its type parameters.
func (v *Choice) takesAny(r corpus.Ref) bool {
	s := v.read.Symbol(r)
	if s.At-s.Start > maxHead {
		return false
	}
	head, err := v.read.Corpus().TextRange(r.File, int(s.Start), int(s.At), nil)
	if err != nil || !anyTypes().Match(bytes.TrimSpace(head)) {
		return false
	}
	rest, err := v.read.Corpus().TextRange(r.File, int(s.At), int(max(s.At, min(s.SigEnd, s.At+maxHead))), nil)
	return err == nil && !bytes.Contains(rest, []byte("->")) && !bytes.Contains(rest, []byte("requires"))
}

// asks finds the traits that are asked of a type parameter, itself or without its
// modifiers.
func asks(param string) *regexp.Regexp {
	return regexp.MustCompile(`(!?)\s*(?:\w+::)*(\w+)\s*<\s*(?:(?:typename\s+)?(?:\w+::)*(?:remove_\w+|decay|decay_t)\s*<\s*)?` + regexp.QuoteMeta(param) + `\s*>`)
}

// conceptOf finds the concept that stands before a type parameter.
func conceptOf(param string) *regexp.Regexp {
	return regexp.MustCompile(`[<,]\s*(?:\w+::)*(\w+)\s+` + regexp.QuoteMeta(param) + `\b`)
}

// parametersTaken names the type parameters that a function takes values of, by
// argument, "" for other types.
func (v *Choice) parametersTaken(r corpus.Ref) (all []string) {
	f := v.e.File(r.File)
	for _, at := range f.ParameterTypes(r.Index) {
		name := ""
		if x := f.Expr(at, nil); at != facts.None {
			n := x.Node()
			if n.Op == facts.OpValue {
				n = x.To(n.X).Node()
			}
			if n.Op == facts.OpUse {
				if u := f.Use(n.X); u.Bind == facts.BindSymbol && f.Symbol(u.Target).Kind == code.KindTypeParam {
					name = u.Name
				}
			}
		}
		all = append(all, name)
	}
	return all
}

// judge says whether a trait, which is one of the library or named after a type,
// holds of a value.
func (v *Choice) judge(trait string, got shape) verdict {
	if is, ok := v.ofLibrary(strings.TrimSuffix(strings.TrimPrefix(trait, "is_"), "_v"), got); ok {
		return is
	}
	if got.name == "" || got.flags&facts.Pointer != 0 || got.kind != declared && got.kind != foreign {
		return open
	}
	asked, named := words(trait), words(got.name)
	for i := range asked {
		if len(named) > 0 && i+len(named) <= len(asked) && slices.Equal(asked[i:i+len(named)], named) {
			return holds
		}
	}
	if slices.Contains(asked, "tuple") && got.name == "pair" {
		return holds
	}
	return doubted
}

// ofLibrary says whether a trait of the standard library holds, by its name without
// is_; ok is false where it is none that is known.
func (v *Choice) ofLibrary(trait string, got shape) (is verdict, ok bool) {
	number := got.kind == builtin && got.literal != facts.LiteralString && got.literal != facts.LiteralWide && got.literal != facts.LiteralNull
	pointer := got.flags&facts.Pointer != 0
	known := got.kind == builtin || got.kind == declared
	var holding bool
	switch trait {
	case "integral":
		holding = number && !isFloating(got.literal) && !pointer
	case "floating_point":
		holding = number && isFloating(got.literal) && !pointer
	case "arithmetic":
		holding = number && !pointer
	case "pointer":
		holding = pointer
	case "enum":
		holding = got.kind == declared && !pointer && v.read.Symbol(got.ref).Kind == code.KindEnum
	case "class":
		holding = got.kind == declared && !pointer && v.read.Symbol(got.ref).Kind != code.KindEnum
	default:
		return open, false
	}
	switch {
	case holding:
		return holds, true
	case known && got.literal != facts.LiteralNumber || pointer:
		return fails, true
	}
	return open, true
}

// words are the words of a name, in small letters.
func words(name string) (all []string) {
	start := 0
	cut := func(end int) {
		if end > start {
			all = append(all, strings.ToLower(name[start:end]))
		}
	}
	for i, c := range name {
		switch {
		case c == '_':
			cut(i)
			start = i + 1
		case unicode.IsUpper(c) && i > start && unicode.IsLower(rune(name[i-1])):
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return all
}
