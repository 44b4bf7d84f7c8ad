// Package kotlin tells which functions of Kotlin a call may mean: by who may call them, by
// the names, places and blocks of its arguments, and by what it is called on.
package kotlin

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/overload"
	"espy/internal/resolve/rules/jdk"
)

// Calls answers for one question.
type Calls struct {
	corpus *corpus.Corpus
	infer  overload.Evaluator
}

// New returns answers from a corpus.
func New(c *corpus.Corpus, e overload.Evaluator) *Calls { return &Calls{c, e} }

// Is reports whether a file is written in Kotlin.
func (c *Calls) Is(id corpus.FileID) bool {
	path := c.corpus.Path(id)
	return strings.HasSuffix(path, ".kt") || strings.HasSuffix(path, ".kts")
}

// Narrow leaves the functions of Kotlin that a call may mean: it may see them, they take
// what it gives by name and by place, it leaves out no parameter without a value, and what
// it calls them on is what they are written for.
func (c *Calls) Narrow(use corpus.Ref, refs []corpus.Ref) []corpus.Ref {
	if !c.Is(use.File) {
		return refs
	}
	keep := func(fits func(r corpus.Ref) bool) {
		left := slices.DeleteFunc(slices.Clone(refs), func(r corpus.Ref) bool { return c.Is(r.File) && !fits(r) })
		if len(left) > 0 {
			refs = left
		}
	}
	keep(func(r corpus.Ref) bool { return !c.isHidden(use, r) })
	if len(refs) > 1 {
		keep(func(r corpus.Ref) bool { return !c.isWithdrawn(r) })
	}
	isFunc := func(r corpus.Ref) bool { return c.infer.File(r.File).Symbol(r.Index).Kind.IsFunc() }
	g, types := c.givenAt(use), overload.New(jdk.Conversions, c.infer, infer.Full())
	keep(func(r corpus.Ref) bool { return !isFunc(r) || g.suits(c.takenBy(r), types) })
	if len(refs) < 2 {
		return refs
	}
	if on, ok := c.calledOn(use); ok {
		keep(func(r corpus.Ref) bool {
			return !c.lacks(types, c.extended(r), on, 0)
		})
		all := refs
		keep(func(r corpus.Ref) bool {
			has := c.has(c.extended(r), on, 0)
			return !slices.ContainsFunc(all, func(o corpus.Ref) bool {
				return o != r && isFunc(o) && isFunc(r) && c.has(c.extended(o), on, 0) > has && types.TakeSame(o, r)
			})
		})
	}
	if g.block && slices.ContainsFunc(refs, func(r corpus.Ref) bool { return isFunc(r) && !c.takesAnything(r) }) {
		keep(func(r corpus.Ref) bool { return !isFunc(r) || !c.takesAnything(r) })
	}
	return refs
}

// Suits reports whether a use can mean a symbol by where it stands, where others have its
// name: a function is neither a type nor a value, and a call makes no value of an enumeration
// or an interface.
func Suits(s *facts.Symbol, u *facts.Use) bool {
	switch {
	case u.Role == facts.RoleCall:
		return s.Kind != code.KindEnum && s.Kind != code.KindInterface
	case u.Bind == facts.BindMember, u.Role == facts.RoleImport:
		return true
	}
	return !s.Kind.IsFunc()
}

// isHidden reports whether a use cannot see a member, which its class keeps to itself.
func (c *Calls) isHidden(use, member corpus.Ref) bool {
	s := c.infer.File(member.File).Symbol(member.Index)
	return member.File != use.File && s.Parent != facts.None && s.Flags&(facts.Exported|facts.Local) == 0 && !s.Kind.IsType()
}

// maxLead bounds the bytes before the name of a function that are read.
const maxLead = 2000

// isWithdrawn reports whether no source can call a function any more, which is there for
// what was compiled before. Source: Kotlin's library, DeprecationLevel.HIDDEN.
func (c *Calls) isWithdrawn(r corpus.Ref) bool {
	s := c.infer.File(r.File).Symbol(r.Index)
	lead, _ := c.corpus.TextRange(r.File, max(int(s.Start), int(s.At)-maxLead), int(s.At), nil)
	return bytes.Contains(lead, []byte("DeprecationLevel.HIDDEN"))
}

// calledOn is the one thing that a use is called on, where it is written.
func (c *Calls) calledOn(use corpus.Ref) (on infer.Thing, ok bool) {
	f := c.infer.File(use.File)
	u := f.Use(use.Index)
	if u.Bind != facts.BindMember || u.Target == facts.None {
		return on, false
	}
	things := infer.Values(c.infer.Eval(f.Expr(u.Target, nil), infer.Full()))
	if len(things) != 1 {
		return on, false
	}
	return things[0], true
}

// maxArguments bounds the type arguments within each other that are compared.
const maxArguments = 6

// lacks reports whether a value is known not to be of a type, by its type arguments too.
func (c *Calls) lacks(types *overload.Choice, typ infer.Expr, t infer.Thing, level int) bool {
	if typ.At == facts.None || level > maxArguments || types.IsVariable(typ) {
		return false
	}
	base, applied := applied(typ)
	is := infer.Values(c.infer.Eval(base, infer.Full()))
	if c.isAlias(is...) || c.isAlias(t) {
		return false
	}
	if types.Lacks(base, t) {
		return true
	}
	if len(is) == 1 && is[0].IsOne(&t) {
		for want, has := range c.arguments(applied, t) {
			if c.lacks(types, want, has, level+1) {
				return true
			}
		}
	}
	return false
}

// extended is the type that a function or property is written for.
func (c *Calls) extended(r corpus.Ref) infer.Expr {
	f := c.infer.File(r.File)
	return f.Expr(f.ExtendedBy(r.Index), nil)
}

// has counts the names in a type, its arguments among them, that a value is known to be of.
func (c *Calls) has(typ infer.Expr, t infer.Thing, level int) (count int) {
	if typ.At == facts.None || level > maxArguments {
		return 0
	}
	base, applied := applied(typ)
	is := infer.Values(c.infer.Eval(base, infer.Full()))
	if len(is) != 1 || !is[0].IsOne(&t) {
		return 0
	}
	for want, has := range c.arguments(applied, t) {
		count += c.has(want, has, level+1)
	}
	return count + 1
}

// applied is a type without its arguments, and these; no arguments where it has none.
func applied(typ infer.Expr) (base, args infer.Expr) {
	for typ.Node().Op == facts.OpValue && typ.Node().X != facts.None {
		typ = typ.To(typ.Node().X)
	}
	if n := typ.Node(); n.Op == facts.OpApply {
		return typ.To(n.X), typ.To(n.Y)
	}
	return typ, infer.Expr{}
}

// arguments yields the type arguments that are written of the type of a value, each with
// the one that the value has, where these are known.
func (c *Calls) arguments(written infer.Expr, t infer.Thing) iter.Seq2[infer.Expr, infer.Thing] {
	return func(yield func(infer.Expr, infer.Thing) bool) {
		known := argumentsOf(t)
		if written.File == nil || known.File == nil {
			return
		}
		have := known.Tuple()
		for i, want := range written.Tuple() {
			if i >= len(have) || want == facts.None || have[i] == facts.None {
				continue
			}
			if of := infer.Values(c.infer.Eval(known.To(have[i]), infer.Full())); len(of) == 1 && !yield(written.To(want), of[0]) {
				return
			}
		}
	}
}

// isAlias reports whether one of some values is of another name of a type.
func (c *Calls) isAlias(things ...infer.Thing) bool {
	return slices.ContainsFunc(things, func(t infer.Thing) bool {
		return t.Kind == infer.AValue && c.infer.File(t.Ref.File).Symbol(t.Ref.Index).Kind == code.KindType
	})
}

// argumentsOf are the type arguments of a value, without a file where none are known.
func argumentsOf(t infer.Thing) infer.Expr {
	switch {
	case t.Kind == infer.Elsewhere && t.Recv == nil:
		return t.Expr
	case t.Kind == infer.AValue && t.Env != nil && t.Env.Of == t.Ref && t.Env.Inferred == nil:
		return t.Env.Args
	}
	return infer.Expr{}
}

// takesAnything reports whether the last parameter of a function is of a type that stands
// for any.
func (c *Calls) takesAnything(r corpus.Ref) bool {
	params := c.takenBy(r)
	return len(params) > 0 && overload.New(jdk.Conversions, c.infer, infer.Full()).IsVariable(params[len(params)-1].typ)
}

// givenNames are the arguments of a call: those without a name, the names of the others,
// and whether a block is behind them.
type givenNames struct {
	plain int
	names []string
	block bool
	whole bool // whether it is known how many there are
}

func (c *Calls) givenAt(use corpus.Ref) (g givenNames) {
	f := c.infer.File(use.File)
	args, all := f.Use(use.Index).Args, len(f.Given(use.Index))
	for _, u := range f.Naming(use.Index) {
		g.names = append(g.names, f.Use(u).Name)
	}
	g.plain, g.whole = max(0, all-len(g.names)), args != facts.None
	g.block = g.whole && int(args) > all || !g.whole && f.IsBehind(use.Index)
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
func (c *Calls) takenBy(r corpus.Ref) (all []takenParam) {
	f := c.infer.File(r.File)
	end := infer.EndOfParameters(f.Symbol(r.Index))
	for i := r.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < end; i++ {
		s := f.Symbol(i)
		if s.Parent != r.Index || s.Kind != code.KindParam {
			continue
		}
		behind, _ := c.corpus.TextRange(r.File, int(s.End), int(s.End)+maxBehind, nil)
		before, _ := c.corpus.TextRange(r.File, max(0, int(s.Start)-maxBehind), int(s.Start), nil)
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
	if g.block && last < 0 {
		return false
	}
	if g.block {
		if !params[last].many && (taken[last] || !types.TakesFunction(params[last].typ)) {
			return false
		}
		taken[last] = true
	}
	for i, p := range params {
		if !taken[i] && !p.optional && !p.many {
			return false
		}
	}
	return true
}
