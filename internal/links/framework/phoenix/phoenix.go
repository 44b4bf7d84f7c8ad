// Package phoenix reads the routes of a router of Phoenix, in Elixir: the macros of
// Phoenix.Router, as https://hexdocs.pm/phoenix/routing.html has them. It reads the
// text and runs nothing, so routes that a macro of the repository makes are unknown.
package phoenix

import (
	"slices"
	"strings"

	"espy/internal/links/framework/written"
)

// Route is a path that is answered.
type Route struct {
	Verb   string // "GET"; empty for any
	Path   string // "/admin/users/:id"
	Module string // "DemoWeb.Admin.UserController", with the aliases of the scopes round it
	Action string // empty where the module answers: a live view, a plug
	Filled bool   // a part of Path is filled in when the program runs
	At     int    // byte of the macro that draws it
}

// Bounds that keep a text which is no router from being read forever.
const (
	maxRoutes     = 50_000
	maxStatements = 200_000
	maxDepth      = 40
)

// Routes reads the routes of a text.
func Routes(text []byte) []Route {
	r := reader{text: blanked(text), aliases: map[string]string{}}
	r.block(0, scope{})
	return r.routes
}

// scope is what stands round a statement.
type scope struct {
	path, module string
	filled       bool
}

// reader reads statements one after the other.
type reader struct {
	text    []byte
	aliases map[string]string // of modules, by the last part of their names
	routes  []Route
	read    int // statements
	depth   int
}

// statement is a call of a macro with its arguments, and a block behind it.
type statement struct {
	at    int // of the name
	name  string
	list  []written.Argument
	block int // the first byte in its block; 0 for none
}

// block reads statements up to the end that closes a block, and returns the byte
// behind it.
func (r *reader) block(i int, s scope) int {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth {
		return len(r.text)
	}
	for i < len(r.text) && len(r.routes) < maxRoutes && r.read < maxStatements {
		r.read++
		word, at := r.word(i)
		switch {
		case at >= len(r.text):
			return at
		case word == "end":
			return at + len(word)
		case word == "else" || word == "rescue" || word == "after" || word == "catch":
			i = at + len(word)
		default:
			st, end := r.statement(at, word)
			i = max(end, at+1)
			inner := r.draw(&st, s)
			if st.block > 0 && strings.HasPrefix(word, "def") && word != "defmodule" {
				i = r.passed(st.block, s)
			} else if st.block > 0 {
				i = r.block(st.block, inner)
			}
		}
	}
	return len(r.text)
}

// passed reads a block for its end alone.
func (r *reader) passed(i int, s scope) int {
	routes := r.routes
	end := r.block(i, s)
	r.routes = routes
	return end
}

// word is the name that the next statement begins with, and its byte; empty where it
// begins with no name.
func (r *reader) word(i int) (string, int) {
	for i < len(r.text) && strings.IndexByte(" \t\r\n;", r.text[i]) >= 0 {
		i++
	}
	n := written.NameEnd(string(r.text[i:min(len(r.text), i+100)]))
	return string(r.text[i : i+n]), i
}

// statement reads the arguments of a call; end is the byte behind them, and behind the
// head of a block.
func (r *reader) statement(at int, name string) (st statement, end int) {
	st = statement{at: at, name: name}
	i := at + len(name)
	list, behind, ok := written.Arguments(r.text, i)
	if ok = ok && r.text[i] == '('; ok {
		i = behind
	}
	stop, block := r.behind(i)
	if !ok {
		list = written.Split(r.text, i, stop)
	}
	st.list, st.block = list, block
	return st, max(stop, block)
}

// behind finds where the arguments of a statement stop, and the block that begins
// there, 0 for none.
func (r *reader) behind(i int) (stop, block int) {
	for i < len(r.text) {
		switch c := r.text[i]; {
		case c == '\n' && !r.goesOn(i), c == ';':
			return i, 0
		case c == 'd' && r.isWord(i, "do"):
			return i, i + len("do")
		case c == 'e' && r.isWord(i, "end"):
			return i, 0
		case c == 'f' && r.isWord(i, "fn"):
			i = r.passed(i+len("fn"), scope{})
			continue
		}
		i = written.Skip(r.text, i, len(r.text))
	}
	return i, 0
}

// isWord reports whether a word stands at a byte; do: is none.
func (r *reader) isWord(i int, word string) bool {
	end := i + len(word)
	if end > len(r.text) || string(r.text[i:end]) != word {
		return false
	}
	blank := func(i int) bool { return i < 0 || i >= len(r.text) || strings.IndexByte(" \t\r\n;,)", r.text[i]) >= 0 }
	return blank(i-1) && blank(end)
}

// goesOn reports whether the line that ends at a byte goes on in the next.
func (r *reader) goesOn(at int) bool {
	line := strings.TrimRight(string(r.text[written.LineStart(r.text, at):at]), " \t\r")
	for _, end := range []string{",", "(", "[", "|>", "<>", "=", "||", "&&"} {
		if strings.HasSuffix(line, end) {
			return true
		}
	}
	return false
}

// draw adds the routes of a statement, and returns the scope of its block.
func (r *reader) draw(st *statement, s scope) scope {
	switch st.name {
	case "alias":
		r.alias(st.list)
	case "scope":
		return s.within(st.list)
	case "get", "post", "put", "patch", "delete", "options", "head", "live", "forward", "match", "connect", "trace":
		r.route(st, s)
	case "resources":
		return r.resources(st, s)
	}
	return s
}

// alias notes what the last part of the name of a module stands for: alias A.B, alias
// A.B, as: C, alias A.{B, C}.
func (r *reader) alias(list []written.Argument) {
	if len(list) == 0 {
		return
	}
	name := list[0].Text
	if base, rest, ok := strings.Cut(name, ".{"); ok {
		for one := range strings.SplitSeq(strings.TrimSuffix(rest, "}"), ",") {
			one = strings.TrimSpace(one)
			r.aliases[written.LastOf(one)] = base + "." + one
		}
		return
	}
	short := written.LastOf(name)
	if as, ok := written.At(list, written.Position{Index: written.ByName, Name: "as"}); ok {
		short = as.Text
	}
	r.aliases[short] = name
}

// within is the scope of a block: scope "/x", Module, options.
func (s scope) within(list []written.Argument) scope {
	path, _ := written.At(list, written.Position{Name: "path"})
	v, filled, ok := written.Literal(path.Text)
	module, hasModule := written.At(list, written.Position{Index: 1, Name: "alias"})
	if !ok && isModule(path.Text) {
		module, hasModule = path, true
	} else if !ok && path.Text != "" {
		v, filled = "{}", true
	}
	s.path, s.filled = join(s.path, v), s.filled || filled
	if hasModule && isModule(module.Text) {
		s.module = strings.TrimPrefix(s.module+"."+module.Text, ".")
	}
	return s
}

func isModule(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' && written.IsChain(s) }

// route adds the route of get, live, match and the like.
func (r *reader) route(st *statement, s scope) {
	verb, list := strings.ToUpper(st.name), st.list
	switch st.name {
	case "live":
		verb = "GET"
	case "forward":
		verb = ""
	case "match":
		if len(list) == 0 {
			return
		}
		verb, list = strings.ToUpper(strings.Trim(list[0].Text, ":*")), list[1:]
	}
	if len(list) < 2 || !isModule(list[1].Text) {
		return // a call of that name that draws no route, such as a get of a map
	}
	path, filled, ok := written.Literal(list[0].Text)
	if !ok {
		path, filled = "{}", true
	}
	to := Route{Verb: verb, Path: join(s.path, path), Module: r.named(list[1].Text, s), Filled: s.filled || filled, At: st.at}
	if len(list) > 2 && st.name != "live" && st.name != "forward" && strings.HasPrefix(list[2].Text, ":") {
		to.Action = list[2].Text[1:]
	}
	r.add(to)
}

// named is the whole name of a module that a scope may stand before.
func (r *reader) named(module string, s scope) string {
	if s.module != "" {
		return s.module + "." + module
	}
	first, rest, _ := strings.Cut(module, ".")
	if whole, ok := r.aliases[first]; ok {
		return strings.TrimSuffix(whole+"."+rest, ".")
	}
	return module
}

func (r *reader) add(route Route) {
	if route.Path == "" {
		route.Path = "/"
	}
	r.routes = append(r.routes, route)
}

// drawn are the actions that resources draw, and how.
var drawn = []struct {
	action, verbs, tail string
	member              bool
}{
	{"index", "GET", "", false},
	{"edit", "GET", "/edit", true},
	{"new", "GET", "/new", false},
	{"show", "GET", "", true},
	{"create", "POST", "", false},
	{"update", "PATCH PUT", "", true},
	{"delete", "DELETE", "", true},
}

// resources adds the routes of resources, and returns the scope of its block.
func (r *reader) resources(st *statement, s scope) scope {
	if len(st.list) < 2 || !isModule(st.list[1].Text) {
		return s
	}
	path, filled, ok := written.Literal(st.list[0].Text)
	if !ok {
		path, filled = "{}", true
	}
	o := optionsOf(st.list)
	collection := join(s.path, path)
	member, nested := collection, collection
	if !o.single {
		member = join(collection, ":"+o.param)
		nested = join(collection, ":"+o.name+"_"+o.param)
	}
	for _, d := range drawn {
		if o.single && d.action == "index" || !o.draws(d.action) {
			continue
		}
		at := collection
		if d.member {
			at = member
		}
		for verb := range strings.FieldsSeq(d.verbs) {
			r.add(Route{Verb: verb, Path: at + d.tail, Module: r.named(st.list[1].Text, s), Action: d.action, Filled: s.filled || filled, At: st.at})
		}
	}
	s.path, s.filled = nested, s.filled || filled
	return s
}

// options are those of resources.
type options struct {
	name, param  string
	single       bool
	only, except []string
	limited      bool // only is given
}

func optionsOf(list []written.Argument) (o options) {
	o.name = written.Snake(strings.TrimSuffix(written.LastOf(list[1].Text), "Controller"))
	o.param = "id"
	for _, a := range list {
		switch v, _, _ := written.Literal(a.Text); a.Name {
		case "name":
			o.name = v
		case "param":
			o.param = v
		case "singleton":
			o.single = a.Text == "true"
		case "only":
			o.only, o.limited = written.Literals(a.Text), true
		case "except":
			o.except = written.Literals(a.Text)
		}
	}
	return o
}

func (o *options) draws(action string) bool {
	if o.limited {
		return slices.Contains(o.only, action)
	}
	return !slices.Contains(o.except, action)
}

// join joins two paths with one / between.
func join(prefix, p string) string {
	if p = strings.Trim(p, "/"); p == "" {
		return prefix
	}
	return strings.TrimSuffix(prefix, "/") + "/" + p
}
