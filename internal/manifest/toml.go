package manifest

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"espy/internal/pattern"
)

// table is a table of a TOML file.
type table map[string]any

func (t table) in(keys ...string) table {
	for _, k := range keys {
		next, _ := t[k].(map[string]any)
		t = next
	}
	return t
}

func (t table) text(key string) string {
	s, _ := t[key].(string)
	return s
}

func (t table) list(key string) (all []string) {
	list, _ := t[key].([]any)
	for _, v := range list {
		if s, ok := v.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

func parseTOML(text string) table {
	t := map[string]any{}
	if toml.Unmarshal([]byte(text), &t) != nil {
		return table{}
	}
	return t
}

// tomlLine is the line on which a key, a quoted text or a table is written first.
func tomlLine(text, name string) int {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(strings.TrimLeft(line, `"'`), name); ok && strings.HasPrefix(strings.TrimLeft(rest, `"' `), "=") ||
			strings.HasPrefix(line, "[") && strings.HasSuffix(strings.TrimRight(line, `"]' `), "."+name) {
			return n
		}
	}
	return lineOf(text, name)
}

// readCargo reads a Cargo.toml.
func readCargo(text string, m *Manifest) {
	t := parseTOML(text)
	m.Name, m.Version = t.in("package").text("name"), t.in("package").text("version")
	m.imports(strings.ReplaceAll(cmp.Or(t.in("lib").text("name"), m.Name), "-", "_"))
	groups := []table{t, t.in("workspace")}
	for _, name := range slices.Sorted(maps.Keys(t.in("target"))) {
		groups = append(groups, t.in("target", name))
	}
	for _, group := range groups {
		for _, kind := range []string{"dependencies", "dev-dependencies", "build-dependencies"} {
			for _, name := range slices.Sorted(maps.Keys(group.in(kind))) {
				m.Dependencies = append(m.Dependencies, Dependency{name, versionOf(group.in(kind)[name]), tomlLine(text, name)})
			}
		}
	}
	bins, _ := t["bin"].([]any)
	for _, bin := range bins {
		if b, ok := bin.(map[string]any); ok {
			name := table(b).text("name")
			m.Entries = append(m.Entries, Entry{name, "command", table(b).text("path"), lineOf(text, name)})
		}
	}
}

// versionOf is the version of a dependency, which is a text or stands in a table.
func versionOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		return cmp.Or(table(v).text("version"), table(v).text("path"), table(v).text("git"))
	}
	return ""
}

// readPyproject reads a pyproject.toml: the standard tables and those of Poetry.
func readPyproject(text string, m *Manifest) {
	t := parseTOML(text)
	project, poetry := t.in("project"), t.in("tool", "poetry")
	m.Name, m.Version = cmp.Or(project.text("name"), poetry.text("name")), cmp.Or(project.text("version"), poetry.text("version"))
	lists := [][]string{project.list("dependencies")}
	for _, groups := range []table{project.in("optional-dependencies"), t.in("dependency-groups")} {
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			lists = append(lists, groups.list(name))
		}
	}
	for _, list := range lists {
		for _, line := range list {
			m.requirement(line, lineOf(text, line))
		}
	}
	tables := []table{poetry.in("dependencies"), poetry.in("dev-dependencies")}
	for _, name := range slices.Sorted(maps.Keys(poetry.in("group"))) {
		tables = append(tables, poetry.in("group", name, "dependencies"))
	}
	for _, deps := range tables {
		for _, name := range slices.Sorted(maps.Keys(deps)) {
			if name != "python" {
				m.Dependencies = append(m.Dependencies, Dependency{name, versionOf(deps[name]), tomlLine(text, name)})
			}
		}
	}
	for _, scripts := range []table{project.in("scripts"), project.in("gui-scripts"), poetry.in("scripts")} {
		for _, name := range slices.Sorted(maps.Keys(scripts)) {
			m.Entries = append(m.Entries, Entry{name, "command", scripts.text(name), tomlLine(text, name)})
		}
	}
}

// readPipfile reads a Pipfile.
func readPipfile(text string, m *Manifest) {
	t := parseTOML(text)
	for _, kind := range []string{"packages", "dev-packages"} {
		for _, name := range slices.Sorted(maps.Keys(t.in(kind))) {
			m.Dependencies = append(m.Dependencies, Dependency{name, versionOf(t.in(kind)[name]), tomlLine(text, name)})
		}
	}
}

// requirement is a package and its version in the way of pip (PEP 508).
var requirement = pattern.New(`^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;#)]*)`)

// requirement adds a requirement in the way of pip.
func (m *Manifest) requirement(line string, at int) {
	if parts := requirement().FindStringSubmatch(strings.TrimSpace(line)); parts != nil {
		m.Dependencies = append(m.Dependencies, Dependency{parts[1], strings.TrimSpace(parts[2]), at})
	}
}
