// Package rust reads regular expressions as Rust's regex crate does, which is what
// ripgrep takes, and matches them with the leftmost match of the first
// alternative that fits. Classes, word boundaries and case are those of Unicode,
// and bytes that are not UTF-8 are matched by nothing.
//
// perl.go takes expressions of PCRE2, translate.go writes one in the syntax of package
// regexp/syntax, class.go its classes. A Regexp is what is compiled, a Finder what looks for it
// in one text after the other: an automaton tells the lines with a match
// (package dfa), and machine.go where in a line the matches are.
//
// What cannot be done is refused with what does it: look-around, references to
// groups, bytes in place of characters, and more than 1,000 repetitions.
package rust

import (
	"regexp/syntax"
	"slices"

	"espy/internal/grep/pcre"
	"espy/internal/lines/dfa"
	"espy/internal/lines/trigram"
)

// Options say how an expression is read. The zero value matches within lines, with
// case.
type Options struct {
	IgnoreCase bool
	SmartCase  bool // ignore case where the expression has letters, all of them small
	Fixed      bool // the patterns are texts
	Word       bool // a match stands between characters that are not of a word
	Line       bool // a match is a whole line
	Multiline  bool // a match may span lines
	DotAll     bool // with Multiline: the dot matches line ends too
}

// maxSteps bounds the program of an expression.
const maxSteps = 200_000

// Regexp is a compiled expression. It is read only.
type Regexp struct {
	prog  *syntax.Prog
	lines *dfa.Program
	names []string // of the groups, "" for one without a name
	first int      // the group that counts as the match: 1 with Options.Word, else 0
	ascii bool     // words are of ASCII characters

	literal []byte         // the only text that matches; nil for other expressions
	starts  *[256]bool     // the first bytes of matches; nil where one may be empty
	need    []string       // a match contains one of these; none known where empty
	grams   trigram.Query  // what a text with a match has
	fold    bool           // a part ignores case
	spans   bool           // Options.Multiline, and a match may see or hold a line end
	tree    *syntax.Regexp // simplified

	perl *pcre.Program // what must match too, where the rest is wider than the expression; nil for none
}

// Compile compiles patterns of which one must match. The error is a *usage.Error.
func Compile(patterns []string, o Options) (*Regexp, error) {
	t, err := translate(patterns, o)
	if err != nil {
		return nil, err
	}
	if o.SmartCase && t.literals && !t.upper && !o.IgnoreCase {
		o.IgnoreCase = true
		return Compile(patterns, o)
	}
	flags := syntax.Perl &^ syntax.OneLine
	if o.IgnoreCase {
		flags |= syntax.FoldCase
	}
	if o.Multiline && o.DotAll {
		flags |= syntax.DotNL
	}
	re, err := syntax.Parse(string(t.out), flags)
	if err != nil {
		return nil, refused(patterns, err)
	}
	if !o.Multiline {
		if re, err = withinLine(patterns, re); err != nil {
			return nil, err
		}
	}
	return compile(patterns, re, t, o)
}

func compile(patterns []string, re *syntax.Regexp, t *translator, o Options) (*Regexp, error) {
	r := &Regexp{names: re.CapNames(), ascii: t.asciiWords, tree: re.Simplify()}
	if o.Word {
		r.first = 1
	}
	var err error
	if r.prog, err = syntax.Compile(r.tree); err != nil {
		return nil, refused(patterns, err)
	}
	if len(r.prog.Inst) > maxSteps {
		return nil, bad(patterns, "the regular expression is too large", "repeat less often: x{1000} counts as 1000 times x")
	}
	r.spans = o.Multiline && seesLineEnds(inner(re, r.first))
	if !r.spans {
		words := dfa.Words{}
		if !r.ascii {
			words = dfa.Words{Is: isWord, Edges: wordEdges()}
		}
		r.lines = dfa.CompileWords(r.prog, words)
	}
	r.fold = folds(r.tree)
	r.grams, r.need = trigram.Required(r.tree)
	if r.tree.Op == syntax.OpLiteral && !r.fold {
		r.literal = []byte(string(r.tree.Rune))
	}
	r.starts = startBytes(r.prog)
	return r, nil
}

// Spans reports whether a match may reach beyond a line, so that it is looked for
// in a whole text.
func (r *Regexp) Spans() bool { return r.spans }

// SeesLineBefore reports whether a match in a line may depend on the lines before it: where
// it is shown, look-behinds see them, as in ripgrep.
func (r *Regexp) SeesLineBefore() bool { return r.perl != nil }

// Grams is the condition on the trigrams of a text with a match. With fold,
// letters beyond ASCII may stand for those in it.
func (r *Regexp) Grams() (grams *trigram.Query, fold bool) { return &r.grams, r.fold }

// Group returns the number of a group of the patterns by its name.
func (r *Regexp) Group(name string) (n int, ok bool) {
	n = slices.Index(r.names, name)
	if name == "" || n < 0 {
		return 0, false
	}
	return n - r.first, true
}

// inner is the group of an expression that counts as the match.
func inner(re *syntax.Regexp, group int) *syntax.Regexp {
	if group == 0 || re.Op == syntax.OpCapture && re.Cap == group {
		return re
	}
	for _, sub := range re.Sub {
		if found := inner(sub, group); found != nil {
			return found
		}
	}
	return nil
}

// folds reports whether a part of the expression ignores case.
func folds(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(re.Sub, folds)
}

// seesLineEnds reports whether an expression may match a line end, or looks
// whether one is near.
func seesLineEnds(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		return holds(re.Rune, '\n')
	case syntax.OpAnyChar, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText:
		return true
	}
	return slices.ContainsFunc(re.Sub, seesLineEnds)
}

// withinLine takes line ends out of an expression, as a match lies within a line:
// the start and end of the text are those of a line.
func withinLine(patterns []string, re *syntax.Regexp) (*syntax.Regexp, error) {
	switch re.Op {
	case syntax.OpLiteral:
		if slices.Contains(re.Rune, '\n') {
			return nil, lineEnd(patterns)
		}
	case syntax.OpCharClass:
		left := minus(re.Rune, []rune{'\n', '\n'})
		if len(left) == 0 && len(re.Rune) > 0 {
			return nil, lineEnd(patterns)
		}
		re.Rune = left
	case syntax.OpAnyChar:
		re.Op = syntax.OpAnyCharNotNL
	case syntax.OpBeginText:
		re.Op = syntax.OpBeginLine
	case syntax.OpEndText:
		re.Op, re.Flags = syntax.OpEndLine, re.Flags&^syntax.WasDollar
	}
	for i, sub := range re.Sub {
		sub, err := withinLine(patterns, sub)
		if err != nil {
			return nil, err
		}
		re.Sub[i] = sub
	}
	return re, nil
}

func lineEnd(patterns []string) error {
	return bad(patterns, `the literal "\n" is not allowed in a regex`, "-U (--multiline) matches over several lines")
}

// startBytes returns the bytes that a match may begin with, nil where it may be
// empty.
func startBytes(prog *syntax.Prog) *[256]bool {
	var set [256]bool
	seen := make([]bool, len(prog.Inst))
	stack := []uint32{uint32(prog.Start)}
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch i := &prog.Inst[pc]; i.Op {
		case syntax.InstMatch:
			return nil
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, i.Out, i.Arg)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			stack = append(stack, i.Out)
		case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			return nil
		case syntax.InstRune, syntax.InstRune1:
			addStarts(&set, i)
		}
	}
	return &set
}

// addStarts adds the first bytes of the characters that an instruction takes.
func addStarts(set *[256]bool, i *syntax.Inst) {
	for c := range rune(0x80) {
		set[c] = set[c] || i.MatchRune(c)
	}
	last := rune(-1)
	if n := len(i.Rune); n > 0 {
		last = i.Rune[n-1]
	}
	if folds := syntax.Flags(i.Arg)&syntax.FoldCase != 0; folds || last >= 0x80 {
		for c := 0xc2; c < 0xf5; c++ {
			set[c] = true
		}
	}
}
