package outline

import (
	"bytes"

	"espy/internal/code"
)

// This file holds the languages whose blocks have no braces: Python, Ruby,
// Elixir, Lua, Haskell, shell and SQL.

func init() {
	brackets := func(m map[string]action) map[string]action {
		m["([{"], m[")]}"] = openParen, closeParen
		return m
	}
	syntaxes["python"] = &syntax{line: pythonLine, act: actions(brackets(map[string]action{
		"#": lineComment, "\"'": tripleEscaped}))}
	syntaxes["ruby"] = &syntax{line: rubyLine, everywhere: true, stray: rubyStray, act: actions(map[string]action{
		"#": lineComment, "\"'`": rubyQuote, "/": rubySlash, "<": rubyLess, "%": rubyPercent, "=": rubyEqual, "_": rubyEnd})}
	syntaxes["elixir"] = &syntax{line: elixirLine, everywhere: true, act: actions(map[string]action{
		"#": lineComment, "\"": elixirQuote, "'": elixirChars, "~": elixirTilde, "?": elixirQuestion})}
	syntaxes["lua"] = &syntax{line: luaLine, everywhere: true, act: actions(map[string]action{
		"-": luaDash, "\"'": quote, "[": luaBracket})}
	syntaxes["haskell"] = &syntax{line: haskellLine, everywhere: true, act: actions(map[string]action{
		"-": haskellDash, "{": haskellBrace, "\"": quote, "'": haskellTick})}
	syntaxes["bash"] = &syntax{line: shellLine, everywhere: true, act: actions(map[string]action{
		"#": shellHash, "\"": longQuote, "'": shellTick, "<": shellLess, "\\": escape})}
	syntaxes["sql"] = &syntax{line: sqlLine, everywhere: true, stray: sqlStray, act: actions(map[string]action{
		"-": sqlDash, "/": slash, "'": sqlTick, "\"`": quote, "$": sqlDollar})}
}

// escape passes over the byte after a backslash.
func escape(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] != '\n' {
		return i + 2
	}
	return i + 1
}

func pythonLine(s *scanner) {
	c := s.cursor()
	column := s.column()
	word := c.word()
	if len(word) == 0 {
		return
	}
	start := c.i - len(word)
	gap := c.skip()
	switch string(word) {
	case "async":
		if string(c.word()) != "def" || !c.skip() {
			return
		}
		s.indented(&c, code.KindFunc, false)
		return
	case "def":
		if gap {
			s.indented(&c, code.KindFunc, false)
			return
		}
	case "class":
		if gap {
			s.indented(&c, code.KindClass, true)
			return
		}
	case "cdef", "cpdef":
		cythonLine(s, &c)
		return
	case "type":
		if column == 0 && gap && letter[c.peek()] != 0 {
			s.container(&c, code.KindType, noScope)
			return
		}
	}
	s.atMembers(column)
	if column > 0 {
		return
	}
	if c.take(':') {
		for c.i < c.end && c.peek() != '=' {
			if b := c.peek(); b == '(' || b == '[' || b == '{' {
				if !c.balanced() {
					return
				}
				continue
			}
			c.i++
		}
	}
	if c.peek() != '=' || c.at(1) == '=' {
		return
	}
	k := code.KindVar
	if isUpperName(word) {
		k = code.KindConst
	}
	s.define(k, start, start+len(word))
}

// cythonLine handles cdef class, struct and enum, and functions with C types.
func cythonLine(s *scanner, c *cursor) {
	k := code.KindFunc
	var name []byte
	for c.i < c.end {
		word := c.word()
		switch string(word) {
		case "class":
			k = code.KindClass
		case "struct", "union":
			k = code.KindStruct
		case "enum":
			k = code.KindEnum
		case "":
			if b := c.peek(); b == '(' && k == code.KindFunc && len(name) > 0 {
				c.i -= len(name)
				s.indented(c, k, false)
				return
			} else if b == '=' {
				return
			} else if b == ':' {
				c.i = c.end
				continue
			} else if b == '[' || b == '{' {
				c.balanced()
				continue
			} else if b == '(' {
				c.i = c.end
				continue
			}
			c.i++
			continue
		default:
			if name = word; k != code.KindFunc {
				c.i -= len(name)
				s.indented(c, k, k == code.KindClass)
				return
			}
		}
		if c.peek() != '(' {
			c.skip()
		}
	}
}

// rubyStray recognises lines that only code has.
func rubyStray(b []byte) bool {
	b = bytes.TrimLeft(b, " \t")
	return bytes.HasPrefix(b, []byte("def ")) || bytes.HasPrefix(b, []byte("class ")) || bytes.HasPrefix(b, []byte("module ")) || string(bytes.TrimRight(b, " \r")) == "end"
}

// rubyQuote handles quotes, which ?" and $' are not.
func rubyQuote(s *scanner, i int) int {
	if i > 0 && (s.text[i-1] == '$' || s.text[i-1] == '?' && (i < 2 || letter[s.text[i-2]] == 0)) {
		return i + 1
	}
	return longQuote(s, i)
}

// rubySlash tells regular expressions from divisions.
func rubySlash(s *scanner, i int) int {
	isCall := i > 0 && isBlank(s.text[i-1]) && i+1 < len(s.text) && !isBlank(s.text[i+1]) && s.text[i+1] != '='
	if !isCall && !s.valueMayBegin(i) {
		return i + 1
	}
	for p := i + 1; p < len(s.text) && s.text[p] != '\n'; p++ {
		switch s.text[p] {
		case '\\':
			p++
		case '/':
			return p + 1
		}
	}
	return i + 1
}

// rubyLess handles heredocs, which << with a blank after it is not.
func rubyLess(s *scanner, i int) int {
	if i+1 >= len(s.text) || s.text[i+1] != '<' {
		return i + 1
	}
	if i > 0 && letter[s.text[i-1]] != 0 { // an appending operator
		return i + 2
	}
	if n := s.heredocAt(i, "-~", false, false); n >= 0 {
		return n
	}
	return i + 2
}

// rubyPercent handles %q{...}, %w[...] and the like.
func rubyPercent(s *scanner, i int) int {
	p := i + 1
	if p < len(s.text) && bytes.IndexByte([]byte("qQwWiIrsx"), s.text[p]) >= 0 {
		p++
	} else if !s.valueMayBegin(i) {
		return i + 1
	}
	if p >= len(s.text) || letter[s.text[p]] != 0 || isBlank(s.text[p]) || s.text[p] == '\n' || s.text[p] == '=' || s.text[p] == ',' {
		return i + 1
	}
	return s.delimited(i, p)
}

// delimited passes over the literal of i whose opening delimiter is at p.
func (s *scanner) delimited(i, p int) int {
	if s.unclosed >= maxUnclosed {
		return i + 1
	}
	open, end := s.text[p], s.text[p]
	switch open {
	case '(':
		end = ')'
	case '[':
		end = ']'
	case '{':
		end = '}'
	case '<':
		end = '>'
	}
	depth := 1
	for q := p + 1; q < len(s.text); q++ {
		switch b := s.text[q]; {
		case b == '\\':
			q++
		case b == end:
			if depth--; depth == 0 {
				return s.pass(i, q+1, insideLine)
			}
		case b == open:
			depth++
		}
	}
	s.unclosed++
	return s.lineEnd(i)
}

// rubyEqual handles =begin comments.
func rubyEqual(s *scanner, i int) int {
	if i == int(s.current().start) && bytes.HasPrefix(s.text[i:], []byte("=begin")) {
		s.markComment(i)
		if n := s.find(i, "\n=end"); n >= 0 {
			return s.lineEnd(s.pass(i, n+5, insideLine|attachedLine))
		}
	}
	return i + 1
}

// rubyEnd handles __END__, after which there is no code.
func rubyEnd(s *scanner, i int) int {
	if i == int(s.current().start) && string(bytes.TrimRight(s.text[i:s.lookEnd(i)], "\r")) == "__END__" {
		return s.pass(i, len(s.text), insideLine)
	}
	return i + 1
}

func rubyLine(s *scanner) {
	c := s.cursor()
	column := s.column()
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		start := c.i - len(word)
		gap := c.skip()
		switch string(word) {
		case "private", "protected", "public", "module_function", "private_class_method", "public_class_method", "memoize", "private_constant":
			if gap && c.has("def ") {
				continue
			}
			return
		case "module", "class":
			if gap && isUpper(c.peek()) {
				k := code.KindClass
				if string(word) == "module" {
					k = code.KindModule
				}
				s.enter(column, true)
				s.module(&c, ':', k)
			}
		case "def":
			if gap {
				rubyMethod(s, &c)
			}
		case "define_method", "alias_method", "alias":
			c.take('(')
			if c.take(':') {
				name := rubyName(&c)
				s.define(code.KindMethod, c.i-len(name), c.i)
			}
		default:
			if isUpper(word[0]) && c.peek() == '=' && c.at(1) != '=' && c.at(1) != '~' && c.at(1) != '>' {
				c.i++
				c.skip()
				k := code.KindConst
				if c.has("Struct.new") || c.has("Class.new") || c.has("Data.define") {
					k = code.KindClass
				} else if c.has("Module.new") {
					k = code.KindModule
				}
				s.define(k, start, start+len(word))
			}
		}
		return
	}
}

func rubyMethod(s *scanner, c *cursor) {
	column := s.column()
	k := code.KindFunc
	if s.atMembers(column) && len(s.indents) > 0 {
		k = code.KindMethod
	}
	name := rubyName(c)
	if c.peek() == '.' { // def self.name
		c.i++
		k = code.KindMethod
		name = rubyName(c)
	}
	if len(name) > 0 {
		s.define(k, c.i-len(name), c.i)
	}
}

// rubyName reads a method's name with its ? or !; the = of a setter is left out.
func rubyName(c *cursor) []byte {
	name := c.word()
	if len(name) == 0 {
		return nil
	}
	start := c.i - len(name)
	if b := c.peek(); (b == '?' || b == '!') && c.at(1) != '=' {
		c.i++
	}
	return c.text[start:c.i]
}

// elixirQuote handles " and """, which ?" is not.
func elixirQuote(s *scanner, i int) int {
	if i+2 < len(s.text) && s.text[i+1] == '"' && s.text[i+2] == '"' {
		return s.toTripleDoc(i)
	}
	return longQuote(s, i)
}

// toTripleDoc passes over a """ literal. Where it documents what follows, its
// lines belong to the definition below.
func (s *scanner) toTripleDoc(i int) int {
	flags := len(s.lines)
	isDoc := s.first < len(s.text) && s.text[s.first] == '@'
	n := s.toTriple(i, i+3, '"', true)
	if isDoc {
		for k := flags; k < len(s.lines); k++ {
			s.lines[k].flags |= attachedLine
		}
	}
	return n
}

func elixirChars(s *scanner, i int) int {
	if i+2 < len(s.text) && s.text[i+1] == '\'' && s.text[i+2] == '\'' {
		return s.toTriple(i, i+3, '\'', true)
	}
	return quote(s, i)
}

// elixirQuestion handles ?x characters.
func elixirQuestion(s *scanner, i int) int {
	if i > 0 && letter[s.text[i-1]] != 0 {
		return i + 1
	}
	if i+2 < len(s.text) && s.text[i+1] == '\\' && s.text[i+2] != '\n' {
		return i + 3
	}
	if i+1 < len(s.text) && s.text[i+1] != '\n' {
		return i + 2
	}
	return i + 1
}

// elixirTilde handles sigils: ~s(...), ~H""" ... """.
func elixirTilde(s *scanner, i int) int {
	p := i + 1
	for p < len(s.text) && letter[s.text[p]]&1 != 0 && p-i < 10 {
		p++
	}
	if p == i+1 || p >= len(s.text) {
		return i + 1
	}
	switch q := s.text[p]; q {
	case '"', '\'':
		if p+2 < len(s.text) && s.text[p+1] == q && s.text[p+2] == q {
			return s.toTriple(i, p+3, q, isLower(s.text[i+1]))
		}
		return s.delimited(i, p)
	case '(', '[', '{', '<', '/', '|':
		return s.delimited(i, p)
	}
	return i + 1
}

func elixirLine(s *scanner) {
	c := s.cursor()
	if c.take('@') {
		elixirAttribute(s, &c)
		return
	}
	k := code.KindFunc
	switch word := c.word(); string(word) {
	case "defmodule":
		k = code.KindModule
	case "defprotocol":
		k = code.KindInterface
	case "defimpl":
		s.mark()
		return
	case "def", "defp", "defdelegate", "defguard", "defguardp", "defn", "defnp":
	case "defmacro", "defmacrop":
		k = code.KindMacro
	default:
		return
	}
	if !c.skip() {
		return
	}
	if k.IsType() {
		s.module(&c, '.', k)
		return
	}
	name := c.word()
	if len(name) == 0 || string(name) == "unquote" {
		return
	}
	if b := c.peek(); (b == '?' || b == '!') && c.at(1) != '=' {
		c.i++
		name = c.text[c.i-len(name)-1 : c.i]
	}
	if s.again(k, name) {
		s.mark()
		return
	}
	s.define(k, c.i-len(name), c.i)
}

// elixirAttribute handles @type name and @callback name.
func elixirAttribute(s *scanner, c *cursor) {
	k := code.KindType
	switch string(c.word()) {
	case "type", "typep", "opaque":
	case "callback", "macrocallback":
		k = code.KindMethod
	default:
		return
	}
	if !c.skip() {
		return
	}
	name := c.word()
	if len(name) > 0 && (c.peek() == '(' || c.skip() && c.has("::")) {
		for c.text[c.i-1] == ' ' || c.text[c.i-1] == '\t' {
			c.i--
		}
		s.define(k, c.i-len(name), c.i)
	}
}

// luaDash handles -- and --[[ ]] comments.
func luaDash(s *scanner, i int) int {
	if i+1 >= len(s.text) || s.text[i+1] != '-' {
		return i + 1
	}
	if n := s.luaLong(i+2, i, insideLine|attachedLine); n >= 0 {
		return n
	}
	return lineComment(s, i)
}

// luaBracket handles [[ ]] and [=[ ]=] literals.
func luaBracket(s *scanner, i int) int {
	if n := s.luaLong(i, i, insideLine); n >= 0 {
		return n
	}
	return i + 1
}

// luaLong passes over the long bracket at p, of a literal or comment that
// starts at i; -1 where there is none.
func (s *scanner) luaLong(p, i int, flags uint8) int {
	if p >= len(s.text) || s.text[p] != '[' {
		return -1
	}
	n := 1
	for p+n < len(s.text) && s.text[p+n] == '=' && n < 16 {
		n++
	}
	if p+n >= len(s.text) || s.text[p+n] != '[' {
		return -1
	}
	end := append(append([]byte{']'}, s.text[p+1:p+n]...), ']')
	q := s.find(p+n+1, string(end))
	if q < 0 {
		return -1
	}
	if flags&attachedLine != 0 {
		s.markComment(i)
	}
	return s.pass(i, q+len(end), flags)
}

func luaLine(s *scanner) {
	c := s.cursor()
	column := s.column()
	isLocal := false
	for {
		word := c.word()
		start := c.i - len(word)
		if len(word) == 0 {
			return
		}
		gap := c.skip()
		switch string(word) {
		case "local", "export":
			isLocal = true
			continue
		case "type": // Luau
			if isLocal && gap && letter[c.peek()] != 0 || column == 0 && gap && letter[c.peek()] != 0 {
				s.container(&c, code.KindType, noScope)
				return
			}
		case "function":
			if gap {
				luaFunction(s, &c)
			}
			return
		}
		c.i = start
		luaAssignment(s, &c, isLocal, column)
		return
	}
}

func luaFunction(s *scanner, c *cursor) {
	k := code.KindFunc
	for {
		name := c.word()
		if len(name) == 0 {
			return
		}
		if b := c.peek(); b == '.' || b == ':' {
			k = code.KindMethod
			c.i++
			continue
		}
		s.define(k, c.i-len(name), c.i)
		return
	}
}

// luaAssignment handles a.b = function, and variables of the file.
func luaAssignment(s *scanner, c *cursor, isLocal bool, column int) {
	k := code.KindVar
	for {
		name := c.word()
		if len(name) == 0 {
			return
		}
		end := c.i
		if b := c.peek(); b == '.' || b == ':' {
			k = code.KindMethod
			c.i++
			continue
		}
		c.skip()
		if !c.take('=') || c.peek() == '=' {
			return
		}
		c.skip()
		switch {
		case c.has("function") && letter[c.at(8)] == 0:
			if k == code.KindVar && (isLocal || column == 0) {
				k = code.KindFunc
			} else {
				k = code.KindMethod
			}
			s.define(k, end-len(name), end)
		case k == code.KindVar && column == 0 && !c.has("require") && !(isLocal && c.has("{}")):
			s.define(k, end-len(name), end)
		}
		return
	}
}

// haskellDash handles -- comments; --> and the like are operators.
func haskellDash(s *scanner, i int) int {
	p := i
	for p < len(s.text) && s.text[p] == '-' {
		p++
	}
	if p-i < 2 {
		return i + 1
	}
	if p < len(s.text) && bytes.IndexByte([]byte("!#$%&*+./<=>?@\\^|~:"), s.text[p]) >= 0 || i > 0 && bytes.IndexByte([]byte("!#$%&*+./<=>?@\\^|~:"), s.text[i-1]) >= 0 {
		return p
	}
	return lineComment(s, i)
}

// haskellBrace handles {- -} comments and pragmas.
func haskellBrace(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '-' {
		return s.nestedComment(i, "{-", "-}")
	}
	return i + 1
}

// haskellTick tells characters from primes of names.
func haskellTick(s *scanner, i int) int {
	if i > 0 && (letter[s.text[i-1]] != 0 || s.text[i-1] == '\'') {
		return i + 1
	}
	return rustTick(s, i)
}

func haskellLine(s *scanner) {
	c := s.cursor()
	if s.column() > 0 {
		if s.group == code.KindInterface {
			haskellSignature(s, &c, code.KindMethod)
		}
		return
	}
	s.group = code.KindUnknown
	if c.peek() == '(' {
		return
	}
	start := c.i
	word := c.word()
	c.skip()
	switch string(word) {
	case "module":
		s.module(&c, '.', code.KindModule)
	case "data", "newtype":
		haskellType(s, &c, code.KindStruct)
	case "type":
		haskellType(s, &c, code.KindType)
	case "class":
		haskellType(s, &c, code.KindInterface)
		s.group = code.KindInterface
	case "pattern":
		haskellSignature(s, &c, code.KindConst)
	case "instance", "deriving", "foreign":
		s.mark()
	case "import", "infixl", "infixr", "infix", "default", "":
	default:
		c.i = start
		haskellSignature(s, &c, code.KindFunc)
	}
}

// haskellType finds the name after keywords and a context: class (Eq a) => Ord a where.
func haskellType(s *scanner, c *cursor, k code.Kind) {
	for c.has("family ") || c.has("instance ") {
		if c.has("instance ") {
			s.mark()
			return
		}
		c.i += len("family ")
		c.skip()
	}
	line := c.rest()
	if n := bytes.Index(line, []byte("=>")); n >= 0 && (bytes.IndexByte(line[:n], '=') < 0) {
		c.i += n + 2
		c.skip()
	}
	if isUpper(c.peek()) {
		s.container(c, k, noScope)
	}
}

// haskellSignature finds the names of name, name :: Type, or of an equation
// whose name has no signature above it.
func haskellSignature(s *scanner, c *cursor, k code.Kind) {
	type span struct{ start, end int }
	var names [4]span
	n := 0
	for {
		start := c.i
		if len(c.word()) == 0 {
			return
		}
		for c.peek() == '\'' || letter[c.peek()] != 0 {
			c.i++
		}
		if n < len(names) {
			names[n] = span{start, c.i}
			n++
		}
		c.skip()
		if !c.take(',') {
			break
		}
		c.skip()
	}
	name := s.text[names[0].start:names[0].end]
	switch {
	case c.has("::") && c.at(2) != ':':
		for _, x := range names[:n] {
			s.define(k, x.start, x.end)
		}
	case k == code.KindFunc && n == 1 && isLower(name[0]) && haskellEquation(c) && !s.signed(name):
		s.define(k, names[0].start, names[0].end)
	}
}

// signed reports whether one of the last definitions, which one signature may have named together, is of this name.
func (s *scanner) signed(name []byte) bool {
	for n := len(s.defs) - 1; n >= 0 && n > len(s.defs)-5; n-- {
		if d := s.defs[n]; d.kind == code.KindFunc && bytes.Equal(s.text[d.start:d.end], name) {
			return true
		}
	}
	return false
}

// haskellEquation reports whether the rest of a line has an = of its own.
func haskellEquation(c *cursor) bool {
	b := c.rest()
	if bytes.HasPrefix(b, []byte("= ")) || string(b) == "=" {
		return true
	}
	return bytes.Contains(b, []byte(" = ")) || bytes.HasSuffix(bytes.TrimRight(b, " \r"), []byte(" ="))
}

// shellHash handles comments, which $# and ${#x} are not.
func shellHash(s *scanner, i int) int {
	if i > 0 && !isBlank(s.text[i-1]) && s.text[i-1] != '\n' && s.text[i-1] != ';' && s.text[i-1] != '(' && s.text[i-1] != '&' && s.text[i-1] != '|' {
		return i + 1
	}
	return lineComment(s, i)
}

// shellTick handles '...' without escapes and $'...' with them.
func shellTick(s *scanner, i int) int {
	return s.toQuote(i, '\'', i > 0 && s.text[i-1] == '$')
}

// shellLess handles <<WORD and <<-WORD; <<< and $((1 << 2)) are none.
func shellLess(s *scanner, i int) int {
	if i+1 >= len(s.text) || s.text[i+1] != '<' {
		return i + 1
	}
	if i+2 < len(s.text) && s.text[i+2] == '<' {
		return i + 3
	}
	if bytes.Contains(s.text[max(int(s.current().start), i-maxLook):i], []byte("((")) {
		return i + 2
	}
	p := i + 2
	if p < len(s.text) && s.text[p] == '-' {
		p++
	}
	for p < len(s.text) && s.text[p] == ' ' {
		p++
	}
	if n := s.heredocAt(i, "- ", true, false); n >= 0 {
		return n
	}
	return i + 2
}

func shellLine(s *scanner) {
	c := s.cursor()
	if letter[c.peek()]&1 == 0 {
		return
	}
	isKeyword := false
	if c.has("function ") {
		isKeyword = true
		c.i += len("function ")
		c.skip()
	}
	start := c.i
	for c.i < c.end && (letter[c.peek()] != 0 || c.peek() == '-' || c.peek() == ':' || c.peek() == '.' || c.peek() == '@' && c.i > start) {
		c.i++
	}
	end := c.i
	if end == start {
		return
	}
	c.skip()
	isFunction := isKeyword
	if c.take('(') {
		c.skip()
		isFunction = c.peek() == ')'
	}
	if isFunction {
		s.define(code.KindFunc, start, end)
		return
	}
	switch string(s.text[start:end]) {
	case "readonly":
		shellConst(s, &c)
	case "declare", "typeset", "local":
		if c.has("-r") || c.has("-gr") {
			shellConst(s, &c)
		}
	case "alias":
		if name := c.word(); len(name) > 0 && c.peek() == '=' && s.column() == 0 {
			s.define(code.KindFunc, c.i-len(name), c.i)
		}
	}
}

// shellConst finds NAME in readonly -a NAME=value.
func shellConst(s *scanner, c *cursor) {
	if s.column() > 0 {
		return
	}
	for c.peek() == '-' {
		for c.i < c.end && !isBlank(c.peek()) {
			c.i++
		}
		c.skip()
	}
	if name := c.word(); len(name) > 0 && c.peek() == '=' {
		s.define(code.KindConst, c.i-len(name), c.i)
	}
}

// sqlDash handles -- comments.
func sqlDash(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '-' {
		return lineComment(s, i)
	}
	return i + 1
}

// sqlTick handles '...'; a doubled quote reads as two literals side by side.
func sqlTick(s *scanner, i int) int { return rawQuote(s, i) }

// sqlStray recognises lines that literals do not hold.
func sqlStray(b []byte) bool {
	return hasFold(b, "create ") || hasFold(b, "insert into ") || hasFold(b, "alter table ")
}

// hasFold reports whether b starts with the lower-case prefix p in any case.
func hasFold(b []byte, p string) bool {
	return len(b) >= len(p) && bytes.EqualFold(b[:len(p)], []byte(p))
}

// sqlDollar handles $$ ... $$ and $tag$ ... $tag$ literals.
func sqlDollar(s *scanner, i int) int {
	p := i + 1
	for p < len(s.text) && letter[s.text[p]] != 0 && s.text[p] != '$' && p-i < 64 {
		p++
	}
	if p >= len(s.text) || s.text[p] != '$' {
		return i + 1
	}
	tag := string(s.text[i : p+1])
	n := s.find(p+1, tag)
	if n < 0 {
		return p + 1
	}
	return s.pass(i, n+len(tag), insideLine)
}

// sqlLine finds CREATE statements.
func sqlLine(s *scanner) {
	c := s.cursor()
	if !hasFold(c.rest(), "create") {
		return
	}
	c.end = min(c.i+maxLook, len(c.text)) // the name may stand on a later line
	c.i += len("create")
	k := code.KindUnknown
	for k == code.KindUnknown {
		sqlBlanks(&c)
		word := c.word()
		if len(word) == 0 {
			if c.peek() == '=' || c.peek() == '@' || c.peek() == '`' || c.peek() == '\'' { // DEFINER=`a`@`b`
				c.i++
				continue
			}
			return
		}
		if k = sqlKind(word); k == code.KindUnknown && len(word) > 20 {
			return
		}
	}
	sqlBlanks(&c)
	for _, p := range []string{"if ", "not ", "exists ", "only ", "concurrently "} {
		if hasFold(c.rest(), p) {
			c.i += len(p)
			sqlBlanks(&c)
		}
	}
	if start, end := sqlName(&c); end > start {
		at := len(s.lines) - 1 + bytes.Count(s.text[s.first:start], []byte{'\n'})
		s.defineAt(k, start, end, at, len(s.lines)-1)
	}
}

func sqlBlanks(c *cursor) {
	for c.i < c.end && (isBlank(c.text[c.i]) || c.text[c.i] == '\n') {
		c.i++
	}
}

func sqlKind(word []byte) code.Kind {
	var b [16]byte
	if len(word) > len(b) {
		return code.KindUnknown
	}
	n := copy(b[:], word)
	for i := range b[:n] {
		b[i] |= 0x20
	}
	switch string(b[:n]) {
	case "table":
		return code.KindStruct
	case "view", "type", "domain":
		return code.KindType
	case "function", "procedure", "trigger", "aggregate":
		return code.KindFunc
	case "macro":
		return code.KindMacro
	case "schema", "package", "database":
		return code.KindModule
	case "index", "sequence":
		return code.KindVar
	}
	return code.KindUnknown
}

// sqlName finds the last part of schema."Name".
func sqlName(c *cursor) (start, end int) {
	for {
		switch q := c.peek(); q {
		case '"', '`':
			name := c.quoted(q)
			start, end = c.i-1-len(name), c.i-1
		case '[':
			c.i++
			start = c.i
			for c.i < c.end && c.peek() != ']' {
				c.i++
			}
			end = c.i
			c.take(']')
		default:
			name := c.word()
			start, end = c.i-len(name), c.i
		}
		if !c.take('.') {
			return start, end
		}
	}
}
