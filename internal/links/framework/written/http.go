package written

import (
	"slices"
	"strings"
)

// methods of HTTP.
var methods = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT"}

// IsMethod reports whether a text is a method of HTTP.
func IsMethod(s string) bool { return slices.Contains(methods, s) }

// Methods are the methods of HTTP that a text names in any case: those of a list, or
// that of a function such as HandleGet.
func Methods(s string) (all []string) {
	s = strings.ToUpper(s)
	for _, m := range methods {
		if strings.Contains(s, m) {
			all = append(all, m)
		}
	}
	return all
}

// JoinPath joins the parts of a path of HTTP.
func JoinPath(prefix, p string) string {
	p = strings.TrimPrefix(p, "^")
	if prefix == "" && strings.HasPrefix(p, "/") {
		return p
	}
	joined := "/" + strings.Trim(prefix, "/")
	if rest := strings.TrimPrefix(p, "/"); rest != "" {
		joined = strings.TrimSuffix(joined, "/") + "/" + rest
	}
	return joined
}
