// Package reading reads the text of a ranked query: as the query language where it is
// written in it, else as plain words.
package reading

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/lang"
	"espy/internal/pattern"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/conditions"
	"espy/internal/usage"
)

// output begins a line that a program printed rather than one that a person asks.
var output = pattern.New(`(?i)^\s*(?:[\w.:/\\-]*(?:error|exception|warning|panic|fatal|traceback|assertion failed)\b[^:]{0,40}:|\S+\.\w+:\d+:|caused by:|at \S+ ?\(|goroutine \d+)`)

// Bounds of prose: what people write to each other rather than to a search.
const (
	proseWords    = 8 // a text of so many words may be prose,
	proseShare    = 6 // and is where one of so many is a stop word
	sentenceWords = 5 // so many make a sentence, in which a prefix may be a word
	plainWords    = 4 // so many are words where a quote or parenthesis has no partner
)

// Parse reads the text of a ranked query. What was pasted, code or the output of
// a program, is plain words: its quotes, parentheses and dashes are no operators.
// Nor are those of prose; its filters count, and so do the negations at its very
// end. The note says what was ignored. Errors are *usage.Error.
func Parse(text string) (q *query.Query, note string, err error) {
	plain := &query.Query{Root: query.Word{Text: text}}
	if IsPasted(text) {
		return plain, "", nil
	}
	sentence := isProse(text, sentenceWords)
	if sentence || isNoFilter(text) {
		text, note = withoutStrayPrefixes(text)
	}
	q, err = query.Parse(text)
	var syntax *query.SyntaxError
	if errors.As(err, &syntax) && len(text) <= hit.MaxQueryBytes && (sentence || syntax.Unpaired && (len(strings.Fields(text)) >= plainWords || !hasOperators(text))) {
		return plain, fmt.Sprintf("read as plain words: at byte %d, %s", syntax.Pos, syntax.Msg), nil
	}
	if err == nil {
		q.Filters.Sentence = sentence
	}
	if err != nil {
		return nil, "", parseError(text, err)
	}
	if conditions.IsPlain(q.Root) || !isProse(text, proseWords) {
		return q, note, nil
	}
	var changed bool
	if q.Root, changed = WithoutOperators(q.Root); changed {
		note = "read as prose: quotes, AND, OR, NOT and - were ignored; shorten the query to use them"
	}
	return q, note, nil
}

// hasOperators reports whether a text has what only people write who know the
// query language.
func hasOperators(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		prefix, _ := query.PrefixAt(strings.TrimLeft(word, "("))
		return prefix != "" || slices.Contains(query.Operators, word) || len(word) > 1 && word[0] == '-'
	})
}

// isNoFilter reports whether a text is one word with the prefix of a language, but
// no name of one: letters behind a _, as in a locale.
func isNoFilter(text string) bool {
	prefix, value := query.PrefixAt(strings.TrimSpace(text))
	return prefix == "lang:" && strings.Contains(value, "_") && !strings.ContainsAny(value, " ,\"") && !mayFilter(prefix, value)
}

// parseError makes the usage error of a query that does not parse.
func parseError(text string, err error) error {
	var syntax *query.SyntaxError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("parse query: %w", err)
	}
	return &usage.Error{Arg: "query", Value: text, Msg: fmt.Sprintf("at byte %d: %s", syntax.Pos, syntax.Msg), Hint: syntax.Hint}
}

// IsPasted reports whether a text was copied from code or from the output of a
// program: it has several lines, or begins as output does.
func IsPasted(text string) bool {
	return strings.Contains(strings.TrimSpace(text), "\n") || output().MatchString(text)
}

// withoutStrayPrefixes makes words of the prefixes of a sentence that are no
// filters: those with a value that cannot be, and repo: among its words, as in
// repo:main of GitHub.
func withoutStrayPrefixes(text string) (plain, note string) {
	fields := strings.Fields(text)
	first, last := -1, -1
	for i, f := range fields {
		if prefix, _ := query.PrefixAt(f); prefix == "" {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	var stray []string
	for i, f := range fields {
		prefix, value := query.PrefixAt(f)
		if prefix != "" && (first < i && i < last && prefix == "repo:" || !mayFilter(prefix, value)) {
			stray = append(stray, f)
			fields[i] = strings.Replace(strings.TrimPrefix(f, "-"), ":", " ", 1)
		}
	}
	if len(stray) == 0 {
		return text, ""
	}
	return strings.Join(fields, " "), "read as words: " + usage.Shorten(strings.Join(stray, ", "), 120)
}

// mayFilter reports whether a value of a prefix can be.
func mayFilter(prefix, value string) bool {
	switch prefix {
	case "lang:":
		_, ok := lang.ByName(strings.Split(value, ",")[0])
		return ok
	case "path:":
		return value != "" && value[0] != '/' && value[0] != '~'
	case "scope:":
		return slices.Contains(code.Scopes, code.Scope(value))
	}
	return value != ""
}

// isProse reports whether a text is sentences: at least so many words, and enough
// stop words among them. People who write operators leave stop words out.
func isProse(text string, least int) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	stop := 0
	for _, w := range words {
		if rank.IsStopword(w) && !slices.Contains(query.Operators, w) {
			stop++
		}
	}
	return len(words) >= least && stop*proseShare >= len(words)
}

// WithoutOperators returns all words of a tree as plain words, beside its
// symbol: conditions and the negations that stand behind all else, and whether
// that is another tree.
func WithoutOperators(root query.Node) (plain query.Node, changed bool) {
	and, _ := root.(query.And)
	last := 0 // where the last leaf that is not negated stands
	for _, l := range Leaves(root, false) {
		last = max(last, l.Pos)
	}
	var kept []query.Node
	changed = and.Nodes == nil
	words := Leaves(root, true)
	for _, n := range and.Nodes {
		inner := Leaves(n, true)
		_, not := n.(query.Not)
		_, symbol := n.(query.Symbol)
		switch {
		case symbol, not && inner[0].Pos > last:
			kept = append(kept, n)
			words = slices.DeleteFunc(words, func(l Leaf) bool { return slices.Contains(inner, l) })
		case !conditions.IsPlain(n):
			changed = true
		}
	}
	if !changed || len(words) == 0 {
		return root, false
	}
	var all query.Any
	for _, l := range words {
		for text := range strings.FieldsSeq(l.Text) {
			all.Nodes = append(all.Nodes, query.Word{Text: text, Pos: l.Pos})
		}
	}
	if len(kept) == 0 {
		return all, true
	}
	return query.And{Nodes: append([]query.Node{all}, kept...)}, true
}
