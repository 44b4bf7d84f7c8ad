// Package laravel reads what the routes of Laravel say beyond one call: the groups
// that stand round them, and the routes of a resource.
package laravel

import (
	"bytes"
	"path"
	"strings"

	"espy/internal/links/framework/rails"
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
)

var (
	prefixCall = pattern.New(`(?:->|::)prefix\(\s*['"]([^'"]*)['"]`)
	spaceCall  = pattern.New(`(?:->|::)namespace\(\s*['"]([^'"]*)['"]`)
	controller = pattern.New(`(?:->|::)controller\(\s*(\\?[\w\\]+)::class`)
	routesFile = pattern.New(`routes/[\w./-]+\.php`)
	chosen     = pattern.New(`->(only|except)\(\s*([^)]*)\)`)
)

// Group is what is said of the routes in a group.
type Group struct {
	Prefix     string           // with / between its parts; empty for none
	File       string           // the file of routes that it loads, by its last folders; empty where they stand in it
	Namespace  string           // of the controllers that its routes name in texts; empty for none
	Controller written.Argument // the class that answers routes which name a method alone; its Text is empty for none
}

// GroupAt reads the calls before a call of group at a byte of a text, and its
// arguments. ok is false where it is no group of routes.
func GroupAt(text []byte, at int, list []written.Argument) (g Group, ok bool) {
	begin := bytes.LastIndex(text[:at], []byte("Route::"))
	if begin < 0 || bytes.IndexByte(text[begin:at], ';') >= 0 {
		return g, false
	}
	said := text[begin:at]
	for _, m := range prefixCall().FindAllSubmatch(said, -1) {
		g.Prefix = under(g.Prefix, string(m[1]))
	}
	for _, m := range spaceCall().FindAllSubmatch(said, -1) {
		g.Namespace = Within(g.Namespace, string(m[1]))
	}
	for _, a := range list {
		if prefix, ok := valueOf(a, "prefix"); ok {
			text, _, _ := written.Literal(prefix.Text)
			g.Prefix = under(g.Prefix, text)
		}
		if space, ok := valueOf(a, "namespace"); ok {
			text, _, _ := written.Literal(space.Text)
			g.Namespace = Within(g.Namespace, text)
		}
		if !strings.Contains(a.Text, "Route::") {
			g.File = routesFile().FindString(a.Text)
		}
	}
	if m := controller().FindSubmatchIndex(said); m != nil {
		g.Controller = written.Argument{From: begin + m[2], To: begin + m[3], Text: string(said[m[2]:m[3]])}
	}
	return g, true
}

// Uses is what answers a route, where that is said in a list: ['uses' => 'Users@show'].
func Uses(a written.Argument) (written.Argument, bool) { return valueOf(a, "uses") }

// valueOf is the value of a key of a list: ['prefix' => 'x'], array('prefix' => 'x').
func valueOf(a written.Argument, key string) (written.Argument, bool) {
	list := strings.TrimPrefix(a.Text, "array")
	v, ok := written.At(written.Elements(list), written.Position{Index: written.ByName, Name: key})
	from := a.From + len(a.Text) - len(list)
	v.From, v.To = from+v.From, from+v.To
	return v, ok
}

// Within is a namespace or a class as it is written in another namespace. One that begins
// with a \ is whole.
func Within(space, name string) string {
	if strings.HasPrefix(name, "\\") {
		return name[1:]
	}
	return strings.TrimPrefix(space+"\\"+name, "\\")
}

func under(prefix, p string) string { return strings.Trim(prefix+"/"+strings.Trim(p, "/"), "/") }

// Route is a route of a resource.
type Route struct {
	Action string // the method of the controller
	Verbs  []string
	Path   string
}

var actions = []Route{
	{"index", []string{"GET"}, ""}, {"create", []string{"GET"}, "/create"}, {"store", []string{"POST"}, ""}, {"show", []string{"GET"}, "/{}"},
	{"edit", []string{"GET"}, "/{}/edit"}, {"update", []string{"PUT", "PATCH"}, "/{}"}, {"destroy", []string{"DELETE"}, "/{}"},
}

// Resource lists the routes of a resource such as photos.comments; those of an api
// show no forms. behind is the text behind the call, which may choose among them.
func Resource(name string, api bool, behind []byte) (all []Route) {
	if i := bytes.IndexByte(behind, ';'); i >= 0 {
		behind = behind[:i]
	}
	choice := chosen().FindSubmatch(behind)
	whole, own := "", ""
	for part := range strings.SplitSeq(name, ".") {
		if own != "" {
			whole += "/" + own
		}
		whole += "/" + part
		own = "{" + rails.Singular(strings.ReplaceAll(path.Base(part), "-", "_")) + "}"
	}
	for _, r := range actions {
		isForm := r.Action == "create" || r.Action == "edit"
		if api && isForm || choice != nil && bytes.Contains(choice[2], []byte("'"+r.Action+"'")) != (string(choice[1]) == "only") {
			continue
		}
		r.Path = whole + strings.ReplaceAll(r.Path, "{}", own)
		all = append(all, r)
	}
	return all
}
