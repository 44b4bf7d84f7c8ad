package kin

import (
	"strings"
	"unicode/utf8"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/segment"
)

// maxHeader bounds the bytes of the header of an impl that are read.
const maxHeader = 1000

// implOf reads the header of the impl that a use in RoleImplement stands in: the use
// that names the type it is of, and that type as written. ok is false where the use
// stands in none. The Index of self is None where no use names the type.
func (k *Kin) implOf(use corpus.Ref) (self corpus.Ref, written string, ok bool) {
	at := int(k.use(use).At)
	var cache segment.TextCache
	text, err := k.corpus.TextRange(use.File, at, at+maxHeader, &cache)
	if err != nil {
		return none, "", false
	}
	start, length, ok := implType(string(text))
	if !ok {
		return none, "", false
	}
	written = string(text[start : start+length])
	self = corpus.Ref{File: use.File, Index: facts.None}
	name := at + start + headOf(written)
	f := k.facts(use.File)
	if i := f.UsesFrom(uint32(name)); i < f.NumUses() && int(k.use(corpus.Ref{File: use.File, Index: int32(i)}).At) == name {
		self.Index = int32(i)
	}
	return self, written, true
}

// implType finds the type behind for in the header of an impl, from its trait on.
func implType(text string) (start, length int, ok bool) {
	depth := 0
	start = -1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '<' || c == '(' || c == '[':
			depth++
		case c == '>' && i > 0 && text[i-1] == '-':
		case c == '>' || c == ')' || c == ']':
			if depth--; depth < 0 { // a derive
				return 0, 0, false
			}
		case depth > 0:
		case start < 0 && isWord(text, i, "for"):
			for i += len("for"); i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0; i++ {
			}
			start = i
			i--
		case c == '{' || c == ';' || start >= 0 && isWord(text, i, "where"):
			length = len(strings.TrimRight(text[max(start, 0):i], " \t\r\n"))
			return start, length, start >= 0 && length > 0
		}
	}
	return 0, 0, false
}

// isWord reports whether a word stands at a byte of a text.
func isWord(text string, at int, word string) bool {
	end := at + len(word)
	return at > 0 && strings.HasPrefix(text[at:], word) && !isIdent(text[at-1]) && end < len(text) && !isIdent(text[end])
}

func isIdent(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// headOf is the byte of a type as written at which the last name of its path stands.
func headOf(written string) int {
	i := 0
	for i < len(written) {
		rest := written[i:]
		switch {
		case strings.IndexByte("&* \t\r\n", rest[0]) >= 0:
			i++
		case rest[0] == '\'':
			for i++; i < len(written) && isIdent(written[i]); i++ {
			}
		case strings.HasPrefix(rest, "mut "), strings.HasPrefix(rest, "dyn "):
			i += len("mut ")
		case strings.HasPrefix(rest, "const "):
			i += len("const ")
		default:
			return i + lastOfPath(rest)
		}
	}
	return 0
}

func lastOfPath(path string) int {
	at := 0
	for i := 0; i < len(path); i++ {
		if strings.HasPrefix(path[i:], "::") {
			i++
			if i+1 < len(path) && isIdent(path[i+1]) {
				at = i + 1
			}
		} else if !isIdent(path[i]) {
			break
		}
	}
	return at
}

// implements says which type the impl is of that a use in RoleImplement stands in.
func (k *Kin) implements(use corpus.Ref, c facts.Confidence, trait string) (r Related, ok bool) {
	self, written, ok := k.implOf(use)
	if !ok {
		return r, false
	}
	r = Related{Ref: none, Outside: strings.Join(strings.Fields(written), " "), Confidence: c, Reason: "implements " + trait, By: use}
	if self.Index == facts.None {
		return r, true
	}
	a := k.infer.Meaning(self, infer.Full())
	for _, t := range a.Refs {
		switch s := k.symbol(t); {
		case s.Kind == code.KindTypeParam:
			r.Confidence, r.Reason = facts.Possible, "every type that the impl allows"
			return r, true
		case s.Kind.IsType() && s.Kind != code.KindModule:
			r.Ref, r.Outside, r.Confidence = t, "", max(c, a.Confidence)
			return r, true
		}
	}
	return r, true
}

// nearImpl bounds the uses between the trait and the type in the header of an impl.
const nearImpl = 12

// impls are the uses of traits in headers of impls of a type that stand apart from it.
func (k *Kin) impls(typ corpus.Ref) (all []corpus.Ref) {
	l := k.language(typ)
	if l == nil || l.Bases != infer.InFile {
		return nil
	}
	for _, u := range k.read.Uses(k.symbol(typ).Name) {
		if k.corpus.Family(u.File) != k.corpus.Family(typ.File) || k.use(u).Role != facts.RoleType {
			continue
		}
		for i := u.Index - 1; i >= 0 && i >= u.Index-nearImpl; i-- {
			trait := corpus.Ref{File: u.File, Index: i}
			if x := k.use(trait); x.Role != facts.RoleImplement || x.In == typ.Index && u.File == typ.File {
				continue
			}
			if r, ok := k.implements(trait, facts.Certain, ""); ok && r.Ref == typ {
				all = append(all, trait)
			}
			break
		}
	}
	return all
}
