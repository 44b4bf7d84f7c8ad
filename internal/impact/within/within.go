// Package within finds tests that stand in the files of the code that they test: modules
// called tests of Rust, and the blocks of tests of Zig, D and OCaml.
package within

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// modules are what tests of Rust are called that stand in the file of their code.
// Source: The Rust Programming Language, chapter 11.3, "Test Organization".
var modules = []string{"tests", "test"}

// blocks are those of tests, by language.
var blocks = map[string]pattern.Pattern{
	"zig":   pattern.New(`(?m)^[ \t]*test\s+(?:"|\w+\s*\{|\{)`),
	"d":     pattern.New(`(?m)^[ \t]*(?:@\w+\s+)*unittest\s*(?:\{|$)`),
	"ocaml": pattern.New(`(?m)^[ \t]*let%(?:test|expect_test)`),
}

// maxText is how many bytes of a repository are looked through for blocks of tests.
const maxText = 64 << 20

// Of finds the files of a repository that hold tests beside their code, by path in it, as
// far as the time suffices.
func Of(a *locate.Ask, one *corpus.Corpus) map[string]corpus.FileID {
	all, left := map[string]corpus.FileID{}, maxText
	for id := range one.Files() {
		block := blocks[one.Language(id)]
		switch {
		case a.Late():
			return all
		case one.Family(id) == corpus.Rust && slices.ContainsFunc(modules, func(name string) bool { return hasModule(a, id, name) }):
			all[one.Path(id)] = id
		case block != nil && left > 0:
			text, err := one.Text(id)
			if left -= len(text); err == nil && block().Match(text) {
				all[one.Path(id)] = id
			}
		}
	}
	return all
}

// hasModule reports whether a file holds a module of a name with its code.
func hasModule(a *locate.Ask, id corpus.FileID, name string) bool {
	for i := range a.File(id).SymbolsNamed(name) {
		if s := a.Symbol(corpus.Ref{File: id, Index: int32(i)}); s.Kind == code.KindModule && s.EndLine > s.Line+1 {
			return true
		}
	}
	return false
}

// Holds reports whether code of a file with tests is such a test or may be one: what stands
// in a module of tests of Rust, and elsewhere what no declaration holds.
func Holds(a *locate.Ask, r corpus.Ref) bool {
	if a.Corpus.Family(r.File) != corpus.Rust {
		return r.Index == facts.None
	}
	return r.Index != facts.None && slices.ContainsFunc(a.File(r.File).Chain(int(r.Index)), func(name string) bool { return slices.Contains(modules, name) })
}
