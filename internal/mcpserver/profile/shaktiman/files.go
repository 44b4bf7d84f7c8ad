package shaktiman

import (
	"hash/fnv"
	"path"
	"path/filepath"
	"strings"

	"espy/internal/code"
	"espy/internal/lang"
)

// testPatterns say which files are tests, by language. One that ends in a slash is a
// folder at any depth, others match names.
var testPatterns = map[string][]string{
	"go":         {"*_test.go", "testdata/"},
	"python":     {"test_*.py", "*_test.py"},
	"typescript": {"*.test.ts", "*.spec.ts", "*.test.tsx", "*.spec.tsx", "__tests__/"},
	"javascript": {"*.test.js", "*.spec.js", "*.test.jsx", "*.spec.jsx", "*.test.mjs", "*.spec.mjs", "__tests__/"},
	"java":       {"*Test.java", "*Tests.java", "src/test/"},
	"rust":       {"tests/"},
	"bash":       {"test_*.sh", "*_test.sh"},
	"ruby":       {"*_test.rb", "test_*.rb", "*_spec.rb", "spec/", "test/"},
}

// isTest reports whether a file is a test: by the patterns of the configuration, else
// by those of its language, else as Espy tells.
func (c *Config) isTest(file, language string, class code.Class) bool {
	if len(c.TestPatterns) > 0 {
		return matchesAny(c.TestPatterns, file)
	}
	if own, ok := testPatterns[language]; ok {
		return matchesAny(own, file)
	}
	return class.Has(code.ClassTest)
}

// matchesAny reports whether one of some patterns matches a path.
func matchesAny(patterns []string, file string) bool {
	name := path.Base(file)
	for _, p := range patterns {
		if dir, ok := strings.CutSuffix(p, "/"); ok {
			if strings.HasPrefix(file, dir+"/") || strings.Contains(file, "/"+dir+"/") {
				return true
			}
			continue
		}
		if matchesName(p, name) {
			return true
		}
	}
	return false
}

// matchesName reports whether a pattern matches the name of a file, as path.Match
// does. It is asked for every file at every search: with one star only, the two ends
// are compared.
func matchesName(pattern, name string) bool {
	star := strings.IndexByte(pattern, '*')
	if star < 0 || strings.ContainsAny(pattern[star+1:], `*?[\`) || strings.ContainsAny(pattern[:star], `?[\`) {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	}
	return len(name) >= len(pattern)-1 && strings.HasPrefix(name, pattern[:star]) && strings.HasSuffix(name, pattern[star+1:])
}

// only returns which files a scope and the beginning of paths let through, nil for all.
func (c *Config) only(scope, prefix string) func(file, language string, class code.Class) bool {
	if scope == "all" && prefix == "" {
		return nil
	}
	return func(file, language string, class code.Class) bool {
		return strings.HasPrefix(file, prefix) && (scope == "all" || c.isTest(file, language, class) == (scope == "test"))
	}
}

// beginning is an argument path as it begins paths of files: one that is absolute is
// made relative to the root, and one outside of it begins none.
func beginning(root, prefix string) string {
	prefix = filepath.ToSlash(prefix)
	if !path.IsAbs(prefix) {
		return strings.TrimPrefix(prefix, "./")
	}
	root = strings.TrimSuffix(filepath.ToSlash(root), "/")
	if prefix == root {
		return ""
	}
	if rest, ok := strings.CutPrefix(prefix, root+"/"); ok {
		return rest
	}
	return prefix
}

// numberOf is a number for a text that is the same in every answer.
func numberOf(text string) int64 {
	sum := fnv.New32a()
	sum.Write([]byte(text))
	return int64(sum.Sum32())
}

// passes reports whether a file passes a filter that knows paths, languages and classes.
func passes(only func(string, string, code.Class) bool, file string) bool {
	if only == nil {
		return true
	}
	language := ""
	if l := lang.Detect(path.Base(file), nil); l != nil {
		language = l.Name
	}
	return only(file, language, lang.Classify(file))
}
