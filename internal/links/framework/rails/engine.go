package rails

import (
	"strings"
	"unicode"

	"espy/internal/pattern"
)

// Engine is what stands before the routes of an engine; it is empty for an
// application.
type Engine struct {
	Module string // before the controllers: "shop/"
	Path   string // where it is mounted: "/shop"; empty where that is not known
}

var (
	engineDraws = pattern.New(`(?:^|[^\w:])(?:::)?([\w:]+::Engine)\.routes\.$`)
	isolated    = pattern.New(`(?m)^\s*isolate_namespace\(?\s*(?:::)?([\w:]+)`)
	mounted     = pattern.New(`(?m)^\s*mount[ (]\s*(?:::)?([\w:]+)\s*(?:=>|,\s*at:)\s*["']([^"']*)["']`)
)

// DrawnOf names the engine whose routes the draw at a byte of a text draws; it is
// empty for those of an application.
func DrawnOf(text []byte, at int) string {
	line := text[max(0, at-maxName):at]
	if m := engineDraws().FindSubmatch(line); m != nil {
		return string(m[1])
	}
	return ""
}

const maxName = 200 // bytes of the name of an engine

// ModuleOf is the folder of the controllers of an engine, by the text that declares it.
func ModuleOf(text []byte) string {
	m := isolated().FindSubmatch(text)
	if m == nil {
		return ""
	}
	return underscored(strings.ReplaceAll(string(m[1]), "::", "/")) + "/"
}

// MountedAt is where a text of routes mounts an engine.
func MountedAt(text []byte, engine string) (path string, ok bool) {
	for _, m := range mounted().FindAllSubmatch(text, -1) {
		if string(m[1]) == engine {
			return "/" + strings.Trim(string(m[2]), "/"), true
		}
	}
	return "", false
}

// underscored is the name of the file that Rails loads a constant from.
func underscored(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && runes[i-1] != '/' && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
