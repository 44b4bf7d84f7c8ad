// Package structure finds code by its syntax: a pattern is code with holes, and it
// matches each node of a syntax tree that has the same form.
//
//	fmt.Errorf($MSG, $ERR)    $NAME is a hole for one node: an expression, a name, a statement
//	$A == $A                  a name that comes twice stands for the same text
//	foo($$$ARGS)              $$$NAME is a hole for any number of nodes, also none
//	if ($_) { $$$ }           $_ and $$$ are holes whose text does not matter
//	kind:call_expression      each node of a kind, as the grammar of the language calls it
//
// The names of holes are capital letters, digits and underscores. A pattern is read
// by the grammar of the language that it is compared with, as a file, a declaration,
// a statement or an expression, whichever of them it is. Blanks, line ends, commas
// and semicolons between nodes do not count, nor do comments and words of the
// language that the pattern leaves out, such as async before function. The notation
// is that of ast-grep (https://ast-grep.github.io/guide/pattern-syntax.html).
package structure

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"espy/internal/pattern"
	"espy/internal/usage"
)

// Pattern is a text that was read. The zero value is none.
type Pattern struct {
	text   string // as it was given
	kind   string // what kind: names, "" for code
	words  []string
	chains []chain
}

// Limits of a pattern.
const (
	maxBytes = 2_000
	maxHoles = 20
)

var (
	holeForm = pattern.New(`\$\$\$[A-Z_][A-Z0-9_]*|\$\$\$|\$[A-Z_][A-Z0-9_]*`)
	kindForm = pattern.New(`\Akind:([A-Za-z_][A-Za-z0-9_]*)\z`)
	wordForm = pattern.New(`[A-Za-z0-9_]{3,}`)
)

// Parse reads a pattern. Its errors are *usage.Error.
func Parse(text string) (Pattern, error) {
	text = strings.TrimSpace(text)
	p := Pattern{text: text}
	if m := kindForm().FindStringSubmatch(text); m != nil {
		p.kind = m[1]
		return p, nil
	}
	refuse := func(msg, hint string) (Pattern, error) {
		return Pattern{}, &usage.Error{Arg: "query", Value: text, Msg: msg, Hint: hint}
	}
	const example = "such as fmt.Errorf($MSG, $ERR) or if ($COND) { $$$BODY }"
	holes := holeForm().FindAllString(text, -1)
	switch rest := strings.Trim(holeForm().ReplaceAllString(text, ""), " \t\r\n,;"); {
	case text == "":
		return refuse("empty", "a pattern is code with holes, "+example)
	case len(text) > maxBytes:
		return refuse(fmt.Sprintf("%d bytes are more than the limit of %d of a pattern", len(text), maxBytes), "leave out what may vary: $$$ stands for any number of nodes")
	case len(holes) > maxHoles:
		return refuse(fmt.Sprintf("%d holes are more than the limit of %d", len(holes), maxHoles), "$$$ stands for any number of nodes")
	case rest == "":
		return refuse("nothing but holes, which everything matches", "a pattern is code with holes, "+example+"; kind:call_expression finds nodes by their kind")
	}
	p.words, p.chains = wordForm().FindAllString(holeForm().ReplaceAllString(text, " "), -1), chains(text)
	return p, nil
}

// String is the pattern as it was given.
func (p Pattern) String() string { return p.text }

// Words are texts of three bytes and more that a file must hold to match.
func (p Pattern) Words() []string { return p.words }

// MayMatch reports whether a text may match: a text that does always may.
func (p Pattern) MayMatch(text []byte) bool {
	for _, word := range p.words {
		if !bytes.Contains(text, []byte(word)) {
			return false
		}
	}
	return !slices.ContainsFunc(p.chains, func(c chain) bool { return !c.in(text) })
}

// Match is a place that matches.
type Match struct {
	Start, End uint32 // bytes of the text
	Holes      []Hole // in the order of the pattern
}

// Hole is what stands in a hole that has a name.
type Hole struct {
	Name       string
	Start, End uint32 // bytes of the text; equal where nothing does
}
