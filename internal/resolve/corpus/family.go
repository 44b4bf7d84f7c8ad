package corpus

import (
	"slices"

	"espy/internal/lang"
)

// Family is a group of languages that share rules and see each other's files.
type Family uint8

// The families. Files of NoFamily have no symbols.
const (
	NoFamily Family = iota
	Go
	Python
	Script // JavaScript and TypeScript
	Rust
	Java // and Kotlin and Scala
	C    // and C++
	PHP
	Shell
	Lua
	Elixir
	Terraform
	CSharp
	Ruby
	Zig
	NumFamilies
)

// families are the families by the name of the language.
var families = map[string]Family{
	"go": Go, "python": Python, "jupyter": Python,
	"javascript": Script, "typescript": Script, "vue": Script, "svelte": Script,
	"java": Java, "php": PHP, "rust": Rust, "c": C, "cpp": C,
	"kotlin": Java, "scala": Java, "csharp": CSharp, "ruby": Ruby,
	"zig": Zig, "bash": Shell, "lua": Lua, "elixir": Elixir, "terraform": Terraform,
}

// FamilyOf is the family of a file by its name.
func FamilyOf(path string) Family {
	if l := lang.Detect(path, nil); l != nil {
		return families[l.Name]
	}
	return NoFamily
}

// kin are groups of languages whose programs use one another's names: those of a virtual
// machine, and what is compiled or linked together.
var kin = [][]string{
	{"java", "kotlin", "groovy", "scala", "clojure"},
	{"csharp", "fsharp", "visualbasic", "powershell"},
	{"c", "cpp", "objective-c", "cuda", "opencl", "swift", "yacc", "assembly"},
	{"javascript", "typescript", "vue", "svelte", "astro", "coffeescript", "rescript"},
	{"elixir", "erlang", "gleam"},
}

// Kin are the languages in whose code a name that a language declares may be used, itself
// among them.
func Kin(language string) []string {
	for _, group := range kin {
		if slices.Contains(group, language) {
			return group
		}
	}
	return []string{language}
}
