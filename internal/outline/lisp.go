package outline

import (
	"bytes"
	"strings"

	"espy/internal/code"
)

// lispSyntax is that of Common Lisp, Emacs Lisp, Scheme and Racket.
var lispSyntax = syntax{line: lispLine, names: lispSigns, everywhere: true, act: table(actions{
	";": lineComment, "\"": longQuote, "#": lispHash, "\\?": lispEscape,
})}

var clojureSyntax = syntax{line: lispLine, names: lispSigns + ":", everywhere: true, act: table(actions{
	";": lineComment, "\"": longQuote, "\\": lispEscape,
})}

// lispForms are the forms that define a name, without the "def" or "define" at their
// start. Any other form that begins so defines a function where brackets follow.
var lispForms = map[string]code.Kind{
	"": code.KindVar, "un": code.KindFunc, "n": code.KindFunc, "n-": code.KindFunc, "subst": code.KindFunc, "method": code.KindMethod,
	"generic": code.KindFunc, "multi": code.KindFunc, "macro": code.KindMacro, "syntax": code.KindMacro, "syntax-rule": code.KindMacro,
	"var": code.KindVar, "var-local": code.KindVar, "var-keymap": code.KindVar, "custom": code.KindVar, "parameter": code.KindVar, "once": code.KindVar, "face": code.KindVar,
	"const": code.KindConst, "constant": code.KindConst, "group": code.KindVar, "alias": code.KindFunc, "inline": code.KindFunc, "advice": code.KindFunc, "test": code.KindFunc, "setf": code.KindFunc,
	"class": code.KindClass, "struct": code.KindStruct, "record": code.KindStruct, "record-type": code.KindStruct, "type": code.KindType,
	"protocol": code.KindInterface, "interface": code.KindInterface, "package": code.KindModule, "library": code.KindModule, "module": code.KindModule,
	"minor-mode": code.KindFunc, "derived-mode": code.KindFunc, "globalized-minor-mode": code.KindFunc, "obsolete-function-alias": code.KindFunc, "obsolete-variable-alias": code.KindVar,
	"signature": code.KindInterface, "values": code.KindVar,
}

// lispSigns are the bytes of names beside letters and digits. lispNames has those too that
// lead to a name: of a package, a keyword, a quoted name.
const (
	lispSigns = "-+*<>=!?%&|~^"
	lispNames = lispSigns + "/.:@#'"
)

// lispLine finds the forms at the top of a file, and those within a condition or a module
// there. What stands within a function is local.
func lispLine(s *scanner) {
	c := s.cursor()
	if !c.take('(') {
		if s.column() == 0 && c.peek() == '#' { // a condition of a reader
			s.enter(0, true)
		}
		return
	}
	head := nameWith(&c, lispNames)
	if s.column() == 0 {
		s.enter(0, lispHolds(string(head)))
	} else if len(s.indents) == 0 || !s.indents[0].class || s.column() > 4 {
		return
	}
	if !c.skip() && c.peek() != '(' {
		return
	}
	form, kind := string(head), code.KindUnknown
	if n := strings.LastIndexByte(form, '/'); n > 0 {
		form = form[n+1:]
	}
	form = lispDefiner(strings.TrimPrefix(strings.TrimSuffix(form, "*"), "cl-"))
	switch {
	case form == "ns" || form == "module" || form == "library":
		kind = code.KindModule
	case form == "struct" && isLower(c.peek()): // Racket
		kind = code.KindStruct
	case strings.HasPrefix(form, "def"):
		kind = lispKind(form, &c)
	}
	if kind == code.KindUnknown || s.column() > 0 && kind == code.KindVar {
		return
	}
	lispName(s, &c, kind)
}

// lispDefiner is a form without what stands before its "def" or "define" where that is a word
// of its name: transient-define-prefix, ert-deftest. Macros that define something are called so.
func lispDefiner(form string) string {
	if i := strings.Index(form+"-", "-define-"); i > 0 {
		return form[i+1:]
	}
	if i := strings.LastIndex(form, "-def"); i > 0 && form[i+len("-def"):] != "" {
		if _, ok := lispForms[form[i+len("-def"):]]; ok {
			return form[i+1:]
		}
	}
	return form
}

// lispHolds reports whether a form holds definitions of the file.
func lispHolds(form string) bool {
	switch form {
	case "module", "module+", "begin", "progn", "when", "unless", "if", "cond-expand", "eval-when", "eval-when-compile", "eval-and-compile", "with-eval-after-load", "library", "define-library", "comment", "do":
		return true
	}
	return false
}

// lispKind is what a form that begins with def defines, by its name and by what follows.
func lispKind(form string, c *cursor) code.Kind {
	rest := strings.TrimPrefix(strings.TrimPrefix(form[len("def"):], "ine"), "-")
	kind, ok := lispForms[rest]
	if strings.HasPrefix(form, "define") && rest == "" && c.peek() == '(' {
		kind = code.KindFunc
	}
	if !ok {
		kind = code.KindFunc
		if rest == "ault" || rest == "ine" {
			kind = code.KindUnknown
		}
	}
	return kind
}

// lispName defines the name after a form: name, 'name, (name ...), ^:meta name, ^{...} name.
func lispName(s *scanner, c *cursor, kind code.Kind) {
	for {
		c.skip()
		switch b := c.peek(); {
		case b == '^':
			c.i++
			if c.peek() == '{' {
				c.balanced()
			} else {
				nameWith(c, lispNames)
			}
			continue
		case b == '(' || b == '\'' || b == ':' || b == '#' && c.at(1) == ':':
			c.i++
			if b == '#' {
				c.i++
			}
			continue
		}
		break
	}
	start := c.i
	name := bytes.TrimRight(nameWith(c, lispNames), "'")
	if n := bytes.LastIndexByte(name, '.'); n > 0 && n+1 < len(name) && kind == code.KindModule {
		start += n + 1
		name = name[n+1:]
	}
	if len(name) == 0 || string(name) == "setf" || s.again(kind, name) {
		s.mark()
		return
	}
	s.define(kind, start, start+len(name))
}

// lispHash handles #| comments |#, which nest, and the characters of #\x.
func lispHash(s *scanner, i int) int {
	if i+1 < len(s.text) {
		switch s.text[i+1] {
		case '|':
			return s.nestedComment(i, "#|", "|#")
		case '\\':
			return min(i+3, len(s.text))
		}
	}
	return i + 1
}

// lispEscape handles \x and the characters ?x and ?\x of Emacs Lisp.
func lispEscape(s *scanner, i int) int {
	if s.text[i] == '?' && (i == 0 || letter[s.text[i-1]] != 0 || i+1 < len(s.text) && s.text[i+1] == '\\') {
		return i + 1
	}
	if i+1 < len(s.text) && s.text[i+1] != '\n' {
		return i + 2
	}
	return i + 1
}
