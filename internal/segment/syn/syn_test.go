package syn

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/nearest"
)

var lexID = code.Hash{1, 2, 3}

// file is what a test puts in a part.
type file struct {
	state  State
	reason string
	facts  *facts.File
}

// randomFacts makes facts that keep the rules, with names from a small set.
func randomFacts(r *rand.Rand, size int) *facts.File {
	f := &facts.File{Package: pick(r, "", "main", "pkg")}
	lines := []uint32{0}
	for range size {
		lines = append(lines, lines[len(lines)-1]+1+uint32(r.IntN(60)))
	}
	end := lines[len(lines)-1]
	place := func(at uint32) facts.Place {
		i := sort.Search(len(lines), func(i int) bool { return lines[i] > at }) - 1
		return facts.Place{At: at, Line: uint32(i + 1), Column: at - lines[i] + 1}
	}
	n := struct{ symbols, uses, imports, exprs int }{r.IntN(size), r.IntN(4 * size), r.IntN(4), r.IntN(2 * size)}
	some := func(n int) int32 { return int32(r.IntN(n+1)) - 1 }
	for range n.symbols {
		start := uint32(r.IntN(int(end)))
		s := facts.Symbol{Name: name(r), Kind: code.Kind(r.IntN(12)), Flags: facts.Flags(r.IntN(1 << 9)), Start: start, SigStart: start}
		s.Place = place(start + uint32(r.IntN(int(end-start))))
		s.End = s.At + uint32(r.IntN(1<<r.IntN(16)))
		s.EndLine = s.Line + uint32(r.IntN(9))
		s.SigEnd = s.SigStart + uint32(r.IntN(90))
		s.Type, s.Owner = some(n.exprs), pick(r, "", "T", "Reader")
		s.MinArgs, s.MaxArgs, s.Complexity = uint8(r.IntN(4)), pick(r, uint8(3), facts.ManyArgs), uint16(r.IntN(1<<r.IntN(16)))
		if start > 9 && r.IntN(3) == 0 {
			s.DocEnd = start - 1
			s.DocStart = s.DocEnd - uint32(1+r.IntN(5))
		}
		f.Symbols = append(f.Symbols, s)
	}
	slices.SortStableFunc(f.Symbols, func(a, b facts.Symbol) int { return int(a.Start) - int(b.Start) })
	for i := range f.Symbols {
		f.Symbols[i].Parent = some(i)
	}
	for range n.uses {
		u := facts.Use{Name: name(r), Role: facts.Role(r.IntN(7)), Place: place(uint32(r.IntN(int(end)))), In: some(n.symbols), Target: facts.None, Args: int16(r.IntN(4)) - 1}
		limits := [...]int{facts.BindFree: 0, facts.BindSymbol: n.symbols, facts.BindImport: n.imports, facts.BindMember: n.exprs}
		if u.Bind = facts.Bind(r.IntN(4)); limits[u.Bind] > 0 {
			u.Target = int32(r.IntN(limits[u.Bind]))
		} else {
			u.Bind = facts.BindFree
		}
		f.Uses = append(f.Uses, u)
	}
	slices.SortStableFunc(f.Uses, func(a, b facts.Use) int { return int(a.At) - int(b.At) })
	for i := range n.imports {
		f.Imports = append(f.Imports, facts.Import{
			Module: fmt.Sprintf("mod/%d", r.IntN(5)), Name: pick(r, "", "*", name(r)), Local: pick(r, "", name(r)),
			Place: place(uint32(i)), In: some(n.symbols), Flags: pick(r, 0, facts.Reexport),
		})
	}
	for i := range n.exprs {
		f.Exprs = append(f.Exprs, randomExpr(r, i, n.symbols, n.uses))
	}
	for range r.IntN(3) {
		f.Errors = append(f.Errors, facts.Fault{Line: uint32(r.IntN(99)), Message: "unexpected " + name(r)})
	}
	return f
}

func randomExpr(r *rand.Rand, i, symbols, uses int) facts.Expr {
	some := func() int32 { return int32(r.IntN(i+1)) - 1 }
	x := facts.Expr{Op: facts.Op(r.IntN(int(facts.OpTop) + 1)), X: some(), Y: some()}
	switch x.Op {
	case facts.OpUse:
		if uses > 0 {
			return facts.Expr{Op: facts.OpUse, X: int32(r.IntN(uses))}
		}
	case facts.OpMembers:
		if symbols > 0 {
			return facts.Expr{Op: x.Op, X: int32(r.IntN(symbols)), Y: x.Y}
		}
	case facts.OpSymbol, facts.OpThis, facts.OpSuper:
		if symbols > 0 {
			return facts.Expr{Op: x.Op, X: int32(r.IntN(symbols))}
		}
	case facts.OpTuple, facts.OpApply, facts.OpUnion, facts.OpFunc, facts.OpNarrow, facts.OpExcept, facts.OpElse:
		return x
	case facts.OpTop:
		return facts.Expr{Op: x.Op, X: int32(r.IntN(2))}
	case facts.OpGiven:
		if uses > 0 && i > 0 {
			return facts.Expr{Op: x.Op, X: int32(r.IntN(uses)), Y: int32(r.IntN(i))}
		}
	default:
		if i > 0 && x.Op != facts.OpLiteral && x.Op != facts.OpGiven {
			return facts.Expr{Op: x.Op, X: int32(r.IntN(i)), Y: int32(r.IntN(3))}
		}
	}
	return facts.Expr{Op: facts.OpLiteral, X: int32(r.IntN(6)), Y: facts.None}
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func name(r *rand.Rand) string {
	return pick(r, "get", "set", "value", "Reader", "read", "ctx", "err", "é") + pick(r, "", "", "All", fmt.Sprint(r.IntN(40)))
}

func randomFiles(seed uint64, n int) (files []file) {
	r := rand.New(rand.NewPCG(seed, 9))
	for range n {
		switch r.IntN(8) {
		case 0:
			files = append(files, file{state: Absent})
		case 1:
			files = append(files, file{state: Failed, reason: "the parser " + name(r)})
		case 2:
			files = append(files, file{state: Unknown})
		default:
			files = append(files, file{state: Parsed, facts: randomFacts(r, 2+r.IntN(1<<r.IntN(9)))})
		}
	}
	return files
}

func record(t testing.TB, f file) *Record {
	t.Helper()
	switch f.state {
	case Parsed:
		r, err := Encode(f.facts)
		if err != nil {
			t.Fatal(err)
		}
		return r
	case Failed:
		return Failure(f.reason)
	case Unknown:
		return Unsupported()
	}
	return &Record{}
}

func build(t testing.TB, files []file) []byte {
	t.Helper()
	var buf bytes.Buffer
	b := NewBuilder(&buf, lexID)
	for _, f := range files {
		if err := b.AddRecord(record(t, f)); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := b.Finish(); err != nil || n != int64(buf.Len()) {
		t.Fatalf("Finish = %d, %v of %d bytes", n, err, buf.Len())
	}
	return buf.Bytes()
}

func open(t testing.TB, data []byte) *Reader {
	t.Helper()
	r, err := Open(data, "test.syn")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// dump reads all files of a part.
func dump(r *Reader) (files []file) {
	for i := range r.NumFiles() {
		f := r.File(i)
		d := file{state: f.State(), reason: f.Reason()}
		if d.state == Parsed {
			d.facts = f.decode()
		}
		files = append(files, d)
	}
	return files
}

func TestRoundTrip(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			files := randomFiles(seed, int(seed)*9)
			r := open(t, build(t, files))
			if diff := cmp.Diff(files, dump(r), cmp.AllowUnexported(file{})); diff != "" {
				t.Fatalf("reads otherwise (-want +got):\n%s", diff)
			}
			if err := r.Check(nil); err != nil {
				t.Error(err)
			}
			if r.Lex() != lexID {
				t.Errorf("Lex() = %s", r.Lex())
			}
		})
	}
}

func TestStats(t *testing.T) {
	files := randomFiles(4, 50)
	var want Stats
	names := map[string]bool{}
	for _, f := range files {
		want.Files++
		want.count(f.state, 0)
		if f.state == Parsed {
			want.Symbols += len(f.facts.Symbols)
			for n := range record(t, f).each {
				names[n] = true
			}
		}
	}
	want.Names = len(names)
	r := open(t, build(t, files))
	if got := r.Stats(); got != want {
		t.Errorf("Stats() = %+v, want %+v", got, want)
	}
	for i, f := range files {
		if got := r.State(i); got != f.state {
			t.Errorf("State(%d) = %v, want %v", i, got, f.state)
		}
	}
}

// hit is a row of a look-up.
type hit struct{ file, row int }

func TestLookups(t *testing.T) {
	files := randomFiles(5, 60)
	r := open(t, build(t, files))
	lookups := map[string]func(string) func(func(*File, int) bool){
		"symbols": func(n string) func(func(*File, int) bool) { return r.Symbols(n) },
		"uses":    func(n string) func(func(*File, int) bool) { return r.Uses(n) },
		"imports": func(n string) func(func(*File, int) bool) { return r.Imports(n) },
	}
	want := map[string]map[string][]hit{"symbols": {}, "uses": {}, "imports": {}}
	note := func(kind, name string, file, row int) {
		if h := (hit{file, row}); name != "" && !slices.Contains(want[kind][name], h) {
			want[kind][name] = append(want[kind][name], h)
		}
	}
	for i, f := range files {
		if f.state != Parsed {
			continue
		}
		for k, s := range f.facts.Symbols {
			note("symbols", s.Name, i, k)
		}
		for k, u := range f.facts.Uses {
			note("uses", u.Name, i, k)
		}
		for k, m := range f.facts.Imports {
			note("imports", m.Module, i, k)
			note("imports", m.Name, i, k)
			note("imports", m.Local, i, k)
		}
	}
	for kind, names := range want {
		t.Run(kind, func(t *testing.T) {
			for _, n := range append(slices.Sorted(keys(names)), "nobody", "", "zzz", "\xff") {
				var got []hit
				lookups[kind](n)(func(f *File, row int) bool {
					f.UseAt(7) // reads other rows
					got = append(got, hit{f.Ordinal(), row})
					return true
				})
				if !slices.Equal(got, names[n]) {
					t.Errorf("%s of %q are %v, want %v", kind, n, got, names[n])
				}
			}
		})
	}
}

func TestCalls(t *testing.T) {
	files := randomFiles(5, 60)
	r := open(t, build(t, files))
	live := func(file int) bool { return file%3 != 0 }
	want := map[string]int{"nobody": 0}
	for i, f := range files {
		if f.facts == nil {
			continue
		}
		for _, u := range f.facts.Uses {
			if u.Role == facts.RoleCall && live(i) {
				want[u.Name]++
			}
		}
	}
	for name, n := range want {
		if got := r.Calls(name, live); got != n {
			t.Errorf("%d calls of %q, want %d", got, name, n)
		}
	}
}

func keys(m map[string][]hit) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func TestLookupsStop(t *testing.T) {
	r := open(t, build(t, randomFiles(5, 60)))
	n := 0
	for range r.Uses("err") {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d uses before the third", n)
	}
}

// flags adds up what files have under a name.
func (p *postings) flags() (all uint32) {
	for _, flags, ok := p.next(); ok; _, flags, ok = p.next() {
		all |= flags & hasMask
	}
	return all
}

// namesFrom lists the names from one on, and notes what the part holds under each.
func namesFrom(r *Reader, from string, has map[string]uint32) (order []string) {
	var c nameCursor
	for ok := c.seek(r, []byte(from)); ok; ok = c.next() {
		files := c.files()
		has[string(c.name)] = files.flags()
		order = append(order, string(c.name))
	}
	return order
}

func TestNames(t *testing.T) {
	files := randomFiles(5, 60)
	r := open(t, build(t, files))
	want := map[string]uint32{}
	for _, f := range files {
		for n, flags := range record(t, f).each {
			want[n] |= flags & hasMask
		}
	}
	has := map[string]uint32{}
	order := namesFrom(r, "", has)
	if diff := cmp.Diff(want, has); diff != "" || !slices.IsSorted(order) {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	for n, flags := range want {
		_, files, ok := r.lookup(n)
		if got := files.flags(); !ok || got != flags {
			t.Errorf("lookup(%q) = %b, %v, want %b", n, got, ok, flags)
		}
	}
	for _, from := range []string{"", "g", "get", "getA", "zz", order[0], order[len(order)-1]} {
		t.Run("from "+from, func(t *testing.T) {
			at, _ := slices.BinarySearch(order, from)
			if got := namesFrom(r, from, map[string]uint32{}); !slices.Equal(got, order[at:]) {
				t.Errorf("names from %q on are %q, want %q", from, got, order[at:])
			}
		})
	}
}

// TestDeclaring compares with what all files declare.
func TestDeclaring(t *testing.T) {
	files := randomFiles(7, 60)
	r := open(t, build(t, files))
	for name, fits := range map[string]func(string) bool{
		"all":       func(string) bool { return true },
		"none":      func(string) bool { return false },
		"beginning": func(n string) bool { return strings.HasPrefix(n, "get") },
		"one":       func(n string) bool { return n == "get" },
	} {
		var want []int
		for i, f := range files {
			if f.facts != nil && slices.ContainsFunc(f.facts.Symbols, func(s facts.Symbol) bool { return fits(s.Name) }) {
				want = append(want, i)
			}
		}
		if got := slices.Collect(r.Declaring(fits)); !slices.Equal(got, want) {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	if empty := open(t, build(t, nil)); len(slices.Collect(empty.Declaring(func(string) bool { return true }))) != 0 {
		t.Error("an empty part declares something")
	}
}

func TestNear(t *testing.T) {
	parsed := &facts.File{}
	all := []string{"Close", "Commit", "CommitAll", "ReadFile", "Readfile", "commits", "main", "open", "readFiles", "x"}
	for i, n := range all {
		parsed.Symbols = append(parsed.Symbols, facts.Symbol{
			Name: n, Place: facts.Place{At: uint32(i), Line: 1, Column: uint32(i + 1)}, Start: uint32(i), End: uint32(i + 1), Parent: facts.None, Type: facts.None})
	}
	r := open(t, build(t, []file{{state: Parsed, facts: parsed}}))
	for _, word := range []string{"comit", "Commmit", "readfiel", "RedFile", "opne", "mian", "y", "xx", "unrelatedWord", "read", "clos", "\xff\xfe"} {
		t.Run(word, func(t *testing.T) {
			got := nearest.Of(word, r.Near(word), 5)
			want := nearest.Of(word, all, 5)
			if !slices.Equal(got, want) {
				t.Errorf("near %q: %q, among all names %q", word, got, want)
			}
		})
	}
}

// merge writes a part of files of others.
func merge(files []Source) ([]byte, error) {
	var buf bytes.Buffer
	b := NewBuilder(&buf, lexID)
	for _, s := range files {
		if err := b.Copy(s); err != nil {
			return nil, err
		}
	}
	_, err := b.Finish()
	return buf.Bytes(), err
}

// TestMerge holds that files copied from parts give the part that their facts give.
func TestMerge(t *testing.T) {
	a, b := randomFiles(7, 30), randomFiles(8, 40)
	ra, rb := open(t, build(t, a)), open(t, build(t, b))
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		var files []file
		var sources []Source
		for range r.IntN(60) {
			switch r.IntN(5) {
			case 0:
				files, sources = append(files, file{}), append(sources, Source{})
			case 1, 2:
				i := r.IntN(len(a))
				files, sources = append(files, a[i]), append(sources, Source{ra, i})
			default:
				i := r.IntN(len(b))
				files, sources = append(files, b[i]), append(sources, Source{rb, i})
			}
		}
		got, err := merge(sources)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, build(t, files)) {
			t.Errorf("a merge of %d files has other bytes than a build", len(files))
		}
	}
}

func TestPlaces(t *testing.T) {
	// package p; func (r R) f(a int) { a }
	at := func(at, line, column uint32) facts.Place { return facts.Place{At: at, Line: line, Column: column} }
	all := &facts.File{
		Symbols: []facts.Symbol{
			{Name: "f", Place: at(23, 2, 12), Start: 11, End: 43, Parent: facts.None, Owner: "R", Type: facts.None},
			{Name: "a", Place: at(25, 2, 14), Start: 25, End: 30, Parent: 0, Type: facts.None, Flags: facts.Local},
		},
		Uses: []facts.Use{
			{Name: "int", Place: at(27, 2, 16), In: 0, Args: facts.None},
			{Name: "a", Place: at(35, 3, 2), In: 0, Args: facts.None, Bind: facts.BindSymbol, Target: 1},
		},
	}
	f := open(t, build(t, []file{{state: Parsed, facts: all}})).File(0)
	tests := []struct{ at, enclosing, symbol, use int }{
		{0, -1, -1, -1}, {11, 0, -1, -1}, {23, 0, 0, -1}, {24, 0, -1, -1}, {25, 1, 1, -1}, {27, 1, -1, 0}, {29, 1, -1, 0},
		{30, 0, -1, -1}, {35, 0, -1, 1}, {36, 0, -1, -1}, {43, -1, -1, -1}, {1 << 30, -1, -1, -1},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint("at ", tt.at), func(t *testing.T) {
			at := uint32(tt.at)
			if e, s, u := f.Enclosing(at), f.SymbolAt(at), f.UseAt(at); e != tt.enclosing || s != tt.symbol || u != tt.use {
				t.Errorf("enclosing %d, symbol %d, use %d, want %d, %d, %d", e, s, u, tt.enclosing, tt.symbol, tt.use)
			}
		})
	}
	for _, tt := range []struct{ at, line, start uint32 }{{0, 1, 0}, {11, 1, 0}, {12, 2, 12}, {33, 2, 12}, {34, 3, 34}, {1 << 20, 3, 34}} {
		if line, start := f.LineBefore(tt.at); line != tt.line || start != tt.start {
			t.Errorf("LineBefore(%d) = %d, %d, want %d, %d", tt.at, line, start, tt.line, tt.start)
		}
	}
	for i := range all.Symbols {
		want := f.Symbol(i)
		if name := f.Name(i); name != want.Name {
			t.Errorf("Name(%d) = %q, want %q", i, name, want.Name)
		}
		want.Name, want.Owner, want.Place, want.EndLine = "", "", facts.Place{At: want.At}, 0
		if got := f.BareSymbol(i); got != want {
			t.Errorf("BareSymbol(%d) = %+v, want %+v", i, got, want)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	place := facts.Place{At: 5, Line: 1, Column: 6}
	later := facts.Place{At: 9, Line: 1, Column: 10}
	symbol := facts.Symbol{Name: "s", Place: place, Start: 5, End: 6, Parent: facts.None, Type: facts.None}
	use := facts.Use{Name: "u", Place: place, In: facts.None, Args: facts.None}
	tests := []struct {
		name string
		file facts.File
		want string
	}{
		{"parent after it", facts.File{Symbols: []facts.Symbol{func() facts.Symbol { s := symbol; s.Parent = 0; return s }()}}, "parent"},
		{"no such type", facts.File{Symbols: []facts.Symbol{func() facts.Symbol { s := symbol; s.Type = 0; return s }()}}, "type"},
		{"backwards", facts.File{Symbols: []facts.Symbol{func() facts.Symbol { s := symbol; s.End = 2; return s }()}}, "ends before"},
		{"out of order", facts.File{Symbols: []facts.Symbol{symbol, func() facts.Symbol { s := symbol; s.Start = 1; return s }()}}, "begins before"},
		{"uses out of order", facts.File{Uses: []facts.Use{{Name: "v", Place: later, In: facts.None}, use}}, "stands before"},
		{"no such target", facts.File{Uses: []facts.Use{{Name: "v", Place: later, Bind: facts.BindMember, In: facts.None}}}, "target"},
		{"no such scope", facts.File{Imports: []facts.Import{{Module: "m", Place: place, In: 0}}}, "scope"},
		{"later operand", facts.File{Exprs: []facts.Expr{{Op: facts.OpCall, X: 0}}}, "operator"},
		{"two starts of a line", facts.File{Uses: []facts.Use{use, {Name: "v", Place: facts.Place{At: 9, Line: 1, Column: 2}, In: facts.None}}}, "line 1"},
		{"no line", facts.File{Uses: []facts.Use{{Name: "v", Place: facts.Place{At: 9}, In: facts.None}}}, "no place"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Encode(&tt.file); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// TestManySymbols holds that one file may have very many symbols, and that each
// is found by its name and place.
func TestManySymbols(t *testing.T) {
	const n = 200_000
	all := &facts.File{}
	for i := range uint32(n) {
		all.Symbols = append(all.Symbols, facts.Symbol{
			Name: fmt.Sprintf("f%06d", i), Place: facts.Place{At: 20*i + 5, Line: i + 1, Column: 6}, Start: 20 * i, End: 20*i + 19, Parent: facts.None, Type: facts.None,
		})
	}
	r := open(t, build(t, []file{{state: Parsed, facts: all}}))
	f := r.File(0)
	for _, i := range []int{0, 1, 127, 128, n / 2, n - 1} {
		t.Run(fmt.Sprintf("symbol %d", i), func(t *testing.T) {
			at := uint32(20*i + 7)
			if got := f.SymbolAt(at); got != i {
				t.Errorf("SymbolAt(%d) = %d, want %d", at, got, i)
			}
			if got := f.Enclosing(at); got != i {
				t.Errorf("Enclosing(%d) = %d, want %d", at, got, i)
			}
			var rows []int
			for _, row := range r.Symbols(all.Symbols[i].Name) {
				rows = append(rows, row)
			}
			if !slices.Equal(rows, []int{i}) {
				t.Errorf("Symbols(%q) = %v, want %d", all.Symbols[i].Name, rows, i)
			}
		})
	}
	if got := f.SymbolAt(20*n + 7); got != facts.None {
		t.Errorf("SymbolAt behind all = %d", got)
	}
}
