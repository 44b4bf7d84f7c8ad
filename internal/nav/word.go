package nav

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/lang"
	"espy/internal/outline"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// standing says what a word of a text stands in, where no fact explains it.
type standing uint8

const (
	inImport       standing = iota // the name that an import or an export gives
	inCode                         // that the grammar does not show: macros, attributes, broken text
	inUnparsed                     // code of a file that could not be parsed
	inPending                      // code of a file that is not parsed yet
	inLines                        // code of a language that is read line by line, which declares the name or is kin to one that does
	inModule                       // such code, which means the function of a module that declares it
	inTemplate                     // of a string, where its code may stand
	inCodeComment                  // of a comment, written like code
	inComment                      // of a comment
	inLiteral                      // of a string
	inOther                        // of a file without a grammar
	inAnotherWord                  // part of a longer identifier
	inKeyword                      // of the language
	inDefinition                   // that was found line by line
	numOfStandings = iota
)

// reasons say why a word is listed.
var reasons = [numOfStandings]string{
	inImport:      "named by an import or an export",
	inCode:        "in code that the grammar does not show",
	inUnparsed:    "its file could not be parsed",
	inPending:     "its file is not parsed yet",
	inLines:       "the same word, in code that is read line by line",
	inModule:      "its module is named or is this file, in code that is read line by line",
	inTemplate:    "in a string, where code may stand",
	inCodeComment: "in a comment, written like code",
	inComment:     "in a comment",
	inLiteral:     "in a string",
	inOther:       "in a file without a grammar",
}

// isUse reports whether a word may be a use of what bears its name.
func (s standing) isUse() bool { return s <= inCodeComment }

// isMention reports whether a word is not code that a reader could miss.
func (s standing) isMention() bool { return s == inComment || s == inLiteral || s == inOther }

// words calls yield with every place where a name stands and no fact of its file
// explains it, file by file, until it returns false. Where what declares it is asked for
// alone, only the languages that may use that use the name; nil stands for all that declare it.
func (a *ask) words(name string, declared []corpus.Outlined, yield func(corpus.FileID, uint32, standing) bool) error {
	w := wordReader{ask: a, name: name, file: facts.None}
	for _, d := range declared {
		w.mayUse(d.File)
		w.addModule(d)
	}
	if len(declared) == 0 {
		if err := w.readByLine(); err != nil {
			return err
		}
	}
	return w.read(func(corpus.FileID) bool { return true }, yield)
}

// lineWords is words of the files that are read line by line and may use what a symbol
// of the name declares.
func (a *ask) lineWords(name string, group []corpus.Ref, yield func(corpus.FileID, uint32, standing) bool) error {
	w := wordReader{ask: a, name: name, file: facts.None}
	for _, r := range group {
		w.mayUse(r.File)
	}
	if len(w.byLine) < 2 { // a language with a grammar, and no other beside it
		return nil
	}
	return w.read(func(f corpus.FileID) bool {
		return a.Corpus.Family(f) == corpus.NoFamily && w.byLine[a.Corpus.Language(f)]
	}, yield)
}

// read calls yield with the words of the files that are wanted.
func (w *wordReader) read(wanted func(corpus.FileID) bool, yield func(corpus.FileID, uint32, standing) bool) error {
	err := w.Corpus.MentionsIn(w.name, nil, wanted, func(f corpus.FileID, at uint32) bool {
		if f != w.file {
			if w.flush(yield); w.over || w.err != nil {
				return false
			}
			w.file = f
		}
		w.at = append(w.at, at)
		return true
	})
	if err == nil && !w.over && w.err == nil {
		w.flush(yield)
	}
	if err == nil {
		err = w.err
	}
	return err
}

// wordReader tells what the words of one file after the other stand in.
type wordReader struct {
	*ask
	name      string
	file      corpus.FileID
	at        []uint32        // of the words of the file
	explained []uint32        // by the facts of the file
	byLine    map[string]bool // languages without a grammar whose code may use the name
	modules   map[string]bool // whose function of the name is asked about, by their names
	defined   []uint32        // lines of the file that define the name, of a language in byLine
	over      bool            // no more are wanted
	err       error
}

// readByLine finds the languages without a grammar whose code may use the name: those
// that declare it, and those whose programs use the names of a language that does.
func (w *wordReader) readByLine() error {
	all, err := w.Corpus.Outlined(w.name)
	for _, d := range all {
		if d.Name == w.name && d.Kind != code.KindHeading {
			w.mayUse(d.File)
			w.addModule(d)
		}
	}
	for _, r := range w.Named(w.name) {
		w.mayUse(r.File)
	}
	return err
}

// mayUse adds the languages that may use what a file declares.
func (w *wordReader) mayUse(f corpus.FileID) {
	l := w.Corpus.Language(f)
	if w.byLine[l] || !lang.IsCode(l) {
		return
	}
	if w.byLine == nil {
		w.byLine = map[string]bool{}
	}
	for _, k := range corpus.Kin(l) {
		w.byLine[k] = true
	}
}

// addModule adds the module that declares a function of the name, where that is its file.
func (w *wordReader) addModule(d corpus.Outlined) {
	if _, ok := outline.Qualifier(w.Corpus.Language(d.File), nil); !ok || !d.Kind.IsFunc() || d.Name != w.name {
		return
	}
	if w.modules == nil {
		w.modules = map[string]bool{}
	}
	w.modules[w.moduleOf(d.File)] = true
}

// moduleOf is the name of the module that a file is.
func (w *wordReader) moduleOf(f corpus.FileID) string {
	p := path.Base(w.Corpus.Of(f).Path(f))
	return strings.TrimSuffix(p, path.Ext(p))
}

// flush tells of the words of a file, and forgets them.
func (w *wordReader) flush(yield func(corpus.FileID, uint32, standing) bool) {
	if w.file == facts.None || len(w.at) == 0 {
		return
	}
	slices.Sort(w.at) // regions of a file may come in any order
	if w.Corpus.Family(w.file) == corpus.NoFamily && !w.byLine[w.Corpus.Language(w.file)] {
		for _, at := range w.at {
			w.over = w.over || !yield(w.file, at, inOther)
		}
		w.at = w.at[:0]
		return
	}
	w.explain()
	w.at = slices.DeleteFunc(w.at, func(at uint32) bool {
		_, ok := slices.BinarySearch(w.explained, at)
		return ok
	})
	w.classify(yield)
	w.at = w.at[:0]
}

// explain collects where the facts of the file declare or use the name.
func (w *wordReader) explain() {
	w.explained = w.explained[:0]
	file := w.File(w.file)
	for i := range file.SymbolsNamed(w.name) {
		w.explained = append(w.explained, w.Symbol(corpus.Ref{File: w.file, Index: int32(i)}).At)
	}
	for i := range file.UsesNamed(w.name) {
		w.explained = append(w.explained, w.Use(w.file, i).At)
	}
	slices.Sort(w.explained)
}

// classify tells of the words that are left.
func (w *wordReader) classify(yield func(corpus.FileID, uint32, standing) bool) {
	if len(w.at) == 0 {
		return
	}
	var text []byte
	if text, w.err = w.Corpus.Text(w.file); w.err != nil {
		return
	}
	w.defined = w.defined[:0]
	if w.Corpus.Family(w.file) == corpus.NoFamily {
		for _, d := range w.Corpus.Definitions(w.file) {
			if d.Name == w.name {
				w.defined = append(w.defined, d.Line)
			}
		}
	}
	l, _ := lang.ByName(w.Corpus.Language(w.file))
	quiet := outline.Quiet(l, text)
	for _, at := range w.at {
		for len(quiet) > 0 && quiet[0].End <= int(at) {
			quiet = quiet[1:]
		}
		s := inCode
		if len(quiet) > 0 && quiet[0].Start <= int(at) {
			s = w.quietly(text, quiet[0], at)
		}
		if s == inCode {
			s = w.coded(text, at)
		}
		if !yield(w.file, at, s) {
			w.over = true
			return
		}
	}
}

// quietly tells what a word stands in that an outline skips.
func (w *wordReader) quietly(text []byte, s outline.Span, at uint32) standing {
	switch {
	case w.Corpus.Family(w.file) == corpus.C && text[s.Start] == '#':
		return inDirective(text[s.Start:s.End], int(at)-s.Start)
	case s.Comment && w.Corpus.Family(w.file) == corpus.NoFamily:
		return inComment
	case s.Comment:
		return commented(text, s.Start, at, len(w.name))
	case isFilledIn(w.Corpus.Family(w.file), text[s.Start:at]):
		return inTemplate
	}
	return inLiteral
}

// isFilledIn reports whether what follows the beginning of a literal is filled in
// when the program runs: ${x.name} in a template, {x.name} in a format.
func isFilledIn(family corpus.Family, literal []byte) bool {
	if family == corpus.Java && bytes.HasSuffix(literal, []byte("$")) { // $name of Kotlin
		return true
	}
	open := bytes.LastIndexByte(literal, '{')
	if open < 0 || bytes.IndexByte(literal[open:], '}') >= 0 {
		return false
	}
	switch family {
	case corpus.Script, corpus.Java: // templates of Kotlin
		return open > 0 && literal[open-1] == '$'
	case corpus.Ruby:
		return open > 0 && literal[open-1] == '#'
	case corpus.Python, corpus.Rust, corpus.PHP, corpus.CSharp:
		return !bytes.ContainsAny(literal[open:], " \t\n\"':,")
	}
	return false
}

// coded tells what a word of code is.
func (w *wordReader) coded(text []byte, at uint32) standing {
	family := w.Corpus.Family(w.file)
	switch {
	case isPart(family, text, at, len(w.name)) || w.isLonger(text, at) || w.isDeclared(text, at):
		return inAnotherWord
	case isKeyword(family, w.Corpus.Language(w.file), w.name) && !isMember(text[:at]):
		return inKeyword
	case family == corpus.NoFamily:
		return w.lined(text, at)
	case w.File(w.file).State() == syn.Absent:
		return inPending
	case w.File(w.file).State() != syn.Parsed:
		return inUnparsed
	case w.isImported(at):
		return inImport
	}
	return inCode
}

// lined tells what a word of code is in a language that is read line by line: the first
// of a line that defines its name is that definition, and so are each equation of a function
// and its types.
func (w *wordReader) lined(text []byte, at uint32) standing {
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	if len(w.defined) > 0 && outline.Heads(w.Corpus.Language(w.file), string(text[start:at])) {
		return inDefinition
	}
	if !bytes.Contains(text[start:at], []byte(w.name)) && slices.Contains(w.defined, uint32(w.lineNumber(w.file, text, at))) {
		return inDefinition
	}
	if w.isOfModule(text, start, int(at)) {
		return inModule
	}
	return inLines
}

// isOfModule reports whether a word of a line is the function of a module that declares it:
// the module stands before it, or is the file, in which it is called. Attributes name types, too.
func (w *wordReader) isOfModule(text []byte, line, at int) bool {
	if len(w.modules) == 0 || text[line] == '-' {
		return false
	}
	module, ok := outline.Qualifier(w.Corpus.Language(w.file), text[line:at])
	switch {
	case !ok:
		return false
	case module != "":
		return w.modules[module]
	}
	return len(w.defined) > 0 && bytes.HasPrefix(text[at+len(w.name):], []byte("(")) && w.modules[w.moduleOf(w.file)]
}

// isImported reports whether an import of the file gives the name at a place.
func (w *wordReader) isImported(at uint32) bool {
	file := w.File(w.file)
	for i := range file.NumImports() {
		if m := file.Import(i); m.At == at {
			return true
		}
	}
	return false
}

// inDirective tells what a byte of a line of the preprocessor stands in.
func inDirective(text []byte, at int) standing {
	if word := bytes.TrimLeft(text[1:], " \t"); bytes.HasPrefix(word, []byte("include")) || bytes.HasPrefix(word, []byte("import")) {
		return inLiteral
	}
	for i := 0; i < at; {
		end, s := i+1, inCode
		switch {
		case text[i] == '"' || text[i] == '\'' && i > 0 && !isWordByte(text[i-1]):
			end, s = quoteEnd(text, i), inLiteral
		case bytes.HasPrefix(text[i:], []byte("//")):
			end, s = len(text), inComment
		case bytes.HasPrefix(text[i:], []byte("/*")):
			if end, s = len(text), inComment; bytes.Contains(text[i:], []byte("*/")) {
				end = i + bytes.Index(text[i:], []byte("*/")) + 2
			}
		}
		if at < end {
			return s
		}
		i = end
	}
	return inCode
}

// quoteEnd returns where the literal ends whose quote stands at i, at the end of
// its line at most.
func quoteEnd(text []byte, i int) int {
	for p := i + 1; p < len(text); p++ {
		switch text[p] {
		case text[i]:
			return p + 1
		case '\n':
			return p
		case '\\':
			p++
		}
	}
	return len(text)
}

// isDeclared reports whether a word and the sign before it are the name of a
// declaration, such as ~Type.
func (w *wordReader) isDeclared(text []byte, at uint32) bool {
	if at == 0 || bytes.IndexByte([]byte("~#$@"), text[at-1]) < 0 {
		return false
	}
	i := w.File(w.file).SymbolAt(at)
	if i == facts.None {
		return false
	}
	s := w.Symbol(corpus.Ref{File: w.file, Index: int32(i)})
	return bytes.HasPrefix(text[s.At:], []byte(s.Name))
}

// isPart reports whether a word is part of an identifier with a sign: $ within a name,
// ! or ? at its end.
func isPart(family corpus.Family, text []byte, at uint32, n int) bool {
	behind := text[int(at)+n:]
	switch family {
	case corpus.Script, corpus.Java:
		return at > 0 && text[at-1] == '$' || bytes.HasPrefix(behind, []byte("$"))
	case corpus.Elixir, corpus.Ruby:
		return len(behind) > 0 && (behind[0] == '!' || behind[0] == '?') && !bytes.HasPrefix(behind[1:], []byte("="))
	}
	return false
}

// isLonger reports whether a word is part of a name with signs, in a language that is read
// line by line: make-point in Lisp, point' in Haskell, push! in Julia.
func (w *wordReader) isLonger(text []byte, at uint32) bool {
	if w.Corpus.Family(w.file) != corpus.NoFamily {
		return false
	}
	l, _ := lang.ByName(w.Corpus.Language(w.file))
	signs := outline.Names(l)
	if signs == "" {
		return false
	}
	behind := text[int(at)+len(w.name):]
	if len(behind) > 0 && strings.IndexByte(signs, behind[0]) >= 0 && !bytes.HasPrefix(behind, []byte("!=")) {
		return true
	}
	return at > 0 && strings.IndexByte(signs, text[at-1]) >= 0 && strings.IndexByte("'!?", text[at-1]) < 0
}

// isMember reports whether what follows a text is a member of something.
func isMember(before []byte) bool {
	return bytes.HasSuffix(before, []byte(".")) || bytes.HasSuffix(before, []byte("::")) || bytes.HasSuffix(before, []byte("->"))
}

// commented tells a word of a comment that is written like code (a member, a
// call, a name in marks, a type comment of Python) from one of prose.
func commented(text []byte, start int, at uint32, n int) standing {
	before, behind := text[start:at], text[int(at)+n:]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	switch {
	case isMember(before) && len(before) > 1 && isWordEnd(before),
		bytes.HasPrefix(behind, []byte("(")), bytes.HasPrefix(behind, []byte("::")),
		bytes.HasSuffix(before, []byte("`")), bytes.HasSuffix(before, []byte("[")),
		bytes.HasPrefix(bytes.TrimLeft(line, "# \t"), []byte("type:")),
		bytes.Contains(line, []byte("@link ")), bytes.Contains(line, []byte("@see ")):
		return inCodeComment
	}
	return inComment
}

// isWordEnd reports whether the mark at the end of a text, such as a dot, stands
// behind something that may have members.
func isWordEnd(text []byte) bool {
	text = bytes.TrimRight(text, ".:->")
	return len(text) > 0 && (isWordByte(text[len(text)-1]) || bytes.IndexByte([]byte(")]"), text[len(text)-1]) >= 0)
}

func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= utf8.RuneSelf
}
