package shebe

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"espy/internal/redact"
)

// TestJudge holds the patterns, base scores and adjustments, each on a line.
func TestJudge(t *testing.T) {
	sheet.Proves(t, "refs.words refs.kind refs.patterns refs.method refs.import refs.best refs.test refs.comment refs.string refs.docs refs.clamp refs.levels")
	for _, tt := range []struct {
		kind, path, line string
		use              string
		confidence       int
	}{
		{"any", "a.go", "x := sym(1)", "function_call", 95},
		{"any", "a.go", "x := sym (1)", "function_call", 95},
		{"any", "a.go", "x.sym(1)", "method_call", 92},
		{"any", "a.cpp", "p->sym(1)", "method_call", 92},
		{"any", "a.ts", "p?.sym(1)", "method_call", 92},
		{"any", "a.cpp", "ns::sym(1)", "function_call", 95},
		{"any", "a.ts", "let x: sym = 1", "type_annotation", 85},
		{"any", "a.rs", "fn f() -> sym {", "return_type", 85},
		{"any", "a.rs", "Vec<sym>", "generic_type", 85},
		{"any", "a.go", "return sym{1}", "type_instantiation", 85},
		{"any", "a.py", "sym = 3", "assignment_target", 80},
		{"any", "a.py", "if sym == 3:", "assignment_target", 80},
		{"any", "a.rs", "let x = ns::sym;", "type_annotation", 85},
		{"any", "a.py", "from sym import x", "import", 90},
		{"function", "a.py", "from sym import x", "import", 90},
		{"any", "pkg/testdata/a.go", "x = sym", "assignment_value", 85},
		{"any", "a/test2.py", "x = sym", "assignment_value", 85},
		{"any", "a.py", "x = sym", "assignment_value", 80},
		{"any", "a.py", "sym.field", "property_access", 85},
		{"any", "a.py", "import sym", "import", 90},
		{"any", "a.py", "from utils import sym", "import", 90},
		{"any", "a.ts", "import { sym } from './x'", "import", 90},
		{"any", "a.rs", "pub use utils::sym;", "use_statement", 90},
		{"any", "a.go", "f(ctx, sym)", "word_match", 60},
		{"function", "a.go", "x = sym", "word_match", 60},
		{"type", "a.go", "sym(1)", "word_match", 60},
		{"type", "a.rs", "use x::sym;", "use_statement", 90},
		{"variable", "a.go", "sym(1)", "word_match", 60},
		{"constant", "a.py", "sym = 1", "assignment_target", 80},
		{"any", "tests/integration_test.rs", "sym();", "function_call", 100},
		{"any", "src/spec/a.rb", "sym()", "function_call", 100},
		{"any", "latest/contest.go", "sym()", "function_call", 95},
		{"any", "a.go", "// sym is used for testing", "word_match", 30},
		{"any", "a.go", "// sym() is used", "function_call", 65},
		{"any", "a.py", "# sym here", "word_match", 30},
		{"any", "a.c", "#define X sym(1)", "function_call", 95},
		{"any", "a.go", `log("sym failed")`, "word_match", 40},
		{"any", "a.go", `log("it") + sym("x")`, "function_call", 95},
		{"any", "a.php", `sqlQuery("SELECT 1", sym('x'))`, "function_call", 95},
		{"any", "README.md", "Use `sym` always", "word_match", 35},
		{"any", "notes.txt", "don't touch sym, isn't safe", "word_match", 35},
		{"any", "README.md", "* sym", "word_match", 35},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			r := &referenceRequest{symbol: "sym", kind: tt.kind, limit: 50}
			refs := r.inFile(&marked{Part: redact.Part{Path: tt.path, Text: []byte(tt.line + "\n")}}, nil)
			if len(refs) != 1 || refs[0].use != tt.use || refs[0].confidence != tt.confidence {
				t.Errorf("%s %s %q: %+v, want %s %d", tt.kind, tt.path, tt.line, refs, tt.use, tt.confidence)
			}
		})
	}
	for confidence, want := range map[int]int{100: 0, 80: 0, 79: 1, 50: 1, 49: 2, 0: 2} {
		t.Run(fmt.Sprint(confidence), func(t *testing.T) {
			if got := level(confidence); got != want {
				t.Errorf("confidence %d is on level %d, want %d", confidence, got, want)
			}
		})
	}
	if got := adjust(10, "README.md", "// sym", 3); got != 0 {
		t.Errorf("a score under 0 is %d", got)
	}
	for _, line := range []string{"my_sym()", "symbol", "asym", "sym2()", "ésym"} {
		t.Run(line, func(t *testing.T) {
			// no word boundary
			if refs := (&referenceRequest{symbol: "sym", kind: "any"}).inFile(&marked{Part: redact.Part{Path: "a.go", Text: []byte(line)}}, nil); len(refs) != 0 {
				t.Errorf("%q: %+v", line, refs)
			}
		})
	}
}

// fixture is the one of the original's own tests.
var fixture = map[string]string{
	"src/lib.rs":        "pub fn calculate_total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n",
	"src/handlers.rs":   "use crate::calculate_total;\n\npub fn handle(items: &[u32]) -> u32 {\n    calculate_total(items)\n}\n",
	"tests/lib_test.rs": "use shop::calculate_total;\n\n#[test]\nfn sums() {\n    assert_eq!(calculate_total(&[1, 2]), 3);\n}\n",
	"README.md":         "# Shop\n\n`calculate_total` adds up.\n\nCall calculate_total for the sum.\n",
}

var headings = regexp.MustCompile(`(?m)^#### (\S+)$`)

func places(answer string) string {
	var out []string
	for _, m := range headings.FindAllStringSubmatch(answer, -1) {
		out = append(out, m[1])
	}
	return strings.Join(out, " ")
}

func TestFindReferences(t *testing.T) {
	sheet.Proves(t, "refs.symbol refs.odd refs.kind refs.definition refs.defined refs.context refs.max refs.max.bad refs.none refs.order")
	c := newClient(t, fixture, nil)
	c.index("s", nil)
	const uses = "tests/lib_test.rs:5 src/handlers.rs:4 tests/lib_test.rs:1 src/handlers.rs:1 README.md:3 README.md:5"
	for _, tt := range []struct {
		args object
		want string
	}{
		{object{}, uses},
		{object{"defined_in": "src/lib.rs"}, uses},
		{object{"defined_in": "/src/lib.rs"}, uses},
		{object{"defined_in": filepath.Join(c.root, "src/lib.rs")}, uses},
		{object{"defined_in": "rc/lib.rs"}, "tests/lib_test.rs:5 src/handlers.rs:4 src/lib.rs:1 tests/lib_test.rs:1 src/handlers.rs:1 README.md:3 README.md:5"}, // no whole component
		{object{"defined_in": "src/lib.rs", "include_definition": true}, "tests/lib_test.rs:5 src/handlers.rs:4 src/lib.rs:1 tests/lib_test.rs:1 src/handlers.rs:1 README.md:3 README.md:5"},
		{object{"include_definition": true, "max_results": 3}, "tests/lib_test.rs:5 src/handlers.rs:4 src/lib.rs:1"},
		{object{"max_results": 1}, "tests/lib_test.rs:5"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			c := c.on(t)
			tt.args["session"], tt.args["symbol"] = "s", "calculate_total"
			if got := places(c.Call("find_references", tt.args)); got != tt.want {
				t.Errorf("find_references(%v): %s, want %s", tt.args, got, tt.want)
			}
		})
	}
	wide := strings.Repeat("é", 100) + " calculate_total"
	if refs := (&referenceRequest{symbol: "calculate_total", kind: "any"}).inFile(&marked{Part: redact.Part{Path: "a.go", Text: []byte(wide)}}, nil); len(refs) != 1 || refs[0].context != "   1 | "+strings.Repeat("é", 60)+"...\n" || refs[0].column != 102 {
		t.Errorf("a wide line: %+v", refs)
	}
	golden(t, "references.txt", c.tell([]exchange{
		{"find_references", object{"symbol": "calculate_total", "session": "s"}},
		{"find_references", object{"symbol": "calculate_total", "session": "s", "symbol_type": "function", "context_lines": 0, "max_results": 1}},
	}))
	const bad = invalidParams
	for _, tt := range []struct {
		args    object
		message string
	}{
		{object{"symbol": ""}, "Symbol cannot be empty"},
		{object{"symbol": "   "}, "Symbol cannot be empty"},
		{object{"symbol": "a"}, "Symbol must be at least 2 characters"},
		{object{"symbol": strings.Repeat("x", 201)}, "Symbol cannot exceed 200 characters"},
		{object{"symbol": "ab", "context_lines": 11}, "context_lines must be between 0 and 10"},
		{object{"symbol": "ab", "max_results": 501}, "max_results must be between 1 and 500 (200 in the schema)"},
		{object{"symbol": "ab", "symbol_type": "macro"}, "Invalid symbol_type: 'macro'. Must be 'function', 'type', 'variable', 'constant' or 'any'."},
	} {
		t.Run(tt.message, func(t *testing.T) {
			c := c.on(t)
			tt.args["session"] = "s"
			c.fails("find_references", tt.args, bad, tt.message)
		})
	}
	c.fails("find_references", object{"symbol": "ab", "session": "none"}, codeSession, "Session not found: none")
	for _, odd := range []string{"ab", strings.Repeat("x", 200), "foo::bar", "x(", "context.Context", "[]", "a\\b", "é("} {
		t.Run(odd, func(t *testing.T) {
			c := c.on(t)
			if got := c.Call("find_references", object{"symbol": odd, "session": "s", "max_results": 500}); !strings.HasPrefix(got, "No references found for `"+odd+"`") {
				t.Errorf("symbol %q: %s", odd, got)
			}
		})
	}
}

// TestReferencesOfLanguages finds a symbol of each kind where the original's tests do.
func TestReferencesOfLanguages(t *testing.T) {
	sheet.Proves(t, "refs.odd refs.import refs.kind refs.levels")
	c := newClient(t, map[string]string{
		"lib.rs":    "pub use utils::helper_func;\n",
		"app.py":    "from utils import process_data\n\nprocess_data(1)\n",
		"server.go": "func serve(ctx context.Context) { HandleRequest(ctx) }\n",
		"config.ts": "const c: UserConfig = load();\nfunction f(x: Map<string, UserConfig>) {}\n",
	}, nil)
	c.index("s", nil)
	for _, tt := range []struct{ symbol, kind, places, uses string }{
		{"helper_func", "any", "lib.rs:1", "use_statement"},
		{"process_data", "function", "app.py:3 app.py:1", "function_call import"},
		{"HandleRequest", "function", "server.go:1", "function_call"},
		{"context.Context", "type", "server.go:1", "word_match"},
		{"ctx context.", "any", "server.go:1", "word_match"},
		{"UserConfig", "type", "config.ts:1 config.ts:2", "type_annotation word_match"},
	} {
		t.Run(tt.symbol, func(t *testing.T) {
			c := c.on(t)
			got := c.Call("find_references", object{"symbol": tt.symbol, "symbol_type": tt.kind, "session": "s"})
			var uses []string
			for _, m := range regexp.MustCompile(`(?m)^- \*\*Pattern:\*\* (\w+)$`).FindAllStringSubmatch(got, -1) {
				uses = append(uses, m[1])
			}
			if places(got) != tt.places || strings.Join(uses, " ") != tt.uses {
				t.Errorf("%s: %s (%s), want %s (%s)", tt.symbol, places(got), uses, tt.places, tt.uses)
			}
		})
	}
}

// TestManyReferences holds that there is no bound of 100, and that words are whole.
func TestManyReferences(t *testing.T) {
	sheet.Proves(t, "refs.every refs.words")
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("f%02d.cpp", i)] = "MatrixXd a;\nColMatrixXd b;\nMatrixXdC c;\nvoid f() { MatrixXd x; MatrixXd y; }\nMatrixXd z(3);\n"
	}
	c := newClient(t, files, nil)
	c.index("eigen", nil)
	got := c.Call("find_references", object{"symbol": "MatrixXd", "session": "eigen", "context_lines": 0, "max_results": 500})
	if !strings.HasPrefix(got, "## References to `MatrixXd` (150 found)") || strings.Contains(got, ":2\n") || strings.Contains(got, ":3\n") {
		t.Errorf("%.300s", got)
	}
}
