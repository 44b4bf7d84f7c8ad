package scip

import (
	"github.com/scip-code/scip/bindings/go/scip"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/manifest"
	"espy/internal/resolve/corpus"
)

// managers are the names that indexers of SCIP give package managers.
var managers = map[manifest.Ecosystem]string{
	manifest.Go: "gomod", manifest.Npm: "npm", manifest.Cargo: "cargo", manifest.Python: "pip",
	manifest.Maven: "maven", manifest.PHP: "composer", manifest.Ruby: "gem",
}

// ecosystems are where packages of a family of languages come from.
var ecosystems = map[corpus.Family]manifest.Ecosystem{
	corpus.Go: manifest.Go, corpus.Script: manifest.Npm, corpus.Rust: manifest.Cargo, corpus.Python: manifest.Python,
	corpus.Java: manifest.Maven, corpus.PHP: manifest.PHP, corpus.Ruby: manifest.Ruby,
}

// languages are the names of scip.proto by our own.
var languages = map[string]scip.Language{
	"go": scip.Language_Go, "python": scip.Language_Python, "javascript": scip.Language_JavaScript, "typescript": scip.Language_TypeScript,
	"vue": scip.Language_Vue, "svelte": scip.Language_Svelte, "rust": scip.Language_Rust, "java": scip.Language_Java, "kotlin": scip.Language_Kotlin,
	"c": scip.Language_C, "cpp": scip.Language_CPP, "csharp": scip.Language_CSharp, "php": scip.Language_PHP, "ruby": scip.Language_Ruby,
	"bash": scip.Language_ShellScript, "lua": scip.Language_Lua, "elixir": scip.Language_Elixir, "scala": scip.Language_Scala, "zig": scip.Language_Zig,
	"html": scip.Language_HTML,
}

// language is the name of a language in scip.proto, our own where it has none.
func language(name string) string {
	if l, ok := languages[name]; ok {
		return l.String()
	}
	return name
}

// suffixOf says how the name of a symbol ends.
func suffixOf(k code.Kind) scip.Descriptor_Suffix {
	switch {
	case k == code.KindModule:
		return scip.Descriptor_Namespace
	case k.IsType():
		return scip.Descriptor_Type
	case k == code.KindMacro:
		return scip.Descriptor_Macro
	case k.IsFunc():
		return scip.Descriptor_Method
	case k == code.KindParam:
		return scip.Descriptor_Parameter
	case k == code.KindTypeParam:
		return scip.Descriptor_TypeParameter
	case k == code.KindHeading || k == code.KindKey:
		return scip.Descriptor_Meta
	}
	return scip.Descriptor_Term
}

var kinds = map[code.Kind]scip.SymbolInformation_Kind{
	code.KindFunc: scip.SymbolInformation_Function, code.KindMethod: scip.SymbolInformation_Method, code.KindType: scip.SymbolInformation_Type,
	code.KindClass: scip.SymbolInformation_Class, code.KindInterface: scip.SymbolInformation_Interface, code.KindStruct: scip.SymbolInformation_Struct,
	code.KindEnum: scip.SymbolInformation_Enum, code.KindTrait: scip.SymbolInformation_Trait, code.KindModule: scip.SymbolInformation_Module,
	code.KindMacro: scip.SymbolInformation_Macro, code.KindConst: scip.SymbolInformation_Constant, code.KindVar: scip.SymbolInformation_Variable,
	code.KindField: scip.SymbolInformation_Field, code.KindKey: scip.SymbolInformation_Key, code.KindParam: scip.SymbolInformation_Parameter,
	code.KindTypeParam: scip.SymbolInformation_TypeParameter,
}

// kindOf is the kind of a symbol in the words of SCIP.
func kindOf(s *facts.Symbol) scip.SymbolInformation_Kind {
	switch {
	case s.Kind == code.KindMethod && s.Flags&facts.Abstract != 0:
		return scip.SymbolInformation_AbstractMethod
	case s.Kind == code.KindMethod && s.Flags&facts.Static != 0:
		return scip.SymbolInformation_StaticMethod
	case s.Kind == code.KindField && s.Flags&facts.Accessor != 0:
		return scip.SymbolInformation_Property
	}
	return kinds[s.Kind]
}
