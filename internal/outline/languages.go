package outline

import "espy/internal/lang"

// syntaxes holds the syntax of every language with an outline, by its name in
// package lang. Each stands in the file of its language.
var syntaxes = map[string]*syntax{
	"asciidoc":    &asciidocSyntax,
	"bash":        &bashSyntax,
	"c":           &cSyntax,
	"cpp":         &cppSyntax,
	"css":         &cssSyntax,
	"csharp":      &csharpSyntax,
	"cuda":        &cppSyntax,
	"dart":        &dartSyntax,
	"elixir":      &elixirSyntax,
	"go":          &goSyntax,
	"groovy":      &groovySyntax,
	"html":        &htmlSyntax,
	"haskell":     &haskellSyntax,
	"ini":         &iniSyntax,
	"java":        &javaSyntax,
	"javascript":  &javascriptSyntax,
	"json":        &jsonSyntax,
	"jupyter":     &jupyterSyntax,
	"kotlin":      &kotlinSyntax,
	"less":        &scssSyntax,
	"lua":         &luaSyntax,
	"markdown":    &markdownSyntax,
	"objective-c": &objectiveCSyntax,
	"ocaml":       &ocamlSyntax,
	"php":         &phpSyntax,
	"protobuf":    &protobufSyntax,
	"python":      &pythonSyntax,
	"rst":         &rstSyntax,
	"ruby":        &rubySyntax,
	"rust":        &rustSyntax,
	"scala":       &scalaSyntax,
	"scss":        &scssSyntax,
	"solidity":    &soliditySyntax,
	"sql":         &sqlSyntax,
	"svelte":      &svelteSyntax,
	"swift":       &swiftSyntax,
	"terraform":   &terraformSyntax,
	"toml":        &tomlSyntax,
	"typescript":  &typescriptSyntax,
	"vue":         &vueSyntax,
	"yaml":        &yamlSyntax,
	"zig":         &zigSyntax,
}

// plain is the syntax of a text in a language that is not known or has no outline.
var plain = syntax{act: table()}

func syntaxOf(l *lang.Language) *syntax {
	if l != nil {
		if y, ok := syntaxes[l.Name]; ok {
			return y
		}
	}
	return &plain
}
