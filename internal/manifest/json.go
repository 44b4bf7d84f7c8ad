package manifest

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// readPackageJSON reads a package.json.
func readPackageJSON(text string, m *Manifest) {
	var p struct {
		Name, Version                                                         string
		Main                                                                  string
		Private                                                               bool
		Bin                                                                   json.RawMessage
		Scripts                                                               map[string]string
		Dependencies, DevDependencies, PeerDependencies, OptionalDependencies map[string]string
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		return
	}
	m.Name, m.Version, m.Private = p.Name, p.Version, p.Private
	m.imports(p.Name)
	seen := map[string]bool{}
	for _, group := range []map[string]string{p.Dependencies, p.PeerDependencies, p.OptionalDependencies, p.DevDependencies} {
		for _, name := range slices.Sorted(maps.Keys(group)) {
			if !seen[name] {
				seen[name] = true
				m.Dependencies = append(m.Dependencies, Dependency{name, group[name], keyLine(text, name)})
			}
		}
	}
	for _, name := range []string{"start", "dev", "build", "test"} {
		if run, ok := p.Scripts[name]; ok {
			m.Entries = append(m.Entries, Entry{name, "script", run, keyLine(text, name)})
		}
	}
	readBin(text, p.Bin, m)
}

// readBin reads the commands that a package installs: one under its own name, or several.
func readBin(text string, bin json.RawMessage, m *Manifest) {
	var one string
	if json.Unmarshal(bin, &one) == nil && one != "" {
		name := m.Name[strings.LastIndexByte(m.Name, '/')+1:]
		m.Entries = append(m.Entries, Entry{name, "command", one, keyLine(text, "bin")})
		return
	}
	var several map[string]string
	if json.Unmarshal(bin, &several) == nil {
		for _, name := range slices.Sorted(maps.Keys(several)) {
			m.Entries = append(m.Entries, Entry{name, "command", several[name], keyLine(text, name)})
		}
	}
}

// keyLine is the line of a key of a JSON text: the first that is written with a
// colon behind it.
func keyLine(text, key string) int {
	quoted := strconv.Quote(key)
	for from := 0; ; {
		i := strings.Index(text[from:], quoted)
		if i < 0 {
			return 1
		}
		from += i + len(quoted)
		if strings.HasPrefix(strings.TrimLeft(text[from:], " \t\r\n"), ":") {
			return strings.Count(text[:from], "\n") + 1
		}
	}
}

// readComposer reads a composer.json.
func readComposer(text string, m *Manifest) {
	var p struct {
		Name       string
		Version    string
		Bin        []string
		Require    map[string]string
		RequireDev map[string]string `json:"require-dev"`
		Autoload   struct {
			PSR4 map[string]any `json:"psr-4"`
			PSR0 map[string]any `json:"psr-0"`
		}
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		return
	}
	m.Name, m.Version = p.Name, p.Version
	for _, spaces := range []map[string]any{p.Autoload.PSR4, p.Autoload.PSR0} {
		for _, space := range slices.Sorted(maps.Keys(spaces)) {
			m.imports(strings.Trim(space, `\`))
		}
	}
	for _, group := range []map[string]string{p.Require, p.RequireDev} {
		for _, name := range slices.Sorted(maps.Keys(group)) {
			m.Dependencies = append(m.Dependencies, Dependency{name, group[name], keyLine(text, name)})
		}
	}
	for _, bin := range p.Bin {
		m.Entries = append(m.Entries, Entry{bin[strings.LastIndexByte(bin, '/')+1:], "command", bin, lineOf(text, strconv.Quote(bin))})
	}
}
