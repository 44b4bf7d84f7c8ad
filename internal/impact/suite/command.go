package suite

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Test is a file of tests to run.
type Test struct {
	Path      string
	Language  string
	Functions []string // of its tests, those to run; nil for all
}

// Command runs tests.
type Command struct {
	Dir  string // folder to run it in; empty for the root
	Args []string
	Why  string // the file that says that this is how
}

// Tree reads files of a repository by path; ok is false for one that is not there.
type Tree func(path string) (text string, ok bool)

// Commands are those that run some tests, as the files of the repository say. It
// knows none where these do not say.
func Commands(tests []Test, tree Tree) (all []Command) {
	for _, r := range runners {
		byRoot := map[string][]Test{}
		whys := map[string]string{}
		for _, t := range tests {
			if !slices.Contains(r.languages, t.Language) {
				continue
			}
			if root, why, ok := above(t.Path, r.markers, tree); ok {
				byRoot[root] = append(byRoot[root], t)
				whys[root] = why
			}
		}
		for _, root := range slices.Sorted(maps.Keys(byRoot)) {
			if args := r.args(root, byRoot[root], tree); args != nil {
				all = append(all, Command{strings.TrimPrefix(root, "."), args, whys[root]})
			}
		}
		tests = slices.DeleteFunc(slices.Clone(tests), func(t Test) bool {
			return slices.ContainsFunc(slices.Sorted(maps.Keys(byRoot)), func(root string) bool {
				return slices.ContainsFunc(byRoot[root], func(o Test) bool { return o.Path == t.Path })
			})
		})
	}
	return all
}

// runner is a program that runs tests, and how a repository shows that it is used.
type runner struct {
	languages []string
	markers   []marker
	args      func(root string, tests []Test, tree Tree) []string
}

// marker is a file in the folder of a test or above it that names a runner.
type marker struct {
	name string
	has  string // a text in it; empty for any
}

var script = []string{"javascript", "typescript", "vue", "svelte"}

var runners = []runner{
	{[]string{"go"}, []marker{{"go.mod", ""}}, goTest},
	{[]string{"python"}, []marker{{"pytest.ini", ""}, {"pyproject.toml", "pytest"}, {"setup.cfg", "pytest"}, {"tox.ini", "pytest"}}, paths("python", "-m", "pytest")},
	{[]string{"python"}, []marker{{"conftest.py", ""}}, paths("python", "-m", "pytest")},
	{[]string{"python"}, []marker{{"manage.py", "django"}}, modules("python", "manage.py", "test")},
	{[]string{"python"}, []marker{{"setup.py", ""}, {"pyproject.toml", ""}}, modules("python", "-m", "unittest")},
	{script, []marker{{"package.json", `"vitest"`}, {"vitest.config.ts", ""}, {"vitest.config.js", ""}, {"vitest.config.mts", ""}}, paths("npx", "vitest", "run")},
	{script, []marker{{"package.json", `"jest"`}, {"jest.config.js", ""}, {"jest.config.ts", ""}}, paths("npx", "jest")},
	{script, []marker{{"package.json", `"mocha"`}, {".mocharc.js", ""}, {".mocharc.json", ""}, {".mocharc.cjs", ""}}, paths("npx", "mocha")},
	{[]string{"rust"}, []marker{{"Cargo.toml", "[package]"}}, cargoTest},
	{[]string{"java", "kotlin", "groovy", "scala"}, []marker{{"pom.xml", ""}}, mavenTest},
	{[]string{"java", "kotlin", "groovy", "scala"}, []marker{{"settings.gradle", ""}, {"settings.gradle.kts", ""}}, gradleTest},
	{[]string{"java", "kotlin", "groovy", "scala"}, []marker{{"build.gradle", ""}, {"build.gradle.kts", ""}}, gradleTest},
	{[]string{"scala", "java"}, []marker{{"build.sbt", ""}, {"project/build.properties", "sbt.version"}}, sbtTest},
	{[]string{"scala", "java"}, []marker{{"build.sc", ""}, {"build.mill", ""}}, all("./mill", "__.test")},
	{[]string{"php"}, []marker{{"phpunit.xml", ""}, {"phpunit.xml.dist", ""}, {"composer.json", "phpunit"}}, paths("vendor/bin/phpunit")},
	{[]string{"ruby"}, []marker{{".rspec", ""}, {"Gemfile", "rspec"}}, paths("bundle", "exec", "rspec")},
	{[]string{"ruby"}, []marker{{"bin/rails", ""}, {"bin/test", ""}}, paths("bin/rails", "test")},
	{[]string{"elixir"}, []marker{{"mix.exs", ""}}, paths("mix", "test")},
	{[]string{"zig"}, []marker{{"build.zig", `step("test"`}}, all("zig", "build", "test")},
	{[]string{"d"}, []marker{{"dub.json", ""}, {"dub.sdl", ""}}, all("dub", "test")},
	{[]string{"dart"}, []marker{{"pubspec.yaml", "sdk: flutter"}}, paths("flutter", "test")},
	{[]string{"dart"}, []marker{{"pubspec.yaml", ""}}, paths("dart", "test")},
	{[]string{"ocaml"}, []marker{{"dune-project", ""}}, all("dune", "runtest")},
}

// above finds the nearest folder from that of a file upwards that has a marker.
func above(file string, markers []marker, tree Tree) (root, why string, ok bool) {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		for _, m := range markers {
			name := path.Join(dir, m.name)
			if text, ok := tree(name); ok && strings.Contains(text, m.has) {
				return dir, name, true
			}
		}
		if dir == "." || dir == "/" {
			return "", "", false
		}
	}
}

// below is a path relative to a folder that holds it.
func below(root, p string) string {
	if root == "." {
		return p
	}
	return strings.TrimPrefix(p, root+"/")
}

// paths makes a command that takes the paths of files.
func paths(words ...string) func(string, []Test, Tree) []string {
	return func(root string, tests []Test, _ Tree) []string {
		args := slices.Clone(words)
		for _, t := range tests {
			args = append(args, below(root, t.Path))
		}
		return args
	}
}

// all makes a command that runs every test of a project.
func all(words ...string) func(string, []Test, Tree) []string {
	return func(string, []Test, Tree) []string { return words }
}

// modules makes a command that takes dotted names.
func modules(words ...string) func(string, []Test, Tree) []string {
	return func(root string, tests []Test, _ Tree) []string {
		args := slices.Clone(words)
		for _, t := range tests {
			args = append(args, strings.ReplaceAll(strings.TrimSuffix(below(root, t.Path), ".py"), "/", "."))
		}
		return args
	}
}

// goTest names the packages, and the tests where those of every file are known.
func goTest(root string, tests []Test, _ Tree) []string {
	args := []string{"go", "test"}
	var packages, functions []string
	whole := false
	for _, t := range tests {
		dir := "./" + path.Dir(below(root, t.Path))
		if dir == "./." {
			dir = "."
		}
		packages = append(packages, dir)
		functions = append(functions, t.Functions...)
		whole = whole || len(t.Functions) == 0
	}
	slices.Sort(packages)
	args = append(args, slices.Compact(packages)...)
	slices.Sort(functions)
	if functions = slices.Compact(functions); !whole && len(functions) <= maxNamed {
		args = append(args, "-run", "^("+strings.Join(functions, "|")+")$")
	}
	return args
}

// maxNamed bounds the tests that a command names one by one.
const maxNamed = 30

// cargoTest names the programs of tests: the files of the folder tests, and the folders in it
// that have a main.rs. What other files are part of is not known, and other tests are within
// the library: all are run.
// Source: The Cargo Book, "Cargo Targets", "Integration tests".
func cargoTest(root string, tests []Test, tree Tree) []string {
	args := []string{"cargo", "test"}
	for _, t := range tests {
		name, ok := strings.CutPrefix(below(root, t.Path), "tests/")
		if folder, _, nested := strings.Cut(name, "/"); nested {
			_, main := tree(path.Join(root, "tests", folder, "main.rs"))
			name, ok = folder, ok && main
		}
		if !ok {
			return []string{"cargo", "test"}
		}
		if name = strings.TrimSuffix(name, ".rs"); !slices.Contains(args[2:], name) {
			args = append(args, "--test", name)
		}
	}
	return args
}

func className(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

func mavenTest(_ string, tests []Test, _ Tree) []string {
	var classes []string
	for _, t := range tests {
		classes = append(classes, className(t.Path))
	}
	return []string{"mvn", "test", "-Dtest=" + strings.Join(classes, ",")}
}

// sbtTest names classes by a wildcard for their packages, which need not be those of their folders.
func sbtTest(_ string, tests []Test, _ Tree) []string {
	args := []string{"testOnly"}
	for _, t := range tests {
		args = append(args, "*."+strings.TrimSuffix(path.Base(t.Path), path.Ext(t.Path)))
	}
	return []string{"sbt", strings.Join(args, " ")}
}

// gradleTest names the classes behind the task that runs them: a filter fails where a project
// has none of that name. Tests on devices are left out, since their task takes no filter.
// Source: Gradle User Manual, "Testing in Java & JVM projects", "Test filtering".
func gradleTest(root string, tests []Test, _ Tree) []string {
	classes := map[string][]string{}
	for _, t := range tests {
		if task := gradleTask(below(root, t.Path)); task != "" {
			classes[task] = append(classes[task], className(t.Path))
		}
	}
	if len(classes) == 0 {
		return nil
	}
	args := []string{"./gradlew"}
	for _, task := range slices.Sorted(maps.Keys(classes)) {
		args = append(args, task)
		for _, c := range classes[task] {
			args = append(args, "--tests", c)
		}
	}
	return args
}

// gradleTask is the task that runs a file of tests: that of its set of sources, in the project
// whose path is its folder. It is "" where no task takes a filter.
func gradleTask(p string) string {
	project, set := "", "test"
	if dir, rest, ok := strings.Cut("/"+p, "/src/"); ok {
		project = strings.ReplaceAll(dir, "/", ":")
		set, _, _ = strings.Cut(rest, "/")
	}
	switch {
	case strings.HasPrefix(set, "android"):
		return ""
	case set == "commonTest":
		set = "jvmTest"
	case !strings.HasSuffix(strings.ToLower(set), "test"):
		set = "test"
	}
	if project == "" {
		return set
	}
	return project + ":" + set
}
