package nav

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

// Site is a line of a file, from 1.
type Site struct {
	Path string
	Line int
}

// Blocks finds the declarations that hold lines, each the innermost one that an
// outline lists with lines of its own: neither a local name nor a field. Where
// a line stands outside of all, or its file is not in the index or not parsed,
// the block has no ID.
func (x *Index) Blocks(sites []Site) ([]locate.Block, error) {
	blocks := make([]locate.Block, len(sites))
	err := x.run(func(a *ask) error {
		for i, s := range sites {
			blocks[i].Path = s.Path
			f, ok := a.Corpus.Find(path.Clean(s.Path))
			if !ok || a.Late() {
				continue
			}
			lines, err := a.LineStarts(f)
			if err != nil {
				return err
			}
			if s.Line < 1 || s.Line >= len(lines) {
				continue
			}
			if blocks[i], err = a.BlockAt(f, lines[s.Line-1], lines[s.Line]); err != nil {
				return err
			}
		}
		return nil
	})
	return blocks, err
}

// Used is a declaration that the code of a block uses.
type Used struct {
	locate.Block
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
func (x *Index) Uses(b locate.Block) (used []Used, left int, err error) {
	err = x.run(func(a *ask) error {
		f, ok := a.Corpus.Find(b.Path)
		if !ok {
			return &usage.Error{Arg: "path", Value: b.Path, Msg: "not in the index", Hint: a.NearestPath(b.Path)}
		}
		r, ok := a.ByID(b.ID)
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
			if i-first >= maxUses || a.Late() {
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
	for !locate.IsBlock(s) && s.Parent != facts.None {
		r.Index = s.Parent
		s = a.Symbol(r)
	}
	if !locate.IsBlock(s) || r.File == f && s.Start >= whole.Start && s.Start < whole.End {
		return nil
	}
	id := a.ID(r)
	i, ok := at[id]
	if !ok {
		block, err := a.Block(r)
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
func (x *Index) Named(name string, n int) (blocks []locate.Block, total int, err error) {
	err = x.run(func(a *ask) error {
		for _, r := range a.Find(name) {
			if !locate.IsBlock(a.Symbol(r)) {
				continue
			}
			if total++; len(blocks) < n {
				b, err := a.Block(r)
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
			for _, f := range a.Corpus.Under(under) {
				if a.Corpus.Class(f)&code.ClassTest != 0 && a.isNearTest(f, dir, stem, up) {
					tests = append(tests, a.Corpus.Path(f))
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
	p := a.Corpus.Path(f)
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
