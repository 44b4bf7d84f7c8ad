package manifest

import (
	"cmp"
	"encoding/xml"
	"path"
	"strings"

	"espy/internal/pattern"
)

// lines yields the lines of a text with their numbers.
func lines(text string, do func(n int, line string)) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		do(n, strings.TrimRight(line, "\r\n"))
	}
}

// readGoMod reads a go.mod.
func readGoMod(text string, m *Manifest) {
	block := ""
	lines(text, func(n int, line string) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			return
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			return
		case words[0] == ")":
			block = ""
			return
		case block != "":
			words = append([]string{block}, words...)
		}
		switch {
		case words[0] == "module" && len(words) > 1:
			m.Name = strings.Trim(words[1], `"`)
			m.imports(m.Name)
		case words[0] == "require" && len(words) > 2:
			m.Dependencies = append(m.Dependencies, Dependency{strings.Trim(words[1], `"`), words[2], n})
		}
	})
}

// readRequirements reads a list of requirements for pip.
func readRequirements(text string, m *Manifest) {
	lines(text, func(n int, line string) { m.requirement(line, n) })
}

// readSetupCfg reads the requirements and commands of a setup.cfg.
func readSetupCfg(text string, m *Manifest) {
	section, key := "", ""
	lines(text, func(n int, line string) {
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
		case trimmed[0] == '[':
			section, key = strings.Trim(trimmed, "[]"), ""
		case line[0] != ' ' && line[0] != '\t':
			name, value, _ := strings.Cut(trimmed, "=")
			key = strings.TrimSpace(name)
			switch value = strings.TrimSpace(value); {
			case section != "metadata":
			case key == "name":
				m.Name = value
			case key == "version" && !strings.Contains(value, ":"): // else read from elsewhere
				m.Version = value
			}
		case section == "options" && key == "install_requires", section == "options.extras_require":
			m.requirement(trimmed, n)
		case section == "options.entry_points" && (key == "console_scripts" || key == "gui_scripts"):
			m.command(trimmed, n)
		}
	})
}

// command adds a command that is written as NAME = TARGET.
func (m *Manifest) command(line string, at int) {
	if name, target, ok := strings.Cut(line, "="); ok {
		m.Entries = append(m.Entries, Entry{strings.TrimSpace(name), "command", strings.TrimSpace(target), at})
	}
}

// inSetup is what a setup.py writes as texts: its name, commands and requirements.
var (
	setupName    = pattern.New(`(?m)^\s*name\s*=\s*["']([\w.-]+)["']`)
	setupCommand = pattern.New(`["']([\w.-]+)\s*=\s*([\w.]+:[\w.]+)["']`)
	setupLists   = pattern.New(`(?s)(?:install_requires|tests_require|setup_requires)\s*=\s*\[(.*?)\]`)
	quotedText   = pattern.New(`["']([^"'\n]+)["']`)
)

// readSetupPy reads what a setup.py writes as texts. What it works out is not known.
func readSetupPy(text string, m *Manifest) {
	if name := setupName().FindStringSubmatch(text); name != nil {
		m.Name = name[1]
	}
	for _, c := range setupCommand().FindAllStringSubmatch(text, -1) {
		m.Entries = append(m.Entries, Entry{c[1], "command", c[2], lineOf(text, c[0])})
	}
	for _, list := range setupLists().FindAllStringSubmatchIndex(text, -1) {
		first := strings.Count(text[:list[2]], "\n") + 1
		for _, q := range quotedText().FindAllStringSubmatchIndex(text[list[2]:list[3]], -1) {
			within := text[list[2]:list[3]]
			m.requirement(within[q[2]:q[3]], first+strings.Count(within[:q[2]], "\n"))
		}
	}
}

// readPom reads a pom.xml. A version that a parent or a property gives stays as written.
func readPom(text string, m *Manifest) {
	var p struct {
		GroupID    string `xml:"groupId"`
		ArtifactID string `xml:"artifactId"`
		Version    string `xml:"version"`
		Parent     struct {
			GroupID string `xml:"groupId"`
			Version string `xml:"version"`
		} `xml:"parent"`
		Dependencies []pomDependency `xml:"dependencies>dependency"`
		Managed      []pomDependency `xml:"dependencyManagement>dependencies>dependency"`
	}
	if xml.Unmarshal([]byte(text), &p) != nil {
		return
	}
	group := p.GroupID
	if group == "" {
		group = p.Parent.GroupID
	}
	m.Name, m.Version = strings.Trim(group+":"+p.ArtifactID, ":"), p.Version
	if m.Version == "" {
		m.Version = p.Parent.Version
	}
	for _, d := range append(p.Dependencies, p.Managed...) {
		m.Dependencies = append(m.Dependencies, Dependency{d.Group + ":" + d.Artifact, d.Version, lineOf(text, "<artifactId>"+d.Artifact+"<")})
	}
}

type pomDependency struct {
	Group    string `xml:"groupId"`
	Artifact string `xml:"artifactId"`
	Version  string `xml:"version"`
}

var gradleDependency = pattern.New(`^\s*(?:api|implementation|compile|compileOnly|runtimeOnly|testImplementation|testCompile|androidTestImplementation|annotationProcessor|kapt)\s*[( ]\s*["']([\w.-]+:[\w.-]+)(?::([^"'@]+))?["']`)

// readGradle reads the dependencies that a Gradle build writes as texts.
func readGradle(text string, m *Manifest) {
	lines(text, func(n int, line string) {
		if d := gradleDependency().FindStringSubmatch(line); d != nil {
			m.Dependencies = append(m.Dependencies, Dependency{d[1], d[2], n})
		}
	})
}

var gem = pattern.New(`^\s*(?:gem|\w+\.add(?:_runtime|_development)?_dependency)[ (]\s*["']([\w.-]+)["'](?:\s*,\s*["']([^"']+)["'])?`)

var gemName = pattern.New(`^\s*\w+\.name\s*=\s*["']([\w.-]+)["']`)

// readGemfile reads a Gemfile or a gemspec.
func readGemfile(text string, m *Manifest) {
	lines(text, func(n int, line string) {
		if name := gemName().FindStringSubmatch(line); name != nil && m.Name == "" {
			m.Name = name[1]
		}
		if d := gem().FindStringSubmatch(line); d != nil {
			m.Dependencies = append(m.Dependencies, Dependency{d[1], d[2], n})
		}
	})
}

// readProject reads a project of .NET: its package, which bears the name of the file
// where none is written, and what it refers to.
func readProject(text string, m *Manifest) {
	var p struct {
		Groups []struct {
			PackageID     string `xml:"PackageId"`
			AssemblyName  string
			RootNamespace string
		} `xml:"PropertyGroup"`
		Items []struct {
			Packages []struct {
				Include string `xml:",attr"`
				Version string `xml:",attr"`
			} `xml:"PackageReference"`
		} `xml:"ItemGroup"`
	}
	if xml.Unmarshal([]byte(text), &p) != nil {
		return
	}
	m.Name = strings.TrimSuffix(path.Base(m.Path), path.Ext(m.Path))
	for _, g := range p.Groups {
		m.Name = cmp.Or(g.PackageID, g.AssemblyName, m.Name)
		m.imports(g.RootNamespace)
	}
	m.imports(m.Name)
	for _, items := range p.Items {
		for _, d := range items.Packages {
			if d.Include != "" {
				m.Dependencies = append(m.Dependencies, Dependency{d.Include, d.Version, lineOf(text, `"`+d.Include+`"`)})
			}
		}
	}
}

// readPubspec reads a pubspec.yaml (https://dart.dev/tools/pub/pubspec) line by line, as it is
// mostly written: a key stands on a line of its own.
func readPubspec(text string, m *Manifest) {
	section, indent := "", ""
	lines(text, func(n int, line string) {
		key, value, ok := strings.Cut(line, ":")
		value, _, _ = strings.Cut(value, " #")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		name := strings.TrimLeft(key, " ")
		in := key[:len(key)-len(name)]
		name = strings.Trim(name, `"'`)
		switch {
		case !ok || name == "" || name[0] == '#':
		case in == "":
			section, indent = name, ""
			switch name {
			case "name":
				m.Name = value
				m.imports(value)
			case "version":
				m.Version = value
			case "publish_to":
				m.Private = value == "none"
			}
		case section != "dependencies" && section != "dev_dependencies":
		case indent == "" || in == indent:
			indent = in
			m.Dependencies = append(m.Dependencies, Dependency{name, value, n})
		case len(m.Dependencies) > 0 && value != "" && (name == "path" || name == "version"):
			m.Dependencies[len(m.Dependencies)-1].Version = value
		}
	})
}

var (
	makeTarget   = pattern.New(`^([A-Za-z0-9][\w./-]*)\s*:(?:[^=:]|$)`)
	cmakeProgram = pattern.New(`(?i)^\s*add_executable\s*\(\s*([\w.-]+)`)
	cmakeProject = pattern.New(`(?i)^\s*project\s*\(\s*([\w.-]+)`)
)

// readMakefile reads the targets of a makefile.
func readMakefile(text string, m *Manifest) {
	seen := map[string]bool{}
	lines(text, func(n int, line string) {
		if t := makeTarget().FindStringSubmatch(line); t != nil && !seen[t[1]] && !strings.Contains(t[1], ".") && !strings.Contains(t[1], "/") {
			seen[t[1]] = true
			m.Entries = append(m.Entries, Entry{Name: t[1], Kind: "target", Line: n})
		}
	})
}

// readCMake reads the programs of a CMakeLists.txt.
func readCMake(text string, m *Manifest) {
	lines(text, func(n int, line string) {
		if p := cmakeProject().FindStringSubmatch(line); p != nil && m.Name == "" {
			m.Name = p[1]
		}
		if p := cmakeProgram().FindStringSubmatch(line); p != nil {
			m.Entries = append(m.Entries, Entry{Name: p[1], Kind: "program", Line: n})
		}
	})
}

// readDockerfile reads what an image starts.
func readDockerfile(text string, m *Manifest) {
	lines(text, func(n int, line string) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if w := strings.ToUpper(word); (w == "ENTRYPOINT" || w == "CMD") && rest != "" {
			m.Entries = append(m.Entries, Entry{Name: strings.ToLower(w), Kind: "image", Target: strings.TrimSpace(rest), Line: n})
		}
	})
}
