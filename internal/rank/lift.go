package rank

import "espy/internal/code"

// classWords name a class of files in a query.
var classWords = map[string]code.Class{
	"test": code.ClassTest, "tests": code.ClassTest, "testing": code.ClassTest, "spec": code.ClassTest, "mock": code.ClassTest, "fixture": code.ClassTest, "fixtures": code.ClassTest,
	"example": code.ClassExample, "examples": code.ClassExample, "sample": code.ClassExample, "demo": code.ClassExample,
	"bench": code.ClassBench, "benchmark": code.ClassBench, "benchmarks": code.ClassBench,
	"doc": code.ClassDocs, "docs": code.ClassDocs, "documentation": code.ClassDocs, "readme": code.ClassDocs, "changelog": code.ClassDocs,
	"legacy": code.ClassLegacy, "compat": code.ClassLegacy, "deprecated": code.ClassLegacy, "compatibility": code.ClassLegacy,
	"generated": code.ClassGenerated, "vendored": code.ClassVendor, "vendor": code.ClassVendor, "minified": code.ClassMinified, "lockfile": code.ClassLock,
	"script": code.ClassTool, "scripts": code.ClassTool,
}

// contentWords ask for files that are not programs.
var contentWords = map[string]bool{
	"readme": true, "changelog": true, "doc": true, "docs": true, "documentation": true, "markdown": true, "yaml": true, "yml": true, "toml": true,
	"json": true, "xml": true, "html": true, "css": true, "dockerfile": true, "makefile": true, "workflow": true, "manifest": true, "ini": true,
}

// contentLanguages are the languages that are not programs.
var contentLanguages = map[string]Content{
	"markdown": ContentProse, "rst": ContentProse, "asciidoc": ContentProse, "org": ContentProse, "text": ContentProse, "tex": ContentProse,
	"yaml": ContentData, "toml": ContentData, "json": ContentData, "xml": ContentData, "ini": ContentData, "csv": ContentData, "dotenv": ContentData,
	"html": ContentData, "css": ContentData, "scss": ContentData, "sass": ContentData, "less": ContentData, "diff": ContentData, "gomod": ContentData,
	"": ContentData,
}

// ContentOf returns what files of a language are written for; "" is an unknown language.
func ContentOf(language string) Content { return contentLanguages[language] }

// lift returns what the words ask for by name.
func lift(words []word) Lift {
	var l Lift
	for _, w := range words {
		l.Classes |= classWords[w.lower]
		l.Content = l.Content || contentWords[w.lower]
	}
	return l
}
