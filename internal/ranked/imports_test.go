package ranked_test

import (
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestBeyondImports holds that a hit shows the code that says what is asked, not the imports
// at the top of its file that name the same things, unless nothing else of it does or the
// question names the file.
func TestBeyondImports(t *testing.T) {
	rest := "\nfn other(text: &str) -> usize {\n" + strings.Repeat("    // counts what stands in the text so far, one by one\n", 40) + "    text.len()\n}\n"
	snap := sample.Repository(t, "demo", map[string]string{
		"src/steps.rs": "use crate::pipeline::{Pipeline, parse_pipeline_element};\nuse crate::ast::{Ast, Pipeline as AstPipeline};\nuse crate::parse::pipeline_ast;\n" + rest +
			"\npub fn build(tokens: &[Token]) -> Tree {\n    // a pipeline is parsed: each of its elements becomes a node of the ast\n    let made = tokens.iter().map(node).collect();\n    Tree { made }\n}\n" + rest,
		"src/warn.rs": "fn lost() -> ! {\n    panic!(\"a tree has lost all but one of its nodes\")\n}\n",
		"src/lib.rs":  "pub mod invoice;\npub use invoice::ledger;\n",
	})
	for _, c := range []struct {
		query, path string
		line        int // that is shown
	}{
		{"where is a pipeline parsed into an ast", "src/steps.rs", 50},
		{"invoice ledger", "src/lib.rs", 2},
		{"src/steps.rs", "src/steps.rs", 1},
		{"src/steps.rs:49", "src/steps.rs", 49},
		{`File "src/steps.rs", line 49, in f`, "src/steps.rs", 49},
		{"panicked at src/lib.rs:2:5: a tree has lost all but one of its nodes", "src/lib.rs", 2},
		{"https://github.com/o/demo/blob/main/src/steps.rs#L92-L94", "src/steps.rs", 92},
	} {
		showsFirst(t, snap, c.query, c.path, c.line)
	}
}

// showsFirst holds that a question finds a file first, and shows a line of it.
func showsFirst(t *testing.T, snap *store.Snapshot, query, path string, line int) {
	t.Helper()
	res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: query})
	if len(res.Hits) == 0 || res.Hits[0].Path != path {
		t.Fatalf("%q finds %s, want %s first", query, sample.Places(res), path)
	}
	if h := res.Hits[0]; h.StartLine > line || line > h.EndLine {
		t.Errorf("%q shows %d-%d of %s, want line %d", query, h.StartLine, h.EndLine, h.Path, line)
	}
}
