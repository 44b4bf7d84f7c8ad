package route

import (
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// viewAction is what a class of views of Django REST framework answers.
type viewAction struct {
	name, verb string
	one        bool     // of one object
	by         []string // base classes that implement it
}

var viewActions = []viewAction{
	{"list", "GET", false, []string{"ModelViewSet", "ReadOnlyModelViewSet", "ListModelMixin"}},
	{"create", "POST", false, []string{"ModelViewSet", "CreateModelMixin"}},
	{"retrieve", "GET", true, []string{"ModelViewSet", "ReadOnlyModelViewSet", "RetrieveModelMixin"}},
	{"update", "PUT", true, []string{"ModelViewSet", "UpdateModelMixin"}},
	{"partial_update", "PATCH", true, []string{"ModelViewSet", "UpdateModelMixin"}},
	{"destroy", "DELETE", true, []string{"ModelViewSet", "DestroyModelMixin"}},
}

// What the body and the head of a class of views say.
var (
	allowedMethods = pattern.New(`(?m)^\s+http_method_names\s*=\s*(\[[^\]]*\]|\([^)]*\))`)
	lookup         = pattern.New(`(?m)^\s+(lookup_field|lookup_url_kwarg)\s*=\s*["'](\w+)["']`)
	baseName       = pattern.New(`\w+`)
	noSlash        = pattern.New(`trailing_slash\s*=\s*False`)
	extraAction    = pattern.New(`@(?:\w+\.)?action\s*\(`)
)

// Actions are the routes of router.register("users", UserViewSet): those of the actions
// that the class, one above it or a base class of the framework implements.
func (p *Prefixes) Actions(s *site.Site) (all []edge.Link) {
	key, _ := written.At(s.List, s.Rule.Key)
	arg, ok := written.At(s.List, s.Rule.Handler)
	path, filled := p.f.Texts(s.File, key)
	if !ok || len(path) == 0 {
		return nil
	}
	slash := "/"
	if noSlash().Match(s.Text) {
		slash = ""
	}
	base := edge.Link{
		Kind: edge.Route, Role: edge.Handles, By: s.Rule.By[0].Name, At: corpus.Ref{File: s.File, Index: s.In}, Line: int(p.f.File(s.File).Line(uint32(s.At))),
	}
	if filled {
		base.Confidence = facts.Likely
	}
	prefixes := p.of(s)
	for _, class := range p.f.Meant(s.File, arg) {
		if !p.f.Symbol(class).Kind.IsType() {
			continue
		}
		v := p.view(class)
		for _, a := range v.answers() {
			l := base
			l.To, l.Reason = a.to, a.reason
			for _, prefix := range prefixes {
				l.Key = a.verb + " " + written.JoinPath(prefix.Text, path[0]+a.tail+slash)
				l.Confidence = max(base.Confidence, prefix.Confidence)
				all = append(all, l)
			}
		}
	}
	return all
}

// view is a class of views, with those above it.
type view struct {
	p       *Prefixes
	class   corpus.Ref
	bases   map[string]bool // names of classes above it
	object  string          // how a path names one object: {pk}
	methods []string        // that it answers; none where it does not say
	extra   []viewAnswer
}

type viewAnswer struct {
	verb, tail string
	to         corpus.Ref
	reason     string
}

func (p *Prefixes) view(class corpus.Ref) *view {
	v := &view{p: p, class: class, bases: map[string]bool{}, object: "{pk}"}
	classes := []corpus.Ref{class}
	for _, above := range p.f.Supertypes(class) {
		classes = append(classes, above.Ref)
	}
	for _, c := range classes {
		v.read(c)
	}
	return v
}

// read notes what a class says of itself.
func (v *view) read(class corpus.Ref) {
	text, err := v.p.f.Text(class.File)
	d := v.p.f.Symbol(class)
	if err != nil || int(d.End) > len(text) {
		return
	}
	body := text[d.At:d.End]
	head, _, _ := strings.Cut(string(body), "\n")
	if list, _, ok := written.Arguments(text, int(d.At)+len(d.Name)); ok {
		for _, a := range list {
			head += " " + a.Text
		}
	}
	for _, name := range baseName().FindAllString(head, -1) {
		v.bases[name] = true
	}
	if m := allowedMethods().FindSubmatch(body); m != nil && v.methods == nil {
		v.methods = written.Methods(string(m[1]))
	}
	if m := lookup().FindSubmatch(body); m != nil && v.object == "{pk}" {
		v.object = "{" + string(m[2]) + "}"
	}
	for _, m := range extraAction().FindAllIndex(body, -1) {
		v.add(class, text, int(d.At)+m[1]-1)
	}
}

// add notes a method that @action marks, whose arguments begin at a byte.
func (v *view) add(class corpus.Ref, text []byte, at int) {
	list, end, ok := written.Arguments(text, at)
	if !ok {
		return
	}
	method, ok := v.p.f.Marked(&site.Site{File: class.File, Text: text, At: at - 1, End: end})
	if !ok || !v.p.f.Symbol(method).Kind.IsFunc() {
		return
	}
	path, verbs, detail := v.p.f.Symbol(method).Name, []string{"GET"}, false
	for _, a := range list {
		switch value, _, isText := written.Literal(a.Text); {
		case a.Name == "url_path" && isText:
			path = value
		case a.Name == "methods":
			if some := written.Methods(a.Text); len(some) > 0 {
				verbs = some
			}
		case a.Name == "detail":
			detail = a.Text == "True"
		}
	}
	tail := "/" + path
	if detail {
		tail = "/" + v.object + tail
	}
	for _, verb := range verbs {
		v.extra = append(v.extra, viewAnswer{verb, tail, method, "marked with action"})
	}
}

// answers are the actions that a class of views answers.
func (v *view) answers() (all []viewAnswer) {
	for _, a := range viewActions {
		answer := viewAnswer{verb: a.verb, to: v.class}
		if a.one {
			answer.tail = "/" + v.object
		}
		if to := v.p.f.Members(v.class, a.name); len(to) > 0 {
			answer.to = to[0]
		} else if slices.ContainsFunc(a.by, func(name string) bool { return v.bases[name] }) {
			answer.reason = a.name + " of a class of the framework"
		} else {
			continue
		}
		all = append(all, answer)
	}
	return slices.DeleteFunc(append(all, v.extra...), func(a viewAnswer) bool { return v.methods != nil && !slices.Contains(v.methods, a.verb) })
}
