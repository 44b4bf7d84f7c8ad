// Package written reads arguments, literals and what stands round a name as they
// are written, in whatever language: brackets, quotes, commas and names look alike
// in all of them. What it cannot read it reports, and it guesses nothing.
package written

import (
	"bytes"
	"slices"
	"strings"
)

// Argument is one argument of a call, a decorator or an annotation.
type Argument struct {
	Name     string // of a named one: prefix="/x", value = "/x", to: "x#y", :to => "x#y"
	From, To int    // bytes of its value in the text
	Text     string // of the value, blanks at both ends taken off
}

// Bounds of the bytes of a list of arguments that is read, and of one that may be long.
const (
	maxArguments     = 16 << 10
	maxLongArguments = 256 << 10
)

// Arguments reads the arguments in brackets behind a name which ends at a byte of a
// text; end is the byte behind them.
func Arguments(text []byte, at int) (list []Argument, end int, ok bool) {
	return arguments(text, at, maxArguments)
}

// LongArguments reads arguments that may be many: those of a router.
func LongArguments(text []byte, at int) (list []Argument, end int, ok bool) {
	return arguments(text, at, maxLongArguments)
}

func arguments(text []byte, at, most int) (list []Argument, end int, ok bool) {
	i := at
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	if i < len(text) && text[i] == '<' { // type arguments
		if n := Closing(text[:min(len(text), i+200)], i); n < len(text) && text[n] == '>' {
			i = n + 1
		}
	}
	if i+1 < len(text) && text[i] == '!' { // a macro of Rust
		i++
	}
	if i >= len(text) || text[i] != '(' && text[i] != '[' {
		return nil, at, false
	}
	i++
	limit := min(len(text), i+most)
	list, end = split(text, i, limit)
	if end == limit {
		return nil, at, false
	}
	return list, end + 1, true
}

// Split reads the arguments in a piece of a text that holds nothing else.
func Split(text []byte, from, to int) []Argument {
	list, _ := split(text, from, to)
	return list
}

// split reads arguments up to the bracket that closes their list, or a limit.
func split(text []byte, start, limit int) (list []Argument, end int) {
	i := start
	for i < limit {
		switch text[i] {
		case ')', ']', '}':
			return add(list, text, start, i), i
		case ',':
			list = add(list, text, start, i)
			i++
			start = i
		case '|':
			i = skipParameters(text, start, i, limit)
		default:
			i = Skip(text, i, limit)
		}
	}
	return add(list, text, start, limit), limit
}

// skipParameters returns the byte behind the parameters of a closure of Rust, where the
// argument that starts at a byte is one: |a, b| or move |a, b|. Else a bar is a bar.
func skipParameters(text []byte, start, bar, limit int) int {
	if before := string(bytes.TrimSpace(text[start:bar])); before != "" && before != "move" {
		return bar + 1
	}
	for i := bar + 1; i < limit; {
		switch text[i] {
		case '|':
			return i + 1
		case ')', ']', '}':
			return bar + 1
		}
		i = Skip(text, i, limit)
	}
	return bar + 1
}

// Skip returns the byte behind what begins at a byte: a literal, a comment, a
// group in brackets, or that byte. It is at most limit.
func Skip(text []byte, i, limit int) int {
	switch c := text[i]; c {
	case '"', '\'', '`':
		return skipLiteral(text, i, limit)
	case '(', '[', '{':
		for i++; i < limit; {
			if c := text[i]; c == ')' || c == ']' || c == '}' {
				return i + 1
			}
			i = Skip(text, i, limit)
		}
		return limit
	case '/':
		if i+1 < limit && text[i+1] == '/' {
			return LineEnd(text, i, limit)
		}
		if i+1 < limit && text[i+1] == '*' {
			if n := bytes.Index(text[i+2:limit], []byte("*/")); n >= 0 {
				return i + 2 + n + 2
			}
			return limit
		}
	case '#':
		if i+1 < limit && (text[i+1] == ' ' || text[i+1] == '#') {
			return LineEnd(text, i, limit)
		}
	}
	return i + 1
}

// LineStart is the first byte of the line that holds a byte.
func LineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// LineEnd is the byte that ends the line which holds a byte, at most limit.
func LineEnd(text []byte, at, limit int) int {
	if n := bytes.IndexByte(text[at:limit], '\n'); n >= 0 {
		return at + n
	}
	return limit
}

func skipLiteral(text []byte, i, limit int) int {
	quote, start := text[i], i
	if bytes.HasPrefix(text[i:], []byte(`"""`)) || bytes.HasPrefix(text[i:], []byte(`'''`)) {
		if n := bytes.Index(text[min(i+3, limit):limit], text[i:i+3]); n >= 0 {
			return i + 3 + n + 3
		}
		return limit
	}
	for i++; i < limit; i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		case '\n':
			if quote == '\'' {
				return start + 1 // no literal: an apostrophe, a lifetime of Rust
			}
			if quote != '`' {
				return i
			}
		}
	}
	return limit
}

// add adds the argument in a piece of a text, where there is one.
func add(list []Argument, text []byte, from, to int) []Argument {
	value := behindComments(strings.TrimSpace(string(text[from:to])))
	if value == "" {
		return list
	}
	name := ""
	if n, key := keyOf(value); n > 0 {
		rest := strings.TrimLeft(value[n:], " \t")
		if v, ok := namedValue(rest, len(key) < n); ok {
			name, value = key, strings.TrimSpace(v)
		}
	}
	at := from + strings.LastIndex(string(text[from:to]), value)
	return append(list, Argument{Name: name, From: at, To: at + len(value), Text: value})
}

// behindComments is a text without the comments that it begins with.
func behindComments(s string) string {
	for {
		mark := "\n"
		switch {
		case strings.HasPrefix(s, "//"), strings.HasPrefix(s, "# "):
		case strings.HasPrefix(s, "/*"):
			mark = "*/"
		default:
			return s
		}
		_, rest, _ := strings.Cut(s, mark)
		s = strings.TrimSpace(rest)
	}
}

// keyOf is what may name an argument that a text begins with: a name, a symbol of
// Ruby or a literal; n is its length with its marks.
func keyOf(s string) (n int, key string) {
	switch {
	case s == "":
	case s[0] == ':':
		n = 1 + NameEnd(s[1:])
		return n, s[1:n]
	case s[0] == '"' || s[0] == '\'':
		n = skipLiteral([]byte(s), 0, len(s))
		return n, strings.Trim(s[:n], s[:1])
	default:
		n = NameEnd(s)
	}
	return n, s[:n]
}

// namedValue is the value behind the name of an argument; ok is false where what
// stands there gives no value. A name without marks before => is a parameter.
func namedValue(rest string, marked bool) (value string, ok bool) {
	if v, ok := strings.CutPrefix(rest, "=>"); ok {
		return v, marked
	}
	if strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, "::") {
		return "", false
	}
	if v, ok := strings.CutPrefix(rest, "="); ok {
		return v, !marked
	}
	return strings.CutPrefix(rest, ":")
}

// NameEnd is the length of the name that a text begins with.
func NameEnd(s string) int {
	i := 0
	for i < len(s) && inName(s[i]) && (i > 0 || s[i] < '0' || s[i] > '9') {
		i++
	}
	return i
}

func inName(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// Literal returns the text of a literal: what stands between its quotes. What is
// filled in when the program runs is {}; filled says so. A symbol of Ruby is a
// literal too.
func Literal(s string) (value string, filled, ok bool) {
	s = strings.TrimSpace(s)
	if rest, isSymbol := strings.CutPrefix(s, ":"); isSymbol && rest != "" && NameEnd(rest) == len(rest) {
		return rest, false, true
	}
	prefix := strings.ToLower(s[:min(len(s), 3)])
	i := strings.IndexAny(prefix, "\"'`")
	if i < 0 || strings.Trim(prefix[:i], "rbfu&@$") != "" {
		return "", false, false
	}
	format := strings.ContainsAny(prefix[:i], "f$")
	s = s[i:]
	n := 1
	if strings.HasPrefix(s, `"""`) || strings.HasPrefix(s, `'''`) {
		n = 3
	}
	if len(s) < 2*n || skipLiteral([]byte(s), 0, len(s)) != len(s) || s[len(s)-1] != s[0] {
		return "", false, false
	}
	value = s[n : len(s)-n]
	for _, open := range filling(s[0], format) {
		if strings.Contains(value, open) {
			return blank(value, open), true, true
		}
	}
	return value, false, true
}

// filling are the ways in which what a literal is filled with begins.
func filling(quote byte, format bool) []string {
	switch {
	case quote == '`':
		return []string{"${"}
	case format:
		return []string{"{"}
	case quote == '"':
		return []string{"#{"}
	}
	return nil
}

// blank replaces each group of a text that opens in a way by {}.
func blank(s, open string) string {
	var out strings.Builder
	for {
		i := strings.Index(s, open)
		if i < 0 {
			return out.String() + s
		}
		out.WriteString(s[:i])
		out.WriteString("{}")
		j := strings.IndexByte(s[i:], '}')
		if j < 0 {
			return out.String()
		}
		s = s[i+j+1:]
	}
}

// Literals are the literals of an argument: one, or those of a list of them.
func Literals(s string) []string {
	if v, _, ok := Literal(s); ok {
		return []string{v}
	}
	var all []string
	for _, a := range Elements(s) {
		if v, _, ok := Literal(a.Text); ok {
			all = append(all, v)
		}
	}
	return all
}

// Elements are the parts of a list in brackets; none of anything else. The places
// that they say are within s.
func Elements(s string) []Argument {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '[' && s[0] != '{' && s[0] != '(' {
		return nil
	}
	list, end := split([]byte(s), 1, len(s))
	if end == len(s) {
		return nil
	}
	return list
}

// Sum are the parts of an argument that stand between +.
func Sum(a Argument) (parts []Argument) {
	text := []byte(a.Text)
	part := func(from, to int) {
		for _, p := range add(nil, text, from, to) {
			parts = append(parts, Argument{From: a.From + p.From, To: a.From + p.To, Text: p.Text})
		}
	}
	start := 0
	for i := 0; i < len(text); {
		if text[i] == '+' {
			part(start, i)
			start = i + 1
		}
		i = Skip(text, i, len(text))
	}
	part(start, len(text))
	return parts
}

// IsInline reports whether an argument is a function written in place.
func IsInline(s string) bool {
	for _, begin := range []string{"func(", "func (", "function", "async ", "lambda", "async(", "|", "move |"} {
		if strings.HasPrefix(s, begin) {
			return true
		}
	}
	head := s[:min(len(s), 200)]
	return strings.Contains(head, "=>") && !strings.HasPrefix(head, "{")
}

// IsChain reports whether a text is a name, or names with . or :: between.
func IsChain(s string) bool {
	for s != "" {
		n := NameEnd(s)
		if n == 0 {
			return false
		}
		if s = s[n:]; s == "" {
			return true
		}
		if s = strings.TrimPrefix(s, "."); strings.HasPrefix(s, "::") {
			s = s[2:]
		}
	}
	return false
}

// Closing is the byte of the > that closes the < at a byte, or of the end of its line.
func Closing(text []byte, open int) int {
	depth := 0
	for i := open; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return LineEnd(text, open, len(text))
}

// Within reports whether a module is another or stands below it.
func Within(module, other string) bool {
	rest, ok := strings.CutPrefix(module, other)
	return ok && (rest == "" || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "::") || strings.HasPrefix(rest, `\`))
}

// HasWord reports whether a word stands in a text, with blanks round it.
func HasWord(text []byte, word string) bool {
	return slices.ContainsFunc(bytes.Fields(text), func(w []byte) bool { return string(w) == word })
}

// Value is what a declaration gives its name, whose last byte stands before a byte
// of a text: "/x" of const Path string = "/x".
func Value(text []byte, behind int) (a Argument, ok bool) {
	end := LineEnd(text, behind, len(text))
	i := bytes.IndexByte(text[behind:end], '=')
	if i < 0 || bytes.ContainsAny(text[behind:behind+i], "(){},;") {
		return a, false
	}
	value := bytes.TrimRight(text[behind:end], " \t\r;,")
	if list := Split(text, behind+i+1, max(behind+i+1, behind+len(value))); len(list) == 1 && list[0].Name == "" {
		return list[0], true
	}
	return a, false
}

// destructured are the names that are taken from what begins at a byte, or behind it:
// those of { A, B: b = 1 } = process.env.
func destructured(text []byte, at int) (names []string) {
	before := bytes.TrimRight(text[:max(0, at)], " \t\n")
	before, ok := bytes.CutSuffix(before, []byte("="))
	before = bytes.TrimRight(before, " \t\n")
	if !ok || !bytes.HasSuffix(before, []byte("}")) {
		return nil
	}
	open := bytes.LastIndexByte(before, '{')
	if open < 0 || len(before)-open > maxArguments {
		return nil
	}
	for _, a := range Elements(string(before[open:])) {
		name := a.Name
		if name == "" {
			name = a.Text[:NameEnd(a.Text)]
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Position is where an argument stands.
type Position struct {
	Index int    // among those without a name, from 0; from the end for -1
	Name  string // of a named argument that may stand for it, or several with | between
}

// ByName is the index of an argument that only a name tells.
const ByName = 1 << 10

// At finds the argument at a position.
func At(list []Argument, p Position) (Argument, bool) {
	if p.Name != "" {
		for name := range strings.SplitSeq(p.Name, "|") {
			if i := slices.IndexFunc(list, func(a Argument) bool { return a.Name == name }); i >= 0 {
				return list[i], true
			}
		}
	}
	plain := slices.DeleteFunc(slices.Clone(list), func(a Argument) bool { return a.Name != "" })
	i := p.Index
	if i < 0 {
		i += len(plain)
	}
	if i < 0 || i >= len(plain) {
		return Argument{}, false
	}
	return plain[i], true
}

// IsMark reports whether a name at a byte is that of a decorator, an annotation or
// an attribute: @name, @a.name, #[name].
func IsMark(text []byte, at int) bool {
	before := bytes.TrimSpace(text[LineStart(text, at):at])
	for len(before) > 0 {
		last := before[len(before)-1]
		switch {
		case last == '@', last == '[' && len(before) > 1 && before[len(before)-2] == '#':
			return true
		case inName(last), last == '.', last == ':':
			before = before[:len(before)-1]
		default:
			return false
		}
	}
	return false
}

// IsAttribute reports whether a name at a byte is that of an attribute of C#: [name],
// [other, name]. An index stands behind a name in its line.
func IsAttribute(text []byte, at int) bool {
	before := bytes.TrimSpace(text[max(0, at-maxArguments):at])
	depth := 0
	for i := len(before) - 1; i >= 0; i-- {
		switch c := before[i]; {
		case c == ')':
			depth++
		case c == '(':
			depth--
		case c == '[' && depth == 0:
			line := bytes.TrimSpace(before[LineStart(before, i):i])
			return len(line) == 0 || bytes.IndexByte([]byte("{};])(,/"), line[len(line)-1]) >= 0
		case depth == 0 && (c == ';' || c == '{' || c == '}' || c == ']' || c == '='), depth < 0:
			return false
		}
	}
	return false
}

// BehindMarks is the byte of what decorators and annotations mark that stand at a
// byte or behind it.
func BehindMarks(text []byte, at int) int {
	for i := at; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '/' || c == '#' && i+1 < len(text) && text[i+1] == ' ':
			next := Skip(text, i, len(text))
			if next == i+1 {
				return i
			}
			i = next
		case c == '@':
			for i++; i < len(text) && (inName(text[i]) || text[i] == '.'); i++ {
			}
			if _, end, ok := Arguments(text, i); ok {
				i = end
			}
		default:
			return i
		}
	}
	return len(text)
}

// WordBefore is the word that stands before a name at a byte of SQL, quotes and the
// schema of the name aside.
func WordBefore(text []byte, at int) string {
	end := at
	if end > 0 && text[end-1] == '.' {
		for end--; end > 0 && inName(text[end-1]); end-- {
		}
	}
	if end > 0 && bytes.IndexByte([]byte("\"'`["), text[end-1]) >= 0 {
		end--
	}
	for end > 0 && bytes.IndexByte([]byte(" \t\r\n"), text[end-1]) >= 0 {
		end--
	}
	start := end
	for start > 0 && inName(text[start-1]) {
		start--
	}
	return string(text[start:end])
}

// CallsBehind is the byte behind the calls on what a call gives that ends at a byte:
// .get(a).post(b).
func CallsBehind(text []byte, at int) (end int) {
	for i := at; i < len(text); {
		end = i
		for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
			i++
		}
		if i == len(text) || text[i] != '.' {
			return end
		}
		n := NameEnd(string(text[i+1 : min(len(text), i+100)]))
		_, behind, ok := Arguments(text, i+1+n)
		if n == 0 || !ok {
			return end
		}
		i, end = behind, behind
	}
	return end
}

// Chain is what a member at a byte is taken of: a.b of a.b.c, empty for a name
// alone.
func Chain(text []byte, at int) string {
	i := at
	for i > 0 && (inName(text[i-1]) || strings.IndexByte(".:$", text[i-1]) >= 0) {
		i--
	}
	return strings.TrimRight(string(text[i:at]), ".:")
}

// LastOf is the last part of a chain of members.
func LastOf(chain string) string { return chain[strings.LastIndexAny(chain, ".:")+1:] }

// Snake is a name with _ between its words: user_token of UserToken.
func Snake(name string) string {
	var out strings.Builder
	for i, c := range name {
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				out.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		out.WriteRune(c)
	}
	return out.String()
}
