package shebe

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"espy/internal/pattern"
	"espy/internal/windows"
)

// syntaxError says what of a query is unbalanced, and where.
type syntaxError struct {
	what string
	at   int // character, from 1
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("unbalanced %s at character %d", e.what, e.at)
}

// maxNesting bounds the depth of groups.
const maxNesting = 100

// parseQuery reads a query that was rewritten: words, "phrases", AND, OR, NOT,
// + and -, groups, and the fields content and file_path. NOT binds to what
// follows, AND before OR, and what stands side by side is OR; what is negated
// there counts against all the rest. Any other special character separates
// words, and so does a quote that opens the query and never closes. The result
// is nil where the query has no word.
func parseQuery(text string) (windows.Expr, error) {
	p := &parser{text: text}
	e, err := p.list(0, fieldContent)
	if err != nil {
		return nil, err
	}
	return e, nil
}

type field int

const (
	fieldContent field = iota
	fieldPath
)

type parser struct {
	text string
	at   int
	open int // parentheses inside words that are not closed yet

	ranges int // square brackets that are not closed yet
}

// operand is one member of a list, with the operators round it.
type operand struct {
	expr     windows.Expr
	negative bool // NOT or - before it
	required bool // + before it
	and, or  bool // the operator before it
}

// list reads operands up to the end, or to the parenthesis that closes a group.
func (p *parser) list(depth int, f field) (windows.Expr, error) {
	start := p.at
	var ops []operand
	var next operand
	for {
		p.space()
		switch {
		case p.at == len(p.text):
			if depth > 0 {
				return nil, p.unbalanced("parenthesis", start-1)
			}
			return join(ops), nil
		case p.text[p.at] == ')' && p.open > 0:
			p.open--
			p.at++
		case p.text[p.at] == ')':
			if depth == 0 {
				return nil, p.unbalanced("parenthesis", p.at)
			}
			p.at++
			return join(ops), nil
		case p.operator(&next, len(ops) > 0):
		default:
			e, err := p.operand(depth, f)
			if err != nil {
				return nil, err
			}
			if e != nil {
				next.expr = e
				ops = append(ops, next)
			}
			next = operand{}
		}
	}
}

func (p *parser) unbalanced(what string, at int) error {
	return &syntaxError{what, utf8.RuneCountInString(p.text[:max(0, at)]) + 1}
}

func (p *parser) space() {
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			return
		}
		p.at += n
	}
}

// operator reads an operator into what stands before the next operand. One
// without an operand before it, where it needs one, is dropped.
func (p *parser) operator(next *operand, follows bool) bool {
	rest := p.text[p.at:]
	if after, ok := strings.CutPrefix(rest, "TO"); ok && p.ranges > 0 && endsWord(after) { // [a TO b] asks for both ends
		p.at += len("TO")
		return true
	}
	for _, word := range []string{"AND", "OR", "NOT"} {
		if after, ok := strings.CutPrefix(rest, word); ok && (after == "" || endsWord(after)) {
			p.at += len(word)
			switch {
			case word == "NOT":
				next.negative = true
			case follows:
				next.and, next.or = word == "AND", word == "OR"
			}
			return true
		}
	}
	if len(rest) < 2 || unicode.IsSpace(rune(rest[1])) {
		return false
	}
	switch rest[0] {
	case '-':
		next.negative = true
	case '+':
		next.required = true
	default:
		return false
	}
	p.at++
	return true
}

func endsWord(after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return unicode.IsSpace(r) || r == '(' || r == ')' || r == '"'
}

// endsField reports whether a colon before a text ends the name of a field. Behind
// a blank only a group or a set belongs to it.
func endsField(after string) bool {
	bare := strings.TrimLeft(after, " \t\r\n")
	return bare != "" && (len(bare) == len(after) || bare[0] == '(' || setForm().MatchString(bare))
}

// A set of words and phrases, one of which is asked for: IN [a "b c"].
var (
	setForm    = pattern.New(`^IN\s+\[([^\[\]]*)\]`)
	setMembers = pattern.New(`"[^"]*"|'[^']*'|[^\s"']+`)
)

func set(members string, f field) windows.Expr {
	var ops []operand
	for _, m := range setMembers().FindAllString(members, -1) {
		if e := leaf(unescape(strings.Trim(m, `"'`)), f, 0, false, 0); e != nil {
			ops = append(ops, operand{expr: e})
		}
	}
	return join(ops)
}

// operand reads a group, a set, a phrase or a word, with the field before it. It is
// nil where there is no word in it.
func (p *parser) operand(depth int, f field) (windows.Expr, error) {
	for name, named := range map[string]field{"content:": fieldContent, "file_path:": fieldPath} {
		if after, ok := strings.CutPrefix(p.text[p.at:], name); ok && endsField(after) {
			p.at += len(name)
			p.space()
			f = named
			break
		}
	}
	if m := setForm().FindStringSubmatch(p.text[p.at:]); m != nil {
		p.at += len(m[0])
		e := set(m[1], f)
		boostAll(e, p.boost())
		return e, nil
	}
	switch c := p.text[p.at]; {
	case c == '(' && depth < maxNesting:
		p.at++
		e, err := p.list(depth+1, f)
		if err != nil {
			return nil, err
		}
		boostAll(e, p.boost())
		return e, nil
	case c == '"':
		return p.quoted(f)
	case c == '\'':
		if end := strings.IndexByte(p.text[p.at+1:], '\''); end > 0 {
			text := p.text[p.at+1 : p.at+1+end]
			p.at += end + 2
			return leaf(text, f, 0, false, 0), nil
		}
	}
	return p.word(f)
}

// quoted reads a phrase and what may follow it: ~2, * and ^2.5.
func (p *parser) quoted(f field) (windows.Expr, error) {
	end := p.closing(p.at + 1)
	if end < 0 && p.at == 0 { // a phrase that is still being typed: its words
		p.at++
		return nil, nil
	}
	if end < 0 {
		return nil, p.unbalanced("quote", p.at)
	}
	text := unescape(p.text[p.at+1 : end])
	p.at = end + 1
	slop, prefix := 0, false
	if m := slopForm().FindString(p.text[p.at:]); m != "" {
		p.at += len(m)
		slop, _ = strconv.Atoi(m[1:])
	} else if strings.HasPrefix(p.text[p.at:], "*") {
		p.at++
		prefix = true
	}
	return leaf(text, f, slop, prefix, p.boost()), nil
}

var (
	slopForm  = pattern.New(`^~[0-9]{1,3}`)
	boostForm = pattern.New(`^\^[0-9]{1,6}(\.[0-9]{1,6})?`)
	boostTail = pattern.New(`\^([0-9]{1,6}(?:\.[0-9]{1,6})?)$`)
)

// closing returns where the quote that is open at a place closes, -1 if nowhere.
func (p *parser) closing(from int) int {
	for i := from; i < len(p.text); i++ {
		switch p.text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

func (p *parser) boost() float64 {
	m := boostForm().FindString(p.text[p.at:])
	p.at += len(m)
	if m == "" {
		return 0
	}
	b, _ := strconv.ParseFloat(m[1:], 64)
	return b
}

// word reads up to white space or the parenthesis that closes a group.
// Parentheses and quotes that are glued to a word separate words.
func (p *parser) word(f field) (windows.Expr, error) {
	start := p.at
	mine := 0
scan:
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		switch {
		case unicode.IsSpace(r):
			break scan
		case r == '\\' && p.at+1 < len(p.text):
			n = 2
		case r == '(':
			p.open++
			mine++
		case r == ')' && p.open == 0:
			break scan
		case r == ')':
			p.open--
			mine--
		case r == '"':
			end := p.closing(p.at + 1)
			if end < 0 {
				return nil, p.unbalanced("quote", p.at)
			}
			n = end + 1 - p.at
		}
		p.at += n
	}
	text := p.text[start:p.at]
	p.ranges = max(0, p.ranges+strings.Count(text, "[")-strings.Count(text, "]"))
	if mine > 0 && strings.Count(p.text[p.at:], ")") < p.open {
		return nil, p.unbalanced("parenthesis", start+strings.IndexByte(text, '('))
	}
	if text == "*" {
		return &windows.All{}, nil
	}
	boost := 0.0
	if m := boostTail().FindStringSubmatch(text); m != nil && len(m[0]) < len(text) {
		boost, _ = strconv.ParseFloat(m[1], 64)
		text = strings.TrimSuffix(text, m[0])
	}
	return leaf(unescape(text), f, 0, false, boost), nil
}

// unescape takes the backslashes away that stand before special characters;
// before others they separate words.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && special().MatchString(text[i+1:i+2]) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// leaf is what one word or phrase asks for: its words in order, or the whole
// text in the path.
func leaf(text string, f field, slop int, prefix bool, boost float64) windows.Expr {
	if f == fieldPath {
		if text = strings.TrimSpace(text); text == "" {
			return nil
		}
		return &windows.Path{Text: text}
	}
	words := splitWords(text)
	if len(words) == 0 {
		return nil
	}
	return &windows.Phrase{Words: words, Slop: slop, Prefix: prefix, Boost: boost}
}

// splitWords splits a text at everything but letters and digits.
func splitWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}

func boostAll(e windows.Expr, boost float64) {
	if boost == 0 {
		return
	}
	switch e := e.(type) {
	case *windows.Phrase:
		if e.Boost == 0 {
			e.Boost = 1
		}
		e.Boost *= boost
	case *windows.Bool:
		for _, x := range append(append([]windows.Expr{}, e.Must...), e.Should...) {
			boostAll(x, boost)
		}
	}
}

// join makes one expression of a list: chains of AND, joined by OR.
func join(ops []operand) windows.Expr {
	if len(ops) == 0 {
		return nil
	}
	all := &windows.Bool{}
	for from := 0; from < len(ops); {
		to := from + 1
		for to < len(ops) && ops[to].and {
			to++
		}
		chain := ops[from:to]
		inOr := chain[0].or || to < len(ops) && ops[to].or
		switch {
		case len(chain) == 1 && chain[0].negative && !inOr:
			all.Not = append(all.Not, chain[0].expr)
		case len(chain) == 1 && chain[0].required:
			all.Must = append(all.Must, chain[0].expr)
		default:
			all.Should = append(all.Should, conjunction(chain))
		}
		from = to
	}
	if len(all.Should) == 1 && len(all.Must)+len(all.Not) == 0 {
		return all.Should[0]
	}
	return all
}

func conjunction(chain []operand) windows.Expr {
	b := &windows.Bool{}
	for _, o := range chain {
		if o.negative {
			b.Not = append(b.Not, o.expr)
		} else {
			b.Must = append(b.Must, o.expr)
		}
	}
	if len(b.Must) == 1 && len(b.Not) == 0 {
		return b.Must[0]
	}
	return b
}

// literalQuery asks for an exact text, ordered by the words in it.
func literalQuery(text string) windows.Expr {
	b := &windows.Bool{Must: []windows.Expr{&windows.Text{Text: text}}}
	for _, w := range splitWords(text) {
		b.Should = append(b.Should, &windows.Phrase{Words: []string{w}})
	}
	return b
}

// under takes the root off the paths that are asked for absolutely, since
// every path of a session begins with it.
func under(e windows.Expr, root string) {
	switch e := e.(type) {
	case *windows.Path:
		if rest, ok := strings.CutPrefix(e.Text, root); ok && strings.HasPrefix(rest, "/") {
			e.Text = rest
		}
	case *windows.Bool:
		for _, list := range [][]windows.Expr{e.Must, e.Should, e.Not} {
			for _, x := range list {
				under(x, root)
			}
		}
	}
}
