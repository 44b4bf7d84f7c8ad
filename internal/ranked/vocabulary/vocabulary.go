// Package vocabulary tells whether the words of a question are those of a collection
// of files: where those stand that are none of common language, and which pairs stand
// together.
package vocabulary

import (
	"context"
	"slices"
	"strings"

	"espy/internal/embedding/static"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/token"
)

// Words are the words of a question that say something, and a collection of files.
type Words struct {
	in    *corpus.Corpus
	texts []string
	parts []token.Word
}

// Of returns the words of a question, to be looked for in a collection.
func Of(question string, in *corpus.Corpus) *Words {
	w := &Words{in: in}
	text := []byte(question)
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		word := question[start:end]
		if parts := token.Analyze(word); !rank.IsStopword(word) && len(parts.Terms) > 0 {
			w.texts, w.parts = append(w.texts, word), append(w.parts, parts)
		}
	}
	return w
}

// Len counts the words.
func (w *Words) Len() int { return len(w.parts) }

// AskForType reports whether they are a single word that is written as the name of a type
// is, as Timeout: a question for what is called so.
func (w *Words) AskForType() bool {
	if len(w.texts) != 1 {
		return false
	}
	word := w.texts[0]
	return word != strings.ToUpper(word) && 'A' <= word[0] && word[0] <= 'Z'
}

// AskForChange reports whether one of the words is one by which people ask for a change.
func (w *Words) AskForChange() bool {
	return slices.ContainsFunc(w.parts, func(p token.Word) bool { return slices.ContainsFunc(p.Terms, rank.AsksForChange) })
}

// Lost counts the words of several parts, such as names of code have, that no file has.
func (w *Words) Lost() (n int, err error) {
	for _, p := range w.parts {
		if p.Compound == "" {
			continue
		}
		stands, err := w.stand(p.Compound)
		if err != nil {
			return 0, err
		}
		if !stands {
			n++
		}
	}
	return n, nil
}

// Names counts the words that are none of common language: those that some file has,
// most of which name what the code is about, and those that none has.
func (w *Words) Names() (here, unknown int, err error) {
	for i, p := range w.parts {
		if isCommon(w.texts[i]) {
			continue
		}
		stand, err := w.stand(p.Terms...)
		if err != nil {
			return 0, 0, err
		}
		if stand {
			here++
		} else {
			unknown++
		}
	}
	return here, unknown, nil
}

// nearWords is how many words behind another one a word is near to it.
const nearWords = 3

// Pairs counts the words that stand side by side and near each other in some file.
func (w *Words) Pairs() (near int, err error) {
	var memory corpus.Pairs
	for i := 1; i < len(w.parts); i++ {
		before := w.parts[i-1].Terms
		for _, s := range w.in.Segments {
			found, err := s.Near(&memory, before[len(before)-1], w.parts[i].Terms[0], nearWords)
			if err != nil {
				return 0, err
			}
			if found {
				near++
				break
			}
		}
	}
	return near, nil
}

// stand reports whether each of some terms stands in a live file.
func (w *Words) stand(terms ...string) (bool, error) {
	for _, t := range terms {
		if n, err := w.in.FilesWith(t); err != nil || n == 0 {
			return false, err
		}
	}
	return true, nil
}

// isCommon reports whether a word is a number, or one of common language: the table of
// the built-in embedding knows it.
func isCommon(word string) bool {
	if strings.Trim(word, "0123456789") == "" {
		return true
	}
	v, err := static.BuiltIn().Query(context.Background(), word)
	for _, x := range v {
		if x != 0 {
			return true
		}
	}
	return err != nil
}
