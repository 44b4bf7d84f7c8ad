// Package pcre reads regular expressions as PCRE2 does (pcre2pattern(3)), with the options
// that ripgrep sets: Unicode, and ^ and $ at each line. An Expression that needs nothing of
// PCRE2 alone is written as Rust's regex crate has it (write.go). One with look-around,
// references to groups, \K, atomic groups or possessive repetition is compiled
// (compile.go), and matched by trying one alternative after the other (match.go). So that
// few texts are tried, Wide writes an expression without these that matches wherever it does.
//
// Recursion, conditions, verbs and \X, \G and \C are refused.
package pcre

// Options say how an expression is read.
type Options struct {
	IgnoreCase bool
	Multiline  bool // a text may be more than one line
	DotAll     bool // the dot matches line ends too
}

// Expression is an expression that was read.
type Expression struct {
	text  string
	tree  *node
	names []string
	opts  Options
}

// Names are the names of the groups, that of the whole expression first; "" for one without.
func (x *Expression) Names() []string { return x.names }

// op says what a node is.
type op int

const (
	opSequence op = iota
	opAlternate
	opSet   // one character; node.text is it as Rust's regex crate writes it
	opAny   // the dot
	opGroup // node.n is its number
	opAtomic
	opRepeat
	opLook
	opRef        // to group node.n
	opKeep       // \K; it and what follows cannot be repeated
	opBegin      // ^
	opEnd        // $
	opBeginText  // \A
	opEndText    // \z
	opEndLast    // \Z
	opWordEdge   // \b
	opNoWordEdge // \B
)

// node is a part of an expression.
type node struct {
	op          op
	subs        []*node
	text        string // of a leaf as Rust's regex crate writes it
	flags       flags  // of a leaf
	n           int    // of a group, or of the one that is referred to
	min, max    int    // of a repetition, max -1 for no limit
	lazy        bool
	possessive  bool // an atomic group that stands for a repetition
	not, behind bool // of a look-around
}

// each calls f with a node and all below it.
func (n *node) each(f func(*node)) {
	f(n)
	for _, sub := range n.subs {
		sub.each(f)
	}
}
