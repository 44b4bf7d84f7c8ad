package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// androidManifest has what starts, twice by an alias, and what does not: another filter has a part
// of it each, a service is not started by a person.
const androidManifest = `<manifest xmlns:android="http://schemas.android.com/apk/res/android">
<application android:name=".App">
<activity
  android:name=".ui.Start"><intent-filter>
  <action android:name="android.intent.action.MAIN" /><category android:name="android.intent.category.LAUNCHER" />
</intent-filter></activity>
<activity-alias android:name=".Again" android:targetActivity=".ui.Start"><intent-filter>
  <action android:name="android.intent.action.MAIN" /><category android:name="android.intent.category.LAUNCHER" />
</intent-filter></activity-alias>
<activity android:name=".Halves"><intent-filter><action android:name="android.intent.action.MAIN" /></intent-filter>
  <intent-filter><action android:name="android.intent.action.VIEW" /><category android:name="android.intent.category.LAUNCHER" /></intent-filter></activity>
<service android:name=".Sync"><intent-filter>
  <action android:name="android.intent.action.MAIN" /><category android:name="android.intent.category.LAUNCHER" />
</intent-filter></service>
<activity-alias android:name=".Icon" android:targetActivity="org.shop.Old"><intent-filter>
  <action android:name="android.intent.action.MAIN" /><category android:name="android.intent.category.LEANBACK_LAUNCHER" />
</intent-filter></activity-alias>
</application></manifest>`

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		path, text string
		name       string
		has        []string // dependencies as "name version line", entries as "kind name target line"
	}{
		{"go.mod", "module m.org/x // comment\n\nrequire a.org/b v1.2.3\nrequire (\n\tc.org/d v0.1.0 // indirect\n)\n", "m.org/x", []string{"a.org/b v1.2.3 3", "c.org/d v0.1.0 5"}},
		{"p/package.json", "{\n \"name\": \"@s/p\",\n \"bin\": \"cli.js\",\n \"scripts\": {\"build\": \"tsc\", \"other\": \"x\"},\n \"dependencies\": {\n  \"left\": \"^1\"\n },\n \"devDependencies\": {\"left\": \"2\", \"vite\": \"5\"}\n}", "@s/p",
			[]string{"left ^1 6", "vite 5 8", "script build tsc 4", "command p cli.js 3"}},
		{"package.json", `{"bin": {"b": "b.js", "a": "a.js"}}`, "", []string{"command a a.js 1", "command b b.js 1"}},
		{"package.json", "not json", "", nil},
		{"Cargo.toml", "[package]\nname = \"c\"\n[dependencies]\nserde = { version = \"1.0\", features = [\"x\"] }\nlog = \"0.4\"\n[dev-dependencies.quick]\ngit = \"u\"\n[[bin]]\nname = \"tool\"\npath = \"src/tool.rs\"\n", "c",
			[]string{"log 0.4 5", "quick u 6", "serde 1.0 4", "command tool src/tool.rs 9"}},
		{"pyproject.toml", "[project]\nname = \"p\"\ndependencies = [\n \"Click>=8\",\n \"x[a,b] ~= 1.0; python_version<'3'\",\n]\n[project.scripts]\nrun = \"p.cli:main\"\n[tool.poetry.dependencies]\npython = \"3\"\nyaml = {version=\"6\"}\n", "p",
			[]string{"Click >=8 4", "x ~= 1.0 5", "yaml 6 11", "command run p.cli:main 8"}},
		{"requirements/dev.txt", "-r default.txt\n# no\npytest==8.0 # yes\nurllib3\n", "", []string{"pytest ==8.0 3", "urllib3  4"}},
		{"setup.cfg", "[metadata]\nname = s\n[options]\ninstall_requires =\n  six>=1\n[options.entry_points]\nconsole_scripts =\n  go = s.m:f\n", "s", []string{"six >=1 5", "command go s.m:f 8"}},
		{"setup.py", "setup(\n  name='s',\n  install_requires=[\n    'a>=2', \"b\"],\n  entry_points={'console_scripts': ['c = s:main']})\n", "s", []string{"a >=2 4", "b  4", "command c s:main 5"}},
		{"Pipfile", "[packages]\nflask = \"*\"\n", "", []string{"flask * 2"}},
		{"pom.xml", "<project><groupId>g</groupId><artifactId>a</artifactId>\n<dependencies><dependency><groupId>d</groupId>\n<artifactId>e</artifactId><version>${v}</version></dependency></dependencies></project>", "g:a", []string{"d:e ${v} 3"}},
		{"app/build.gradle.kts", "dependencies {\n  implementation(\"a.b:c:1.0\")\n  testImplementation 'd:e'\n}\n", "", []string{"a.b:c 1.0 2", "d:e  3"}},
		{"composer.json", "{\"name\": \"v/p\",\n\"require\": {\"php\": \">=8\",\n\"m/n\": \"^2\"}, \"bin\": [\"bin/x\"]}", "v/p", []string{"m/n ^2 3", "php >=8 2", "command x bin/x 3"}},
		{"Gemfile", "gem 'rails', '~> 7'\n# gem 'no'\ngem \"puma\"\n", "", []string{"puma  3", "rails ~> 7 1"}},
		{"Makefile", "V := 1\nall: a b\n\tcc\n.PHONY: all\na.o: a.c\nall: c\n", "", []string{"target all  2"}},
		{"Dockerfile", "FROM x\nENTRYPOINT [\"/a\"]\ncmd run\n", "", []string{"image entrypoint [\"/a\"] 2", "image cmd run 3"}},
		{"CMakeLists.txt", "project(P)\nadd_executable(run main.c)\n", "P", []string{"program run  2"}},
		{"src/x.csproj", "<Project/>", "x", nil},
		{"Core.csproj", "<Project>\n<PropertyGroup><PackageId>Acme.Core</PackageId></PropertyGroup>\n<ItemGroup><PackageReference Include=\"Json\" Version=\"13\" />\n<PackageReference Update=\"no\" /></ItemGroup></Project>", "Acme.Core", []string{"Json 13 3"}},
		{"app/pubspec.yaml", "# the app\nname: shop_app\nversion: 1.2.0+3\nenvironment:\n  sdk: ^3.0.0\n\ndependencies:\n  flutter:\n    sdk: flutter\n  http: ^1.2.0 # calls\n  cart:\n    path: ../cart\n  'yaml': any\ndev_dependencies:\n    test: ^1.0.0\nflutter:\n  assets:\n    - a/\n", "shop_app", []string{"cart ../cart 11", "flutter  8", "http ^1.2.0 10", "test ^1.0.0 15", "yaml any 13"}},
		{"app/src/main/AndroidManifest.xml", androidManifest, "", []string{"program Start .ui.Start 3", "program Old org.shop.Old 15"}},
		{"acme.gemspec", "Gem::Specification.new do |s|\n  s.name = 'acme'\n  s.add_dependency 'rack', '>= 2'\nend\n", "acme", []string{"rack >= 2 3"}},
	} {
		t.Run(tt.path, func(t *testing.T) {
			m, ok := Read(tt.path, []byte(tt.text))
			if !ok || !Is(tt.path) || (m.Tool == "") != (tt.path == "app/src/main/AndroidManifest.xml") {
				t.Fatalf("%s is no manifest", tt.path)
			}
			var got []string
			for _, d := range m.Dependencies {
				got = append(got, fmt.Sprintf("%s %s %d", d.Name, d.Version, d.Line))
			}
			for _, e := range m.Entries {
				got = append(got, fmt.Sprintf("%s %s %s %d", e.Kind, e.Name, e.Target, e.Line))
			}
			if m.Name != tt.name || !slices.Equal(got, tt.has) {
				t.Errorf("name %q, want %q; got\n%s\nwant\n%s", m.Name, tt.name, strings.Join(got, "\n"), strings.Join(tt.has, "\n"))
			}
		})
	}
	t.Run("no manifest", func(t *testing.T) {
		if _, ok := Read("src/main.go", nil); ok {
			t.Error("main.go is a manifest")
		}
	})
}

// TestImports holds what code imports packages by.
func TestImports(t *testing.T) {
	for _, tt := range []struct{ path, text, want string }{
		{"go.mod", "module example.com/a\n", "example.com/a"},
		{"package.json", `{"name": "@s/p", "private": true}`, "@s/p private"},
		{"Cargo.toml", "[package]\nname = \"two-words\"\n", "two_words"},
		{"Cargo.toml", "[package]\nname = \"a\"\n[lib]\nname = \"b\"\n", "b"},
		{"composer.json", `{"name": "v/p", "autoload": {"psr-4": {"V\\P\\": "src"}}}`, `V\P`},
		{"A.csproj", "<Project><PropertyGroup><RootNamespace>N.A</RootNamespace></PropertyGroup></Project>", "N.A A"},
		{"pyproject.toml", "[project]\nname = \"p\"\n", ""},
	} {
		t.Run(tt.path+" "+tt.want, func(t *testing.T) {
			m, _ := Read(tt.path, []byte(tt.text))
			got := m.Imports
			if m.Private {
				got = append(got, "private")
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("imported by %q, want %q", got, tt.want)
			}
		})
	}
}

// FuzzRead holds that no text stops a reader.
func FuzzRead(f *testing.F) {
	f.Add("package.json", `{"bin": 1, "dependencies": {"a": null}}`)
	f.Add("Cargo.toml", "bin = 3\n[dependencies]\na = [1]\n")
	f.Add("pom.xml", "<project><dependencies>")
	f.Add("setup.py", "install_requires=['")
	f.Fuzz(func(t *testing.T, path, text string) {
		if m, ok := Read(path, []byte(text)); ok && m.Tool == "" {
			t.Error("a manifest of no tool")
		}
	})
}
