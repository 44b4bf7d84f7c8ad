package clue

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/query"
	"espy/internal/ranked/corpus"
)

// declarations finds the likeliest declarations of a query that is nothing but
// the name of a symbol, or where nothing declares it, what passes it on from elsewhere:
// their files stand first, in the order of their scores.
type declarations struct{}

// declarationEmphasis is the worth of the line of a declaration that is asked for.
const declarationEmphasis = 2

func (declarations) find(q *Query, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	word, ok := q.Root.(query.Word)
	if !ok || strings.ContainsFunc(word.Text, unicode.IsSpace) {
		return nil
	}
	name := strings.TrimSuffix(word.Text, "()")
	found, folded, err := in.Declarations(name)
	if err != nil {
		return err
	}
	if folded {
		found = nil // that is another name
	}
	found = slices.DeleteFunc(found, func(d corpus.Declaration) bool {
		return !nameAsksFor(name, &d) || !d.Segment.Kinds().Has(d.Kind) || !d.Segment.Allows(d.File)
	})
	least := math.MaxInt
	for _, d := range found {
		least = min(least, tier(&d))
	}
	for _, d := range found {
		if tier(&d) == least {
			c := declared(&d)
			c.First, c.Strong = true, true
			add(d.Segment, d.File, c)
		}
	}
	if len(found) == 0 {
		return passedOn(name, in, add)
	}
	return nil
}

// passedOn adds the likeliest files that pass a name on.
func passedOn(name string, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	all, err := in.PassesOn(name)
	all = slices.DeleteFunc(all, func(p corpus.PassedOn) bool { return p.Segment.Kinds() != 0 })
	least := math.MaxInt
	for _, p := range all {
		least = min(least, p.Unlikely)
	}
	for _, p := range all {
		if p.Unlikely == least {
			c := passing(name, &p, NoSignal, 1)
			c.First, c.Shows = true, showDeclaration
			add(p.Segment, p.File, c)
		}
	}
	return err
}

// declared returns the clue of a declaration that the query asks for.
func declared(d *corpus.Declaration) Clue {
	c := newClue(NoSignal, 1/(1+float64(d.Unlikely)))
	c.Tie, c.Line, c.Symbol = int(d.Line), int(d.Line), d.Definition
	c.Shows, c.Emphasis = showDeclaration, declarationEmphasis
	return c
}

// insideFunction is the least unlikeliness of a name inside a function.
const insideFunction = 16

// nameAsksFor reports whether a query that is nothing but a name may ask for a
// declaration of that name: a field is asked for with its type, and a word in
// small letters asks for a type or function or is no name at all.
func nameAsksFor(name string, d *corpus.Declaration) bool {
	if d.Unlikely >= insideFunction {
		return false
	}
	switch d.Kind {
	case code.KindField:
		return len(facts.SplitName(name)) > 1
	case code.KindConst, code.KindVar:
		return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != ""
	}
	return d.Kind.IsType() || d.Kind.IsFunc()
}

// tier is the unlikeliness of a declaration without the difference between types
// and functions: 0, 4, 8 ..., and one more for other kinds.
func tier(d *corpus.Declaration) int {
	if d.Kind.IsType() || d.Kind.IsFunc() {
		return d.Unlikely &^ 3
	}
	return d.Unlikely&^3 + 1
}
