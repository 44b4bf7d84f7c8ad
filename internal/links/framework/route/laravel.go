package route

import (
	"path"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/laravel"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// group notes the prefix and the controller of the routes in a group of Laravel, or
// in the file that it loads.
func (p *Prefixes) group(s *site.Site) {
	g, ok := laravel.GroupAt(s.Text, s.At, s.List)
	switch {
	case !ok:
	case g.File != "" && g.Prefix != "":
		for id := range corpus.FileID(p.f.Corpus.NumFiles()) {
			if written.EndsIn(p.f.Corpus.Path(id), g.File) {
				p.files[id] = append(p.files[id], loaded{s.File, s.At, g.Prefix})
			}
		}
	case g.Prefix != "" || g.Controller.Text != "" || g.Namespace != "":
		p.spans[s.File] = append(p.spans[s.File], span{from: s.At, to: s.End, prefix: Path{Text: g.Prefix}, use: facts.None, controller: p.f.Meant(s.File, g.Controller), namespace: g.Namespace})
	}
}

// Action finds the method that a text names: show within a group with a controller,
// UserController@show anywhere, within the namespace of its groups.
func (p *Prefixes) Action(s *site.Site, text string) (to []site.Target) {
	if class, method, ok := strings.Cut(text, "@"); ok {
		for _, name := range []string{laravel.Within(p.namespace(s), class), class, path.Base(strings.ReplaceAll(class, "\\", "/"))} {
			for _, r := range p.f.Find(name + "." + method) {
				to = append(to, site.Target{Ref: r, Confidence: facts.Likely})
			}
			if len(to) > 0 {
				break
			}
		}
		return to[:min(len(to), site.MaxTargets)]
	}
	for _, sp := range slices.Backward(p.spans[s.File]) {
		if !sp.holds(s.At) {
			continue
		}
		for _, class := range sp.controller {
			for _, r := range p.f.Members(class, text) {
				to = append(to, site.Target{Ref: r})
			}
		}
	}
	return to
}

// namespace is that of the groups round a route.
func (p *Prefixes) namespace(s *site.Site) (space string) {
	for _, sp := range p.spans[s.File] {
		if sp.namespace != "" && sp.holds(s.At) {
			space = laravel.Within(space, sp.namespace)
		}
	}
	return space
}

// maxChoice bounds the bytes behind a resource that may choose its actions.
const maxChoice = 400

// Resource are the links of Route::resource('photos.comments', C::class).
func (p *Prefixes) Resource(s *site.Site) (all []edge.Link) {
	name, _ := written.At(s.List, written.Position{})
	text, _, isText := written.Literal(name.Text)
	class, hasClass := written.At(s.List, written.Position{Index: 1})
	if !isText || !hasClass {
		return nil
	}
	controllers := p.f.Meant(s.File, class)
	for _, r := range laravel.Resource(text, s.Name == "apiResource", s.Text[s.End:min(len(s.Text), s.End+maxChoice)]) {
		l := edge.Link{
			Kind: edge.Route, Role: edge.Handles, By: s.Rule.By[0].Name, At: corpus.Ref{File: s.File, Index: s.In}, Line: int(p.f.File(s.File).Line(uint32(s.At))),
			To: corpus.Ref{File: s.File, Index: facts.None}, Reason: "handled by " + r.Action + ", which no file declares",
		}
		for _, c := range controllers {
			if to := p.f.Members(c, r.Action); len(to) > 0 {
				l.To, l.Reason = to[0], ""
			}
		}
		for _, prefix := range p.of(s) {
			for _, verb := range r.Verbs {
				l.Key = verb + " " + written.JoinPath(prefix.Text, r.Path)
				all = append(all, l)
			}
		}
	}
	return all
}
