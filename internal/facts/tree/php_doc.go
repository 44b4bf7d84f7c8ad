package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/wordset"
)

// phpDoc is a doc comment, whose tags say types. A nil one says nothing.
type phpDoc struct {
	w    *walk
	tags []phpTag
}

// phpTag is a tag with the text behind it, on its line.
type phpTag struct {
	name string
	text string
	at   uint32 // of text
}

// phpDocOf reads the doc comment of a symbol, nil where it has none.
func phpDocOf(w *walk, symbol int32) *phpDoc {
	y := &w.symbols[symbol]
	return readPHPDoc(w, y.DocStart, y.DocEnd)
}

// phpDocAt reads the doc comment right above a byte, nil where there is none.
func phpDocAt(w *walk, at uint32) *phpDoc {
	i, found := slices.BinarySearchFunc(w.comments, at, func(s span, at uint32) int { return int(int64(s.end) - int64(at)) })
	if !found {
		i--
	}
	if i < 0 || !w.adjoins(w.comments[i].end, at) {
		return nil
	}
	return readPHPDoc(w, w.comments[i].start, w.comments[i].end)
}

func readPHPDoc(w *walk, start, end uint32) *phpDoc {
	if !strings.HasPrefix(w.src[start:end], "/**") {
		return nil
	}
	d := &phpDoc{w: w}
	at := start + 3
	for line := range strings.Lines(strings.TrimSuffix(w.src[at:end], "*/")) {
		said := strings.TrimLeft(line, " \t*")
		if strings.HasPrefix(said, "@") {
			name, rest, _ := strings.Cut(said, " ")
			rest = strings.TrimLeft(rest, " \t")
			name = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(name), "@phpstan-"), "@psalm-")
			d.tags = append(d.tags, phpTag{"@" + strings.TrimPrefix(name, "@"), strings.TrimRight(rest, " \t\r\n"), at + uint32(len(line)-len(rest))})
		}
		at += uint32(len(line))
	}
	return d
}

// cut cuts the type that a tag begins with from what stands behind it.
func (t phpTag) cut() (typ, rest string) {
	depth := 0
	for i := 0; i < len(t.text); i++ {
		switch c := t.text[i]; {
		case strings.IndexByte("<({[", c) >= 0:
			depth++
		case strings.IndexByte(">)}]", c) >= 0:
			depth--
		case depth == 0 && (c == ' ' || c == '\t' || c == '$'):
			return t.text[:i], strings.TrimLeft(t.text[i:], " \t")
		}
	}
	return t.text, ""
}

// typeOf is the value that a tag says a variable has, or the tag itself where the
// variable is empty; None where it says nothing.
func (d *phpDoc) typeOf(tag, variable string) int32 {
	if d == nil {
		return facts.None
	}
	found := int32(facts.None)
	for _, t := range d.tags {
		if t.name != tag {
			continue
		}
		typ, rest := t.cut()
		named, _, _ := strings.Cut(strings.TrimLeft(rest, "&."), " ")
		if variable == "" || named == variable {
			if v := d.read(typ, t.at); v >= 0 {
				found = v
			}
		}
	}
	return found
}

func (d *phpDoc) returned() int32 { return d.typeOf("@return", "") }

// variables are the values that variables are said to have.
func (d *phpDoc) variables() map[string]int32 {
	if d == nil {
		return nil
	}
	all := map[string]int32{}
	for _, t := range d.tags {
		typ, rest := t.cut()
		if name, _, _ := strings.Cut(rest, " "); t.name == "@var" && strings.HasPrefix(name, "$") {
			if v := d.read(typ, t.at); v >= 0 {
				all[name] = v
			}
		}
	}
	return all
}

// phpTemplate is a name that @template gives a type, and a value of the type that it
// is said to be of, or None.
type phpTemplate struct {
	name  string
	bound int32
}

// template notes the names that @template gives types.
func (d *phpDoc) template() {
	if d == nil {
		return
	}
	state := d.w.php()
	for _, t := range d.tags {
		if !strings.HasPrefix(t.name, "@template") {
			continue
		}
		name, rest := t.cut()
		one := phpTemplate{name, facts.None}
		if bound, ok := strings.CutPrefix(rest, "of "); ok {
			behind := phpTag{t.name, bound, t.at + uint32(len(t.text)-len(bound))}
			typ, _ := behind.cut()
			one.bound = d.read(typ, behind.at)
		}
		state.templates = append(slices.Clip(state.templates), one)
	}
}

// refine is the value that is written, or what a comment says of it where that is more.
func (d *phpDoc) refine(written, said int32) int32 {
	if d == nil || said < 0 {
		return written
	}
	if written < 0 || d.w.literalKind(written) == facts.LiteralList {
		return said
	}
	if inner := d.w.exprs[said]; inner.Op == facts.OpValue && d.w.exprs[inner.X].Op == facts.OpApply {
		return said
	}
	return written
}

// phpMagic declares what @property and @method say that a class has.
func phpMagic(w *walk, class int32, d *phpDoc) {
	if d == nil {
		return
	}
	for _, t := range d.tags {
		switch {
		case t.name == "@property" || t.name == "@property-read" || t.name == "@property-write":
			typ, rest := t.cut()
			name, _, _ := strings.Cut(rest, " ")
			if bare := strings.TrimPrefix(name, "$"); bare != name {
				d.magic(class, t, bare, code.KindField, d.read(typ, t.at))
			}
		case t.name == "@method":
			d.method(class, t)
		}
	}
}

// method declares the method of @method [static] Type name(...).
func (d *phpDoc) method(class int32, t phpTag) {
	if rest, ok := strings.CutPrefix(t.text, "static "); ok {
		t = phpTag{t.name, rest, t.at + uint32(len(t.text)-len(rest))}
	}
	before, _, ok := strings.Cut(t.text, "(")
	i := strings.LastIndexAny(before, " \t")
	if !ok || !phpIsName(before[i+1:]) {
		return
	}
	result := int32(facts.None)
	if i > 0 {
		result = d.read(strings.TrimSpace(before[:i]), t.at)
	}
	y := d.magic(class, t, before[i+1:], code.KindMethod, result)
	d.w.symbols[y].MaxArgs = facts.ManyArgs
}

// magic declares a member that a comment names. It stands before its class, which
// owns it by name.
func (d *phpDoc) magic(class int32, t phpTag, name string, kind code.Kind, typ int32) int32 {
	i := strings.Index(t.text, name)
	for i > 0 && i+len(name) < len(t.text) && (phpIsName(t.text[i-1:i]) || phpIsName(t.text[i+len(name):i+len(name)+1])) {
		next := strings.Index(t.text[i+1:], name)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	at := t.at + uint32(max(i, 0))
	w := d.w
	y := w.symbolAt(name, at, t.at, t.at+uint32(len(t.text)), kind, facts.Exported)
	w.symbols[y].Parent, w.symbols[y].Owner, w.symbols[y].Type = facts.None, w.symbols[class].Name, typ
	return y
}

// phpIsName reports whether a text is a name of PHP without a namespace.
func phpIsName(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

// maxDocType bounds the bytes of a type in a comment.
const maxDocType = 500

// read is a value of the type that a text at a byte writes; None where that says
// nothing.
func (d *phpDoc) read(typ string, at uint32) int32 {
	if len(typ) > maxDocType {
		return facts.None
	}
	r := phpDocType{d.w, typ, at}
	return r.union(0, len(typ))
}

// phpDocType reads a type in a comment.
type phpDocType struct {
	w    *walk
	text string
	at   uint32
}

// parts cuts text[from:to] at separators outside of brackets.
func (r *phpDocType) parts(from, to int, separators string) (all []span) {
	depth, start := 0, from
	for i := from; i < to; i++ {
		switch c := r.text[i]; {
		case strings.IndexByte("<({[", c) >= 0:
			depth++
		case strings.IndexByte(">)}]", c) >= 0:
			depth--
		case depth == 0 && strings.IndexByte(separators, c) >= 0:
			all = append(all, span{uint32(start), uint32(i)})
			start = i + 1
		}
	}
	return append(all, span{uint32(start), uint32(to)})
}

// union reads A|B and A&B.
func (r *phpDocType) union(from, to int) int32 {
	either := int32(facts.None)
	for _, p := range r.parts(from, to, "|&") {
		if v := r.one(int(p.start), int(p.end)); v >= 0 {
			either = r.w.union(either, v)
		}
	}
	return either
}

// one reads a type that is no union.
func (r *phpDocType) one(from, to int) int32 {
	for from < to && strings.IndexByte(" \t?", r.text[from]) >= 0 {
		from++
	}
	for to > from && r.text[to-1] == ' ' {
		to--
	}
	switch text := r.text[from:to]; {
	case text == "" || strings.ContainsAny(text, "{:'\""):
		return facts.None
	case strings.HasSuffix(text, "[]"):
		return r.list(r.one(from, to-2))
	case strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")"):
		return r.union(from+1, to-1)
	case strings.HasSuffix(text, ">") && strings.Contains(text, "<"):
		return r.generic(from, to)
	case text == "$this":
		return thisValue(r.w, 0)
	}
	return r.w.value(r.name(from, to))
}

func (r *phpDocType) list(element int32) int32 {
	return r.w.expr(facts.OpLiteral, facts.LiteralList, element)
}

// generic reads array<K, V> and A<B>.
func (r *phpDocType) generic(from, to int) int32 {
	open := from + strings.IndexByte(r.text[from:to], '<')
	var arguments []int32
	for _, p := range r.parts(open+1, to-1, ",") {
		arguments = append(arguments, r.union(int(p.start), int(p.end)))
	}
	switch name := strings.ToLower(r.text[from:open]); {
	case strings.HasSuffix(name, "array") || strings.HasSuffix(name, "list") || name == "iterable":
		return r.list(arguments[len(arguments)-1])
	case strings.Contains(name, "-") || name == "int":
		return facts.None
	}
	base := r.name(from, open)
	if base < 0 || r.w.exprs[base].Op != facts.OpUse {
		return r.w.value(base)
	}
	return r.w.value(r.w.expr(facts.OpApply, base, r.w.tuple(arguments)))
}

// phpDocWords are the types that are no classes.
var phpDocWords = wordset.Of("mixed void never null object callable resource scalar numeric iterable true false self static parent array list string int integer float double bool boolean " +
	"key-of value-of callable-string class-string numeric-string non-empty-string literal-string array-key positive-int negative-int no-return never-return closed-resource trait-string")

// name reads a name.
func (r *phpDocType) name(from, to int) int32 {
	w, text := r.w, r.text[from:to]
	switch strings.ToLower(text) {
	case "self", "static":
		if w.this.symbol < 0 || w.this.op != facts.OpThis {
			return facts.None
		}
		if strings.ToLower(text) == "static" {
			return thisValue(w, 0)
		}
		return w.expr(facts.OpSymbol, w.this.symbol, 0)
	case "string":
		return w.literal(facts.LiteralString)
	case "int", "integer", "float", "double":
		return w.literal(facts.LiteralNumber)
	case "bool", "boolean", "true", "false":
		return w.literal(facts.LiteralBool)
	case "array", "list", "iterable":
		return w.literal(facts.LiteralList)
	}
	last := strings.LastIndexByte(text, '\\') + 1
	if i := slices.IndexFunc(w.php().templates, func(t phpTemplate) bool { return t.name == text }); i >= 0 {
		return w.php().templates[i].bound
	}
	if phpDocWords[strings.ToLower(text)] || !phpIsName(text[last:]) {
		return facts.None
	}
	at := r.at + uint32(from+last)
	if last == 0 {
		return w.useIn(w.top(), text, at, facts.RoleType, facts.None)
	}
	w.imports = append(w.imports, facts.Import{Module: phpAbsolute(w, strings.TrimSuffix(text[:last], `\`)), Name: text[last:], Place: facts.Place{At: at}, In: facts.None})
	u := w.add(text[last:], at, facts.RoleType, facts.None)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, int32(len(w.imports)-1)
	return w.expr(facts.OpUse, u, 0)
}
