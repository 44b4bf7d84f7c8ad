package message

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/token"
)

// Bounds of the search for formats.
const (
	maxFilled      = 16     // words of a line
	filledGap      = 4      // words that one of a pair stands behind the other, at most
	filledPostings = 200000 // postings that are read for all pairs of a line
	sureChunks     = 512    // that a pair leads to; one that more hold tells only between others
)

// fillers is how many terms more or fewer than one a format has in the place of a
// value: none for {}, two for ${item.name}.
const fillers = 1

// fixed is a term of a line that is of no value, and how many stand before it; a value
// counts as one.
type fixed struct {
	*wanted
	at int
}

// Filled returns the chunks that may have the format which a short line fills in: those
// that hold most pairs of its words, stop words too, as far apart as they may be where
// something else stands in the place of each value. It takes the postings that it reads off
// left, and reads no more than there are.
func Filled(line string, in *corpus.Corpus, left *int) ([]Place, error) {
	words := fixedWords(line)
	if len(words) == 0 || words[len(words)-1].at >= maxFilled-1 {
		return nil, nil
	}
	for _, w := range words {
		if err := w.seek(in); err != nil {
			return nil, err
		}
	}
	var pairs []pair
	for i, a := range words {
		for _, b := range words[i+1:] {
			if d := b.at - a.at; d <= filledGap && a.chunks > 0 && b.chunks > 0 && a.wanted != b.wanted {
				pairs = append(pairs, pair{a.wanted, b.wanted, d})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.postings(), b.postings()) })
	sums := make([]map[int]Place, len(in.Segments)) // by segment and chunk
	var memory corpus.Pairs
	read := 0
	for i := range pairs[:min(len(pairs), maxPairs)] {
		if read += pairs[i].postings(); read > min(filledPostings, *left) {
			break
		}
		pairs[i].addTo(sums, in, fillers, sureChunks, &memory)
	}
	*left = max(0, *left-read)
	for i, s := range in.Segments {
		languages, traits := s.Languages(), s.FileTraits()
		maps.DeleteFunc(sums[i], func(chunk int, _ Place) bool {
			t := traits[s.FileOf(chunk)]
			return rank.ContentOf(languages[t.Language]) != rank.ContentCode || t.Class&quoting != 0
		})
	}
	return bestOf(sums, in, 1, 0), nil
}

// quoting are the classes of files that quote what programs print, and hold no formats.
const quoting = code.ClassTest | code.ClassDocs

// fixedWords returns the terms of a line that are of no value, the first maxFilled or a word
// more: paths, numbers, names with marks in them and what stands in quotes are values.
func fixedWords(line string) (words []fixed) {
	known := map[string]*wanted{}
	at, behind := 0, false // the last field was a value
	quote := ""            // what ends the value that is open
	for field := range strings.FieldsSeq(line) {
		if at >= maxFilled {
			break
		}
		open := quote != ""
		if first, size := utf8.DecodeRuneInString(field); !open && strings.ContainsRune(openQuotes, first) {
			quote, open = closing(first), true
			field = field[size:]
		}
		if quote != "" && strings.Contains(field, quote) {
			quote = ""
		}
		if open || isValue(field) {
			if !behind {
				at++
			}
			behind = true
			continue
		}
		behind = false
		b := []byte(field)
		for start, end := token.NextWord(b, 0); start < end; start, end = token.NextWord(b, end) {
			w := token.Analyze(field[start:end])
			for _, text := range w.Terms {
				t := known[text]
				if t == nil {
					t = &wanted{text: text, stop: len(w.Terms) == 1 && rank.IsStopword(strings.ToLower(field[start:end]))}
					known[text] = t
				}
				words = append(words, fixed{t, at})
				at++
			}
		}
	}
	return words
}

const openQuotes = "\"'`‘“«"

// closing returns the quote that ends what one begins.
func closing(quote rune) string {
	switch quote {
	case '‘':
		return "’"
	case '“':
		return "”"
	case '«':
		return "»"
	}
	return string(quote)
}

// isValue reports whether a field looks like a value: it has a mark between other
// characters, or a digit that does not end a name, as that of utf8 does.
func isValue(field string) bool {
	core := strings.Trim(field, ".,:;!?()[]{}<>\"'`")
	name := strings.TrimRight(core, "0123456789")
	return strings.ContainsAny(name, "0123456789/\\_.=@#$%&*+|~:{}[]<>") || name == "" && core != "" || len(core)-len(name) > nameDigits
}

// nameDigits is how many digits a name ends in at most.
const nameDigits = 2
