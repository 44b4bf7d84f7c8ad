package rust

import (
	"regexp"
	"strings"

	"espy/internal/pattern"
	"espy/internal/usage"
)

// FromPerl writes an expression of PCRE2 as Rust's regex crate reads it, where it means
// the same there: what both have, and \h, \e, \Q...\E, (?<name>...), braces and brackets
// that stand for themselves. The error, a *usage.Error, names what is PCRE2's alone:
// look-around, references to groups, atomic groups, possessive repetition and the like.
// The syntax is that of pcre2pattern(3).
func FromPerl(expression string) (string, error) {
	p := &perlReader{in: expression}
	if what := p.read(); what != "" {
		return "", &usage.Error{Arg: "pattern", Value: usage.Shorten(expression, 200), Msg: what + " is PCRE2's alone", Hint: "rg -P has it"}
	}
	return p.out.String(), nil
}

// perlReader reads an expression of PCRE2.
type perlReader struct {
	in  string // what is left of it
	out strings.Builder
}

// Pieces of an expression.
var (
	perlRepeat = pattern.New(`\A(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})`)
	perlFlags  = pattern.New(`\A\(\?[ism]*(?:-[ism]+)?[:)]`)
	perlName   = pattern.New(`\A\(\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')`)
	perlWord   = pattern.New(`\A\[:(\^?[a-z]+):\]`)
	perlBraced = pattern.New(`\A\\[pPx]\{[^}]*\}`)
)

// perlWords are the classes with names, which are those of Unicode.
var perlWords = map[string]string{
	"digit": `\p{Nd}`, "^digit": `\P{Nd}`, "alpha": `\p{L}`, "^alpha": `\P{L}`, "lower": `\p{Ll}`, "^lower": `\P{Ll}`, "upper": `\p{Lu}`, "^upper": `\P{Lu}`,
	"alnum": `\p{L}\p{N}`, "space": `\s`, "^space": `\S`, "word": `\w`, "^word": `\W`, "blank": blanksAcross, "xdigit": `0-9A-Fa-f`, "cntrl": `\p{Cc}`,
}

// blanksAcross are what \h stands for: blanks within a line.
const blanksAcross = `\t\x{20}\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}`

// take moves the next n bytes to what is written.
func (p *perlReader) take(n int) {
	p.out.WriteString(p.in[:n])
	p.in = p.in[n:]
}

// put writes a text in the place of the next n bytes.
func (p *perlReader) put(n int, text string) {
	p.out.WriteString(text)
	p.in = p.in[n:]
}

// read writes the whole expression, or says what PCRE2 alone has.
func (p *perlReader) read() (what string) {
	atom := false // something stands before that may be repeated
	for p.in != "" && what == "" {
		repeat := perlRepeat().FindString(p.in)
		switch c := p.in[0]; {
		case repeat != "" && !atom:
			return "repetition of nothing"
		case repeat != "":
			p.take(len(repeat))
			if strings.HasPrefix(p.in, "?") {
				p.take(1)
			}
			if strings.HasPrefix(p.in, "+") {
				return "possessive repetition"
			}
			atom = false
			continue
		case c == '\\':
			what = p.escape(false)
		case c == '[':
			what = p.class()
		case c == '(':
			what = p.group()
			atom = false
			continue
		case strings.HasPrefix(p.in, "{,"):
			return "{,"
		case c == '{' || c == '}' || c == ']':
			p.put(1, `\`+string(c))
		default:
			p.take(1)
			atom = c != '|'
			continue
		}
		atom = true
	}
	return what
}

// group writes the start of a group.
func (p *perlReader) group() (what string) {
	if name := perlName().FindStringSubmatch(p.in); name != nil {
		p.put(len(name[0]), "(?P<"+name[1]+name[2]+">")
		return ""
	}
	if flags := perlFlags().FindString(p.in); flags != "" {
		p.take(len(flags))
		return ""
	}
	if strings.HasPrefix(p.in, "(?") || strings.HasPrefix(p.in, "(*") {
		return p.in[:min(len(p.in), 4)]
	}
	p.take(1)
	return ""
}

// class writes a class in brackets. Signs that Rust gives a meaning within brackets, and
// PCRE2 does not, stand for themselves.
func (p *perlReader) class() (what string) {
	p.take(1)
	if strings.HasPrefix(p.in, "^") {
		p.take(1)
	}
	if strings.HasPrefix(p.in, "]") {
		p.put(1, `\]`)
	}
	for p.in != "" && p.in[0] != ']' {
		switch c := p.in[0]; {
		case c == '\\':
			if what = p.escape(true); what != "" {
				return what
			}
		case perlWord().MatchString(p.in):
			m := perlWord().FindStringSubmatch(p.in)
			if perlWords[m[1]] == "" {
				return m[0]
			}
			p.put(len(m[0]), perlWords[m[1]])
		case strings.HasPrefix(p.in, "[.") || strings.HasPrefix(p.in, "[=") || strings.HasPrefix(p.in, "--"):
			return p.in[:2] + " in a class"
		case c == '[' || c == '&' || c == '~':
			p.put(1, `\`+string(c))
		default:
			p.take(1)
		}
	}
	if p.in != "" {
		p.take(1)
	}
	return ""
}

// escape writes what stands behind a backslash.
func (p *perlReader) escape(class bool) (what string) {
	if len(p.in) < 2 {
		p.take(1)
		return ""
	}
	switch braced := perlBraced().FindString(p.in); {
	case braced == "":
	case class || braced[1] == 'x':
		p.take(len(braced))
		return ""
	default: // properties heed case
		p.put(len(braced), "(?-i:"+braced+")")
		return ""
	}
	switch c := p.in[1]; {
	case c == 'Q':
		text, rest, _ := strings.Cut(p.in[2:], `\E`)
		p.put(len(p.in), regexp.QuoteMeta(text))
		p.in = rest
	case c == 'E':
		p.put(2, "")
	case c == 'e':
		p.put(2, `\x1B`)
	case c == 'h' && class:
		p.put(2, blanksAcross)
	case c == 'h':
		p.put(2, "["+blanksAcross+"]")
	case c == 'H' && !class:
		p.put(2, "[^"+blanksAcross+"]")
	case c == 'b' && class:
		p.put(2, `\x08`)
	case c == '0' && (len(p.in) == 2 || p.in[2] < '0' || p.in[2] > '9'):
		p.put(2, `\x00`)
	case strings.IndexByte("afnrtdDwWsSxpP", c) >= 0, !class && strings.IndexByte("bBAz", c) >= 0:
		p.take(2)
	case c == '_' || c >= 0x80 || c == '<' || c == '>':
		p.put(1, "") // the sign stands for itself
		if c < 0x80 {
			p.take(1)
		}
	case '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z':
		return `\` + string(c)
	default:
		p.take(2)
	}
	return ""
}
