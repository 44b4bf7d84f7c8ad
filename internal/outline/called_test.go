package outline

import (
	"strings"
	"testing"
)

// TestCalled marks the name in each line by two bars.
func TestCalled(t *testing.T) {
	for line, want := range map[string]bool{
		"solidity: x = |mint|(to)": true, "solidity: is |mint| {": false, "solidity: f(|mint|)": false,
		"clojure: (|map| x)": true, "clojure: (f |map| x)": false, "lisp: |map|(x)": false,
		"objective-c: [x |size|]": true, "objective-c: [x |put|:y]": true, "objective-c: [x a:b |put|:y]": true, "objective-c: |make|(x)": true,
		"objective-c: x.|size| = y": false, "objective-c: case |big|:": false, "objective-c: x = |size|;": false,
		"haskell: x = |f| y": true, "haskell: g . |f| $ y": true, "haskell: |f| <$> y": true, "haskell: map |f|": false, "haskell: |f| :: Int": false, "haskell: if |f| then y": false,
		"fsharp: xs |> |sum|": true, "ocaml: |f| (x)": true, "ocaml: let y = |f| in": false, "ocaml: |f| ()": true,
		"crystal: |puts| \"x\"": true, "crystal: |x| = 1": false, "nim: |echo| x": true, "perl: return |size| unless y": false,
		"powershell: |Get-Cart|": true, "powershell: x | |Get-Cart| -All": true, "powershell: $x = |Get-Cart|": true, "powershell: f -Name |Cart|": false,
		"verilog:   |shelf| #(": true, "verilog: |shelf|#(.W(2)) u_shelf (.*);": true, "verilog:   |shelf| u_shelf (.clk);": true, "verilog: |shelf_t| shelf;": false,
		"verilog: input |shelf_t| shelf (": false, "verilog: |take|(shelf);": true, "verilog: |shelf| #1 x;": false,
		"fish: if |fails| x": true, "fish: echo |fails|": false,
		"gleam: x |> |sum|": true, "swift: |sum| {": false, "julia: x |> |sum|": true,
	} {
		t.Run(line, func(t *testing.T) {
			language, code, _ := strings.Cut(line, ": ")
			at := strings.Index(code, "|")
			if language == "fsharp" || language == "gleam" || language == "julia" || strings.Contains(code, "| |") {
				at = strings.LastIndex(code[:strings.LastIndex(code, "|")], "|")
			}
			parts := []string{code[:at], code[at+1:]}
			_, behind, _ := strings.Cut(parts[1], "|")
			if got := Called(language, parts[0], behind); got != want {
				t.Errorf("Called(%q, %q, %q) = %v, want %v", language, parts[0], behind, got, want)
			}
		})
	}
}

func TestModuleOf(t *testing.T) {
	for _, tt := range []struct{ language, path, want string }{
		{"ocaml", "src/cram_exec.ml", "Cram_exec"}, {"ocaml", "src/cram_exec.mli", "Cram_exec"}, {"ocaml", "src/lexer.pp.ml", "Lexer"},
		{"haskell", "src/Type/Unify.hs", ""}, {"ocaml", ".ml", ""},
	} {
		if got := ModuleOf(tt.language, tt.path); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.language, tt.path, got, tt.want)
		}
	}
}
