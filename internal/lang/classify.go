package lang

import (
	"strings"

	"espy/internal/code"
)

// Classify tells the traits of a file that its path gives away: test, example,
// benchmark, documentation, old version, re-exports, tooling, vendored, generated,
// lock file.
//
// The path is relative to the root of the repository, with slashes. Case does not
// matter, except that Test and Spec at the end of a glued name need their capital:
// FooTest.java is a test, latest.go and contest/ are not.
func Classify(path string) code.Class {
	var c code.Class
	var buf [maxSegment]byte
	start, named := 0, NamesFrom(path)
	for {
		n := strings.IndexByte(path[start:], '/')
		if n < 0 {
			break
		}
		if n > 0 {
			traits := folder(path[start:start+n], start == 0, &buf)
			if start >= named {
				traits &= ofNames
			}
			c |= traits
		}
		start += n + 1
	}
	base := path[start:]
	c |= file(base, isOfMain(path[:named]), &buf)
	if c.Has(code.ClassTest) && isGoTesting(path, base) {
		c &^= code.ClassTest
	}
	if c.Has(code.ClassLegacy) && isVersionedAPI(path, base) {
		c &^= code.ClassLegacy
	}
	return c
}

// ofNames are the traits that a folder gives to the files below it even where its
// name is part of the names in the program: what is old or generated is called so.
const ofNames = code.ClassLegacy | code.ClassGenerated

// NamesFrom returns the byte of a path from which on folders are part of the names
// of a program, because a build tool or a framework makes its names of them:
// com.example.demo is an application, and so is what docs_controller answers. It is
// the length of the path where there is none. Of several such folders of the Java platform
// the last counts: those before it hold whole projects.
func NamesFrom(path string) int {
	from := len(path)
	for start, at := 0, 0; ; {
		n := strings.IndexByte(path[at:], '/')
		if n < 0 {
			return from
		}
		parent, name := path[start:max(start, at-1)], path[at:at+n]
		start, at = at, at+n+1
		switch parent {
		case "src": // of Maven, Gradle and sbt: src/main/java, src/commonMain/kotlin, src/test/java
			if holdsPackages(path[at:]) {
				from = at
			}
		case "app": // of Rails, Laravel and Phoenix's elders
			switch name {
			case "controllers", "models", "views", "helpers", "jobs", "mailers", "services", "channels", "policies", "serializers", "Http", "Models", "Jobs", "Providers", "Services":
				return at
			}
		}
	}
}

// IsOfMain reports whether a file is of the sources of a program, as build tools of the Java
// platform keep them apart from those of its tests: LinkSpec.kt in src/commonMain/kotlin.
func IsOfMain(path string) bool { return isOfMain(path[:NamesFrom(path)]) }

// isOfMain is IsOfMain of the part of a path before the names of the program.
func isOfMain(before string) bool {
	above, ok := strings.CutSuffix(before, "ain/")
	set := above[strings.LastIndexByte(above, '/')+1:]
	return ok && (set == "m" || strings.HasSuffix(set, "M")) && strings.HasSuffix("/"+above[:len(above)-len(set)], "/src/")
}

// holdsPackages reports whether a path begins with a folder of sources of the Java
// platform, rather than of resources or pages.
func holdsPackages(path string) bool {
	name, _, below := strings.Cut(path, "/")
	switch name {
	case "java", "kotlin", "groovy", "clojure":
		return below
	}
	return below && strings.HasPrefix(name, "scala") // scala-2.13, too
}

// maxSegment bounds the bytes of a folder or file name that count. Names have at
// most 255 bytes.
const maxSegment = 255

// lower folds ASCII capitals of s into buf.
func lower(s string, buf *[maxSegment]byte) []byte {
	n := copy(buf[:], s)
	for i, b := range buf[:n] {
		if 'A' <= b && b <= 'Z' {
			buf[i] = b + 'a' - 'A'
		}
	}
	return buf[:n]
}

// folder tells the traits of all files below a folder of this name. With top it is
// at the root.
func folder(name string, top bool, buf *[maxSegment]byte) code.Class {
	b := lower(name, buf)
	c := wholeName(b)
	if top && string(b) == "sandbox" { // deeper ones tend to be sandboxes indeed
		c |= code.ClassExample
	}
	if top && string(b) == "t" || string(b) == "tst" { // the first as in Perl's distributions and git
		c |= code.ClassTest
	}
	switch string(b) {
	case "doc", "docs", "documentation", "man", "guide", "guides":
		c |= code.ClassDocs
	case "website", "www", "site":
		// Often the application itself: demoted as tooling, yet still code for scopes.
		c |= code.ClassTool
	case "vendor", "_vendor", "vendored", "third_party", "third-party", "thirdparty", "3rdparty", "3rd-party", "deps", "external", "externals",
		"node_modules", "bower_components", "jspm_packages", "site-packages", "godeps", "pods", "carthage", ".venv", "venv", "elm-stuff":
		c |= code.ClassVendor
	case "generated", "gen", "_generated", "__generated__", "generated-sources", "dist", "single_include", "autogen":
		c |= code.ClassGenerated
	case "script", "scripts", "tool", "tools", "ci", ".ci", ".github", ".gitlab", ".circleci", "support", "packaging", "contrib", "extra", "extras", "hack", "build":
		// Folders named build that are tracked hold build scripts, or a package of that name.
		c |= code.ClassTool
	}
	if strings.HasSuffix(name, "Test") || strings.HasSuffix(name, "Tests") {
		c |= code.ClassTest
	}
	c |= words(b, true)
	if wordIn(name, "testing") { // Testing/ holds a product's support for tests
		c |= code.ClassTest
	}
	return c
}

// file tells the traits of a file by its base name, and by whether it IsOfMain.
func file(base string, main bool, buf *[maxSegment]byte) code.Class {
	stem, ext := base, ""
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		stem, ext = base[:i], base[i+1:]
	}
	c := fileStem(stem, ext, main)
	c |= fileExtension(base, stem, ext)
	b := lower(base, buf)
	c |= wholeName(b)
	switch ext {
	case "":
		c |= words(b, false) &^ code.ClassTest
	case "example", "examples", "sample", "samples":
		c |= code.ClassExample
	default:
		c |= words(b[:len(stem)], false) | lastWord(b[:len(stem)])
	}
	return c | exactFile(b)
}

// wholeName tells the traits of a folder or file whose name is one word.
func wholeName(b []byte) code.Class {
	switch string(b) {
	case "compat", "_compat", "legacy", "deprecated", "obsolete", "old", "v0", "v1", "v2", "v3",
		"backport", "backports", "polyfill", "polyfills", "migration", "migrations":
		return code.ClassLegacy
	case "example", "examples", "_example", "_examples", "sample", "samples", "demo", "demos", "doc_src", "docs_src", "tutorial", "tutorials",
		"playground", "playgrounds", "quickstart", "quickstarts", "starter", "starters":
		return code.ClassExample
	}
	if hasSuffix(b, "playground") {
		return code.ClassExample
	}
	return 0
}

// words tells the traits that one word of a name gives away: a run between dots,
// dashes and underscores. A final example or sample counts unless it is the only
// word (wholeName has that). More words mean tests in folders than in files.
func words(b []byte, inFolder bool) code.Class {
	var c code.Class
	start := 0
	for i := 0; i <= len(b); i++ {
		if i < len(b) && !isSeparator(b[i]) {
			continue
		}
		if w := b[start:i]; len(w) >= 4 || len(w) == 3 && w[0] == 'e' {
			if testFileWord(w) || inFolder && testFolderWord(w) {
				c |= code.ClassTest
			}
			switch string(w) {
			case "bench", "benches", "benchmark", "benchmarks", "benchmarking", "perf", "performance":
				c |= code.ClassBench
			case "example", "examples", "sample", "samples":
				if i == len(b) && start > 0 {
					c |= code.ClassExample
				}
			}
		}
		start = i + 1
	}
	return c
}

// wordIn reports whether word stands in name between separators.
func wordIn(name, word string) bool {
	i := strings.Index(name, word)
	if i < 0 {
		return false
	}
	end := i + len(word)
	return (i == 0 || isSeparator(name[i-1])) && (end == len(name) || isSeparator(name[end]))
}

func isSeparator(b byte) bool { return b == '.' || b == '-' || b == '_' }

func testFolderWord(w []byte) bool {
	switch string(w) {
	case "spec", "specs", "mock", "mocks", "fixture", "fixtures", "cypress", "typecheck",
		"testsupport", "testfixture", "testfixtures", "testapp", "testsuites", "testresources", "typetest", "typetests", "inttest", "inttests",
		"commontest", "jvmtest", "jstest", "nativetest", "androidtest", "iostest", "sharedtest", "integrationtest", "functionaltest", "integrationtests", "functionaltests":
		return true
	}
	return false
}

func testFileWord(w []byte) bool {
	switch string(w) {
	case "test", "tests", "conftest", "testutil", "testutils", "testhelper", "testhelpers", "testcase", "testcases", "testsuite", "testlib", "testdata", "unittest", "unittests", "e2e":
		return true
	}
	return false
}

// lastWord finds words that count only at the end of the stem of a file, after a
// separator.
func lastWord(stem []byte) code.Class {
	switch {
	case hasSuffix(stem, "_spec"), hasSuffix(stem, ".spec"), string(stem) == "spec_helper",
		hasSuffix(stem, "_testing"), hasSuffix(stem, "-testing"), hasSuffix(stem, "_mock"), hasSuffix(stem, "_mocks"), hasPrefix(stem, "mock_"):
		return code.ClassTest
	case hasSuffix(stem, "benchmark"), hasSuffix(stem, "benchmarks"):
		return code.ClassBench
	case hasSuffix(stem, "_legacy"), hasSuffix(stem, "deprecated"), hasSuffix(stem, "compat"):
		return code.ClassLegacy
	}
	return 0
}

// fileStem tells the traits of a stem that depend on its capitals. In the sources of a
// program a specification is none of tests.
func fileStem(stem, ext string, main bool) code.Class {
	switch {
	case main && !hasAnySuffix(stem, "Test", "Tests", "TestSuite"):
		return 0
	case strings.HasPrefix(stem, "test_"), strings.HasSuffix(stem, "Test"), strings.HasSuffix(stem, "Tests"), strings.HasSuffix(stem, "TestSuite"):
		return code.ClassTest
	}
	isTest := false
	switch ext {
	case "java":
		isTest = hasAnySuffix(stem, "TestCase", "Fixture") || strings.HasSuffix(stem, "IT") && len(stem) > 2 && stem[len(stem)-3] >= 'a'
	case "scala":
		isTest = hasAnySuffix(stem, "Spec", "Suite", "TestCase", "Fixture")
	case "kt", "swift", "php", "hs", "groovy", "js", "jsx", "purs":
		isTest = hasAnySuffix(stem, "Spec", "TestCase", "Fixture")
	case "cs":
		isTest = hasAnySuffix(stem, "TestCase", "Fixture", "Specs")
	case "c", "cc", "cpp", "h":
		isTest = strings.HasPrefix(stem, "unit-") || strings.HasPrefix(stem, "runner-")
	}
	if isTest {
		return code.ClassTest
	}
	return 0
}

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, x := range suffixes {
		if strings.HasSuffix(s, x) {
			return true
		}
	}
	return false
}

// fileExtension tells the traits of the last extensions of a file.
func fileExtension(base, stem, ext string) code.Class {
	var c code.Class
	switch ext {
	case "md", "rst", "adoc", "markdown", "mdx", "asciidoc", "rdoc", "org", "MD", "RST":
		c = code.ClassDocs
	case "txt", "TXT":
		if base != "CMakeLists.txt" && base != "meson_options.txt" && !strings.HasPrefix(base, "requirements") && !strings.HasPrefix(base, "constraints") {
			c = code.ClassDocs
		}
	case "bats":
		c = code.ClassTest
	case "pyi":
		c = code.ClassDeclaration
	}
	second := stem[strings.LastIndexByte(stem, '.')+1:]
	if len(second) == len(stem) {
		second = ""
	}
	switch second {
	case "d":
		if ext == "ts" || ext == "mts" || ext == "cts" {
			c |= code.ClassDeclaration
		}
	case "mock": // beside what it stands for; a module of shells that is called so makes mocks
		switch ext {
		case "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "json", "dart":
			c |= code.ClassTest
		}
	case "pb", "gen", "generated", "g", "freezed", "designer", "Designer":
		c |= code.ClassGenerated
	case "min":
		c |= code.ClassGenerated | code.ClassMinified
	}
	switch {
	case strings.HasSuffix(stem, "_pb2"), strings.HasSuffix(stem, "_pb2_grpc"), strings.HasSuffix(stem, "_generated"), strings.HasPrefix(stem, "zz_generated"):
		c |= code.ClassGenerated
	}
	return c
}

// exactFile tells the traits of whole base names.
func exactFile(b []byte) code.Class {
	switch string(b) {
	case "__init__.py", "__init__.pyi", "package-info.java", "package.scala", "index.ts", "index.js", "index.tsx", "index.jsx", "index.mts", "index.mjs", "index.cjs",
		"mod.rs", "lib.rs", "prelude.rs":
		return code.ClassBarrel
	case "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "deno.lock", "cargo.lock", "go.sum", "go.work.sum", "gopkg.lock",
		"gemfile.lock", "poetry.lock", "pipfile.lock", "pdm.lock", "uv.lock", "composer.lock", "mix.lock", "flake.lock", "packages.lock.json", "pubspec.lock",
		"podfile.lock", "package.resolved", "gradle.lockfile", "stack.yaml.lock", "cabal.project.freeze", "rebar.lock", "conan.lock", ".terraform.lock.hcl":
		return code.ClassLock
	case "readme", "license", "copying", "authors", "notice", "changelog", "changes", "news", "contributors", "install", "maintainers", "patents":
		return code.ClassDocs
	}
	return 0
}

// isGoTesting recognises Go's own package testing and the packages below it,
// which are no tests: the folder at the root of the tree, or of its src.
func isGoTesting(path, base string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(path, "src/"), "testing/")
	if !ok || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") || strings.Contains(rest, "testdata/") {
		return false
	}
	return strings.Count(rest, "/") <= 1
}

// isVersionedAPI recognises v1 to v3 in Go modules, protobuf and descriptions of
// APIs. There the folder names the current interface or major version, not an old
// one.
func isVersionedAPI(path, base string) bool {
	if !strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, ".proto") {
		return false
	}
	var buf [maxSegment]byte
	for rest := path; ; {
		segment, tail, more := strings.Cut(rest, "/")
		isVersion := len(segment) == 2 && (segment[0] == 'v' || segment[0] == 'V')
		if !isVersion && more && wholeName(lower(segment, &buf)).Has(code.ClassLegacy) {
			return false
		}
		if !more {
			stem, _, _ := strings.Cut(segment, ".")
			return !lastWord(lower(stem, &buf)).Has(code.ClassLegacy)
		}
		rest = tail
	}
}

func hasSuffix(b []byte, s string) bool {
	return len(b) >= len(s) && string(b[len(b)-len(s):]) == s
}

func hasPrefix(b []byte, s string) bool {
	return len(b) >= len(s) && string(b[:len(s)]) == s
}
