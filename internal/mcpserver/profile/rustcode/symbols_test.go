package rustcode

import (
	"fmt"
	"strings"
	"testing"
)

func TestDefinitions(t *testing.T) {
	sheet.Proves(t, "def.layout def.none def.exact def.flag def.sorted def.local def.missing def.cargo def.qualified")
	files := map[string]string{
		"a.go":               "package a\n\nimport \"fmt\"\n\ntype Bucket struct{ Size int }\n\nfunc (b Bucket) Fill(level int) { level++; fmt.Println(level) }\n\nfunc fillAll(b Bucket) {}\n",
		"b/b.go":             "package b\n\nfunc Fill() {}\n\ntype Tank struct{}\n\nfunc (t *Tank) Fill() {}\n",
		"vendor/x/vendor.go": "package x\n\nfunc Fill() {}\n",
		"Z.go":               "package a\n\nvar first, Fill2 = 1, 2\n",
	}
	c := newClient(t, setup{files: files})
	for _, tt := range []struct {
		name string
		args object
		want string
	}{
		{"exact", object{"symbol_name": "Fill"}, "Found 3 definition(s) for 'Fill':\n/repo/a.go:7:17 (Fill)\n/repo/b/b.go:3:6 (Fill)\n/repo/b/b.go:7:16 (Fill)"},
		{"exact, with the flag", object{"symbol_name": "Fill", "exact": true}, "Found 3 definition(s) for 'Fill':\n/repo/a.go:7:17 (Fill)\n/repo/b/b.go:3:6 (Fill)\n/repo/b/b.go:7:16 (Fill)"},
		{"qualified", object{"symbol_name": "Tank::Fill"}, "Found 1 definition(s) for 'Tank::Fill':\n/repo/b/b.go:7:16 (Fill)"},
		{"part of names", object{"symbol_name": "FILL"}, "Found 5 definition(s) for 'FILL':\n/repo/Z.go:3:12 (Fill2)\n/repo/a.go:7:17 (Fill)\n/repo/a.go:9:6 (fillAll)\n/repo/b/b.go:3:6 (Fill)\n/repo/b/b.go:7:16 (Fill)"},
		{"part of names, with the flag", object{"symbol_name": "FILL", "exact": "true"}, "No definition found for symbol 'FILL'"},
		{"local", object{"symbol_name": "level"}, "No definition found for symbol 'level'"},
		{"of others", object{"symbol_name": "Println"}, "No definition found for symbol 'Println'"},
		{"nothing", object{"symbol_name": "zqxv"}, "No definition found for symbol 'zqxv'"},
		{"field", object{"symbol_name": "Size"}, "Found 1 definition(s) for 'Size':\n/repo/a.go:5:21 (Size)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.args["directory"] = "."
			c.on(t).is("find_definition", tt.args, tt.want)
		})
	}
	for _, tool := range []string{"find_definition", "find_references"} {
		c.fails(tool, object{"symbol_name": "x", "directory": "nope"}, "directory does not exist: nope")
		c.fails(tool, object{"symbol_name": "x", "directory": "a.go"}, "path is not a directory: a.go")
	}
	var lots strings.Builder
	for i := range 60 {
		fmt.Fprintf(&lots, "func Widget%d() {}\n", i)
	}
	c.write(map[string]string{"w.go": "package a\n\n" + lots.String()})
	c.has("find_definition", object{"symbol_name": "widget", "directory": "."}, "Found 50 definition(s) for 'widget':\n", "Note: at least 10 more were not looked at.")
}

func TestReferences(t *testing.T) {
	sheet.Proves(t, "ref.layout ref.union ref.none ref.exact")
	c := newClient(t, setup{files: map[string]string{
		"a.go":      "package a\n\ntype Bucket struct{}\n\nfunc (b Bucket) Fill() {}\n\nfunc use() { Bucket{}.Fill(); Fill() }\n\nfunc Fill() {}\n\n// Fill is mentioned.\n",
		"a_test.go": "package a\n\nfunc try() { Fill() }\n",
	}})
	c.is("find_references", object{"symbol_name": "Fill", "directory": ".", "exact": true}, "Found 5 reference(s) for 'Fill':\n/repo/a.go:5:17 (Fill)\n/repo/a.go:7:23 (reference)\n/repo/a.go:7:31 (reference)\n/repo/a.go:9:6 (Fill)\n/repo/a_test.go:3:14 (reference)")
	c.is("find_references", object{"symbol_name": "fill", "directory": "."}, "No references found for symbol 'fill'\nSimilar names: Fill")
	c.is("find_references", object{"symbol_name": "zqxv", "directory": "."}, "No references found for symbol 'zqxv'")
}

// TestRustReferences counts imports, tests and macros of Rust.
func TestRustReferences(t *testing.T) {
	sheet.Proves(t, "ref.union")
	needGrammars(t)
	c := newClient(t, setup{files: map[string]string{
		"src/lib.rs":   "mod limit;\npub use limit::make;\n\nfn run() {\n    make();\n    println!(\"{}\", make());\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn makes() {\n        assert!(limit::make() > 0);\n    }\n}\n",
		"src/limit.rs": "pub fn make() -> u8 {\n    1\n}\n",
	}})
	c.is("find_references", object{"symbol_name": "make", "directory": "."}, "Found 5 reference(s) for 'make':\n/repo/src/lib.rs:2:16 (reference)\n/repo/src/lib.rs:5:5 (reference)\n/repo/src/lib.rs:6:20 (reference)\n/repo/src/lib.rs:15:24 (reference)\n/repo/src/limit.rs:1:8 (make)")
}
