package glob

import "strings"

// parseClass compiles the bracket expression whose first byte after '[' is at
// i. It returns the set and the position after ']', or -1 if it is malformed.
// As git has it: '!' or '^' negates, a ']' that comes first is a member, a
// backslash takes the next byte as it is, the lower end of a range is a member
// even when the range is empty, and [:word:] names a class of ASCII bytes.
func parseClass(g string, i int) (*[4]uint64, int) {
	c := class{glob: g, at: i}
	negated := c.take('!') || c.take('^')
	for first := true; first || !c.take(']'); first = false {
		if !c.member() {
			return nil, -1
		}
	}
	if negated {
		for w := range c.set {
			c.set[w] = ^c.set[w]
		}
	}
	return &c.set, c.at
}

type class struct {
	glob string
	at   int
	set  [4]uint64
}

func (c *class) add(b byte) { c.set[b/64] |= 1 << (b % 64) }

func (c *class) take(b byte) bool {
	ok := c.at < len(c.glob) && c.glob[c.at] == b
	if ok {
		c.at++
	}
	return ok
}

// member adds a byte, a range or a named class, and reports whether it was whole.
func (c *class) member() bool {
	rest := c.glob[c.at:]
	if strings.HasPrefix(rest, "[:") {
		inner, _, closed := strings.Cut(rest[2:], "]")
		if !closed {
			return false
		}
		if word, ok := strings.CutSuffix(inner, ":"); ok {
			c.at += len("[:") + len(inner) + len("]")
			return c.addNamed(word)
		}
	}
	low, ok := c.single()
	if !ok {
		return false
	}
	c.add(low)
	if rest = c.glob[c.at:]; len(rest) < 2 || rest[0] != '-' || rest[1] == ']' {
		return true
	}
	c.at++
	high, ok := c.single()
	for b := int(low); b <= int(high); b++ {
		c.add(byte(b))
	}
	return ok
}

// single takes one byte, escaped or not.
func (c *class) single() (byte, bool) {
	c.take('\\')
	if c.at == len(c.glob) {
		return 0, false
	}
	c.at++
	return c.glob[c.at-1], true
}

func (c *class) addNamed(word string) bool {
	in := namedClass(word)
	if in == nil {
		return false
	}
	for b := range 256 {
		if in(byte(b)) {
			c.add(byte(b))
		}
	}
	return true
}

// namedClass returns the test of a POSIX class with git's ASCII-only meaning, or nil.
func namedClass(word string) func(byte) bool {
	switch word {
	case "alnum":
		return func(c byte) bool { return isAlpha(c) || isDigit(c) }
	case "alpha":
		return isAlpha
	case "blank":
		return func(c byte) bool { return c == ' ' || c == '\t' }
	case "cntrl":
		return func(c byte) bool { return c < 0x20 || c == 0x7f }
	case "digit":
		return isDigit
	case "graph":
		return func(c byte) bool { return c > 0x20 && c < 0x7f }
	case "lower":
		return func(c byte) bool { return 'a' <= c && c <= 'z' }
	case "print":
		return func(c byte) bool { return c >= 0x20 && c < 0x7f }
	case "punct":
		return func(c byte) bool { return c > 0x20 && c < 0x7f && !isAlpha(c) && !isDigit(c) }
	case "space":
		return func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	case "upper":
		return func(c byte) bool { return 'A' <= c && c <= 'Z' }
	case "xdigit":
		return func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
	}
	return nil
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
