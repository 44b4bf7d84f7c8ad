package tree

import (
	"bytes"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// Prepare returns what a grammar should parse of a text: the text itself, or a
// copy with the same places in which something that the grammar takes for
// something else is told apart. Of C, macros are blank; Facts takes the text as
// it was and counts these macros as used. Of TypeScript, a line that starts
// with the type parameters of a signature ends the line before.
func Prepare(grammar string, text []byte) []byte {
	var hidden []span
	with := byte(' ')
	switch grammar {
	case "c", "cpp":
		hidden = cHidden(text)
	case "typescript":
		hidden, with = tsSignatures(text), ';'
	}
	if len(hidden) == 0 {
		return text
	}
	text = bytes.Clone(text)
	for _, h := range hidden {
		for i := h.start; i < h.end; i++ {
			if with == ';' || text[i] != '\n' && text[i] != '\r' {
				text[i] = with
			}
		}
	}
	return text
}

// tsSignatures finds the ends of lines that a call signature such as
// "<T>(a: T): void" follows: the grammar reads on otherwise.
func tsSignatures(text []byte) []span {
	var found []span
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return found
		}
		end := at + i
		at = end + 1
		next := cBlank(text, at, len(text))
		if next+1 >= len(text) || text[next] != '<' || !cLetter(text[next+1]) {
			continue
		}
		end = tsCode(text, end)
		line := bytes.TrimRight(text[:end], " \t\r")
		if len(line) > 0 && (cLetter(line[len(line)-1]) || bytes.IndexByte([]byte(">])}"), line[len(line)-1]) >= 0) {
			found = append(found, span{uint32(end), uint32(end + 1)})
		}
	}
}

// tsCode is the end of the last line up to byte end that is no comment of
// whole lines; 0 where that line ends in a comment.
func tsCode(text []byte, end int) int {
	for end > 0 {
		start := bytes.LastIndexByte(text[:end], '\n') + 1
		line := bytes.TrimSpace(text[start:end])
		switch {
		case len(line) > 0 && !bytes.HasPrefix(line, []byte("//")):
			if bytes.Contains(line, []byte("//")) || bytes.HasSuffix(line, []byte("*/")) {
				return 0
			}
			return end
		case start == 0:
			return 0
		}
		end = start - 1
	}
	return 0
}

// cHidden finds what Prepare blanks: macros with telling names (BASE_EXPORT)
// between class and its name, alone on a line where no semicolon ends it, and
// before the type of a declaration that starts a line; directives between the
// constants of an enumeration; and the braces of extern "C" that only C++ sees.
func cHidden(text []byte) []span {
	var found []span
	l := cLines{text: text}
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		start, stop := l.linkage(at, end)
		if start >= stop {
			start, stop = l.inEnum(at, end)
		}
		if start >= stop && !l.enum { // a constant may be alone on its line
			start, stop = cHiddenIn(text, at, end, l.hidden)
		}
		if start < stop {
			found = append(found, span{uint32(start), uint32(stop)})
			l.hidden = stop
		}
		at = end + 1
	}
	return found
}

// cLines is what cHidden remembers of the lines it has read.
type cLines struct {
	text   []byte
	hidden int  // end of what was hidden last
	plus   int  // conditionals open since one that only C++ takes, that one included
	enum   bool // between the braces of an enumeration
	wraps  bool // the directive before goes on
}

// linkage finds extern "C" and its braces on a line that only C++ sees.
func (l *cLines) linkage(at, end int) (start, stop int) {
	line := bytes.TrimSpace(l.text[at:end])
	if len(line) > 0 && line[0] == '#' {
		switch word := bytes.TrimSpace(line[1:]); {
		case l.plus > 0 && bytes.HasPrefix(word, []byte("if")), bytes.HasPrefix(word, []byte("if")) && bytes.Contains(word, []byte("__cplusplus")) && !bytes.Contains(word, []byte("!")) && !bytes.HasPrefix(word, []byte("ifndef")):
			l.plus++
		case l.plus > 0 && bytes.HasPrefix(word, []byte("endif")), l.plus == 1 && bytes.HasPrefix(word, []byte("el")):
			l.plus--
		}
		return 0, 0
	}
	if l.plus == 0 {
		return 0, 0
	}
	code, _, _ := bytes.Cut(line, []byte("//"))
	code, _, _ = bytes.Cut(code, []byte("/*"))
	switch string(bytes.TrimSpace(code)) {
	case `extern "C" {`, `extern "C"{`, `extern "C"`, `extern "C++" {`, "{", "}", "};":
		start = cBlank(l.text, at, end)
		return start, start + len(bytes.TrimSpace(code))
	}
	return 0, 0
}

// inEnum finds a directive, or a macro that stands for constants, on a line
// between the braces of an enumeration.
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

// cHiddenIn finds the macro that Prepare blanks in the line from at to end;
// nothing is an empty range. What was hidden last ends at byte hidden.
func cHiddenIn(text []byte, at, end, hidden int) (start, stop int) {
	at = cBlank(text, at, end)
	if at == end {
		return 0, 0
	}
	for _, word := range []string{"class", "struct", "union"} {
		if text[at] == word[0] && bytes.HasPrefix(text[at:end], []byte(word)) {
			start = cBlank(text, at+len(word), end)
			stop = cMacroEnd(text, start, end)
			name := cBlank(text, cArguments(text, stop, end), end)
			if start > at+len(word) && stop > start && name < end && cLetter(text[name]) && !cVariable(text, name) {
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
	if all := cArguments(text, stop, end); all > stop && cBlank(text, all, end) == len(bytes.TrimRight(text[:end], " \t\r")) {
		if cStatement(text, at, end, hidden) {
			return at, all
		}
		return 0, 0
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
	case next > stop && cLetter(text[next]) && cTypeFollows(text, next, end):
		return at, stop
	}
	return 0, 0
}

// cBlank is the first byte from at on that is no blank.
func cBlank(text []byte, at, end int) int {
	for at < end && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at
}

// cMacroEnd is the end of the name in capitals with an underscore that starts
// at byte at; at when there is none.
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
	if at < end && text[at] == '(' {
		if i := bytes.IndexByte(text[at:end], ')'); i >= 0 {
			return at + i + 1
		}
	}
	return at
}

// cTypeFollows reports that the word at byte at is a type: another name, a
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
	return bytes.HasPrefix(rest, []byte("<")) || bytes.HasPrefix(rest, []byte("::")) || next > at && len(rest) > 0 && cLetter(rest[0])
}

// cVariable reports that the name at byte i is that of a variable whose type
// is "struct NAME".
func cVariable(text []byte, i int) bool {
	for i < len(text) && (cLetter(text[i]) || text[i] >= '0' && text[i] <= '9') {
		i++
	}
	rest := bytes.TrimLeft(text[i:min(len(text), i+200)], " \t\r\n")
	return len(rest) == 0 || !bytes.HasPrefix(rest, []byte("{")) && !bytes.HasPrefix(rest, []byte("final")) &&
		(!bytes.HasPrefix(rest, []byte(":")) || bytes.HasPrefix(rest, []byte("::")))
}

// maxCommentLines bounds the lines of a comment that are passed over.
const maxCommentLines = 200

// cStatement reports that a name that stands alone on a line, the line ending
// at byte end, is neither an operand nor a value of a list that goes on. What
// was hidden last ends at byte hidden.
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

// cStart counts the names in what is hidden as used: macros are called.
func cStart(w *walk) {
	for _, h := range cHidden([]byte(w.src)) {
		text := w.src[h.start:h.end]
		if text[0] < 'A' || text[0] > 'Z' { // extern, a brace, a directive
			continue
		}
		name, _, _ := strings.Cut(strings.TrimRight(text, ": \t"), "(")
		w.useIn(0, name, h.start, facts.RoleCall, facts.None)
		cTokens(w, h.start+uint32(len(name)), text[len(name):], nil)
	}
}

// cMacroFunction reads a definition that a macro makes, as in
// TEST(Suite, Name) {...}: the function is called what its last argument says,
// or its first where others are no names.
func cMacroFunction(w *walk, n int32, d declarator) bool {
	if w.child(n, "type") >= 0 || d.function < 0 || !w.is(d.name, "identifier") || !cUpper(w.text(d.name)) {
		return false
	}
	list := w.child(d.function, "parameters")
	if list < 0 {
		return false
	}
	first, last, plain, count := int32(facts.None), int32(facts.None), true, 0
	for p := range w.kids(list) {
		count++
		name := w.child(p, "type")
		if !w.is(name, "type_identifier") || w.child(p, "declarator") >= 0 {
			plain = false
			continue
		}
		if first < 0 {
			first = name
		}
		last = name
	}
	if !plain {
		last = first
	}
	w.use(d.name, facts.RoleCall, count)
	for p := range w.kids(list) {
		if t := w.child(p, "type"); t != last {
			w.visitType(t)
		}
	}
	body := w.childOf(n, "compound_statement")
	if last < 0 {
		w.visit(body)
		return true
	}
	f := w.symbol(last, n, code.KindFunc, cFlags(w, n, cTop(w)))
	w.bind(cTop(w), f, 0)
	w.signature(f, w.start(n), body)
	w.document(f, w.start(n))
	branches := w.branches
	w.within(f, func() {
		w.open(scopeFunction)
		w.visit(body)
		w.close()
	})
	w.symbols[f].MaxArgs = facts.ManyArgs
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	return true
}

func cUpper(name string) bool {
	return len(name) > 1 && strings.ToUpper(name) == name && strings.ToLower(name) != name
}
