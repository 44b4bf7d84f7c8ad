package rank

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"espy/internal/pattern"
	"espy/internal/token"
	"espy/internal/wordset"
)

//go:embed stopwords.txt
var stopwordsText string

//go:embed fillers.txt
var fillersText string

//go:embed changes.txt
var changesText string

//go:embed synonyms.txt
var synonymsText string

// stopwords are lower-cased words that say nothing.
var stopwords = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for line := range dataLines(stopwordsText) {
		for word := range strings.FieldsSeq(line) {
			set[word] = true
		}
	}
	return set
})

// fillers are stems of words that say little.
var fillers = sync.OnceValue(func() map[string]bool { return stems(fillersText) })

// changes are stems of words that ask for a change.
var changes = sync.OnceValue(func() map[string]bool { return stems(changesText) })

// stems returns the stems of the words of a data file.
func stems(text string) map[string]bool {
	set := map[string]bool{}
	for line := range dataLines(text) {
		for word := range strings.FieldsSeq(line) {
			set[token.Stem(word)] = true
		}
	}
	return set
}

// AsksForChange reports whether a term is of a word by which people ask for a change.
func AsksForChange(term string) bool { return changes()[term] }

// scoped matches what commits write before their subject: "fix(net): ", "net: ". What
// programs print begins with how bad it is, or with a type.
var (
	scoped  = pattern.New(`^[^\s:]{1,40}(\([^)]*\))?!?:\s`)
	printed = pattern.New(`(?i)^\W*(error|warning|warn|fatal|panic|critical|exception|info|note|debug|trace)\b|^\S*(Error|Exception)\b`)
)

// OpensAsChange reports whether a text begins as one that asks for a change, or as the
// subject of a commit: "add a flag", "fix: ...", "net: wait longer".
func OpensAsChange(text string) bool {
	text = strings.TrimSpace(text)
	first, _, _ := strings.Cut(text, " ")
	return AsksForChange(token.Stem(strings.ToLower(first))) || scoped().MatchString(text) && !printed().MatchString(text)
}

// changeLogs are what files are called that tell of the changes of each version.
var changeLogs = wordset.Of(`changelog changelogs changes history news release releases releasenotes upgrading whatsnew`)

// joiners takes out what joins the words of such a name.
var joiners = strings.NewReplacer("-", "", "_", "")

// ChangeLogLess is by how many logits a change log falls behind where a change is asked
// for: it tells of changes that were made.
const ChangeLogLess = 2

// IsChangeLog reports whether a path is that of a change log: CHANGES.md, release-notes.txt.
func IsChangeLog(path string) bool {
	name, _, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ".")
	return changeLogs[joiners.Replace(strings.ToLower(name))]
}

// synonyms maps a stem to the sorted stems that are weak evidence for it.
var synonyms = sync.OnceValue(func() map[string][]string {
	sets := map[string]map[string]bool{}
	for line := range dataLines(synonymsText) {
		word, others, _ := strings.Cut(line, ":")
		stem := token.Stem(word)
		if sets[stem] == nil {
			sets[stem] = map[string]bool{}
		}
		for other := range strings.FieldsSeq(others) {
			if s := token.Stem(other); s != stem {
				sets[stem][s] = true
			}
		}
	}
	lists := make(map[string][]string, len(sets))
	for stem, set := range sets {
		lists[stem] = slices.Sorted(maps.Keys(set))
	}
	return lists
})

// dataLines yields the lines of a data file without comments and empty lines.
func dataLines(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if line != "" && !strings.HasPrefix(line, "#") && !yield(line) {
				return
			}
		}
	}
}

// IsStopword reports whether a word, whatever its case, says nothing about what
// is sought.
func IsStopword(word string) bool { return stopwords()[strings.ToLower(word)] }
