package shape

import (
	"regexp"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// belongsToOther reports whether what a function takes is written otherwise than what
// another one of its name takes, of which an overload beside that other one is written as
// the first: the declaration and the definition of that overload are one then. Overloads
// that one type declares differ where they are written differently.
func (v *Choice) belongsToOther(r, o corpus.Ref) bool {
	a, c := v.written(r), v.written(o)
	if a == nil || c == nil || len(a) != len(c) || slices.Equal(a, c) {
		return false
	}
	x, y := v.read.Symbol(r), v.read.Symbol(o)
	if r.File == o.File && x.Parent == y.Parent && x.Kind == code.KindMethod && x.Owner == "" && y.Owner == "" {
		return true
	}
	return v.hasBeside(o, r, a) || v.hasBeside(r, o, c)
}

// hasBeside reports whether a function that stands beside another one, and is none of the
// two that are compared, takes what is written so.
func (v *Choice) hasBeside(beside, other corpus.Ref, takes []string) bool {
	f := v.read.File(beside.File)
	s := f.Symbol(beside.Index)
	for i := range f.Facts.SymbolsNamed(s.Name) {
		p := corpus.Ref{File: beside.File, Index: int32(i)}
		if x := f.Symbol(p.Index); p != beside && p != other && x.Kind == s.Kind && x.Parent == s.Parent && x.Owner == s.Owner && (x.Flags^s.Flags)&facts.Abstract == 0 && slices.Equal(v.written(p), takes) {
			return true
		}
	}
	return false
}

// maxWritten bounds the bytes of parameters that are compared by how they are written.
const maxWritten = 600

var (
	qualifiers = pattern.New(`\b\w+::`)
	constant   = pattern.New(`\bconst\b`)
	blanks     = pattern.New(`\s+`)
	needless   = strings.NewReplacer(" *", "*", " &", "&", "* ", "*", "& ", "&", " >", ">", "> ", ">", "< ", "<") // blanks
)

// written are the types of the parameters of a function of C++ as they are written, without
// names, values by default and namespaces; nil where they cannot be told apart so.
func (v *Choice) written(r corpus.Ref) (all []string) {
	all, ok := v.texts[r]
	if !ok {
		all = v.findWritten(r)
		v.texts[r] = all
	}
	return all
}

func (v *Choice) findWritten(r corpus.Ref) (all []string) {
	f := v.read.File(r.File)
	fn := f.Symbol(r.Index)
	from := fn.At + uint32(len(fn.Name))
	text, err := v.read.Corpus().TextRange(r.File, int(from), int(min(fn.End, from+maxWritten)), nil)
	if err != nil {
		return nil
	}
	text = slices.Clone(text)
	for i := r.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < from+uint32(len(text)); i++ {
		if s := f.Symbol(i); s.Parent == r.Index && s.Kind == code.KindParam && s.At >= from {
			for at := s.At - from; at < min(s.At-from+uint32(len(s.Name)), uint32(len(text))); at++ {
				text[at] = ' '
			}
		}
	}
	list, ok := parameterList(string(text))
	if !ok {
		return nil
	}
	for _, p := range list {
		all = append(all, normalized(p))
	}
	return all
}

// parameterList splits the parameters that a text begins with, in parentheses.
func parameterList(text string) (list []string, ok bool) {
	text = strings.TrimLeft(text, " \t\r\n")
	if !strings.HasPrefix(text, "(") {
		return nil, false
	}
	depth, start := 0, 1
	for i := range len(text) {
		switch text[i] {
		case '(', '<', '[', '{':
			depth++
		case ')', '>', ']', '}':
			depth--
			if depth == 0 {
				return append(list, text[start:i]), true
			}
		case ',':
			if depth == 1 {
				list, start = append(list, text[start:i]), i+1
			}
		case '"', '\'', '#', '/', ';':
			return nil, false
		}
	}
	return nil, false
}

// normalized is a parameter as it is compared: const stands in front, and only where
// something leads to what does not change.
func normalized(p string) string {
	p, _, _ = strings.Cut(p, "=")
	p = qualifiers().ReplaceAllString(p, "")
	led := strings.IndexAny(p, "*&")
	if led < 0 {
		return squeezed(constant(), p)
	}
	head, rest := p[:led], p[led:]
	if constant().MatchString(head) && !strings.Contains(head, "<") {
		return "const " + squeezed(constant(), head) + squeezed(nil, rest)
	}
	return squeezed(nil, p)
}

// squeezed is a text without what a pattern finds and with no more blanks than it needs.
func squeezed(without *regexp.Regexp, text string) string {
	if without != nil {
		text = without.ReplaceAllString(text, "")
	}
	text = strings.TrimSpace(blanks().ReplaceAllString(text, " "))
	return needless.Replace(text)
}
