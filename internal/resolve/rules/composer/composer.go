// Package composer reads from composer.json where the types of PHP namespaces are.
package composer

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"espy/internal/resolve/corpus"
)

// Autoload is a line of composer.json: the folder with the types of a namespace.
type Autoload struct {
	prefix string // with a separator at its end
	folder string
}

// Loads reports whether the type of a name is loaded from a path.
func (a Autoload) Loads(namespace, name, from string) bool {
	full := namespace + `\` + name
	rest, ok := strings.CutPrefix(full, a.prefix)
	return ok && from == path.Join(a.folder, strings.ReplaceAll(rest, `\`, "/")+".php")
}

// Read reads the composer.json files of a corpus.
func Read(c *corpus.Corpus) (all []Autoload) {
	for i := range c.Files() {
		if p := c.Path(i); p != "composer.json" && !strings.HasSuffix(p, "/composer.json") {
			continue
		}
		if text, err := c.Text(i); err == nil {
			all = append(all, parse(text, c.Folder(i))...)
		}
	}
	return all
}

// parse reads the PSR-4 folders of a composer.json in a folder.
func parse(text []byte, folder string) (all []Autoload) {
	var file map[string]json.RawMessage
	if json.Unmarshal(text, &file) != nil {
		return nil
	}
	for _, key := range []string{"autoload", "autoload-dev"} {
		var section struct {
			PSR4 map[string]any `json:"psr-4"`
		}
		if json.Unmarshal(file[key], &section) != nil {
			continue
		}
		for prefix, to := range section.PSR4 {
			list, ok := to.([]any)
			if !ok {
				list = []any{to}
			}
			for _, dir := range list {
				if dir, ok := dir.(string); ok {
					all = append(all, Autoload{prefix, path.Join(folder, dir)})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b Autoload) int { return strings.Compare(a.prefix+a.folder, b.prefix+b.folder) })
	return all
}
