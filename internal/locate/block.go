package locate

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// Block is a declaration as a run of lines.
type Block struct {
	ID    string
	Path  string
	Name  string // with that of what holds it: Type.method
	Kind  code.Kind
	First int // line: of its documentation or decorators, else of its declaration
	Line  int // of the name
	Head  int // last line of its signature
	Last  int
	Class code.Class // of its file
	Uses  int        // of its bare name in the index
}

// LineStarts are the bytes at which the lines of a file begin, and its end.
func (a *Ask) LineStarts(f corpus.FileID) ([]int, error) {
	if starts, ok := a.starts[f]; ok {
		return starts, nil
	}
	text, err := a.Text(f)
	if err != nil {
		return nil, err
	}
	starts := make([]int, 1, 2+bytes.Count(text, []byte("\n")))
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		starts = append(starts, at)
	}
	if a.starts == nil {
		a.starts = map[corpus.FileID][]int{}
	}
	a.starts[f] = append(starts, len(text)+1)
	return a.starts[f], nil
}

// BlockAt is the block that holds a line, or that begins in it.
func (a *Ask) BlockAt(f corpus.FileID, start, end int) (Block, error) {
	file := a.File(f)
	for i := file.SymbolsFrom(uint32(start)); i < file.NumSymbols() && int(file.BareSymbol(i).Start) < end; i++ {
		if IsBlock(a.Symbol(corpus.Ref{File: f, Index: int32(i)})) {
			return a.Block(corpus.Ref{File: f, Index: int32(i)})
		}
	}
	for i := range file.NumSymbols() { // the line may be documentation
		s := file.BareSymbol(i)
		if int(s.DocStart) < end && int(s.DocEnd) > start && s.DocEnd > s.DocStart && IsBlock(&s) {
			return a.Block(corpus.Ref{File: f, Index: int32(i)})
		}
	}
	at := int32(file.Enclosing(uint32(start)))
	if at == facts.None {
		at = int32(file.Enclosing(uint32(max(start, end-2))))
	}
	for ; at != facts.None; at = a.Symbol(corpus.Ref{File: f, Index: at}).Parent {
		if r := (corpus.Ref{File: f, Index: at}); IsBlock(a.Symbol(r)) {
			return a.Block(r)
		}
	}
	return Block{Path: a.Corpus.Path(f)}, nil
}

// IsBlock reports whether a symbol is shown as lines of its own.
func IsBlock(s *facts.Symbol) bool {
	return IsListed(s) && s.Kind != code.KindField && s.Kind != code.KindModule
}

func (a *Ask) Block(r corpus.Ref) (Block, error) {
	starts, err := a.LineStarts(r.File)
	if err != nil {
		return Block{}, err
	}
	s := a.Symbol(r)
	lineOf := func(at uint32) int {
		n, ok := slices.BinarySearch(starts, int(at))
		if ok {
			n++
		}
		return n
	}
	b := Block{
		ID: a.ID(r), Path: a.Corpus.Path(r.File), Name: strings.Join(a.File(r.File).Chain(int(r.Index)), "."), Kind: s.Kind,
		First: min(lineOf(s.Start), int(s.Line)), Line: int(s.Line), Head: int(s.Line), Last: int(max(s.EndLine, s.Line)), Class: a.Corpus.Class(r.File), Uses: a.CountUses(s.Name),
	}
	if s.DocEnd > s.DocStart {
		b.First = min(b.First, lineOf(s.DocStart))
	}
	if s.SigEnd > s.SigStart {
		b.Head = min(max(b.Head, lineOf(s.SigEnd-1)), b.Last)
	}
	return b, nil
}

// IsListed reports whether an outline without locals lists a symbol.
func IsListed(s *facts.Symbol) bool {
	return s.Flags&facts.Local == 0 && s.Kind != code.KindParam && s.Kind != code.KindTypeParam
}
