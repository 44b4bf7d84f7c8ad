package nav

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

// Site is a line of a file, from 1.
type Site struct {
	Path string
	Line int
}

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
}

// Blocks finds the declarations that hold lines, each the innermost one that an
// outline lists with lines of its own: neither a local name nor a field. Where
// a line stands outside of all, or its file is not in the index or not parsed,
// the block has no ID.
func (x *Index) Blocks(sites []Site) ([]Block, error) {
	blocks := make([]Block, len(sites))
	err := x.run(func(a *ask) error {
		for i, s := range sites {
			blocks[i].Path = s.Path
			f, ok := a.corpus.Find(path.Clean(s.Path))
			if !ok || a.late() {
				continue
			}
			lines, err := a.lineStarts(f)
			if err != nil {
				return err
			}
			if s.Line < 1 || s.Line >= len(lines) {
				continue
			}
			if blocks[i], err = a.blockOf(f, lines[s.Line-1], lines[s.Line]); err != nil {
				return err
			}
		}
		return nil
	})
	return blocks, err
}

// lineStarts are the bytes at which the lines of a file begin, and its end.
func (a *ask) lineStarts(f corpus.FileID) ([]int, error) {
	if starts, ok := a.starts[f]; ok {
		return starts, nil
	}
	text, err := a.text(f)
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

// blockOf is the block that holds a line, or that begins in it.
func (a *ask) blockOf(f corpus.FileID, start, end int) (Block, error) {
	file := a.File(f)
	for i := file.SymbolsFrom(uint32(start)); i < file.NumSymbols() && int(file.BareSymbol(i).Start) < end; i++ {
		if isBlock(a.Symbol(corpus.Ref{File: f, Index: int32(i)})) {
			return a.block(corpus.Ref{File: f, Index: int32(i)})
		}
	}
	for i := range file.NumSymbols() { // the line may be documentation
		s := file.BareSymbol(i)
		if int(s.DocStart) < end && int(s.DocEnd) > start && s.DocEnd > s.DocStart && isBlock(&s) {
			return a.block(corpus.Ref{File: f, Index: int32(i)})
		}
	}
	at := int32(file.Enclosing(uint32(start)))
	if at == facts.None {
		at = int32(file.Enclosing(uint32(max(start, end-2))))
	}
	for ; at != facts.None; at = a.Symbol(corpus.Ref{File: f, Index: at}).Parent {
		if r := (corpus.Ref{File: f, Index: at}); isBlock(a.Symbol(r)) {
			return a.block(r)
		}
	}
	return Block{Path: a.corpus.Path(f)}, nil
}

// isBlock reports whether a symbol is shown as lines of its own.
func isBlock(s *facts.Symbol) bool {
	return outlines(s) && s.Kind != code.KindField && s.Kind != code.KindModule
}

func (a *ask) block(r corpus.Ref) (Block, error) {
	starts, err := a.lineStarts(r.File)
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
		ID: a.id(r), Path: a.corpus.Path(r.File), Name: strings.Join(a.File(r.File).Chain(int(r.Index)), "."), Kind: s.Kind,
		First: min(lineOf(s.Start), int(s.Line)), Line: int(s.Line), Head: int(s.Line), Last: int(max(s.EndLine, s.Line)), Class: a.corpus.Class(r.File),
	}
	if s.DocEnd > s.DocStart {
		b.First = min(b.First, lineOf(s.DocStart))
	}
	if s.SigEnd > s.SigStart {
		b.Head = min(max(b.Head, lineOf(s.SigEnd-1)), b.Last)
	}
	return b, nil
}

// Used is a declaration that the code of a block uses.
type Used struct {
	Block
	Role       facts.Role // of its first use
	Signature  bool       // the signature uses it
	Confidence facts.Confidence
	Line       int // of its first use
	Times      int
}

// maxUses bounds the uses of a block that are looked at.
const maxUses = 1500

// Uses lists the declarations elsewhere that the code of a block uses, certain or
// likely, in the order in which it first does. left counts the uses that were not
// looked at.
func (x *Index) Uses(b Block) (used []Used, left int, err error) {
	err = x.run(func(a *ask) error {
		f, ok := a.corpus.Find(b.Path)
		if !ok {
			return &usage.Error{Arg: "path", Value: b.Path, Msg: "not in the index", Hint: a.nearestPath(b.Path)}
		}
		r, ok := a.byID(b.ID)
		if !ok {
			return nil
		}
		whole := *a.Symbol(r)
		at := map[string]int{}
		file := a.File(f)
		first := file.UsesFrom(whole.Start)
		for i := first; i < file.NumUses(); i++ {
			u := a.Use(f, i)
			if u.At >= whole.End {
				break
			}
			if i-first >= maxUses || a.late() {
				left++
				continue
			}
			if err := a.addUsed(&used, at, f, i, &whole); err != nil {
				return err
			}
		}
		return nil
	})
	return used, left, err
}

// addUsed adds what one use means to the list, in which at finds an id.
func (a *ask) addUsed(used *[]Used, at map[string]int, f corpus.FileID, use int, whole *facts.Symbol) error {
	u := *a.Use(f, use)
	if u.Role == facts.RoleImport {
		return nil
	}
	all := a.Define(f, use)
	if len(all) == 0 || all[0].Confidence == facts.Possible {
		return nil
	}
	r := all[0].Ref
	s := a.Symbol(r)
	for !isBlock(s) && s.Parent != facts.None {
		r.Index = s.Parent
		s = a.Symbol(r)
	}
	if !isBlock(s) || r.File == f && s.Start >= whole.Start && s.Start < whole.End {
		return nil
	}
	id := a.id(r)
	i, ok := at[id]
	if !ok {
		block, err := a.block(r)
		if err != nil {
			return err
		}
		i = len(*used)
		at[id] = i
		*used = append(*used, Used{Block: block, Role: u.Role, Confidence: all[0].Confidence, Line: int(u.Line)})
	}
	d := &(*used)[i]
	d.Times++
	d.Signature = d.Signature || u.At >= whole.SigStart && u.At < whole.SigEnd
	d.Confidence = min(d.Confidence, all[0].Confidence)
	return nil
}

// Named finds the declarations of a name in the index without resolving anything:
// at most n blocks, the likeliest first, and how many there are.
func (x *Index) Named(name string, n int) (blocks []Block, total int, err error) {
	err = x.run(func(a *ask) error {
		for _, r := range a.named(name) {
			if !isBlock(a.Symbol(r)) {
				continue
			}
			if total++; len(blocks) < n {
				b, err := a.block(r)
				if err != nil {
					return err
				}
				blocks = append(blocks, b)
			}
		}
		return nil
	})
	return blocks, total, err
}

// Beside finds the files of tests that stand with a file: in its folder, or in
// folders of tests below and beside it, those whose names begin alike first.
func (x *Index) Beside(file string, n int) (tests []string, err error) {
	err = x.run(func(a *ask) error {
		stem := stemOf(file)
		for dir, up := path.Dir(file), 0; up < 3 && len(tests) == 0; dir, up = path.Dir(dir), up+1 {
			if up > 0 && dir == "." {
				break
			}
			under := dir
			if under == "." {
				under = ""
			}
			for _, f := range a.corpus.Under(under) {
				if a.corpus.Class(f)&code.ClassTest != 0 && a.isNearTest(f, dir, stem, up) {
					tests = append(tests, a.corpus.Path(f))
				}
			}
		}
		slices.SortStableFunc(tests, func(s, t string) int {
			return cmp.Or(cmp.Compare(farness(stem, s), farness(stem, t)), cmp.Compare(s, t))
		})
		tests = tests[:min(len(tests), n)]
		return nil
	})
	return tests, err
}

// isNearTest reports whether a test stands with a file: it has its name, or it is
// in a folder of tests of the folder dir, which is up steps above the file.
func (a *ask) isNearTest(f corpus.FileID, dir, stem string, up int) bool {
	p := a.corpus.Path(f)
	if strings.Contains(strings.ToLower(stemOf(p)), strings.ToLower(stem)) {
		return true
	}
	below := strings.TrimPrefix(p, dir+"/")
	first, _, nested := strings.Cut(below, "/")
	return up > 0 && nested && strings.Contains(strings.ToLower(first), "test")
}

// farness is 0 for a path whose file bears the stem of a name, else 1.
func farness(stem, p string) int {
	if strings.Contains(strings.ToLower(stemOf(p)), strings.ToLower(stem)) {
		return 0
	}
	return 1
}

func stemOf(p string) string {
	base := path.Base(p)
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	return base
}
