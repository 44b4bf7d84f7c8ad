// Package place writes the names of files and the places in them as answers
// show them, and reads them back.
package place

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"espy/internal/pattern"
	"espy/internal/usage"
)

// Name writes a path or another name that must be readable back: as it is
// when it is plain, else quoted as in Go, so that every byte survives.
func Name(name string) string {
	quoted := strconv.Quote(name)
	if strings.ContainsFunc(quoted, Invisible) { // of what Quote takes for printable
		quoted = strconv.QuoteToASCII(name)
	}
	if name == "" || len(quoted) != len(name)+2 || strings.TrimSpace(name) != name {
		return quoted
	}
	return name
}

// Symbol writes the name of a symbol as Name does, but for the backslashes between
// the names of PHP, which stand as they are.
func Symbol(name string) string {
	if bare := strings.ReplaceAll(name, `\`, ""); Name(bare) == bare {
		return name
	}
	return Name(name)
}

// ParseName returns the name that Name wrote. Text that is not in quotes is a
// name already.
func ParseName(text string) string {
	if len(text) >= 2 && text[0] == '"' {
		if name, err := strconv.Unquote(text); err == nil {
			return name
		}
	}
	return text
}

// FromRoot returns a path as relative to the root, "" for the root itself.
func FromRoot(name string) string { return strings.TrimPrefix(path.Clean("/"+name), "/") }

// Place is a file and lines of it.
type Place struct {
	Path        string
	First, Last int // lines, from 1; 0 is the first and the last line of the file
}

// lineRange is the end of a text such as "a.go:10", "a.go:10-20" or "a.go:10-", and of
// "a.go:10:4" and "a.go:10:", as compilers and grep write it.
var lineRange = pattern.New(`:([0-9]{1,9})(?:(-)([0-9]{0,9})|:[0-9]{0,9})?$`)

// Parse reads "PATH:LINE", "PATH:FIRST-LAST" and "PATH:FIRST-", as answers write
// them, "PATH:LINE:COLUMN", the path as Name wrote it, and what Unlink reads. One line is
// First and Last. It reports whether the text names lines; it does not check their order.
func Parse(text string) (p Place, lines bool) {
	text = Unlink(text)
	quoted, err := strconv.QuotedPrefix(text)
	tail := text
	if err == nil && text[0] == '"' {
		tail = text[len(quoted):]
	}
	m := lineRange().FindStringSubmatch(tail)
	if m == nil {
		return Place{Path: ParseName(text)}, false
	}
	p.Path = ParseName(strings.TrimSuffix(text, m[0]))
	p.First, _ = strconv.Atoi(m[1]) // digits, few enough
	p.Last, _ = strconv.Atoi(m[3])
	if m[2] == "" {
		p.Last = p.First
	}
	return p, true
}

// String returns the place as Parse reads it.
func (p Place) String() string {
	switch {
	case p.First == 0 && p.Last == 0:
		return Name(p.Path)
	case p.Last == 0:
		return fmt.Sprintf("%s:%d-", Name(p.Path), p.First)
	case p.First == p.Last:
		return fmt.Sprintf("%s:%d", Name(p.Path), p.First)
	}
	return fmt.Sprintf("%s:%d-%d", Name(p.Path), p.First, p.Last)
}

// Position is a character of a file, or a line where Column is 0. Lines and
// columns count from 1.
type Position struct {
	Path         string
	Line, Column int
}

// lineColumn is the end of a text such as "a.go:10:4" or "a.go:10".
var lineColumn = pattern.New(`:([1-9][0-9]{0,8})(?::([1-9][0-9]{0,8}))?$`)

// ParsePosition reads "PATH:LINE:COLUMN" or "PATH:LINE", the path as Name wrote
// it, and what Unlink reads. Other text is a *usage.Error of the argument "at".
func ParsePosition(of string) (Position, error) {
	text := Unlink(of)
	m := lineColumn().FindStringSubmatch(text)
	if m == nil || len(m[0]) == len(text) {
		return Position{}, &usage.Error{Arg: "at", Value: of, Msg: "not a place in a file", Hint: "write PATH:LINE:COLUMN, all from 1, or PATH:LINE"}
	}
	line, _ := strconv.Atoi(m[1]) // digits, few enough
	column, _ := strconv.Atoi(m[2])
	return Position{Path: ParseName(strings.TrimSuffix(text, m[0])), Line: line, Column: column}, nil
}

// IsPosition reports whether ParsePosition reads a text. No name of a symbol ends
// in a number after a colon, so such a text where one is asked for is a place.
func IsPosition(text string) bool {
	_, err := ParsePosition(text)
	return err == nil
}

// CutID cuts an id into the path of a file and what follows its #. Where the text
// has several, the path is the first that is one. Without any, the first # cuts.
// ok is false if the text has no #.
func CutID(id string, isFile func(path string) bool) (path, local string, ok bool) {
	for i := range len(id) {
		if id[i] == '#' && isFile(id[:i]) {
			return id[:i], id[i+1:], true
		}
	}
	return strings.Cut(id, "#")
}
