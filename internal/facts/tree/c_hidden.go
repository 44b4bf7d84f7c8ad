package tree

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/pattern"
	"espy/internal/wordset"
)

// cPrepare makes macros blank that the grammar misreads, names of the types that they are
// given, and blank what it cannot read of the lines of the preprocessor.
func cPrepare(text []byte) []byte {
	text = cover(text, append(cTypeArguments(text), cNumberCasts(text)...), 'x')
	hidden, ends := cHiddenAndEnded(text)
	text = cover(cover(text, hidden, ' '), ends, ';')
	lines, others := cBranches(text)
	return cover(text, append(others, lines...), ' ')
}

// cNumberCasts finds the types of numbers that are called in a value, unsigned(a) < b, which
// the grammar does not expect there.
func cNumberCasts(text []byte) (found []span) {
	for _, word := range []string{"unsigned(", "signed(", "long(", "short("} {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(word))
			if i < 0 {
				break
			}
			start, open := at+i, at+i+len(word)-1
			at = open
			next := cBlank(text, open+1, len(text))
			if start == 0 || cPart(text[start-1]) || next == len(text) || bytes.IndexByte([]byte("*&)"), text[next]) >= 0 {
				continue
			}
			before := bytes.TrimRight(text[:start], " \t\r\n")
			if n := cWordBefore(before); n > 0 && string(before[len(before)-n:]) == "return" || n == 0 && len(before) > 0 && bytes.IndexByte([]byte("(<>=,+-/|!~?:%^["), before[len(before)-1]) >= 0 {
				found = append(found, span{uint32(start), uint32(open)})
			}
		}
	}
	return found
}

// maxTypeArgument bounds the bytes of a line that are read for a type that a macro is given.
const maxTypeArgument = 200

var typeGiven = pattern.New(`^[A-Z][A-Z0-9_]+\(\s*((?:(?:un)?signed|short|long|int|bool|char|float|double)(?:\s+(?:short|long|int|char|double))*)\s*,\s*(?:[A-Za-z_]\w*\s*,\s*(?:[-+]?[0-9]|["']|(?:true|false|nullptr|NULL)\b)|[A-Z][A-Z0-9_]*\s*\)\s*;)`)

// cTypeArguments finds the built-in types that macros in capitals are given first, at the
// start of a line, before a name and a value, FLAG(int, size, 1 << 10), or before a name in
// capitals alone. The grammar takes those for parameters, and all up to the next brace for
// the head of a function.
func cTypeArguments(text []byte) (found []span) {
	for at := 0; at < len(text); {
		if c := text[at]; c >= 'A' && c <= 'Z' {
			line := text[at:min(len(text), at+maxTypeArgument)]
			if m := typeGiven().FindSubmatchIndex(line); m != nil {
				found = append(found, span{uint32(at + m[2]), uint32(at + m[3])})
			}
		}
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return found
}

// cHidden finds the text that cPrepare makes blank: macros in capitals
// (BASE_EXPORT) between class and its name, alone on a line without a semicolon,
// or before the type of a declaration at the start of a line; directives between
// the constants of an enumeration; the braces of extern "C" that only C++ sees.
func cHidden(text []byte) []span {
	found, _ := cHiddenAndEnded(text)
	return found
}

// cHiddenAndEnded is cHidden, and the ends of the calls of macros that stand alone on their
// lines as the head of a loop without braces.
func cHiddenAndEnded(text []byte) (found, ends []span) {
	l := cLines{text: text}
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		again, comment := false, l.inComment(at, end)
		start, stop := l.linkage(at, end)
		if start >= stop {
			start, stop = l.inEnum(at, end)
		}
		if start >= stop {
			start, stop = cCondition(text, at, end)
		}
		if start >= stop {
			start, stop = cTemplateMacro(text, at, end)
		}
		if start >= stop && !l.enum { // a constant may be alone on its line
			if start, stop = cHiddenIn(text, at, end, l.hidden); start >= stop {
				start, stop = l.attribute(at, end)
			}
			if start >= stop {
				start, stop = cNumbered(text, at, end)
			}
			if start >= stop {
				start, stop = cAnnotation(text, at, end)
			}
			if start >= stop && !comment {
				start, stop = cQualifier(text, at, end)
			}
			again = start < stop && cGoesOn(text, at, start, stop, end)
		}
		if l.loop(start, stop) {
			ends, l.hidden, stop = append(ends, span{uint32(stop), uint32(stop + 1)}), stop, start
		}
		if start < stop && start >= l.hidden {
			found = append(found, span{uint32(start), uint32(stop)})
			l.hidden = stop
		}
		if at = end + 1; again && l.hidden == stop {
			at = stop
		}
	}
	return found, ends
}

// loop reports whether what would be hidden is the call of a macro as a statement: members
// of values are among its arguments, LIST_FOREACH(a, &b->list, next).
func (l *cLines) loop(start, stop int) bool {
	if start >= stop || start < l.hidden || stop >= len(l.text) || l.text[stop-1] != ')' || l.text[stop] != '\n' && l.text[stop] != '\r' {
		return false
	}
	call := l.text[start:stop]
	if cMacroEnd(call, 0, len(call)) == 0 || !bytes.Contains(call, []byte("->")) || bytes.Contains(call, []byte("\"")) {
		return false
	}
	before := bytes.TrimRight(l.text[:start], " \t\r\n")
	return len(before) > 0 && strings.IndexByte(";{}/", before[len(before)-1]) >= 0
}

// cLines is the state of cHidden between lines.
type cLines struct {
	text   []byte
	hidden int             // end of what was hidden last
	plus   int             // conditionals open since one that only C++ takes, that one included
	braces int             // open since then, those of extern "C" left out
	names  bool            // the line before says extern "C", without its brace
	enum   bool            // between the braces of an enumeration
	types  map[string]bool // names of classes that the text declares; nil until they are asked for
	wraps  bool            // the directive before goes on
	quiet  bool            // the line before leaves a comment open
}

// inComment reports whether a line begins in a comment.
func (l *cLines) inComment(at, end int) bool {
	was := l.quiet
	for line := l.text[at:end]; ; {
		mark := []byte("/*")
		if l.quiet {
			mark = []byte("*/")
		}
		i := bytes.Index(line, mark)
		if i < 0 || !l.quiet && bytes.Contains(line[:i], []byte("//")) {
			return was
		}
		line, l.quiet = line[i+2:], !l.quiet
	}
}

// linkage finds extern "C" and its braces on a line that only C++ sees, of
// whatever version.
func (l *cLines) linkage(at, end int) (start, stop int) {
	line := bytes.TrimSpace(l.text[at:end])
	if len(line) > 0 && line[0] == '#' {
		switch word := bytes.TrimSpace(line[1:]); {
		case l.plus > 0 && bytes.HasPrefix(word, []byte("if")), bytes.HasPrefix(word, []byte("if")) && bytes.Contains(word, []byte("__cplusplus")) && !bytes.ContainsAny(word, "!<>") && !bytes.HasPrefix(word, []byte("ifndef")):
			l.plus++
		case l.plus > 0 && bytes.HasPrefix(word, []byte("endif")), l.plus == 1 && bytes.HasPrefix(word, []byte("el")):
			l.plus--
		}
		return 0, 0
	}
	if l.plus == 0 {
		l.braces, l.names = 0, false
		return 0, 0
	}
	code, _, _ := bytes.Cut(line, []byte("//"))
	code, _, _ = bytes.Cut(code, []byte("/*"))
	code = bytes.TrimSpace(code)
	opens := l.names && string(code) == "{"
	l.names = string(code) == `extern "C"`
	switch string(code) {
	case `extern "C" {`, `extern "C"{`, `extern "C"`, `extern "C++" {`:
		opens = true
	case "}", "};":
		opens = l.braces == 0
	}
	if !opens {
		l.braces = max(0, l.braces+bytes.Count(code, []byte("{"))-bytes.Count(code, []byte("}")))
		return 0, 0
	}
	start = cBlank(l.text, at, end)
	return start, start + len(code)
}

// inEnum finds a directive, or a macro in place of constants, on a line between
// the braces of an enumeration.
func (l *cLines) inEnum(at, end int) (start, stop int) {
	start = cBlank(l.text, at, end)
	line := bytes.TrimSpace(l.text[start:end])
	wraps := l.wraps
	l.wraps = false
	switch {
	case !l.enum:
		l.enum = cOpensEnum(line)
	case wraps || bytes.HasPrefix(line, []byte("#define")) || bytes.HasPrefix(line, []byte("#undef")):
		l.wraps = bytes.HasSuffix(line, []byte("\\"))
		return start, start + len(line)
	case bytes.IndexByte(line, '}') >= 0:
		l.enum = false
	default:
		name := cMacroEnd(l.text, start, end)
		if stop = cArguments(l.text, name, end); name > start && stop > name && cBlank(l.text, stop, end) >= start+len(line) {
			return start, stop
		}
	}
	return 0, 0
}

// cOpensEnum reports that a line opens the braces of an enumeration.
func cOpensEnum(line []byte) bool {
	i := bytes.Index(line, []byte("enum"))
	if i < 0 || line[0] == '#' || i > 0 && cLetter(line[i-1]) || i+4 < len(line) && cLetter(line[i+4]) {
		return false
	}
	rest := line[i:]
	open := bytes.IndexByte(rest, '{')
	return open >= 0 && bytes.IndexByte(rest, '}') < 0 && !bytes.ContainsAny(rest[:open], "();=\"")
}

// cHiddenIn finds the macro to hide in the line from at to end. The range is empty
// if there is none. The text hidden before ends at byte hidden.
func cHiddenIn(text []byte, at, end, hidden int) (start, stop int) {
	at = cBlank(text, at, end)
	if at == end {
		return 0, 0
	}
	for _, word := range []string{"class", "struct", "union"} {
		if text[at] == word[0] && bytes.HasPrefix(text[at:end], []byte(word)) {
			start = cAttributes(text, at+len(word), end)
			stop = cMacroEnd(text, start, end)
			name := cAttributes(text, cArguments(text, stop, end), end)
			if start > at+len(word) && stop > start && name < end && cLetter(text[name]) && (!cVariable(text, name) || word == "class" && cAnnounced(text, name)) {
				return start, cArguments(text, stop, end)
			}
			return 0, 0
		}
	}
	stop = cMacroEnd(text, at, end)
	if stop <= at {
		return 0, 0
	}
	next := cBlank(text, stop, end)
	if all, behind := cCallAlone(text, stop, end); all > stop {
		if cStatement(text, at, behind, hidden) {
			return at, all
		}
		return 0, 0
	}
	if all := cFunctionEnd(text, at, stop, end); all > stop {
		return at, all
	}
	switch {
	case next < end && text[next] == ':' && len(bytes.TrimSpace(text[next+1:end])) == 0: // who may see what follows
		if cStatement(text, at, next+1, hidden) {
			return at, next + 1
		}
	case next == end || text[next] == '\r':
		if cStatement(text, at, end, hidden) {
			return at, stop
		}
	case text[next] == '{' && (len(bytes.TrimSpace(text[next+1:end])) == 0 || cHoldsStatement(text[next+1:end])): // opens a block: try, if it is compiled so
		if cStatement(text, at, next+1, hidden) {
			return at, stop
		}
	case next > stop && cLetter(text[next]) && cTypeFollows(text, next, end):
		return at, stop
	}
	return 0, 0
}

// cHoldsStatement reports whether a line goes on with a statement in a block that ends there.
func cHoldsStatement(rest []byte) bool {
	end, close := bytes.IndexByte(rest, ';'), bytes.IndexByte(rest, '}')
	return end >= 0 && close > end && len(bytes.TrimSpace(rest[close+1:])) == 0
}

// maxCall bounds the bytes of a macro call that goes on in further lines.
const maxCall = 400

// cCallAlone is the end of the arguments at byte at, and of the line behind them, where
// nothing else stands in it; the arguments may go on in further lines. Without them both
// are at.
func cCallAlone(text []byte, at, end int) (all, behind int) {
	all, behind = cArguments(text, at, end), end
	if all == at && at < end && text[at] == '(' {
		if all = cBalanced(text, at, min(len(text), at+maxCall)); all > at {
			behind = all + max(0, bytes.IndexByte(text[all:], '\n'))
		}
	}
	if all == at || len(bytes.TrimSpace(text[all:behind])) > 0 {
		return at, at
	}
	return all, behind
}

// cFunctionEnd is the end of a macro with arguments, whose name is from byte at to byte
// stop, that says something of the function whose head stands before it and whose body
// opens behind it: int f(int a) const
// LOCKS_EXCLUDED(b) {
// It is stop where it is none.
func cFunctionEnd(text []byte, at, stop, end int) int {
	all := cArguments(text, stop, end)
	if rest := bytes.TrimSpace(text[all:end]); all == stop || len(rest) == 0 || rest[0] != '{' && rest[0] != ';' {
		return stop
	}
	before := bytes.TrimRight(text[:at], " \t\r\n")
	word := before[len(before)-cWordBefore(before):]
	if cBehindHead[string(word)] {
		if before = bytes.TrimRight(before[:len(before)-len(word)], " \t\r\n"); len(before) > 0 && before[len(before)-1] == ')' {
			return all
		}
	}
	if cIsHead(before) {
		return all
	}
	return stop
}

// cIsHead reports whether a text ends in the head of a function: a type, a name and
// parentheses.
func cIsHead(text []byte) bool {
	if len(text) == 0 || text[len(text)-1] != ')' {
		return false
	}
	depth := 0
	for i := len(text) - 1; i >= max(0, len(text)-maxCall); i-- {
		switch text[i] {
		case ')':
			depth++
		case ';', '{', '}', '"':
			return false
		case '(':
			if depth--; depth > 0 {
				continue
			}
			name := bytes.TrimRight(text[:i], " \t")
			from := len(name)
			for from > 0 && (cWordBefore(name[:from]) > 0 || name[from-1] == ':' || name[from-1] == '~') {
				from--
			}
			if from == len(name) || cKeywords[string(name[from:])] {
				return false
			}
			typ := bytes.TrimRight(name[:from], " \t\r\n*&>")
			last := typ[len(typ)-cWordBefore(typ):]
			return len(last) > 0 && (!cKeywords[string(last)] || cTypeWords[string(last)] || cSpecifiers[string(last)])
		}
	}
	return false
}

// cBehindHead are the words that may stand between the parameters of a function and its
// body.
var cBehindHead = wordset.Of("const noexcept override final")

// cWordBefore is the length of the word that a text ends in.
func cWordBefore(text []byte) int {
	n := 0
	for n < len(text) && (cLetter(text[len(text)-1-n]) || text[len(text)-1-n] >= '0' && text[len(text)-1-n] <= '9') {
		n++
	}
	return n
}

// cAttributes is the first byte from at on that is neither blank nor in an attribute,
// [[nodiscard]].
func cAttributes(text []byte, at, end int) int {
	for at = cBlank(text, at, end); bytes.HasPrefix(text[at:end], []byte("[[")); {
		close := bytes.Index(text[at:end], []byte("]]"))
		if close < 0 {
			return at
		}
		at = cBlank(text, at+close+2, end)
	}
	return at
}

// cCondition finds what the grammar does not expect of a condition: a macro between
// if and the parenthesis, a header in that of the preprocessor.
func cCondition(text []byte, at, end int) (start, stop int) {
	at = cBlank(text, at, end)
	if at < end && text[at] == '#' {
		for _, open := range []string{"(<", "(\""} {
			if i := bytes.Index(text[at:end], []byte(open)); i >= 0 && cLetter(text[at+i-1]) {
				if j := bytes.IndexByte(text[at+i:end], ')'); j >= 0 && cIsCondition(bytes.TrimSpace(text[at+1:end])) {
					return at + i, at + i + j + 1
				}
			}
		}
		return 0, 0
	}
	i := bytes.Index(text[at:end], []byte("if "))
	if i < 0 || i > 0 && cLetter(text[at+i-1]) {
		return 0, 0
	}
	start = cBlank(text, at+i+2, end)
	stop = cMacroEnd(text, start, end)
	if next := cBlank(text, stop, end); stop > start && next > stop && next < end && text[next] == '(' {
		return start, stop
	}
	return 0, 0
}

// cIsCondition reports whether a directive asks for a condition.
func cIsCondition(directive []byte) bool {
	return bytes.HasPrefix(directive, []byte("if")) || bytes.HasPrefix(directive, []byte("elif"))
}

// cTemplateMacro finds a macro call that stands for the last parameters of a
// template, with the comma before it.
func cTemplateMacro(text []byte, at, end int) (start, stop int) {
	for i := at; i < end; i++ {
		next := bytes.IndexByte(text[i:end], ',')
		if next < 0 {
			break
		}
		i += next
		name := i + 1 + len(text[i+1:]) - len(bytes.TrimLeft(text[i+1:], " \t\r\n"))
		open := cMacroEnd(text, name, len(text))
		if open == name || open >= len(text) || text[open] != '(' {
			continue
		}
		if to := cBalanced(text, open, min(len(text), open+400)); to > open && bytes.HasPrefix(bytes.TrimLeft(text[to:], " \t\r\n"), []byte(">")) && cInTemplate(text, i) {
			return i, to
		}
	}
	return 0, 0
}

// cBalanced is the end of the parentheses that open at byte i, which is i if they
// do not close.
func cBalanced(text []byte, i, end int) int {
	depth := 0
	for j := i; j < end; j++ {
		switch text[j] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return j + 1
			}
		case '"':
			j = cQuoted(text[:end], j) - 1
		case ';', '{':
			return i
		}
	}
	return i
}

// cInTemplate reports that byte i is in the list of the parameters of a template.
func cInTemplate(text []byte, i int) bool {
	before := text[max(0, i-400):i]
	open := bytes.LastIndex(before, []byte("template"))
	return open >= 0 && !bytes.ContainsAny(before[open:], ";{}")
}

// attribute finds a macro among the words before the name of a function: behind
// words such as static, behind a type, or before a constructor.
func (l *cLines) attribute(at, end int) (start, stop int) {
	text := l.text
	if bytes.IndexByte(text[at:end], '_') < 0 {
		return 0, 0
	}
	before, typed := "", false // the last word, and whether it may be a type
	for i := cBlank(text, at, end); i < end; i = cBlank(text, i, end) {
		to := cWordEnd(text, i, end)
		if to == i {
			if before == "" || text[i] != '*' && text[i] != '&' {
				return 0, 0
			}
			typed = true
			i++
			continue
		}
		if to < end && (text[to] == ':' || text[to] == '<') { // std::vector<int>
			to = min(cNameEnd(text, i, end), end)
			if to < end && text[to] == ':' {
				return 0, 0
			}
		}
		word := string(text[i:to])
		next, end := cBlank(text, to, end), end
		if typed && next == end && end+1 < len(text) && cAttribute(word) { // the name stands on the next line
			end = min(len(text), end+1+max(0, bytes.IndexByte(text[end+1:], '\n')))
			next = cBlank(text, next+1, end)
		}
		if all := cAttributeEnd(text, i, end); all > 0 && (cSpecifiers[before] || cLetter(text[lineStart(text, i)])) && cDeclarationFollows(text, all, end) {
			return i, all
		}
		if before == "" && (cAttribute(word) && next < end && text[next] == '~' || at == l.hidden && strings.HasPrefix(word, "__") && cAttribute(word) && cDeclarationFollows(text, to, end)) {
			return i, to
		}
		if cAttribute(word) && next < end && next > to && cLetter(text[next]) {
			name := cNameEnd(text, next, end)
			called := name > next && cBlank(text, name, end) < end && text[cBlank(text, name, end)] == '('
			switch {
			case typed && called, before == "template", before != "" && !typed && cTypeFollows(text, next, end) && cSpecifiers[before], cSpecifiers[before] && cAttributeEnd(text, next, end) > 0:
				return i, to
			case called && !typed && l.declares(string(text[next:name])):
				return i, to
			}
		}
		instantiates := word == "template" && next > to && next < end && cLetter(text[next]) // template A_API auto f<int>();
		if cKeywords[word] && !cSpecifiers[word] && !cTypeWords[word] && !instantiates {
			return 0, 0
		}
		before, typed, i = word, !cSpecifiers[word], to
	}
	return 0, 0
}

var cSpecifiers = wordset.Of("static inline extern constexpr virtual explicit friend const volatile unsigned signed struct union enum class typename register mutable")

var cTypeWords = wordset.Of("void int char short long float double bool auto")

// cAttribute reports whether a word may be a macro that says something of a
// function: in capitals with an underscore, or as __init.
func cAttribute(word string) bool {
	if len(word) > 2 && strings.HasPrefix(word, "__") && strings.ToLower(word) == word {
		return !strings.HasPrefix(word, "__int") && !strings.HasSuffix(word, "_t") && strings.Trim(word, "_0123456789us") != ""
	}
	return cMacroEnd([]byte(word), 0, len(word)) == len(word)
}

// cAttributeEnd is the end of a macro with arguments at byte i that says something of
// a function, as __printf(1, 2) and __alloc_size(1) do; 0 where none stands there.
func cAttributeEnd(text []byte, i, end int) int {
	to := cWordEnd(text, i, end)
	word := string(text[i:to])
	all := cArguments(text, to, end)
	if all == to || !strings.HasPrefix(word, "__") || !cAttribute(word) || cMacroEnd(text, i, end) == to || cExtensions[strings.Trim(word, "_")] || strings.HasPrefix(word, "__builtin") {
		return 0
	}
	return all
}

// cNumbered finds a macro between the type and the name of a function that is given nothing
// but numbers, void printf_like(1, 2) f(const char *, ...): which of its parameters are meant.
func cNumbered(text []byte, at, end int) (start, stop int) {
	open := at + max(0, bytes.IndexByte(text[at:end], '('))
	stop = cArguments(text, open, end)
	if stop <= open || len(bytes.Trim(text[open+1:stop-1], "0123456789, ")) > 0 || !bytes.ContainsAny(text[open:stop], "0123456789") {
		return 0, 0
	}
	start = open - cWordBefore(text[at:open])
	before := bytes.TrimRight(text[at:start], " \t")
	if start == open || !cIsTyped(bytes.TrimLeft(before, " \t")) {
		return 0, 0
	}
	next := cBlank(text, stop, end)
	name := cNameEnd(text, next, end)
	if called := cBlank(text, name, end); name > next && cLetter(text[next]) && called < end && text[called] == '(' || next == end && cNameFollows(text, end) {
		return start, stop
	}
	return 0, 0
}

// cAnnotation finds a word of sparse, which says what memory a pointer leads to or how a
// value may be used, in a line of code: void __iomem *base. It stands where compilers
// see nothing.
func cAnnotation(text []byte, at, end int) (start, stop int) {
	line := bytes.TrimLeft(text[lineStart(text, at):end], " \t")
	if len(line) == 0 || line[0] == '#' || line[0] == '*' || line[0] == '/' {
		return 0, 0
	}
	for i := at; i < end; i++ {
		next := bytes.Index(text[i:end], []byte("__"))
		if next < 0 || bytes.ContainsAny(text[i:i+next], `"/`) {
			return 0, 0
		}
		i += next
		to := cWordEnd(text, i, end)
		if (i == 0 || !cLetter(text[i-1]) && !(text[i-1] >= '0' && text[i-1] <= '9')) && cAnnotates(text[i:to]) && (to == end || text[to] != '(') {
			return i, to
		}
		i = max(i, to-1)
	}
	return 0, 0
}

// cGoesOn reports whether another macro may follow in a line whose part from byte at
// begins with one from start to stop.
func cGoesOn(text []byte, at, start, stop, end int) bool {
	next := cBlank(text, stop, end)
	switch {
	case next >= end:
		return false
	case start == cBlank(text, at, end), cAnnotates(text[start:stop]), cAttributeEnd(text, start, end) == stop:
		return true
	}
	return cAttributeEnd(text, next, end) > 0 || cAnnotated(text, stop, end)
}

// cAnnotated reports whether a word of sparse stands in the rest of a line.
func cAnnotated(text []byte, at, end int) bool {
	start, stop := cAnnotation(text, at, end)
	return start < stop
}

func cAnnotates(word []byte) bool { return cAnnotations[string(word)] }

// cAnnotations are the words of sparse: https://sparse.docs.kernel.org/en/latest/annotations.html
var cAnnotations = wordset.Of("__user __kernel __iomem __percpu __rcu __force __private __bitwise __nocast __safe")

// cExtensions are words of compilers that the grammar knows, or that are types.
var cExtensions = wordset.Of("attribute declspec asm typeof typeof_unqual extension alignof alignas based pragma has_include real imag")

// cDeclarationFollows reports whether a word follows in the line of a byte, or begins
// the next line.
func cDeclarationFollows(text []byte, at, end int) bool {
	next := cBlank(text, at, end)
	if next < end && text[next] != '\r' {
		return cLetter(text[next])
	}
	return end+1 < len(text) && cLetter(text[end+1])
}

// declares reports whether the text declares a class of a name.
func (l *cLines) declares(name string) bool {
	if l.types == nil {
		l.types = map[string]bool{}
		for _, name := range cClassName.groups(l.text) {
			l.types[string(l.text[name.start:name.end])] = true
		}
	}
	return l.types[name]
}

var cClassName = sought{pattern.New(`(?:class|struct)\s+(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+\s+)?([A-Za-z_]\w*)`), []string{"class", "struct"}, 0, 1}

// cWordEnd is the end of the word that starts at byte i.
func cWordEnd(text []byte, i, end int) int {
	for i < end && (cLetter(text[i]) || text[i] >= '0' && text[i] <= '9') {
		i++
	}
	return i
}

// cNameEnd is the end of the qualified name that starts at byte i.
func cNameEnd(text []byte, i, end int) int {
	for {
		i = cWordEnd(text, i, end)
		if i < end && text[i] == '<' {
			if close := bytes.IndexByte(text[i:min(end, i+400)], '>'); close >= 0 {
				i += close + 1
			}
		}
		if i+2 >= end || text[i] != ':' || text[i+1] != ':' {
			return i
		}
		if i += 2; text[i] == '~' {
			i++
		}
	}
}

// cBlank is the first byte from at on that is not blank.
func cBlank(text []byte, at, end int) int {
	for at < end && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at
}

// cMacroEnd is the end of the name in capitals, with an underscore, that starts at
// byte at. Without one it is at.
func cMacroEnd(text []byte, at, end int) int {
	i, under := at, false
	for i < end && (text[i] >= 'A' && text[i] <= 'Z' || text[i] == '_' || i > at && text[i] >= '0' && text[i] <= '9') {
		under = under || i > at && text[i] == '_'
		i++
	}
	if !under || i < end && cLetter(text[i]) {
		return at
	}
	return i
}

// cArguments is the end of the arguments that may follow at byte at.
func cArguments(text []byte, at, end int) int {
	if at >= end || text[at] != '(' {
		return at
	}
	depth := 0
	for i := at; i < end; i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			if i = cQuoted(text[:end], i) - 1; i >= end {
				return at
			}
		}
	}
	return at
}

// cTypeFollows reports whether the word at byte at is a type: another name, a
// scope or template arguments follow.
func cTypeFollows(text []byte, at, end int) bool {
	for at < end && (cLetter(text[at]) || text[at] >= '0' && text[at] <= '9') {
		at++
	}
	next := at
	for next < end && strings.IndexByte(" \t*&", text[next]) >= 0 {
		next++
	}
	rest := text[next:end]
	if len(bytes.TrimRight(rest, "\r")) == 0 {
		return cNameFollows(text, end)
	}
	return bytes.HasPrefix(rest, []byte("<")) || bytes.HasPrefix(rest, []byte("::")) || next > at && len(rest) > 0 && cLetter(rest[0]) || cNameInside().Match(rest)
}

// cNameInside is the name of a function, or of a pointer to one, in parentheses.
var cNameInside = pattern.New(`^\(\s*\*?\s*\w+\s*\)\s*\(`)

// maxDeclaration bounds the bytes of a line in which cQualifier looks.
const maxDeclaration = 400

// cQualifier finds a macro that says something of the declaration in a line: a word
// before a type of the language (atomic_ int a), or one in capitals, which stands between a
// type and a name (DWORD WINAPI f(), before the name of a pointer to a function
// (BOOL (WINAPI *f)(int)), or behind the parameters.
func cQualifier(text []byte, at, end int) (start, stop int) {
	end = min(end, at+maxDeclaration)
	at = cBlank(text, at, end)
	to := cWordEnd(text, at, end)
	if to == at || cControls[string(text[at:to])] {
		return 0, 0
	}
	first := at // behind the words that may stand before any type
	for cBefore[string(text[first:to])] {
		first = cBlank(text, to, end)
		to = cWordEnd(text, first, end)
	}
	if next := cBlank(text, to, end); to > first && next > to && cIsPlain(string(text[first:to])) {
		if behind := cWordEnd(text, next, end); behind > next && cIsType(text[next:behind]) {
			if name := behind + len(text[behind:end]) - len(bytes.TrimLeft(text[behind:end], " \t*")); name > behind && name < end && cLetter(text[name]) {
				return first, to
			}
		}
	}
	for i := at; i < end; i++ {
		if c := text[i]; c < 'A' || c > 'Z' || i > at && cWordEnd(text, i-1, i) == i {
			continue
		}
		to := cWordEnd(text, i, end)
		if to > i+1 && cUpper(string(text[i:to])) {
			if stop := cQualifierEnd(text, first, i, to, end); stop > i {
				return i, stop
			}
		}
		i = to
	}
	return 0, 0
}

// cQualifierEnd is the end of the macro that the word in capitals from byte i to byte to
// begins, 0 if it is none, in a declaration whose type may start at byte first.
func cQualifierEnd(text []byte, first, i, to, end int) int {
	before := bytes.TrimRight(text[first:max(first, i)], " \t")
	next := cBlank(text, to, end)
	if len(before) == 0 || next == end {
		return 0
	}
	n := cWordBefore(before)
	behindHead := cBehindHead[string(before[len(before)-n:])] // f() const MACRO(a) {
	if behindHead {
		before = bytes.TrimRight(before[:len(before)-n], " \t")
		if len(before) == 0 {
			return 0
		}
	}
	switch last := before[len(before)-1]; {
	case last == '(' && text[next] == '*':
		name := next + len(text[next:end]) - len(bytes.TrimLeft(text[next:end], " \t*"))
		close := cBlank(text, cWordEnd(text, name, end), end)
		if close > name && close < end && text[close] == ')' {
			if behind := bytes.TrimLeft(text[close+1:min(len(text), close+maxDeclaration)], " \t\r\n"); len(behind) > 0 && behind[0] == '(' { // its parameters
				return to
			}
		}
	case last == ')' && cMacroEnd(text, i, end) == to && cIsCalled(before):
		stop := to
		if second := cMacroEnd(text, next, end); second > next {
			stop = cArguments(text, second, end)
		} else if all := cArguments(text, to, end); behindHead || cIsHead(before) {
			stop = all
		}
		if behind := cBlank(text, stop, end); behind < end && (text[behind] == ';' || text[behind] == '{') {
			return stop
		}
	case (next > to && cLetter(text[next]) || cArguments(text, to, end) > to) && (len(before) < i-first || last == '*' || last == '&'):
		to = cArguments(text, to, end)
		if next = cBlank(text, to, end); next == end || !cLetter(text[next]) {
			return 0
		}
		name := next
		for name < end && (cWordEnd(text, name, name+1) > name || text[name] == ':' || text[name] == '~') {
			name++
		}
		if behind := cBlank(text, name, end); behind < end && bytes.IndexByte([]byte("([=;"), text[behind]) >= 0 && cIsTyped(before) {
			return to
		}
	}
	return 0
}

// cIsCalled reports whether a text ends in the name of a function and parentheses.
func cIsCalled(text []byte) bool {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				before := bytes.TrimRight(text[:i], " \t")
				return cWordBefore(before) > 0 || bytes.HasSuffix(before, []byte(")")) || bytes.Contains(before, []byte("operator"))
			}
		}
	}
	return true // the name stands in a line before
}

// cIsTyped reports whether the beginning of a declaration ends in its type, which stands
// alone but for words such as unsigned.
func cIsTyped(before []byte) bool {
	before = bytes.TrimRight(before, " \t*&")
	if n := len(before); n > 0 && before[n-1] == '>' {
		before = before[:max(0, bytes.IndexByte(before, '<'))]
	}
	words := strings.Fields(string(before))
	last := len(words) - 1
	if last < 0 || slices.ContainsFunc(words[:last], func(word string) bool { return !cSpecifiers[word] }) {
		return false
	}
	named := words[last]
	return !cSpecifiers[named] && (!cKeywords[named] || cTypeWords[named]) && cNameEnd([]byte(named), 0, len(named)) == len(named)
}

// cIsPlain reports whether a word may be a macro before a type: no word of the language.
func cIsPlain(word string) bool {
	return word[0] != '_' && !cSpecifiers[word] && !cKeywords[word] && !cOthers[word]
}

// cIsType reports whether a word is a type, or the beginning of one, in any program.
func cIsType(word []byte) bool {
	switch string(word) {
	case "auto":
		return false
	case "unsigned", "signed", "struct", "union", "enum":
		return true
	default:
		return cTypeWords[string(word)] || bytes.HasSuffix(word, []byte("_t"))
	}
}

// cBefore are the words before the type of a declaration.
var cBefore = wordset.Of("static extern inline volatile const register mutable")

// cControls are the words that begin a statement which holds others.
var cControls = wordset.Of("if else for while do switch case default return goto")

// cOthers are words of newer versions of the languages that may stand before a type.
var cOthers = wordset.Of("thread_local constinit consteval concept requires co_return co_yield co_await final override asm not")

// cNameFollows reports whether the line after byte end starts with a name, which
// may be qualified, and parentheses.
func cNameFollows(text []byte, end int) bool {
	if end+1 >= len(text) {
		return false
	}
	line := len(text)
	if i := bytes.IndexByte(text[end+1:], '\n'); i >= 0 {
		line = end + 1 + i
	}
	start := cBlank(text, end+1, line)
	name := cNameEnd(text, start, line)
	open := cBlank(text, name, line)
	return name > start && cLetter(text[start]) && open < line && text[open] == '('
}

// cVariable reports whether the name at byte i is a variable of type "struct
// NAME".
func cVariable(text []byte, i int) bool {
	for i < len(text) && (cLetter(text[i]) || text[i] >= '0' && text[i] <= '9') {
		i++
	}
	rest := bytes.TrimLeft(text[i:min(len(text), i+200)], " \t\r\n")
	return len(rest) == 0 || !bytes.HasPrefix(rest, []byte("{")) && !bytes.HasPrefix(rest, []byte("final")) &&
		(!bytes.HasPrefix(rest, []byte(":")) || bytes.HasPrefix(rest, []byte("::")))
}

// cAnnounced reports whether nothing but the end of a statement follows the name at
// byte i: class EXPORT_MACRO A;
func cAnnounced(text []byte, i int) bool {
	i = cWordEnd(text, i, len(text))
	return bytes.HasPrefix(bytes.TrimLeft(text[i:min(len(text), i+200)], " \t\r\n"), []byte(";"))
}

// maxCommentLines bounds the lines of a comment that are skipped.
const maxCommentLines = 200

// cStatement reports whether a name alone on a line, which ends at byte end, is a
// statement of its own: neither an operand nor part of a list. The text hidden
// before ends at byte hidden.
func cStatement(text []byte, start, end, hidden int) bool {
	before := bytes.TrimRight(text[:start], " \t\r\n")
	for range maxCommentLines { // what stands before comments
		line := before[bytes.LastIndexByte(before, '\n')+1:]
		i := bytes.Index(line, []byte("//"))
		if i < 0 {
			break
		}
		before = bytes.TrimRight(before[:len(before)-len(line)+i], " \t\r\n")
	}
	after := bytes.TrimLeft(text[end:min(len(text), end+200)], " \t\r\n")
	if len(before) > 0 && len(before) != hidden && !strings.ContainsRune(";}{/>:)", rune(before[len(before)-1])) && !cDirective(before) {
		return false
	}
	return len(after) > 0 && (cLetter(after[0]) || after[0] == '}' || after[0] == '#' || after[0] == '/' || after[0] == '~')
}

// cDirective reports that a text ends in a line of the preprocessor.
func cDirective(text []byte) bool {
	line := text[bytes.LastIndexByte(text, '\n')+1:]
	return bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) && !bytes.HasSuffix(line, []byte("\\"))
}
