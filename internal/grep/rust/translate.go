package rust

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"espy/internal/usage"
)

// translator writes expressions in the syntax of package regexp/syntax.
type translator struct {
	patterns []string // for errors
	src      string   // the pattern at hand
	pos      int
	out      []byte
	spaced   bool // x: spaces do not count
	unicode  bool // u
	fold     bool // i

	groups   []group
	atom     int  // where in out the last thing that can be repeated starts; -1 none
	repeated bool // it is repeated already

	literals, upper bool // letters and others that stand for themselves; one of them is large
	asciiWords      bool // word boundaries are those of ASCII
	unicodeWords    bool
}

// group is what holds before a group, and where it starts.
type group struct {
	start                 int
	spaced, unicode, fold bool
}

// translate writes patterns as one expression.
func translate(patterns []string, o Options) (*translator, error) {
	t := &translator{patterns: patterns, unicode: true}
	if o.Word {
		t.out = append(t.out, "(?:^|"+written(words(), true)+")("...)
	}
	for i, p := range patterns {
		if i > 0 {
			t.out = append(t.out, '|')
		}
		if err := t.pattern(p, o); err != nil {
			return nil, err
		}
	}
	if o.Word {
		t.out = append(t.out, ")(?:"+written(words(), true)+"|$)"...)
	}
	if t.asciiWords && t.unicodeWords {
		return nil, bad(patterns, `\b of Unicode and of ASCII in one expression`, `write all of them as (?-u:\b), or none`)
	}
	return t, nil
}

func (t *translator) pattern(p string, o Options) error {
	open, end := "(?:", ")"
	if o.Line {
		open, end = "^(?:", ")$"
	}
	t.src, t.pos, t.spaced, t.unicode, t.fold = p, 0, false, true, o.IgnoreCase
	t.out = append(t.out, open...)
	t.atom = -1
	switch {
	case o.Fixed:
		for _, r := range p {
			t.literal(r)
		}
	default:
		if err := t.sequence(); err != nil {
			return err
		}
	}
	t.out = append(t.out, end...)
	return nil
}

// bad refuses patterns.
func bad(patterns []string, msg, hint string) error {
	return &usage.Error{Arg: "pattern", Value: usage.Shorten(strings.Join(patterns, "\n"), 200), Msg: msg, Hint: hint}
}

func (t *translator) bad(msg, hint string) error {
	return bad([]string{t.src}, "bad regex: "+msg, hint)
}

const asText = "-F (--fixed-strings) looks for exact text; a backslash before a character matches it as it is"

// refused explains an error of regexp/syntax.
func refused(patterns []string, err error) error {
	msg, hint := err.Error(), asText
	var e *syntax.Error
	if errors.As(err, &e) {
		msg = e.Code.String()
		if !strings.Contains(e.Expr, `\x{`) {
			msg += ": " + usage.Shorten(e.Expr, 40)
		}
		if e.Code == syntax.ErrInvalidRepeatSize || e.Code == syntax.ErrLarge {
			hint = "at most 1,000 repetitions are matched here; rg takes more"
		}
	}
	return bad(patterns, "bad regex: "+msg, hint)
}

// sequence translates the pattern to its end.
func (t *translator) sequence() error {
	depth := len(t.groups)
	for t.pos < len(t.src) {
		if err := t.next(); err != nil {
			return err
		}
		if len(t.groups) < depth {
			return t.bad("unopened group", asText)
		}
	}
	if len(t.groups) > depth {
		return t.bad("unclosed group", asText)
	}
	return nil
}

// next translates what comes next.
func (t *translator) next() error {
	c := t.src[t.pos]
	switch {
	case t.spaced && isSpace(c):
		t.pos++
		return nil
	case t.spaced && c == '#':
		if end := strings.IndexByte(t.src[t.pos:], '\n'); end >= 0 {
			t.pos += end
		} else {
			t.pos = len(t.src)
		}
		return nil
	}
	switch c {
	case '(':
		return t.open()
	case ')':
		return t.close()
	case '|':
		t.emit("|")
		t.atom = -1
		t.pos++
	case '[':
		return t.class()
	case '*', '+', '?':
		return t.repeat(string(c), 1)
	case '{':
		return t.counted()
	case '\\':
		return t.escape()
	case '.':
		t.begin()
		t.emit(".")
		t.pos++
		if !t.unicode {
			return t.bad("the dot without Unicode matches single bytes", "write it outside of (?-u)")
		}
	case '^', '$':
		t.begin()
		t.emit(string(c))
		t.pos++
	default:
		r, n := utf8.DecodeRuneInString(t.src[t.pos:])
		if r == utf8.RuneError && n == 1 {
			return t.bad("a pattern that is not UTF-8", `write the character as \x{...}; bytes that are not UTF-8 are matched by nothing`)
		}
		t.pos += n
		t.literal(r)
	}
	return nil
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func (t *translator) emit(s string) { t.out = append(t.out, s...) }

// begin notes that something begins that can be repeated.
func (t *translator) begin() { t.atom, t.repeated = len(t.out), false }

// literal writes a character that stands for itself.
func (t *translator) literal(r rune) {
	t.begin()
	t.note(r)
	if r < utf8.RuneSelf && (r < ' ' || !unicode.IsLetter(r) && !unicode.IsDigit(r)) {
		t.emit(fmt.Sprintf(`\x{%x}`, r))
		return
	}
	t.out = utf8.AppendRune(t.out, r)
}

func (t *translator) note(r rune) {
	t.literals = true
	t.upper = t.upper || unicode.IsUpper(r)
}

// open begins a group.
func (t *translator) open() error {
	rest := t.src[t.pos:]
	g := group{len(t.out), t.spaced, t.unicode, t.fold}
	if !strings.HasPrefix(rest, "(?") {
		t.pos++
		t.enter(g, "(")
		return nil
	}
	for _, look := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.HasPrefix(rest, look) {
			return t.bad("look-around, including look-ahead and look-behind, is not supported", "-P does it")
		}
	}
	for _, named := range []string{"(?P<", "(?<"} {
		if strings.HasPrefix(rest, named) {
			end := strings.IndexByte(rest, '>')
			if end < 0 {
				return t.bad("unclosed group name", asText)
			}
			t.pos += end + 1
			t.enter(g, "(?P<"+rest[len(named):end]+">")
			return nil
		}
	}
	return t.flags(g)
}

func (t *translator) enter(g group, text string) {
	t.emit(text)
	t.groups = append(t.groups, g)
	t.atom = -1
}

// flags translates a group that begins with flags, or flags for the rest of one.
func (t *translator) flags(g group) error {
	t.pos += 2
	kept, on, some, minus := "", true, false, false
	for ; t.pos < len(t.src); t.pos++ {
		switch c := t.src[t.pos]; c {
		case '-':
			if minus {
				return t.bad("two minus signs among flags", asText)
			}
			on, minus = false, true
			kept += "-"
		case 'i', 'm', 's', 'U':
			if c == 'i' {
				t.fold = on
			}
			kept += string(c)
			some = true
		case 'x':
			t.spaced, some = on, true
		case 'u':
			t.unicode, some = on, true
		case ':', ')':
			if minus && !some || c == ')' && !some {
				return t.bad("flags are missing", asText)
			}
			t.pos++
			t.flagged(g, strings.TrimSuffix(kept, "-"), c)
			return nil
		default:
			return t.bad("unrecognized flag "+strconv.QuoteRune(rune(c)), "flags are i, m, s, U, x and u")
		}
	}
	return t.bad("unclosed group", asText)
}

func (t *translator) flagged(g group, flags string, end byte) {
	if end == ':' {
		t.enter(g, "(?"+flags+":")
		return
	}
	if flags != "" {
		t.emit("(?" + flags + ")")
	}
	t.atom = -1
}

// close ends a group.
func (t *translator) close() error {
	t.pos++
	n := len(t.groups)
	if n == 0 {
		return t.bad("unopened group", asText)
	}
	g := t.groups[n-1]
	t.groups = t.groups[:n-1]
	t.emit(")")
	t.atom, t.repeated = g.start, false
	t.spaced, t.unicode, t.fold = g.spaced, g.unicode, g.fold
	return nil
}

// repeat writes an operator of repetition, with a question mark behind it if there
// is one.
func (t *translator) repeat(op string, width int) error {
	if t.atom < 0 {
		return t.bad("repetition operator missing expression", asText)
	}
	if t.repeated {
		t.out = append(t.out[:t.atom], append([]byte("(?:"), t.out[t.atom:]...)...)
		t.emit(")")
	}
	t.pos += width
	if strings.HasPrefix(t.src[t.pos:], "?") {
		op += "?"
		t.pos++
	}
	t.emit(op)
	t.repeated = true
	return nil
}

// counted translates {n}, {n,} and {n,m}.
func (t *translator) counted() error {
	end := strings.IndexByte(t.src[t.pos:], '}')
	if t.atom < 0 {
		return t.bad("repetition operator missing expression", asText)
	}
	if end < 0 {
		return t.bad("unclosed counted repetition", asText)
	}
	from, to, both := strings.Cut(t.src[t.pos+1:t.pos+end], ",")
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	n, err := strconv.Atoi(from)
	if err != nil || n < 0 || from[0] == '+' {
		return t.bad("repetition quantifier expects a valid decimal", asText)
	}
	op := "{" + strconv.Itoa(n)
	if both {
		op += ","
	}
	if to != "" {
		m, err := strconv.Atoi(to)
		if err != nil || m < n || to[0] == '+' {
			return t.bad("invalid repetition count range, the start must be <= the end", asText)
		}
		op += strconv.Itoa(m)
	}
	return t.repeat(op+"}", end+1)
}

// escape translates what begins with a backslash, outside of classes.
func (t *translator) escape() error {
	if t.pos+1 >= len(t.src) {
		return t.bad("incomplete escape sequence, reached end of pattern prematurely", asText)
	}
	switch c := t.src[t.pos+1]; c {
	case 'b', 'B':
		if strings.HasPrefix(t.src[t.pos+2:], "{") {
			return t.bad(`half boundaries \b{...} are not matched here`, `write \b`)
		}
		t.asciiWords = t.asciiWords || !t.unicode
		t.unicodeWords = t.unicodeWords || t.unicode
		fallthrough
	case 'A', 'z':
		t.begin()
		t.emit(`\` + string(c))
		t.pos += 2
		return nil
	case '<', '>':
		return t.bad(`word starts and ends \< and \> are not matched here`, `write \b`)
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return t.bad("backreferences are not supported", "-P does it")
	}
	set, r, err := t.escaped()
	if err != nil {
		return err
	}
	if set == nil {
		t.literal(r)
		return nil
	}
	t.begin()
	t.emit(written(set, false))
	return nil
}

// escaped reads a backslash and what belongs to it: a set of characters, or one.
func (t *translator) escaped() (set []rune, r rune, err error) {
	if t.pos+1 >= len(t.src) {
		return nil, 0, t.bad("incomplete escape sequence, reached end of pattern prematurely", asText)
	}
	r, n := utf8.DecodeRuneInString(t.src[t.pos+1:])
	t.pos += 1 + n
	switch r {
	case 'd', 'D', 's', 'S', 'w', 'W':
		if !t.unicode && r < 'a' {
			return nil, 0, t.bad(`\`+string(r)+" without Unicode matches single bytes", `write it as a class, such as [^0-9A-Za-z_]`)
		}
		return perl(byte(r), t.unicode), 0, nil
	case 'p', 'P':
		set, err = t.property(r == 'P')
		return set, 0, err
	case 'x', 'u', 'U':
		r, err = t.hex(byte(r))
		return nil, r, err
	case 'n':
		r = '\n'
	case 't':
		r = '\t'
	case 'r':
		r = '\r'
	case 'f':
		r = '\f'
	case 'v':
		r = '\v'
	case 'a':
		r = '\a'
	default:
		if r >= utf8.RuneSelf || !unicode.IsPunct(r) && !unicode.IsSymbol(r) && !(t.spaced && r == ' ') {
			return nil, 0, t.bad("unrecognized escape sequence: \\"+string(r), asText)
		}
	}
	return nil, r, nil
}

// hex reads the digits behind \x, \u and \U.
func (t *translator) hex(kind byte) (rune, error) {
	text, width := t.src[t.pos:], map[byte]int{'x': 2, 'u': 4, 'U': 8}[kind]
	if strings.HasPrefix(text, "{") {
		end := strings.IndexByte(text, '}')
		if end < 0 {
			return 0, t.bad("unclosed hexadecimal literal", asText)
		}
		text, width = text[1:end], 0
		t.pos += end + 1
	} else {
		text = text[:min(width, len(text))]
		t.pos += len(text)
	}
	n, err := strconv.ParseUint(text, 16, 32)
	if err != nil || len(text) < width || n > unicode.MaxRune || 0xd800 <= n && n < 0xe000 {
		return 0, t.bad("invalid hexadecimal literal", asText)
	}
	if !t.unicode && n >= utf8.RuneSelf {
		return 0, t.bad("bytes that are not characters are not matched here", "rg does it; espy grep reads text as UTF-8")
	}
	return rune(n), nil
}

// property reads the name behind \p or \P.
func (t *translator) property(negated bool) ([]rune, error) {
	rest := t.src[t.pos:]
	if rest == "" {
		return nil, t.bad(`a property is missing behind \p`, asText)
	}
	_, n := utf8.DecodeRuneInString(rest)
	name := rest[:n]
	if name == "{" {
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return nil, t.bad("unclosed Unicode property", asText)
		}
		name, n = rest[1:end], end+1
		if plain, cut := strings.CutPrefix(name, "^"); cut {
			name, negated = plain, !negated
		}
		if key, value, some := strings.Cut(name, "!="); some {
			name, negated = key+"="+value, !negated
		}
	}
	t.pos += n
	set, ok := property(name)
	if !ok {
		return nil, t.bad("Unicode property not found: "+name, "general categories (L, Lu, Nd), scripts (Greek) and properties such as Alphabetic are known")
	}
	if negated {
		set = not(set)
	}
	return set, nil
}
