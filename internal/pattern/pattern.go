// Package pattern has regular expressions that are compiled when they are first used.
// A program has hundreds of them, and most of its runs use few: a process that only
// hands on lines, or prints its help, none.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern returns a compiled regular expression. It may be used by several goroutines;
// nil is none.
type Pattern func() *regexp.Regexp

// New returns the pattern of an expression. It panics at its first use where that is
// not one.
func New(expression string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
