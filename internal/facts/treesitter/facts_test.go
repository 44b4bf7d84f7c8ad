//go:build cgo && !race

package treesitter

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/facts/tree"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected facts")

// TestFacts compares the facts of every file in testdata with the text beside it.
func TestFacts(t *testing.T) {
	for _, path := range samples(t) {
		t.Run(path, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := print(factsOf(t, grammarOf(path), text), string(text))
			if *update {
				if err := os.WriteFile(path+".facts", []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path + ".facts")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("facts differ (-want +got):\n%s", diff)
			}
		})
	}
}

// factsOf parses text and checks what holds of all facts.
func factsOf(t testing.TB, grammar string, text []byte) *facts.File {
	t.Helper()
	parsed, err := Parse(grammar, tree.Prepare(grammar, text))
	if err != nil {
		t.Fatal(err)
	}
	f := tree.Facts(parsed, text, Parse)
	checkFacts(t, f, text)
	return f
}

// checkFacts checks the order, the indexes and the places of facts.
func checkFacts(t testing.TB, f *facts.File, text []byte) {
	t.Helper()
	bad := func(format string, args ...any) { t.Helper(); t.Errorf(format, args...) }
	named := func(name string, p facts.Place) bool {
		at := min(int(p.At), len(text))
		return string(text[at:min(at+len(name), len(text))]) == name
	}
	for i, y := range f.Symbols {
		if int(y.Parent) >= i {
			bad("symbol %d %q stands before its parent %d", i, y.Name, y.Parent)
		}
		if i > 0 && y.Start < f.Symbols[i-1].Start {
			bad("symbol %d %q is out of order", i, y.Name)
		}
		if y.Start > y.End || int(y.End) > len(text) || y.SigStart > y.SigEnd || int(y.SigEnd) > len(text) || y.DocStart > y.DocEnd || y.Name == "" {
			bad("symbol %d %+v has a wrong range", i, y)
		}
		if y.At < y.Start || y.At >= y.End || !named(y.Name, y.Place) {
			bad("symbol %d %q is not named at its place %d in %d-%d", i, y.Name, y.At, y.Start, y.End)
		}
		if int(y.Type) >= len(f.Exprs) {
			bad("symbol %d %q has type %d", i, y.Name, y.Type)
		}
	}
	for i, u := range f.Uses {
		if i > 0 && u.At < f.Uses[i-1].At {
			bad("use %d %q is out of order", i, u.Name)
		}
		if !named(u.Name, u.Place) || u.Name == "" {
			bad("use %d %q is not named at its place", i, u.Name)
		}
		limit := map[facts.Bind]int{facts.BindSymbol: len(f.Symbols), facts.BindImport: len(f.Imports), facts.BindMember: len(f.Exprs)}[u.Bind]
		if int(u.Target) >= limit && u.Bind != facts.BindFree || u.Bind == facts.BindFree && u.Target != facts.None {
			bad("use %d %q has target %d by %d", i, u.Name, u.Target, u.Bind)
		}
		if int(u.In) >= len(f.Symbols) {
			bad("use %d %q is in %d", i, u.Name, u.In)
		}
	}
	for i, e := range f.Exprs {
		s := newPrinter(f, "")
		s.visited = 0
		if s.expr(int32(i)); s.cyclic {
			bad("expression %d %+v does not follow its operands", i, e)
		}
	}
}

// printer writes facts as text.
type printer struct {
	f       *facts.File
	text    string
	b       strings.Builder
	visited int
	cyclic  bool
}

func newPrinter(f *facts.File, text string) *printer { return &printer{f: f, text: text} }

// print writes facts for people: a line for each symbol, import, use and fault.
func print(f *facts.File, text string) string {
	p := newPrinter(f, text)
	if f.Package != "" {
		fmt.Fprintf(&p.b, "package %s\n", f.Package)
	}
	for i := range f.Symbols {
		p.symbol(int32(i))
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		fmt.Fprintf(&p.b, "%d:%d import %q name %q local %q%s%s\n", m.Line, m.Column, m.Module, m.Name, m.Local, flagNames(m.Flags), p.in(m.In))
	}
	for i := range f.Uses {
		p.use(int32(i))
	}
	for _, e := range f.Errors {
		fmt.Fprintf(&p.b, "%d fault: %s\n", e.Line, e.Message)
	}
	return p.b.String()
}

func (p *printer) in(symbol int32) string {
	if symbol < 0 {
		return ""
	}
	return " in " + p.name(symbol)
}

// name is the name of a symbol with those that hold it.
func (p *printer) name(symbol int32) string {
	if symbol == facts.None {
		return "-"
	}
	y := &p.f.Symbols[symbol]
	switch {
	case y.Parent >= 0:
		return p.name(y.Parent) + "." + y.Name
	case y.Owner != "":
		return y.Owner + "." + y.Name
	}
	return y.Name
}

func (p *printer) symbol(i int32) {
	y := &p.f.Symbols[i]
	p.visited = 0
	fmt.Fprintf(&p.b, "%d:%d-%d %s %s%s", y.Line, y.Column, y.EndLine, y.Kind, p.name(i), flagNames(y.Flags))
	if y.Kind.IsFunc() {
		most := fmt.Sprint(y.MaxArgs)
		if y.MaxArgs == facts.ManyArgs {
			most = "many"
		}
		fmt.Fprintf(&p.b, " args %d-%s complexity %d", y.MinArgs, most, y.Complexity)
	}
	if y.Type >= 0 {
		fmt.Fprintf(&p.b, " type %s", p.expr(y.Type))
	}
	if y.Kind != code.KindParam && y.Kind != code.KindTypeParam {
		fmt.Fprintf(&p.b, " sig %q", p.text[y.SigStart:y.SigEnd])
	}
	if y.DocEnd > y.DocStart {
		fmt.Fprintf(&p.b, " doc %q", p.text[y.DocStart:y.DocEnd])
	}
	p.b.WriteByte('\n')
}

func (p *printer) use(i int32) {
	u := &p.f.Uses[i]
	p.visited = 0
	fmt.Fprintf(&p.b, "%d:%d %s %s", u.Line, u.Column, u.Role, u.Name)
	if u.Role == facts.RoleCall {
		fmt.Fprintf(&p.b, "(%d)", u.Args)
	}
	switch u.Bind {
	case facts.BindSymbol:
		y := &p.f.Symbols[u.Target]
		fmt.Fprintf(&p.b, " = %s@%d", p.name(u.Target), y.Line)
	case facts.BindImport:
		fmt.Fprintf(&p.b, " = import %s %s", p.f.Imports[u.Target].Module, p.f.Imports[u.Target].Name)
	case facts.BindMember:
		fmt.Fprintf(&p.b, " of %s", p.expr(u.Target))
	}
	for _, e := range p.f.Exprs {
		if e.Op == facts.OpGiven && e.X == i {
			fmt.Fprintf(&p.b, " given %s", p.expr(e.Y))
		}
		if e.Op == facts.OpKeyed && e.X == i {
			fmt.Fprintf(&p.b, " keyed %s", p.expr(e.Y))
		}
	}
	fmt.Fprintf(&p.b, "%s\n", p.in(u.In))
}

// expr writes an expression as if it were code.
func (p *printer) expr(i int32) string {
	if i < 0 {
		return "?"
	}
	if p.visited++; p.visited > 200 {
		return "..."
	}
	e := p.f.Exprs[i]
	below := func(j int32) string {
		if j >= i {
			p.cyclic = true
			return "cycle"
		}
		return p.expr(j)
	}
	switch e.Op {
	case facts.OpUse:
		u := &p.f.Uses[e.X]
		if u.Bind == facts.BindMember {
			return below(u.Target) + "." + u.Name
		}
		return u.Name
	case facts.OpValue:
		return "a " + below(e.X)
	case facts.OpSymbol:
		return "the " + p.name(e.X)
	case facts.OpThis:
		return "this " + p.name(e.X)
	case facts.OpSuper:
		return "super " + p.name(e.X)
	case facts.OpCall:
		return below(e.X) + "()"
	case facts.OpElem:
		return below(e.X) + [...]string{"[]", "[key]", "[await]", "[with]", "[each]", "[through]", "[held]"}[e.Y]
	case facts.OpResult:
		return fmt.Sprintf("%s#%d", below(e.X), e.Y)
	case facts.OpTuple:
		if e.Y < 0 {
			return below(e.X)
		}
		return below(e.X) + ", " + below(e.Y)
	case facts.OpApply:
		return below(e.X) + "<" + below(e.Y) + ">"
	case facts.OpUnion:
		return "(" + below(e.X) + " | " + below(e.Y) + ")"
	case facts.OpMembers:
		if e.Y >= 0 {
			return "members of " + p.name(e.X) + " in " + below(e.Y)
		}
		return "members of " + p.name(e.X)
	case facts.OpExtent:
		if e.X < 0 {
			return "none"
		}
		return p.name(e.X) + " to " + p.name(e.Y)
	case facts.OpTyped:
		return p.name(e.X) + " as " + below(e.Y)
	case facts.OpFunc:
		if e.Y >= 0 {
			return "func(" + below(e.Y) + ") " + below(e.X)
		}
		return "func " + below(e.X)
	case facts.OpNarrow:
		return "(" + below(e.X) + " as " + below(e.Y) + ")"
	case facts.OpExcept:
		return "(" + below(e.X) + " but " + below(e.Y) + ")"
	case facts.OpItself:
		return "typeof " + below(e.X)
	case facts.OpPredicate:
		return "is " + below(e.X)
	case facts.OpGuarded:
		return "guarded " + below(e.X)
	case facts.OpElse:
		return "(" + below(e.X) + " else " + below(e.Y) + ")"
	case facts.OpTop:
		return [...]string{"top", "macros"}[e.X]
	case facts.OpGiven:
		return "given " + below(e.Y)
	case facts.OpKeyed:
		return "keyed " + below(e.Y)
	case facts.OpBoth:
		return "(" + below(e.X) + " & " + below(e.Y) + ")"
	case facts.OpHas:
		return fmt.Sprintf("%s is %d", p.f.Uses[e.X].Name, e.Y)
	case facts.OpShaped:
		if e.Y >= 0 {
			return "(" + below(e.X) + " with " + below(e.Y) + ")"
		}
		return below(e.X) + " by keys"
	case facts.OpGives:
		return "(" + below(e.X) + " giving " + below(e.Y) + ")"
	case facts.OpInfer:
		return "(" + below(e.X) + " matches " + below(e.Y) + ")"
	case facts.OpOn:
		return "(" + below(e.X) + " on " + below(e.Y) + ")"
	case facts.OpBlock:
		return below(e.X) + "{}"
	case facts.OpSelf:
		return "this of " + below(e.X)
	case facts.OpTakes:
		return p.name(e.X) + " takes " + below(e.Y)
	case facts.OpExtends:
		return p.name(e.X) + " extends " + below(e.Y)
	case facts.OpBehind:
		return "block behind " + below(e.Y)
	case facts.OpAhead:
		return below(e.Y) + " ahead"
	case facts.OpWithin:
		return fmt.Sprintf("within %d-%d", e.X, e.Y)
	case facts.OpArgument:
		return fmt.Sprintf("%s(%d)", below(e.X), e.Y)
	}
	literal := [...]string{"string", "number", "bool", "null", "list", "map", "byte", "short", "char", "int", "long", "float", "double", "class", "long double", "wide", "pointer", "unsigned byte", "unsigned short", "unsigned", "unsigned long", "mirror"}[e.X]
	if e.X <= facts.LiteralBool && e.Y >= 0 {
		return fmt.Sprintf("%s %d", literal, e.Y)
	}
	if e.Y >= 0 {
		literal += " of " + below(e.Y)
	}
	return literal
}

var allFlags = []string{"exported", "local", "static", "abstract", "inferred", "embedded", "overrides", "reexport", "accessor", "virtual"}

func flagNames(f facts.Flags) string {
	var b strings.Builder
	for i, name := range allFlags {
		if f&(1<<i) != 0 {
			b.WriteString(" " + name)
		}
	}
	return b.String()
}
