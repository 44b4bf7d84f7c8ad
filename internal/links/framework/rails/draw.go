package rails

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/links/framework/written"
)

// draw adds the routes of a statement. It returns the scope of its block; ok is
// false where the block draws none of them.
func (r *reader) draw(st *statement, s scope) (inner scope, ok bool) {
	o := options(st)
	switch st.name {
	case "resources", "resource":
		return r.resources(st, s, o), true
	case "namespace":
		name := strings.Join(o.names, "/")
		return s.within(o.or("path", name), o.or("module", name), "", o), true
	case "scope":
		if o.expression != "" {
			o.names, o.filled = append(o.names, "{}"), true
		}
		return s.within(join(append(o.names, o.or("path", ""))...), o.or("module", ""), o.or("controller", ""), o), true
	case "controller":
		return s.within("", "", strings.Join(o.names, ""), o), true
	case "member", "collection", "new":
		return s.on(st.name), true
	case "nested", "shallow", "defaults", "constraints", "with_options":
		s.shallow = s.shallow || st.name == "shallow"
		return s, true
	case "concern":
		for _, name := range o.names[:min(1, len(o.names))] {
			r.concerns[name] = piece{r.source, st.block}
		}
		return s, false
	case "concerns":
		r.repeat(o.names, s)
	case "draw":
		r.other(o.names, s)
	case "direct", "resolve":
		return s, false
	case "get", "post", "put", "patch", "delete", "options", "match", "root", "mount":
		r.route(st, s, o)
	}
	return s, true
}

// within is the scope of a block with more before its paths and controllers.
func (s scope) within(path, module, controller string, o choice) scope {
	s.path, s.filled = join(s.base(), path), s.filled || o.filled
	if module != "" {
		s.module += module + "/"
	}
	if controller != "" {
		s.controller = controller
	}
	s.action = o.or("action", s.action)
	s.in = resource{}
	return s
}

func (s scope) on(what string) scope {
	s.in.on = what
	return s
}

// base is the path that those of a scope begin with.
func (s *scope) base() string {
	switch {
	case s.in.collection == "":
		return s.path
	case s.in.on == "collection":
		return s.in.collection
	case s.in.on == "new":
		return join(s.in.collection, "new")
	case s.in.on == "member" || s.in.single:
		return s.in.member
	}
	return s.in.nested
}

// drawnOf are the actions that resources draw, and how.
var drawnOf = []struct {
	action, verbs string
	path          func(*resource) string
}{
	{"index", "GET", func(r *resource) string { return r.collection }},
	{"create", "POST", func(r *resource) string { return r.collection }},
	{"new", "GET", func(r *resource) string { return join(r.collection, "new") }},
	{"edit", "GET", func(r *resource) string { return join(r.member, "edit") }},
	{"show", "GET", func(r *resource) string { return r.member }},
	{"update", "PATCH PUT", func(r *resource) string { return r.member }},
	{"destroy", "DELETE", func(r *resource) string { return r.member }},
}

// resources draws the routes of resources or a resource.
func (r *reader) resources(st *statement, s scope, o choice) scope {
	inner := s
	if len(o.names) == 0 && o.expression != "" {
		o.names, o.filled = []string{"{}"}, true
	}
	for _, name := range o.names {
		inner = s.resource(st, name, o)
		for _, d := range drawnOf {
			if inner.in.single && d.action == "index" || !o.draws(d.action) {
				continue
			}
			for verb := range strings.FieldsSeq(d.verbs) {
				r.add(Route{Verb: verb, Path: d.path(&inner.in), Controller: inner.module + inner.controller, Action: d.action, Filled: inner.filled, At: st.at})
			}
		}
		r.repeat(o.lists["concerns"], inner)
	}
	return inner
}

// resource is the scope within resources or a resource of a name.
func (s scope) resource(st *statement, name string, o choice) scope {
	single := st.name == "resource"
	collection := join(s.base(), o.or("path", name))
	if s.in.on == "" && s.in.collection == "" {
		s.outer = s.path
	}
	s.shallow, s.filled = s.shallow || o.values["shallow"] == "true", s.filled || o.filled
	in := resource{collection: collection, member: collection, nested: collection, single: single}
	if !single {
		own := collection
		if s.shallow {
			own = join(s.outer, o.or("path", name))
		}
		param := o.or("param", "id")
		in.member = join(own, ":"+param)
		in.nested = join(own, ":"+Singular(name)+"_"+param)
	}
	s.controller = o.or("controller", name)
	if single && o.values["controller"] == "" {
		s.controller = plural(name)
	}
	if rest, ok := strings.CutPrefix(s.controller, "/"); ok {
		s.module, s.controller = "", rest
	}
	if m := o.or("module", ""); m != "" {
		s.module += m + "/"
	}
	s.in, s.path, s.action = in, collection, ""
	return s
}

// repeat reads concerns where they are asked for.
func (r *reader) repeat(names []string, s scope) {
	for _, name := range names {
		if c, ok := r.concerns[name]; ok && c.at > 0 {
			r.elsewhere(c, s)
		}
	}
}

// other reads the files that draw names.
func (r *reader) other(names []string, s scope) {
	for _, name := range names {
		if text := r.drawn(name); text != nil && r.depth < maxDepth {
			r.elsewhere(piece{newSource(name, text), 0}, s)
		}
	}
}

// elsewhere reads a piece as if it stood here.
func (r *reader) elsewhere(p piece, s scope) {
	here := r.source
	r.source = p.source
	r.block(p.at, s)
	r.source = here
}

// route draws the routes of get, match, root or mount.
func (r *reader) route(st *statement, s scope, o choice) {
	if st.name == "root" {
		o.to, o.names = append(o.names, o.to)[0], []string{""}
	}
	if o.values["on"] != "" {
		s = s.on(o.values["on"])
	}
	verbs := []string{strings.ToUpper(st.name)}
	switch st.name {
	case "root":
		verbs[0] = "GET"
	case "mount", "match":
		verbs = o.verbs()
	}
	if st.name == "mount" {
		o.names = append(o.names, o.lists["at"]...)
		o.other = cmp.Or(o.other, o.expression, "what is mounted")
	} else if len(o.names) == 0 && o.expression != "" {
		o.names, o.filled = []string{"{}"}, true
	}
	for _, path := range o.names {
		to := s.answers(path, o)
		to.Path, to.Filled, to.At = join(s.base(), path), s.filled || o.filled, st.at
		for _, v := range verbs {
			to.Verb = v
			r.add(to)
		}
	}
}

// answers says which controller and action a route of a path leads to.
func (s *scope) answers(path string, o choice) (to Route) {
	controller, action := cmp.Or(o.values["controller"], s.controller), cmp.Or(o.values["action"], s.action)
	bare := strings.ReplaceAll(strings.Trim(path, "/"), "-", "_")
	slash := strings.LastIndexByte(bare, '/')
	switch {
	case o.other != "":
		return Route{Other: o.other}
	case strings.Contains(o.to, "#"):
		controller, action, _ = strings.Cut(o.to, "#")
	case o.to != "":
		action = o.to
	case action == "" && slash > 0: // "photos/poll" is photos#poll
		controller, action = bare[:slash], bare[slash+1:]
	case action == "":
		action = bare
	}
	if strings.ContainsAny(controller+action, ":(*{.") || controller == "" || action == "" {
		return Route{}
	}
	if rest, ok := strings.CutPrefix(controller, "/"); ok {
		return Route{Controller: rest, Action: action}
	}
	return Route{Controller: s.module + controller, Action: action}
}

func (r *reader) add(route Route) {
	route.File = r.file
	if strings.Contains(route.Controller, "{") {
		route.Controller, route.Action = "", "" // worked out when the program runs
	}
	if route.Path == "" {
		route.Path = "/"
	}
	r.routes = append(r.routes, route)
}

// choice is what the arguments of a statement ask for.
type choice struct {
	names      []string          // without a key
	values     map[string]string // literals by their keys
	lists      map[string][]string
	to         string // "users#show", "show"
	other      string // what answers that is no action
	expression string // what is written without a key and is no literal
	filled     bool   // a name is filled in when the program runs
}

// options reads the arguments of a statement.
func options(st *statement) choice {
	o := choice{values: map[string]string{}, lists: map[string][]string{}}
	for _, a := range st.list {
		switch {
		case a.Name == "":
			o.unnamed(a.Text)
		case a.Name == "to":
			o.leads(a.Text)
		case len(o.names) == 0 && drawsPath[st.name] && !isOption[a.Name]: // "path" => target
			o.names, o.filled = append(o.names, a.Name), o.filled || strings.Contains(a.Name, "#{")
			o.leads(a.Text)
		default:
			o.option(a.Name, a.Text)
		}
	}
	return o
}

// unnamed reads a path, a name, a list of them, or what is mounted at one.
func (o *choice) unnamed(text string) {
	if value, filled, ok := written.Literal(text); ok {
		o.names, o.filled = append(o.names, value), o.filled || filled
		return
	}
	if what, path, ok := strings.Cut(text, "=>"); ok {
		o.other = name(strings.TrimSpace(what))
		o.unnamed(strings.TrimSpace(path))
		return
	}
	if all := words(text); all != nil {
		o.names = append(o.names, all...)
		return
	}
	o.expression = name(text)
}

// option notes the value of an option. One that is worked out when the program runs
// counts only for a path.
func (o *choice) option(key, text string) {
	value, filled, ok := written.Literal(text)
	all := words(text)
	switch {
	case ok:
		o.values[key], o.lists[key] = value, []string{value}
		o.filled = o.filled || filled && key == "path"
	case all != nil || text == "nil" || text == "false" || strings.HasSuffix(text, "[]"):
		o.lists[key] = all
	case text == "true":
		o.values[key] = text
	case key == "path":
		o.lists[key], o.filled = []string{"{}"}, true
	}
}

var (
	drawsPath = map[string]bool{"get": true, "post": true, "put": true, "patch": true, "delete": true, "options": true, "match": true}
	isOption  = map[string]bool{"via": true, "as": true, "on": true, "controller": true, "action": true, "constraints": true, "defaults": true, "format": true, "path": true, "module": true}
)

// leads notes what a route leads to.
func (o *choice) leads(text string) {
	if v, _, ok := written.Literal(text); ok {
		o.to = v
		return
	}
	if strings.HasPrefix(text, "redirect") {
		o.other = "a redirect"
		return
	}
	o.other = name(text)
}

// name is what a text begins with, for people: Sidekiq::Web, a function.
func name(text string) string {
	if n := strings.IndexFunc(text, func(r rune) bool {
		return r != ':' && r != '.' && r != '_' && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
	}); n >= 0 {
		text = text[:n]
	}
	if text == "" || text == "lambda" || text == "proc" {
		return "a function written in place"
	}
	return text
}

// verbs are those of match, "" for any.
func (o *choice) verbs() (all []string) {
	for _, v := range o.lists["via"] {
		if v == "all" {
			return []string{""}
		}
		all = append(all, strings.ToUpper(v))
	}
	if len(all) == 0 {
		return []string{""}
	}
	return all
}

func (o *choice) or(key, otherwise string) string {
	if all, ok := o.lists[key]; ok && len(all) <= 1 {
		return strings.Join(all, "")
	}
	return otherwise
}

// draws reports whether an action is drawn, by only and except.
func (o *choice) draws(action string) bool {
	if only, ok := o.lists["only"]; ok {
		return slices.Contains(only, action)
	}
	return !slices.Contains(o.lists["except"], action)
}

// words are the literals of a list: [:a, :b], %i[a b], %w(a b).
func words(s string) []string {
	if len(s) > 3 && s[0] == '%' && strings.IndexByte("iwIW", s[1]) >= 0 {
		return strings.Fields(s[3 : len(s)-1])
	}
	return written.Literals(s)
}

// join joins the parts of a path with a / before each. An optional part may bring
// its own.
func join(parts ...string) string {
	joined := ""
	for _, p := range parts {
		if p = strings.Trim(p, "/"); p == "" {
			continue
		}
		if !strings.HasPrefix(p, "(/") {
			joined += "/"
		}
		joined += p
	}
	return joined
}
