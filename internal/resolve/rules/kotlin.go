package rules

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/overload"
	"espy/internal/resolve/rules/jdk"
)

// isKotlin reports whether a file is written in Kotlin.
func (j *java) isKotlin(id corpus.FileID) bool {
	path := j.corpus.Path(id)
	return strings.HasSuffix(path, ".kt") || strings.HasSuffix(path, ".kts")
}

// nearness is how near Kotlin looks for a function, 0 the nearest: among the members of
// what is at hand, what the file imports by name, its package, what it imports with a
// package. One that fits goes before all that are farther away.
func (j *java) nearness(id corpus.FileID, r corpus.Ref) int {
	f, s := j.read.File(id), j.read.Symbol(r)
	if s.Parent != facts.None || !j.isKotlin(id) {
		return 0
	}
	pkg := j.read.File(r.File).Facts.Package()
	for i := range f.Facts.NumImports() {
		if row := f.Facts.Import(i); row.Module == pkg && row.Name == s.Name {
			return 1
		}
	}
	if pkg == f.Facts.Package() {
		return 2
	}
	return 3
}

// narrow leaves the functions of Kotlin that take what a call gives by name and by place,
// and of which it leaves out no parameter without a value.
func (j *java) narrow(use corpus.Ref, refs []corpus.Ref) []corpus.Ref {
	if !j.isKotlin(use.File) {
		return refs
	}
	g := j.givenAt(use)
	types := overload.New(jdk.Conversions, j.infer, infer.Full())
	left := slices.DeleteFunc(slices.Clone(refs), func(r corpus.Ref) bool {
		return j.isKotlin(r.File) && j.read.Symbol(r).Kind.IsFunc() && !g.suits(j.takenBy(r), types)
	})
	if len(left) == 0 {
		return refs
	}
	return left
}

// givenNames are the arguments of a call: those without a name, the names of the others,
// and whether a block is behind them.
type givenNames struct {
	plain int
	names []string
	block bool
	whole bool // whether it is known how many there are
}

func (j *java) givenAt(use corpus.Ref) (g givenNames) {
	f := j.infer.File(use.File)
	args, all := f.Use(use.Index).Args, len(f.Given(use.Index))
	for _, u := range f.Naming(use.Index) {
		g.names = append(g.names, f.Use(u).Name)
	}
	g.plain, g.whole = max(0, all-len(g.names)), args != facts.None
	g.block = g.whole && int(args) > all
	return g
}

// takenParam is a parameter of a function.
type takenParam struct {
	name     string
	typ      infer.Expr
	optional bool // has a value of its own
	many     bool // any number of arguments
}

// maxBehind bounds the bytes beside a parameter that are read.
const maxBehind = 24

// takenBy are the parameters of a function of Kotlin.
func (j *java) takenBy(r corpus.Ref) (all []takenParam) {
	f := j.infer.File(r.File)
	end := infer.EndOfParameters(f.Symbol(r.Index))
	for i := r.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < end; i++ {
		s := f.Symbol(i)
		if s.Parent != r.Index || s.Kind != code.KindParam {
			continue
		}
		behind, _ := j.corpus.TextRange(r.File, int(s.End), int(s.End)+maxBehind, nil)
		before, _ := j.corpus.TextRange(r.File, max(0, int(s.Start)-maxBehind), int(s.Start), nil)
		all = append(all, takenParam{
			name:     s.Name,
			typ:      f.Expr(s.Type, nil),
			optional: bytes.HasPrefix(bytes.TrimLeft(behind, " \t\r\n"), []byte("=")),
			many:     bytes.HasSuffix(bytes.TrimRight(before, " \t\r\n"), []byte("vararg")),
		})
	}
	return all
}

// suits reports whether a function that takes some parameters can be called with what is
// given.
func (g *givenNames) suits(params []takenParam, types *overload.Choice) bool {
	taken := make([]bool, len(params))
	at := 0
	for range g.plain {
		switch {
		case at == len(params):
			return false
		case params[at].many:
			taken[at] = true
		default:
			taken[at] = true
			at++
		}
	}
	for _, name := range g.names {
		i := slices.IndexFunc(params, func(p takenParam) bool { return p.name == name })
		if i < 0 || taken[i] {
			return false
		}
		taken[i] = true
	}
	last := len(params) - 1
	if g.block && last >= 0 {
		if !params[last].many && (taken[last] || !types.TakesFunction(params[last].typ)) {
			return false
		}
		taken[last] = true
	}
	if !g.whole && last >= 0 { // a block may be behind
		taken[last] = true
	}
	for i, p := range params {
		if !taken[i] && !p.optional && !p.many {
			return false
		}
	}
	return true
}
