package similar

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"espy/internal/facts"
	"espy/internal/filter"
	"espy/internal/label"
	"espy/internal/lang"
	names "espy/internal/nearest"
	"espy/internal/place"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/similar/shingle"
	"espy/internal/store"
	"espy/internal/usage"
)

// ParsePlace reads "PATH", "PATH:LINE", "PATH:FIRST-LAST", "PATH:FIRST-" and
// "PATH#SYMBOL", the path as place.Name wrote it. What may be read in several ways
// is read so that its path is a file, the whole text first.
func ParsePlace(text string, isFile func(path string) bool) *Place {
	whole := place.ParseName(text)
	lines, ok := place.Parse(text)
	switch file, symbol, named := place.CutID(text, func(p string) bool { return isFile(place.ParseName(p)) }); {
	case isFile(whole):
		return &Place{Path: whole}
	case ok && isFile(lines.Path):
	case named:
		return &Place{Path: place.ParseName(file), Symbol: symbol}
	}
	return &Place{Path: lines.Path, First: lines.First, Last: lines.Last}
}

// MaxSnippet is the most bytes of a snippet.
const MaxSnippet = 1 << 20

// maxTokens bounds the tokens that others are compared with: about a thousand lines.
const maxTokens = 10_000

// checkCode refuses a request that has no code.
func (r *Request) checkCode() error {
	switch {
	case r.Place == nil && strings.TrimSpace(r.Snippet) == "":
		return &usage.Error{Msg: "neither a snippet nor a place is given", Hint: "give code, or a place such as path/file.go:10-40 or path/file.go#Name"}
	case r.Place != nil && r.Snippet != "":
		return &usage.Error{Msg: "both a snippet and a place are given", Hint: "give only one of them"}
	case len(r.Snippet) > MaxSnippet:
		return &usage.Error{Msg: fmt.Sprintf("the snippet has %d bytes, more than the limit of %d", len(r.Snippet), MaxSnippet), Hint: "give a function or a part of it"}
	case strings.ContainsRune(r.Snippet, 0):
		return &usage.Error{Msg: "the snippet is binary", Hint: "give the text of the code"}
	case r.Place != nil && r.Place.Last > 0 && r.Place.Last < r.Place.First:
		return &usage.Error{Msg: fmt.Sprintf("line range %d-%d ends before it starts", r.Place.First, r.Place.Last), Hint: fmt.Sprintf("write %s:%d-%d", place.Name(r.Place.Path), r.Place.Last, r.Place.First)}
	}
	return nil
}

// asked is the code that others are compared with.
type asked struct {
	Source
	notes []string
	text  []byte
	line  int            // number of its first line
	ref   string         // of a place
	lang  *lang.Language // of a place; of a snippet nobody knows it

	mu       sync.Mutex
	patterns map[string]*shingle.Pattern // by language, guarded by mu
}

// codeOf returns the code that a request asks for.
func codeOf(r *Request, home *store.Snapshot) (*asked, error) {
	a := &asked{patterns: map[string]*shingle.Pattern{}, line: 1, text: []byte(r.Snippet)}
	if r.Place != nil {
		if err := a.read(home, *r.Place); err != nil {
			return nil, err
		}
	}
	a.First, a.Last = a.line, a.line+bytes.Count(bytes.TrimRight(a.text, "\r\n"), []byte{'\n'})
	tokens := shingle.Tokens(a.lang, a.text, a.line)
	if !slices.ContainsFunc(tokens, func(t shingle.Token) bool { return t.IsWord() }) {
		if a.Path != "" {
			return nil, &usage.Error{Msg: "there is no code in " + describe(place.Name(a.Path), a.First, a.Last), Hint: "give lines with more than comments and punctuation, or one line of a definition"}
		}
		return nil, &usage.Error{Msg: "the snippet has no word, only punctuation", Hint: "give a line of code or more"}
	}
	a.cut(tokens)
	return a, nil
}

// cut bounds the code.
func (a *asked) cut(tokens []shingle.Token) {
	if len(tokens) > maxTokens {
		last := tokens[maxTokens-1]
		a.text = a.text[:last.End]
		tokens = tokens[:maxTokens]
		whole := a.Last
		a.Last = int(last.LastLine)
		a.notes = append(a.notes, fmt.Sprintf("only lines %d-%d of %d-%d are compared: %d tokens are the limit", a.First, a.Last, a.First, whole, maxTokens))
	}
	a.Tokens = len(tokens)
}

// pattern returns the code as tokens to compare a file of a language with. That
// of a snippet is read like the file.
func (a *asked) pattern(language string) *shingle.Pattern {
	l := a.lang
	if a.Path == "" {
		l, _ = lang.ByName(language)
	}
	key := ""
	if l != nil {
		key = l.Name
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	p, ok := a.patterns[key]
	if !ok {
		p = shingle.NewPattern(shingle.Tokens(l, a.text, a.line))
		a.patterns[key] = p
	}
	return p
}

// own returns the lines of a file that are the place itself, 0 where none are.
func (a *asked) own(s *filter.Segment, path string) (first, last int) {
	if a.Path == "" || s.Snap.Name != a.Repo || s.Snap.Freshness.Ref != a.ref || path != a.Path {
		return 0, 0
	}
	return a.First, a.Last
}

// read reads the code of a place.
func (a *asked) read(s *store.Snapshot, p Place) error {
	p.Path = path.Clean(p.Path)
	seg, file, ok := s.Find(p.Path)
	if !ok {
		return missing(s, p.Path)
	}
	l := s.Segments[seg]
	text, err := l.Text(file, nil)
	if err != nil {
		return err
	}
	a.Repo, a.Path, a.ref = s.Name, p.Path, s.Freshness.Ref
	a.lang, _ = lang.ByName(l.Language(file))
	in := home{snap: s, seg: l, file: file, text: text}
	if err := in.find(&p, &a.Source); err != nil {
		return err
	}
	a.line = max(p.First, 1)
	a.text = bytes.Clone(in.lines(a.line, p.Last))
	return nil
}

// home is the file of a place.
type home struct {
	snap *store.Snapshot
	seg  store.Segment
	file int
	text []byte
}

// find fills in the lines of a place, and the symbol that they are.
func (h *home) find(p *Place, of *Source) error {
	total := h.seg.File(h.file).Lines
	switch {
	case p.Symbol != "":
		return h.symbol(p, of)
	case p.First > total:
		return &usage.Error{Msg: fmt.Sprintf("%s has %d lines, not %d", place.Name(p.Path), total, p.First), Hint: fmt.Sprintf("write %s:1-%d", place.Name(p.Path), total)}
	case p.First > 0 && p.First == p.Last:
		h.round(p, of)
	}
	if p.Last == 0 {
		p.Last = total
	}
	p.Last = min(p.Last, total)
	return nil
}

// round widens one line to the definition round it, else to its chunk.
func (h *home) round(p *Place, of *Source) {
	line := h.lines(p.First, p.First)
	at := offsetOf(h.text, p.First) + len(line) - len(bytes.TrimLeft(line, " \t"))
	known := h.facts(func(f *syn.File) bool { return h.be(p, of, f, label.Enclosing(f, uint32(at))) })
	if known {
		return
	}
	first, end := h.seg.ChunksOf(h.file)
	for c := first; c < end; c++ {
		if i := h.seg.Chunk(c); int(i.StartLine) <= p.First && p.First <= int(i.EndLine) {
			p.First, p.Last = int(i.StartLine), int(i.EndLine)
			return
		}
	}
}

// facts calls do with what the file was parsed to, and reports what it does; false
// where that is not known.
func (h *home) facts(do func(*syn.File) bool) (ok bool) {
	if h.seg.Syntax == nil {
		return false
	}
	err := segment.Guard(func() error {
		if h.seg.Syntax.State(h.file) == syn.Parsed {
			h.seg.Syntax.Look(h.file, func(f *syn.File) { ok = do(f) })
		}
		return nil
	})
	return ok && err == nil // a damaged part is as good as none
}

// be makes a place that of symbol i, and reports whether there is one.
func (h *home) be(p *Place, of *Source, f *syn.File, i int) bool {
	if i == facts.None {
		return false
	}
	s := f.Symbol(i)
	p.First, p.Last, of.Symbol = int(s.Line), int(s.EndLine), f.ID(p.Path, i)
	return true
}

// symbol finds the lines of a symbol by its name in the file.
func (h *home) symbol(p *Place, of *Source) error {
	if h.facts(func(f *syn.File) bool { return h.be(p, of, f, named(f, p)) }) {
		return nil
	}
	parts := facts.SplitName(p.Symbol)
	first, end := h.seg.DefinitionsOf(h.file)
	var known []string
	for d := first; d < end; d++ {
		info := h.seg.Definition(d)
		if len(parts) > 0 && info.Name == parts[len(parts)-1] && !h.facts(func(*syn.File) bool { return true }) {
			c := h.seg.Chunk(info.Chunk)
			p.First, p.Last = max(int(info.Line), int(c.StartLine)), int(c.EndLine)
			return nil
		}
		known = append(known, info.Name)
	}
	e := &usage.Error{Arg: "symbol", Value: p.Symbol, Msg: "not declared in " + place.Name(p.Path), Hint: "give lines instead, as in " + place.Name(p.Path) + ":10-40"}
	if near := names.Of(p.Symbol, known, 1); len(near) > 0 {
		e.Hint = "did you mean " + place.Name(p.Path) + "#" + near[0] + "?"
	}
	return e
}

// named returns the symbol of a file that a name means, None for none.
func named(f *syn.File, p *Place) int {
	if i := f.ByID(p.Symbol); i != facts.None {
		return i
	}
	parts := facts.SplitName(p.Symbol)
	if len(parts) == 0 {
		return facts.None
	}
	for i := range f.SymbolsNamed(parts[len(parts)-1]) {
		if f.Qualifies(p.Path, i, parts[:len(parts)-1]) {
			return i
		}
	}
	return facts.None
}

// lines returns lines of the file.
func (h *home) lines(first, last int) []byte {
	from := offsetOf(h.text, first)
	return h.text[from:max(from, offsetOf(h.text, last+1))]
}

// offsetOf returns where a line starts, the end of the text for one behind it.
func offsetOf(text []byte, line int) int {
	at := 0
	for n := 1; n < line; n++ {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}

// missing refuses a place in a file that is not in the index.
func missing(s *store.Snapshot, name string) error {
	for _, x := range s.Excluded() {
		if x.Path == name || x.Dir && strings.HasPrefix(name, x.Path+"/") {
			return &usage.Error{Msg: place.Name(name) + " is not in the index: " + x.Reason.Explain(), Hint: "give its code as a snippet"}
		}
	}
	var paths []string
	folder := false
	s.Each(func(seg, file int) bool {
		p := s.Segments[seg].Path(file)
		folder = folder || strings.HasPrefix(p, name+"/")
		if path.Base(p) == path.Base(name) || names.Distance(p, name) < 3 {
			paths = append(paths, p)
		}
		return true
	})
	if folder || name == "." {
		return &usage.Error{Msg: place.Name(name) + " is a folder", Hint: "give a file, lines of it as in path/file.go:10-40, or a symbol as in path/file.go#Name"}
	}
	e := &usage.Error{Msg: "no file " + place.Name(name) + " in the index of " + place.Name(s.Name), Hint: "paths are relative to the root of the repository"}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(names.Distance(a, name), names.Distance(b, name)), cmp.Compare(a, b))
	})
	if len(paths) > 0 {
		near := make([]string, min(len(paths), 3))
		for i := range near {
			near[i] = place.Name(paths[i])
		}
		e.Hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return e
}

// describe names lines of a file for a note.
func describe(path string, first, last int) string {
	return fmt.Sprintf("%s:%d-%d", path, first, last)
}
