package diff

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/lang"
	"espy/internal/outline"
)

// Source is the text of a version of a file.
type Source struct {
	Path     string
	Language *lang.Language // nil where it is not known
	Text     []byte

	quiet []outline.Span // its comments and literals
}

// NewSource returns a text that is to be compared.
func NewSource(path string, l *lang.Language, text []byte) *Source {
	return &Source{path, l, text, outline.Quiet(l, text)}
}

// Parsed returns what a text declares, by the symbols that a grammar shows of it.
func Parsed(src *Source, symbols []facts.Symbol) *Version {
	r := newReader(src)
	v := &Version{Path: src.Path}
	paths := chains(symbols)
	ids := numbered(paths)
	place := make([]int, len(symbols)) // in declared, of the innermost listed symbol
	var declared []declaration
	for i := range symbols {
		s := &symbols[i]
		holder := facts.None
		if s.Parent != facts.None {
			holder = place[s.Parent]
		}
		place[i] = holder
		if s.Flags&facts.Local != 0 || s.Kind == code.KindParam || s.Kind == code.KindTypeParam {
			continue
		}
		place[i] = len(declared)
		d := newDeclaration(s, holder)
		d.path, d.id = paths[i], ids[i]
		declared = append(declared, d)
	}
	for i := range declared {
		if d := &declared[i]; d.holder != facts.None {
			h := &declared[d.holder]
			if d.from >= h.from && d.to <= h.to && (d.from > h.from || d.to < h.to) {
				h.held = append(h.held, span{d.from, d.to})
			}
		}
	}
	for i := range declared {
		s := r.symbol(&declared[i])
		v.Symbols = append(v.Symbols, s)
	}
	return v.outside(r, declared)
}

// chains returns for each symbol the names of what holds it and its own, also of what
// is not listed.
func chains(all []facts.Symbol) []string {
	paths := make([]string, len(all))
	for i := range all {
		names := append(facts.SplitName(all[i].Owner), all[i].Name)
		if p := all[i].Parent; p != facts.None {
			names = append([]string{paths[p]}, names...)
		}
		paths[i] = strings.Join(names, ".")
	}
	return paths
}

// Outlined returns what a text declares as it looks line by line: a definition goes on to
// the next one.
func Outlined(src *Source, definitions []code.Definition) *Version {
	r, text := newReader(src), src.Text
	v := &Version{Path: src.Path, Outline: true}
	starts := lineStarts(text)
	names := make([]string, len(definitions))
	for i := range definitions {
		names[i] = definitions[i].Name
	}
	ids := numbered(names)
	var declared []declaration
	for i, d := range definitions {
		from, to := start(starts, int(d.Line)), len(text)
		end := len(starts)
		if starts[end-1] == len(text) && end > 1 {
			end-- // nothing follows the last end of line
		}
		if i+1 < len(definitions) {
			end = max(int(definitions[i+1].Line)-1, int(d.Line))
			to = max(start(starts, end+1), from)
		}
		one := declaration{
			name: d.Name, path: d.Name, id: ids[i], kind: d.Kind, holder: facts.None, line: int(d.Line), endLine: end,
			from: from, start: from, to: to, sigTo: min(start(starts, int(d.Line)+1), to),
		}
		if at := bytes.Index(text[from:one.sigTo], []byte(d.Name)); at >= 0 {
			one.at = from + at
			if open := bytes.Index(text[one.at:one.sigTo], []byte(" {")); open >= 0 {
				one.sigTo = one.at + open
			}
		}
		s := r.symbol(&one)
		declared = append(declared, one)
		v.Symbols = append(v.Symbols, s)
	}
	return v.outside(r, declared)
}

func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, b := range text {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func start(starts []int, line int) int {
	if line < 1 {
		line = 1
	}
	if line > len(starts) {
		return starts[len(starts)-1]
	}
	return starts[line-1]
}

// span is a stretch of bytes, [from, to).
type span struct{ from, to int }

// declaration is a symbol while its text is looked at.
type declaration struct {
	name, path, id string
	kind           code.Kind
	holder         int // the declaration that holds it, facts.None for none
	line, endLine  int
	at             int  // of the name
	from, to       int  // with documentation where that stands above
	start          int  // of the declaration proper
	sigTo          int  // end of the signature
	doc            span // empty for none
	held           []span
}

func newDeclaration(s *facts.Symbol, holder int) declaration {
	d := declaration{
		name: s.Name, kind: s.Kind, holder: holder, line: int(s.Line), endLine: int(s.EndLine), at: int(s.At),
		from: int(s.Start), start: int(s.Start), to: int(s.End), sigTo: int(min(max(s.SigEnd, s.Start), s.End)),
	}
	if s.DocEnd > s.DocStart {
		d.doc = span{int(s.DocStart), int(s.DocEnd)}
		d.from = min(d.from, d.doc.from)
	}
	return d
}

// reader hashes stretches of one text.
type reader struct {
	text     []byte
	quiet    []outline.Span
	indented bool // indentation means something
	buf      []byte
}

func newReader(src *Source) *reader {
	return &reader{text: src.Text, quiet: src.quiet, indented: src.Language != nil && indented[src.Language.Name]}
}

// indented are the languages in which indentation means something.
var indented = map[string]bool{
	"python": true, "haskell": true, "yaml": true, "nim": true, "coffeescript": true, "fsharp": true, "makefile": true, "elm": true, "markdown": true,
}

// symbol hashes a declaration.
func (r *reader) symbol(d *declaration) Symbol {
	s := Symbol{ID: d.id, Name: d.name, Kind: d.kind, Line: d.line, EndLine: max(d.endLine, d.line), path: d.path}
	sigTo := r.cutValue(d)
	cuts := append([]span{d.doc}, d.held...)
	head, comments := r.code(span{d.start, sigTo}, cuts)
	head = bytes.TrimRight(head, opening)
	s.Signature = outline.OneLine(string(head), "") // comments are out already
	for _, word := range grouped {                  // a declaration may move into a group of them
		head = bytes.TrimPrefix(head, []byte(word))
	}
	s.head = xxh3.Hash(head)
	bare, size := xxh3.New(), len(head)
	r.writeBare(bare, head, d)
	body, more := r.code(span{sigTo, d.to}, cuts)
	body = bytes.TrimLeft(body, opening)
	s.body = xxh3.Hash(body)
	_, _ = bare.Write(body) // never fails
	s.bare, s.size = bare.Sum64(), size+len(body)
	s.doc = comments ^ more*31
	if d.doc.to > d.doc.from {
		s.doc ^= xxh3.Hash(blanksCollapsed(r.text[d.doc.from:d.doc.to])) * 37
	}
	return s
}

// opening is what may stand between a signature and its body: a comment there
// decides on which side.
const opening = " \t\n{:="

// grouped are the words that stand before a group of declarations, or each of them.
var grouped = []string{"const ", "var ", "type "}

// writeBare writes the head of a declaration without its own name.
func (r *reader) writeBare(h *xxh3.Hasher, head []byte, d *declaration) {
	at := bytes.Index(head, []byte(d.name))
	if at < 0 {
		at = 0
	} else {
		_, _ = h.Write(head[:at])
		at += len(d.name)
	}
	_, _ = h.Write(head[at:])
}

// cutValue returns where the signature of a declaration ends: that of a value
// before what it is set to.
func (r *reader) cutValue(d *declaration) int {
	switch d.kind {
	case code.KindVar, code.KindConst, code.KindField:
		for i := max(d.at, d.start); i < d.sigTo; i++ {
			if r.text[i] == '=' {
				return i
			}
		}
	}
	return d.sigTo
}

// code returns what of a stretch is code, cuts left out, its blanks made alike,
// and a hash of its comments. It is valid until the next call.
func (r *reader) code(s span, cuts []span) (text []byte, comments uint64) {
	out := r.buf[:0]
	margin := r.margin(s.from)
	h := xxh3.New()
	space := false
	cuts = slices.SortedFunc(slices.Values(cuts), func(a, b span) int { return cmp.Compare(a.from, b.from) })
	quiet := r.quiet[r.firstQuiet(s.from):]
	for i := s.from; i < s.to; {
		for len(cuts) > 0 && cuts[0].to <= i {
			cuts = cuts[1:]
		}
		if len(cuts) > 0 && cuts[0].from <= i {
			i, space = cuts[0].to, true
			continue
		}
		for len(quiet) > 0 && quiet[0].End <= i {
			quiet = quiet[1:]
		}
		if len(quiet) > 0 && quiet[0].Start <= i {
			end := min(quiet[0].End, s.to)
			if quiet[0].Comment {
				_, _ = h.Write(blanksCollapsed(r.text[i:end]))
				space = true
			} else {
				out, space = addSpace(out, space), false
				out = append(out, r.text[i:end]...)
			}
			i = end
			continue
		}
		switch b := r.text[i]; {
		case b == '\n' && r.indented:
			out, i = r.newLine(out, i+1, s.to, margin), r.lineCode(i+1, s.to)
			space = false
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
			space = true
			i++
		default:
			out, space = addSpace(out, space), false
			out = append(out, b)
			i++
		}
	}
	r.buf = out
	return bytes.TrimRight(out, " \t\n"), h.Sum64()
}

func addSpace(out []byte, space bool) []byte {
	if space && len(out) > 0 && out[len(out)-1] != '\n' {
		return append(out, ' ')
	}
	return out
}

// newLine adds a line break and the indentation of the line at i, as far as it
// is deeper than the margin, unless the line is blank or was added to one.
func (r *reader) newLine(out []byte, i, to, margin int) []byte {
	at := r.lineCode(i, to)
	if at >= to || r.text[at] == '\n' || r.text[at] == '\r' {
		return out
	}
	if q := r.firstQuiet(at); q < len(r.quiet) && r.quiet[q].Start <= at && r.quiet[q].Comment {
		return out
	}
	if len(out) > 0 && out[len(out)-1] == '\n' {
		out = out[:len(out)-1]
	}
	out = append(bytes.TrimRight(out, " "), '\n')
	for n := at - i - margin; n > 0; n-- {
		out = append(out, '\t')
	}
	return out
}

// lineCode returns the first byte from i on that is no blank of its line.
func (r *reader) lineCode(i, to int) int {
	for i < to && (r.text[i] == ' ' || r.text[i] == '\t') {
		i++
	}
	return i
}

// margin is the indentation of the line that holds byte i.
func (r *reader) margin(i int) int {
	begin := bytes.LastIndexByte(r.text[:i], '\n') + 1
	return r.lineCode(begin, len(r.text)) - begin
}

// firstQuiet returns the first comment or literal that ends after byte i.
func (r *reader) firstQuiet(i int) int {
	return sort.Search(len(r.quiet), func(k int) bool { return r.quiet[k].End > i })
}

// numbered makes equal paths distinct, as ids are: ~2 is appended to the second.
func numbered(paths []string) []string {
	ids, seen := slices.Clone(paths), map[string]int{}
	for i, p := range paths {
		if seen[p]++; seen[p] > 1 {
			ids[i] += "~" + strconv.Itoa(seen[p])
		}
	}
	return ids
}

// outside adds the text outside of all declarations.
func (v *Version) outside(r *reader, declared []declaration) *Version {
	var cuts []span
	for i := range declared {
		if declared[i].holder == facts.None {
			cuts = append(cuts, span{declared[i].from, declared[i].to})
		}
	}
	text, comments := r.code(span{0, len(r.text)}, cuts)
	if len(text) == 0 {
		return v
	}
	v.Symbols = append(v.Symbols, Symbol{ID: Outside, body: xxh3.Hash(text), doc: comments, size: len(text), path: Outside})
	return v
}

// blanksCollapsed returns a text with every run of blanks made one.
func blanksCollapsed(text []byte) []byte { return bytes.Join(bytes.Fields(text), []byte{' '}) }
