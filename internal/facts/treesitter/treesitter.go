//go:build cgo && !race

package treesitter

// #include "shim.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"espy/internal/facts/tree"

	hcl "github.com/tree-sitter-grammars/tree-sitter-hcl/bindings/go"
	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
	lua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"
	zig "github.com/tree-sitter-grammars/tree-sitter-zig/bindings/go"
	_ "github.com/tree-sitter/go-tree-sitter" // the runtime that the shim calls
	bash "github.com/tree-sitter/tree-sitter-bash/bindings/go"
	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	c "github.com/tree-sitter/tree-sitter-c/bindings/go"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	elixir "github.com/tree-sitter/tree-sitter-elixir/bindings/go"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// Both sizes are one, as the shim needs it.
const (
	_ = uint(unsafe.Sizeof(tree.Node{}) - C.sizeof_espy_node)
	_ = uint(C.sizeof_espy_node - unsafe.Sizeof(tree.Node{}))
)

// grammars are built in; those of a program that never parses cost nothing.
var grammars = map[string]*grammar{
	"go":         {language: golang.Language}, // for patterns: its facts are read by go/parser
	"php":        {language: php.LanguagePHP},
	"python":     {language: python.Language},
	"jupyter":    {language: python.Language},
	"javascript": {language: javascript.Language},
	"typescript": {language: typescript.LanguageTypescript},
	"tsx":        {language: typescript.LanguageTSX},
	"java":       {language: java.Language},
	"kotlin":     {language: kotlin.Language},
	"ruby":       {language: ruby.Language},
	"rust":       {language: rust.Language},
	"c":          {language: c.Language},
	"cpp":        {language: cpp.Language},
	"bash":       {language: bash.Language},
	"elixir":     {language: elixir.Language},
	"lua":        {language: lua.Language},
	"scala":      {language: scala.Language, rereads: 16},
	"svelte":     {language: typescript.LanguageTypescript},
	"terraform":  {language: hcl.Language},
	"vue":        {language: typescript.LanguageTypescript},
	"csharp":     {language: csharp.Language},
	"zig":        {language: zig.Language},
}

// countMemory has the runtime call malloc and free by way of the shim, which
// counts. The Go package that brings the runtime has them called by way of Go,
// which takes a seventh of the time of a parse.
var countMemory = sync.OnceFunc(func() { C.espy_count_memory() })

// grammar is one language of the runtime with a parser of its own.
type grammar struct {
	language func() unsafe.Pointer
	rereads  uint64 // how many times as many pieces of a text its scanner may read as those of others, which look ahead less; 0 for once

	mu     sync.Mutex // guards the parser while it parses, and the fields below while they are filled
	parser *C.TSParser
	shape  *tree.Grammar
	keep   []uint8 // by kind: 1 when its nodes are written
}

// Parse parses text. A text that takes more work or nodes than the bounds
// allow is a *limitError; what lies deeper than maxDepth is cut off.
func Parse(name string, text []byte) (*tree.Tree, error) {
	g, ok := grammars[name]
	if !ok {
		return nil, fmt.Errorf("no grammar for %q", name)
	}
	if len(text) > maxBytes {
		return nil, &limitError{"bytes", uint64(len(text)), maxBytes}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.open(name); err != nil {
		return nil, err
	}
	most := mostWork(len(text))
	most.read *= max(1, g.rereads)
	return g.parseWithin(text, most)
}

// parseWithin parses text with at most some work.
func (g *grammar) parseWithin(text []byte, most work) (*tree.Tree, error) {
	max := C.espy_work{steps: C.uint64_t(most.steps), allocated: C.uint64_t(most.allocated), held: C.int64_t(most.held), read: C.uint64_t(most.read)}
	var done C.espy_work
	t := C.espy_parse(g.parser, (*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.uint32_t(len(text)), &max, &done)
	if t == nil {
		C.ts_parser_delete(g.parser) // the runtime fails an assertion when an abandoned parser goes on
		g.parser = nil
		return nil, work{uint64(done.steps), uint64(done.allocated), uint64(done.held), uint64(done.read)}.beyond(most)
	}
	defer C.ts_tree_delete(t)
	room := uint64(C.ts_node_descendant_count(C.ts_tree_root_node(t)))
	if room > maxNodes {
		return nil, &limitError{"syntax nodes", room, maxNodes}
	}
	nodes := make([]tree.Node, room)
	n := C.espy_flatten(t, (*C.uint8_t)(&g.keep[0]), maxDepth, (*C.espy_node)(unsafe.Pointer(&nodes[0])), C.uint32_t(room))
	return &tree.Tree{Grammar: g.shape, Nodes: nodes[:n]}, nil
}

// open makes the parser where there is none.
func (g *grammar) open(name string) error {
	if g.parser != nil {
		return nil
	}
	countMemory()
	l := (*C.TSLanguage)(g.language())
	p := C.ts_parser_new()
	if !C.ts_parser_set_language(p, l) {
		C.ts_parser_delete(p)
		return fmt.Errorf("the grammar of %s does not fit the parser runtime", name)
	}
	if g.shape == nil {
		g.describe(name, l)
	}
	g.parser = p
	return nil
}

// describe reads the names of kinds and fields.
func (g *grammar) describe(name string, l *C.TSLanguage) {
	g.shape = &tree.Grammar{Name: name, Fields: []string{""}}
	for i := range C.ts_language_symbol_count(l) {
		kind := C.GoString(C.ts_language_symbol_name(l, C.uint16_t(i)))
		named := C.ts_language_symbol_type(l, C.uint16_t(i)) == 0
		g.shape.Kinds = append(g.shape.Kinds, kind)
		g.shape.Named = append(g.shape.Named, named)
		g.keep = append(g.keep, keeps(kind, named))
	}
	for i := range C.ts_language_field_count(l) {
		g.shape.Fields = append(g.shape.Fields, C.GoString(C.ts_language_field_name_for_id(l, C.uint16_t(i+1))))
	}
}

// keeps reports, as 1 or 0, whether nodes of a kind say anything: named ones,
// words and operators do, punctuation does not.
func keeps(kind string, named bool) uint8 {
	switch kind {
	case "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "\"", "'", "`", "\n", "\r\n", "${", "/", "</", "/>", "<", ">", "->", "=>":
		if !named {
			return 0
		}
	}
	return 1
}
