package glob

import "strings"

// pattern is a compiled gitignore pattern: a literal beginning, operations for the
// rest, and the text that these end with, which most paths lack.
// It gives what git's wildmatch gives, in polynomial time: each
// kind of star needs only its latest position to go back to, because the
// earliest match of what stands before a star is never worse than a later one.
type pattern struct {
	prefix string
	ops    []op
	tail   string // every match ends with it
	min    int    // bytes that a match has at least
}

type op struct {
	kind opKind
	lit  string // opLiteral
	set  *[4]uint64
}

type opKind uint8

const (
	opLiteral opKind = iota
	opAny            // ?: one byte, not a slash
	opClass          // [...]: one byte of set, which never holds a slash in a path pattern
	opStar           // *: bytes without a slash
	opDeep           // ** at the end: any bytes
	opDirs           // **/: nothing, or any bytes up to and including a slash
	opNever          // malformed: matches nothing
)

// compile compiles a pattern. In a path pattern wildcards do not match slashes
// and ** crosses folders; in others there are no slashes to match.
func compile(text string, path bool) pattern {
	n := literalPrefix(text)
	glob := text[n:]
	p := pattern{prefix: text[:n], min: n}
	c := compiler{glob: glob, path: path}
	for c.at < len(glob) {
		c.next()
	}
	c.flush()
	p.ops = c.ops
	if last := len(p.ops) - 1; last >= 0 {
		p.tail = p.ops[last].lit
	}
	for _, o := range p.ops {
		switch o.kind {
		case opLiteral:
			p.min += len(o.lit)
		case opAny, opClass:
			p.min++
		case opNever:
			p.ops = []op{o}
			return p
		}
	}
	if len(p.ops) == 1 && p.ops[0].kind == opLiteral { // escapes only
		p.prefix, p.ops = p.prefix+p.ops[0].lit, nil
	}
	return p
}

type compiler struct {
	glob string
	at   int
	path bool
	ops  []op
	lit  []byte // literal bytes not yet in ops
}

func (c *compiler) next() {
	switch c.glob[c.at] {
	case '*':
		c.star()
	case '?':
		c.at++
		c.add(op{kind: opAny})
	case '[':
		set, end := parseClass(c.glob, c.at+1)
		if end < 0 {
			c.never()
			return
		}
		if c.path {
			set['/'/64] &^= 1 << ('/' % 64)
		}
		c.at = end
		c.add(op{kind: opClass, set: set})
	case '\\':
		if c.at+1 == len(c.glob) {
			c.never()
			return
		}
		c.lit = append(c.lit, c.glob[c.at+1])
		c.at += 2
	default:
		n := literalPrefix(c.glob[c.at:])
		c.lit = append(c.lit, c.glob[c.at:c.at+n]...)
		c.at += n
	}
}

func (c *compiler) never() {
	c.add(op{kind: opNever})
	c.at = len(c.glob)
}

func (c *compiler) add(o op) {
	c.flush()
	c.ops = append(c.ops, o)
}

func (c *compiler) flush() {
	if len(c.lit) > 0 {
		c.ops = append(c.ops, op{kind: opLiteral, lit: string(c.lit)})
		c.lit = c.lit[:0]
	}
}

// star compiles a run of stars. Two or more of them cross folders only between
// slashes or ends; "**/" may also stand for nothing.
func (c *compiler) star() {
	start := c.at
	for c.at < len(c.glob) && c.glob[c.at] == '*' {
		c.at++
	}
	rest := c.glob[c.at:]
	deep := c.path && c.at-start > 1 && (start == 0 || c.glob[start-1] == '/') &&
		(rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
	switch {
	case !deep:
		c.add(op{kind: opStar})
	case rest != "" && rest[0] == '/':
		c.at++
		c.add(op{kind: opDirs})
	default:
		c.add(op{kind: opDeep})
	}
}

// literalPrefix returns the length of s before its first special byte.
func literalPrefix(s string) int {
	if i := strings.IndexAny(s, `*?[\`); i >= 0 {
		return i
	}
	return len(s)
}

func (p *pattern) never() bool { return len(p.ops) == 1 && p.ops[0].kind == opNever }

// literal returns the only text the pattern matches, if there is just one.
func (p *pattern) literal() (string, bool) { return p.prefix, len(p.ops) == 0 }

// suffix returns the text that the pattern's matches end with, if that is all it asks for.
func (p *pattern) suffix() (string, bool) {
	if p.prefix == "" && len(p.ops) == 2 && p.ops[0].kind == opStar && p.ops[1].kind == opLiteral {
		return p.ops[1].lit, true
	}
	return "", false
}

// match reports whether the whole of s matches.
func (p *pattern) match(s string) bool {
	if len(s) < p.min || !strings.HasSuffix(s, p.tail) || !strings.HasPrefix(s, p.prefix) {
		return false
	}
	return matchOps(p.ops, s[len(p.prefix):])
}

func matchOps(ops []op, s string) bool {
	// After a mismatch matching goes on at star, one byte later, or, when that
	// star cannot grow, at deep, further on. star belongs to the folder at hand.
	star, starAt := -1, 0
	deep, deepAt := -1, 0
	for i, at := 0, 0; ; {
		if i == len(ops) {
			if at == len(s) {
				return true
			}
		} else {
			switch o := &ops[i]; o.kind {
			case opStar:
				star, starAt = i, at
				i++
				continue
			case opDeep, opDirs:
				if o.kind == opDeep && i+1 == len(ops) {
					return true
				}
				deep, deepAt, star = i, at, -1
				i++
				continue
			default:
				if n := o.match(s[at:]); n > 0 {
					if star >= 0 && o.kind == opLiteral && strings.IndexByte(o.lit, '/') >= 0 {
						star = -1 // a star before a slash that matched has no other choice
					}
					at += n
					i++
					continue
				}
			}
		}
		switch {
		case star >= 0 && starAt < len(s) && s[starAt] != '/':
			starAt++
			i, at = star+1, starAt
		case deep >= 0:
			if deepAt = advance(ops[deep].kind, s, deepAt); deepAt < 0 {
				return false
			}
			i, at, star = deep+1, deepAt, -1
		default:
			return false
		}
	}
}

// match returns how many bytes at the start of s match, 0 for none.
func (o *op) match(s string) int {
	switch {
	case o.kind == opLiteral:
		if strings.HasPrefix(s, o.lit) {
			return len(o.lit)
		}
	case s == "" || s[0] == '/' && o.kind == opAny:
	case o.kind == opAny:
		return 1
	case o.kind == opClass && o.set[s[0]/64]&(1<<(s[0]%64)) != 0:
		return 1
	}
	return 0
}

// advance returns the next place after at where what follows a crossing star may start, or -1.
func advance(kind opKind, s string, at int) int {
	if at >= len(s) {
		return -1
	}
	if kind == opDeep {
		return at + 1
	}
	slash := strings.IndexByte(s[at:], '/')
	if slash < 0 {
		return -1
	}
	return at + slash + 1
}
