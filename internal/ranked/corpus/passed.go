package corpus

import (
	"bytes"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/token"
)

// PassedOn is a line that gives others a name which its file takes from elsewhere.
type PassedOn struct {
	Segment  *Segment
	File     int
	Line     int
	From     string // the module, as written
	Unlikely int    // as of an exported type of such a file
}

// maxPassing bounds the chunks that are read for what passes a name on.
const maxPassing = 64

// PassesOn finds where files that mostly pass names on (`__init__.py`, `index.ts`, `mod.rs`)
// do so with a bare name, by the text of their statements, which needs no grammar.
func (c *Corpus) PassesOn(name string) (found []PassedOn, err error) {
	analyzed := token.Analyze(name)
	term := analyzed.Compound
	if term == "" && len(analyzed.Terms) == 1 {
		term = analyzed.Terms[0]
	}
	var cache segment.TextCache
	read := 0
	for _, s := range c.Segments {
		t, ok, err := s.Lookup(term)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		w := new(walker).begin(t)
		for _, file := range s.passing() {
			first, end := s.ChunksOf(file)
			for number, ok := w.reach(uint32(first)); ok && int(number) < end && read < maxPassing; number, ok = w.next() {
				read++
				chunk := s.Chunk(int(number))
				text, err := s.TextRange(file, int(chunk.Start), int(chunk.End), &cache)
				if err != nil {
					return nil, err
				}
				if at, from := passesOn(text, name); at >= 0 {
					symbol := facts.Symbol{Kind: code.KindType, Flags: facts.Exported}
					line := int(chunk.StartLine) + bytes.Count(text[:at], []byte("\n"))
					found = append(found, PassedOn{s, file, line, from, syn.Unlikely(&symbol, s.Class(file))})
				}
			}
		}
	}
	return found, nil
}

// passing returns the files of a segment that mostly pass names on, and that the query allows.
func (s *Segment) passing() []int {
	if s.passers == nil {
		s.passers = []int{}
		for file, t := range s.FileTraits()[:s.NumFiles()] {
			if t.Class.Has(code.ClassBarrel) && s.Allows(file) {
				s.passers = append(s.passers, file)
			}
		}
	}
	return s.passers
}

// statements are those that pass names on: the names of Rust with their path; those
// of TypeScript and JavaScript and their module; the module of Python and its names.
var statements = pattern.New(`(?m)^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+use[ \t]+([^;]+);|export[ \t]+(?:type[ \t]+)?\{([^}]*)\}\s*from[ \t]*['"]([^'"\n]+)|from[ \t]+(\S+)[ \t]+import[ \t]+(\([^)]*|[^\n(]+))`)

// passesOn returns where a text passes a name on, and the module that it comes from; -1
// where it does not.
func passesOn(text []byte, name string) (at int, from string) {
	for _, m := range statements().FindAllSubmatchIndex(text, -1) {
		group := func(i int) []byte { return text[m[2*i]:m[2*i+1]] }
		for _, names := range []int{1, 2, 5} {
			if m[2*names] < 0 {
				continue
			}
			list := group(names)
			at := listed(list, name)
			if at < 0 {
				continue
			}
			var from []byte
			switch names {
			case 1:
				from, _, _ = bytes.Cut(list[:at], []byte("{"))
				from = from[:max(bytes.LastIndex(from, []byte("::")), 0)]
			case 2:
				from = group(3)
			case 5:
				from = group(4)
			}
			return m[2*names] + at, string(from)
		}
	}
	return -1, ""
}

// listed returns where a list of names has one that others are given, -1 for nowhere: not
// one that goes by another name, nor one that others come from.
func listed(list []byte, name string) int {
	for start, end := token.NextWord(list, 0); start < end; start, end = token.NextWord(list, end) {
		rest := bytes.TrimLeft(list[end:], " \t\r\n")
		if string(list[start:end]) == name && !bytes.HasPrefix(rest, []byte("as ")) && !bytes.HasPrefix(rest, []byte("::")) {
			return start
		}
	}
	return -1
}
