package rules

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"espy/internal/resolve/corpus"
)

// autoload is a line of composer.json: the folder with the types of a namespace.
type autoload struct {
	prefix string // with a separator at its end
	folder string
}

// loads reports whether the type of a name is loaded from a path.
func (a autoload) loads(namespace, name, from string) bool {
	full := namespace + `\` + name
	rest, ok := strings.CutPrefix(full, a.prefix)
	return ok && from == path.Join(a.folder, strings.ReplaceAll(rest, `\`, "/")+".php")
}

// readAutoloads reads the composer.json files of a corpus.
func readAutoloads(c *corpus.Corpus) (all []autoload) {
	for i := range c.Files() {
		if p := c.Path(i); p != "composer.json" && !strings.HasSuffix(p, "/composer.json") {
			continue
		}
		if text, err := c.Text(i); err == nil {
			all = append(all, parseAutoloads(text, c.Folder(i))...)
		}
	}
	return all
}

// parseAutoloads reads the PSR-4 folders of a composer.json in a folder.
func parseAutoloads(text []byte, folder string) (all []autoload) {
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
					all = append(all, autoload{prefix, path.Join(folder, dir)})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b autoload) int { return strings.Compare(a.prefix+a.folder, b.prefix+b.folder) })
	return all
}
