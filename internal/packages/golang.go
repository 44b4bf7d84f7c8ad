package packages

import (
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"espy/internal/manifest"
)

// golang lists the modules that the go.mod files of a repository require.
func (f *finder) golang() {
	own := map[string]string{} // folders of the modules of the repository, by module
	for _, m := range f.in.Manifests {
		if path.Base(m.Path) == "go.mod" {
			own[parseGoMod(string(m.Text)).module] = path.Dir(m.Path)
		}
	}
	for _, m := range f.in.Manifests {
		if path.Base(m.Path) != "go.mod" {
			continue
		}
		mod := parseGoMod(string(m.Text))
		for _, r := range mod.requires {
			if _, ok := own[r.name]; !ok {
				f.module(m.Path, mod, r)
			}
		}
	}
}

// module adds what a go.mod requires.
func (f *finder) module(from string, mod *goMod, r goRequire) {
	p := Package{Ecosystem: manifest.Go, Name: r.name, Version: r.version, Wanted: r.version, Direct: !r.indirect && !isFixture(from), Path: from, Line: r.line}
	at := goRequire{name: r.name, version: r.version}
	for _, to := range mod.replaces {
		if to.old == r.name && (to.oldVersion == "" || to.oldVersion == r.version) {
			at = goRequire{name: to.name, version: to.version}
		}
	}
	folder := path.Dir(from)
	switch {
	case plain(r.name) && f.within(path.Join(folder, "vendor", r.name), &p):
	case at.version == "" && !path.IsAbs(at.name) && filepath.IsLocal(path.Join(folder, at.name)):
		if !f.within(path.Join(folder, at.name), &p) && p.Lacks == "" {
			p.Lacks = "replaced by " + at.name + ", which is not there"
		}
	case at.version == "":
		p.Lacks = "replaced by " + at.name + ", which is outside the repository"
	case f.places.GoModCache == "":
		p.Lacks = "the folder of Go's module cache is not known"
	case !plain(at.name) || !plain(at.version) || strings.Contains(at.version, "/"):
		p.Lacks = "its name cannot be a folder of the module cache"
	default:
		if f.beside(filepath.Join(f.places.GoModCache, filepath.FromSlash(escapeModule(at.name)+"@"+escapeModule(at.version))), &p) {
			p.Source.Fixed = true
		} else if strings.HasPrefix(p.Lacks, "not in ") {
			p.Lacks = "not in the module cache: go mod download brings it"
		}
	}
	f.add(p)
}

// escapeModule writes capitals as the module cache does: ! and the small letter.
func escapeModule(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsUpper(r) && r < unicode.MaxASCII {
			b.WriteByte('!')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isFixture reports whether a manifest is one of what tests run on.
func isFixture(p string) bool {
	for part := range strings.SplitSeq(path.Dir(p), "/") {
		switch part {
		case "testdata", "fixtures", "__fixtures__", "examples", "example":
			return true
		}
	}
	return false
}

// goMod is what a go.mod says.
type goMod struct {
	module   string
	requires []goRequire
	replaces []goReplace
}

type goRequire struct {
	name, version string
	indirect      bool
	line          int
}

type goReplace struct{ old, oldVersion, name, version string }

// parseGoMod reads a go.mod.
func parseGoMod(text string) *goMod {
	m := &goMod{}
	block, n := "", 0
	for line := range strings.Lines(text) {
		n++
		line, comment, _ := strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case words[0] == ")":
			block = ""
			continue
		case block != "":
			words = append([]string{block}, words...)
		}
		for i := range words {
			words[i] = strings.Trim(words[i], "\"`")
		}
		m.directive(words, strings.HasPrefix(strings.TrimSpace(comment), "indirect"), n)
	}
	return m
}

// directive takes one line of a go.mod.
func (m *goMod) directive(words []string, indirect bool, line int) {
	switch {
	case words[0] == "module" && len(words) > 1:
		m.module = words[1]
	case words[0] == "require" && len(words) > 2:
		m.requires = append(m.requires, goRequire{words[1], words[2], indirect, line})
	case words[0] == "replace" && len(words) == 4 && words[2] == "=>":
		m.replaces = append(m.replaces, goReplace{old: words[1], name: words[3]})
	case words[0] == "replace" && len(words) == 5 && words[2] == "=>":
		m.replaces = append(m.replaces, goReplace{words[1], "", words[3], words[4]})
	case words[0] == "replace" && len(words) == 5 && words[3] == "=>":
		m.replaces = append(m.replaces, goReplace{words[1], words[2], words[4], ""})
	case words[0] == "replace" && len(words) == 6 && words[3] == "=>":
		m.replaces = append(m.replaces, goReplace{words[1], words[2], words[4], words[5]})
	}
}
