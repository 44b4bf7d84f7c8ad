package outline

import (
	"espy/internal/code"
	"espy/internal/lang"
	"espy/internal/wordset"
)

// Languages that keywords describe whole.

var gdscriptSyntax = syntax{line: (&keywords{modifiers: wordset.Of("static export onready"), kinds: map[string]code.Kind{
	"func": code.KindFunc, "class": code.KindClass, "class_name": code.KindClass, "enum": code.KindEnum, "signal": code.KindField, "const": code.KindConst, "var": code.KindVar,
}}).line, act: table(actions{"#": lineComment, "\"'": tripleEscaped, "([{": openParen, ")]}": closeParen})}

var mojoSyntax = syntax{line: (&keywords{modifiers: wordset.Of("async"), kinds: map[string]code.Kind{
	"fn": code.KindFunc, "def": code.KindFunc, "struct": code.KindStruct, "class": code.KindClass, "trait": code.KindTrait, "alias": code.KindConst,
}}).line, act: table(actions{"#": lineComment, "\"'": tripleEscaped, "([{": openParen, ")]}": closeParen})}

var gleamSyntax = syntax{line: (&keywords{braces: true, modifiers: wordset.Of("pub opaque"), kinds: map[string]code.Kind{
	"fn": code.KindFunc, "type": code.KindType, "const": code.KindConst,
}}).line, act: table(curly, actions{"/": slash, "\"": longQuote})}

var haxeSyntax = syntax{line: (&keywords{braces: true, modifiers: wordset.Of("public private static inline override final extern dynamic macro abstract enum"), kinds: map[string]code.Kind{
	"function": code.KindFunc, "class": code.KindClass, "interface": code.KindInterface, "enum": code.KindEnum, "typedef": code.KindType, "abstract": code.KindClass, "var": code.KindField,
}}).line, act: table(curly, actions{"/": slash, "\"'": longQuote})}

var moveSyntax = syntax{line: (&keywords{braces: true, path: ':', modifiers: wordset.Of("public entry native inline friend package"), kinds: map[string]code.Kind{
	"fun": code.KindFunc, "struct": code.KindStruct, "enum": code.KindEnum, "module": code.KindModule, "const": code.KindConst,
}}).line, act: table(curly, actions{"/": slash, "\"": quote})}

var wgslSyntax = syntax{line: (&keywords{braces: true, kinds: map[string]code.Kind{
	"fn": code.KindFunc, "struct": code.KindStruct, "alias": code.KindType, "const": code.KindConst, "override": code.KindConst, "var": code.KindVar,
}}).line, act: table(curly, actions{"/": nestedSlash})}

var rakuSyntax = syntax{names: "-'", line: (&keywords{braces: true, names: "-'", path: ':', modifiers: wordset.Of("my our multi proto only unit"), kinds: map[string]code.Kind{
	"sub": code.KindFunc, "method": code.KindMethod, "submethod": code.KindMethod, "class": code.KindClass, "role": code.KindTrait, "grammar": code.KindClass,
	"module": code.KindModule, "package": code.KindModule, "token": code.KindMethod, "rule": code.KindMethod, "regex": code.KindMethod, "enum": code.KindEnum, "subset": code.KindType, "constant": code.KindConst,
}}).line, act: table(curly, actions{"#": lineComment, "\"": longQuote, "=": rubyEqual})}

var puppetSyntax = syntax{line: (&keywords{braces: true, path: ':', kinds: map[string]code.Kind{
	"class": code.KindClass, "define": code.KindFunc, "function": code.KindFunc, "plan": code.KindFunc, "type": code.KindType,
}}).line, act: table(curly, actions{"#": lineComment, "\"'": longQuote})}

var leanSyntax = syntax{names: "'!?", line: (&keywords{names: "'!?", path: '.', modifiers: wordset.Of("private protected noncomputable partial unsafe scoped local nonrec public meta"), kinds: map[string]code.Kind{
	"def": code.KindFunc, "theorem": code.KindFunc, "lemma": code.KindFunc, "abbrev": code.KindType, "axiom": code.KindConst, "opaque": code.KindConst,
	"structure": code.KindStruct, "class": code.KindInterface, "inductive": code.KindEnum, "namespace": code.KindModule, "macro": code.KindMacro, "syntax": code.KindMacro, "elab": code.KindMacro, "instance": code.KindVar,
}}).line, act: table(actions{"-": haskellDash, "/": nestedOr("/-", "-/", nil), "\"": longQuote, "'": haskellTick})}

var coqSyntax = syntax{names: "'", line: (&keywords{names: "'", modifiers: wordset.Of("Local Global Program Polymorphic Monomorphic"), kinds: map[string]code.Kind{
	"Definition": code.KindFunc, "Fixpoint": code.KindFunc, "CoFixpoint": code.KindFunc, "Function": code.KindFunc, "Lemma": code.KindFunc, "Theorem": code.KindFunc, "Corollary": code.KindFunc,
	"Proposition": code.KindFunc, "Remark": code.KindFunc, "Fact": code.KindFunc, "Example": code.KindFunc, "Instance": code.KindVar, "Axiom": code.KindConst, "Parameter": code.KindConst,
	"Inductive": code.KindEnum, "CoInductive": code.KindEnum, "Variant": code.KindEnum, "Record": code.KindStruct, "Structure": code.KindStruct, "Class": code.KindInterface, "Module": code.KindModule, "Ltac": code.KindMacro,
}}).line, act: table(actions{"(": ocamlParen, "\"": longQuote})}

var visualbasicSyntax = syntax{line: (&keywords{fold: true, modifiers: wordset.Of("public private protected friend shared static overrides overridable overloads mustoverride notoverridable mustinherit notinheritable partial shadows readonly writeonly default async iterator declare property"), kinds: map[string]code.Kind{
	"sub": code.KindFunc, "function": code.KindFunc, "get": code.KindField, "let": code.KindField, "class": code.KindClass, "module": code.KindModule, "namespace": code.KindModule,
	"structure": code.KindStruct, "type": code.KindStruct, "enum": code.KindEnum, "interface": code.KindInterface, "const": code.KindConst,
}}).line, act: table(actions{"'": lineComment, "\"": quote})}

var kconfigSyntax = syntax{line: kconfigLine, act: table(actions{"#": lineComment, "\"": quote})}

// kconfigLine finds config NAME and menuconfig NAME, alone on their line.
func kconfigLine(s *scanner) {
	c := s.cursor()
	if word := string(c.word()); word != "config" && word != "menuconfig" || !c.skip() {
		return
	}
	name := c.word()
	end := c.i
	if c.skip(); len(name) > 0 && (c.i == c.end || c.peek() == '#') {
		s.define(code.KindConst, end-len(name), end)
	}
}

// dSyntax and valaSyntax are read by statement, as Java is.
var (
	dSyntax    = syntax{dialect: &dialect{ctors: true, members: true, blocks: true, types: dTypes}, act: table(clauses, actions{"/": nestedOr("/+", "+/", slash), "\"": longQuote, "`": rawQuote, "'": charQuote})}
	valaSyntax = syntax{dialect: &dialect{ctors: true, members: true, types: objectTypes}, act: table(clauses, actions{"/": slash, "\"": tripleEscaped, "'": charQuote})}
)

func dTypes(word []byte) (code.Kind, scopeKind) {
	switch string(word) {
	case "union":
		return code.KindStruct, class
	case "template":
		return code.KindClass, namespace
	case "extension", "record", "mixin", "trait", "namespace":
		return code.KindUnknown, noScope
	}
	return objectTypes(word)
}

var odinSyntax = syntax{line: odinLine, act: table(curly, actions{"/": nestedSlash, "\"": quote, "`": rawQuote, "'": charQuote})}

// odinLine finds name :: value at the top of a file.
func odinLine(s *scanner) {
	c := s.cursor()
	name := c.word()
	start, end := c.i-len(name), c.i
	if c.skip(); len(name) == 0 || s.column() > 0 || !c.has("::") {
		return
	}
	c.i += 2
	c.skip()
	for c.take('#') {
		c.word()
		c.skip()
	}
	kind := code.KindConst
	switch string(c.word()) {
	case "proc":
		kind = code.KindFunc
	case "struct", "union", "bit_field":
		kind = code.KindStruct
	case "enum", "bit_set":
		kind = code.KindEnum
	case "distinct":
		kind = code.KindType
	}
	s.define(kind, start, end)
}

var coffeescriptSyntax = syntax{line: coffeescriptLine, act: table(actions{"#": coffeescriptHash, "\"'": tripleEscaped, "([{": openParen, ")]}": closeParen, "/": rubySlash})}

// coffeescriptLine finds classes, and functions by name = (x) -> and name: (x) ->.
func coffeescriptLine(s *scanner) {
	c := s.cursor()
	s.atMembers(s.column())
	for c.has("export ") || c.has("default ") || c.has("module.exports = class ") || c.has("exports = ") || c.has("window.") || c.has("exports.") || c.has("@") {
		if !c.take('@') {
			for c.i < c.end && !isBlank(c.peek()) && c.peek() != '.' {
				c.i++
			}
			c.take('.')
			c.skip()
		}
		if c.has("= class ") {
			c.i += 2
		}
	}
	if c.has("class ") {
		c.i += len("class ")
		c.skip()
		if name := c.word(); len(name) > 0 {
			s.level(code.KindClass, c.i-len(name), c.i)
		}
		return
	}
	name := c.word()
	start, end := c.i-len(name), c.i
	if c.skip(); len(name) == 0 || !c.take('=') && !c.take(':') {
		return
	}
	c.skip()
	if c.peek() == '(' && c.balanced() {
		c.skip()
	}
	if c.has("->") || c.has("=>") {
		s.level(code.KindFunc, start, end)
	}
}

// coffeescriptHash handles # and ### comments.
func coffeescriptHash(s *scanner, i int) int {
	if i == s.first && i+3 < len(s.text) && string(s.text[i:i+3]) == "###" && s.text[i+3] != '#' {
		return s.blockComment(i+1, "###")
	}
	return lineComment(s, i)
}

// otherSyntax reads code in languages that are not known: what declares in most of them.
var otherSyntax = syntax{line: otherLine, act: table(actions{"/": slash, "#-;": otherComment, "\"": tripleEscaped})}

func otherLine(s *scanner) {
	end := s.lookEnd(s.first)
	if kind, from, to := lang.Declared(s.text[s.first:end]); kind != code.KindUnknown {
		s.level(kind, s.first+from, s.first+to)
	} else {
		s.atMembers(s.column())
	}
}

// otherComment skips a line that begins as a comment of many languages does: # text, -- text, ; text.
func otherComment(s *scanner, i int) int {
	begins := i == s.first && i+1 < len(s.text)
	if begins && s.text[i] == '-' {
		begins = s.text[i+1] == '-'
	} else if begins {
		begins = isBlank(s.text[i+1]) || s.text[i+1] == s.text[i] || s.text[i+1] == '!'
	}
	if !begins {
		return i + 1
	}
	return lineComment(s, i)
}
