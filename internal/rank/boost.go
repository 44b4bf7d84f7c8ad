package rank

import "slices"

// Boost is how strongly a query asks for a kind of file that is normally
// demoted, by signal: 0 not at all, 1 fully.
type Boost struct {
	amounts [NumSignals]float64
}

func (b *Boost) of(s Signal) float64 { return b.amounts[s] }

// Header returns the signal Header of a file: a query may ask for headers.
func (b *Boost) Header(path []byte) float64 {
	if !isHeader(path) {
		return 0
	}
	return 1 - b.of(Header)
}

// Raise raises the signals that an ask is for. Share is how many of the ordinary
// files, those with none of these signals, hold its term, as a part of 1: a word
// that such files use often means something else in this repository, as "test"
// does in a test framework.
func (b *Boost) Raise(a Ask, share float64) {
	amount := a.Sure * max(0, 1-float64(share/maxAskShare))
	for _, s := range a.Signals {
		b.amounts[s] = max(b.amounts[s], amount)
	}
}

// maxAskShare is the share of ordinary files from which on a word asks for nothing.
const maxAskShare = 0.5

// Ask is a word of a text that names kinds of files.
type Ask struct {
	Term    string // as segments store it
	Signals []Signal
	Sure    float64 // that it means the kind of file, in (0,1]
}

// askWords name kinds of files.
var askWords = map[string][]Signal{
	"test": {Test}, "tests": {Test}, "testing": {Test}, "tested": {Test}, "spec": {Test}, "specs": {Test}, "mock": {Test}, "mocks": {Test}, "fixture": {Test}, "fixtures": {Test},
	"example": {Example}, "examples": {Example}, "sample": {Example}, "samples": {Example}, "demo": {Example}, "demos": {Example}, "tutorial": {Example},
	"bench": {Bench}, "benchmark": {Bench}, "benchmarks": {Bench},
	"doc": {Docs, Prose, Data}, "docs": {Docs, Prose, Data}, "documentation": {Docs, Prose, Data}, "readme": {Docs, Prose, Data}, "changelog": {Docs, Prose, Data}, "markdown": {Docs, Prose, Data},
	"legacy": {Legacy}, "compat": {Legacy}, "deprecated": {Legacy}, "compatibility": {Legacy},
	"header": {Header}, "headers": {Header}, "generated": {Generated}, "vendored": {Vendor}, "vendor": {Vendor}, "minified": {Minified}, "lockfile": {Lock, Data},
	"script": {Tool}, "scripts": {Tool}, "workflow": {Tool, Data}, "dockerfile": {Tool, Data}, "makefile": {Tool, Data},
	"yaml": {Prose, Data}, "yml": {Prose, Data}, "toml": {Prose, Data}, "json": {Prose, Data}, "xml": {Prose, Data}, "html": {Prose, Data}, "css": {Prose, Data}, "manifest": {Prose, Data}, "ini": {Prose, Data},
}

// The sureness of an ask by where its word stands.
const (
	sureAsk     = 1.0 // "tests of x", "x examples"
	modifierAsk = 0.4 // before another noun: "test client"
)

// asks returns what the words ask for by name. A word in the middle that no
// preposition follows only says of what kind the next one is.
func asks(words []word) []Ask {
	var found []Ask
	for i, w := range words {
		signals := askWords[w.lower]
		if signals == nil || len(w.analysis.Terms) != 1 {
			continue
		}
		a := Ask{Term: w.analysis.Terms[0], Signals: signals, Sure: sureAsk}
		if i+1 < len(words) && !words[i+1].stop {
			a.Sure = modifierAsk
		}
		found = append(found, a)
	}
	return found
}

// AsksFor reports whether a word of the text names files that have a signal, such as Test.
func (q *Query) AsksFor(s Signal) bool {
	return slices.ContainsFunc(q.Asks, func(a Ask) bool { return slices.Contains(a.Signals, s) })
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

// ContentsOf returns what files of each language are written for.
func ContentsOf(languages []string) []Content {
	all := make([]Content, len(languages))
	for i, l := range languages {
		all[i] = ContentOf(l)
	}
	return all
}
