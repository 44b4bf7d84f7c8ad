package rustcode

import (
	"fmt"
	"strings"
	"testing"
)

// TestSamples holds the documented samples of the tools for one file and for symbols,
// byte for byte.
func TestSamples(t *testing.T) {
	sheet.Proves(t, "dep.layout graph.layout graph.symbol graph.count def.layout ref.layout ref.union path.absolute")
	needGrammars(t)
	c := newClient(t, setup{files: demo})
	for _, tt := range []struct {
		name, tool string
		args       object
		want       string
	}{
		{"dependencies", "get_dependencies", object{"file_path": c.root + "/src/cfg.rs"}, "Dependencies for '/repo/src/cfg.rs':\n\nImports (2):\n- std::fs\n- serde::Deserialize\n"},
		{"relative", "get_dependencies", object{"file_path": "src/limit.rs"}, "Dependencies for 'src/limit.rs':\n\nImports (1):\n- std::time::Duration\n"},
		{"graph of a symbol", "get_call_graph", object{"file_path": c.root + "/src/cfg.rs", "symbol_name": "load"}, "Call graph for '/repo/src/cfg.rs':\n\nSymbol: load\n\nCalls (2):\n  -> read_to_string\n  -> from_str\n\nCalled by (1):\n  <- main\n"},
		{"graph", "get_call_graph", object{"file_path": c.root + "/src/cfg.rs"}, "Call graph for '/repo/src/cfg.rs':\n\nFunctions: 4\nCall relationships: 3\n\nCall relationships:\nload -> [read_to_string, from_str]\nmain -> [load]\n"},
		{"callers alone", "get_call_graph", object{"file_path": "src/cfg.rs", "symbol_name": "from_str"}, "Call graph for 'src/cfg.rs':\n\nSymbol: from_str\n\nCalled by (1):\n  <- load\n"},
		{"calls alone", "get_call_graph", object{"file_path": "src/cfg.rs", "symbol_name": "main"}, "Call graph for 'src/cfg.rs':\n\nSymbol: main\n\nCalls (1):\n  -> load\n"},
		{"definition", "find_definition", object{"symbol_name": "TokenBucket", "directory": c.root}, "Found 1 definition(s) for 'TokenBucket':\n/repo/src/limit.rs:10:12 (TokenBucket)"},
		{"references", "find_references", object{"symbol_name": "TokenBucket", "directory": c.root + "/"}, "Found 3 reference(s) for 'TokenBucket':\n/repo/src/limit.rs:10:12 (TokenBucket)\n/repo/src/limit.rs:20:6 (reference)\n/repo/src/main.rs:3:18 (reference)"},
	} {
		t.Run(tt.name, func(t *testing.T) { c.on(t).is(tt.tool, tt.args, tt.want) })
	}
}

// crooked is Rust whose calls, imports and words are not what they seem.
const crooked = `//! Words: if for match.
use a::{self, b::*, c as d};
pub(crate) use self::x::{Y, z::{self as w}};
#[cfg(test)] use super::*;
extern crate core;
mod other;

pub struct One;
pub struct Two { a: u8 }
union Three { a: u8 }
enum Four { A(u8) }
type Five = Two;

impl One { fn go(&self) { step(); before!(inside(), 1); } }
impl Two { fn go(&self) { leap(); let f = || closed(); f(); Four::A(1); One {}; } }

pub trait Shape {
    fn area(&self) -> f64 { compute() }
    fn name(&self) -> String;
}

mod inner {
    use std::fmt;
    pub fn deep() { if true { notify() } else if false { x::y::path::<u8>(); } }
}

fn outer() {
    use std::mem;
    fn nested() { buried(); }
    // a comment with for and while
    let s = format!("before && {}", mem::take(&mut 1));
    s.chars().map(|c| c).chars();
}
`

func TestRust(t *testing.T) {
	sheet.Proves(t, "dep.groups dep.modules graph.callers graph.callees graph.macros graph.order cx.layout cx.lines cx.symbols cx.words cx.average cx.calls cx.parsed")
	needGrammars(t)
	c := newClient(t, setup{files: map[string]string{"x.rs": crooked, "none.rs": "// nothing\n"}})
	const graph = "area -> [compute]\ndeep -> [notify, path]\ngo -> [step, leap, closed, f, A]\nouter -> [buried, chars, map]\n"
	for _, tt := range []struct {
		name, tool string
		args       object
		want       string
	}{
		{"imports", "get_dependencies", object{"file_path": "x.rs"}, "Dependencies for 'x.rs':\n\nImports (7):\n- a::self\n- a::b\n- a::c\n- self::x::Y\n- self::x::z::self\n- super\n- std::fmt\n"},
		{"no imports", "get_dependencies", object{"file_path": "none.rs"}, "Dependencies for 'none.rs':\n\nNo imports found.\n"},
		{"calls", "get_call_graph", object{"file_path": "x.rs"}, "Call graph for 'x.rs':\n\nFunctions: 15\nCall relationships: 11\n\nCall relationships:\n" + graph + "\nIn arguments of macros (2):\ngo -> [inside]\nouter -> [take]\n"},
		{"no calls", "get_call_graph", object{"file_path": "none.rs"}, "Call graph for 'none.rs':\n\nFunctions: 0\nCall relationships: 0\n\nNo function calls found.\n"},
		{"two methods of a name", "get_call_graph", object{"file_path": "x.rs", "symbol_name": "One::go"}, "Call graph for 'x.rs':\n\nSymbol: One::go\n\nCalls (5):\n  -> step\n  -> leap\n  -> closed\n  -> f\n  -> A\n\nCalls in arguments of macros (1):\n  -> inside\n"},
		{"neither", "get_call_graph", object{"file_path": "x.rs", "symbol_name": "nested"}, "Call graph for 'x.rs':\n\nSymbol: nested\n\nNo call relationships found.\n"},
		{"unknown", "get_call_graph", object{"file_path": "x.rs", "symbol_name": "nestd"}, "Call graph for 'x.rs':\n\nSymbol: nestd\n\nNo call relationships found.\nSimilar names in this file: nested\n"},
		{"measures", "analyze_complexity", object{"file_path": "x.rs"}, "Complexity analysis for 'x.rs':\n\n" + layout(33, 28, 2, 26, 4, 2, 1, 14, "3.50", 11) + "Cyclomatic (parsed):   7\nAvg (parsed):          1.40\n"},
		{"no functions", "analyze_complexity", object{"file_path": "none.rs"}, "Complexity analysis for 'none.rs':\n\n" + layout(1, 1, 1, 0, 0, 0, 0, 0, "0.00", 0) + "Cyclomatic (parsed):   0\nAvg (parsed):          0.00\n"},
	} {
		t.Run(tt.name, func(t *testing.T) { c.on(t).is(tt.tool, tt.args, tt.want) })
	}
}

// layout is the documented layout of the measures of a file.
func layout(values ...any) string {
	return fmt.Sprintf(`=== Code Metrics ===
Total lines:           %v
Non-empty lines:       %v
Comment lines:         %v
Code lines (approx):   %v

=== Symbol Counts ===
Functions:             %v
Structs:               %v
Traits:                %v

=== Complexity ===
Total cyclomatic:      %v
Avg per function:      %v
Function calls:        %v
`, values...)
}

// TestLanguages asks about files in other languages.
func TestLanguages(t *testing.T) {
	sheet.Proves(t, "dep.languages graph.none graph.unknown cx.languages dep.none dep.errors cx.errors")
	c := newClient(t, setup{files: map[string]string{
		"a.go":    "package a\n\nimport (\n\t\"fmt\"\n\tio \"net/http\"\n)\n\n// T is one.\ntype T struct{}\n\ntype I interface{ M() }\n\nfunc (t T) M() {\n\tif true && false {\n\t\tfmt.Println(io.Get(\"x\"))\n\t}\n}\n\nfunc main() { T{}.M() }\n",
		"b.md":    "# Title\n",
		"c.py":    "import os.path\nfrom a.b import c, d\nfrom . import e\n\nclass C:\n    def m(self):\n        def inner():\n            return c()\n        return inner()\n\ndef free():\n    # nothing\n    return C().m() if os else d()\n",
		"E.java":  "package p;\n\nimport java.util.List;\nimport static java.lang.Math.max;\n\ninterface I { int area(); }\nrecord R(int a) {}\nclass E { int f(int x) { return max(x, g()); } int g() { return 1; } }\n",
		"bad.txt": "caf\xe9 au lait and more text that is long enough", "big.bin": "\x00\x01",
	}})
	for _, tt := range []struct {
		name, tool string
		args       object
		want       string
		grammar    bool
	}{
		{"imports of Go", "get_dependencies", object{"file_path": "a.go"}, "Dependencies for 'a.go':\n\nImports (2):\n- fmt\n- net/http\n", false},
		{"calls of Go", "get_call_graph", object{"file_path": "a.go"}, "Call graph for 'a.go':\n\nFunctions: 5\nCall relationships: 4\n\nCall relationships:\nM -> [Println, Get]\nmain -> [T, M]\n", false},
		{"measures of Go", "analyze_complexity", object{"file_path": "a.go"}, "Complexity analysis for 'a.go':\n\n" + layout(19, 14, 1, 13, 2, 1, 1, 4, "2.00", 4), false},
		{"imports of Python", "get_dependencies", object{"file_path": "c.py"}, "Dependencies for 'c.py':\n\nImports (3):\n- os.path\n- a.b\n- .\n", true},
		{"calls of Python", "get_call_graph", object{"file_path": "c.py"}, "Call graph for 'c.py':\n\nFunctions: 6\nCall relationships: 5\n\nCall relationships:\nfree -> [C, m, d]\ninner -> [c]\nm -> [inner]\n", true},
		{"measures of Python", "analyze_complexity", object{"file_path": "c.py"}, "Complexity analysis for 'c.py':\n\n" + layout(13, 11, 1, 10, 2, 1, 0, 3, "1.50", 5), true},
		{"imports of Java", "get_dependencies", object{"file_path": "E.java"}, "Dependencies for 'E.java':\n\nImports (2):\n- java.util.List\n- java.lang.Math.max\n", true},
		{"measures of Java", "analyze_complexity", object{"file_path": "E.java"}, "Complexity analysis for 'E.java':\n\n" + layout(8, 6, 0, 6, 2, 2, 1, 2, "1.00", 2), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.grammar {
				needGrammars(t)
			}
			c.on(t).is(tt.tool, tt.args, tt.want)
		})
	}
	for path, want := range map[string]string{
		"b.md": "Parse error: there is no grammar for it", "nope.go": "File 'nope.go' does not exist", ".": "'.' is not a file", "big.bin": "Failed to read file: ",
	} {
		for _, tool := range []string{"get_dependencies", "get_call_graph", "analyze_complexity"} {
			t.Run(tool+" "+path, func(t *testing.T) {
				_, err := c.on(t).Try(tool, object{"file_path": path})
				if err == nil || !strings.HasPrefix(err.Message, want) {
					t.Errorf("%v, want %s", err, want)
				}
			})
		}
	}
}
