package bundle

import (
	"slices"
	"strings"

	"espy/internal/pattern"
	"espy/internal/place"
	"espy/internal/rank"
)

// askWords are the words that name a relation.
var askWords = []struct {
	words pattern.Pattern
	set   func(*asks)
}{
	{pattern.New(`(?i)\b(callers?|who calls|called (by|from)|calls? to|call ?sites?|uses? of|used (by|in)|users of|usages?|references?|impact|affected|depends? on|consumers?)\b`), func(a *asks) { a.callers = true }},
	{pattern.New(`(?i)\b(implement(s|ed|ing|ors?|ers?|ations?)?|subclass(es)?|sub-?types?|extends|inherits?|derived|overrid(e|es|den|ing))\b`), func(a *asks) { a.implementations = true }},
	{pattern.New(`(?i)\b(tests?|tested|covered|coverage|specs?|fixtures?)\b`), func(a *asks) { a.tests = true }},
	{pattern.New(`(?i)\b(config(ur(e|ed|ation))?|settings?|options?|flags?|documented|documentation|docs)\b`), func(a *asks) { a.config = true }},
}

// minReportLines is from how many lines that are not blank on a text is a report.
const minReportLines = 3

// recognise says what a text is.
func recognise(text string) *question {
	text = strings.TrimSpace(text)
	q := &question{kind: KindQuestion, text: text}
	if changes := parseDiff(text); len(changes) > 0 {
		q.kind, q.changes = KindDiff, changes
		return q
	}
	for _, ask := range askWords {
		if ask.words().MatchString(firstLine(text)) {
			ask.set(&q.asks)
		}
	}
	bare := strings.Trim(text, "`'")
	if at, err := place.ParsePosition(bare); err == nil && looksLikePath(at.Path) {
		q.kind, q.place = KindPlace, place.Place{Path: at.Path, First: at.Line, Last: at.Line}
		return q
	}
	if p, lines := place.Parse(bare); lines && looksLikePath(p.Path) {
		q.kind, q.place = KindPlace, p
		return q
	}
	if name := place.ParseName(bare); isName(bare, name) {
		q.kind, q.text = KindSymbol, name
		q.names = []rank.Name{{Text: name, Weight: 1}}
		return q
	}
	understood := rank.Understand(text, "")
	q.names = telling(understood.Names)
	lines := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	if understood.Pasted || lines >= minReportLines {
		q.kind = KindReport
	}
	return q
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// looksLikePath reports whether a text may be the path of a file: no name of a
// symbol is asked for with a line.
func looksLikePath(p string) bool {
	return p != "" && !strings.ContainsAny(p, "\n\t") && (strings.ContainsAny(p, "./") || !strings.Contains(p, " "))
}

// isName reports whether a text is one word, as names of symbols are, or an id
// that is quoted.
func isName(text, name string) bool {
	return name != "" && (!strings.ContainsAny(name, " \t\n") || text != name && strings.Contains(name, "#"))
}

// maxNames bounds the names of a question that are looked up.
const maxNames = 8

// leastWeight is the weight from which on a name counts.
const leastWeight = 0.5

// telling are the names of a question that may be symbols, the weightiest first.
func telling(names []rank.Name) []rank.Name {
	names = slices.Clone(names)
	names = slices.DeleteFunc(names, func(n rank.Name) bool { return n.Weight < leastWeight })
	slices.SortStableFunc(names, func(a, b rank.Name) int {
		switch {
		case a.Weight > b.Weight:
			return -1
		case a.Weight < b.Weight:
			return 1
		}
		return 0
	})
	return names[:min(len(names), maxNames)]
}
