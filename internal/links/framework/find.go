package framework

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// finder applies rules to the files of one state of a repository.
type finder struct {
	*locate.Ask
	reader   *corpus.Reader
	imported map[importKey]bool
	prefixes *prefixes
	keysOf   map[Kind]map[string]bool // what is declared, once that is asked
	links    []Link
}

type importKey struct {
	file   corpus.FileID
	module string
}

func newFinder(a *locate.Ask) *finder {
	return &finder{Ask: a, reader: a.Corpus.Reader(), imported: map[importKey]bool{}}
}

// site is a place where a name of a rule stands.
type site struct {
	rule  *rule
	name  string
	file  corpus.FileID
	text  []byte
	at    int   // byte of the name
	in    int32 // the symbol that holds it; facts.None at the top
	list  []argument
	end   int // byte behind the arguments
	sure  bool
	chain string // what the name is a member of: os.environ of os.environ.get
}

// apply finds the links of one rule.
func (f *finder) apply(r *rule) error {
	switch r.shape {
	case stated:
		return f.eachStated(r)
	case lined:
		return f.eachLine(r)
	}
	return f.each(r, func(s *site) error {
		f.link(s)
		return nil
	})
}

// each calls yield for every site of a rule.
func (f *finder) each(r *rule, yield func(*site) error) error {
	for _, name := range r.names {
		if r.shape == assigned {
			if err := f.eachDeclared(r, name, yield); err != nil {
				return err
			}
		}
		for _, u := range f.reader.Uses(name) {
			if f.Late() {
				return nil
			}
			if f.Corpus.Family(u.File) != r.in {
				continue
			}
			use := f.Use(u.File, int(u.Index))
			s := &site{rule: r, name: name, file: u.File, at: int(use.At), in: use.In}
			if err := f.visit(s, yield); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachDeclared calls yield for the declarations of a name, such as that of a field.
func (f *finder) eachDeclared(r *rule, name string, yield func(*site) error) error {
	for _, d := range f.reader.Named(name) {
		if f.Corpus.Family(d.File) != r.in {
			continue
		}
		sym := f.Symbol(d)
		if err := f.visit(&site{rule: r, name: name, file: d.File, at: int(sym.At), in: sym.Parent}, yield); err != nil {
			return err
		}
	}
	return nil
}

// visit reads what stands round a name and calls yield where it is a site.
func (f *finder) visit(s *site, yield func(*site) error) error {
	s.sure = f.imports(s.file, s.rule.modules)
	if !s.sure && len(s.rule.modules) > 0 && !f.anywhere(s.rule) {
		return nil
	}
	text, err := f.Text(s.file)
	if err != nil || s.at+len(s.name) > len(text) {
		return err
	}
	s.text = text
	s.chain = chainBefore(text, s.at)
	if s.rule.of != "" && s.rule.of != lastOf(s.chain) {
		return nil
	}
	if f.shaped(s) {
		return yield(s)
	}
	return nil
}

// shaped reports whether a site has the shape of its rule, and reads its arguments.
func (f *finder) shaped(s *site) (ok bool) {
	behind := s.at + len(s.name)
	switch s.rule.shape {
	case called:
		s.list, s.end, ok = readArguments(s.text, behind, false)
		return ok && !isMark(s.text, s.at)
	case marking:
		s.end = behind
		s.list, s.end, _ = readArguments(s.text, behind, false)
		return isMark(s.text, s.at)
	case indexed:
		return f.index(s, behind)
	case assigned:
		return assign(s, behind)
	}
	return false
}

// index reads the key of environ["KEY"], env.KEY.
func (f *finder) index(s *site, behind int) (ok bool) {
	if behind < len(s.text) && s.text[behind] == '[' {
		s.list, s.end, ok = readArguments(s.text, behind, false)
		return ok
	}
	if behind+1 < len(s.text) && s.text[behind] == '.' {
		n := nameEnd(string(s.text[behind+1 : min(len(s.text), behind+200)]))
		name := string(s.text[behind+1 : behind+1+n])
		s.end = behind + 1 + n
		if n == 0 || name != strings.ToUpper(name) || s.end < len(s.text) && s.text[s.end] == '(' {
			return false
		}
		s.list = []argument{{from: behind + 1, to: s.end, text: `"` + name + `"`}}
		return true
	}
	return false
}

// assign reads the key of name = "key".
func assign(s *site, behind int) bool {
	end := lineEnd(s.text, behind, len(s.text))
	rest := string(s.text[behind:end])
	i := strings.Index(rest, "=")
	if i < 0 || strings.ContainsAny(rest[:i], "(){}.") {
		return false
	}
	s.list = addArgument(nil, s.text, behind+i+1, behind+len(strings.TrimRight(rest, " \t;,\r")))
	s.end = end
	return len(s.list) == 1
}

// isMark reports whether a name is that of a decorator, an annotation or an
// attribute.
func isMark(text []byte, at int) bool {
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	before := bytes.TrimSpace(text[start:at])
	for len(before) > 0 {
		last := before[len(before)-1]
		switch {
		case last == '@', last == '[' && len(before) > 1 && before[len(before)-2] == '#':
			return true
		case last == '.' || last == ':' || last == '_' || last >= 'a' && last <= 'z' || last >= 'A' && last <= 'Z' || last >= '0' && last <= '9':
			before = before[:len(before)-1]
		default:
			return false
		}
	}
	return false
}

// chainBefore is what a member is taken of: a.b of a.b.c, empty for a name alone.
func chainBefore(text []byte, at int) string {
	i := at
	for i > 0 {
		c := text[i-1]
		if c != '.' && c != ':' && c != '_' && c != '$' && !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			break
		}
		i--
	}
	return strings.TrimRight(string(text[i:at]), ".:")
}

// lastOf is the last part of a chain of members.
func lastOf(chain string) string {
	return chain[strings.LastIndexAny(chain, ".:")+1:]
}

// imports reports whether a file imports one of some modules, or something below
// one.
func (f *finder) imports(id corpus.FileID, modules []string) bool {
	for _, m := range modules {
		key := importKey{id, m}
		known, ok := f.imported[key]
		if !ok {
			known = f.importing(id, m)
			f.imported[key] = known
		}
		if known {
			return true
		}
	}
	return len(modules) == 0
}

func (f *finder) importing(id corpus.FileID, module string) bool {
	file := f.File(id)
	for i := range file.NumImports() {
		m := file.Import(i)
		if within(m.Module, module) || m.Name != "" && within(m.Module+"."+m.Name, module) || within(m.Name, module) {
			return true
		}
	}
	return false
}

// within reports whether a module is another or stands below it.
func within(module, other string) bool {
	rest, ok := strings.CutPrefix(module, other)
	return ok && (rest == "" || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "::"))
}

// anywhere reports whether any file of the family imports a module of a rule: the
// object that a route is added to may come from another file.
func (f *finder) anywhere(r *rule) bool {
	for _, m := range r.modules {
		key := importKey{corpus.FileID(-1 - int(r.in)), m}
		known, ok := f.imported[key]
		if !ok {
			for id := range f.Corpus.NumFiles() {
				if id := corpus.FileID(id); f.Corpus.Family(id) == r.in && f.importing(id, m) {
					known = true
					break
				}
			}
			f.imported[key] = known
		}
		if known {
			return true
		}
	}
	return false
}

// link adds the links of a site.
func (f *finder) link(s *site) {
	at := corpus.Ref{File: s.file, Index: s.in}
	base := Link{Kind: s.rule.kind, Role: s.rule.role, By: s.rule.by, At: at, Line: int(f.File(s.file).Line(uint32(s.at))), To: corpus.Ref{File: s.file, Index: facts.None}}
	to, reason, ok := f.target(s)
	if !ok {
		return
	}
	for _, key := range f.keys(s) {
		l := base
		l.Key, l.Reason = key.text, reason
		l.Confidence = key.confidence
		if !s.sure {
			l.Confidence = max(l.Confidence, facts.Likely)
		}
		if len(to) == 0 {
			f.links = append(f.links, l)
		}
		for _, m := range to {
			l.To, l.Confidence = m.Ref, max(l.Confidence, m.Confidence)
			f.links = append(f.links, l)
		}
	}
}

// key is a key as it is read at a site.
type key struct {
	text       string
	confidence facts.Confidence
}

// keys are the keys of a site.
func (f *finder) keys(s *site) (all []key) {
	arg, ok := argumentAt(s.list, s.rule.key)
	if s.rule.kind == Inject {
		return f.injected(s, arg)
	}
	values := []string{}
	confidence := facts.Certain
	switch {
	case ok:
		if v, filled, isText := literal(arg.text); isText {
			values = []string{v}
			if filled {
				confidence = facts.Likely
			}
		} else {
			values = literals(arg.text)
		}
	case s.rule.kind == Route && s.rule.shape == marking:
		values = []string{""}
	}
	for _, v := range values {
		if s.rule.kind == Setting {
			v = settingOf(v)
		}
		if s.rule.kind != Route {
			if v != "" {
				all = append(all, key{v, confidence})
			}
			continue
		}
		all = append(all, f.routes(s, v, confidence)...)
	}
	return all
}

// injected is the name of what is injected: that of a function in an argument,
// or those of the types that a marked type stands for.
func (f *finder) injected(s *site, a argument) (all []key) {
	if s.rule.shape == called {
		if uses := f.usesIn(s.file, a); len(uses) > 0 {
			return []key{{f.Use(s.file, uses[len(uses)-1]).Name, facts.Certain}}
		}
		return nil
	}
	d, ok := f.markedAt(s.file, s.at)
	if !ok || !f.Symbol(d).Kind.IsType() {
		return nil
	}
	all = []key{{f.Symbol(d).Name, facts.Certain}}
	for _, r := range f.Supertypes(d) {
		all = append(all, key{f.Symbol(r.Ref).Name, r.Confidence})
	}
	return all
}

// settingOf is the key in ${key:default}.
func settingOf(v string) string {
	if inner, ok := strings.CutPrefix(v, "${"); ok {
		inner, _, _ = strings.Cut(strings.TrimSuffix(inner, "}"), ":")
		return inner
	}
	return v
}

// argumentAt finds the argument at a position.
func argumentAt(list []argument, p position) (argument, bool) {
	if p.name != "" {
		for _, name := range strings.Split(p.name, "|") {
			if i := slices.IndexFunc(list, func(a argument) bool { return a.name == name }); i >= 0 {
				return list[i], true
			}
		}
	}
	plain := slices.DeleteFunc(slices.Clone(list), func(a argument) bool { return a.name != "" })
	i := p.index
	if i < 0 {
		i += len(plain)
	}
	if i < 0 || i >= len(plain) {
		return argument{}, false
	}
	return plain[i], true
}

// target finds what a site leads to; ok is false where the site is none, because
// what it must lead to is missing.
func (f *finder) target(s *site) (to []meant, reason string, ok bool) {
	switch s.rule.target {
	case itself, nothing:
		return nil, "", true
	case marked:
		d, found := f.markedAt(s.file, s.at)
		if !found {
			return nil, "", false
		}
		return []meant{{Ref: d}}, "marked with " + s.name, true
	case holder:
		d, found := f.typeAt(s)
		if !found {
			return nil, "", false
		}
		return []meant{{Ref: d}}, "", true
	case inArgument:
		arg, found := argumentAt(s.list, s.rule.handler)
		if !found {
			return nil, "", false
		}
		return f.function(s, arg)
	case named:
		arg, found := argumentAt(s.list, s.rule.handler)
		if !found {
			return nil, "", false
		}
		to = f.byName(s, arg)
		return to, "named by a text", len(to) > 0
	case file:
		arg, found := argumentAt(s.list, s.rule.handler)
		if !found {
			return nil, "", false
		}
		to = f.fileNamed(arg)
		return to, "a file of that name", true
	}
	return nil, "", false
}

// meant is a symbol with how certain it is meant.
type meant struct {
	corpus.Ref
	Confidence facts.Confidence
}

// function finds the function that an argument names or is: the last one that it
// names, which is the innermost where functions are wrapped. One that is written
// there belongs to the code that holds the place.
func (f *finder) function(s *site, a argument) (to []meant, reason string, ok bool) {
	if isInline(a.text) {
		return nil, "a function written in place", true
	}
	if included.MatchString(a.text) {
		return nil, "", false
	}
	if to := f.method(s, a); len(to) > 0 {
		return to, "", true
	}
	uses := f.usesIn(s.file, a)
	for _, u := range slices.Backward(uses) {
		if to := f.callable(s.file, u); len(to) > 0 {
			return to, "", true
		}
	}
	if len(uses) == 0 {
		return nil, "", false
	}
	name := f.Use(s.file, uses[len(uses)-1]).Name
	return nil, "handled by " + name + ", which no file declares", s.sure
}

// method finds the method that a list of a class and a name stands for:
// [Users::class, 'show'].
func (f *finder) method(s *site, a argument) (to []meant) {
	if !strings.HasPrefix(a.text, "[") {
		return nil
	}
	names := literals(a.text)
	if len(names) != 1 {
		return nil
	}
	for _, u := range f.usesIn(s.file, a) {
		for _, m := range f.Define(s.file, u) {
			for _, r := range f.Members(m.Ref, names[0]) {
				to = append(to, meant{r, m.Confidence})
			}
		}
	}
	return to[:min(len(to), 3)]
}

// usesIn are the uses in an argument.
func (f *finder) usesIn(id corpus.FileID, a argument) (uses []int) {
	file := f.File(id)
	for i := file.UsesFrom(uint32(a.from)); i < file.NumUses() && int(f.Use(id, i).At) < a.to; i++ {
		if f.Use(id, i).Name != "as_view" { // of Django: the view is the type
			uses = append(uses, i)
		}
	}
	return uses
}

// callable are the functions and types that a use may mean, at most three.
func (f *finder) callable(id corpus.FileID, use int) (to []meant) {
	all := f.Define(id, use)
	for _, m := range all {
		if m.Confidence > all[0].Confidence || len(to) == 3 {
			break
		}
		if k := f.Symbol(m.Ref).Kind; k.IsFunc() || k.IsType() && k != code.KindModule {
			to = append(to, meant{m.Ref, m.Confidence})
		}
	}
	return to
}

// isInline reports whether an argument is a function written in place.
func isInline(s string) bool {
	for _, begin := range []string{"func(", "func (", "function", "async ", "lambda", "async(", "|", "move |"} {
		if strings.HasPrefix(s, begin) {
			return true
		}
	}
	head := s[:min(len(s), 200)]
	return strings.Contains(head, "=>") && !strings.HasPrefix(head, "{")
}

// markedAt is the declaration that a decorator or an annotation at a byte marks.
func (f *finder) markedAt(id corpus.FileID, at int) (corpus.Ref, bool) {
	file := f.File(id)
	best, from := corpus.Ref{}, -1
	for i := range file.NumSymbols() {
		s := file.BareSymbol(i)
		if int(s.Start) > at {
			break
		}
		if k := file.Kind(i); int(s.At) > at && int(s.End) > at && int(s.Start) >= from && k != code.KindParam && k != code.KindTypeParam {
			best, from = corpus.Ref{File: id, Index: int32(i)}, int(s.Start)
		}
	}
	return best, from >= 0
}

// typeAt is the type that holds a site, or whose head it stands in.
func (f *finder) typeAt(s *site) (corpus.Ref, bool) {
	file := f.File(s.file)
	for i := int32(file.Enclosing(uint32(s.at))); i != facts.None; i = f.Symbol(corpus.Ref{File: s.file, Index: i}).Parent {
		if sym := f.Symbol(corpus.Ref{File: s.file, Index: i}); sym.Kind.IsType() {
			return corpus.Ref{File: s.file, Index: i}, true
		} else if sym.Owner != "" {
			if all := f.Ask.Find(sym.Owner); len(all) > 0 {
				return all[0], true
			}
		}
	}
	return corpus.Ref{}, false
}

// byName finds the symbol that a text names: module.view, Type@method,
// controller#action.
func (f *finder) byName(_ *site, a argument) (to []meant) {
	v, _, ok := literal(a.text)
	if !ok {
		return nil
	}
	if c, action, ok := strings.Cut(v, "#"); ok {
		v = camel(path.Base(c)) + "Controller." + action
	}
	v = strings.NewReplacer("@", ".", "\\", ".", "::", ".", "/", ".").Replace(v)
	all := f.Ask.Find(v)
	for _, r := range all {
		if len(to) < 3 && f.Symbol(r).Flags&facts.Local == 0 {
			to = append(to, meant{r, facts.Likely})
		}
	}
	return to
}

// camel writes words joined by _ as one in camel case.
func camel(s string) string {
	var out strings.Builder
	for w := range strings.SplitSeq(s, "_") {
		if w != "" {
			out.WriteString(strings.ToUpper(w[:1]) + w[1:])
		}
	}
	return out.String()
}

// fileNamed finds the files whose paths end in what a text names, with any
// extension where it names none.
func (f *finder) fileNamed(a argument) (to []meant) {
	v, _, ok := literal(a.text)
	if !ok || v == "" {
		return nil
	}
	v = strings.TrimPrefix(path.Clean(v), "/")
	dotted := strings.ReplaceAll(v, ".", "/") // as Laravel names them
	for id := range f.Corpus.NumFiles() {
		p := f.Corpus.Path(corpus.FileID(id))
		if !isTemplate(p) {
			continue
		}
		stem := strings.TrimSuffix(p, templateExt(p))
		if endsIn(p, v) || endsIn(stem, v) || endsIn(stem, dotted) {
			to = append(to, meant{corpus.Ref{File: corpus.FileID(id), Index: facts.None}, facts.Likely})
		}
	}
	if len(to) > 3 {
		to = to[:3]
	}
	return to
}

// endsIn reports whether the last folders and the name of a path are another.
func endsIn(p, end string) bool { return p == end || strings.HasSuffix(p, "/"+end) }

// templateExt is the extension of a template: .html, .html.erb, .blade.php.
func templateExt(p string) string {
	base := path.Base(p)
	if i := strings.IndexByte(base, '.'); i > 0 {
		return base[i:]
	}
	return ""
}

// isTemplate reports whether a file can be rendered.
func isTemplate(p string) bool {
	switch path.Ext(p) {
	case ".html", ".htm", ".tmpl", ".gohtml", ".tpl", ".j2", ".jinja", ".jinja2", ".ejs", ".pug", ".hbs", ".erb", ".haml", ".slim", ".twig", ".mustache", ".liquid", ".txt", ".xml", ".ftl", ".vue", ".heex", ".eex":
		return true
	}
	return strings.HasSuffix(p, ".blade.php")
}
