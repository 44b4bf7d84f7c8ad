// Package pattern has regular expressions that are compiled when they are first used.
// A program has hundreds of them, and most of its runs use few: a process that only
// hands on lines, or prints its help, none.
package pattern

import (
	"regexp"
	"sync"
	"testing"
)

// Pattern returns a compiled regular expression. It may be used by several goroutines;
// nil is none.
type Pattern func() *regexp.Regexp

// New returns the pattern of an expression. It panics where that is not one: at its
// first use, and in tests at once.
func New(expression string) Pattern {
	p := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	if testing.Testing() {
		p()
	}
	return p
}
