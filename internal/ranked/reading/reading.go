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
var output = pattern.New(`(?i)^\s*(?:[\w.:/\\-]*(?:error|exception|warning|panic|fatal|traceback|assertion failed)\b[^:]{0,40}:|\S+\.\w+:\d+:|caused by:|debugger entered--|\w+: \*[EWF],\w+ |at \S+ ?\(|goroutine \d+)`)

// Bounds of prose: what people write to each other rather than to a search.
const (
	proseWords    = 8  // a text of so many words may be prose,
	proseShare    = 6  // and is where one of so many is a stop word
	sentenceWords = 5  // so many make a sentence, in which a prefix may be a word
	pastedWords   = 40 // so many were copied from somewhere, whatever they are
	plainWords    = 4  // so many are words where a quote or parenthesis has no partner
)

// Parse reads the text of a ranked query. What was pasted, code or the output of
// a program, is plain words: its quotes, parentheses and dashes are no operators.
// Nor are those of prose; its filters count, and so do the negations at its very
// end. The note says what was ignored. Errors are *usage.Error.
func Parse(text string) (q *query.Query, note string, err error) {
	text, note = withoutData(text)
	plain := &query.Query{Root: query.Word{Text: text}}
	if IsPasted(text) || strings.TrimSpace(text) == "" {
		return plain, note, nil
	}
	sentence := isProse(text, sentenceWords)
	if sentence || isNoFilter(text) || hasLabel(text) {
		text, note = withoutStrayPrefixes(text, note)
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
	if conditions.IsPlain(q.Root) || !isProse(text, proseWords) && len(strings.Fields(text)) < pastedWords {
		return q, note, nil
	}
	var changed bool
	if q.Root, changed = WithoutOperators(q.Root); changed {
		note = "read as prose: quotes, AND, OR, NOT and - were ignored; shorten the query to use them"
	}
	return q, note, nil
}

// withoutData takes encoded data out of a text of several words, which says nothing
// and whose letters are parts of words by chance.
func withoutData(text string) (rest, note string) {
	if len(text) < dataRun {
		return text, ""
	}
	rest = dump().ReplaceAllString(text, "")
	rest = run().ReplaceAllStringFunc(rest, func(word string) string {
		if isData(word) {
			return ""
		}
		return word
	})
	if len(rest) == len(text) || !strings.ContainsAny(strings.TrimSpace(text), " \t\n") {
		return text, ""
	}
	return rest, "encoded data was left out: mode literal finds a piece of it as it stands"
}

// dataRun is the fewest bytes of a run that may be encoded data.
const dataRun = 60

var (
	run  = pattern.New(fmt.Sprintf(`[A-Za-z0-9+/_-]{%d,}={0,2}`, dataRun))
	dump = pattern.New(`(?m)^[ \t]*(?:0x)?[0-9a-fA-F]{4,16}:?(?:[ \t]+[0-9a-fA-F]{2,4}){8,}.*$`)
)

// dataShare is how many bytes of encoded data have at least one that follows one of
// another kind: in names and paths kinds change at the seams of words.
const dataShare = 3

// isData reports whether a run is encoded data: capitals, small letters and digits
// alternate. What joins the parts of a path or a name tells nothing.
func isData(run string) bool {
	kind := func(c byte) int {
		switch {
		case 'a' <= c && c <= 'z':
			return 0
		case 'A' <= c && c <= 'Z':
			return 1
		case '0' <= c && c <= '9':
			return 2
		}
		return 3
	}
	changes := 0
	for i := 1; i < len(run); i++ {
		if k := kind(run[i]); k != kind(run[i-1]) && k < 3 && kind(run[i-1]) < 3 {
			changes++
		}
	}
	return changes*dataShare >= len(run)
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

// hasLabel reports whether what is called like a prefix stands between words and has no
// value: undefined symbol: main.
func hasLabel(text string) bool {
	fields := strings.Fields(text)
	return len(fields) > 2 && slices.ContainsFunc(fields[1:len(fields)-1], func(word string) bool {
		prefix, value := query.PrefixAt(word)
		return prefix != "" && value == ""
	})
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
func withoutStrayPrefixes(text, note string) (plain, told string) {
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
		return text, note
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
	operands := 0 // of AND, plain words
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
		default:
			operands++
		}
	}
	changed = changed || operands > 1
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
