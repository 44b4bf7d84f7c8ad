package syn

import (
	"testing"

	"espy/internal/code"
	"espy/internal/facts"
)

// TestUnlikely holds that each symbol is likelier than the one behind it.
func TestUnlikely(t *testing.T) {
	exported, private, local := facts.Exported, facts.Flags(0), facts.Exported|facts.Local
	tests := []struct {
		name  string
		kind  code.Kind
		flags facts.Flags
		class code.Class
		want  int
	}{
		{"exported type", code.KindClass, exported, 0, 0},
		{"exported function", code.KindFunc, exported, 0, 1},
		{"exported method", code.KindMethod, exported, 0, 2},
		{"exported constant", code.KindConst, exported, 0, 3},
		{"private type", code.KindClass, private, 0, 4},
		{"private constant", code.KindConst, private, 0, 7},
		{"type of a test", code.KindClass, exported, code.ClassTest, 8},
		{"type of an example", code.KindClass, exported, code.ClassExample, 8},
		{"type of a benchmark", code.KindClass, exported, code.ClassBench, 8},
		{"type of documentation", code.KindClass, exported, code.ClassDocs, 8},
		{"type of legacy code", code.KindClass, exported, code.ClassLegacy, 8},
		{"type of a file of declarations", code.KindClass, exported, code.ClassDeclaration, 8},
		{"vendored type", code.KindClass, exported, code.ClassVendor, 8},
		{"generated type", code.KindClass, exported, code.ClassGenerated, 8},
		{"minified type", code.KindClass, exported, code.ClassMinified, 8},
		{"private constant of a vendored test", code.KindConst, private, code.ClassVendor | code.ClassTest, 15},
		{"local type", code.KindClass, local, 0, 16},
		{"local constant of a test", code.KindConst, facts.Local, code.ClassTest, 31},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Unlikely(&facts.Symbol{Kind: tt.kind, Flags: tt.flags}, tt.class); got != tt.want {
				t.Errorf("Unlikely = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestPathQualifies(t *testing.T) {
	tests := []struct {
		file string
		name string
		want bool
	}{
		{"a/b/c.go", "b", true},
		{"a/b/c.go", "a/b", true},
		{"a/b/c.go", "b/c", true},
		{"a/b/c.go", "c", true},
		{"a/b/c.go", "a", false},
		{"a/b/c.go", "x/b", false},
		{"a/b/c.go", "a/b/c/d", false},
		{"c.go", "c", true},
	}
	for _, tt := range tests {
		t.Run(tt.file+" "+tt.name, func(t *testing.T) {
			if got := PathQualifies(tt.file, facts.SplitName(tt.name)); got != tt.want {
				t.Errorf("PathQualifies(%q, %q) = %v, want %v", tt.file, tt.name, got, tt.want)
			}
		})
	}
}

// TestIDs holds the ids of symbols, and that each leads back.
func TestIDs(t *testing.T) {
	symbol := func(at uint32, name string, parent int32, owner string) facts.Symbol {
		return facts.Symbol{Name: name, Place: facts.Place{At: at, Line: 1, Column: at + 1}, Start: at, End: at + 1, Parent: parent, Owner: owner, Type: facts.None}
	}
	all := &facts.File{Package: "pkg", Symbols: []facts.Symbol{
		symbol(0, "T", facts.None, ""), symbol(1, "m", 0, ""), symbol(2, "m", 0, ""), symbol(3, "m", facts.None, "ns::T"), symbol(4, "m", facts.None, ""),
		symbol(5, "[a.b]", 0, ""), symbol(6, "1.2 x", facts.None, ""),
	}}
	f := open(t, build(t, []file{{state: Parsed, facts: all}})).File(0)
	want := []string{"T", "T.m", "T.m~2", "ns.T.m", "m", "T.[a.b]", "1.2 x"}
	together := f.IDs("a/b.go")
	for i, local := range want {
		t.Run(local, func(t *testing.T) {
			if together[i] != "a/b.go#"+local {
				t.Errorf("IDs()[%d] = %q, want a/b.go#%s", i, together[i], local)
			}
			if got := f.ID("a/b.go", i); got != "a/b.go#"+local {
				t.Errorf("ID(%d) = %q, want a/b.go#%s", i, got, local)
			}
			if got := f.ByID(local); got != i {
				t.Errorf("ByID(%q) = %d, want %d", local, got, i)
			}
		})
	}
	for _, none := range []string{"T.m~3", "m~2", "U", "U.m", ""} {
		t.Run("no "+none, func(t *testing.T) {
			if got := f.ByID(none); got != facts.None {
				t.Errorf("ByID(%q) = %d, want none", none, got)
			}
		})
	}
	qualified := []struct {
		name string
		row  int
		want bool
	}{
		{"T", 1, true}, {"pkg.T", 1, true}, {"b.T", 1, true}, {"a.b.T", 1, true}, {"c.T", 1, false}, {"U", 1, false},
		{"pkg", 4, true}, {"a.b", 4, true}, {"T", 4, false}, {"pkg", 1, false}, {"ns.T", 3, true},
	}
	for _, tt := range qualified {
		t.Run(tt.name+" before "+want[tt.row], func(t *testing.T) {
			if got := f.Qualifies("a/b.go", tt.row, facts.SplitName(tt.name)); got != tt.want {
				t.Errorf("Qualifies(%q) of %s = %v, want %v", tt.name, want[tt.row], got, tt.want)
			}
		})
	}
}
