package written

import (
	"path"
	"slices"
	"strings"
)

var templates = []string{
	".html", ".htm", ".tmpl", ".gohtml", ".tpl", ".j2", ".jinja", ".jinja2", ".ejs", ".pug", ".hbs", ".erb", ".haml", ".slim", ".twig", ".mustache", ".liquid",
	".txt", ".xml", ".ftl", ".vue", ".heex", ".eex",
}

// Template is the path of a file that can be rendered without its extensions, such as
// .html.erb and .blade.php; ok is false for other files.
func Template(p string) (stem string, ok bool) {
	if !slices.Contains(templates, path.Ext(p)) && !strings.HasSuffix(p, ".blade.php") {
		return "", false
	}
	dir, base := path.Split(p)
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	return dir + base, true
}

// EndsIn reports whether the last folders and the name of a path are another.
func EndsIn(p, end string) bool { return p == end || strings.HasSuffix(p, "/"+end) }
