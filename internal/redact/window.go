package redact

import (
	"bytes"
	"iter"
	"math/bits"
	"slices"
	"strings"
)

// Bounds of what is looked at, in bytes.
const (
	minRun     = 10      // the shortest run that may be of a secret, as longEnough counts
	longRun    = 30      // the shortest without a digit
	nearBefore = 160     // before a run, where the name of a value stands
	yamlBefore = 400     // the same in YAML, where names stand lines away
	nearAfter  = 24      // after a run
	nameBefore = 110     // before a value, where the name that it is given to stands
	wordReach  = 64      // before a value, where a word of that name begins
	valueAfter = 4       // after a value, where it must end
	wordBefore = 400     // before a word of a rule
	wordAfter  = 600     // after it
	maxRun     = 4 << 10 // of a longer run only the beginning is looked at
	maxWindow  = 16 << 10
)

// The classes of bytes that make runs.
const (
	inRun byte = 1 << iota
	isDigit
	isLetter
	inValue // of a value that runs are parts of
)

var classes = func() (c [256]byte) {
	for b := range 256 {
		switch {
		case '0' <= b && b <= '9':
			c[b] = inRun | isDigit | inValue
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
			c[b] = inRun | isLetter | inValue
		case strings.IndexByte("_+-", byte(b)) >= 0:
			c[b] = inRun | inValue
		case strings.IndexByte("./~", byte(b)) >= 0:
			c[b] = inValue
		}
	}
	return c
}()

// window is a part of a text in which a secret may stand.
type window struct {
	path     string
	text     []byte // the whole text
	from, to int
	longest  int     // run
	values   []value // that are given to names
	address  bool    // it has an address with a password
	settings []byte  // see bared; nil before it is needed
}

// value is what stands where a value is given to a name.
type value struct {
	start, end int
	random     bool // enough for a secret that its name alone tells
}

// windows yields the windows of the runs that touch text[start:end].
func windows(path string, text []byte, start, end int) iter.Seq[window] {
	before := nearBefore
	if strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml") {
		before = yamlBefore
	}
	return func(yield func(window) bool) {
		var w window
		for s, e := range candidates(text, start, end) {
			from, to := max(0, s-before), min(len(text), min(e, s+maxRun)+nearAfter)
			if w.text != nil && (from > w.to || to-w.from > maxWindow) {
				if !yield(w) {
					return
				}
				w.text = nil
			}
			if w.text == nil {
				w = window{path: path, text: text, from: from}
			}
			w.to = max(w.to, to)
			w.longest = max(w.longest, e-s)
			w.look(s, e)
			w.address = w.address || e-s == 1
		}
		if w.text != nil {
			yield(w)
		}
	}
}

// candidates yields the runs that may be of a secret, and the passwords of
// addresses, that touch text[start:end].
func candidates(text []byte, start, end int) iter.Seq2[int, int] {
	for start > 0 && classes[text[start-1]]&inRun != 0 && end-start < maxRun {
		start--
	}
	return func(yield func(int, int) bool) {
		for i := start; i < end; {
			from := longEnough(text, i, end)
			for at := range addresses(text, i, from, end) {
				if !yield(at, at+1) {
					return
				}
			}
			seen := byte(0)
			for i = from; i < len(text) && classes[text[i]]&inRun != 0; i++ {
				seen |= classes[text[i]]
			}
			if from < end && mayBeSecret(i-from, seen) && !yield(from, i) {
				return
			}
		}
	}
}

// longEnough returns where the first run of at least minRun bytes begins in
// text[start:end], before which no run reaches into that part; end where there is none.
// It looks at 64 bytes at once, as bits.
func longEnough(text []byte, start, end int) int {
	for start < end {
		runs := runBits(text[start:min(len(text), start+64, end+minRun-1)])
		runs &= runs >> 1 // two bytes from here on are of a run
		runs &= runs >> 2 // four
		runs &= runs >> 4 // eight
		if runs &= runs >> 2; runs != 0 {
			return start + bits.TrailingZeros64(runs)
		}
		start += 64 - (minRun - 1)
	}
	return end
}

// runBits tells of at most 64 bytes which are of a run, the first in the lowest bit.
func runBits(text []byte) (runs uint64) {
	at := 0
	for ; len(text)-at >= 8; at += 8 {
		t := text[at : at+8]
		runs |= uint64(classes[t[0]]&inRun|classes[t[1]]&inRun<<1|classes[t[2]]&inRun<<2|classes[t[3]]&inRun<<3|
			classes[t[4]]&inRun<<4|classes[t[5]]&inRun<<5|classes[t[6]]&inRun<<6|classes[t[7]]&inRun<<7) << (at & 63)
	}
	for ; at < len(text); at++ {
		runs |= uint64(classes[text[at]]&inRun) << (at & 63)
	}
	return runs
}

var schemeEnd = []byte("://")

// addresses yields where in text[from:to] an address with a password has its "://", which
// ends before the end.
func addresses(text []byte, from, to, end int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for from < to {
			i := bytes.Index(text[from:min(end, to+len(schemeEnd)-1)], schemeEnd)
			if i < 0 || isAddress(text, from+i) && !yield(from+i) {
				return
			}
			from += i + 1
		}
	}
}

// mayBeSecret judges a run by its length and the classes in it. Long random texts
// may be without a digit.
func mayBeSecret(length int, seen byte) bool {
	return length >= minRun && seen&isLetter != 0 && (seen&isDigit != 0 || length >= longRun)
}

// isAddress reports whether the address that has its "://" at i has a user and a password.
func isAddress(text []byte, i int) bool {
	rest := text[i+3 : min(len(text), i+200)]
	if stop := bytes.IndexAny(rest, " \t\r\n\"'`<>/"); stop >= 0 {
		rest = rest[:stop]
	}
	at := bytes.IndexByte(rest, '@')
	return at > 0 && bytes.IndexByte(rest[:at], ':') >= 0
}

// look notes the value that a run is of.
func (w *window) look(start, end int) {
	for n := 0; start > 0 && n < maxGeneric && classes[w.text[start-1]]&inValue != 0; n++ {
		start--
	}
	if n := len(w.values); n > 0 && start < w.values[n-1].end || !isAssigned(w.text, start) {
		return
	}
	for end < len(w.text) && end-start <= maxGeneric && (classes[w.text[end]]&inValue != 0 || w.text[end] == '=') {
		end++
	}
	w.values = append(w.values, value{start, end, entropy(w.text[start:end]) > genericEntropy})
}

// isAssigned reports whether what stands at a place of a text is given to a name
// by a mark before it.
func isAssigned(text []byte, at int) bool {
	if at >= 2 && isPrefix(text, at-2) {
		at -= 2
	}
	for n := 0; at > 0 && n < 7; n++ {
		switch at--; text[at] {
		case '=', '>', ':', '|', ',':
			return true
		case ' ', '\t', '\r', '\n', '\'', '"', '`', '\\', 'r', 'n':
		default:
			return false
		}
	}
	return false
}

// spans returns the secrets of a window.
func (w *window) spans() (found []Span) {
	all := near(w.text[w.from:w.to])
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].rule == all[0].rule {
			n++
		}
		found = w.of(found, &allRules[all[0].rule], all[:n])
		all = all[n:]
	}
	return found
}

// bared is the text of the window as bare writes it.
func (w *window) bared() []byte {
	if w.settings == nil {
		w.settings = slices.Clone(w.text[w.from:w.to])
		bare(w.settings)
	}
	return w.settings
}

// of appends the secrets of a kind, whose words stand at some places of the window.
func (w *window) of(found []Span, r *rule, words []place) []Span {
	switch {
	case w.longest < r.run, r.id == passwordRule && !w.address, r.path != "" && !compiled(r.path).MatchString(w.path):
		return found
	case r.named():
		return w.named(found, r, words)
	}
	return w.round(found, r, words)
}

// named looks for the secrets of a kind that only names tell: among the values.
func (w *window) named(found []Span, r *rule, words []place) []Span {
	for _, v := range w.values {
		if r.id == genericRule && !v.random || !isNamed(words, v.start-w.from, v.end-w.from) {
			continue
		}
		text := w.bared()
		if !ends(text[min(v.end-w.from, len(text)):]) {
			continue
		}
		from, to := max(w.from, v.start-nameBefore), min(w.to, v.end+valueAfter)
		found = w.search(found, r, text[from-w.from:to-w.from], from)
	}
	return found
}

// ends reports whether a value may end before a text.
func ends(text []byte) bool {
	return len(text) == 0 || strings.IndexByte("`'\"; \t\n\f\r\\", text[0]) >= 0
}

// isNamed reports whether a word stands in a value, or where the name of what it is
// given to may.
func isNamed(words []place, start, end int) bool {
	return slices.ContainsFunc(words, func(p place) bool { return start-wordReach <= p.at && p.at < end })
}

// round looks for the secrets of a kind round the places of its words, and where
// what these begin goes on.
func (w *window) round(found []Span, r *rule, words []place) []Span {
	done := 0
	for _, word := range words {
		at := word.at
		if at < done || first[r.id] && (!leads(w.text[w.from+at:w.to], r.run) || !mayBegin(w.text[:w.from+at], r)) {
			continue
		}
		text := w.bared()
		from, to := max(done, at-wordBefore), min(len(text), at+wordAfter)
		for far := min(len(text), to+maxRun); to < far && classes[text[to]]&inValue != 0; {
			to++
		}
		found = w.search(found, r, text[from:to], w.from+from)
		done = to
	}
	return found
}

// first are the kinds of secrets that begin with a word of theirs which stands in every
// text: their regexes are tried where a long enough run follows alone.
var first = map[string]bool{"jwt": true, "twilio-api-key": true, "vault-service-token": true}

// mayBegin reports whether a secret of a kind may begin behind a text: not within a word
// where the regex begins with the edge of one.
func mayBegin(before []byte, r *rule) bool {
	return len(before) == 0 || !strings.HasPrefix(r.regex, `\b`) || !isWord(before[len(before)-1])
}

// leads reports whether a text begins with a run of at least a length, or with a shorter
// one and a dot before such a run.
func leads(text []byte, run int) bool {
	for range 2 {
		n := 0
		for n < len(text) && classes[text[n]]&inRun != 0 {
			n++
		}
		if n >= run {
			return true
		}
		if n == len(text) || text[n] != '.' {
			return false
		}
		text = text[n+1:]
	}
	return false
}

// search appends the secrets of a kind in a part of the window, which stands at a
// place of the text.
func (w *window) search(found []Span, r *rule, part []byte, at int) []Span {
	for _, m := range compiled(r.expression()).FindAllSubmatchIndex(part, -1) {
		if r.named() {
			m[0] = nameStart(part, m[0])
		}
		f := find{rule: r, path: w.path, text: part, match: [2]int{m[0], m[1]}}
		f.start, f.end = group(m, r.group)
		if f.holds() {
			found = append(found, Span{at + f.start, w.whole(at + f.end), r.id})
		}
	}
	return found
}

// whole returns the end of the value that a secret is of, where the window cut it.
func (w *window) whole(end int) int {
	for end >= w.to && end < len(w.text) && classes[w.text[end]]&inValue != 0 {
		end++
	}
	return end
}

// nameStart returns where the name begins that a word at a place is the end of, as
// givenToName has it.
func nameStart(text []byte, at int) int {
	for n := 0; n < 50 && at > 0 && (classes[text[at-1]]&(isDigit|isLetter) != 0 || strings.IndexByte("_.-", text[at-1]) >= 0); n++ {
		at--
	}
	return at
}

// group returns the bounds of a group of a match, or of the first that is not
// empty, else of the match.
func group(m []int, n int) (start, end int) {
	if n > 0 {
		return m[2*n], m[2*n+1]
	}
	for i := 2; i < len(m); i += 2 {
		if m[i] < m[i+1] {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}
