package outline

import (
	"bytes"

	"espy/internal/code"
)

// Languages of shells, editors and build tools.

var fishSyntax = syntax{names: "-", line: (&keywords{names: "-.:@", kinds: map[string]code.Kind{"function": code.KindFunc, "alias": code.KindFunc}}).line,
	act: table(actions{"#": bashHash, "\"'": longQuote, "\\": bashEscape})}

var awkSyntax = syntax{line: (&keywords{braces: true, kinds: map[string]code.Kind{"function": code.KindFunc, "func": code.KindFunc}}).line,
	act: table(curly, actions{"#": lineComment, "\"": quote, "/": rubySlash})}

var jqSyntax = syntax{line: (&keywords{kinds: map[string]code.Kind{"def": code.KindFunc}}).line, act: table(actions{"#": lineComment, "\"": quote})}

var powershellSyntax = syntax{line: powershellLine, names: "-", act: table(curly, actions{
	"#": lineComment, "<": powershellLess, "\"'": powershellQuote, "`": bashEscape, "@": powershellAt,
})}

var powershellWords = &keywords{braces: true, fold: true, names: "-.", path: ':', kinds: map[string]code.Kind{
	"function": code.KindFunc, "filter": code.KindFunc, "workflow": code.KindFunc, "configuration": code.KindFunc,
	"class": code.KindClass, "enum": code.KindEnum,
}}

// powershellLine finds functions and types, and the methods of a class: [type] Name(...).
func powershellLine(s *scanner) {
	c := s.cursor()
	if s.member() {
		for c.peek() == '[' && c.balanced() {
			c.skip()
		}
		for c.has("static ") || c.has("hidden ") {
			c.word()
			for c.skip(); c.peek() == '[' && c.balanced(); c.skip() {
			}
		}
		if name := c.word(); len(name) > 0 && name[0] != '$' && c.peek() == '(' {
			s.callable(code.KindFunc, c.i-len(name), c.i)
		}
		return
	}
	powershellWords.line(s)
}

// powershellLess handles <# comments #>.
func powershellLess(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '#' {
		return s.blockComment(i, "#>")
	}
	return i + 1
}

// powershellQuote skips a text; in double quotes ` escapes, and two quotes are one.
func powershellQuote(s *scanner, i int) int {
	q := s.text[i]
	for p := i + 1; p < len(s.text); p++ {
		switch b := s.text[p]; {
		case b == '`' && q == '"':
			p++
		case b == q:
			return s.pass(i, p+1, insideLine)
		case b == '\n' && s.unclosed >= maxUnclosed:
			return p
		}
	}
	s.unclosed++
	return s.lineEnd(i)
}

// powershellAt handles the texts that go from @" or @' at the end of a line to "@ or '@ at the start of one.
func powershellAt(s *scanner, i int) int {
	if i+1 >= len(s.text) || s.text[i+1] != '"' && s.text[i+1] != '\'' || len(bytes.TrimRight(s.text[min(i+2, len(s.text)):s.lineEnd(i)], " \t\r")) > 0 {
		return i + 1
	}
	if n := s.find(i+2, "\n"+string(s.text[i+1])+"@"); n >= 0 {
		return s.pass(i, n+3, insideLine)
	}
	return i + 1
}

var cmakeSyntax = syntax{line: cmakeLine, names: "-", act: table(actions{"#": cmakeHash, "\"": longQuote, "[": luaBracket, "(": openParen, ")": closeParen})}

// cmakeLine finds function(name ...) and macro(name ...), and what add_library and its kin name.
func cmakeLine(s *scanner) {
	c := s.cursor()
	kind := code.KindUnknown
	switch string(bytes.ToLower(c.word())) {
	case "function":
		kind = code.KindFunc
	case "macro":
		kind = code.KindMacro
	case "add_library", "add_executable", "add_custom_target":
		kind = code.KindVar
	}
	if c.skip(); kind == code.KindUnknown || !c.take('(') {
		return
	}
	c.skip()
	if name := nameWith(&c, "-+."); len(name) > 0 && name[0] != '$' {
		s.define(kind, c.i-len(name), c.i)
	}
}

// cmakeHash handles # and #[[ ]] comments.
func cmakeHash(s *scanner, i int) int {
	if n := s.luaLong(i+1, i, insideLine|attachedLine); n >= 0 {
		return n
	}
	return lineComment(s, i)
}

var tclSyntax = syntax{line: tclLine, everywhere: true, act: table(actions{"#": tclHash, "\\": bashEscape})}

var tclKinds = map[string]code.Kind{
	"proc": code.KindFunc, "oo::class": code.KindClass, "snit::type": code.KindClass, "namespace": code.KindModule, "method": code.KindMethod,
}

// tclLine finds proc name, namespace eval name, oo::class create name and method name.
func tclLine(s *scanner) {
	c := s.cursor()
	kind, ok := tclKinds[string(nameWith(&c, ":"))]
	if !ok || !c.skip() {
		return
	}
	if kind == code.KindModule || kind == code.KindClass && (c.has("create ") || c.has("eval ")) {
		if word := string(c.word()); word != "eval" && word != "create" || !c.skip() {
			return
		}
	}
	start := c.i
	for c.i < c.end && !isBlank(c.peek()) && c.peek() != '{' && c.peek() != '}' {
		c.i++
	}
	if n := bytes.LastIndex(s.text[start:c.i], []byte("::")); n >= 0 {
		start += n + 2
	}
	s.define(kind, start, c.i)
}

// tclHash handles comments, which stand where a command could.
func tclHash(s *scanner, i int) int {
	if i == s.first || i > 0 && isBlank(s.text[i-1]) && bytes.HasSuffix(bytes.TrimRight(s.text[:i], " \t"), []byte(";")) {
		return lineComment(s, i)
	}
	return i + 1
}

var vimSyntax = syntax{line: vimLine, names: "#", everywhere: true, act: table(actions{"\"": vimQuote, "'": quote, "#": vimHash})}

// vimLine finds functions, commands, classes, and variables that a file sets for all.
func vimLine(s *scanner) {
	c := s.cursor()
	for c.has("export ") || c.has("silent! ") || c.has("abstract ") || c.has("static ") {
		for c.i < c.end && !isBlank(c.peek()) {
			c.i++
		}
		c.skip()
	}
	word := string(c.word())
	kind := code.KindUnknown
	switch word {
	case "function", "func", "fu", "fun", "def":
		kind = code.KindFunc
	case "command", "com", "comm":
		kind = code.KindMacro
	case "class":
		kind = code.KindClass
	case "enum":
		kind = code.KindEnum
	case "interface":
		kind = code.KindInterface
	case "let":
		kind = code.KindVar
	}
	if c.take('!'); kind == code.KindUnknown || !c.skip() {
		return
	}
	for kind == code.KindMacro && c.peek() == '-' {
		for c.i < c.end && !isBlank(c.peek()) {
			c.i++
		}
		c.skip()
	}
	if c.has("<SID>") || c.has("<sid>") {
		c.i += len("<SID>")
	}
	name := nameWith(&c, ":#.")
	end := c.i
	if kind == code.KindVar && (s.column() > 0 || len(name) < 3 || name[1] != ':') || kind == code.KindFunc && c.peek() != '(' && c.peek() != '<' {
		return
	}
	if n := bytes.LastIndexAny(name, ":."); n >= 0 {
		name = name[n+1:]
	}
	if kind == code.KindVar {
		if c.skip(); c.peek() != '=' || s.again(kind, name) {
			return
		}
	}
	s.define(kind, end-len(name), end)
}

// vimQuote tells a comment from a text: a comment stands first, or its quote has no partner.
func vimQuote(s *scanner, i int) int {
	if i == s.first || bytes.Count(s.text[i:s.lineEnd(i)], []byte("\""))%2 == 1 {
		return lineComment(s, i)
	}
	return min(quote(s, i), s.lineEnd(i))
}

// vimHash handles the comments of Vim 9, which stand first or after a blank.
func vimHash(s *scanner, i int) int {
	if i == s.first || i > 0 && isBlank(s.text[i-1]) && i+1 < len(s.text) && s.text[i+1] == ' ' {
		return lineComment(s, i)
	}
	return i + 1
}
