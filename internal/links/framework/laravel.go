package framework

import (
	"path"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/framework/laravel"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// group notes the prefix and the controller of the routes in a group of Laravel, or
// in the file that it loads.
func (p *prefixes) group(s *site) {
	g, ok := laravel.GroupAt(s.text, s.at, s.list)
	switch {
	case !ok:
	case g.File != "" && g.Prefix != "":
		for id := range corpus.FileID(p.f.Corpus.NumFiles()) {
			if endsIn(p.f.Corpus.Path(id), g.File) {
				p.files[id] = append(p.files[id], loaded{s.file, g.Prefix})
			}
		}
	case g.Prefix != "" || g.Controller.Text != "":
		p.spans[s.file] = append(p.spans[s.file], span{from: s.at, to: s.end, prefix: g.Prefix, controller: p.f.named(s, g.Controller)})
	}
}

// action finds the method that a text names: show within a group with a controller,
// UserController@show anywhere.
func (f *finder) action(s *site, text string) (to []meant) {
	if class, method, ok := strings.Cut(text, "@"); ok {
		for _, r := range f.Ask.Find(path.Base(strings.ReplaceAll(class, "\\", "/")) + "." + method) {
			to = append(to, meant{r, facts.Likely})
		}
		return to[:min(len(to), maxMeant)]
	}
	for _, sp := range slices.Backward(f.prefixes.spans[s.file]) {
		if !sp.holds(s) {
			continue
		}
		for _, class := range sp.controller {
			for _, r := range f.Members(class, text) {
				to = append(to, meant{Ref: r})
			}
		}
	}
	return to
}

// resource adds the links of Route::resource('photos.comments', C::class).
func (f *finder) resource(s *site) {
	name, _ := written.At(s.list, written.Position{})
	text, _, isText := written.Literal(name.Text)
	class, hasClass := written.At(s.list, written.Position{Index: 1})
	if !isText || !hasClass {
		return
	}
	controllers := f.named(s, class)
	for _, r := range laravel.Resource(text, s.name == "apiResource", s.text[s.end:min(len(s.text), s.end+maxStatement)]) {
		l := Link{
			Kind: Route, Role: Handles, By: s.rule.by[0].name, At: corpus.Ref{File: s.file, Index: s.in}, Line: int(f.File(s.file).Line(uint32(s.at))),
			To: corpus.Ref{File: s.file, Index: facts.None}, Reason: "handled by " + r.Action + ", which no file declares",
		}
		for _, c := range controllers {
			if all := f.Members(c, r.Action); len(all) > 0 {
				l.To, l.Reason = all[0], ""
			}
		}
		for _, prefix := range f.prefixes.of(s) {
			for _, verb := range r.Verbs {
				l.Key = verb + " " + written.JoinPath(prefix, r.Path)
				f.links = append(f.links, l)
			}
		}
	}
}
