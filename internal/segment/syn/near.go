package syn

import (
	"math/bits"
	"strings"
)

// Near returns the names with symbols that other files can mean which might be
// meant by a word: those that begin with it and those whose edit distance can be
// small enough for nearest.Of, letter case aside, sorted. nearest.Of picks
// the likely ones among those of all parts.
func (r *Reader) Near(word string) (near []string) {
	word = strings.ToLower(word)
	reach := max(1, len(word)/3)
	letters := letterSet(word)
	var c nameCursor
	for ok := c.seek(r, nil); ok; ok = c.next() {
		if !close(len(c.name), len(word), reach, letterSetOf(c.name), letters) {
			continue
		}
		files := c.files()
		for _, flags, ok := files.next(); ok; _, flags, ok = files.next() {
			if flags&hasGlobal != 0 {
				near = append(near, string(c.name))
				break
			}
		}
	}
	return near
}

// close reports whether a name may be within reach of a word or begin with it,
// judged by their lengths and the letters that they have: an edit changes the
// length by one and brings or takes one letter each at most.
func close(name, word, reach int, nameLetters, wordLetters uint64) bool {
	missing := bits.OnesCount64(wordLetters &^ nameLetters)
	if name > word && missing == 0 {
		return true
	}
	return max(name-word, word-name) <= reach && missing <= reach && bits.OnesCount64(nameLetters&^wordLetters) <= reach
}

func letterSet(s string) uint64 { return letterSetOf([]byte(s)) }

func letterSetOf(s []byte) (set uint64) {
	for _, c := range s {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		set |= 1 << (c & 63)
	}
	return set
}
