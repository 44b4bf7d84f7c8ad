package packages

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// Places are the folders where package managers keep what they load, absolute, in
// the order in which they are looked into; one may be a pattern of filepath.Glob.
// An empty one is not looked into.
type Places struct {
	GoModCache string
	CargoHome  string
	Venv       string   // the environment of Python that the user is in
	Python     []string // site-packages of interpreters
	Gems       []string // folders of gems
	Stores     []string // folders to which links in node_modules may lead
}

// StandardPlaces are those that the environment of a user names, and where
// package managers and systems keep packages by themselves.
func StandardPlaces(env map[string]string, home string) Places {
	below := func(path ...string) string {
		if home == "" {
			return ""
		}
		return filepath.Join(append([]string{home}, path...)...)
	}
	goPath, _, _ := strings.Cut(env["GOPATH"], string(filepath.ListSeparator))
	if goPath == "" {
		goPath = below("go")
	}
	modules := ""
	if goPath != "" {
		modules = filepath.Join(goPath, "pkg", "mod")
	}
	p := Places{
		GoModCache: absolute(cmp.Or(env["GOMODCACHE"], modules)),
		CargoHome:  absolute(cmp.Or(env["CARGO_HOME"], below(".cargo"))),
		Venv:       absolute(env["VIRTUAL_ENV"]),
		Python: []string{
			below(".local/lib/python3*/site-packages"), "/usr/local/lib/python3*/dist-packages", "/usr/local/lib/python3*/site-packages",
			"/usr/lib/python3/dist-packages", "/usr/lib/python3*/site-packages", "/opt/homebrew/lib/python3*/site-packages",
		},
		Gems: []string{
			below(".rbenv/versions/*/lib/ruby/gems/*/gems"), below(".gem/ruby/*/gems"), below(".local/share/gem/ruby/*/gems"),
			"/usr/local/lib/ruby/gems/*/gems", "/var/lib/gems/*/gems", "/usr/lib/ruby/gems/*/gems", "/usr/share/rubygems-integration/*/gems",
		},
		Stores: []string{absolute(env["PNPM_HOME"]), below(".local/share/pnpm"), below("Library/pnpm"), below(".bun/install/cache")},
	}
	if gems := absolute(env["GEM_HOME"]); gems != "" {
		p.Gems = append([]string{filepath.Join(gems, "gems")}, p.Gems...)
	}
	p.Python, p.Gems, p.Stores = named(p.Python), named(p.Gems), named(p.Stores)
	return p
}

// absolute is a path that is absolute, empty for any other: a relative one would
// be another folder in each repository.
func absolute(path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}

func named(paths []string) []string {
	return slices.DeleteFunc(paths, func(p string) bool { return p == "" })
}

// matches are the folders that patterns mean, in the order of the patterns.
func matches(patterns []string) (dirs []string) {
	for _, p := range patterns {
		found, _ := filepath.Glob(p)
		dirs = append(dirs, found...)
	}
	return dirs
}
