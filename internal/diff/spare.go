package diff

import (
	"bytes"
	"slices"
	"sort"

	"espy/internal/code"
	"espy/internal/facts"
)

// Spared is a text without the declarations that another version has as well: only the
// rest of it is to be parsed.
type Spared struct {
	Rest  []byte
	size  int            // bytes of the whole text
	known []facts.Symbol // of the other version
	same  []stretch
	still []stretch // symbols of the rest that should be found again
	open  bool      // a module without an end holds what follows it
}

// stretch is a declaration with all that it holds, the same in two versions.
type stretch struct {
	first, end int // the symbols of the known version
	from, to   int // bytes there, with documentation and a semicolon behind
	at         int // where it begins in the text
	lines      int // lines further down in the text, less than 0 for up
	cut        int // where it was left out of the rest
	bytesOut   int // bytes that were left out up to and with it
	linesOut   int
}

// Bounds of what is spared.
const (
	leastStretch = 64 // bytes
	leastSpared  = 4  // a text is parsed as a whole where less than one part in so many is spared
	mostHolders  = 8  // of a stretch
)

// Spare compares a source with a version of it of which the symbols are known. It returns
// nil where too little is the same to spare anything.
func Spare(version *Source, known []facts.Symbol, src *Source) *Spared {
	if src.Language == nil || src.Language != version.Language || !apart[src.Language.Name] {
		return nil
	}
	text, m := src.Text, newMoves(version.Text, src.Text)
	same := alikeOpen(m.outermost(declarations(known, version.Text)), version, src)
	s := &Spared{size: len(text), known: known, same: same, open: src.Language.Name == "php"}
	out, lines := 0, 0
	for i := range same {
		out += same[i].to - same[i].from
	}
	if leastSpared*out < len(text) {
		return nil
	}
	s.Rest = make([]byte, 0, len(text)-out)
	at := 0
	for i := range same {
		one := &same[i]
		s.Rest = append(s.Rest, text[at:one.at]...)
		at = one.at + one.to - one.from
		lines += bytes.Count(text[one.at:at], []byte{'\n'})
		one.cut, one.linesOut = len(s.Rest), lines
		one.bytesOut = at - len(s.Rest)
	}
	s.Rest = append(s.Rest, text[at:]...)
	s.still = m.others(known, same)
	return s
}

// apart are the languages in which a declaration reads alike whatever stands before it. In
// Kotlin what an annotation belongs to depends on it, as the grammar reads it. Go is parsed
// as fast as it is compared.
var apart = map[string]bool{
	"javascript": true, "php": true, "python": true, "ruby": true, "rust": true, "typescript": true,
}

// declarations returns the outermost declarations of a version, and those of types and
// modules, that take whole lines and stand apart from what is before them.
func declarations(known []facts.Symbol, version []byte) (all []stretch) {
	holds := scattered(known)
	holders := make([]int, len(known))
	for i := range known {
		s := &known[i]
		if s.Parent != facts.None {
			holders[i] = holders[s.Parent] + 1
		}
		if holders[i] > mostHolders || s.Kind == code.KindParam || s.Kind == code.KindTypeParam || holds[s.Parent] ||
			s.Parent != facts.None && (s.Owner != "" || !known[s.Parent].Kind.IsType()) {
			continue
		}
		d := newDeclaration(s, 0)
		one := stretch{first: i, end: i + 1, from: d.from, to: d.to}
		for one.end < len(known) && int(known[one.end].Start) < one.to && int(known[one.end].Parent) >= i {
			one.end++
		}
		if s.Parent != facts.None && int(known[s.Parent].End) <= one.to {
			continue // it ends its holder, as the last method of a class in Python
		}
		if one.to > len(version) || one.to-one.from < leastStretch || !standsAlone(version, &one) ||
			one.end < len(known) && newDeclaration(&known[one.end], 0).from < one.to {
			continue
		}
		all = append(all, one)
	}
	return all
}

// scattered are the symbols that hold others which are declared within a third, such as
// fields by what a constructor sets; facts.None stands for the file. Which place declares
// them depends on all of the holder.
func scattered(all []facts.Symbol) map[int32]bool {
	found := map[int32]bool{}
	var open []int32
	for i := range all {
		for len(open) > 0 && all[open[len(open)-1]].End <= all[i].Start {
			open = open[:len(open)-1]
		}
		within := int32(facts.None)
		if len(open) > 0 {
			within = open[len(open)-1]
		}
		if within != all[i].Parent {
			found[all[i].Parent] = true
		}
		open = append(open, int32(i))
	}
	return found
}

// standsAlone reports whether nothing else stands on the lines of a declaration, but for
// a semicolon that is taken to it, and whether the line before is the end of something.
func standsAlone(text []byte, s *stretch) bool {
	before := bytes.TrimRight(text[:s.from], " \t")
	if len(before) > 0 && before[len(before)-1] != '\n' {
		return false
	}
	before = bytes.TrimRight(bytes.TrimSuffix(before, []byte{'\n'}), " \t\r")
	if len(before) > 0 && !bytes.ContainsRune([]byte("\n{};"), rune(before[len(before)-1])) {
		return false
	}
	end := blanksEnd(text, s.to)
	if end < len(text) && text[end] == ';' {
		s.to = end + 1
		end = blanksEnd(text, s.to)
	}
	return end == len(text) || text[end] == '\n'
}

// blanksEnd returns where the blanks from a byte on end.
func blanksEnd(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// moves finds lines of one version in another.
type moves struct {
	version, text []byte
	starts, there []int    // of the lines of both
	solid         [2][]int // of each line of the version, from 1, the last one up to it that is not blank, 0 for none, and the first one from it on
	hunks         []Hunk
	shifts        []int // lines further down in the text, behind so many hunks
}

func newMoves(version, text []byte) *moves {
	m := &moves{version: version, text: text, starts: lineStarts(version), there: lineStarts(text), hunks: Lines(version, text), shifts: []int{0}}
	lines := len(m.starts)
	m.solid = [2][]int{make([]int, lines+2), make([]int, lines+2)}
	m.solid[1][lines+1] = lines + 1
	for i := range lines {
		m.solid[0][i+1] = m.solid[0][i]
		if m.isSolid(i + 1) {
			m.solid[0][i+1] = i + 1
		}
	}
	for i := lines; i > 0; i-- {
		m.solid[1][i] = m.solid[1][i+1]
		if m.isSolid(i) {
			m.solid[1][i] = i
		}
	}
	for i, h := range m.hunks {
		m.shifts = append(m.shifts, m.shifts[i]+h.NewLines-h.OldLines)
	}
	return m
}

// isSolid reports whether a line of the version is not blank.
func (m *moves) isSolid(line int) bool {
	end := blanksEnd(m.version, m.starts[line-1])
	return end < len(m.version) && m.version[end] != '\n'
}

// find says where a stretch is in the text, if its lines are the same there, and those
// around it as far as one that is not blank: an attribute may stand before it, and more of
// a class behind it.
func (m *moves) find(s *stretch) bool {
	first, last := sort.SearchInts(m.starts, s.from+1), sort.SearchInts(m.starts, s.to)
	before, behind := m.solid[0][first-1], m.solid[1][last+1]
	n := sort.Search(len(m.hunks), func(i int) bool { return m.hunks[i].Old+m.hunks[i].OldLines > before })
	if n < len(m.hunks) && m.hunks[n].Old <= behind {
		return false
	}
	s.lines = m.shifts[n]
	s.at = start(m.there, first+s.lines) + s.from - m.starts[first-1]
	return true
}

// outermost returns those of declarations that are in the text, without what they hold.
func (m *moves) outermost(all []stretch) []stretch {
	kept, end := all[:0], 0
	for _, s := range all {
		if s.from >= end && m.find(&s) && bytes.HasPrefix(m.text[min(s.at, len(m.text)):], m.version[s.from:s.to]) {
			kept, end = append(kept, s), s.to
		}
	}
	return kept
}

// others returns the symbols whose lines are in the text as they were, in no stretch.
func (m *moves) others(known []facts.Symbol, same []stretch) (all []stretch) {
	for i := 0; i < len(known); i++ {
		if len(same) > 0 && same[0].first == i {
			i, same = same[0].end-1, same[1:]
			continue
		}
		d := newDeclaration(&known[i], 0)
		one := stretch{first: i, end: i + 1, from: d.from, to: min(d.to, len(m.version))}
		if one.from < one.to && m.find(&one) {
			all = append(all, one)
		}
	}
	return all
}

// alikeOpen returns the stretches at whose beginning as many brackets are open in both
// versions, and no comment or literal.
func alikeOpen(all []stretch, version, src *Source) []stretch {
	before := open(all, version, func(s *stretch) int { return s.from })
	now := open(all, src, func(s *stretch) int { return s.at })
	kept := all[:0]
	for i, s := range all {
		if before[i] == now[i] && before[i] >= 0 {
			kept = append(kept, s)
		}
	}
	return kept
}

// open counts the brackets that are open where stretches begin, -1 within a comment or
// a literal.
func open(all []stretch, src *Source, begins func(*stretch) int) []int {
	counts := make([]int, len(all))
	text, quiet := src.Text, src.quiet
	depth, at := 0, 0
	for i := range all {
		to := begins(&all[i])
		for at < to {
			if len(quiet) > 0 && quiet[0].Start <= at {
				at = max(at, quiet[0].End)
				quiet = quiet[1:]
				continue
			}
			switch text[at] {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
			at++
		}
		counts[i] = depth
		if at > to {
			counts[i] = -1
		}
	}
	return counts
}

// Symbols returns those of the whole text, by what was parsed of the rest. ok is false
// where the rest may mean something else by itself: the text is to be parsed as a whole.
func (s *Spared) Symbols(parsed *facts.File) (all []facts.Symbol, ok bool) {
	rest := s.placed(parsed.Symbols)
	if len(parsed.Errors) > 0 || !s.found(rest) || s.opens(parsed.Symbols) {
		return nil, false
	}
	holds, several := scattered(rest), repeated(s.known)
	place := make([]int32, len(rest)) // in all
	var within []int32                // of parsed, those that are open
	taken := map[naming]bool{}        // by stretches
	next := 0
	for i := range len(rest) + 1 {
		to := s.size + 1
		if i < len(rest) {
			to = int(rest[i].Start)
		}
		for ; next < len(s.same) && s.same[next].at < to; next++ {
			one := &s.same[next]
			within = closed(within, rest, one.at)
			parent := int32(facts.None)
			if len(within) > 0 {
				parent = within[len(within)-1]
			}
			if holds[parent] || !alikeHeld(&s.known[one.first], s.known, parent, rest) {
				return nil, false
			}
			all = s.join(all, one, parent, place)
			if symbol := &s.known[one.first]; !several[naming{symbol.Parent, symbol.Owner, symbol.Name}] {
				taken[naming{parent, symbol.Owner, symbol.Name}] = true
			}
		}
		if i == len(rest) {
			break
		}
		symbol := rest[i]
		within = append(closed(within, rest, to), int32(i))
		if symbol.Parent != facts.None {
			symbol.Parent = place[symbol.Parent]
		}
		place[i] = int32(len(all))
		all = append(all, symbol)
	}
	for i := range rest {
		if symbol := &rest[i]; taken[naming{symbol.Parent, symbol.Owner, symbol.Name}] {
			return nil, false // it may be declared once, by the first of two
		}
	}
	return all, true
}

// opens reports whether the rest has a module without an end that is not the first of the
// text: what it holds depends on what is before it.
func (s *Spared) opens(rest []facts.Symbol) bool {
	for i := range rest {
		closed := !s.open || bytes.HasSuffix(s.Rest[:rest[i].End], []byte("}"))
		if rest[i].Kind == code.KindModule && !closed && (i > 0 || s.same[0].cut <= int(rest[i].Start) || len(s.still) == 0 || s.still[0].first > 0) {
			return true
		}
	}
	return false
}

// placed returns the symbols of the rest as they stand in the whole text.
func (s *Spared) placed(rest []facts.Symbol) []facts.Symbol {
	all := slices.Clone(rest)
	for i := range all {
		symbol := &all[i]
		symbol.Line += s.before(symbol.At).lines
		symbol.EndLine += s.before(symbol.End - 1).lines
		starts, ends := []*uint32{&symbol.At, &symbol.Start, &symbol.SigStart}, []*uint32{&symbol.End, &symbol.SigEnd}
		if symbol.DocEnd > symbol.DocStart {
			starts, ends = append(starts, &symbol.DocStart), append(ends, &symbol.DocEnd)
		}
		for _, at := range starts {
			*at += s.before(*at).bytes
		}
		for _, end := range ends {
			*end += s.before(max(*end, 1) - 1).bytes
		}
	}
	return all
}

// left is what was left out of a text.
type left struct{ bytes, lines uint32 }

// before returns what was left out before a byte of the rest.
func (s *Spared) before(at uint32) left {
	n := sort.Search(len(s.same), func(i int) bool { return s.same[i].cut > int(at) })
	if n == 0 {
		return left{}
	}
	return left{uint32(s.same[n-1].bytesOut), uint32(s.same[n-1].linesOut)}
}

// found reports whether the rest of a text still declares what is the same there.
func (s *Spared) found(parsed []facts.Symbol) bool {
	next := 0
	for i := range s.still {
		want := s.still[i].moved(s.known[s.still[i].first])
		for next < len(parsed) && parsed[next].Start < want.Start {
			next++
		}
		k := next
		for k < len(parsed) && parsed[k].Start == want.Start && !alikePlaced(&parsed[k], &want) {
			k++
		}
		if k == len(parsed) || parsed[k].Start != want.Start {
			return false
		}
	}
	return true
}

// alikePlaced reports whether two symbols are the same one of a text.
func alikePlaced(a, b *facts.Symbol) bool {
	return a.Name == b.Name && a.Kind == b.Kind && a.Owner == b.Owner && a.Place == b.Place && a.End == b.End &&
		a.SigEnd == b.SigEnd && a.DocStart == b.DocStart && a.DocEnd == b.DocEnd && (a.Flags^b.Flags)&facts.Local == 0
}

// moved returns a symbol of a stretch as it is in the text.
func (s *stretch) moved(symbol facts.Symbol) facts.Symbol {
	shift := uint32(s.at - s.from)
	for _, at := range []*uint32{&symbol.At, &symbol.Start, &symbol.End, &symbol.SigStart, &symbol.SigEnd} {
		*at += shift
	}
	if symbol.DocEnd > symbol.DocStart {
		symbol.DocStart += shift
		symbol.DocEnd += shift
	}
	symbol.Line += uint32(s.lines)
	symbol.EndLine += uint32(s.lines)
	return symbol
}

// closed drops the symbols that end before a byte.
func closed(within []int32, all []facts.Symbol, at int) []int32 {
	for len(within) > 0 && int(all[within[len(within)-1]].End) <= at {
		within = within[:len(within)-1]
	}
	return within
}

// alikeHeld reports whether a known symbol is held by one like that which holds it now.
func alikeHeld(s *facts.Symbol, known []facts.Symbol, parent int32, parsed []facts.Symbol) bool {
	if s.Parent == facts.None || parent == facts.None {
		return s.Parent == parent
	}
	before, now := &known[s.Parent], &parsed[parent]
	return before.Name == now.Name && before.Kind == now.Kind && before.Flags == now.Flags
}

// naming is a name and what holds it.
type naming struct {
	parent      int32
	owner, name string
}

// repeated are the names that several symbols of one holder have.
func repeated(all []facts.Symbol) map[naming]bool {
	found := make(map[naming]bool, len(all))
	for i := range all {
		n := naming{all[i].Parent, all[i].Owner, all[i].Name}
		_, again := found[n]
		found[n] = again
	}
	return found
}

// join adds the symbols of a stretch that a symbol of the parsed ones holds.
func (s *Spared) join(all []facts.Symbol, one *stretch, parent int32, place []int32) []facts.Symbol {
	first := len(all)
	for i, symbol := range s.known[one.first:one.end] {
		switch {
		case i > 0:
			symbol.Parent += int32(first - one.first)
		case parent != facts.None:
			symbol.Parent = place[parent]
		}
		symbol = one.moved(symbol)
		symbol.Type = facts.None // an expression of the known version
		all = append(all, symbol)
	}
	return all
}
