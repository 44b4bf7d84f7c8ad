package lines

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"espy/internal/ascii"
	"espy/internal/hit"
	"espy/internal/lines/dfa"
	"espy/internal/lines/trigram"
	"espy/internal/parallel"
	"espy/internal/usage"
)

// Limits of a regular expression.
const (
	maxRegexBytes = 1_000
	maxRegexSteps = 10_000 // instructions of its program
)

// NewRegex makes a query for every line with a match of a regular expression (RE2 syntax),
// as rg does: a match lies within one line, ^ and $ stand for the line's start
// and end, and bytes that are not UTF-8 are matched by nothing. Unlike rg's,
// \w, \d, \s and \b know ASCII only. With Multiline a match may span lines, and the
// syntax is all of it that of rg -U.
func NewRegex(req hit.Request) (*Query, error) {
	if req.Multiline {
		return newSpanning(req)
	}
	m, err := newRegexMatcher(req.Query, req.IgnoreCase, req.Word)
	if err != nil {
		return nil, err
	}
	return &Query{req, lookup{matcher: m, grams: m.grams, fold: m.fold}}, nil
}

// regexMatcher is a compiled regular expression.
type regexMatcher struct {
	prog  *syntax.Prog   // of the whole
	lines *dfa.Program   // the same, for the automaton
	whole *regexp.Regexp // the same; with word, group 1 is what counts as matched
	plain *regexp.Regexp // what was asked for
	full  *syntax.Regexp // of whole
	lined *syntax.Regexp // of plain
	word  bool

	valid func() *regexMatcher // the same where maxRune stands for bytes that are not UTF-8

	grams trigram.Query
	fold  bool     // a part ignores case
	need  []string // a line with a match contains one of these; none known where empty
}

// newRegexMatcher compiles a pattern. Its errors are *usage.Error.
func newRegexMatcher(pattern string, fold, word bool) (*regexMatcher, error) {
	if len(pattern) > maxRegexBytes {
		return nil, badQuery(pattern, fmt.Sprintf("a regular expression of %d bytes; the limit is %d", len(pattern), maxRegexBytes), "search for a shorter one")
	}
	flags := syntax.Perl &^ syntax.OneLine
	if fold {
		flags |= syntax.FoldCase
	}
	re, err := syntax.Parse(pattern, flags)
	if err != nil {
		return nil, badRegex(pattern, err)
	}
	if spansLines(re) {
		return nil, badQuery(pattern, "a line end in a regular expression, which is matched within one line", "for exact text of several lines use mode literal, for an expression espy search -U -e")
	}
	return buildRegex(pattern, re, word)
}

func badQuery(pattern, msg, hint string) error {
	return &usage.Error{Arg: "query", Value: pattern, Msg: msg, Hint: hint}
}

// badRegex explains what regexp/syntax found, with the place of it.
func badRegex(pattern string, err error) error {
	msg := err.Error()
	var syn *syntax.Error
	if errors.As(err, &syn) {
		msg = syn.Code.String()
		if at := strings.Index(pattern, syn.Expr); syn.Expr != "" && at >= 0 {
			msg += fmt.Sprintf(" at byte %d: %s", at, usage.Shorten(syn.Expr, 40))
		}
	}
	return badQuery(pattern, "bad regex: "+msg, "for exact text use mode literal; the syntax is RE2's")
}

func buildRegex(pattern string, re *syntax.Regexp, word bool) (*regexMatcher, error) {
	m := &regexMatcher{word: word}
	lined := lineBound(re)
	full := lined
	if word {
		full = inWord(lined)
	}
	simple := full.Simplify()
	var err error
	if m.prog, err = syntax.Compile(simple); err != nil {
		return nil, badRegex(pattern, err)
	}
	if len(m.prog.Inst) > maxRegexSteps {
		return nil, badQuery(pattern, "the regular expression is too large", "repeat less often: x{1000} counts as 1000 times x")
	}
	if m.whole, err = regexp.Compile(full.String()); err != nil {
		return nil, badRegex(pattern, err)
	}
	if m.plain, err = regexp.Compile(lined.String()); err != nil {
		return nil, badRegex(pattern, err)
	}
	m.lines = dfa.Compile(m.prog)
	m.fold = folds(re)
	m.grams, m.need = trigram.Required(simple)
	if m.fold {
		for i, s := range m.need {
			m.need[i] = ascii.LowerString(s)
		}
	}
	m.full, m.lined = full, lined
	m.valid = sync.OnceValue(func() *regexMatcher {
		full, lined := without(full, unicode.MaxRune), without(lined, unicode.MaxRune)
		return &regexMatcher{
			prog: m.prog, full: full, lined: lined, word: word,
			whole: regexp.MustCompile(full.String()),
			plain: regexp.MustCompile(lined.String()),
		}
	})
	return m, nil
}

// spansLines reports whether the expression asks for a line end itself.
func spansLines(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && slices.Contains(re.Rune, '\n') || slices.ContainsFunc(re.Sub, spansLines)
}

// folds reports whether a part of the expression ignores case.
func folds(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(re.Sub, folds)
}

// rewrite returns a copy of the expression with f applied to its leaves.
func rewrite(re *syntax.Regexp, f func(leaf *syntax.Regexp)) *syntax.Regexp {
	out := *re
	out.Sub0[0] = nil
	if len(re.Sub) == 0 {
		f(&out)
		return &out
	}
	out.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		out.Sub[i] = rewrite(sub, f)
	}
	return &out
}

// lineBound makes the start and end of the text those of the line, and takes
// the line end out of every class.
func lineBound(re *syntax.Regexp) *syntax.Regexp {
	return without(rewrite(re, func(leaf *syntax.Regexp) {
		switch leaf.Op {
		case syntax.OpBeginText:
			leaf.Op = syntax.OpBeginLine
		case syntax.OpEndText:
			leaf.Op, leaf.Flags = syntax.OpEndLine, leaf.Flags&^syntax.WasDollar
		case syntax.OpAnyChar:
			leaf.Op = syntax.OpAnyCharNotNL
		}
	}), '\n')
}

// without takes one character out of every class. The dot becomes a class for
// characters other than the line end.
func without(re *syntax.Regexp, c rune) *syntax.Regexp {
	return rewrite(re, func(leaf *syntax.Regexp) {
		if leaf.Op == syntax.OpAnyCharNotNL && c != '\n' {
			leaf.Op, leaf.Rune = syntax.OpCharClass, []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
		}
		if leaf.Op != syntax.OpCharClass {
			return
		}
		var ranges []rune
		for i := 0; i < len(leaf.Rune); i += 2 {
			lo, hi := leaf.Rune[i], leaf.Rune[i+1]
			if c < lo || hi < c {
				ranges = append(ranges, lo, hi)
				continue
			}
			if lo < c {
				ranges = append(ranges, lo, c-1)
			}
			if c < hi {
				ranges = append(ranges, c+1, hi)
			}
		}
		if leaf.Rune = ranges; len(ranges) == 0 {
			leaf.Op = syntax.OpNoMatch
		}
	})
}

// inWord returns the expression between characters that are not of a word,
// itself as group 1.
func inWord(re *syntax.Regexp) *syntax.Regexp {
	side := func(edge syntax.Op) *syntax.Regexp {
		return &syntax.Regexp{Op: syntax.OpAlternate, Sub: []*syntax.Regexp{
			{Op: edge},
			{Op: syntax.OpCharClass, Rune: notWord()},
		}}
	}
	unnamed := rewrite(re, func(*syntax.Regexp) {})
	return &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{
		side(syntax.OpBeginLine),
		{Op: syntax.OpCapture, Cap: 1, Sub: []*syntax.Regexp{ungrouped(unnamed)}},
		side(syntax.OpEndLine),
	}}
}

// ungrouped takes the groups out of an expression.
func ungrouped(re *syntax.Regexp) *syntax.Regexp {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	for i, sub := range re.Sub {
		re.Sub[i] = ungrouped(sub)
	}
	return re
}

// notWord returns the ranges of characters that are not of a word.
var notWord = sync.OnceValue(func() []rune {
	words := [][2]rune{{'\n', '\n'}, {'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	for _, t := range wordTables {
		for _, r := range t.R16 {
			words = spell(words, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			words = spell(words, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	slices.SortFunc(words, func(a, b [2]rune) int { return cmp.Compare(a[0], b[0]) })
	var ranges []rune
	start := rune(0)
	for _, w := range words {
		if start < w[0] {
			ranges = append(ranges, start, w[0]-1)
		}
		start = max(start, w[1]+1)
	}
	return append(ranges, start, unicode.MaxRune)
})

// spell appends a range of a Unicode table, one by one where it has gaps.
func spell(ranges [][2]rune, lo, hi, stride rune) [][2]rune {
	if stride == 1 {
		return append(ranges, [2]rune{lo, hi})
	}
	for r := lo; r <= hi; r += stride {
		ranges = append(ranges, [2]rune{r, r})
	}
	return ranges
}

func (m *regexMatcher) finder(pause parallel.Pause) finder {
	f := &regexFinder{m: m, dfa: dfa.New(m.lines, pause), pause: pause}
	wide := false
	for _, s := range m.need {
		l := newLiteralFinder(&literalMatcher{text: []byte(s), fold: m.fold})
		wide = wide || l.wide
		f.literals = append(f.literals, needed{literalFinder: l})
	}
	for i := range f.literals {
		f.literals[i].wide = wide // so that all of them fold a text in the same way
	}
	return f
}

// regexFinder finds lines in one text after the other. Where each match must
// contain one of a few literals it looks for these and tries only their lines.
type regexFinder struct {
	m        *regexMatcher
	dfa      *dfa.DFA
	pause    parallel.Pause
	literals []needed
	text     []byte
	buf      []byte
	long     map[*regexMatcher]*columns // made when needed
}

// needed is a literal and where it occurs next.
type needed struct {
	*literalFinder
	next int // its first occurrence at or after the place looked from; -1 not looked for, len(text) none
}

func (f *regexFinder) open(p piece) { f.reset(p.text) }

func (f *regexFinder) reset(text []byte) {
	f.text = text
	for i := range f.literals {
		if i == 0 {
			f.literals[i].reset(text)
		} else {
			f.literals[i].share(f.literals[0].literalFinder)
		}
		f.literals[i].next = -1
	}
}

func (f *regexFinder) line(pos int) int {
	if len(f.literals) == 0 {
		return f.dfa.Find(f.text, pos)
	}
	for pos < len(f.text) {
		at := f.candidate(pos)
		if at == len(f.text) {
			break
		}
		from := pos + bytes.LastIndexByte(f.text[pos:at], '\n') + 1
		to := lineEnd(f.text, at)
		if f.dfa.Find(f.text[from:to], 0) >= 0 {
			return from
		}
		pos = to + 1
	}
	return -1
}

// candidate returns the first place at or after pos where one of the literals occurs.
func (f *regexFinder) candidate(pos int) int {
	first := len(f.text)
	for i := range f.literals {
		l := &f.literals[i]
		if l.next < pos {
			if l.next, _ = l.occurrence(pos); l.next < 0 {
				l.next = len(f.text)
			}
		}
		first = min(first, l.next)
	}
	return first
}

// matches appends the matches in the line text[start:end].
func (f *regexFinder) matches(dst [][2]int, start, end int) [][2]int {
	line := f.text[start:end]
	if utf8.Valid(line) {
		for _, m := range f.ranges(f.m, line) {
			dst = append(dst, [2]int{start + m[0], start + m[1]})
		}
		return dst
	}
	valid, origin := f.replaceBad(line)
	for _, m := range f.ranges(f.m.valid(), valid) {
		dst = append(dst, [2]int{start + origin[m[0]], start + origin[m[1]]})
	}
	return dst
}

// replaceBad puts the last code point in the place of each byte that is not
// UTF-8. origin holds the offset in line of each byte and of the end.
func (f *regexFinder) replaceBad(line []byte) (valid []byte, origin []int) {
	valid = f.buf[:0]
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && n == 1 {
			r = unicode.MaxRune
		}
		valid = utf8.AppendRune(valid, r)
		for len(origin) < len(valid) {
			origin = append(origin, i)
		}
		i += n
	}
	f.buf = valid
	return valid, append(origin, len(line))
}

// ranges returns the matches in one line, apart from each other, at least as
// many as a hit shows.
func (f *regexFinder) ranges(m *regexMatcher, line []byte) [][2]int {
	if len(line)*len(m.prog.Inst) < longColumns {
		return m.ranges(line)
	}
	c := f.long[m]
	if c == nil {
		c = newColumns(m, f.pause)
		if f.long == nil {
			f.long = map[*regexMatcher]*columns{}
		}
		f.long[m] = c
	}
	return c.ranges(line)
}

// ranges returns the matches in one line, apart from each other.
func (m *regexMatcher) ranges(line []byte) [][2]int {
	var out [][2]int
	for _, r := range m.plain.FindAllIndex(line, -1) {
		if !m.word || isolated(line, r[0], r[1]) {
			out = append(out, [2]int{r[0], r[1]})
		}
	}
	if m.word && len(out) == 0 { // the leftmost match is not the one between the words
		if r := m.whole.FindSubmatchIndex(line); r != nil {
			out = append(out, [2]int{r[2], r[3]})
		}
	}
	return out
}
