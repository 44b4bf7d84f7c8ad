package pcre

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"espy/internal/pattern"
	"espy/internal/usage"
)

// reader reads an expression.
type reader struct {
	in    string // what is left of it
	flags flags
	names []string // of the groups so far, the whole expression first
	what  string   // that stands in the expression and is not matched here; the first
	named []*node  // references by name, which may stand before their group

	multiline bool
}

// flags are what letters in (?i) and the like stand for.
type flags struct{ fold, dotAll, oneLine, spaced bool }

// Pieces of an expression.
var (
	repeatForm = pattern.New(`\A(?:[*+?]|\{([0-9]+)(,([0-9]*))?\})`)
	flagsForm  = pattern.New(`\A\(\?([imsx]*)(?:-([imsx]+))?([:)])`)
	nameForm   = pattern.New(`\A\(\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')`)
	refForm    = pattern.New(`\A(?:\\g\{?(-?[0-9]+)\}?|\\([1-9][0-9]?)|\\[gk](?:\{([A-Za-z_]\w*)\}|<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')|\(\?P=([A-Za-z_]\w*)\))`)
	wordForm   = pattern.New(`\A\[:(\^?[a-z]+):\]`)
	bracedForm = pattern.New(`\A\\[pPx]\{[^}]*\}`)
	noteForm   = pattern.New(`\A\(\?#[^)]*\)`)
	lineForm   = pattern.New(`\A(?:\s|#[^\n]*)+`)
)

// Classes as Rust's regex crate writes them. \w and \h are those of PCRE2.
const (
	wordSet    = `\p{L}\p{N}\p{Mn}\p{Pc}`
	blankSet   = `\t\x{20}\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}`
	lineEndSet = `\n\x{0B}\f\r\x{85}\x{2028}\x{2029}`
)

// classes are the classes with names, which are those of Unicode.
var classes = map[string]string{
	"digit": `\p{Nd}`, "^digit": `\P{Nd}`, "alpha": `\p{L}`, "^alpha": `\P{L}`, "lower": `\p{Ll}`, "^lower": `\P{Ll}`, "upper": `\p{Lu}`, "^upper": `\P{Lu}`,
	"alnum": `\p{L}\p{N}`, "space": `\s`, "^space": `\S`, "word": wordSet, "^word": `[^` + wordSet + `]`, "blank": blankSet, "xdigit": `0-9A-Fa-f`, "cntrl": `\p{Cc}`,
}

// Parse reads an expression. The error, a *usage.Error, says what is wrong, or what PCRE2
// has that is not matched here.
func Parse(expression string, o Options) (*Expression, error) {
	r := &reader{in: expression, flags: flags{fold: o.IgnoreCase, dotAll: o.DotAll}, names: []string{""}, multiline: o.Multiline}
	tree := r.alternatives()
	if r.what == "" && r.in != "" {
		r.what = "a bracket that closes nothing"
	}
	for _, n := range r.named {
		if n.n = slices.Index(r.names, n.text); n.n < 0 {
			r.refuse("a reference to no group")
		}
	}
	x := &Expression{text: expression, tree: tree, names: r.names, opts: o}
	tree.each(func(n *node) {
		if n.op == opRef && n.n >= len(r.names) {
			r.refuse("a reference to no group")
		}
		if n.op == opLook {
			n.each(func(sub *node) {
				if sub.op == opKeep {
					r.refuse(`\K in a look-around`)
				}
			})
		}
	})
	if r.what != "" {
		return nil, x.bad(r.what + " is not matched here")
	}
	return x, nil
}

// bad refuses the expression.
func (x *Expression) bad(msg string) error {
	return &usage.Error{Arg: "pattern", Value: usage.Shorten(x.text, 200), Msg: msg, Hint: "rg -P has all of PCRE2"}
}

func (r *reader) refuse(what string) {
	if r.what == "" {
		r.what = what
	}
}

// alternatives reads what bars part, up to the end of the group.
func (r *reader) alternatives() *node {
	before := r.flags
	n := &node{op: opAlternate, subs: []*node{r.sequence()}}
	for r.what == "" && strings.HasPrefix(r.in, "|") {
		r.in = r.in[1:]
		n.subs = append(n.subs, r.sequence())
	}
	r.flags = before
	if len(n.subs) == 1 {
		return n.subs[0]
	}
	return n
}

// sequence reads one alternative.
func (r *reader) sequence() *node {
	n := &node{op: opSequence}
	for r.in != "" && r.what == "" && r.in[0] != '|' && r.in[0] != ')' {
		if skipped := r.skipped(); skipped > 0 {
			r.in = r.in[skipped:]
			continue
		}
		if m := repeatForm().FindStringSubmatch(r.in); m != nil {
			r.repeat(n, m)
			continue
		}
		n.subs = append(n.subs, r.atom()...)
	}
	return n
}

// skipped counts the bytes that say nothing.
func (r *reader) skipped() int {
	if m := noteForm().FindString(r.in); m != "" {
		return len(m)
	}
	if strings.HasPrefix(r.in, `\E`) {
		return 2
	}
	if r.flags.spaced {
		return len(lineForm().FindString(r.in))
	}
	return 0
}

// repeat repeats the last node of a sequence.
func (r *reader) repeat(n *node, form []string) {
	last := len(n.subs) - 1
	if last < 0 || n.subs[last].op == opRepeat || n.subs[last].possessive || n.subs[last].op >= opKeep {
		r.refuse("repetition of nothing")
		return
	}
	one := &node{op: opRepeat, subs: []*node{n.subs[last]}, max: -1}
	switch form[0] {
	case "*":
	case "+":
		one.min = 1
	case "?":
		one.max = 1
	default:
		one.min, one.max = number(form[1]), number(form[1])
		if form[2] != "" {
			one.max = number(form[3])
		}
		if one.max >= 0 && one.max < one.min || max(one.min, one.max) > 65535 {
			r.refuse("repetition " + form[0])
		}
	}
	r.in = r.in[len(form[0]):]
	switch {
	case strings.HasPrefix(r.in, "?"):
		one.lazy, r.in = true, r.in[1:]
	case strings.HasPrefix(r.in, "+"):
		r.in = r.in[1:]
		one = &node{op: opAtomic, subs: []*node{one}, possessive: true}
	}
	n.subs[last] = one
}

// number is a number of digits, -1 for none.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil && digits != "" {
		return 1 << 30
	}
	if err != nil {
		return -1
	}
	return n
}

// leaf is a node without others below it.
func (r *reader) leaf(op op, text string) *node { return &node{op: op, text: text, flags: r.flags} }

// atom reads what may be repeated.
func (r *reader) atom() []*node {
	switch c := r.in[0]; {
	case c == '\\':
		return r.escape()
	case c == '[':
		return []*node{r.class()}
	case c == '(':
		return r.group()
	case strings.HasPrefix(r.in, "{,"):
		r.refuse("{,")
		return nil
	case c == '.':
		r.in = r.in[1:]
		return []*node{r.leaf(opAny, ".")}
	case c == '^' && r.flags.oneLine:
		r.in = r.in[1:]
		return []*node{r.leaf(opBeginText, `\A`)}
	case c == '^':
		r.in = r.in[1:]
		return []*node{r.leaf(opBegin, "^")}
	case c == '$' && r.flags.oneLine:
		r.in = r.in[1:]
		return []*node{r.leaf(opEndLast, "")}
	case c == '$':
		r.in = r.in[1:]
		return []*node{r.leaf(opEnd, "$")}
	}
	c, width := utf8.DecodeRuneInString(r.in)
	if c == utf8.RuneError && width == 1 {
		r.refuse("a pattern that is not UTF-8")
	}
	r.in = r.in[width:]
	return []*node{r.literal(c)}
}

func (r *reader) literal(c rune) *node {
	return r.leaf(opSet, regexp.QuoteMeta(string(c)))
}

// group reads a group, or flags for the rest of one.
func (r *reader) group() []*node {
	n := &node{op: opGroup}
	if ref := refForm().FindStringSubmatch(r.in); ref != nil {
		return []*node{r.reference(ref)}
	}
	if name := nameForm().FindStringSubmatch(r.in); name != nil {
		n.n = len(r.names)
		r.names = append(r.names, name[1]+name[2])
		return r.inner(n, len(name[0]))
	}
	if f := flagsForm().FindStringSubmatch(r.in); f != nil {
		before := r.flags
		r.flags.set(f[1], true)
		r.flags.set(f[2], false)
		if f[3] == ")" {
			r.in = r.in[len(f[0]):]
			return nil
		}
		r.inner(n, len(f[0]))
		r.flags = before
		return n.subs
	}
	for _, k := range []struct {
		text string
		node node
	}{
		{"(?=", node{op: opLook}}, {"(?!", node{op: opLook, not: true}}, {"(?<=", node{op: opLook, behind: true}}, {"(?<!", node{op: opLook, behind: true, not: true}}, {"(?>", node{op: opAtomic}},
	} {
		if strings.HasPrefix(r.in, k.text) {
			return r.inner(&k.node, len(k.text))
		}
	}
	if strings.HasPrefix(r.in, "(?") || strings.HasPrefix(r.in, "(*") {
		r.refuse(r.in[:min(len(r.in), 4)])
		return nil
	}
	n.n = len(r.names)
	r.names = append(r.names, "")
	return r.inner(n, 1)
}

func (f *flags) set(letters string, on bool) {
	for _, c := range letters {
		switch c {
		case 'i':
			f.fold = on
		case 's':
			f.dotAll = on
		case 'm':
			f.oneLine = !on
		case 'x':
			f.spaced = on
		}
	}
}

// inner reads what stands in a group behind its beginning.
func (r *reader) inner(n *node, width int) []*node {
	r.in = r.in[width:]
	n.subs = []*node{r.alternatives()}
	if r.in == "" {
		r.refuse("a group without an end")
		return nil
	}
	r.in = r.in[1:]
	return []*node{n}
}

// reference reads a reference to a group.
func (r *reader) reference(form []string) *node {
	r.in = r.in[len(form[0]):]
	n := r.leaf(opRef, form[3]+form[4]+form[5]+form[6])
	switch digits := form[1] + form[2]; {
	case digits == "":
		r.named = append(r.named, n)
	case digits[0] == '-':
		if n.n = len(r.names) + number(digits); n.n < 1 {
			r.refuse("a reference to no group")
		}
	default:
		if n.n = number(digits); n.n == 0 {
			r.refuse("a reference to no group")
		}
	}
	return n
}

// escape reads what stands behind a backslash.
func (r *reader) escape() []*node {
	if strings.HasPrefix(r.in, `\Q`) {
		text, rest, _ := strings.Cut(r.in[2:], `\E`)
		r.in = rest
		var list []*node
		for _, c := range text {
			list = append(list, r.literal(c))
		}
		return list
	}
	if ref := refForm().FindStringSubmatch(r.in); ref != nil {
		return []*node{r.reference(ref)}
	}
	if len(r.in) < 2 {
		r.refuse("a backslash at the end")
		return nil
	}
	for _, k := range []struct {
		letter byte
		op     op
		text   string
	}{
		{'b', opWordEdge, `\b`}, {'B', opNoWordEdge, `\B`}, {'A', opBeginText, `\A`}, {'z', opEndText, `\z`}, {'Z', opEndLast, ""}, {'K', opKeep, ""},
		{'N', opSet, `[^\n]`}, {'v', opSet, `[` + lineEndSet + `]`}, {'V', opSet, `[^` + lineEndSet + `]`},
	} {
		if r.in[1] == k.letter {
			r.in = r.in[2:]
			return []*node{r.leaf(k.op, k.text)}
		}
	}
	if r.in[1] == 'R' {
		r.in = r.in[2:]
		if !r.multiline {
			return []*node{r.leaf(opSet, `[`+lineEndSet+`]`)}
		}
		pair := &node{op: opSequence, subs: []*node{r.leaf(opSet, `\r`), r.leaf(opSet, `\n`)}}
		return []*node{{op: opAtomic, subs: []*node{{op: opAlternate, subs: []*node{pair, r.leaf(opSet, `[`+lineEndSet+`]`)}}}}}
	}
	text := r.member()
	if strings.HasPrefix(text, `\p`) || strings.HasPrefix(text, `\P`) { // properties heed case
		n := r.leaf(opSet, text)
		n.flags.fold = false
		return []*node{n}
	}
	return []*node{r.leaf(opSet, text)}
}

// inClass quotes what means something in classes alone.
var inClass = strings.NewReplacer("-", `\-`, "&", `\&`, "~", `\~`)

// class reads a class in brackets. Signs that Rust gives a meaning within brackets, and
// PCRE2 does not, stand for themselves.
func (r *reader) class() *node {
	var out strings.Builder
	take := func(n int) {
		out.WriteString(r.in[:n])
		r.in = r.in[n:]
	}
	put := func(n int, text string) {
		out.WriteString(text)
		r.in = r.in[n:]
	}
	take(1)
	if strings.HasPrefix(r.in, "^") {
		take(1)
	}
	if strings.HasPrefix(r.in, "]") {
		put(1, `\]`)
	}
	for r.in != "" && r.in[0] != ']' && r.what == "" {
		switch c := r.in[0]; {
		case strings.HasPrefix(r.in, `\Q`):
			text, rest, _ := strings.Cut(r.in[2:], `\E`)
			put(len(r.in), inClass.Replace(regexp.QuoteMeta(text)))
			r.in = rest
		case strings.HasPrefix(r.in, `\E`):
			put(2, "")
		case c == '\\':
			out.WriteString(r.member())
		case wordForm().MatchString(r.in):
			m := wordForm().FindStringSubmatch(r.in)
			if classes[m[1]] == "" {
				r.refuse(m[0])
			}
			put(len(m[0]), classes[m[1]])
		case strings.HasPrefix(r.in, "[.") || strings.HasPrefix(r.in, "[=") || strings.HasPrefix(r.in, "--"):
			r.refuse(r.in[:2] + " in a class")
		case c == '[' || c == '&' || c == '~':
			put(1, `\`+string(c))
		default:
			take(1)
		}
	}
	if r.in == "" {
		r.refuse("a class without an end")
		return r.leaf(opSet, "")
	}
	take(1)
	return r.leaf(opSet, out.String())
}

// member reads one escape that stands for a character, or for a set of them. A set is
// written as the inside of a class, but for those in brackets.
func (r *reader) member() string {
	if braced := bracedForm().FindString(r.in); braced != "" {
		r.in = r.in[len(braced):]
		return braced
	}
	if len(r.in) < 2 {
		r.refuse("a backslash at the end")
		return ""
	}
	c, width := utf8.DecodeRuneInString(r.in[1:])
	text := r.in[:1+width]
	r.in = r.in[1+width:]
	switch {
	case c == 'w':
		return `[` + wordSet + `]`
	case c == 'W':
		return `[^` + wordSet + `]`
	case c == 'e':
		return `\x1B`
	case c == 'h':
		return `[` + blankSet + `]`
	case c == 'H':
		return `[^` + blankSet + `]`
	case c == 'v':
		return `[` + lineEndSet + `]`
	case c == 'b': // in a class
		return `\x08`
	case c == '0' && (r.in == "" || r.in[0] < '0' || r.in[0] > '9'):
		return `\x00`
	case strings.ContainsRune("afnrtdDsS", c):
		return text
	case c == 'x' || c == 'p' || c == 'P':
		n := 1
		if c == 'x' {
			n = 2
		}
		if len(r.in) < n {
			r.refuse(text)
			return ""
		}
		text, r.in = text+r.in[:n], r.in[n:]
		return text
	case c == '_' || c >= utf8.RuneSelf || c == '<' || c == '>':
		return string(c) // the sign stands for itself
	case '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z':
		r.refuse(text)
	}
	return text
}
