package show

import (
	"strconv"
)

// expand appends a replacement with its groups.
func (p *Printer) expand(dst, text []byte, m []int) []byte {
	r := *p.o.Replace
	for i := 0; i < len(r); {
		if r[i] != '$' {
			dst = append(dst, r[i])
			i++
			continue
		}
		name, width := groupName(r[i:])
		switch {
		case width == 0:
			dst = append(dst, '$')
			i++
			continue
		case name == "$":
			dst = append(dst, '$')
		default:
			dst = p.group(dst, text, m, name)
		}
		i += width
	}
	return dst
}

// groupName reads $name, ${name} or $$ at the start of a text. width 0 says that
// there is none.
func groupName(s string) (name string, width int) {
	if len(s) < 2 {
		return "", 0
	}
	if s[1] == '$' {
		return "$", 2
	}
	if s[1] == '{' {
		n := 2
		for n < len(s) && s[n] != '}' {
			n++
		}
		if n == len(s) {
			return "", 0
		}
		return s[2:n], n + 1
	}
	n := 1
	for n < len(s) && isName(s[n]) {
		n++
	}
	if n == 1 {
		return "", 0
	}
	return s[1:n], n
}

func isName(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// group appends the text of a group, nothing where there is none.
func (p *Printer) group(dst, text []byte, m []int, name string) []byte {
	n, err := strconv.Atoi(name)
	if err != nil {
		var ok bool
		if n, ok = p.re.Group(name); !ok {
			return dst
		}
	}
	if n < 0 || 2*n+1 >= len(m) || m[2*n] < 0 {
		return dst
	}
	return append(dst, text[m[2*n]:m[2*n+1]]...)
}
