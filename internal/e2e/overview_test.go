package e2e

import (
	"slices"
	"strings"
	"testing"
)

// TestEntries holds that programs of any language start somewhere: files that are called
// main come first, what builds and maintains the project last, examples not at all.
func TestEntries(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{
		"src/aof.zig": "pub fn main() !void {}\n", "src/app/main.zig": "pub fn main() !void {}\n", "scripts/x.zig": "pub fn main() void {}\n", "src/lib.zig": "const S = struct { fn main() void {} };\n",
		"src/clients/java/samples/web/src/main/java/A.java": "class A { public static void main(String[] a) {} }\n",
		"tool/Program.cs": "class P { static void Main() {} }\n", "web/Program.cs": "class P { static async Task Main(string[] args) {} void Main(int a) {} }\n", "web/Not.cs": "class N { void Main() {} }\n",
		"app/Main.hs": "module Main where\n\nmain :: IO ()\nmain = pure ()\n", "core/run.clj": "(ns core.run)\n\n(defn -main [& args] 1)\n", "lib/main.rb": "def main\nend\n", "src/main.rs": "fn main() {}\n",
	})
	if out, code := p.run("index", "."); code != 0 {
		t.Fatalf("index: %d\n%s", code, out)
	}
	out, code := p.run("overview", "--limit", "20")
	var got []string
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "main" {
			path, _, _ := strings.Cut(f[2], ":")
			got = append(got, f[1]+" "+path)
		}
	}
	want := []string{"Main app/Main.hs", "main src/main.rs", "main src/app/main.zig", "run core/run.clj", "aof src/aof.zig", "Program web/Program.cs", "x scripts/x.zig", "Program tool/Program.cs"}
	if code != 0 || !slices.Equal(got, want) {
		t.Errorf("code %d, got\n%s\nwant\n%s\n%s", code, strings.Join(got, "\n"), strings.Join(want, "\n"), out)
	}
}

// TestTestsWithin holds that tests of Rust and Zig which stand in the file of their code are
// those to run.
func TestTestsWithin(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{
		"Cargo.toml":  "[package]\nname = \"x\"\n",
		"src/lib.rs":  "pub mod used;\n\npub fn outer() -> i32 { used::inner() }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn works() {\n        assert_eq!(outer(), 1);\n    }\n}\n",
		"src/used.rs": "pub fn inner() -> i32 { 1 }\n",
		"zig/a.zig":   "pub fn size() u8 {\n    return 1;\n}\n\ntest \"size\" {\n    _ = size();\n}\n",
	})
	if out, code := p.run("index", "."); code != 0 {
		t.Fatalf("index: %d\n%s", code, out)
	}
	for what, want := range map[string][]string{
		"src/used.rs#inner": {"tests to run: 1 of 2 files", "  src/lib.rs (likely: calls outer -> inner", "  cargo test\n"},
		"zig/a.zig#size":    {"  zig/a.zig (certain: its own tests stand in it"},
	} {
		out, _ := p.run("impact", what)
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("impact %s lacks %q:\n%s", what, w, out)
			}
		}
	}
}
