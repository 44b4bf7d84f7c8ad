package query

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"espy/internal/code"
)

// Parse returns the tree of a query, simplified. Every error is a *SyntaxError.
func Parse(text string) (*Query, error) {
	if len(text) > maxBytes {
		return nil, &SyntaxError{maxBytes, fmt.Sprintf("the query is %d bytes long and the limit is %d", len(text), maxBytes), "search for a shorter, telling part of it", false}
	}
	p := &parser{text: text}
	root, err := p.sequence(0)
	if err != nil {
		return nil, err
	}
	return &Query{Root: root, Filters: p.filters}, nil
}

// parser is a recursive-descent parser over the text itself: what a byte means
// depends on whether a group is open, so there is no separate lexer.
type parser struct {
	text    string
	pos     int
	depth   int  // open groups
	negated bool // the innermost group stands under an odd number of negations
	clauses int
	filters Filters
}

// sequence reads what stands side by side up to the end of the group that
// opened at byte open-1, or of the text where no group is open.
func (p *parser) sequence(open int) (Node, error) {
	var items []Node
	for {
		p.space()
		if p.pos == len(p.text) {
			if p.depth > 0 {
				return nil, &SyntaxError{open - 1, "this parenthesis is never closed", `close it, or put the text in quotes: "..."`, true}
			}
			return side(items), nil
		}
		if p.text[p.pos] == ')' {
			if p.depth > 0 {
				return side(items), nil // the caller takes the parenthesis
			}
			return nil, &SyntaxError{p.pos, "this parenthesis closes nothing", `drop it, or put the text in quotes: "..."`, true}
		}
		n, err := p.or()
		if err != nil {
			return nil, err
		}
		items = append(items, n)
	}
}

func (p *parser) or() (Node, error) {
	return p.operands("OR", p.and, func(nodes []Node) Node { return Or{nodes} })
}

func (p *parser) and() (Node, error) {
	return p.operands("AND", p.unary, func(nodes []Node) Node { return And{nodes} })
}

// operands reads operand { operator operand }.
func (p *parser) operands(operator string, operand func() (Node, error), join func([]Node) Node) (Node, error) {
	var nodes []Node
	for {
		n, err := operand()
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
		if !p.operator(operator) {
			return group(nodes, join), nil
		}
	}
}

// operator passes over the operator if it comes next and an operand follows.
// The operand before it may end in parentheses that close nothing: they are dropped.
func (p *parser) operator(name string) bool {
	for p.depth == 0 && strings.HasPrefix(p.text[p.pos:], ")") {
		p.pos++
	}
	start := p.pos
	p.space()
	if p.peek() == name {
		p.pos += len(name)
		if p.operandFollows() {
			return true
		}
	}
	p.pos = start
	return false
}

// operandFollows reports whether something other than an operator or the end comes next.
func (p *parser) operandFollows() bool {
	start := p.pos
	defer func() { p.pos = start }()
	for {
		p.space()
		if p.pos == len(p.text) || p.text[p.pos] == ')' {
			return false
		}
		switch p.peek() {
		case "NOT":
			p.pos += len("NOT")
		case "AND", "OR":
			return false
		default:
			return true
		}
	}
}

// unary reads { NOT | - } primary.
func (p *parser) unary() (Node, error) {
	outer := p.negated
	defer func() { p.negated = outer }()
	not := false
	for {
		p.space()
		if p.peek() == "NOT" {
			p.pos += len("NOT")
			if !p.operandFollows() {
				p.pos -= len("NOT")
				break
			}
		} else if p.minus() {
			p.pos++
		} else {
			break
		}
		not = !not
		p.negated = !p.negated
	}
	n, err := p.primary()
	if err != nil || n == nil || !not {
		return n, err
	}
	return negate(n), nil
}

// minus reports whether a minus that negates comes next.
func (p *parser) minus() bool {
	rest, ok := strings.CutPrefix(p.text[p.pos:], "-")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && rest != "" && (unicode.IsLetter(r) || r == '_' || r == '"' || r == '(')
}

// primary reads a group, a phrase, a prefixed value or a word. It returns nil
// for what is no condition on the text: a filter, an empty phrase or group.
func (p *parser) primary() (Node, error) {
	switch start := p.pos; p.text[start] {
	case '(':
		return p.group()
	case '"':
		text, err := p.quoted()
		if err != nil || strings.TrimSpace(text) == "" {
			return nil, err
		}
		return Phrase{text, start}, p.clause(start)
	}
	for _, prefix := range prefixes {
		rest, ok := strings.CutPrefix(p.text[p.pos:], prefix)
		if ok && !strings.HasPrefix(rest, ":") {
			return p.prefixed(prefix, prefix)
		}
	}
	if alias, prefix := aliasAt(p.text[p.pos:]); alias != "" {
		return p.prefixed(alias, prefix)
	}
	start := p.pos
	word := p.word()
	if word == "AND" || word == "OR" || word == "NOT" { // without an operand
		word = strings.ToLower(word)
	}
	return Word{word, start}, nil
}

func (p *parser) group() (Node, error) {
	open := p.pos
	if p.depth == maxDepth {
		return nil, &SyntaxError{open, fmt.Sprintf("more than %d groups within each other", maxDepth), "leave out parentheses", false}
	}
	p.pos++
	p.depth++
	n, err := p.sequence(open + 1)
	if err != nil {
		return nil, err
	}
	p.pos++
	p.depth--
	return n, nil
}

// quoted reads a quoted text and returns it without quotes and escapes.
func (p *parser) quoted() (string, error) {
	var b strings.Builder
	for i := p.pos + 1; i < len(p.text); i++ {
		c := p.text[i]
		switch {
		case c == '"':
			p.pos = i + 1
			return b.String(), nil
		case c == '\\' && i+1 < len(p.text) && (p.text[i+1] == '"' || p.text[i+1] == '\\'):
			i++
			c = p.text[i]
		}
		b.WriteByte(c)
	}
	return "", &SyntaxError{p.pos, "this quote is never closed", "close it, or use mode literal for text with quotes", true}
}

var prefixes = []string{"path:", "lang:", "scope:", "repo:", "symbol:", "kind:"}

// aliases are what other searches call the prefixes.
var aliases = [][2]string{
	{"language:", "lang:"}, {"file:", "path:"}, {"filename:", "path:"}, {"dir:", "path:"}, {"ext:", "path:"}, {"extension:", "path:"},
	{"sym:", "symbol:"}, {"def:", "symbol:"}, {"repository:", "repo:"},
}

// aliasAt returns the alias with a value that a text begins with and the prefix
// that it stands for. A URL has none, nor has a word before a space.
func aliasAt(text string) (alias, prefix string) {
	for _, a := range aliases {
		rest, ok := strings.CutPrefix(text, a[0])
		if !ok || rest == "" || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "//") || rest[0] == ')' || unicode.IsSpace(rune(rest[0])) {
			continue
		}
		return a[0], a[1]
	}
	return "", ""
}

// PrefixAt returns the prefix or alias that a word begins with and its value, ""
// where it has none.
func PrefixAt(word string) (prefix, value string) {
	word = strings.TrimPrefix(word, "-")
	for _, prefix := range prefixes {
		if value, ok := strings.CutPrefix(word, prefix); ok && !strings.HasPrefix(value, ":") {
			return prefix, value
		}
	}
	alias, prefix := aliasAt(word)
	return prefix, word[len(alias):]
}

// prefixed reads a prefix, as it is written, with its value.
func (p *parser) prefixed(written, prefix string) (Node, error) {
	start := p.pos
	p.pos += len(written)
	value, err := p.value()
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(value) == "" {
		return nil, &SyntaxError{start, prefix + " has no value", fmt.Sprintf("write it without a space (%s) or, as text, in quotes (%q)", examples[prefix], prefix), false}
	}
	if err := p.clause(start); err != nil {
		return nil, err
	}
	if prefix == "symbol:" {
		return Symbol{value, start}, nil
	}
	if strings.HasPrefix(written, "ext") {
		p.extensions(names(value))
		return nil, nil
	}
	return nil, p.filter(prefix, value, start)
}

var examples = map[string]string{
	"path:": "path:net/**", "lang:": "lang:go", "scope:": "scope:test", "repo:": "repo:api", "symbol:": "symbol:Open", "kind:": "kind:func",
}

func (p *parser) value() (string, error) {
	if strings.HasPrefix(p.text[p.pos:], `"`) {
		return p.quoted()
	}
	return p.word(), nil
}

// filter notes a filter of the whole query.
func (p *parser) filter(prefix, value string, start int) error {
	f := &p.filters
	switch {
	case prefix == "path:" && p.negated:
		f.NotPaths = append(f.NotPaths, value)
	case prefix == "path:":
		f.Paths = append(f.Paths, value)
	case prefix == "lang:":
		return p.langs(names(value), start)
	case p.negated:
		return &SyntaxError{start, prefix + " cannot be negated", "name what to search instead, or leave files out with -path:", false}
	case prefix == "repo:":
		f.Repos = append(f.Repos, value)
	case prefix == "kind:":
		return p.kinds(names(value), start)
	default:
		return p.scope(code.Scope(value), start)
	}
	return nil
}

func (p *parser) langs(names []string, start int) error {
	for range names[1:] {
		if err := p.clause(start); err != nil {
			return err
		}
	}
	if p.negated {
		p.filters.NotLangs = append(p.filters.NotLangs, names...)
	} else {
		p.filters.Langs = append(p.filters.Langs, names...)
	}
	return nil
}

func (p *parser) extensions(names []string) {
	f := &p.filters
	list := &f.Extensions
	if p.negated {
		list = &f.NotPaths
	}
	for _, name := range names {
		*list = append(*list, "*."+strings.TrimLeft(name, "*."))
	}
}

// kindAliases are what other searches call the kinds.
var kindAliases = map[string]string{
	"function": "func", "fn": "func", "variable": "var", "constant": "const", "property": "field", "attribute": "field", "package": "module", "namespace": "module",
}

func (p *parser) kinds(names []string, start int) error {
	for _, name := range names {
		if alias, ok := kindAliases[name]; ok {
			name = alias
		}
		i := slices.IndexFunc(Kinds, func(k code.Kind) bool { return k.String() == name })
		if i < 0 {
			return &SyntaxError{start, fmt.Sprintf("unknown kind %q", name), fmt.Sprintf("the kinds are %v", Kinds), false}
		}
		p.filters.Kinds = append(p.filters.Kinds, Kinds[i])
	}
	slices.SortFunc(p.filters.Kinds, func(a, b code.Kind) int { return slices.Index(Kinds, a) - slices.Index(Kinds, b) })
	p.filters.Kinds = slices.Compact(p.filters.Kinds)
	return nil
}

func (p *parser) scope(s code.Scope, start int) error {
	if !slices.Contains(code.Scopes, s) {
		return &SyntaxError{start, fmt.Sprintf("unknown scope %q", string(s)), fmt.Sprintf("the scopes are %v", code.Scopes), false}
	}
	if p.filters.Scope != "" && p.filters.Scope != s {
		return &SyntaxError{start, fmt.Sprintf("a second scope, %s after %s", s, p.filters.Scope), "name one scope, or none for all files", false}
	}
	p.filters.Scope = s
	return nil
}

// names splits a list of languages at its commas. A value of commas only stays as it is.
func names(value string) []string {
	parts := strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
	parts = slices.DeleteFunc(parts, func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(parts) == 0 {
		return []string{value}
	}
	return parts
}

// word reads up to the next space or to a parenthesis that closes nothing in the word.
func (p *parser) word() string {
	start, open := p.pos, 0
	for i, r := range p.text[start:] {
		switch {
		case unicode.IsSpace(r), r == ')' && open == 0:
			p.pos = start + i
			return p.text[start:p.pos]
		case r == '(':
			open++
		case r == ')':
			open--
		}
	}
	p.pos = len(p.text)
	return p.text[start:]
}

// peek returns the word that comes next without passing over it.
func (p *parser) peek() string {
	start := p.pos
	w := p.word()
	p.pos = start
	return w
}

func (p *parser) space() {
	rest := strings.TrimLeftFunc(p.text[p.pos:], unicode.IsSpace)
	p.pos = len(p.text) - len(rest)
}

func (p *parser) clause(pos int) error {
	if p.clauses++; p.clauses > maxClauses {
		return &SyntaxError{pos, fmt.Sprintf("more than %d conditions and filters", maxClauses), "search for fewer", false}
	}
	return nil
}
