package route

import (
	"path"
	"strings"

	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// folder puts the routes of the files below a folder under their folders in it, as
// @fastify/autoload loads them.
func (p *Prefixes) folder(m *rules.Mount, s *site.Site) {
	arg, ok := written.At(s.List, m.Handler)
	if !ok {
		return
	}
	folder := path.Join(append([]string{path.Dir(p.f.Corpus.Path(s.File))}, parts(arg.Text)...)...)
	options, _ := written.At(s.List, written.Position{Index: written.ByName, Name: "options"})
	prefix := first(prefixed, []byte(options.Text))
	parameters, _ := written.At(s.List, written.Position{Index: written.ByName, Name: "routeParams"})
	for id := range corpus.FileID(p.f.Corpus.NumFiles()) {
		at, below := strings.CutPrefix(p.f.Corpus.Path(id), folder+"/")
		if !below || p.f.Corpus.Family(id) != corpus.Script {
			continue
		}
		within := path.Dir(at)
		if parameters.Text == "true" {
			within = strings.ReplaceAll("/"+within, "/_", "/:")
		}
		if text, err := p.f.Text(id); err == nil && autoPrefix().Match(text) {
			within = first(autoPrefix, text)
		}
		p.files[id] = append(p.files[id], loaded{s.File, s.At, path.Join("/", prefix, within)})
	}
}

var (
	quoted     = pattern.New("[\"'`]([^\"'`$]*)[\"'`]")
	prefixed   = pattern.New("\\bprefix:\\s*[\"'`]([^\"'`$]*)[\"'`]")
	autoPrefix = pattern.New("\\bautoPrefix\\s*=\\s*[\"'`]([^\"'`$]*)[\"'`]")
)

// parts are the literals in an expression that names a folder: join(__dirname, "routes").
func parts(text string) (all []string) {
	for _, m := range quoted().FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// first is the first group of a pattern in a text; empty where it does not match.
func first(p pattern.Pattern, text []byte) string {
	if m := p().FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}
