// Package suite knows tests by their files: which files a runner of tests takes,
// which file a test is named after, and the command that runs some of them.
package suite

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/lang"
)

// Is reports whether a file holds tests that a runner takes, by its path, language
// and class: neither a fixture nor what tests share.
func Is(p, language string, class code.Class) bool {
	base := path.Base(p)
	stem, marks, _ := strings.Cut(base, ".")
	lower := strings.ToLower(stem)
	said := saysTest(stem, marks)
	named := lang.NamesFrom(p)
	above := path.Dir(p[:min(len(p), named+1)]) // without packages: org.springframework.data is no folder of data
	if class&(code.ClassVendor|code.ClassMinified) != 0 || lang.IsOfMain(p) || slices.ContainsFunc(strings.Split(above, "/"), func(f string) bool { return isShared(f, said) }) {
		return false
	}
	if isSharedName(base, language) {
		return false
	}
	switch language {
	case "go":
		return strings.HasSuffix(base, "_test.go")
	case "python":
		return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || stem == "tests" || stem == "test"
	case "ruby":
		return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") || strings.HasPrefix(stem, "test_") || strings.HasPrefix(stem, "spec_") && class.Has(code.ClassTest)
	case "elixir":
		return strings.HasSuffix(base, "_test.exs")
	case "dart":
		return strings.HasSuffix(base, "_test.dart")
	case "crystal":
		return strings.HasSuffix(base, "_spec.cr")
	case "java", "kotlin", "scala", "groovy", "csharp", "php", "swift":
		return class.Has(code.ClassTest) && hasTestWord(stem)
	case "rust":
		return slices.Contains(strings.Split(path.Dir(p), "/"), "tests") && stem != "mod" || lower == "tests" || lower == "test" || strings.HasSuffix(lower, "_test") || strings.HasSuffix(lower, "_tests")
	}
	return class.Has(code.ClassTest) && lang.IsCode(language) && !slices.Contains(written, language)
}

// written are the languages of code that no runner takes as a test.
var written = []string{"html", "css", "scss", "less", "sql", "protobuf", "makefile", "cmake", "dockerfile", "graphql", "svelte", "vue", "astro"}

// IsFixture reports whether a file is what tests read, by the folders that it is in.
func IsFixture(p string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(folder string) bool {
		return slices.Contains(fixtures, strings.ToLower(folder)) || strings.HasSuffix(folder, "-fixtures") || strings.HasSuffix(folder, "_fixtures")
	})
}

var fixtures = []string{"fixtures", "fixture", "__fixtures__", "__testfixtures__", "testdata", "test-data", "test_data", "__snapshots__", "goldens", "golden", "baselines"}

// isShared reports whether a folder holds what tests read or use, given whether the
// file has a name that says test: test/helpers/link_helper_test.rb is one.
func isShared(folder string, saysTest bool) bool {
	lower := strings.ToLower(folder)
	return IsFixture(folder+"/x") || slices.Contains(readFolders, lower) || !saysTest && slices.Contains(usedFolders, lower)
}

var (
	readFolders = []string{"__mocks__", "mocks", "snapshots", "resources", "samples", "sample", "node_modules", "assets", "stubs"}
	usedFolders = []string{"data", "helpers", "helper", "support"}
)

// saysTest reports whether the name of a file says test: link_test.rb, test_link.py,
// link.spec.ts, LinkTest.java.
func saysTest(stem, marks string) bool {
	return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") ||
		strings.HasPrefix(marks, "test.") || strings.HasPrefix(marks, "spec.") || hasTestWord(stem)
}

// shared are the names of files that hold what tests share.
var shared = []string{
	"conftest", "__init__", "helper", "helpers", "test_helper", "spec_helper", "rails_helper", "testutil", "testutils", "test_utils", "utils", "util",
	"setup", "setuptests", "test_setup", "fixtures", "mocks", "testhelper", "test_helpers", "common", "vitest", "jest", "playwright", "karma",
}

// isSharedName reports whether a file has the name of what tests share, or of what a tool
// reads: test-utils.ts and eslint.config.js, but not utils.test.ts, nor test_utils.py, which
// runners of Python take.
func isSharedName(base, language string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(base), ".")
	mark := path.Ext(strings.TrimSuffix(base, path.Ext(base)))
	if strings.HasPrefix(mark, ".test") || strings.HasPrefix(mark, ".spec") || language == "python" && strings.HasPrefix(stem, "test_") {
		return false
	}
	return mark == ".config" || slices.Contains(shared, strings.ReplaceAll(stem, "-", "_"))
}

// hasTestWord reports whether a name such as FooTest or TestFoo says test.
func hasTestWord(stem string) bool {
	for _, w := range []string{"Test", "Tests", "TestCase", "IT", "Spec", "Specs", "Suite"} {
		if strings.HasSuffix(stem, w) {
			return true
		}
	}
	return strings.HasPrefix(stem, "Test") && len(stem) > 4 && stem[4] >= 'A' && stem[4] <= 'Z'
}

// Subject is the name that a test has from what it tests, in lower case and without
// separators: parser of test_parser.py, parser.test.ts, ParserTest.java.
func Subject(p string) string {
	stem := Stem(p)
	said := []string{"testcase", "tests", "test", "specs", "spec"}
	if slices.Contains(said, stem) {
		return stem
	}
	for _, mark := range said {
		if cut := strings.TrimSuffix(stem, mark); cut != stem && cut != "" {
			return cut
		}
		if cut := strings.TrimPrefix(stem, mark); cut != stem && cut != "" {
			return cut
		}
	}
	return stem
}

// Stem is the name of a file without extensions, separators and capitals.
func Stem(p string) string {
	stem, _, _ := strings.Cut(path.Base(p), ".")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, stem)
}

// Function is the name of a function by which a runner finds it, empty for none.
func Function(name, language string) string {
	switch language {
	case "go":
		if strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") || strings.HasPrefix(name, "Example") {
			return name
		}
	case "python":
		if strings.HasPrefix(name, "test") {
			return name
		}
	}
	return ""
}

// Near says how much two paths have in common: 1 for all folders of the shorter one
// that are not those of tests, less for fewer.
func Near(source, test string) float64 {
	a, b := strings.Split(path.Dir(source), "/"), strings.Split(path.Dir(test), "/")
	common := 0
	for _, s := range a {
		if slices.Contains(b, s) {
			common++
		}
	}
	return (1 + float64(common)) / (1 + float64(max(len(a), 1)))
}
