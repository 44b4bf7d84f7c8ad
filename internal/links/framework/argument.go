package framework

import (
	"bytes"
	"strings"
)

// argument is one argument of a call, a decorator or an annotation.
type argument struct {
	name     string // of a named one: prefix="/x", value = "/x", to: "x#y"
	from, to int    // bytes of its value in the text of the file
	text     string // of the value, blanks at both ends taken off
}

// maxArguments bounds the bytes of a list of arguments that is read.
const maxArguments = 16 << 10

// readArguments reads the arguments that begin behind a name which ends at a byte
// of a text; end is the byte behind them. Without a bracket there, bare reads
// them up to the end of the line, as Ruby has them.
func readArguments(text []byte, at int, bare bool) (list []argument, end int, ok bool) {
	i := at
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	if i < len(text) && text[i] == '<' { // type arguments
		if n := bytes.IndexByte(text[i:min(len(text), i+200)], '>'); n > 0 {
			i += n + 1
		}
	}
	switch {
	case i < len(text) && (text[i] == '(' || text[i] == '['):
		i++
	case bare && i > at:
	default:
		return nil, at, false
	}
	bare = bare && text[i-1] != '(' && text[i-1] != '['
	limit := min(len(text), i+maxArguments)
	start := i
	for i < limit {
		switch c := text[i]; {
		case c == ')' || c == ']' || c == '}':
			return addArgument(list, text, start, i), i + 1, true
		case c == ',':
			list = addArgument(list, text, start, i)
			start = i + 1
			i++
		case bare && (c == '\n' && !continues(text[start:i]) || c == ';'):
			return addArgument(list, text, start, i), i, true
		default:
			i = skip(text, i, limit)
		}
	}
	if bare && i == len(text) {
		return addArgument(list, text, start, i), i, true
	}
	return nil, at, false
}

// continues reports whether a line of Ruby that ends here goes on in the next.
func continues(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// skip returns the byte behind what begins at a byte: a literal, a comment, a
// group in brackets, or that byte.
func skip(text []byte, i, limit int) int {
	switch c := text[i]; c {
	case '"', '\'', '`':
		return skipLiteral(text, i, limit)
	case '(', '[', '{':
		for i++; i < limit; {
			if c := text[i]; c == ')' || c == ']' || c == '}' {
				return i + 1
			}
			i = skip(text, i, limit)
		}
		return limit
	case '/':
		if i+1 < limit && text[i+1] == '/' {
			return lineEnd(text, i, limit)
		}
		if i+1 < limit && text[i+1] == '*' {
			if n := bytes.Index(text[i+2:limit], []byte("*/")); n >= 0 {
				return i + 2 + n + 2
			}
			return limit
		}
	case '#':
		if i+1 < limit && (text[i+1] == ' ' || text[i+1] == '#') {
			return lineEnd(text, i, limit)
		}
	}
	return i + 1
}

func lineEnd(text []byte, i, limit int) int {
	if n := bytes.IndexByte(text[i:limit], '\n'); n >= 0 {
		return i + n
	}
	return limit
}

func skipLiteral(text []byte, i, limit int) int {
	quote := text[i]
	if bytes.HasPrefix(text[i:], []byte(`"""`)) || bytes.HasPrefix(text[i:], []byte(`'''`)) {
		if n := bytes.Index(text[i+3:limit], text[i:i+3]); n >= 0 {
			return i + 3 + n + 3
		}
		return limit
	}
	for i++; i < limit; i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		case '\n':
			if quote != '`' {
				return i // no literal: an apostrophe
			}
		}
	}
	return limit
}

func addArgument(list []argument, text []byte, from, to int) []argument {
	name := ""
	s := string(text[from:to])
	trimmed := strings.TrimSpace(s)
	if trimmed == "" {
		return list
	}
	if n := nameEnd(trimmed); n > 0 {
		rest := strings.TrimLeft(trimmed[n:], " \t")
		switch {
		case strings.HasPrefix(rest, "=>"), strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="), strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "::"):
			value := strings.TrimLeft(rest, "=>:")
			if strings.HasPrefix(rest, "=>") && len(value) > 0 && strings.ContainsAny(value[:min(len(value), 40)], "{") {
				break // an arrow function
			}
			name = strings.Trim(trimmed[:n], ":")
			from += strings.Index(s, trimmed) + len(trimmed) - len(value)
			trimmed = strings.TrimSpace(value)
		}
	}
	at := from + strings.Index(string(text[from:to]), trimmed)
	return append(list, argument{name: name, from: at, to: at + len(trimmed), text: trimmed})
}

// nameEnd is the length of the name that a text begins with, a : before it
// included.
func nameEnd(s string) int {
	i := 0
	if strings.HasPrefix(s, ":") {
		i = 1
	}
	for i < len(s) && (s[i] == '_' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || i > 0 && s[i] >= '0' && s[i] <= '9') {
		i++
	}
	return i
}

// literal returns the text of a literal: what stands between its quotes. What is
// filled in when the program runs is {}; filled says so. A symbol of Ruby is a
// literal too.
func literal(s string) (value string, filled, ok bool) {
	s = strings.TrimSpace(s)
	prefix := strings.ToLower(s[:min(len(s), 3)])
	i := strings.IndexAny(prefix, "\"'`")
	if i < 0 {
		if n := nameEnd(s); strings.HasPrefix(s, ":") && n == len(s) && n > 1 {
			return s[1:], false, true
		}
		return "", false, false
	}
	if strings.Trim(prefix[:i], "rbfu&@") != "" {
		return "", false, false
	}
	format := strings.Contains(prefix[:i], "f")
	s = s[i:]
	end := skipLiteral([]byte(s), 0, len(s))
	if end != len(s) || len(s) < 2 {
		return "", false, false
	}
	n := 1
	if strings.HasPrefix(s, `"""`) || strings.HasPrefix(s, `'''`) {
		n = 3
	}
	if len(s) < 2*n {
		return "", false, false
	}
	value = s[n : len(s)-n]
	switch quote := s[0]; {
	case quote == '`' && strings.Contains(value, "${"):
		return blank(value, "${"), true, true
	case format && strings.Contains(value, "{"):
		return blank(value, "{"), true, true
	case quote == '"' && strings.Contains(value, "#{"):
		return blank(value, "#{"), true, true
	}
	return value, false, true
}

// blank replaces each group of a text that opens in a way by {}.
func blank(s, open string) string {
	var out strings.Builder
	for {
		i := strings.Index(s, open)
		if i < 0 {
			return out.String() + s
		}
		out.WriteString(s[:i])
		out.WriteString("{}")
		j := strings.IndexByte(s[i:], '}')
		if j < 0 {
			return out.String()
		}
		s = s[i+j+1:]
	}
}

// literals are the literals of an argument: one, or those of a list of them.
func literals(s string) []string {
	if v, _, ok := literal(s); ok {
		return []string{v}
	}
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '[' && s[0] != '{' && s[0] != '(' {
		return nil
	}
	list, _, ok := readArguments([]byte("("+s[1:]), 0, false)
	if !ok {
		return nil
	}
	var all []string
	for _, a := range list {
		if v, _, ok := literal(a.text); ok {
			all = append(all, v)
		}
	}
	return all
}
