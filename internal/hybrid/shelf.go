package hybrid

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/locate"
	"espy/internal/redact"
	"espy/internal/resolve/corpus"
)

// Unit is a declaration, or a part of a file that has none.
type Unit struct {
	Path        string
	First, Last int    // lines; First is that of its documentation
	Name        string // of what it declares; that of the file where it declares nothing
	Kind        code.Kind
	Impl        bool   // a block of methods of Rust: Name is "impl T" or "impl Trait for T"
	Whole       bool   // nothing is declared here
	Language    string // of its file
	Doc         string // its documentation, comment marks taken off
	Lines       []string
	Score       float64
}

// place is where a unit is.
type place struct {
	path        string
	first, last int
}

func (p place) compare(o place) int {
	return cmp.Or(strings.Compare(p.path, o.path), cmp.Compare(p.first, o.first), cmp.Compare(p.last, o.last))
}

// shelf cuts the files of one state of a repository into units.
type shelf struct {
	ask     *locate.Ask
	kept    *kept
	words   []string // of the query, lower case
	secrets bool     // are shown
}

// kept are files that questions to one state have cut.
type kept struct {
	mu    sync.Mutex
	files map[string]*contents // by path, guarded by mu
	bytes int                  // of their texts, guarded by mu
}

// maxKept bounds the texts of the files that are kept, in bytes.
const maxKept = 8 << 20

func newShelf(a *locate.Ask, req *Request, secrets bool) *shelf {
	k := locate.Keep(a, func() (*kept, bool) { return &kept{files: map[string]*contents{}}, true })
	return &shelf{ask: a, kept: k, words: wordsOf(req.Query), secrets: secrets}
}

// contents are the units of a file. They are shared: do not change them.
type contents struct {
	file     corpus.FileID
	text     []byte
	starts   []int // bytes at which lines begin, and the end
	units    []unit
	language string
}

// unit is a declaration as lines of its file.
type unit struct {
	first, last int
	name        string
	kind        code.Kind
	impl        bool
	symbol      int32 // None where only the outline or the text knows it
	inner       bool  // another unit stands in it
	end         int   // the last line that counts: of one that is too long to be one, that before what stands in it
}

// longUnit is how many bytes a declaration may have that others stand in: of a longer
// one only what stands before them is a unit.
const longUnit = 1536

// maxInChunk bounds the units that one chunk gives.
const maxInChunk = 3

// units are the places of the units that hits are about, in the order of the hits. Of
// a chunk that holds several they are those that say most of the query: the best one,
// or with all, every one that says all of it.
func (s *shelf) units(hits []hit.Hit, all bool) (list []place, err error) {
	for i := range hits {
		h := &hits[i]
		c, err := s.open(h.Path)
		if err != nil {
			return nil, err
		}
		if c == nil { // it is gone since
			continue
		}
		found := s.choose(c, h.StartLine, h.EndLine)
		if !all {
			found = found[:1]
		}
		for _, u := range found {
			list = append(list, place{h.Path, u.first, u.end})
		}
	}
	return list, nil
}

// choose returns the unit of a chunk, lines first to last, that says most of the query,
// and those that say as much where that is every word of it. Where none says a word of
// it the lines that do are the unit, else one that does not.
func (s *shelf) choose(c *contents, first, last int) (best []unit) {
	most := 0
	for _, u := range c.units {
		if u.end < first || u.first > last {
			continue
		}
		switch n := s.says(c, u, max(u.first, first), min(u.end, last)); {
		case n > most:
			best, most = []unit{u}, n
		case n == most && n > 0:
			best = append(best, u)
		}
	}
	best = slices.DeleteFunc(best, func(u unit) bool {
		return u.inner && slices.ContainsFunc(best, func(o unit) bool { return o != u && u.first <= o.first && o.end <= u.end })
	})
	switch {
	case len(best) > 0 && s.saysAll(c, best[0]):
		return best[:min(len(best), maxInChunk)]
	case len(best) > 0:
		return best[:1]
	}
	if from, to := s.spoken(c, first, last); from > 0 {
		return []unit{{first: from, last: to, end: to, symbol: facts.None}}
	}
	return []unit{c.silent(first, last)}
}

// spoken are the first and the last line of a chunk in which words of the query stand,
// 0 for none.
func (s *shelf) spoken(c *contents, first, last int) (from, to int) {
	for n := first; n <= last; n++ {
		if s.says(c, unit{}, n, n) == 0 {
			continue
		}
		if to = n; from == 0 {
			from = n
		}
	}
	return from, to
}

// silent is the unit of a chunk in which no word of the query stands: the first that
// begins in it, else the innermost round it, else the chunk.
func (c *contents) silent(first, last int) unit {
	around := -1
	for i, u := range c.units {
		if u.first >= first && u.first <= last {
			return u
		}
		if u.first <= first && u.end >= first {
			around = i
		}
	}
	if around >= 0 {
		return c.units[around]
	}
	return unit{first: first, last: last, end: last}
}

// says counts the words of the query in lines of a unit, those in its name twice.
func (s *shelf) says(c *contents, u unit, first, last int) (n int) {
	text, name := strings.ToLower(string(c.lines(first, last))), strings.ToLower(u.name)
	for _, w := range s.words {
		if strings.Contains(name, w) {
			n++
		}
		if strings.Contains(text, w) {
			n++
		}
	}
	return n
}

// saysAll reports whether every word of the query stands in a unit.
func (s *shelf) saysAll(c *contents, u unit) bool {
	text := strings.ToLower(u.name + "\n" + string(c.lines(u.first, u.end)))
	return !slices.ContainsFunc(s.words, func(w string) bool { return !strings.Contains(text, w) })
}

// lines is the text of lines.
func (c *contents) lines(first, last int) []byte {
	last = min(last, len(c.starts)-1)
	if first > last {
		return nil
	}
	return c.text[c.starts[first-1]:c.starts[last]]
}

// open returns a file cut into units, nil where it is not in the index any more.
func (s *shelf) open(name string) (*contents, error) {
	if c := s.kept.of(name); c != nil {
		return c, nil
	}
	c, err := s.cut(name)
	if c != nil {
		s.kept.keep(name, c)
	}
	return c, err
}

func (k *kept) of(name string) *contents {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.files[name]
}

// keep keeps a file; where they become too many, alone.
func (k *kept) keep(name string, c *contents) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bytes += len(c.text); k.bytes > maxKept {
		clear(k.files)
		k.bytes = len(c.text)
	}
	k.files[name] = c
}

// cut cuts a file into units.
func (s *shelf) cut(name string) (*contents, error) {
	f, ok := s.ask.Corpus.Find(name)
	if !ok {
		return nil, nil
	}
	text, err := s.ask.Text(f)
	if err != nil {
		return nil, err
	}
	c := &contents{file: f, text: slices.Clone(text), starts: []int{0}, language: s.ask.Corpus.Language(f)}
	for line := range bytes.Lines(c.text) {
		c.starts = append(c.starts, c.starts[len(c.starts)-1]+len(line))
	}
	c.declared(s.ask)
	if c.language == "rust" {
		for _, b := range impls(c.text) {
			c.units = append(c.units, unit{first: c.lineOf(b.start), last: c.lineOf(b.end), name: b.name, impl: true, symbol: facts.None})
		}
	}
	if len(c.units) == 0 {
		c.outlined(s.ask)
	}
	c.nest()
	return c, nil
}

// declared adds what the facts of the file declare.
func (c *contents) declared(a *locate.Ask) {
	f := a.File(c.file)
	for i := range f.NumSymbols() {
		bare := f.BareSymbol(i)
		if !isUnit(&bare) {
			continue
		}
		s := f.Symbol(i)
		start := s.Start
		if s.DocStart < s.DocEnd {
			start = min(start, s.DocStart)
		}
		c.units = append(c.units, unit{first: c.lineOf(start), last: max(int(s.EndLine), int(s.Line)), name: s.Name, kind: s.Kind, symbol: int32(i)})
	}
}

// isUnit reports whether a declaration is one to find: not what stands in functions,
// nor fields, nor what is declared elsewhere.
func isUnit(s *facts.Symbol) bool {
	switch {
	case !label.Solid(s), s.Flags&facts.Reexport != 0, s.Kind == code.KindModule && s.Flags&facts.Abstract != 0:
		return false
	case s.Kind.IsFunc(), s.Kind.IsType():
		return true
	}
	return (s.Kind == code.KindConst || s.Kind == code.KindVar) && s.Parent == facts.None
}

// lineOf is the line that holds a byte.
func (c *contents) lineOf(at uint32) int {
	i, found := slices.BinarySearch(c.starts, int(at))
	if found {
		i++
	}
	return max(i, 1)
}

// outlined adds what was found line by line.
func (c *contents) outlined(a *locate.Ask) {
	all, lines := a.Corpus.Definitions(c.file), locate.LinesOf(c.text)
	for i, d := range all {
		if d.Kind == code.KindField || d.Kind == code.KindKey {
			continue
		}
		c.units = append(c.units, unit{first: int(d.Line), last: lines.End(all, i), name: d.Name, kind: d.Kind, symbol: facts.None})
	}
}

// nest sorts the units, and cuts the long ones that others stand in.
func (c *contents) nest() {
	slices.SortStableFunc(c.units, func(a, b unit) int { return place{"", a.first, -a.last}.compare(place{"", b.first, -b.last}) })
	for i := range c.units {
		u := &c.units[i]
		u.end = u.last
		if i+1 == len(c.units) || c.units[i+1].first > u.last {
			continue
		}
		u.inner = true
		if next := c.units[i+1].first; len(c.lines(u.first, u.last)) > longUnit && next > u.first {
			u.end, u.inner = next-1, false
		}
	}
}

// show describes the unit at a place.
func (s *shelf) show(p place, preview int) (Unit, error) {
	out := Unit{Path: p.path, First: p.first, Last: p.last, Name: path.Base(p.path), Whole: true}
	c, err := s.open(p.path)
	if err != nil || c == nil {
		return out, err
	}
	out.Language = c.language
	part := redact.Part{Path: p.path, Text: c.text}
	for n := p.first; n < p.first+preview && n <= p.last && n < len(c.starts); n++ {
		line := c.text[c.starts[n-1]:c.starts[n]]
		if !s.secrets {
			line = part.Show(c.starts[n-1], c.starts[n])
		}
		out.Lines = append(out.Lines, strings.TrimRight(string(line), "\r\n"))
	}
	for _, u := range c.units {
		if u.first != p.first || u.end != p.last {
			continue
		}
		out.Name, out.Kind, out.Impl, out.Whole = u.name, u.kind, u.impl, false
		if u.symbol != facts.None {
			d, err := s.ask.Declared(corpus.Ref{File: c.file, Index: u.symbol})
			if err != nil {
				return out, err
			}
			out.Doc = d.Doc
			if !s.secrets {
				out.Doc = redact.String(p.path, d.Doc)
			}
		}
		break
	}
	return out, nil
}
