package framework

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/framework/rails"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// What is said of a group of Laravel before it, of a file of routes, and behind a
// resource.
var (
	prefixCall  = regexp.MustCompile(`(?:->|::)prefix\(\s*['"]([^'"]*)['"]`)
	controllers = regexp.MustCompile(`(?:->|::)controller\(\s*(\\?[\w\\]+)::class`)
	routesFile  = regexp.MustCompile(`routes/[\w./-]+\.php`)
	chosen      = regexp.MustCompile(`->(only|except)\(\s*([^)]*)\)`)
)

// group notes the prefix and the controller of the routes in a group, or in the file
// that it loads.
func (p *prefixes) group(s *site) {
	begin := bytes.LastIndex(s.text[:s.at], []byte("Route::"))
	if begin < 0 || bytes.IndexByte(s.text[begin:s.at], ';') >= 0 {
		return
	}
	said := s.text[begin:s.at]
	sp := span{from: s.at, to: s.end}
	for _, m := range prefixCall.FindAllSubmatch(said, -1) {
		sp.prefix = join(sp.prefix, string(m[1]))
	}
	for _, a := range s.list {
		if v, ok := written.At(written.Elements(a.Text), written.Position{Index: written.ByName, Name: "prefix"}); ok {
			prefix, _, _ := written.Literal(v.Text)
			sp.prefix = join(sp.prefix, prefix)
		}
		if rel := routesFile.FindString(a.Text); rel != "" && !strings.Contains(a.Text, "Route::") {
			p.loads(rel, sp.prefix)
			return
		}
	}
	if m := controllers.FindSubmatchIndex(said); m != nil {
		class := written.Argument{From: begin + m[2], To: begin + m[3]}
		sp.controller = p.named(s, class)
	}
	if sp.prefix != "" || len(sp.controller) > 0 {
		p.spans[s.file] = append(p.spans[s.file], sp)
	}
}

// loads puts a prefix before the routes of a file.
func (p *prefixes) loads(rel, prefix string) {
	for id := range corpus.FileID(p.f.Corpus.NumFiles()) {
		if prefix != "" && endsIn(p.f.Corpus.Path(id), rel) {
			p.files[id] = append(p.files[id], prefix)
		}
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
		if s.at < sp.from || s.at > sp.to {
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

// resourceActions are the actions of a resource of Laravel, and what they answer.
var resourceActions = []struct{ action, verbs, path string }{
	{"index", "GET", ""}, {"create", "GET", "/create"}, {"store", "POST", ""}, {"show", "GET", "/{}"},
	{"edit", "GET", "/{}/edit"}, {"update", "PUT PATCH", "/{}"}, {"destroy", "DELETE", "/{}"},
}

// resource adds the links of Route::resource('photos.comments', C::class).
func (f *finder) resource(s *site) {
	name, ok := written.At(s.list, written.Position{})
	text, _, isText := written.Literal(name.Text)
	class, hasClass := written.At(s.list, written.Position{Index: 1})
	if !ok || !isText || !hasClass {
		return
	}
	controllers := f.prefixes.named(s, class)
	whole, own := resourcePath(text)
	isChosen := choice(s)
	for _, r := range resourceActions {
		if s.name == "apiResource" && (r.action == "create" || r.action == "edit") || !isChosen(r.action) {
			continue
		}
		l := Link{
			Kind: Route, Role: Handles, By: s.rule.by[0].name, At: corpus.Ref{File: s.file, Index: s.in}, Line: int(f.File(s.file).Line(uint32(s.at))),
			To: corpus.Ref{File: s.file, Index: facts.None}, Reason: "handled by " + r.action + ", which no file declares",
		}
		for _, c := range controllers {
			for _, to := range f.Members(c, r.action) {
				l.To, l.Reason = to, ""
				break
			}
		}
		for _, prefix := range f.prefixes.of(s) {
			for verb := range strings.FieldsSeq(r.verbs) {
				l.Key = verb + " " + join(prefix, whole+strings.ReplaceAll(r.path, "{}", own))
				f.links = append(f.links, l)
			}
		}
	}
}

// resourcePath is the path of a resource, and the parameter that tells one of it.
func resourcePath(name string) (whole, parameter string) {
	for part := range strings.SplitSeq(name, ".") {
		if parameter != "" {
			whole += "/" + parameter
		}
		whole += "/" + part
		parameter = "{" + rails.Singular(strings.ReplaceAll(path.Base(part), "-", "_")) + "}"
	}
	return whole, parameter
}

// choice reads only and except behind a resource.
func choice(s *site) func(action string) bool {
	behind := s.text[s.end:min(len(s.text), s.end+maxStatement)]
	if i := bytes.IndexByte(behind, ';'); i >= 0 {
		behind = behind[:i]
	}
	m := chosen.FindSubmatch(behind)
	return func(action string) bool {
		return m == nil || strings.Contains(string(m[2]), "'"+action+"'") == (string(m[1]) == "only")
	}
}
