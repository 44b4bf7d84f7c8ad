package glob

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// Limits of a regular expression on paths. What is compiled takes 40 bytes a
// step, and a class of Unicode such as \pL 6 kB and more.
const (
	maxRegexpBytes   = 10_000
	maxRegexpSteps   = 20_000
	maxRegexpClasses = 500
)

// CompileRegexp compiles a regular expression on paths (RE2 syntax) of up to
// 10,000 bytes, 500 classes of Unicode and 20,000 steps, where x{1000} counts as
// 1000 times x. A larger one is refused before it takes memory.
func CompileRegexp(pattern string) (*regexp.Regexp, error) {
	if len(pattern) > maxRegexpBytes {
		return nil, fmt.Errorf("a regular expression of %d bytes; the limit is %d", len(pattern), maxRegexpBytes)
	}
	if n := strings.Count(pattern, `\p`) + strings.Count(pattern, `\P`); n > maxRegexpClasses {
		return nil, fmt.Errorf("a regular expression of %d Unicode classes; the limit is %d", n, maxRegexpClasses)
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	if n := stepsOf(re); n > maxRegexpSteps {
		return nil, fmt.Errorf("a regular expression of %d steps; the limit is %d: repeat less often", n, maxRegexpSteps)
	}
	return regexp.Compile(pattern)
}

// stepsOf returns about how many instructions an expression is compiled to, no
// less than half of them.
func stepsOf(re *syntax.Regexp) int {
	n := max(1, len(re.Sub))
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += stepsOf(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return n
}
