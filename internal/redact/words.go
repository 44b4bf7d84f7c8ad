package redact

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"espy/internal/ascii"
)

// vocabulary finds words in a text, by the pairs of bytes that they begin with.
type vocabulary struct {
	begins  [1 << 16 / 64]uint64 // these pairs, as bits
	byBegin map[int][]keyword
}

// keyword is a word, and the rules that have it.
type keyword struct {
	word  string
	rules []int
}

// add adds a word of at least two bytes, in lower case.
func (v *vocabulary) add(word string, rules ...int) {
	b := pair(word[0], word[1])
	v.begins[b/64] |= 1 << (b % 64)
	list := v.byBegin[b]
	k := slices.IndexFunc(list, func(k keyword) bool { return k.word == word })
	if k < 0 {
		list, k = append(list, keyword{word: word}), len(list)
	}
	list[k].rules = append(list[k].rules, rules...)
	v.byBegin[b] = list
}

func pair(a, b byte) int { return int(a)<<8 | int(b) }

// find calls yield with the words in a text, case apart, and their places, until it
// returns false.
func (v *vocabulary) find(text []byte, yield func(k *keyword, at int) bool) {
	for i := 0; i+1 < len(text); i++ {
		b := pair(ascii.Lower(text[i]), ascii.Lower(text[i+1]))
		if v.begins[b/64]>>(b%64)&1 == 0 {
			continue
		}
		list := v.byBegin[b]
		for k := range list {
			if begins(text[i:], list[k].word) && !yield(&list[k], i) {
				return
			}
		}
	}
}

// begins reports whether a text begins with a word in lower case, case apart.
func begins(text []byte, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		if ascii.Lower(text[i]) != word[i] {
			return false
		}
	}
	return true
}

// ruleWords are the words of all rules.
var ruleWords = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{byBegin: map[int][]keyword{}}
	for i, r := range allRules {
		for _, word := range r.keywords {
			v.add(word, i)
		}
	}
	return v
})

// place is one where a word of a rule stands.
type place struct{ rule, at int }

// near returns the places of the words of rules in a text, those of a rule together.
func near(text []byte) (all []place) {
	ruleWords().find(text, func(k *keyword, at int) bool {
		for _, r := range k.rules {
			all = append(all, place{r, at})
		}
		return true
	})
	slices.SortFunc(all, func(a, b place) int { return cmp.Or(a.rule-b.rule, a.at-b.at) })
	return all
}

// lists are the lists of words that allow something, by their texts.
var lists sync.Map // of string to *vocabulary

// hasWord reports whether one of the words of a list, in lower case and separated by
// white space, is in a text.
func hasWord(text []byte, list string) (found bool) {
	v, ok := lists.Load(list)
	if !ok {
		made := &vocabulary{byBegin: map[int][]keyword{}}
		for w := range strings.FieldsSeq(list) {
			made.add(w)
		}
		v, _ = lists.LoadOrStore(list, made)
	}
	v.(*vocabulary).find(text, func(*keyword, int) bool { found = true; return false })
	return found
}
