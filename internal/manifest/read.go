package manifest

import (
	"path"
	"slices"
	"strings"
)

// reader reads one kind of file.
type reader struct {
	tool      string
	ecosystem Ecosystem
	read      func(text string, m *Manifest)
}

// byName are the readers by the names of files.
var byName = map[string]reader{
	"go.mod":         {"Go modules", Go, readGoMod},
	"package.json":   {"npm", Npm, readPackageJSON},
	"Cargo.toml":     {"Cargo", Cargo, readCargo},
	"pyproject.toml": {"Python", Python, readPyproject},
	"Pipfile":        {"Pipenv", Python, readPipfile},
	"setup.cfg":      {"setuptools", Python, readSetupCfg},
	"setup.py":       {"setuptools", Python, readSetupPy},
	"pom.xml":        {"Maven", Maven, readPom},
	"composer.json":  {"Composer", PHP, readComposer},
	"Gemfile":        {"Bundler", Ruby, readGemfile},
	"Makefile":       {"make", None, readMakefile},
	"GNUmakefile":    {"make", None, readMakefile},
	"makefile":       {"make", None, readMakefile},
	"Dockerfile":     {"Docker", None, readDockerfile},
	"manage.py":      {"Django", None, readNothing},
	"CMakeLists.txt": {"CMake", None, readCMake},
	"meson.build":    {"Meson", None, readNothing},
	"configure.ac":   {"Autotools", None, readNothing},
	"MODULE.bazel":   {"Bazel", None, readNothing},
	"WORKSPACE":      {"Bazel", None, readNothing},
	"mix.exs":        {"Mix", None, readNothing},
	"Package.swift":  {"Swift packages", None, readNothing},
	"build.zig":      {"Zig", None, readNothing},
	"rebar.config":   {"Rebar", None, readNothing},
	"dune-project":   {"Dune", None, readNothing},
	"stack.yaml":     {"Stack", None, readNothing},
	"build.sbt":      {"sbt", None, readNothing},
	"Rakefile":       {"Rake", None, readNothing},
	"justfile":       {"just", None, readNothing},
	"Taskfile.yml":   {"Task", None, readNothing},
	"SConstruct":     {"SCons", None, readNothing},
	"xmake.lua":      {"xmake", None, readNothing},
	"vcpkg.json":     {"vcpkg", None, readNothing},
	"conanfile.py":   {"Conan", None, readNothing},
	"conanfile.txt":  {"Conan", None, readNothing},
	"Podfile":        {"CocoaPods", None, readNothing},
	"pubspec.yaml":   {"Dart packages", Pub, readPubspec},
	"deno.json":      {"Deno", None, readNothing},
	"elm.json":       {"Elm", None, readNothing},
	"gleam.toml":     {"Gleam", None, readNothing},
	"shard.yml":      {"Shards", None, readNothing},
	"dub.json":       {"Dub", None, readNothing},
	"dub.sdl":        {"Dub", None, readNothing},
	"fpm.toml":       {"fpm", None, readNothing},
	"alire.toml":     {"Alire", None, readNothing},
	"foundry.toml":   {"Foundry", None, readNothing},
	"lakefile.lean":  {"Lake", None, readNothing},
	"lakefile.toml":  {"Lake", None, readNothing},
	"project.clj":    {"Leiningen", None, readNothing},
	"deps.edn":       {"Clojure", None, readNothing},
	"Project.toml":   {"Julia packages", None, readNothing},
	"cpanfile":       {"CPAN", None, readNothing},
	"flake.nix":      {"Nix", None, readNothing},
	"Chart.yaml":     {"Helm", None, readNothing},
	"ansible.cfg":    {"Ansible", None, readNothing},
	"Pulumi.yaml":    {"Pulumi", None, readNothing},
	"mkdocs.yml":     {"MkDocs", None, readNothing},
	"compose.yaml":   {"Docker Compose", None, readNothing},

	"AndroidManifest.xml": {"", None, readAndroid},

	"kustomization.yaml": {"Kustomize", None, readNothing}, "docker-compose.yml": {"Docker Compose", None, readNothing},

	"build.gradle": {"Gradle", Maven, readGradle}, "build.gradle.kts": {"Gradle", Maven, readGradle},
}

// find is the reader of a path, if it has one.
func find(p string) (reader, bool) {
	base := path.Base(p)
	if r, ok := byName[base]; ok {
		return r, true
	}
	switch ext := path.Ext(base); {
	case ext == ".txt" && (strings.HasPrefix(base, "requirements") || path.Base(path.Dir(p)) == "requirements"):
		return reader{"pip", Python, readRequirements}, true
	case ext == ".csproj" || ext == ".fsproj" || ext == ".vbproj":
		return reader{".NET", NuGet, readProject}, true
	case ext == ".gemspec":
		return reader{"RubyGems", Ruby, readGemfile}, true
	case ext == ".cabal":
		return reader{"Cabal", None, readNothing}, true
	case ext == ".nimble":
		return reader{"Nimble", None, readNothing}, true
	case ext == ".rockspec":
		return reader{"LuaRocks", None, readNothing}, true
	case strings.HasPrefix(base, "Dockerfile.") || ext == ".dockerfile":
		return reader{"Docker", None, readDockerfile}, true
	}
	return reader{}, false
}

// Is reports whether a path is that of a manifest.
func Is(p string) bool { _, ok := find(p); return ok }

// maxText bounds the bytes of a manifest that is read: more is no manifest of a person.
const maxText = 1 << 20

// Read reads a manifest; ok is false of a path that is none. What cannot be read
// says nothing.
func Read(p string, text []byte) (m Manifest, ok bool) {
	r, ok := find(p)
	if !ok {
		return m, false
	}
	m = Manifest{Path: p, Tool: r.tool, Ecosystem: r.ecosystem}
	if len(text) <= maxText {
		r.read(string(text), &m)
	}
	slices.SortStableFunc(m.Dependencies, func(a, b Dependency) int { return strings.Compare(a.Name, b.Name) })
	return m, true
}

func readNothing(string, *Manifest) {}
