// Package trigram finds the parts of a segment that may match: from a text or
// a regular expression it makes a condition on trigrams, which the trigram
// lists of the segment answer. Every part with a match fulfils the condition,
// so that only those need to be read.
package trigram

import (
	"cmp"
	"math/bits"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"espy/internal/ascii"
	"espy/internal/segment"
)

// Query is a condition on the trigrams of a text, over its bytes with ASCII
// letters in lower case. Every text with a match fulfils it. The analysis of
// regular expressions follows Russ Cox, "Regular Expression Matching with a
// Trigram Index", https://swtch.com/~rsc/regexp/regexp4.html.
//
// With or false a text needs every trigram of list and all of sub; with or true
// one of sub (list is then empty). The zero value lets every text pass.
type Query struct {
	or   bool
	list []gram // sorted, distinct
	sub  []Query
}

// gram is three bytes, the first in the highest place.
type gram uint32

func (g gram) bytes() [3]byte { return [3]byte{byte(g >> 16), byte(g >> 8), byte(g)} }

// All reports whether every text fulfils the condition.
func (g *Query) All() bool { return !g.or && len(g.list) == 0 && len(g.sub) == 0 }

// Of is the condition of containing the text, whose ASCII letters count
// in either case. Of fewer than three bytes it lets every text pass.
func Of(text string) Query {
	var g Query
	for i := 0; i+3 <= len(text); i++ {
		g.list = append(g.list, gram(ascii.Lower(text[i]))<<16|gram(ascii.Lower(text[i+1]))<<8|gram(ascii.Lower(text[i+2])))
	}
	slices.Sort(g.list)
	g.list = slices.Compact(g.list)
	return g
}

// ofAny is the condition of containing one of the texts.
func ofAny(texts []string) Query {
	if len(texts) == 1 {
		return Of(texts[0])
	}
	g := Query{or: true}
	for _, text := range texts {
		g.sub = append(g.sub, Of(text))
	}
	return g.simplify()
}

// And is the condition that a and b hold.
func And(a, b Query) Query {
	switch {
	case a.All():
		return b
	case b.All():
		return a
	}
	var g Query
	for _, part := range []Query{a, b} {
		if part.or {
			part = Query{sub: []Query{part}}
		}
		g.list = append(g.list, part.list...)
		for _, s := range part.sub {
			same := func(t Query) bool { return t.String() == s.String() }
			if !slices.ContainsFunc(g.sub, same) {
				g.sub = append(g.sub, s)
			}
		}
	}
	slices.Sort(g.list)
	g.list = slices.Compact(g.list)
	return g
}

// or is the condition that a or b holds.
func or(a, b Query) Query {
	g := Query{or: true}
	for _, part := range []Query{a, b} {
		if part.or {
			g.sub = append(g.sub, part.sub...)
		} else {
			g.sub = append(g.sub, part)
		}
	}
	return g.simplify()
}

// simplify makes a disjunction without a restriction pass everything and takes
// the trigrams that all its members need out of it.
func (g Query) simplify() Query {
	common := slices.Clone(g.sub[0].list)
	for i := range g.sub {
		if g.sub[i].All() {
			return Query{}
		}
		common = slices.DeleteFunc(common, func(t gram) bool {
			_, ok := slices.BinarySearch(g.sub[i].list, t)
			return !ok
		})
	}
	if len(common) == 0 {
		return g
	}
	outer := Query{list: common}
	rest := Query{or: true}
	for _, s := range g.sub {
		s.list = slices.DeleteFunc(slices.Clone(s.list), func(t gram) bool {
			_, ok := slices.BinarySearch(common, t)
			return ok
		})
		if s.All() {
			return outer
		}
		rest.sub = append(rest.sub, s)
	}
	outer.sub = []Query{rest}
	return outer
}

// String prints the condition: trigrams side by side are all needed, "|" separates choices.
func (g *Query) String() string {
	if g.All() {
		return "*"
	}
	var parts []string
	for _, t := range g.list {
		b := t.bytes()
		parts = append(parts, string(b[:]))
	}
	for i := range g.sub {
		s := g.sub[i].String()
		if g.sub[i].or {
			s = "(" + s + ")"
		}
		parts = append(parts, s)
	}
	if g.or {
		return strings.Join(parts, "|")
	}
	return strings.Join(parts, " ")
}

// Fits reports whether a text fulfils the condition. With fold a text with a
// letter beyond ASCII that folds to an ASCII one always does.
func (g *Query) Fits(text string, fold bool) bool {
	if fold && strings.ContainsAny(text, "\u212a\u017f") {
		return true
	}
	return g.fitsLower(ascii.LowerString(text))
}

func (g *Query) fitsLower(text string) bool {
	some := false
	for i := range g.sub {
		fits := g.sub[i].fitsLower(text)
		if !fits && !g.or {
			return false
		}
		some = some || fits
	}
	for _, t := range g.list {
		if b := t.bytes(); !strings.Contains(text, string(b[:])) {
			return false
		}
	}
	return some || !g.or
}

// Pieces splits a text that is searched without regard to case into parts
// whose bytes, ASCII letters in lower case, occur in every match: it leaves
// out letters beyond ASCII that have another case. What stands for k and s
// beyond ASCII (U+212A, U+017F) is the caller's to consider.
func Pieces(text string) []string {
	var parts []string
	start := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r >= utf8.RuneSelf && unicode.SimpleFold(r) != r {
			parts = append(parts, ascii.LowerString(text[start:i]))
			start = i + n
		}
		i += n
	}
	parts = append(parts, ascii.LowerString(text[start:]))
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// Bounds of the sets of strings that the analysis keeps.
const (
	maxSet   = 700 // strings in one set: two letters and a mark between them
	maxClass = 26  // runes of a character class that is spelled out
)

// info is what is known of every match of a part of a regular expression.
// Strings are as in the pattern; those of parts that ignore case have their
// ASCII letters in lower case and stand for either case.
type info struct {
	exact          []string // it is one of these; nil when that is not known
	prefix, suffix []string // without exact: it begins, ends with one of these; "" for anything
	need           []string // it contains one of these; nil when that is not known
	grams          Query    // the text round it fulfils this, beyond what the other fields say
}

var (
	anything = info{prefix: []string{""}, suffix: []string{""}}
	nothing  = info{exact: []string{""}} // the empty text
)

func (f *info) head() []string {
	if f.exact != nil {
		return f.exact
	}
	return f.prefix
}

func (f *info) tail() []string {
	if f.exact != nil {
		return f.exact
	}
	return f.suffix
}

// Required is what every match of a regular expression has: the condition on
// the text round it, and strings of which its line contains one (nil: none known).
func Required(re *syntax.Regexp) (Query, []string) {
	f := analyse(re)
	return f.whole(), f.best()
}

// analyse returns the facts of a simplified regular expression.
func analyse(re *syntax.Regexp) info {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return nothing
	case syntax.OpLiteral:
		return literalFacts(re)
	case syntax.OpCharClass:
		return classFacts(re)
	case syntax.OpCapture:
		return analyse(re.Sub[0])
	case syntax.OpConcat:
		f := nothing
		for _, sub := range re.Sub {
			f = follow(f, analyse(sub))
		}
		return f
	case syntax.OpAlternate:
		f := analyse(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			f = choose(f, analyse(sub))
		}
		return f
	case syntax.OpQuest:
		return choose(analyse(re.Sub[0]), nothing)
	case syntax.OpPlus:
		f := analyse(re.Sub[0])
		return info{
			prefix: f.head(), suffix: f.tail(), need: better(f.need, f.head()),
			grams: And(f.grams, ofAny(f.head())),
		}
	}
	return anything // any character, repetition from zero on, no match at all
}

func literalFacts(re *syntax.Regexp) info {
	text := string(re.Rune)
	if re.Flags&syntax.FoldCase == 0 {
		return info{exact: []string{text}}
	}
	f := nothing
	for _, r := range re.Rune {
		if r >= utf8.RuneSelf && unicode.SimpleFold(r) != r {
			f = follow(f, anything)
		} else {
			f = follow(f, info{exact: []string{ascii.LowerString(string(r))}})
		}
	}
	return f
}

func classFacts(re *syntax.Regexp) info {
	var exact []string
	for i := 0; i < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if len(exact) == maxClass {
				return anything
			}
			exact = append(exact, string(r))
		}
	}
	if len(exact) == 0 {
		return anything
	}
	return info{exact: exact}
}

// follow returns the facts of a followed by b.
func follow(a, b info) info {
	seam, ok := cross(a.tail(), b.head())
	ok = ok && worthLooking(seam, a.tail(), b.head())
	if a.exact != nil && b.exact != nil && ok {
		need := better(better(a.need, b.need), better(a.exact, b.exact))
		return info{exact: seam, need: need, grams: And(a.grams, b.grams)}
	}
	f := info{prefix: a.head(), suffix: b.tail(), need: better(a.need, b.need), grams: And(a.grams, b.grams)}
	f.need = better(better(f.need, seam), better(a.tail(), b.head()))
	if ok {
		f.grams = And(f.grams, ofAny(seam))
	} else {
		f.grams = And(f.grams, And(ofAny(a.tail()), ofAny(b.head())))
		if slices.ContainsFunc(b.exact, short) {
			f.suffix = joined(a.tail(), b.exact)
		}
	}
	if a.exact != nil && ok {
		f.prefix = seam
	}
	if b.exact != nil && ok {
		f.suffix = seam
	}
	return f
}

// choose returns the facts of a or b.
func choose(a, b info) info {
	if a.exact != nil && b.exact != nil && a.grams.All() && b.grams.All() {
		if exact, ok := union(a.exact, b.exact); ok {
			return info{exact: exact}
		}
	}
	f := info{grams: or(a.whole(), b.whole()), prefix: []string{""}, suffix: []string{""}}
	if s, ok := union(a.head(), b.head()); ok {
		f.prefix = s
	}
	if s, ok := union(a.tail(), b.tail()); ok {
		f.suffix = s
	}
	if x, y := a.best(), b.best(); x != nil && y != nil {
		if s, ok := union(x, y); ok {
			f.need = s
		}
	}
	return f
}

// whole is the condition on the text with all that the sets say.
func (f *info) whole() Query {
	g := And(f.grams, ofAny(f.head()))
	if f.exact == nil {
		g = And(g, ofAny(f.suffix))
	}
	return g
}

// best is the best filter of lines among the sets.
func (f *info) best() []string { return better(better(f.head(), f.tail()), f.need) }

// cross returns each string of a followed by each of b, unless these are too many.
func cross(a, b []string) ([]string, bool) {
	if len(a)*len(b) > maxSet {
		return nil, false
	}
	var out []string
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), true
}

// worthLooking reports whether the strings where a and b meet tell more than these do:
// many are looked up only where neither has a trigram.
func worthLooking(seam, a, b []string) bool {
	return len(seam) < maxClass || slices.ContainsFunc(a, short) && slices.ContainsFunc(b, short)
}

// short reports whether a string has no trigram.
func short(s string) bool { return len(s) < 3 }

// joined returns the ends of the strings of a, as long as leaves few enough, followed by
// each of b.
func joined(a, b []string) []string {
	for n := 2; n > 0; n-- {
		ends := make([]string, len(a))
		for i, s := range a {
			ends[i] = s[max(len(s)-n, 0):]
		}
		slices.Sort(ends)
		if out, ok := cross(slices.Compact(ends), b); ok {
			return out
		}
	}
	return b
}

func union(a, b []string) ([]string, bool) {
	out := slices.Concat(a, b)
	slices.Sort(out)
	out = slices.Compact(out)
	return out, len(out) <= maxSet
}

// better returns the set that is the better filter of lines, nil where neither is one.
func better(a, b []string) []string {
	x, y := selectivity(a), selectivity(b)
	switch {
	case x <= 0 && y <= 0:
		return nil
	case x < y:
		return b
	}
	return a
}

// selectivity estimates how rare lines with one of the strings are; it is not
// positive for a set that filters nothing worth its cost.
func selectivity(set []string) int {
	if len(set) == 0 {
		return 0
	}
	least := 1 << 30
	for _, s := range set {
		rare := 0
		for i := range len(s) {
			rare += Rarity(s[i])
		}
		least = min(least, rare)
	}
	return min(least, 60) - 5 - 2*(len(set)-1)
}

// Rarity is a rough weight of a byte of source code: higher is rarer.
func Rarity(c byte) int {
	switch {
	case c == ' ', c == '\t':
		return 1
	case 'a' <= c && c <= 'z':
		if strings.IndexByte("jkqvwxyz", c) >= 0 {
			return 5
		}
		return 3
	case 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return 5
	case strings.IndexByte(`.,()"/_=:`, c) >= 0:
		return 3
	}
	return 6
}

// Documents are what a search looks at in one segment, each by its number:
// regions or, with whole, files.
type Documents struct {
	*segment.Reader
	Whole bool
}

// Eligible returns the regions or files that fulfil the condition, in order, or
// all where it lets every one pass. With fold, those with letters that fold to
// ASCII ones pass anyway. It belongs inside segment.Guard.
func (d Documents) Eligible(g *Query, fold bool) (docs []uint32, all bool, err error) {
	docs, all, err = d.evaluate(g)
	if err != nil || all || !fold {
		return docs, all, err
	}
	return merged(docs, d.project(d.FoldRegions())), false, nil
}

// project turns regions into what is looked for, in place.
func (d Documents) project(regions []uint32) []uint32 {
	if !d.Whole {
		return regions
	}
	files := regions[:0]
	for _, g := range regions {
		if f := uint32(d.RegionFile(int(g))); len(files) == 0 || files[len(files)-1] != f {
			files = append(files, f)
		}
	}
	return files
}

func (d Documents) evaluate(g *Query) (docs []uint32, all bool, err error) {
	if g.or {
		return d.evaluateAny(g.sub)
	}
	all = true
	if len(g.list) > 0 {
		all = false
		if docs, err = d.holdingAll(g.list); err != nil {
			return nil, false, err
		}
	}
	for i := range g.sub {
		if !all && len(docs) == 0 {
			return nil, false, nil
		}
		some, every, err := d.evaluate(&g.sub[i])
		switch {
		case err != nil:
			return nil, false, err
		case every:
		case all:
			docs, all = some, false
		default:
			docs = common(docs, some)
		}
	}
	return docs, all, nil
}

// evaluateAny returns the documents that fulfil one of the conditions.
func (d Documents) evaluateAny(conditions []Query) (docs []uint32, all bool, err error) {
	n := d.NumRegions()
	if d.Whole {
		n = d.NumFiles()
	}
	set := segment.EmptyBitmap(n)
	for i := range conditions {
		some, every, err := d.evaluate(&conditions[i])
		if err != nil || every {
			return nil, every, err
		}
		for _, v := range some {
			set.Set(int(v))
		}
	}
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			docs = append(docs, uint32(i<<6|bits.TrailingZeros64(w)))
		}
	}
	return docs, false, nil
}

// Bounds of reading trigram lists, from what is measured: passing over an
// element of a list takes about 1 ns, looking at a region about 10 us.
const (
	maxGrams    = 64    // trigrams of one literal that are looked up
	listsPerDoc = 4_000 // elements worth passing over to leave out one
	maxIdle     = 4     // lists in a row that may leave out nothing
)

// holdingAll returns what holds every trigram, or a superset that is as cheap
// to verify. The shortest lists come first.
func (d Documents) holdingAll(list []gram) ([]uint32, error) {
	type sized struct {
		gram  gram
		count int
	}
	step := max(1, (len(list)+maxGrams-1)/maxGrams)
	var order []sized
	for i := 0; i < len(list); i += step {
		n, err := d.TrigramCount(list[i].bytes())
		if n == 0 || err != nil {
			return nil, err
		}
		order = append(order, sized{list[i], n})
	}
	slices.SortStableFunc(order, func(a, b sized) int { return cmp.Compare(a.count, b.count) })
	docs, err := d.AppendTrigram(nil, order[0].gram.bytes())
	docs = d.project(docs)
	var next []uint32
	for idle := 0; err == nil && len(order) > 1 && idle < maxIdle; {
		order = order[1:]
		if len(docs)*listsPerDoc < order[0].count {
			break
		}
		if next, err = d.AppendTrigram(next[:0], order[0].gram.bytes()); err != nil {
			break
		}
		before := len(docs)
		if docs = common(docs, d.project(next)); len(docs) == before {
			idle++
		} else {
			idle = 0
		}
	}
	return docs, err
}

// common keeps the elements of a that are in b, both sorted. It gallops through
// b: see Bentley and Yao, "An almost optimal algorithm for unbounded searching" (1976).
func common(a, b []uint32) []uint32 {
	out := a[:0]
	for _, v := range a {
		step := 1
		for step < len(b) && b[step] < v {
			step *= 2
		}
		i, found := slices.BinarySearch(b[step/2:min(step+1, len(b))], v)
		b = b[step/2+i:]
		if found {
			out = append(out, v)
		}
		if len(b) == 0 {
			break
		}
	}
	return out
}

// merged returns the elements of a and b, both sorted, each once.
func merged(a, b []uint32) []uint32 {
	if len(a) == 0 {
		return b
	}
	return appendMerged(make([]uint32, 0, len(a)+len(b)), a, b)
}

// appendMerged appends the elements of a and b, both sorted, each once.
func appendMerged(dst, a, b []uint32) []uint32 {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			dst, a = append(dst, a[0]), a[1:]
		case a[0] > b[0]:
			dst, b = append(dst, b[0]), b[1:]
		default:
			dst, a, b = append(dst, a[0]), a[1:], b[1:]
		}
	}
	return append(append(dst, a...), b...)
}
