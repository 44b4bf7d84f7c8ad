package rust

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/resolve/corpus"
)

// Crate is what the Cargo.toml of a folder says.
type Crate struct {
	name    string            // of its library
	folder  string            // of the Cargo.toml
	library string            // path of the top module of the library where it is written, else empty
	tops    []string          // paths of the top modules that are written
	renamed map[string]string // names of crates by what this one calls them
}

// ReadCrates reads the Cargo.toml files, the deepest folder first.
func ReadCrates(c *corpus.Corpus) []Crate {
	var all []Crate
	for i := range c.Files() {
		if path.Base(c.Path(i)) != "Cargo.toml" {
			continue
		}
		if text, err := c.Text(i); err == nil {
			if crate := readCargo(string(text), c.Folder(i)); crate.name != "" || len(crate.renamed) > 0 {
				all = append(all, crate)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Crate) int { return cmp.Compare(len(b.folder), len(a.folder)) })
	return all
}

// readCargo reads the names and paths in a Cargo.toml.
func readCargo(text, folder string) Crate {
	c := Crate{folder: folder, renamed: map[string]string{}}
	section, pkg := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[] \t")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if key, value = strings.TrimSpace(key), strings.TrimSpace(value); !ok {
			continue
		}
		kind, dependency := dependencySection(section)
		switch {
		case kind && dependency != "":
			if key == "package" {
				c.renamed[codeName(dependency)] = codeName(tomlText(value))
			}
		case kind:
			if _, rest, ok := strings.Cut(value, "package"); ok {
				if _, rest, ok = strings.Cut(rest, "="); ok {
					c.renamed[codeName(key)] = codeName(tomlText(rest))
				}
			}
		case section == "package" && key == "name":
			pkg = tomlText(value)
		case section == "lib" && key == "name":
			c.name = tomlText(value)
		case key == "path" && slices.Contains([]string{"lib", "bin", "test", "example", "bench"}, section):
			if p, ok := corpus.Join(folder, tomlText(value)); ok {
				c.tops = append(c.tops, p)
				if section == "lib" {
					c.library = p
				}
			}
		}
	}
	c.name = codeName(cmp.Or(c.name, pkg))
	return c
}

// dependencySection reports whether a section lists dependencies, or says more of
// the one it returns.
func dependencySection(section string) (is bool, of string) {
	for _, word := range []string{"dependencies", "dev-dependencies", "build-dependencies"} {
		if section == word || strings.HasSuffix(section, "."+word) {
			return true, ""
		}
		if i := strings.LastIndex(section, word+"."); i == 0 || i > 0 && section[i-1] == '.' {
			return true, section[i+len(word)+1:]
		}
	}
	return false, ""
}

// tomlText is the text within the first quotes of a value.
func tomlText(value string) string {
	i := strings.IndexAny(value, "'\"")
	if i < 0 {
		return value
	}
	text, _, _ := strings.Cut(value[i+1:], value[i:i+1])
	return text
}

// codeName is the name that code has for a package.
func codeName(pkg string) string { return strings.ReplaceAll(strings.Trim(pkg, `"'`), "-", "_") }
