package corpus

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"espy/internal/facts"
	"espy/internal/segment"
)

// Mentions calls yield with every place where a word appears in the text of a
// live file, whatever it is there, until it returns false.
func (c *Corpus) Mentions(word string, yield func(FileID, uint32) bool) error {
	return c.MentionsIn(word, nil, func(FileID) bool { return true }, yield)
}

// MentionsIn is Mentions of the files that are wanted: others are not read. With the cache
// of the caller what yield reads next to a place is at hand; nil is allowed.
func (c *Corpus) MentionsIn(word string, cache *segment.TextCache, wanted func(FileID) bool, yield func(FileID, uint32) bool) error {
	if cache == nil {
		cache = new(segment.TextCache) // regions next to each other are compressed together
	}
	for p := c.own.parts; p < c.own.endParts; p++ {
		regions, err := holding(c.parts[p].Live, word)
		if err != nil {
			return err
		}
		for _, region := range regions {
			info := c.parts[p].Region(region)
			id := c.ids[p][info.File]
			if id == facts.None || !wanted(id) {
				continue
			}
			text, err := c.parts[p].RegionText(region, cache)
			if err != nil {
				return err
			}
			for _, at := range words(text, word) {
				if !yield(id, uint32(info.Start+at)) {
					return nil
				}
			}
		}
	}
	return nil
}

// holding lists the regions that may hold a word: all of them for a short one.
func holding(l segment.Live, word string) ([]int, error) {
	var some []int
	for i := range len(word) - 2 {
		regions, err := l.Trigram([3]byte{word[i], word[i+1], word[i+2]})
		if err != nil {
			return nil, err
		}
		if i == 0 {
			for _, r := range regions {
				some = append(some, int(r))
			}
			continue
		}
		some = slices.DeleteFunc(some, func(r int) bool {
			_, ok := slices.BinarySearch(regions, uint32(r))
			return !ok
		})
	}
	if len(word) < 3 {
		for i := range l.NumRegions() {
			some = append(some, i)
		}
	}
	return some, nil
}

// words lists where a word appears in a text with no letter or digit next to it.
func words(text []byte, word string) []int {
	var all []int
	for from := 0; word != ""; {
		i := bytes.Index(text[from:], []byte(word))
		if i < 0 {
			break
		}
		at := from + i
		before, _ := utf8.DecodeLastRune(text[:at])
		after, _ := utf8.DecodeRune(text[at+len(word):])
		if !inWord(before) && !inWord(after) {
			all = append(all, at)
		}
		from = at + len(word)
	}
	return all
}

func inWord(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// HasText reports whether a file of parts, of those that want chooses by their path,
// holds a text with no letter or digit in front of it, nor behind it where it ends in
// one. No syntax is needed, and little is read where the text is rare.
func HasText(parts []Part, text string, want func(path string) bool) (bool, error) {
	var cache segment.TextCache
	for p := range parts {
		regions, err := holding(parts[p].Live, text)
		if err != nil {
			return false, err
		}
		for _, region := range regions {
			info := parts[p].Region(region)
			if !parts[p].Alive(int(info.File)) || !want(parts[p].Path(int(info.File))) {
				continue
			}
			read, err := parts[p].RegionText(region, &cache)
			if err != nil {
				return false, err
			}
			if stands(read, text) {
				return true, nil
			}
		}
	}
	return false, nil
}

// stands reports whether a text holds another with no letter or digit in front of it,
// nor behind it where it ends in one.
func stands(in []byte, text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	for from := 0; ; {
		i := bytes.Index(in[from:], []byte(text))
		if i < 0 {
			return false
		}
		at := from + i
		before, _ := utf8.DecodeLastRune(in[:at])
		after, _ := utf8.DecodeRune(in[at+len(text):])
		if !inWord(before) && (!inWord(last) || !inWord(after)) {
			return true
		}
		from = at + 1
	}
}
