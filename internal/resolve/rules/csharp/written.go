package csharp

import (
	"strings"

	"espy/internal/wordset"
)

// written is a type as a parameter names it: Dictionary<string, int>[] is a name,
// two arguments and a suffix.
type written struct {
	name   string // without its namespace, by its keyword where there is one
	by     string // ref, out or in
	suffix string // of arrays, pointers and values that may be null
	args   []written
}

// taken is what a method takes, and the type parameters that its text knows.
type taken struct {
	params []written
	own    map[string]int  // those of the method, by their place
	around map[string]bool // those of the types that it stands in
}

// comparison is of what two methods take.
type comparison struct {
	of, other taken
	isValue   func(name string) bool // whether values of a type are never null
}

// alike reports whether two types that the methods take may be the same.
func (c *comparison) alike(x, y written) bool {
	of, other := c.of, c.other
	if x.by != y.by {
		return false
	}
	if of.around[x.name] || other.around[y.name] {
		return true
	}
	i, own := of.own[x.name]
	j, also := other.own[y.name]
	if own != also || i != j || !own && x.name != y.name || len(x.args) != len(y.args) {
		return false
	}
	a, b := x.suffix, y.suffix
	if !c.isValue(x.name) { // of others it says what they may hold, not what they are
		a, b = strings.ReplaceAll(a, "?", ""), strings.ReplaceAll(b, "?", "")
	}
	if a != b {
		return false
	}
	for k := range x.args {
		if !c.alike(x.args[k], y.args[k]) {
			return false
		}
	}
	return true
}

var values = wordset.Of("bool byte sbyte char short ushort int uint long ulong float double decimal nint nuint Guid DateTime DateTimeOffset TimeSpan DateOnly TimeOnly " +
	"CancellationToken BigInteger Index Range KeyValuePair ValueTask Memory ReadOnlyMemory Span ReadOnlySpan")

// keywords are the types of System that have one.
var keywords = map[string]string{
	"Boolean": "bool", "Byte": "byte", "SByte": "sbyte", "Char": "char", "Int16": "short", "UInt16": "ushort", "Int32": "int", "UInt32": "uint",
	"Int64": "long", "UInt64": "ulong", "Single": "float", "Double": "double", "Decimal": "decimal", "String": "string", "Object": "object",
}

// parameters are the types of the parameters of a method, of which the text begins
// with its name.
func parameters(text string) (all []written) {
	p := &parser{text: text}
	p.word()
	p.arguments(&written{name: "method"})
	if p.blank(); !strings.HasPrefix(p.text, "(") {
		return nil
	}
	for p.text != "" && p.text[0] != ')' {
		p.text = p.text[1:]
		if p.blank(); strings.HasPrefix(p.text, ")") {
			break
		}
		p.attributes()
		all = append(all, p.typ())
		p.skip(",") // its name, and the value that it has without an argument
	}
	return all
}

type parser struct{ text string }

func (p *parser) blank() { p.text = strings.TrimLeft(p.text, " \t\r\n") }

// attributes skips what stands in brackets before a parameter.
func (p *parser) attributes() {
	for p.blank(); strings.HasPrefix(p.text, "["); p.blank() {
		p.text = p.text[1:]
		p.skip("")
		p.text = strings.TrimPrefix(p.text, "]")
	}
}

// skip skips what stands before a bracket that closes another one, or before one of
// the bytes of stop that no brackets and quotes are round.
func (p *parser) skip(stop string) {
	depth, quote := 0, byte(0)
	for i := 0; i < len(p.text); i++ {
		switch b := p.text[i]; {
		case quote != 0:
			if b == '\\' {
				i++
			} else if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			quote = b
		case strings.IndexByte("([{", b) >= 0:
			depth++
		case depth == 0 && strings.IndexByte(stop+")]}", b) >= 0:
			p.text = p.text[i:]
			return
		case strings.IndexByte(")]}", b) >= 0:
			depth--
		}
	}
	p.text = ""
}

func (p *parser) typ() (t written) {
	for {
		switch w := p.word(); w {
		case "this", "params", "scoped", "readonly":
			continue
		case "ref", "out", "in":
			t.by = w
			continue
		default:
			t.name = w
		}
		break
	}
	for strings.HasPrefix(p.text, ".") || strings.HasPrefix(p.text, "::") {
		p.text = strings.TrimLeft(p.text, ".:")
		t.name, t.args = p.word(), nil
		p.arguments(&t)
	}
	p.arguments(&t)
	if k, ok := keywords[t.name]; ok {
		t.name = k
	}
	for p.blank(); p.text != "" && strings.IndexByte("?[],* ", p.text[0]) >= 0; p.text = p.text[1:] {
		if p.text[0] == ',' && !strings.HasSuffix(strings.TrimRight(t.suffix, ","), "[") {
			break
		}
		if p.text[0] != ' ' {
			t.suffix += p.text[:1]
		}
	}
	if t.name == "Nullable" && len(t.args) == 1 {
		t.args[0].suffix += "?"
		return t.args[0]
	}
	return t
}

// arguments reads those of a generic type, and the parts of a tuple.
func (p *parser) arguments(t *written) {
	end := map[string]string{"<": ">", "(": ")"}
	p.blank()
	if p.text == "" || end[p.text[:1]] == "" || p.text[0] == '(' && t.name != "" {
		return
	}
	for close := end[p.text[:1]]; p.text != "" && p.text[:1] != close; {
		p.text = p.text[1:]
		t.args = append(t.args, p.typ())
		p.word() // of a part of a tuple, its name
		p.blank()
		if p.text != "" && p.text[0] != ',' && p.text[:1] != close {
			p.text = ""
		}
	}
	if p.text != "" {
		p.text = p.text[1:]
	}
}

func (p *parser) word() string {
	p.blank()
	i := 0
	for i < len(p.text) && (p.text[i] == '_' || p.text[i] == '@' || p.text[i] >= 0x80 || p.text[i]|0x20 >= 'a' && p.text[i]|0x20 <= 'z' || p.text[i] >= '0' && p.text[i] <= '9') {
		i++
	}
	w := p.text[:i]
	p.text = p.text[i:]
	return w
}
