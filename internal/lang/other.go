package lang

import (
	"bytes"
	"strings"

	"espy/internal/code"
	"espy/internal/wordset"
)

// Other is the name for code in any language that has no row of its own.
const Other = "other"

// otherKinds are the words before a declared name in most languages.
var otherKinds = map[string]code.Kind{
	"fun": code.KindFunc, "func": code.KindFunc, "function": code.KindFunc, "fn": code.KindFunc, "def": code.KindFunc, "proc": code.KindFunc, "procedure": code.KindFunc,
	"sub": code.KindFunc, "subroutine": code.KindFunc, "method": code.KindFunc, "routine": code.KindFunc, "be": code.KindFunc,
	"class": code.KindClass, "actor": code.KindClass, "object": code.KindClass, "contract": code.KindClass, "service": code.KindClass, "component": code.KindClass, "primitive": code.KindClass,
	"struct": code.KindStruct, "structure": code.KindStruct, "record": code.KindStruct, "union": code.KindStruct,
	"interface": code.KindInterface, "protocol": code.KindInterface, "signature": code.KindInterface, "trait": code.KindTrait, "role": code.KindTrait, "mixin": code.KindTrait,
	"enum": code.KindEnum, "module": code.KindModule, "mod": code.KindModule, "library": code.KindModule, "namespace": code.KindModule, "package": code.KindModule,
	"type": code.KindType, "typedef": code.KindType, "alias": code.KindType, "const": code.KindConst, "constant": code.KindConst, "macro": code.KindMacro,
}

// otherModifiers may stand before such a word, or between it and the name.
var otherModifiers = wordset.Of("pub public private protected internal export exported extern external static async final abstract sealed open inline virtual override " +
	"local global default declare shared isolated pure impure partial data native unsafe lazy mutable immutable readonly distinct transactional remote resource client " +
	"box ref val iso tag trn mut rec class struct record enum object function")

// otherNext are the words that may follow the name of a type.
var otherNext = wordset.Of("is as of extends implements inherits inherit from where with begin do uses requires in for")

// Declared finds what a line declares in the way of most languages: public class Name,
// fn name(, type Name =. The name is line[start:end], the last part of a path.
// Without a declaration the kind is code.KindUnknown.
func Declared(line []byte) (kind code.Kind, start, end int) {
	i := 0
	skip := func() {
		for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
			i++
		}
	}
	word := func() string {
		from := i
		for i < len(line) && isNameByte(line[i]) {
			i++
		}
		return string(line[from:i])
	}
	for kind == code.KindUnknown {
		skip()
		if i < len(line) && line[i] == '@' { // @test
			i++
			word()
			continue
		}
		w := word()
		if k, ok := otherKinds[w]; ok && i < len(line) && line[i] == ' ' {
			kind = k
			break
		}
		if !otherModifiers[w] {
			return code.KindUnknown, 0, 0
		}
		if i < len(line) && line[i] == '(' { // pub(crate)
			n := bytes.IndexByte(line[i:], ')')
			if n < 0 {
				return code.KindUnknown, 0, 0
			}
			i += n + 1
		}
	}
	for {
		skip()
		start = i
		name := word()
		if i = start + len(name); name == "" || '0' <= name[0] && name[0] <= '9' {
			return code.KindUnknown, 0, 0
		}
		next := i
		skip()
		if more := i < len(line) && i > next && isNameByte(line[i]); more && (otherModifiers[name] || otherKinds[name] != code.KindUnknown) {
			continue
		}
		i = next
		for p := i; p < len(line) && (line[p] == '.' || line[p] == ':'); p = i {
			for p < len(line) && (line[p] == '.' || line[p] == ':') {
				p++
			}
			if p == len(line) || !isNameByte(line[p]) {
				break
			}
			start, i = p, p
			word()
		}
		break
	}
	if i < len(line) && strings.IndexByte("?!'", line[i]) >= 0 {
		i++
	}
	end = i
	skip()
	if !followsName(kind, line[i:]) {
		return code.KindUnknown, 0, 0
	}
	return kind, start, end
}

// followsName reports whether rest may stand behind the name of a declaration.
func followsName(kind code.Kind, rest []byte) bool {
	rest = bytes.TrimRight(rest, " \t\r")
	if kind.IsFunc() {
		return len(rest) > 0 && strings.IndexByte("([<{:=", rest[0]) >= 0
	}
	if len(rest) == 0 {
		return kind != code.KindConst
	}
	if strings.IndexByte("([<{:=;|", rest[0]) >= 0 {
		return true
	}
	n := 0
	for n < len(rest) && isNameByte(rest[n]) {
		n++
	}
	return kind != code.KindConst && otherNext[string(rest[:n])]
}

func isNameByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= 0x80
}

// notOther are extensions of texts that hold code of a language which is known, or of none.
var notOther = wordset.Of("bak old orig rej tmp out err stderr stdout log snap golden expected exp lock info lst map dox rdoc pod")

// isOther reports whether the head of a text with an extension that no language has reads
// like code: one line in fifty declares something.
func isOther(ext string, head []byte) bool {
	if len(ext) < 2 || len(ext) > 13 || notOther[strings.ToLower(ext[1:])] {
		return false
	}
	declared, lines := 0, 0
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if head = rest; len(line) > 400 {
			continue
		}
		if len(bytes.TrimSpace(line)) > 0 {
			lines++
		}
		if kind, _, _ := Declared(line); kind != code.KindUnknown {
			declared++
		}
	}
	return declared > 0 && declared*50 >= lines
}
