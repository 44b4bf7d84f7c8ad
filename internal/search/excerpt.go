package search

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"espy/internal/ascii"
	"espy/internal/segment"
	"espy/internal/token"
)

// excerptLines is how many lines of a hit DetailLines shows.
const excerptLines = 12

// lineOverhead is what a shown line costs beside its text: its number and its end.
const lineOverhead = 8

// definitionBonus is the worth of a line that defines something, as a part of
// the mass of all query terms; one whose name answers the query is worth all of it.
const definitionBonus = 0.15

// heavy returns the terms of the query that occur, the heaviest first.
func (c *collection) heavy() (terms []string, mass []float64) {
	var order []int
	for i, w := range c.terms {
		if w.files > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.terms[b].chunk, c.terms[a].chunk) })
	for _, i := range order {
		terms = append(terms, c.query.Terms[i].Text)
		mass = append(mass, c.terms[i].chunk)
	}
	return terms, mass
}

// named returns the terms of the query that are sought in names, compounds aside.
func (c *collection) named() map[string]bool {
	named := map[string]bool{}
	for _, t := range c.query.Terms {
		if !t.Compound() && !t.Hint() {
			named[t.Text] = true
		}
	}
	return named
}

// excerpts cuts what is shown of the hits of one answer.
type excerpts struct {
	*plan
	lens     *lens           // nil where nothing is shown
	named    map[string]bool // terms that are sought in names
	cache    segment.TextCache
	passages []*passage // by hit; nil where nothing is shown
}

func (k *keywords) newExcerpts() *excerpts {
	e := &excerpts{plan: k.plan}
	if k.Detail != DetailLocate {
		e.lens, e.named = newLens(k.heavy()), k.named()
	}
	return e
}

// add reads the text of the next hit and ranks its lines.
func (e *excerpts) add(m *match, h *Hit) error {
	if e.Detail == DetailLocate || m.chunk < 0 {
		e.passages = append(e.passages, nil)
		return nil
	}
	c := m.seg.Chunk(m.chunk)
	text, err := m.seg.TextRange(m.file, int(c.Start), int(c.End), &e.cache)
	if err != nil {
		return err
	}
	p := newPassage(bytes.Clone(text), h.StartLine, e.lens, e.worth(m, c))
	if e.Detail == DetailLines {
		p.keep(excerptLines)
	}
	e.passages = append(e.passages, p)
	return nil
}

// worth returns what the lines of a chunk that define something are worth
// beside their words.
func (e *excerpts) worth(m *match, c segment.ChunkInfo) map[int]float64 {
	worth := map[int]float64{}
	first, end := m.seg.DefinitionsOf(m.file)
	first += sort.Search(end-first, func(i int) bool { return m.seg.Definition(first+i).Line >= c.StartLine })
	if line := m.mentions[m.file].line; line > 0 {
		worth[line] = 2
	}
	if a, ok := m.asked[m.file]; ok && a.chunk == m.chunk {
		worth[int(a.Line)] = 2
	}
	exact, named := m.exact[m.file]
	for i := first; i < end; i++ {
		d := m.seg.Definition(i)
		if d.Line > c.EndLine {
			break
		}
		switch line := int(d.Line); {
		case named && exact.definition == i, e.answers(d.Name):
			worth[line] = max(worth[line], 1)
		case d.Kind.IsType() || d.Kind.IsFunc():
			worth[line] = max(worth[line], definitionBonus)
		}
	}
	return worth
}

// answers reports whether a term that is sought in names is in one.
func (e *excerpts) answers(name string) bool {
	return slices.ContainsFunc(splitWords(name), func(word string) bool {
		return slices.ContainsFunc(token.Analyze(word).Terms, func(t string) bool { return e.named[t] })
	})
}

// show fills in the lines of the hits within the budget of the request.
func (e *excerpts) show(hits []Hit) {
	needs := make([]int, len(hits))
	for i, p := range e.passages {
		if p != nil {
			needs[i] = p.cost(len(p.order))
		}
	}
	granted := needs
	if e.MaxTokens > 0 {
		granted = shares(needs, 4*e.MaxTokens)
	}
	for i, p := range e.passages {
		if p != nil {
			hits[i].Lines, hits[i].Cut = p.show(p.fit(granted[i]), e.lens)
		}
	}
}

// lens tells how much a word of text answers a query. It serves one query in
// one goroutine, for it remembers the words it saw.
type lens struct {
	terms map[string]int // index by term, stems and compounds
	mass  []float64      // by index
	total float64
	words map[string]uint64 // terms in each word seen, as bits
	heads [1024 / 64]uint64 // hashes of how terms begin, see may
	short bool              // a term is too short for heads
}

// maxLensTerms is how many terms a lens can tell apart.
const maxLensTerms = 64

// headBytes is how much of a word's part its stem keeps in any case.
const headBytes = 3

// newLens returns a lens for weighted terms, heaviest first.
func newLens(terms []string, mass []float64) *lens {
	l := &lens{terms: map[string]int{}, words: map[string]uint64{}}
	for i, t := range terms[:min(len(terms), maxLensTerms)] {
		l.terms[t] = i
		l.mass = append(l.mass, mass[i])
		l.total += mass[i]
		t = strings.TrimPrefix(t, "=")
		if len(t) < headBytes {
			l.short = true
			continue
		}
		h := headHash(t[0], t[1], t[2])
		l.heads[h/64] |= 1 << (h % 64)
	}
	return l
}

func headHash(a, b, c byte) uint32 {
	return (uint32(a) + uint32(b)*31 + uint32(c)*961) % 1024
}

// may reports whether a word can have a term of the query: some three bytes of
// it are how a term begins. It spares most words of a text the analysis.
func (l *lens) may(w []byte) bool {
	if l.short {
		return true
	}
	for i := 0; i < len(w); i++ {
		if w[i] >= utf8.RuneSelf {
			return true
		}
		if i+headBytes > len(w) {
			continue
		}
		h := headHash(ascii.Lower(w[i]), ascii.Lower(w[i+1]), ascii.Lower(w[i+2]))
		if l.heads[h/64]>>(h%64)&1 != 0 {
			return true
		}
	}
	return false
}

// word returns the terms in a word as bits.
func (l *lens) word(w []byte) uint64 {
	if !l.may(w) {
		return 0
	}
	set, seen := l.words[string(w)]
	if seen {
		return set
	}
	a := token.Analyze(string(w))
	if i, ok := l.terms[a.Compound]; ok {
		set |= 1 << i
	}
	for _, t := range a.Terms {
		if i, ok := l.terms[t]; ok {
			set |= 1 << i
		}
	}
	l.words[string(w)] = set
	return set
}

// line returns the mass of the distinct terms in a line.
func (l *lens) line(text []byte) float64 {
	var set uint64
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		set |= l.word(text[start:end])
	}
	sum := 0.0
	for ; set != 0; set &= set - 1 {
		sum += l.mass[bits.TrailingZeros64(set)]
	}
	return sum
}

// matches returns the ranges of the words of a line that answer the query.
func (l *lens) matches(text []byte) [][2]int {
	var found [][2]int
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		if l.word(text[start:end]) != 0 {
			found = append(found, [2]int{start, end})
		}
	}
	return found
}

// passage is the lines of one chunk in the order in which they tell most.
type passage struct {
	lines []([]byte) // of the chunk, without line ends
	first int        // number of the first
	order []int      // indexes into lines, most telling first; blank edges and silent lines are left out
}

// newPassage ranks the lines of a chunk's text that starts at line first.
// worth holds the worth beside its words of a line, as a part of the query's mass.
func newPassage(text []byte, first int, l *lens, worth map[int]float64) *passage {
	p := &passage{lines: splitLines(text), first: first}
	own := make([]float64, len(p.lines))
	for i, line := range p.lines {
		own[i] = l.line(line) + float64(worth[first+i]*max(l.total, 1))
	}
	score := make([]float64, len(own))
	for i, line := range p.lines {
		score[i] = own[i] + float64(0.3*(at(own, i-1)+at(own, i+1))) + float64(0.1*(at(own, i-2)+at(own, i+2)))
		if len(bytes.TrimSpace(line)) == 0 {
			score[i] /= 2
		}
		p.order = append(p.order, i)
	}
	slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return p
}

func at(values []float64, i int) float64 {
	if i < 0 || i >= len(values) {
		return 0
	}
	return values[i]
}

// splitLines cuts a text at its line ends. The end of the last line begins no further one.
func splitLines(text []byte) [][]byte {
	var lines [][]byte
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		lines = append(lines, bytes.TrimSuffix(line, []byte("\r")))
	}
	return lines
}

// keep limits the passage to its n most telling lines and closes gaps of one
// line among them as long as that leaves n.
func (p *passage) keep(n int) {
	if len(p.order) <= n {
		return
	}
	taken := make([]bool, len(p.lines)+1)
	var kept []int
	for _, i := range p.order {
		if len(kept) == n {
			break
		}
		if taken[i] {
			continue
		}
		taken[i] = true
		kept = append(kept, i)
		for _, gap := range [2]int{i - 1, i + 1} {
			if bridges(taken, gap) && len(kept) < n {
				taken[gap] = true
				kept = append(kept, gap)
			}
		}
	}
	p.order = kept
}

// bridges reports whether line i is missing between two that are taken.
func bridges(taken []bool, i int) bool {
	return i > 0 && i+1 < len(taken) && !taken[i] && taken[i-1] && taken[i+1]
}

// cost is the bytes that the first n lines in order take when shown.
func (p *passage) cost(n int) int {
	sum := 0
	for _, i := range p.order[:n] {
		sum += min(len(p.lines[i]), MaxLineBytes) + lineOverhead
	}
	return sum
}

// fit returns how many lines in order fit in a number of bytes, at least one.
func (p *passage) fit(limit int) int {
	n, sum := 0, 0
	for n < len(p.order) {
		sum += min(len(p.lines[p.order[n]]), MaxLineBytes) + lineOverhead
		if sum > limit && n > 0 {
			break
		}
		n++
	}
	return n
}

// show returns the first n lines in order, by line number, without blank lines
// at the edges of what is shown together.
func (p *passage) show(n int, l *lens) (lines []Line, cut bool) {
	chosen := slices.Clone(p.order[:n])
	slices.Sort(chosen)
	for k, i := range chosen {
		if len(bytes.TrimSpace(p.lines[i])) == 0 && p.edge(chosen, k) {
			continue
		}
		text := p.lines[i]
		lines = append(lines, copyLine(p.first+i, text, 0, len(text), l.matches(text)))
	}
	return lines, p.leavesOut(chosen)
}

// edge reports whether the k-th chosen line stands first or last of a run, or
// next to another blank line.
func (p *passage) edge(chosen []int, k int) bool {
	i := chosen[k]
	before := k > 0 && chosen[k-1] == i-1
	after := k+1 < len(chosen) && chosen[k+1] == i+1
	return !before || !after || len(bytes.TrimSpace(p.lines[i+1])) == 0
}

// leavesOut reports whether some line that is not blank is not chosen.
func (p *passage) leavesOut(chosen []int) bool {
	k := 0
	for i, line := range p.lines {
		if k < len(chosen) && chosen[k] == i {
			k++
		} else if len(bytes.TrimSpace(line)) > 0 {
			return true
		}
	}
	return false
}

// shares divides a number of bytes over hits that would like needs bytes each:
// earlier ones may have more, and what one leaves goes to those after it.
func shares(needs []int, total int) []int {
	weights := 0.0
	for i := range needs {
		weights += shareWeight(i)
	}
	out := make([]int, len(needs))
	for i, need := range needs {
		out[i] = min(need, int(float64(total)*shareWeight(i)/weights))
		total -= out[i]
		weights -= shareWeight(i)
	}
	for i, need := range needs { // what the last ones left
		more := min(need-out[i], total)
		out[i] += more
		total -= more
	}
	return out
}

func shareWeight(i int) float64 { return 1 / (1 + float64(i)/5) }
