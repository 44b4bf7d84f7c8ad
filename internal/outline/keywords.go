package outline

import (
	"bytes"

	"espy/internal/code"
)

// syntaxes holds the syntax of every language with an outline, by name.
var syntaxes = map[string]*syntax{}

// plain is the syntax of text whose language is not known.
var plain = syntax{act: actions(nil)}

// actions makes a table of actions out of a map from bytes to actions.
func actions(m map[string]action) (t [256]action) {
	t['\n'] = newline
	for keys, f := range m {
		for _, b := range []byte(keys) {
			t[b] = f
		}
	}
	return t
}

// brackets adds what braces, brackets and semicolons do in languages read by line.
func brackets(m map[string]action) map[string]action {
	m["{"], m["}"], m["(["], m[")]"], m[";"] = openBrace, closeBrace, openParen, closeParen, semicolon
	return m
}

func init() {
	goSyntax := &syntax{line: goLine, everywhere: true, act: actions(brackets(map[string]action{
		"/": slash, "\"'": quote, "`": rawQuote}))}
	rustSyntax := &syntax{line: rustLine, act: actions(brackets(map[string]action{
		"/": nestedSlash, "\"": rustQuote, "'": rustTick}))}
	zigSyntax := &syntax{line: zigLine, act: actions(brackets(map[string]action{
		"/": slash, "\"'": quote, "\\": zigBackslash}))}
	kotlinSyntax := &syntax{line: kotlinLine, act: actions(brackets(map[string]action{
		"/": nestedSlash, "\"": tripleRaw, "'": charQuote}))}
	swiftSyntax := &syntax{line: swiftLine, act: actions(brackets(map[string]action{
		"/": nestedSlash, "\"": swiftQuote}))}
	scalaSyntax := &syntax{line: scalaLine, act: actions(brackets(map[string]action{
		"/": nestedSlash, "\"": tripleRaw, "'": rustTick}))}
	phpSyntax := &syntax{line: phpLine, inTag: true, act: actions(brackets(map[string]action{
		"/": slash, "#": phpHash, "\"'": longQuote, "<": phpLess, "?": phpQuestion}))}
	protoSyntax := &syntax{line: protoLine, act: actions(brackets(map[string]action{
		"/": slash, "\"'": quote}))}
	solidity := &syntax{line: solidityLine, act: actions(brackets(map[string]action{
		"/": slash, "\"'": quote}))}
	javascript := &syntax{line: jsLine, act: actions(brackets(map[string]action{
		"/": jsSlash, "\"'": quote, "`": jsTemplate}))}
	javascript.act['{'] = jsBrace
	typescript := *javascript
	for name, y := range map[string]*syntax{"go": goSyntax, "rust": rustSyntax, "zig": zigSyntax, "kotlin": kotlinSyntax, "swift": swiftSyntax,
		"scala": scalaSyntax, "php": phpSyntax, "protobuf": protoSyntax, "solidity": solidity, "javascript": javascript, "typescript": &typescript} {
		syntaxes[name] = y
	}
}

// goLine finds the declarations of Go, which need depth 0; lines of a group
// such as const ( ... ) have one bracket open.
func goLine(s *scanner) {
	if len(s.scopes) > 0 {
		return
	}
	c := s.cursor()
	switch {
	case s.paren == 0:
		s.group = code.KindUnknown
		goDeclaration(s, &c)
	case s.paren == 1 && s.group != code.KindUnknown && (s.list || !s.continues()):
		goSpec(s, &c, s.group)
	}
}

func goDeclaration(s *scanner, c *cursor) {
	k := code.KindUnknown
	switch string(c.word()) {
	case "func":
		goFunction(s, c)
		return
	case "type":
		k = code.KindType
	case "const":
		k = code.KindConst
	case "var":
		k = code.KindVar
	default:
		return
	}
	c.skip()
	if c.has("/*") {
		if n := bytes.Index(c.rest(), []byte("*/")); n > 0 {
			c.i += n + 2
			c.skip()
		}
	}
	if c.take('(') {
		s.group = k
		if c.skip(); letter[c.peek()] != 0 { // const (A = 1)
			goSpec(s, c, k)
		}
		return
	}
	goSpec(s, c, k)
}

func goFunction(s *scanner, c *cursor) {
	k := code.KindFunc
	c.skip()
	if c.peek() == '(' {
		k = code.KindMethod
		if !c.balanced() {
			return
		}
		c.skip()
	}
	if name := c.word(); len(name) > 0 && string(name) != "_" {
		s.define(k, c.i-len(name), c.i)
		s.pending = function
	}
}

// goSpec finds the names of one specification: a type, or a list of constants or variables.
func goSpec(s *scanner, c *cursor, k code.Kind) {
	for {
		name := c.word()
		if len(name) == 0 { // after a comma the list goes on with the next line
			s.list = s.list && (c.i == c.end || c.peek() == '/')
			return
		}
		end := c.i
		c.skip()
		kind := k
		if k == code.KindType {
			kind = goTypeKind(c)
		}
		if string(name) != "_" {
			s.define(kind, end-len(name), end)
		}
		if k == code.KindType {
			return
		}
		if s.list = c.take(','); !s.list {
			return
		}
		c.skip()
	}
}

// goTypeKind tells the kind of a type by what follows its name.
func goTypeKind(c *cursor) code.Kind {
	if c.peek() == '[' {
		c.balanced()
		c.skip()
	}
	if c.take('=') {
		c.skip()
	}
	switch string(c.word()) {
	case "struct":
		return code.KindStruct
	case "interface":
		return code.KindInterface
	}
	return code.KindType
}

// continues reports whether the line before the current one ends within an expression.
func (s *scanner) continues() bool {
	n := len(s.lines) - 1
	if n == 0 || s.lines[n-1].flags&(blankLine|attachedLine) != 0 {
		return false
	}
	b := s.text[s.lines[n-1].start:s.lines[n].start]
	for _, comment := range []string{" //", "\t//", " /*", "\t/*"} {
		if i := bytes.Index(b, []byte(comment)); i >= 0 {
			b = b[:i]
		}
	}
	b = bytes.TrimRight(b, " \t\r\n")
	if len(b) == 0 {
		return false
	}
	switch b[len(b)-1] {
	case '=', ',', '|', '&', '^', '.', '*', '/', '<', '>', '%', ':':
		return true
	case '+', '-':
		return len(b) < 2 || b[len(b)-2] != b[len(b)-1]
	}
	return false
}

// phpHash handles # comments, which #[attributes] are not.
func phpHash(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '[' {
		return i + 1
	}
	return lineComment(s, i)
}

// phpLess handles <<<WORD.
func phpLess(s *scanner, i int) int {
	if bytes.HasPrefix(s.text[i:], []byte("<<<")) {
		p := i + 3
		for p < len(s.text) && s.text[p] == ' ' {
			p++
		}
		if n := s.heredocAt(p-2, "", true, true); n >= 0 {
			return n
		}
	}
	return i + 1
}

// phpQuestion handles ?>, after which text stands until the next tag.
func phpQuestion(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '>' {
		return s.outsideTag(i + 2)
	}
	return i + 1
}

// outsideTag passes from i over text outside of code, to the code of the next <?php or <?= tag.
func (s *scanner) outsideTag(i int) int {
	n := bytes.Index(s.text[i:], []byte("<?"))
	if n < 0 {
		return s.pass(i, len(s.text), insideLine)
	}
	end := i + n + 2
	if bytes.HasPrefix(s.text[end:], []byte("php")) {
		end += 3
	}
	return s.pass(i, end, insideLine)
}

func phpLine(s *scanner) {
	c := s.cursor()
	if c.has("#[") && !attributes(&c) {
		return
	}
	for {
		start := c.i
		word := c.word()
		if len(word) == 0 {
			return
		}
		gap := c.skip()
		switch string(word) {
		case "abstract", "final", "public", "private", "protected", "static", "readonly":
			continue
		case "function":
			phpFunction(s, &c)
		case "class":
			s.container(&c, code.KindClass, class)
		case "interface":
			s.container(&c, code.KindInterface, iface)
		case "trait":
			s.container(&c, code.KindTrait, class)
		case "enum":
			if gap {
				s.container(&c, code.KindEnum, class)
			}
		case "namespace":
			s.module(&c, '\\', code.KindModule)
		case "const":
			phpConst(s, &c)
		case "define":
			if c.take('(') && (c.peek() == '\'' || c.peek() == '"') {
				name := c.quoted(c.peek())
				s.define(code.KindConst, c.i-1-len(name), c.i-1)
			}
		default:
			c.i = start
		}
		return
	}
}

func phpFunction(s *scanner, c *cursor) {
	c.take('&')
	c.skip()
	name := c.word()
	if len(name) == 0 {
		return
	}
	end := c.i
	if c.skip(); c.peek() == '(' {
		s.callable(code.KindFunc, end-len(name), end)
	}
}

// phpConst finds NAME in const NAME = and const type NAME =.
func phpConst(s *scanner, c *cursor) {
	for range 2 {
		name := c.word()
		end := c.i
		if c.skip(); c.peek() == '=' && len(name) > 0 {
			s.define(code.KindConst, end-len(name), end)
			return
		}
	}
}

// container defines the type named at the cursor; its brace opens scope k.
func (s *scanner) container(c *cursor, kind code.Kind, k scopeKind) {
	name := c.word()
	if len(name) == 0 {
		return
	}
	s.define(kind, c.i-len(name), c.i)
	s.pending = k
}

// module defines the module whose dotted name is at the cursor, by its last part.
func (s *scanner) module(c *cursor, separator byte, kind code.Kind) {
	for {
		name := c.word()
		if len(name) == 0 {
			return
		}
		end := c.i
		for c.peek() == separator && (separator != ':' || c.at(1) == ':') {
			c.i++
			if separator == ':' {
				c.i++
			}
		}
		if c.i == end {
			s.define(kind, end-len(name), end)
			s.pending = namespace
			return
		}
	}
}

// callable defines a function, which is a method within a type.
func (s *scanner) callable(kind code.Kind, start, end int) {
	if kind == code.KindFunc && s.member() {
		kind = code.KindMethod
	}
	s.define(kind, start, end)
	s.pending = function
}

// attributes passes over leading #[...] or @name(...) groups and reports
// whether code follows on the line.
func attributes(c *cursor) bool {
	for {
		switch {
		case c.has("#["):
			c.i++
			if !c.balanced() {
				return false
			}
		case c.peek() == '@':
			c.i++
			for len(c.word()) > 0 && (c.take('.') || c.take(':')) {
			}
			if c.peek() == '(' && !c.balanced() {
				return false
			}
		default:
			return c.i < c.end
		}
		c.skip()
	}
}

// rustQuote handles " with or without r and # signs before it.
func rustQuote(s *scanner, i int) int {
	if i > 0 {
		switch s.text[i-1] {
		case '#':
			if n := s.hashes(i); n >= 0 {
				return n
			}
		case 'r':
			if i < 2 || letter[s.text[i-2]] == 0 || s.text[i-2] == 'b' || s.text[i-2] == 'c' {
				return rawQuote(s, i)
			}
		}
	}
	return longQuote(s, i)
}

// rustTick tells a character literal from a lifetime or a symbol.
func rustTick(s *scanner, i int) int {
	t := s.text[i+1:]
	switch {
	case len(t) > 1 && t[0] == '\\':
		return quote(s, i)
	case len(t) > 1 && t[1] == '\'' && t[0] != '\n':
		return i + 3
	case len(t) > 0 && t[0] >= 0x80:
		t = t[:min(len(t), 5)] // at most one rune
		if n := bytes.IndexByte(t, '\''); n > 0 && bytes.IndexByte(t[:n], '\n') < 0 {
			return i + n + 2
		}
	}
	return i + 1
}

func rustLine(s *scanner) {
	c := s.cursor()
	if c.peek() == '#' && !attributes(&c) {
		return
	}
	isConst := false
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		switch string(word) {
		case "pub", "crate", "default", "async", "unsafe", "safe", "extern", "auto":
			if c.skip(); c.peek() == '(' && !c.balanced() {
				return
			}
			if c.skip(); c.peek() == '"' {
				c.quoted('"')
				c.skip()
			}
			if c.peek() == '{' { // extern "C" {
				s.pending = namespace
				return
			}
			continue
		case "const":
			isConst = true
			c.skip()
			continue
		}
		c.skip()
		rustItem(s, &c, word, isConst)
		return
	}
}

func rustItem(s *scanner, c *cursor, word []byte, isConst bool) {
	switch string(word) {
	case "fn":
		if name := rustName(c); len(name) > 0 {
			s.callable(code.KindFunc, c.i-len(name), c.i)
		}
		return
	case "struct", "union":
		if letter[c.peek()] != 0 {
			s.container(c, code.KindStruct, block)
		}
		return
	case "enum":
		s.container(c, code.KindEnum, block)
		return
	case "trait":
		s.container(c, code.KindTrait, class)
		return
	case "impl":
		s.mark()
		s.pending = class
		return
	case "mod":
		if name := c.word(); len(name) > 0 {
			end := c.i
			if c.skip(); c.peek() != ';' {
				s.define(code.KindModule, end-len(name), end)
				s.pending = namespace
			}
		}
		return
	case "macro_rules":
		if c.take('!') {
			c.skip()
			s.container(c, code.KindMacro, block)
		}
		return
	case "macro":
		s.container(c, code.KindMacro, block)
		return
	case "type":
		if k := s.scope(); k != class && k != function { // associated types are no definitions
			s.container(c, code.KindType, noScope)
		}
		return
	case "static":
		if c.has("mut ") {
			c.i += 4
			c.skip()
		}
		if name := c.word(); len(name) > 0 && s.outermost() {
			s.define(code.KindVar, c.i-len(name), c.i)
		}
		return
	}
	if isConst && c.peek() == ':' && string(word) != "_" && (s.outermost() || s.member()) {
		end := c.i
		for isBlank(c.text[end-1]) {
			end--
		}
		s.define(code.KindConst, end-len(word), end)
	}
}

// rustName reads an identifier that may be raw (r#type).
func rustName(c *cursor) []byte {
	if c.has("r#") {
		c.i += 2
	}
	return c.word()
}

// zigBackslash handles \\, which begins a line of a literal.
func zigBackslash(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '\\' {
		return s.lineEnd(i)
	}
	return i + 1
}

func zigLine(s *scanner) {
	c := s.cursor()
	isPublic := c.has("pub ")
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		c.skip()
		switch string(word) {
		case "pub", "export", "extern", "inline", "noinline", "threadlocal", "comptime":
			if c.peek() == '"' {
				c.quoted('"')
				c.skip()
			}
			continue
		case "fn":
			if name := c.word(); len(name) > 0 {
				s.callable(code.KindFunc, c.i-len(name), c.i)
			}
		case "const":
			zigValue(s, &c, code.KindConst, isPublic)
		case "var":
			zigValue(s, &c, code.KindVar, isPublic)
		case "test":
			s.mark()
			s.pending = function
		case "return": // return struct { ... }: the body of a generic type
			if zigContainer(&c) != code.KindUnknown {
				s.pending = class
			}
		}
		return
	}
}

// zigValue finds the name of a constant or variable, and its kind when it is a
// type. Imports count where they are passed on.
func zigValue(s *scanner, c *cursor, k code.Kind, isPublic bool) {
	name := c.word()
	if len(name) == 0 {
		return
	}
	end := c.i
	for c.i < c.end && c.peek() != '=' && c.peek() != ';' {
		c.i++
	}
	if !c.take('=') {
		return
	}
	c.skip()
	if t := zigContainer(c); t != code.KindUnknown {
		s.define(t, end-len(name), end)
		s.pending = class
		return
	}
	if (s.outermost() || s.member()) && (isPublic || !c.has("@import(")) && !c.has("@This(") {
		s.define(k, end-len(name), end)
	}
}

// zigContainer tells the kind of the container type at the cursor, if any.
func zigContainer(c *cursor) code.Kind {
	for {
		switch string(c.word()) {
		case "packed", "extern":
			c.skip()
			continue
		case "struct", "opaque", "union":
			return code.KindStruct
		case "enum":
			return code.KindEnum
		case "error":
			if c.peek() == '{' || c.at(1) == '{' {
				return code.KindEnum
			}
		}
		return code.KindUnknown
	}
}

func kotlinLine(s *scanner) {
	c := s.cursor()
	if c.peek() == '@' && !attributes(&c) {
		return
	}
	kind := code.KindClass
	value := code.KindVar
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		c.skip()
		switch string(word) {
		case "public", "private", "protected", "internal", "open", "abstract", "final", "sealed", "data", "inner", "inline", "value",
			"override", "suspend", "operator", "infix", "tailrec", "external", "lateinit", "expect", "actual", "annotation", "noinline", "crossinline":
			continue
		case "companion":
			s.pending = class
			continue
		case "enum":
			kind = code.KindEnum
			continue
		case "const":
			value = code.KindConst
			continue
		case "class":
			s.container(&c, kind, class)
		case "interface":
			s.container(&c, code.KindInterface, class)
		case "object":
			if letter[c.peek()] != 0 {
				s.container(&c, code.KindClass, class)
			} else if c.peek() == '{' || c.peek() == ':' {
				s.pending = class
			}
		case "typealias":
			s.container(&c, code.KindType, noScope)
		case "fun":
			if c.has("interface ") {
				continue
			}
			kotlinFunction(s, &c)
		case "val", "var":
			kotlinValue(s, &c, value)
		case "init", "constructor":
			s.pending = function
		}
		return
	}
}

// kotlinFunction finds the name in fun <T> Receiver<T>.name(.
func kotlinFunction(s *scanner, c *cursor) {
	if start, end := receiverName(c, '('); end > start {
		s.callable(code.KindFunc, start, end)
	}
}

// receiverName passes over type parameters and a receiver type and finds the name before stop.
func receiverName(c *cursor, stop byte) (start, end int) {
	if c.peek() == '<' {
		c.balanced()
		c.skip()
	}
	if c.peek() == '(' { // a receiver in brackets
		c.balanced()
	}
	for c.i < c.end {
		switch b := c.peek(); {
		case letter[b] != 0:
			start = c.i
			if len(c.word()) == 0 {
				return 0, 0
			}
			end = c.i
		case b == '`':
			name := c.quoted('`')
			start, end = c.i-1-len(name), c.i-1
		case b == '<':
			if !c.balanced() {
				return 0, 0
			}
		case b == '.' || b == '?' || isBlank(b):
			c.i++
		default:
			if b == stop || stop == 0 {
				return start, end
			}
			return 0, 0
		}
	}
	return start, end
}

func kotlinValue(s *scanner, c *cursor, k code.Kind) {
	if !s.outermost() && !s.member() || c.peek() == '(' {
		return
	}
	if c.peek() == '<' {
		c.balanced()
		c.skip()
	}
	var name []byte
	for { // an extension property has its receiver before the name
		name = c.word()
		if c.peek() == '<' {
			end := c.i
			if c.balanced(); c.peek() != '.' {
				c.i = end
			}
		}
		if c.peek() == '?' && c.at(1) == '.' {
			c.i++
		}
		if !c.take('.') {
			break
		}
	}
	if s.member() && k == code.KindVar {
		k = code.KindField
	}
	if len(name) > 0 {
		s.define(k, c.i-len(name), c.i)
	}
}

// swiftQuote handles ", """ and #" literals.
func swiftQuote(s *scanner, i int) int {
	if n := s.hashes(i); n >= 0 {
		return n
	}
	return tripleEscaped(s, i)
}

func swiftLine(s *scanner) {
	c := s.cursor()
	if c.peek() == '@' && !attributes(&c) {
		return
	}
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		gap := c.skip()
		switch string(word) {
		case "public", "private", "internal", "fileprivate", "open", "final", "static", "mutating", "nonmutating", "override", "required", "convenience",
			"lazy", "weak", "unowned", "indirect", "dynamic", "optional", "nonisolated", "distributed", "prefix", "postfix", "infix", "package", "consuming", "borrowing":
			if c.peek() == '(' {
				c.balanced()
				c.skip()
			}
			continue
		case "class":
			if c.has("func ") || c.has("var ") || c.has("let ") || c.has("override ") || c.has("subscript") {
				continue
			}
			s.container(&c, code.KindClass, class)
		case "actor":
			s.container(&c, code.KindClass, class)
		case "struct":
			s.container(&c, code.KindStruct, class)
		case "enum":
			s.container(&c, code.KindEnum, class)
		case "protocol":
			s.container(&c, code.KindInterface, iface)
		case "extension":
			s.mark()
			s.pending = class
		case "func":
			if name := swiftName(&c); len(name) > 0 {
				s.callable(code.KindFunc, c.i-len(name), c.i)
				c.take('`')
			}
		case "macro":
			s.container(&c, code.KindMacro, noScope)
		case "init":
			if b := c.peek(); s.member() && (b == '(' || b == '?' || b == '!' || b == '<') {
				end := c.i
				for isBlank(c.text[end-1]) {
					end--
				}
				s.callable(code.KindFunc, end-4, end)
			}
		case "deinit", "subscript":
			s.pending = function
		case "typealias", "associatedtype":
			s.container(&c, code.KindType, noScope)
		case "let":
			swiftValue(s, &c, code.KindConst, gap)
		case "var":
			swiftValue(s, &c, code.KindVar, gap)
		}
		return
	}
}

func swiftName(c *cursor) []byte {
	c.take('`')
	return c.word()
}

func swiftValue(s *scanner, c *cursor, k code.Kind, gap bool) {
	name := swiftName(c)
	if len(name) == 0 || !gap || !s.outermost() && !s.member() {
		return
	}
	if s.member() {
		k = code.KindField
	}
	s.define(k, c.i-len(name), c.i)
	s.pending = function
}

// scalaLine works by indentation, which Scala 3 may use in place of braces.
func scalaLine(s *scanner) {
	c := s.cursor()
	if c.peek() == '@' && !attributes(&c) {
		return
	}
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		c.skip()
		switch string(word) {
		case "private", "protected":
			if c.peek() == '[' {
				c.balanced()
				c.skip()
			}
			continue
		case "override", "final", "sealed", "abstract", "implicit", "lazy", "case", "inline", "open", "opaque", "transparent", "infix", "erased", "package":
			if string(word) == "package" && !c.has("object ") {
				return
			}
			continue
		case "class":
			s.indented(&c, code.KindClass, true)
		case "object":
			s.indented(&c, code.KindClass, true)
		case "trait":
			s.indented(&c, code.KindTrait, true)
		case "enum":
			s.indented(&c, code.KindEnum, true)
		case "type":
			if s.atMembers(s.column()) {
				s.container(&c, code.KindType, noScope)
			}
		case "def":
			c.take('`')
			s.indented(&c, code.KindFunc, false)
		case "val", "var", "given":
			scalaValue(s, &c)
		case "extension":
			scalaExtension(s, &c)
		}
		return
	}
}

// scalaExtension finds the method of extension (x: T) def name.
func scalaExtension(s *scanner, c *cursor) {
	s.mark()
	for c.peek() == '[' || c.peek() == '(' {
		if !c.balanced() {
			return
		}
		c.skip()
	}
	if c.has("def ") {
		c.i += 4
		c.skip()
		s.indented(c, code.KindMethod, false)
		return
	}
	s.enter(s.column(), true)
}

func scalaValue(s *scanner, c *cursor) {
	if !s.atMembers(s.column()) {
		return
	}
	k := code.KindVar
	if len(s.indents) > 0 {
		k = code.KindField
	}
	name := c.word()
	if len(name) == 0 {
		return
	}
	end := c.i
	if c.skip(); c.peek() == '=' || c.peek() == ':' {
		s.define(k, end-len(name), end)
	}
	s.enter(s.column(), false) // its value may be a block
}

// atMembers leaves the levels that end at this column and reports whether it
// is the outermost one or directly within a type.
func (s *scanner) atMembers(column int) bool {
	for n := len(s.indents); n > 0 && s.indents[n-1].indent >= column; n-- {
		s.indents = s.indents[:n-1]
	}
	n := len(s.indents)
	return n == 0 || s.indents[n-1].class
}

// enter starts a level at the column.
func (s *scanner) enter(column int, isClass bool) {
	s.atMembers(column)
	s.indents = append(s.indents, level{column, isClass})
}

// indented defines the name at the cursor, whose body is told by indentation.
func (s *scanner) indented(c *cursor, k code.Kind, isClass bool) {
	column := s.column()
	inType := s.atMembers(column) && len(s.indents) > 0
	s.indents = append(s.indents, level{column, isClass})
	name := c.word()
	if len(name) == 0 {
		return
	}
	if k == code.KindFunc && inType {
		k = code.KindMethod
	}
	s.define(k, c.i-len(name), c.i)
}

func protoLine(s *scanner) {
	c := s.cursor()
	k := code.KindUnknown
	switch string(c.word()) {
	case "message":
		k = code.KindStruct
	case "enum":
		k = code.KindEnum
	case "service":
		k = code.KindInterface
	case "rpc":
		k = code.KindMethod
	}
	if k == code.KindUnknown || !c.skip() {
		return
	}
	name := c.word()
	if len(name) == 0 {
		return
	}
	end := c.i
	if c.skip(); c.peek() == '{' || c.peek() == '(' || c.i == c.end || c.peek() == '/' {
		s.define(k, end-len(name), end)
	}
}

func solidityLine(s *scanner) {
	c := s.cursor()
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		c.skip()
		switch string(word) {
		case "abstract":
			continue
		case "contract", "library":
			s.container(&c, code.KindClass, class)
		case "interface":
			s.container(&c, code.KindInterface, class)
		case "struct":
			s.container(&c, code.KindStruct, block)
		case "enum":
			s.container(&c, code.KindEnum, block)
		case "function", "modifier":
			if name := c.word(); len(name) > 0 {
				s.callable(code.KindFunc, c.i-len(name), c.i)
			}
		case "event", "error":
			if name := c.word(); len(name) > 0 && c.peek() == '(' {
				s.define(code.KindType, c.i-len(name), c.i)
			}
		case "constructor":
			s.pending = function
		}
		return
	}
}
