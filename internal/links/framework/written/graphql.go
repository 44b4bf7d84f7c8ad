package written

import (
	"bytes"
	"strings"
)

// Fields lists the fields of the types that a schema of GraphQL declares, as Type.field.
// The first line of the text has a number.
func Fields(text []byte, line int) (all []Key) {
	text = withoutDescriptions(text)
	for i := 0; i < len(text); {
		n := bytes.IndexByte(text[i:], '{')
		if n < 0 {
			return all
		}
		open := i + n
		head := bytes.Fields(text[max(i, bytes.LastIndexByte(text[:open], '}')+1):open])
		end := Skip(text, open, len(text))
		if typ := typeOf(head); typ != "" {
			all = fieldsOf(all, text, open+1, max(open+1, end-1), typ, line)
		}
		i = max(end, open+1)
	}
	return all
}

// typeOf is the name of the type that a head declares: type Query, extend type User.
func typeOf(head [][]byte) string {
	for i := 0; i+1 < len(head); i++ {
		if string(head[i]) == "type" {
			return string(head[i+1])
		}
	}
	return ""
}

// fieldsOf adds the fields between two bytes: a name that a colon stands behind, and
// its arguments.
func fieldsOf(all []Key, text []byte, from, to int, typ string, line int) []Key {
	for i := from; i < to; {
		n := NameEnd(string(text[i:min(to, i+100)]))
		if n == 0 {
			i = max(i+1, Skip(text, i, to))
			continue
		}
		name, at := string(text[i:i+n]), i
		i += n
		if i < to && text[i] == '(' {
			i = Skip(text, i, to)
		}
		if rest := bytes.TrimLeft(text[i:to], " \t"); bytes.HasPrefix(rest, []byte(":")) {
			all = append(all, Key{typ + "." + name, line + bytes.Count(text[:at], []byte("\n"))})
			i = LineEnd(text, i, to)
		}
	}
	return all
}

// withoutDescriptions makes descriptions and comments blank.
func withoutDescriptions(text []byte) []byte {
	return Blank(text, func(text []byte, at int) (end int, blank bool) {
		switch text[at] {
		case '"':
			return Skip(text, at, len(text)), true
		case '#':
			return LineEnd(text, at, len(text)), true
		}
		return at + 1, false
	})
}

// Resolver is the property of an object, with the function that it is.
type Resolver struct {
	Name  string
	Value Argument // the whole property where it is written as a method
}

// Resolvers are the functions that an object names.
func Resolvers(object Argument) (all []Resolver) {
	for _, a := range Elements(object.Text) {
		a.From, a.To = a.From+object.From, a.To+object.From
		if a.Name != "" {
			all = append(all, Resolver{a.Name, a})
			continue
		}
		text := strings.TrimPrefix(a.Text, "async ")
		if name := text[:NameEnd(text)]; name != "" {
			all = append(all, Resolver{name, a})
		}
	}
	return all
}

// ObjectBehind is the { of an object that a name which ends at a byte is the key of, or
// that a variable of that name is given.
func ObjectBehind(text []byte, at int) (open int, ok bool) {
	rest := bytes.TrimLeft(text[at:min(len(text), at+200)], " \t")
	if len(rest) == 0 || rest[0] != ':' && rest[0] != '=' {
		return 0, false
	}
	behind := bytes.TrimLeft(rest[1:], " \t\r\n")
	if len(behind) == 0 || behind[0] != '{' {
		return 0, false
	}
	return at + len(text[at:min(len(text), at+200)]) - len(behind), true
}
