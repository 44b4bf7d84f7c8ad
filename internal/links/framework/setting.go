package framework

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
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
func (f *finder) fields(s *site.Site) {
	use := f.File(s.File).UseAt(uint32(s.At))
	if use == facts.None || f.Use(s.File, use).Role != facts.RoleInherit || s.In == facts.None {
		return
	}
	class := corpus.Ref{File: s.File, Index: s.In}
	body := s.Text[f.Symbol(class).Start:f.Symbol(class).End]
	prefix := ""
	if m := envPrefix().FindSubmatch(body); m != nil {
		prefix = string(m[1])
	}
	file, end := f.File(s.File), f.Symbol(class).End
	for i := s.In + 1; int(i) < file.NumSymbols() && file.BareSymbol(int(i)).Start < end; i++ {
		d := f.Symbol(corpus.Ref{File: s.File, Index: i})
		if d.Parent != s.In || d.Kind.IsFunc() || d.Kind.IsType() || d.Kind == code.KindParam || d.Name == "model_config" || strings.HasPrefix(d.Name, "_") {
			continue
		}
		name := strings.ToUpper(prefix + d.Name)
		line := s.Text[d.At:written.LineEnd(s.Text, int(d.At), len(s.Text))]
		if m := envAlias().FindSubmatch(line); m != nil {
			name = string(m[1])
		}
		f.links = append(f.links, edge.Link{
			Kind: edge.Setting, Key: name, Role: edge.Reads, By: f.Told(s), At: class, Line: int(d.Line), To: corpus.Ref{File: s.File, Index: i},
			Confidence: facts.Likely, Reason: "a field of settings",
		})
	}
}

// eachNested adds the keys of files of YAML, as programs name them: a.b.c.
func (f *finder) eachNested(r *rules.Rule) error {
	for id := range corpus.FileID(f.Corpus.NumFiles()) {
		if !matches(r.Files, f.Corpus.Path(id)) {
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

func (f *finder) nested(r *rules.Rule, id corpus.FileID, text []byte) {
	for _, k := range written.NestedKeys(text) {
		if f.known(r.Kind)[k.Text] {
			f.links = append(f.links, edge.Link{
				Kind: r.Kind, Key: k.Text, Role: r.Role, By: r.By[0].Name, At: corpus.Ref{File: id, Index: facts.None}, Line: k.Line,
				To: corpus.Ref{File: id, Index: facts.None}, Confidence: facts.Likely,
			})
		}
	}
}
