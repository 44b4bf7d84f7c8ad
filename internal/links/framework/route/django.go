package route

import (
	"strings"

	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

var included = pattern.New(`^include\(\s*\(?\s*["']([\w.]+)["']`)

// include puts a prefix before the routes of a module of Django.
func (p *Prefixes) include(m *rules.Mount, s *site.Site, prefix string) {
	arg, ok := written.At(s.List, m.Handler)
	if !ok {
		return
	}
	name := included().FindStringSubmatch(arg.Text)
	if name == nil {
		if strings.HasPrefix(arg.Text, "include(") {
			p.mount(m, s, Path{Text: prefix})
		}
		return
	}
	rel := strings.ReplaceAll(name[1], ".", "/") + ".py"
	for id := range p.f.Corpus.NumFiles() {
		if written.EndsIn(p.f.Corpus.Path(corpus.FileID(id)), rel) {
			p.files[corpus.FileID(id)] = append(p.files[corpus.FileID(id)], loaded{s.File, s.At, prefix})
		}
	}
}
