// Package rules holds what each language decides about names: how its modules
// map to files, which names are visible where, which declarations are one
// symbol, and which methods its containers have. There is one file for each
// family of languages.
package rules

import (
	"sync"

	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
	"espy/internal/resolve/rules/composer"
	"espy/internal/resolve/rules/cpp"
	"espy/internal/resolve/rules/csharp"
	"espy/internal/resolve/rules/include"
	"espy/internal/resolve/rules/loadpath"
	"espy/internal/resolve/rules/loose"
	"espy/internal/resolve/rules/npm"
	"espy/internal/resolve/rules/rust"
)

// Project is what the languages need to know of a whole repository: its
// modules, packages, crates and headers. Each is read when first asked for. It
// may be used from any number of goroutines.
type Project struct {
	goModules   func() []goModule
	pythonRoots func() pythonRoots
	scripts     func() *npm.Project
	crates      func() []rust.Crate
	includes    func() *include.Lines
	packages    func() map[string]bool // of Java
	scala       func() bool            // whether there is any
	loose       func() loose.Files
	csharp      func() *csharp.Project
	features    func() loadpath.Features
	autoloads   func() []composer.Autoload // of PHP
}

// Read returns the project of a corpus.
func Read(c *corpus.Corpus) *Project {
	return &Project{
		goModules:   sync.OnceValue(func() []goModule { return readGoModules(c) }),
		pythonRoots: sync.OnceValue(func() pythonRoots { return readPythonRoots(c) }),
		scripts:     sync.OnceValue(func() *npm.Project { return npm.Read(c) }),
		crates:      sync.OnceValue(func() []rust.Crate { return rust.ReadCrates(c) }),
		packages:    sync.OnceValue(func() map[string]bool { return readJavaPackages(c) }),
		scala:       sync.OnceValue(func() bool { return readScala(c) }),
		loose:       sync.OnceValue(func() loose.Files { return loose.ReadFiles(c) }),
		autoloads:   sync.OnceValue(func() []composer.Autoload { return composer.Read(c) }),
		csharp:      sync.OnceValue(func() *csharp.Project { return csharp.ReadProject(c) }),
		includes:    sync.OnceValue(func() *include.Lines { return include.NewLines(c) }),
		features:    sync.OnceValue(func() loadpath.Features { return loadpath.Read(c) }),
	}
}

// Languages returns the languages of one question.
func (p *Project) Languages(read *corpus.Reader, e *meaning.Evaluator) infer.Languages {
	a := asker{corpus: read.Corpus(), read: read, infer: e}
	return infer.Languages{
		corpus.Go:        goLanguage(a, p.goModules),
		corpus.Python:    pythonLanguage(a, p.pythonRoots),
		corpus.Script:    scriptLanguage(a, p.scripts),
		corpus.Rust:      rust.Language(read, e, p.crates),
		corpus.Java:      javaLanguage(a, p.packages, p.scala),
		corpus.C:         cpp.Language(read, e, a.inherited, p.includes()),
		corpus.Shell:     loose.Shell(read, p.loose),
		corpus.Lua:       loose.Lua(read, e, p.loose),
		corpus.Elixir:    loose.Elixir(read, p.loose),
		corpus.Terraform: loose.Terraform(read, p.loose),
		corpus.Zig:       loose.Zig(read, e, p.loose),
		corpus.CSharp:    csharp.Language(read, e, p.csharp),
		corpus.Ruby:      rubyLanguage(a, p.features),
		corpus.PHP:       phpLanguage(a, p.autoloads),
	}
}
