package golang

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/facts"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func goroot(b *testing.B) string {
	b.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip(err)
	}
	return strings.TrimSpace(string(out))
}

// TestGolden compares the facts of each sample with the golden file beside it.
func TestGolden(t *testing.T) {
	samples, err := filepath.Glob("testdata/*.src")
	if err != nil || len(samples) == 0 {
		t.Fatal("no samples", err)
	}
	for _, path := range samples {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f := Parse(text)
			checkFacts(t, text, f)
			got := printFacts(text, f)
			golden := path + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("facts of %s (-want +got):\n%s", path, diff)
			}
		})
	}
}

// TestReleasedMemory holds that the facts of a file do not depend on those whose memory they reuse.
func TestReleasedMemory(t *testing.T) {
	first := []byte("package a\nimport x \"y\"\n// F is here.\nfunc (r R) F(a, b int) { x.G(a, b) }\n")
	want := printFacts(first, Parse(first))
	samples, err := filepath.Glob("testdata/*.src")
	if err != nil || len(samples) == 0 {
		t.Fatal("no samples", err)
	}
	for _, path := range samples {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			Parse(text).Release()
			f := Parse(first)
			checkFacts(t, first, f)
			if diff := cmp.Diff(want, printFacts(first, f)); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
		})
	}
}

// printer writes facts so that a person can check them against the text.
type printer struct {
	bytes.Buffer
	f    *facts.File
	text []byte
}

func printFacts(text []byte, f *facts.File) string {
	p := &printer{f: f, text: text}
	fmt.Fprintf(p, "package %s\n", f.Package)
	for _, e := range f.Errors {
		fmt.Fprintf(p, "error %d %s\n", e.Line, e.Message)
	}
	for _, m := range f.Imports {
		fmt.Fprintf(p, "import %d:%d %q name=%q local=%q\n", m.Line, m.Column, m.Module, m.Name, m.Local)
	}
	for i := range f.Symbols {
		p.symbol(int32(i))
	}
	for i := range f.Uses {
		p.use(&f.Uses[i])
	}
	return p.String()
}

var flagNames = []string{"exported", "local", "static", "abstract", "inferred", "embedded"}

func (p *printer) symbol(i int32) {
	s := &p.f.Symbols[i]
	fmt.Fprintf(p, "symbol %d:%d-%d %s %s", s.Line, s.Column, s.EndLine, s.Kind, p.path(i))
	for bit, name := range flagNames {
		if s.Flags&(1<<bit) != 0 {
			p.WriteString(" " + name)
		}
	}
	if s.Kind.IsFunc() {
		fmt.Fprintf(p, " args=%d-%d complexity=%d", s.MinArgs, s.MaxArgs, s.Complexity)
	}
	if s.Type != facts.None {
		fmt.Fprintf(p, " type=%s", p.expr(s.Type, 0))
	}
	if s.Flags&facts.Local == 0 {
		fmt.Fprintf(p, " sig=%q", p.text[s.SigStart:s.SigEnd])
	}
	if s.DocEnd > s.DocStart {
		fmt.Fprintf(p, " doc=%q", p.text[s.DocStart:s.DocEnd])
	}
	p.WriteByte('\n')
}

func (p *printer) path(i int32) string {
	s := &p.f.Symbols[i]
	switch {
	case s.Owner != "":
		return s.Owner + "." + s.Name
	case s.Parent != facts.None:
		return p.path(s.Parent) + "." + s.Name
	}
	return s.Name
}

func (p *printer) use(u *facts.Use) {
	fmt.Fprintf(p, "use %d:%d %s %s", u.Line, u.Column, u.Role, u.Name)
	if u.Args != facts.None {
		fmt.Fprintf(p, "/%d", u.Args)
	}
	if m := p.meaning(u); m != "" {
		p.WriteString(" = " + m)
	}
	if u.In != facts.None {
		fmt.Fprintf(p, " in %s", p.path(u.In))
	}
	p.WriteByte('\n')
}

func (p *printer) meaning(u *facts.Use) string {
	switch u.Bind {
	case facts.BindSymbol:
		return fmt.Sprintf("%s:%d", p.path(u.Target), p.f.Symbols[u.Target].Line)
	case facts.BindImport:
		return fmt.Sprintf("import %q", p.f.Imports[u.Target].Module)
	case facts.BindMember:
		return fmt.Sprintf("(%s).%s", p.expr(u.Target, 0), u.Name)
	}
	return ""
}

func (p *printer) expr(i int32, depth int) string {
	if i == facts.None {
		return "?"
	}
	if depth > 8 {
		return "..."
	}
	e := p.f.Exprs[i]
	x := func() string { return p.expr(e.X, depth+1) }
	y := func() string { return p.expr(e.Y, depth+1) }
	switch e.Op {
	case facts.OpUse:
		u := &p.f.Uses[e.X]
		if u.Bind == facts.BindMember {
			return p.expr(u.Target, depth+1) + "." + u.Name
		}
		return u.Name
	case facts.OpValue:
		return "value(" + x() + ")"
	case facts.OpCall:
		return x() + "()"
	case facts.OpElem:
		return fmt.Sprintf("%s[%d]", x(), e.Y)
	case facts.OpResult:
		return fmt.Sprintf("%s#%d", x(), e.Y)
	case facts.OpTuple:
		if e.Y == facts.None {
			return x()
		}
		return x() + ", " + y()
	case facts.OpApply:
		return x() + "<" + y() + ">"
	case facts.OpUnion:
		return x() + "|" + y()
	case facts.OpFunc:
		if e.Y != facts.None {
			return "func(" + y() + " -> " + x() + ")"
		}
		return "func(" + x() + ")"
	case facts.OpMembers:
		return "members(" + p.path(e.X) + ")"
	case facts.OpLiteral:
		names := []string{"string", "number", "bool", "null", "list", "map"}
		if e.X < facts.LiteralList {
			return names[e.X]
		}
		if e.X == facts.LiteralKeyed {
			return "keyed(" + y() + ")"
		}
		return names[e.X] + "(" + y() + ")"
	}
	return fmt.Sprintf("op%d", e.Op)
}

// checkFacts holds facts to what every reader of them relies on.
func checkFacts(t *testing.T, text []byte, f *facts.File) {
	t.Helper()
	below := func(what string, i int32, n int) {
		if i < facts.None || int(i) >= n {
			t.Fatalf("%s %d of %d", what, i, n)
		}
	}
	if !slices.IsSortedFunc(f.Symbols, func(a, b facts.Symbol) int { return int(a.Start) - int(b.Start) }) {
		t.Fatal("symbols are not in order")
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		below("parent", s.Parent, i)
		below("type", s.Type, len(f.Exprs))
		if s.Start > s.At || s.At+uint32(len(s.Name)) > s.End || s.SigEnd > s.End || s.SigStart > s.SigEnd || int(s.End) > len(text) {
			t.Fatalf("ranges of %+v", *s)
		}
		if got := string(text[s.At : s.At+uint32(len(s.Name))]); got != s.Name {
			t.Fatalf("symbol %s stands at %q", s.Name, got)
		}
	}
	for i := range f.Uses {
		u := &f.Uses[i]
		if i > 0 && u.At < f.Uses[i-1].At {
			t.Fatal("uses are not in order")
		}
		if got := string(text[u.At : u.At+uint32(len(u.Name))]); got != u.Name {
			t.Fatalf("use of %s stands at %q", u.Name, got)
		}
		if want := uint32(bytes.Count(text[:min(int(u.At), 1<<16)], []byte("\n"))) + 1; u.At < 1<<16 && u.Line != want {
			t.Fatalf("use of %s on line %d, want %d", u.Name, u.Line, want)
		}
		below("in", u.In, len(f.Symbols))
		below("target", u.Target, []int{0, len(f.Symbols), len(f.Imports), len(f.Exprs)}[u.Bind])
	}
	for i, e := range f.Exprs {
		switch e.Op {
		case facts.OpUse:
			below("use", e.X, len(f.Uses))
		case facts.OpMembers, facts.OpSymbol, facts.OpThis:
			below("symbol", e.X, len(f.Symbols))
		case facts.OpLiteral:
			below("element", e.Y, i)
		case facts.OpTuple, facts.OpApply, facts.OpUnion:
			below("operand", e.Y, i)
			below("operand", e.X, i)
		default:
			below("operand", e.X, i)
		}
	}
}

func TestHostileFiles(t *testing.T) {
	deep := func(open, middle, shut string) string {
		return "package p\nvar x = " + strings.Repeat(open, 100_000) + middle + strings.Repeat(shut, 100_000) + "\nfunc after() {}\n"
	}
	var many strings.Builder
	many.WriteString("package p\n")
	for i := range 200_000 {
		fmt.Fprintf(&many, "func f%d() { f%d() }\n", i, i/2)
	}
	var locals strings.Builder
	locals.WriteString("package p\nfunc f() {\n")
	for i := range 50_000 {
		fmt.Fprintf(&locals, "a%d, err := g(a%d)\n", i, max(0, i-1))
	}
	locals.WriteString("}\n")
	tests := map[string]struct {
		text string
		want string // a symbol that must be found
	}{
		"parentheses":     {deep("(", "1", ")"), "after"},
		"literals":        {deep("[]T{", "", "}"), "after"},
		"functions":       {deep("func() {", "", "}"), "after"},
		"operators":       {deep("-", "1", ""), "after"},
		"sums":            {deep("1+", "1", ""), "after"},
		"selectors":       {deep("a.", "b", ""), "after"},
		"calls":           {deep("", "a", "()"), "after"},
		"types":           {deep("[]", "T{}", ""), "after"},
		"long literal":    {"package p\nvar long = `" + strings.Repeat("x\n", 5<<19) + "`\nfunc after() {}\n", "after"},
		"many functions":  {many.String(), "f199999"},
		"many locals":     {locals.String(), "a49999"},
		"no package":      {"func f() {}\n", "f"},
		"half a function": {"package p\nfunc a() { b( }\nfunc c() {}\n", "c"},
		"cut off":         {"package p\nfunc a() { if x {", "a"},
		"bad bytes":       {"package p\nfunc a() { \xff\xfe\x00 }\nvar é = 1\n", "é"},
		"blank receiver":  {"package p\nfunc () a() {}\nfunc (x) b() {}\nfunc (*[]int) c() {}\n", "b"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			f := Parse([]byte(test.text))
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			checkFacts(t, []byte(test.text), f)
			if test.want != "" && !slices.ContainsFunc(f.Symbols, func(s facts.Symbol) bool { return s.Name == test.want }) {
				t.Errorf("%s is not found; errors %v", test.want, f.Errors)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	samples, _ := filepath.Glob("testdata/*.src")
	for _, path := range samples {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkFacts(t, text, Parse(text)) })
}

// BenchmarkParse reads the standard library's net/http, and compares with the
// parser alone.
func BenchmarkParse(b *testing.B) {
	var texts [][]byte
	size := 0
	paths, _ := filepath.Glob(filepath.Join(goroot(b), "src/net/http/*.go"))
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		texts = append(texts, text)
		size += len(text)
	}
	run := func(name string, parse func([]byte)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, t := range texts {
					parse(t)
				}
			}
		})
	}
	run("facts", func(t []byte) { Parse(t).Release() })
	run("parser", func(t []byte) { parse(t) })
}
