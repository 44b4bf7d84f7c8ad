package show

import (
	"fmt"
	"strconv"
	"strings"

	"espy/internal/usage"
)

// color is how a part of a line looks. The zero value changes nothing.
type color struct {
	fg, bg                  string // what stands between 3 or 4 and m
	bold, underline, italic bool
	intense                 bool
}

// Colors are those of paths, line numbers, columns and matches.
type Colors struct{ Path, Line, Column, Match color }

// DefaultColors are ripgrep's.
func DefaultColors() Colors {
	return Colors{Path: color{fg: "5"}, Line: color{fg: "2"}, Match: color{fg: "1", bold: true}}
}

func (c color) none() bool { return c == color{} }

const reset = "\x1b[0m"

// set returns the codes that begin a colour.
func (c color) set() string {
	s := reset
	if c.bold {
		s += "\x1b[1m"
	}
	if c.italic {
		s += "\x1b[3m"
	}
	if c.underline {
		s += "\x1b[4m"
	}
	for i, code := range []string{c.fg, c.bg} {
		if code == "" {
			continue
		}
		if c.intense && len(code) == 1 {
			code = "8;5;" + strconv.Itoa(int(code[0]-'0')+8)
		}
		s += fmt.Sprintf("\x1b[%d%sm", 3+i, code)
	}
	return s
}

var colorNames = map[string]string{"black": "0", "red": "1", "green": "2", "yellow": "3", "blue": "4", "magenta": "5", "cyan": "6", "white": "7"}

// Set changes a colour as --colors has it: {type}:none, {type}:fg:{color},
// {type}:bg:{color} or {type}:style:{style}.
func (c *Colors) Set(spec string) error {
	parts := strings.Split(spec, ":")
	of := map[string]*color{"path": &c.Path, "line": &c.Line, "column": &c.Column, "match": &c.Match}[strings.ToLower(parts[0])]
	bad := func(msg string) error {
		return &usage.Error{Arg: "colors", Value: spec, Msg: msg, Hint: "write {type}:{attribute}:{value}, as in match:fg:blue or path:none"}
	}
	switch {
	case of == nil:
		return bad("the type is one of path, line, column and match")
	case len(parts) == 2 && strings.EqualFold(parts[1], "none"):
		*of = color{}
		return nil
	case len(parts) != 3:
		return bad("a colour has three parts")
	}
	if !of.change(strings.ToLower(parts[1]), strings.ToLower(parts[2])) {
		return bad("unknown colour or style")
	}
	return nil
}

// change sets one attribute, and reports whether it is known.
func (c *color) change(attribute, value string) (ok bool) {
	switch attribute {
	case "fg":
		c.fg, ok = colorCode(value)
	case "bg":
		c.bg, ok = colorCode(value)
	case "style":
		switch value {
		case "bold", "nobold":
			c.bold, ok = value == "bold", true
		case "underline", "nounderline":
			c.underline, ok = value == "underline", true
		case "italic", "noitalic":
			c.italic, ok = value == "italic", true
		case "intense", "nointense":
			c.intense, ok = value == "intense", true
		}
	}
	return ok
}

// colorCode returns the code of a colour: a name, a number, or three of them.
func colorCode(value string) (code string, ok bool) {
	if code, ok = colorNames[value]; ok {
		return code, true
	}
	parts := strings.Split(value, ",")
	for i, part := range parts {
		n, err := strconv.ParseUint(strings.TrimSpace(part), 0, 8)
		if err != nil {
			return "", false
		}
		parts[i] = strconv.Itoa(int(n))
	}
	switch len(parts) {
	case 1:
		return "8;5;" + parts[0], true
	case 3:
		return "8;2;" + strings.Join(parts, ";"), true
	}
	return "", false
}
