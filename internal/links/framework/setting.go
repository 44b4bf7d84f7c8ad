package framework

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// What the fields of settings of Pydantic say: a prefix of all, another name of one.
var (
	envPrefix = pattern.New(`env_prefix["']?\s*[=:]\s*["'](\w+)["']`)
	envAlias  = pattern.New(`(?:alias|env)\s*=\s*["'](\w+)["']`)
)

// fields adds the fields of a type that a site names as its base: each is read from
// an environment variable of its name in capitals.
func (f *finder) fields(s *site) {
	use := f.File(s.file).UseAt(uint32(s.at))
	if use == facts.None || f.Use(s.file, use).Role != facts.RoleInherit || s.in == facts.None {
		return
	}
	class := corpus.Ref{File: s.file, Index: s.in}
	body := s.text[f.Symbol(class).Start:f.Symbol(class).End]
	prefix := ""
	if m := envPrefix().FindSubmatch(body); m != nil {
		prefix = string(m[1])
	}
	file, end := f.File(s.file), f.Symbol(class).End
	for i := s.in + 1; int(i) < file.NumSymbols() && file.BareSymbol(int(i)).Start < end; i++ {
		d := f.Symbol(corpus.Ref{File: s.file, Index: i})
		if d.Parent != s.in || d.Kind.IsFunc() || d.Kind.IsType() || d.Kind == code.KindParam || d.Name == "model_config" || strings.HasPrefix(d.Name, "_") {
			continue
		}
		name := strings.ToUpper(prefix + d.Name)
		line := s.text[d.At:written.LineEnd(s.text, int(d.At), len(s.text))]
		if m := envAlias().FindSubmatch(line); m != nil {
			name = string(m[1])
		}
		f.links = append(f.links, Link{
			Kind: Setting, Key: name, Role: Reads, By: f.told(s), At: class, Line: int(d.Line), To: corpus.Ref{File: s.file, Index: i},
			Confidence: facts.Likely, Reason: "a field of settings",
		})
	}
}

// eachNested adds the keys of files of YAML, as programs name them: a.b.c.
func (f *finder) eachNested(r *rule) error {
	for id := range corpus.FileID(f.Corpus.NumFiles()) {
		if !matches(r.files, f.Corpus.Path(id)) {
			continue
		}
		text, err := f.Text(id)
		if err != nil {
			return err
		}
		f.nested(r, id, text[:min(len(text), maxLines)])
	}
	return nil
}

func (f *finder) nested(r *rule, id corpus.FileID, text []byte) {
	for _, k := range written.NestedKeys(text) {
		if f.known(r.kind)[k.Text] {
			f.links = append(f.links, Link{
				Kind: r.kind, Key: k.Text, Role: r.role, By: r.by[0].name, At: corpus.Ref{File: id, Index: facts.None}, Line: k.Line,
				To: corpus.Ref{File: id, Index: facts.None}, Confidence: facts.Likely,
			})
		}
	}
}
