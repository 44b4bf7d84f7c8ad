// Package manifest reads the files by which build tools and package managers know
// a project: its name, what it depends on, and what it starts with. It reads what
// is written; nothing is run, and what only a run would tell is not known.
package manifest

import (
	"slices"
	"strings"
)

// Ecosystem is where the dependencies of a manifest come from.
type Ecosystem string

// The ecosystems.
const (
	Go     Ecosystem = "go"
	Npm    Ecosystem = "npm"
	Cargo  Ecosystem = "cargo"
	Python Ecosystem = "python"
	Maven  Ecosystem = "maven" // also Gradle
	PHP    Ecosystem = "composer"
	Ruby   Ecosystem = "rubygems"
	NuGet  Ecosystem = "nuget"
	Pub    Ecosystem = "pub"
	None   Ecosystem = "" // build files without dependencies of their own
)

// Manifest is what one file says.
type Manifest struct {
	Path         string
	Tool         string // that builds by it: "Go modules", "npm", ...; empty where it is only a part
	Ecosystem    Ecosystem
	Name         string   // of the package, empty where none is written
	Version      string   // of the package, as written; empty where none is
	Imports      []string // what code imports the package by, where that is written; else what its files say
	Private      bool     // the package is not to be published
	Dependencies []Dependency
	Entries      []Entry
}

// Dependency is a package that a manifest asks for.
type Dependency struct {
	Name    string
	Version string // as written, empty where none is
	Line    int
}

// Entry is something that can be started.
type Entry struct {
	Name   string // of the command, script or target
	Kind   string // "command", "script", "target", "image", "program"
	Target string // what it starts, as written; empty where none is
	Line   int
}

// lineOf is the number of the first line from which a text has a part.
func lineOf(text, part string) int {
	i := strings.Index(text, part)
	if i < 0 {
		return 1
	}
	return strings.Count(text[:i], "\n") + 1
}

// imports notes what code imports the package by.
func (m *Manifest) imports(name string) {
	if name != "" && !slices.Contains(m.Imports, name) {
		m.Imports = append(m.Imports, name)
	}
}
