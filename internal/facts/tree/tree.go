// Package tree turns syntax trees into facts.File, one small file of rules per
// language over a shared engine of scopes. A tree is a flat array in preorder,
// made elsewhere: nothing here parses and nothing does I/O.
package tree

import (
	"errors"
)

// Node is one node of a syntax tree. Its layout is that of espy_node in
// package treesitter.
type Node struct {
	Start, End uint32 // bytes
	Parent     int32  // None for the root
	Next       int32  // the first node behind this one and all below it
	Kind       uint16 // index of Grammar.Kinds, or 0xffff for text that the grammar could not read
	Field      uint8  // index of Grammar.Fields, 0 for none
	Flags      uint8  // bits: 1, the parser assumed the node, which has no text; 2, its text could not be read; 4, too deep: what is below was left out
}

// Node.Kind of text that the grammar could not read.
const kindError = 0xffff

// Bits of Node.Flags.
const (
	missing = 1
	cut     = 4
)

// Grammar names what the nodes of its trees are.
type Grammar struct {
	Name   string
	Kinds  []string // names of node kinds
	Named  []bool   // by kind: false for the words and signs of the grammar itself, such as "if"
	Fields []string // names of fields; the first is empty
}

// Tree is the syntax tree of a text: its nodes in preorder, punctuation left out.
type Tree struct {
	Grammar *Grammar
	Nodes   []Node
}

// Parser parses a text with the grammar of that name.
type Parser func(grammar string, text []byte) (*Tree, error)

// ErrNoGrammars is what a Parser returns in a program that has none built in.
var ErrNoGrammars = errors.New("this program was built without grammars (CGO_ENABLED=0, or -race)")
