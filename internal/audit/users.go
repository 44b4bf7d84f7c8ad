package audit

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/lang"
	"espy/internal/locate"
	"espy/internal/outline"
	"espy/internal/resolve/corpus"
)

// isWithin reports whether a symbol of a file is a declaration of a candidate, or
// stands in one, or is a member of it: what these use does not count.
func (d *dead) isWithin(c *candidate, f corpus.FileID, in int32) bool {
	for ; in != facts.None; in = d.ask.Symbol(corpus.Ref{File: f, Index: in}).Parent {
		at := corpus.Ref{File: f, Index: in}
		if slices.Contains(c.group, at) {
			return true
		}
		if s := d.ask.Symbol(at); s.Owner == c.name && d.ask.Corpus.Folder(f) == d.ask.Corpus.Folder(c.File) {
			return true
		}
	}
	return false
}

// maxUses bounds the uses of a name that are looked at; a name of more is used.
const maxUses = 2000

// users finds who uses a candidate, or may: it is open where that is not known.
func (d *dead) users(c *candidate) {
	if d.ask.UsesUpTo(c.name, maxUses+1) > maxUses {
		c.open = true
		return
	}
	for _, ref := range d.ask.References(c.group) {
		if ref.Use == facts.None { // it overrides something, or is overridden
			c.open = true
			return
		}
		in := d.ask.Use(ref.File, int(ref.Use)).In
		if d.isWithin(c, ref.File, in) {
			continue
		}
		if in == facts.None || d.isLasting(ref.File, in) {
			c.open = true
			return
		}
		c.by = append(c.by, user{ref.File, in})
	}
	c.open = d.unresolved(c)
}

// isLasting reports whether what a symbol uses is used though nothing may use the symbol:
// it can be no candidate, or its value is worked out where the program starts.
func (d *dead) isLasting(f corpus.FileID, in int32) bool {
	s := d.ask.Symbol(corpus.Ref{File: f, Index: in})
	if !d.judges(f) || s.Flags&facts.Exported != 0 {
		return true
	}
	family := d.ask.Corpus.Family(f)
	computed := family == corpus.Script || family == corpus.Python || family == corpus.Ruby
	return s.Flags&facts.Local == 0 && (s.Kind == code.KindVar || s.Kind == code.KindConst && computed)
}

// unresolved reports whether a use of the name, where the candidate is known, means
// nothing that is known: in its file, of Go in its package, as of a value of an interface
// without a name.
func (d *dead) unresolved(c *candidate) bool {
	for _, r := range d.ask.UsesOf(c.name) {
		if r.File != c.File && (d.ask.Corpus.Family(r.File) != corpus.Go || d.ask.Corpus.Folder(r.File) != d.ask.Corpus.Folder(c.File)) {
			continue
		}
		u := d.ask.Use(r.File, int(r.Index))
		if !d.isWithin(c, r.File, u.In) && u.Role != facts.RoleWrite && len(d.ask.Define(r.File, int(r.Index))) == 0 {
			return true
		}
	}
	return false
}

// confirm asks again who uses the candidates that are gone, each with a question of
// its own: what one has looked up of modules that import each other is not all there is.
func (d *dead) confirm() error {
	var left []candidate
	for _, c := range d.candidates {
		if d.gone[c.Ref] {
			c.by = nil
			err := d.anew(func(a *locate.Ask) error {
				auditor := *d.auditor
				auditor.ask = a
				(&dead{auditor: &auditor, graph: d.graph}).users(&c)
				return nil
			})
			if err != nil {
				return err
			}
		}
		if !c.open {
			left = append(left, c)
		}
	}
	d.candidates = left
	clear(d.gone)
	return nil
}

// settle takes those candidates to be gone that nothing uses but others that are:
// all of them at first, less those that something else uses, until that is so.
func (d *dead) settle() {
	for i := range d.candidates {
		d.gone[d.candidates[i].Ref] = true
	}
	for kept := true; kept; {
		kept = false
		for i := range d.candidates {
			c := &d.candidates[i]
			if d.gone[c.Ref] && slices.ContainsFunc(c.by, func(u user) bool { return !d.isGone(u) }) {
				delete(d.gone, c.Ref)
				kept = true
			}
		}
	}
}

func (d *dead) isGone(u user) bool { return d.goneAt(u).File != facts.None }

// goneAt is the innermost of the candidates that are gone that holds a user; its file is
// none where there is none.
func (d *dead) goneAt(u user) corpus.Ref {
	for in := u.in; in != facts.None; {
		at := corpus.Ref{File: u.file, Index: in}
		if d.gone[at] {
			return at
		}
		in = d.ask.Symbol(at).Parent
	}
	return corpus.Ref{File: facts.None}
}

// benign are annotations that call nothing and keep nothing.
var benign = []string{"staticmethod", "classmethod", "property", "functools.", "Deprecated", "Nullable", "NonNull", "Nonnull", "CheckReturnValue", "VisibleForTesting", "inline", "must_use", "derive", "cold", "doc"}

// isKnown reports whether something that the facts do not show may use a symbol: an
// annotation, a directive in its documentation, or an export without its name.
func (d *dead) isKnown(r corpus.Ref) (bool, error) {
	s := d.ask.File(r.File).Symbol(int(r.Index))
	lead, err := d.ask.Cut(r.File, s.Start, max(s.SigStart, s.At))
	if err != nil || isKnownElsewhere(lead) {
		return true, err
	}
	doc, err := d.ask.Cut(r.File, s.DocStart, s.DocEnd)
	if err != nil || strings.Contains(doc, "//export ") || strings.Contains(doc, "//go:") {
		return true, err
	}
	line, err := d.ask.Line(r.File, s.At)
	if err != nil || d.ask.Corpus.Family(r.File) == corpus.Script && strings.Contains(line, "export default") {
		return true, err
	}
	return s.Kind == code.KindConst && d.ask.Corpus.Family(r.File) == corpus.Go && isListed(line), nil
}

// isListed reports whether a line declares a constant of Go in a list: there it may
// keep the place of others, and be there for the sake of completeness.
func isListed(line string) bool { return !strings.HasPrefix(strings.TrimSpace(line), "const ") }

// finding describes a symbol that is unused.
func (d *dead) finding(r corpus.Ref) (f Finding, err error) {
	s := d.ask.File(r.File).Symbol(int(r.Index))
	f = Finding{
		Report: Unused, Path: d.ask.Corpus.Path(r.File), Line: int(s.Line), EndLine: int(s.EndLine), ID: d.ask.ID(r), Kind: s.Kind.String(),
		Reason: "no use in the repository", Confidence: d.confidence(r, &s),
	}
	if i := slices.IndexFunc(d.candidates, func(c candidate) bool { return c.Ref == r }); len(d.candidates[i].by) > 0 {
		f.Reason = "used only by what is unused itself"
	}
	if d.looksUp(r) {
		f.Confidence, f.Reason = facts.Possible, f.Reason+"; its type takes members by names that are made at run time"
		return f, nil
	}
	if part := d.pasted(r.File, s.Name); part != "" {
		f.Confidence, f.Reason = facts.Possible, f.Reason+"; a macro is given "+part+", a part of its name"
		return f, nil
	}
	err = d.mention(r, &s, &f)
	return f, err
}

// maxGiven bounds the bytes of what a macro is given.
const maxGiven = 400

// givenToMacros are the words that calls of macros at the beginning of lines are given, as
// G_DEFINE_TYPE(Type, type, PARENT): such macros put names together.
func givenToMacros(text string) map[string]bool {
	given := map[string]bool{}
	for at := 0; at < len(text); at += len(lineOf(text[at:])) {
		name, _, ok := strings.Cut(lineOf(text[at:]), "(")
		if !ok || strings.Trim(strings.TrimSpace(name), "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
			continue
		}
		from := at + len(name) + 1
		list, _, _ := strings.Cut(text[from:min(len(text), from+maxGiven)], ")")
		for word := range strings.SplitSeq(list, ",") {
			given[strings.TrimSpace(word)] = true
		}
	}
	return given
}

// lineOf is the first line of a text, with its end.
func lineOf(text string) string {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return text
}

// pasted is a part of a name in C that a macro at the top of its file is given, which may name it
// by that: of type_init the word type. It is empty where there is none.
func (d *dead) pasted(f corpus.FileID, name string) string {
	if d.ask.Corpus.Family(f) != corpus.C {
		return ""
	}
	given, ok := d.given[f]
	if !ok {
		if text, err := d.ask.Text(f); err == nil { // else nothing is known of it
			given = givenToMacros(string(text))
		}
		d.given[f] = given
	}
	for i := range name {
		if name[i] != '_' {
			continue
		}
		for _, part := range []string{name[:i], name[i+1:]} {
			if part != "" && given[part] {
				return part
			}
		}
	}
	return ""
}

// looksUp reports whether the type of a member takes members of its own by computed names, as
// this[name] does.
func (d *dead) looksUp(member corpus.Ref) bool {
	file, typ := d.ask.File(member.File), d.ask.Symbol(member).Parent
	if typ == facts.None {
		return false
	}
	for i := range file.ExprsOf(facts.OpElem) {
		x := file.Expr(i)
		if on := file.Expr(int(x.X)); x.Y == 0 && on.Op == facts.OpThis && (on.X == typ || d.ask.Symbol(corpus.Ref{File: member.File, Index: on.X}).Parent == typ) {
			return true
		}
	}
	return false
}

// isKnownElsewhere reports whether what stands before a declaration has an
// annotation by which something may find it, or that says it is unused.
func isKnownElsewhere(lead string) bool {
	for line := range strings.Lines(lead) {
		line = strings.TrimSpace(line)
		text := strings.TrimLeft(line, "@#![")
		if text == line || strings.HasPrefix(line, "#include") || strings.HasPrefix(line, "#define") {
			continue
		}
		if !slices.ContainsFunc(benign, func(b string) bool { return strings.HasPrefix(text, b) }) {
			return true
		}
	}
	return false
}

// confidence says how sure it is that nothing uses a symbol.
func (d *dead) confidence(r corpus.Ref, s *facts.Symbol) facts.Confidence {
	switch d.ask.Corpus.Family(r.File) {
	case corpus.Python, corpus.PHP:
		if !corpus.AtTop(s) {
			return facts.Possible
		}
		return facts.Likely
	case corpus.Script:
		if !corpus.AtTop(s) || s.Flags&facts.Exported != 0 {
			return facts.Likely
		}
	}
	if s.Flags&facts.Exported != 0 {
		return facts.Likely
	}
	return facts.Certain
}

// mention lowers the confidence in a finding whose name stands in a string, in code
// that the grammar does not show, or in a file that was not parsed: it may be used there.
func (d *dead) mention(r corpus.Ref, s *facts.Symbol, f *Finding) error {
	var failed error
	err := d.ask.Corpus.Mentions(s.Name, func(in corpus.FileID, at uint32) bool {
		switch {
		case in == r.File && at >= s.Start && at < s.End:
			return true
		case d.isUnknownMember(r.File, in, at):
			f.Confidence, f.Reason = facts.Possible, f.Reason+"; a value that is not known has a member of its name in "+d.ask.Corpus.Path(in)
			return false
		case d.isDeclared(in, at):
			return true
		}
		where, err := d.standsIn(in, at)
		if err != nil {
			failed = err
			return false
		}
		if where != "" {
			f.Confidence, f.Reason = facts.Possible, f.Reason+"; its name stands in "+fmt.Sprintf(where, d.ask.Corpus.Path(in))
		}
		return where == ""
	})
	if failed != nil {
		return failed
	}
	return err
}

// isUnknownMember reports whether a place names a member of a value that is not known,
// which may be a module, in a language where modules are values.
func (d *dead) isUnknownMember(of, in corpus.FileID, at uint32) bool {
	if family := d.ask.Corpus.Family(of); family != corpus.Python && family != corpus.Script || d.ask.Corpus.Family(in) != family {
		return false
	}
	file := d.ask.File(in)
	i := file.UseAt(at)
	if i == facts.None {
		return false
	}
	bind, _ := file.UseBind(i)
	return bind == facts.BindMember && len(d.ask.Define(in, i)) == 0
}

// isDeclared reports whether the facts of a file show a name at a place.
func (d *dead) isDeclared(f corpus.FileID, at uint32) bool {
	file := d.ask.File(f)
	return file.UseAt(at) != facts.None || file.SymbolAt(at) != facts.None
}

// standsIn says what a place that no fact shows is, a format for the path of its file; empty
// where it cannot be a use.
func (d *dead) standsIn(f corpus.FileID, at uint32) (string, error) {
	language := d.ask.Corpus.Language(f)
	switch {
	case d.isProse(f), language != "" && !lang.IsCode(language) && !isConfiguration(language):
		return "", nil
	case language == "":
		return "%s, which is of no known language", nil
	}
	text, err := d.ask.Text(f)
	if err != nil {
		return "", err
	}
	l, _ := lang.ByName(language)
	for _, q := range outline.Quiet(l, text) {
		if int(at) < q.Start {
			break
		}
		if int(at) < q.End {
			if q.Comment {
				return "", nil
			}
			return "a string of %s", nil
		}
	}
	if d.ask.Corpus.Family(f) == corpus.NoFamily {
		return "%s, which has no grammar here", nil
	}
	return "code of %s that its grammar does not show", nil
}

// isConfiguration reports whether a language holds settings, which may name code.
func isConfiguration(language string) bool {
	return slices.Contains([]string{"yaml", "toml", "json", "ini", "xml", "properties"}, language)
}

// isProse reports whether a file is documentation, or made by a program.
func (d *dead) isProse(f corpus.FileID) bool {
	return d.ask.Corpus.Class(f)&(code.ClassDocs|code.ClassMinified|code.ClassLock) != 0
}
