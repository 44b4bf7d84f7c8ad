package rank

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"espy/internal/token"
	"espy/internal/wordset"
)

// Query is what a text asks for.
type Query struct {
	Terms  []Term   // distinct, sorted by text
	Head   []string // the terms of the first words that say something, up to one that does not; none of a pasted text
	Row    []string // the terms of its words in their order, without words that say nothing; none of a pasted text
	Names  []Name   // distinct, in the order of the text
	Asks   []Ask    // kinds of files that the text asks for by name
	Kind   Kind
	Places []Place // files that the text mentions, in its order
	Pasted bool    // it is a longer piece of code or output rather than a question
}

// Term is a term as segments store it (a stem, or "=" and a compound) and how
// much it says: above 0, 1 for a word of the text itself.
type Term struct {
	Text   string
	Weight float64
}

// Primary reports whether the term stands for a word of the text rather than
// for a guess or a word that says little.
func (t Term) Primary() bool { return t.Weight >= weightFiller && !t.Compound() }

// Hint reports whether the term is no word of the text but what code may call
// the same thing, or says next to nothing.
func (t Term) Hint() bool { return t.Weight < minSource }

// Compound reports whether the term is a whole identifier rather than a part.
func (t Term) Compound() bool { return strings.HasPrefix(t.Text, "=") }

// Name is an identifier that the text mentions and how sure it is one, in (0,1].
type Name struct {
	Text   string
	Weight float64
}

// The weights of terms.
const (
	weightRepo     = 0.15 // part of the repository's own name
	weightNumber   = 0.2  // number in a long text
	weightFiller   = 0.4
	weightAdjacent = 0.5  // two words side by side as one identifier
	weightSynonym  = 0.25 // times the weight of the word it stands for
	minSource      = 0.3  // words below this bring no synonyms
)

// Understand returns what the words of a text ask for, in a repository of the
// given name ("" where several are searched): its own name says little there.
//
// Of a pasted text only the words count as they stand: no synonyms, no words
// side by side, and names are no more than hints.
func Understand(text, repo string) Query {
	found, rest := places(text)
	words := split(rest)
	u := understanding{weights: map[string]float64{}, repo: repoTerms(repo), long: len(words) > longText}
	pasted := len(words) > pastedText
	for _, w := range words {
		u.word(w)
	}
	if !pasted {
		u.adjacent(words)
	}
	if !u.telling() {
		for _, w := range words {
			u.plain(w)
		}
	}
	if !pasted {
		u.synonyms()
	}
	q := Query{
		Terms:  u.terms(),
		Names:  names(rest),
		Asks:   asks(words),
		Kind:   kindOf(rest),
		Places: found,
		Pasted: pasted,
	}
	if pasted {
		q.tone()
	} else {
		q.Head, q.Row = head(afterOpening(words)), row(words)
	}
	return q
}

// head returns the terms of the first words of a text that say something: what
// it is about stands there ("how type adapters are registered for a class").
func head(words []word) []string {
	var terms []string
	for _, w := range words {
		switch {
		case !w.stop:
			terms = append(terms, w.analysis.Terms...)
		case len(terms) > 0:
			return terms
		}
	}
	return terms
}

// row returns the terms of the words that say something, in their order.
func row(words []word) (terms []string) {
	for _, w := range words {
		if !w.stop {
			terms = append(terms, w.analysis.Terms...)
		}
	}
	return terms
}

// openings are words that people begin with before they say what a text is about: "this
// option enables support for ...", "add a ...".
var openings = wordset.Of(`add adds allow allows build choose code compile control controls driver drivers enable enabled enables
	experimental generic here implementation implements include includes make makes module need needs option options our
	provide provides say select selects simple support supporting supports turn want we yes you your`)

// afterOpening returns the words without those that a text opens with, or all of them
// where there are no others.
func afterOpening(words []word) []word {
	for i, w := range words {
		if !w.stop && !openings[w.lower] {
			return words[i:]
		}
	}
	return words
}

// Numbers of words from which on a text is another kind of text.
const (
	longText   = 8  // its numbers are mostly of one run of a program
	pastedText = 64 // it is code or output
)

// maxNames bounds the names of a pasted text.
const maxNames = 64

// tone makes the names of a pasted text hints and drops what asks for a kind of
// file: in code those words are about something else.
func (q *Query) tone() {
	q.Asks = nil
	q.Names = q.Names[:min(len(q.Names), maxNames)]
	for i := range q.Names {
		q.Names[i].Weight /= 2
	}
}

// word is one identifier-like run of a text.
type word struct {
	text, lower string
	analysis    token.Word
	stop        bool
}

func split(text string) []word {
	var words []word
	b, stop := []byte(text), StopwordsOf(text)
	for at := 0; ; {
		start, end := token.NextWord(b, at)
		if start == end {
			return words
		}
		w := word{text: text[start:end], lower: strings.ToLower(text[start:end])}
		w.analysis = Analyze(w.text)
		if n := len(words); n > 0 && start == at+1 && isInitial(words[n-1].text) && (text[at] == '.' || text[at] == '-') {
			w.analysis.Terms = withTerms(w.analysis.Terms, words[n-1].lower+w.lower)
		}
		at = end
		w.stop = stop.Has(w.lower) && !isIdentifier(w.text)
		words = append(words, w)
	}
}

// Analyze returns the terms of a word of a text as token.Analyze does, but for what names
// of code write in small letters: an acronym in the plural (UARTs) is that acronym, and one
// behind a small letter (iSCSI) is also a single part.
func Analyze(word string) token.Word {
	w := token.Analyze(word)
	acronym := strings.TrimSuffix(word, "s")
	switch {
	case len(word) < 3 || strings.ToUpper(acronym[1:]) != acronym[1:] || !isLetter(acronym[1]):
	case 'a' <= word[0] && word[0] <= 'z':
		w.Terms = withTerms(w.Terms, strings.ToLower(acronym))
	case acronym != word && isLetter(word[0]):
		w.Terms = token.Analyze(strings.ToLower(acronym)).Terms
	}
	return w
}

// withTerms returns terms and those of another word.
func withTerms(terms []string, word string) []string {
	for _, t := range token.Analyze(word).Terms {
		if !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	return terms
}

// isInitial reports whether a word is one letter, which may be part of the name behind it:
// the i of i.MX8M.
func isInitial(word string) bool { return len(word) == 1 && isLetter(word[0]) }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// understanding collects the weight of each term.
type understanding struct {
	weights map[string]float64
	repo    map[string]bool
	long    bool
}

func (u *understanding) add(term string, weight float64) {
	if term != "" && weight > u.weights[term] {
		u.weights[term] = weight
	}
}

func (u *understanding) word(w word) {
	if w.stop {
		return
	}
	u.add(w.analysis.Compound, 1)
	if len(w.analysis.Terms) > 1 {
		u.glued(w.lower)
	}
	for _, t := range w.analysis.Terms {
		switch {
		case u.long && isNumber(t):
			u.add(t, weightNumber)
		case u.repo[t]:
			u.add(t, weightRepo)
		case fillers()[t]:
			u.add(t, weightFiller)
		default:
			u.add(t, 1)
		}
	}
}

// isNumber reports whether a term is a decimal or hexadecimal number.
func isNumber(t string) bool {
	t = strings.TrimPrefix(t, "0x")
	return t != "" && t[0] >= '0' && t[0] <= '9' && strings.Trim(t, "0123456789abcdef") == ""
}

// plain takes a word at its face value.
func (u *understanding) plain(w word) {
	u.add(w.analysis.Compound, 1)
	for _, t := range w.analysis.Terms {
		u.add(t, 1)
	}
}

// adjacent tries two words side by side as one identifier: "hash map" is
// hash_map, hashMap and hashmap.
func (u *understanding) adjacent(words []word) {
	for i := 1; i < len(words); i++ {
		a, b := words[i-1], words[i]
		if a.stop || b.stop {
			continue
		}
		u.add("="+a.lower+"_"+b.lower, weightAdjacent)
		u.add("="+a.lower+b.lower, weightAdjacent)
		u.glued(a.lower + b.lower)
	}
}

// glued adds a name as it is spelled without capitals and underscores, in one
// part: httpserver for HTTPServer.
func (u *understanding) glued(lower string) {
	if s := strings.ReplaceAll(lower, "_", ""); len(s) >= 6 && !strings.ContainsAny(s, "0123456789") {
		u.add(token.Stem(s), weightAdjacent)
	}
}

// telling reports whether some term says more than the repository's name.
func (u *understanding) telling() bool {
	for _, w := range u.weights {
		if w >= minSource {
			return true
		}
	}
	return false
}

// synonyms adds what code may call the same thing. Synonyms of synonyms are not sought.
func (u *understanding) synonyms() {
	found := map[string]float64{}
	for term, weight := range u.weights {
		if weight < minSource || term[0] == '=' {
			continue
		}
		for _, s := range synonyms()[term] {
			if _, own := u.weights[s]; !own {
				found[s] = max(found[s], float64(weight*weightSynonym))
			}
		}
	}
	maps.Copy(u.weights, found)
}

func (u *understanding) terms() []Term {
	terms := make([]Term, 0, len(u.weights))
	for _, text := range slices.Sorted(maps.Keys(u.weights)) {
		terms = append(terms, Term{text, u.weights[text]})
	}
	return terms
}

var joiner = strings.NewReplacer("-", "", "_", "")

// repoTerms returns the terms of a repository's name, whole and in parts,
// without what follows the first dot ("httpx.py").
func repoTerms(repo string) map[string]bool {
	set := map[string]bool{}
	for _, w := range token.Words(repo) {
		for _, t := range w.Terms {
			set[t] = true
		}
	}
	base, _, _ := strings.Cut(strings.ToLower(repo), ".")
	set[token.Stem(joiner.Replace(base))] = true
	delete(set, "")
	return set
}

// isIdentifier reports whether a word is spelled as only identifiers are: with
// an underscore between other characters, a capital after a small letter or a
// digit (parseURL), or capitals before a word (HTTPServer, but not URLs).
func isIdentifier(s string) bool {
	if strings.Contains(strings.Trim(s, "_"), "_") {
		return true
	}
	var a, b, c rune // the runes before r, nearest last
	for _, r := range s {
		if unicode.IsUpper(r) && (unicode.IsLower(c) || unicode.IsDigit(c)) {
			return true
		}
		if unicode.IsUpper(a) && unicode.IsUpper(b) && unicode.IsLower(c) && unicode.IsLower(r) {
			return true
		}
		a, b, c = b, c, r
	}
	return false
}

// names returns the identifiers of a text: what is spelled as one (weight 1),
// the last part of a qualified name, capitalised words within a sentence. A text
// without spaces is one by itself. Short acronyms are none: they are mostly prose.
func names(text string) []Name {
	text = strings.TrimSpace(text)
	single := !strings.ContainsFunc(text, unicode.IsSpace)
	var found []Name
	for start, q := range qualifiedNames(text) {
		w := q.weight(single, start == 0)
		if w < pointedOut && !single && isPointedOut(text, start, q.end) {
			w = pointedOut
		}
		if w > 0 {
			found = addName(found, Name{q.last, w})
		}
	}
	return found
}

// pointedOut is the weight of a name that only its surroundings tell from prose.
const pointedOut = 0.6

// isPointedOut reports whether text[start:end] stands in quotes by itself or is
// a function in a stack trace: "at f (", ", in f" at the end of a line.
func isPointedOut(text string, start, end int) bool {
	if start > 0 && end < len(text) && strings.IndexByte("'`\"", text[start-1]) >= 0 && (text[end] == text[start-1] || strings.HasPrefix(text[end:], "()")) {
		return true
	}
	before, after := text[:start], text[end:]
	return strings.HasSuffix(before, "at ") && strings.HasPrefix(after, " (") ||
		strings.HasSuffix(before, ", in ") && (after == "" || after[0] == '\n' || after[0] == '(')
}

func addName(names []Name, n Name) []Name {
	for i := range names {
		if names[i].Text == n.Text {
			names[i].Weight = max(names[i].Weight, n.Weight)
			return names
		}
	}
	return append(names, n)
}

// Hyphenated returns the words of a text with a hyphen inside, each once, as Lisp, shells
// and PowerShell spell names: prose has such words too. Marks at their ends may be of the
// name (ready?) or of a sentence: both are returned.
func Hyphenated(text string) (all []string) {
	add := func(word string) {
		if len(all) < maxNames && strings.Contains(strings.Trim(word, "-"), "-") && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(hyphenatedMarks, r)
	}) {
		add(word)
		add(strings.Trim(word, hyphenatedMarks))
	}
	return all
}

// hyphenatedMarks are what names with hyphens may have beside letters and digits.
const hyphenatedMarks = "-_*+!?<>="

// qualified is a name such as a::b.c.
type qualified struct {
	last      string // its last part
	qualified bool   // it has more parts
	file      bool   // it is the name of a source file; last is its stem
	end       int    // where it ends in the text
}

func (q qualified) weight(single, first bool) float64 {
	r, _ := utf8.DecodeRuneInString(q.last)
	capital := unicode.IsUpper(r) && len(q.last) > 3
	switch {
	case single, q.file, isIdentifier(q.last):
		return 1
	case len(q.last) <= 5 && q.last == strings.ToUpper(q.last):
		return 0
	case capital && !first:
		return 0.5
	case q.qualified && !IsStopword(q.last):
		return 0.6
	case capital:
		return 0.3
	}
	return 0
}

// qualifiedNames yields the qualified names of a text with their offsets.
func qualifiedNames(text string) func(yield func(int, qualified) bool) {
	return func(yield func(int, qualified) bool) {
		b := []byte(text)
		for at := 0; ; {
			start, end := token.NextWord(b, at)
			if start == end {
				return
			}
			q := qualified{last: text[start:end]}
			first := start
			before := ""
			for {
				next := end + separator(text[end:])
				if next == end {
					break
				}
				s, e := token.NextWord(b, next)
				if s != next || s == e {
					break
				}
				before, q.last, q.qualified, end = q.last, text[s:e], true, e
			}
			if q.qualified && sourceExtensions[strings.ToLower(q.last)] {
				q.last, q.file = before, true
			}
			at, q.end = end, end
			if !unicode.IsDigit(rune(q.last[0])) && !yield(first, q) {
				return
			}
		}
	}
}

// separator returns the length of what joins the parts of a qualified name at
// the start of s, 0 where nothing does.
func separator(s string) int {
	for _, sep := range []string{"::", "->", ".", "\\", "#"} {
		if strings.HasPrefix(s, sep) {
			return len(sep)
		}
	}
	return 0
}

// sourceExtensions tell a file's name in a query from a qualified name.
var sourceExtensions = map[string]bool{
	"go": true, "py": true, "js": true, "ts": true, "tsx": true, "jsx": true, "mjs": true, "cjs": true, "rs": true,
	"java": true, "kt": true, "rb": true, "php": true, "c": true, "h": true, "cc": true, "cpp": true, "hpp": true,
	"cs": true, "swift": true, "scala": true, "ex": true, "exs": true, "lua": true, "sh": true, "zig": true, "hs": true,
	"proto": true, "sql": true, "md": true, "yaml": true, "yml": true, "json": true, "toml": true, "vue": true, "svelte": true,
}
