// Package pattern has regular expressions that are compiled when they are first used.
// A program has hundreds of them, and most of its runs use few: a process that only
// hands on lines, or prints its help, none.
package pattern

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Pattern returns a compiled regular expression. It may be used by several goroutines;
// nil is none.
type Pattern func() *regexp.Regexp

// inTest says that this is a test: a mistake in an expression is then found at once.
var inTest = strings.HasSuffix(os.Args[0], ".test")

// New returns the pattern of an expression. It panics at its first use where that is
// not one.
func New(expression string) Pattern {
	p := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	if inTest {
		p()
	}
	return p
}
