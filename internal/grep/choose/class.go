package choose

import "unicode/utf8"

// classEnd returns where the character class ends that begins at p[i], -1 if nowhere. A
// bracket that comes first is a member of it.
func classEnd(p string, i int) int {
	first := i + 1
	if first < len(p) && (p[first] == '!' || p[first] == '^') {
		first++
	}
	for at := first + 1; at < len(p); at++ {
		if p[at] == ']' {
			return at
		}
	}
	return -1
}

// bytes is a set of bytes.
type bytes [256]bool

func (b *bytes) add(lo, hi byte) {
	for c := int(lo); c <= int(hi); c++ {
		b[c] = true
	}
}

// classOf reads the members of a character class as ripgrep's globs have them: a range
// goes on behind its end (a-c-z is a-z), a backslash and names such as [:alpha:] mean
// nothing, and characters beyond ASCII are the bytes that they consist of. backwards is a
// range whose end is lower than its beginning.
func classOf(members string) (set bytes, negated bool, backwards string) {
	if members[0] == '!' || members[0] == '^' {
		negated, members = true, members[1:]
	}
	type span struct{ lo, hi string }
	var spans []span
	inRange := false
	for at := 0; at < len(members); {
		_, size := utf8.DecodeRuneInString(members[at:])
		c := members[at : at+size]
		switch {
		case inRange:
			last := &spans[len(spans)-1]
			if last.hi, inRange = c, false; c < last.lo {
				return set, negated, last.lo + "-" + c
			}
		case c == "-" && at > 0:
			inRange = true
		default:
			spans = append(spans, span{c, c})
		}
		at += size
	}
	if inRange {
		spans = append(spans, span{"-", "-"})
	}
	for _, s := range spans {
		for i := range len(s.lo) - 1 {
			set[s.lo[i]] = true
		}
		for i := 1; i < len(s.hi); i++ {
			set[s.hi[i]] = true
		}
		if s.lo == s.hi {
			set[s.lo[0]], set[s.lo[len(s.lo)-1]] = true, true
		} else {
			set.add(s.lo[len(s.lo)-1], s.hi[0])
		}
	}
	return set, negated, ""
}

// classRule writes a character class as one of an ignore file, in which a backslash stands
// before each member.
func classRule(members string, fold bool) string {
	set, negated, _ := classOf(members)
	if fold {
		for c := byte('a'); c <= 'z'; c++ {
			set[c] = set[c] || set[c-'a'+'A']
		}
	}
	out := []byte{'['}
	if negated {
		out = append(out, '!')
	}
	for c, in := range set {
		if in && c != '/' && c != '\n' && c != 0 { // names hold none of them
			out = append(out, '\\', byte(c))
		}
	}
	return string(append(out, ']'))
}
