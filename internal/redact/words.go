package redact

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"espy/internal/ascii"
)

// vocabulary finds words in a text, by the bytes that they begin with.
type vocabulary struct {
	begins [1 << 16]uint16 // by the first two bytes: which of the lists
	lists  []beginning     // the first is empty
}

// beginning is the words that begin with the same two bytes.
type beginning struct {
	thirds [4]uint64 // the bytes that come next, as bits
	words  []keyword
}

// keyword is a word, and the rules that have it.
type keyword struct {
	word  string
	rules []int
}

// add adds a word of at least two bytes, in lower case.
func (v *vocabulary) add(word string, rules ...int) {
	if v.lists == nil {
		v.lists = make([]beginning, 1)
	}
	number := &v.begins[pair(word[0], word[1])]
	if *number == 0 {
		*number = uint16(len(v.lists))
		v.lists = append(v.lists, beginning{})
	}
	list := &v.lists[*number]
	if len(word) == 2 {
		list.thirds = [4]uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}
	} else {
		list.thirds[word[2]/64] |= 1 << (word[2] % 64)
	}
	k := slices.IndexFunc(list.words, func(k keyword) bool { return k.word == word })
	if k < 0 {
		list.words, k = append(list.words, keyword{word: word}), len(list.words)
	}
	list.words[k].rules = append(list.words[k].rules, rules...)
}

func pair(a, b byte) int { return int(a)<<8 | int(b) }

// find calls yield with the words in a text, case apart, and their places, until it
// returns false.
func (v *vocabulary) find(text []byte, yield func(k *keyword, at int) bool) {
	if len(text) < 2 || v.lists == nil {
		return
	}
	first, second := ascii.Lower(text[0]), ascii.Lower(text[1])
	for i := range len(text) - 1 {
		third := byte(0)
		if i+2 < len(text) {
			third = ascii.Lower(text[i+2])
		}
		list := &v.lists[v.begins[pair(first, second)]]
		first, second = second, third
		if list.thirds[third/64]>>(third%64)&1 == 0 {
			continue
		}
		for k := range list.words {
			if begins(text[i:], list.words[k].word) && !yield(&list.words[k], i) {
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
	v := &vocabulary{}
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
		made := &vocabulary{}
		for w := range strings.FieldsSeq(list) {
			made.add(w)
		}
		v, _ = lists.LoadOrStore(list, made)
	}
	v.(*vocabulary).find(text, func(*keyword, int) bool { found = true; return false })
	return found
}
