package corpus

import "espy/internal/lang"

// Family is a group of languages that share rules and see each other's files.
type Family uint8

// The families. Files of NoFamily have no symbols.
const (
	NoFamily Family = iota
	Go
	Python
	Script // JavaScript and TypeScript
	Rust
	Java // and Kotlin
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
	"kotlin": Java, "csharp": CSharp, "ruby": Ruby,
	"zig": Zig, "bash": Shell, "lua": Lua, "elixir": Elixir, "terraform": Terraform,
}

// FamilyOf is the family of a file by its name.
func FamilyOf(path string) Family {
	if l := lang.Detect(path, nil); l != nil {
		return families[l.Name]
	}
	return NoFamily
}
