package outline

import "bytes"

// maxLook is how many bytes of a line are looked at for a definition.
const maxLook = 400

// cursor reads the words of one line.
type cursor struct {
	text []byte
	i    int // place in text
	end  int // of the line, or of what is looked at
}

// cursor starts at the first byte of the current line that is not blank.
func (s *scanner) cursor() cursor {
	return cursor{s.text, s.first, s.lookEnd(s.first)}
}

func (s *scanner) lookEnd(i int) int {
	end := min(i+maxLook, len(s.text))
	if n := bytes.IndexByte(s.text[i:end], '\n'); n >= 0 {
		end = i + n
	}
	return end
}

// peek is the byte at the cursor, 0 at the end.
func (c *cursor) peek() byte { return c.at(0) }

// at is the byte n after the cursor, 0 beyond the end.
func (c *cursor) at(n int) byte {
	if c.i+n < c.end {
		return c.text[c.i+n]
	}
	return 0
}

// skip skips blanks and reports whether there were any.
func (c *cursor) skip() bool {
	start := c.i
	for c.i < c.end && isBlank(c.text[c.i]) {
		c.i++
	}
	return c.i > start
}

// take skips the byte b, if it is next.
func (c *cursor) take(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.i++
	return true
}

// has reports whether the text at the cursor starts with p.
func (c *cursor) has(p string) bool {
	return c.end-c.i >= len(p) && string(c.text[c.i:c.i+len(p)]) == p
}

// word reads an identifier. Without one it is empty.
func (c *cursor) word() []byte {
	start := c.i
	if c.i < c.end && letter[c.text[c.i]]&1 != 0 {
		for c.i++; c.i < c.end && letter[c.text[c.i]] != 0; c.i++ {
		}
	}
	return c.text[start:c.i]
}

// rest is the rest of the line.
func (c *cursor) rest() []byte { return c.text[c.i:c.end] }

// balanced skips the bracket at the cursor and its partner. Without a
// partner on the line it goes to the end and reports false.
func (c *cursor) balanced() bool { return c.paired(true) }

// paired is balanced where < and > may be brackets or not.
func (c *cursor) paired(angles bool) bool {
	depth := 0
	for ; c.i < c.end; c.i++ {
		switch b := c.text[c.i]; {
		case b == '(' || b == '[' || b == '{' || b == '<' && angles:
			depth++
		case b == ')' || b == ']' || b == '}':
			depth--
		case b == '>' && angles:
			if c.text[c.i-1] == '-' || c.text[c.i-1] == '=' { // an arrow
				continue
			}
			depth--
		case b == '"':
			c.quoted('"')
			c.i--
		}
		if depth <= 0 {
			c.i++
			return true
		}
	}
	return false
}

// quoted skips a string that ends with q, or with the line, and returns the text
// between the quotes.
func (c *cursor) quoted(q byte) []byte {
	c.i++
	start := c.i
	for c.i < c.end && c.text[c.i] != q {
		if c.text[c.i] == '\\' {
			c.i++
		}
		c.i++
	}
	c.i = min(c.i, c.end)
	inner := c.text[start:c.i]
	if c.i < c.end {
		c.i++
	}
	return inner
}

// letter tells which bytes make identifiers: 3 for those that may begin one, 2 for those that may only follow.
var letter = func() (t [256]uint8) {
	for b := range t {
		switch {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', b == '_', b == '$', b >= 0x80:
			t[b] = 3
		case '0' <= b && b <= '9':
			t[b] = 2
		}
	}
	return
}()

// isUpperName reports whether a name is written like a constant: without small letters.
func isUpperName(b []byte) bool {
	capital := false
	for _, x := range b {
		if 'a' <= x && x <= 'z' {
			return false
		}
		capital = capital || 'A' <= x && x <= 'Z'
	}
	return capital
}

func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }
