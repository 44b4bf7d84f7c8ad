package message

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"espy/internal/sample"
)

// TestBounds holds where the search for places ends: each bound from both sides.
func TestBounds(t *testing.T) {
	// files returns n files with a text each.
	files := func(n int, text string) []string {
		var all []string
		for range n {
			all = append(all, text)
		}
		return all
	}
	apart := func(words ...string) []string { return words } // a word a file
	for _, c := range []struct {
		name  string
		files []string
		line  string
		want  int // places
	}{
		{"a pair in one file", files(1, "red fox"), "red fox:", 1},
		{"a pair in two files", files(2, "red fox"), "red fox:", 2},
		{"a pair in eight files", files(8, "red fox"), "red fox:", 8},
		{"a pair in nine files", files(9, "red fox"), "red fox:", 0},
		{"two pairs in three files", files(3, "red fox hen"), "red fox hen:", 3},
		{"a plain pair in one file", files(1, "red fox"), "red fox", 0},
		{"as many places as are read", files(8, "red fox hen"), "red fox hen:", 8},
		{"more places than are read", files(9, "red fox hen"), "red fox hen:", 8},
		{"as common as a pair may be", files(64, "red fox hen"), "red fox hen:", 8},
		{"too common", files(65, "red fox hen"), "red fox hen:", 0},
		{"three terms apart", files(1, "red some more fox"), "red nothing never fox:", 1},
		{"four terms apart", files(1, "red some more other fox"), "red nothing never nowhere fox:", 0},
		{"the wrong way round", files(1, "fox red"), "red fox:", 0},
		{"further apart in the file", files(1, "red some fox"), "red fox:", 0},
		{"the same word twice", files(1, "red red"), "red red:", 0},
		{"a number", files(1, "red 17"), "red 17:", 0},
		{"a word with a number", files(1, "red abc17"), "red abc17:", 1},
		{"stop words where few pairs are without", files(1, "the is not"), "the is not:", 1},
		{"stop words where three pairs are without", append(files(1, "is not"), "red some fox hen"), "red fox hen is not:", 2},
		{"stop words where enough pairs are without", append(files(1, "is not"), "red some fox other hen more owl"), "red fox hen owl is not:", 0},
		{"one part of a compound", files(1, "redFox henOwl"), "red fox:", 1},
		{"plain: the rarest meet", append(files(1, "red fox hen owl"), apart("red", "fox", "hen")...), "red fox hen owl", 1},
		{"plain: the three rarest do not meet in one file", []string{"red fox", "hen owl", "elk ant", "bee cow dog", "bee cow dog", "bee cow dog"}, "red fox hen owl elk ant bee cow dog", 0},
		{"logged: the same", []string{"red fox", "hen owl", "elk ant", "bee cow dog", "bee cow dog", "bee cow dog"}, "red fox hen owl elk ant bee cow dog:", 6},
		{"plain: few of the rarest are met", append(apart("aa", "bb", "cc", "dd", "ee", "ff", "gg"), files(4, "red fox hen")...), "aa bb cc dd ee ff gg red fox hen", 0},
		{"logged: few of the rarest are met", append(apart("aa", "bb", "cc", "dd", "ee", "ff", "gg"), files(4, "red fox hen")...), "aa bb cc dd ee ff gg red fox hen:", 4},
		{"as many pairs as are looked for", append(apart("aa", "bb", "cc", "dd", "ee", "ff", "gg"), files(9, "red fox")...), "aa bb cc dd ee ff gg red fox red fox.", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := map[string]string{}
			for i, text := range c.files {
				tree[fmt.Sprintf("f%03d.txt", i)] = text + "\n"
			}
			left := math.MaxInt
			places, err := Places(c.line, corpusOf(t, sample.Repository(t, "r", tree)), &left)
			if err != nil {
				t.Fatal(err)
			}
			if len(places) != c.want {
				t.Errorf("%q leads to %d places, want %d", c.line, len(places), c.want)
			}
		})
	}
}

// TestWordsOfText holds how many words of a text count, and how many of them a
// piece of code must have to be looked at.
func TestWordsOfText(t *testing.T) {
	words := strings.Fields("red fox hen owl elk ant bee cow dog")
	for n := range 70 {
		line := ""
		for i := range n {
			line += fmt.Sprintf("w%c%c ", 'a'+i/26, 'a'+i%26)
		}
		t.Run(fmt.Sprintf("%d words", n), func(t *testing.T) {
			if got := New(line).Words(); got != min(n, 64) {
				t.Errorf("%d words count, want %d", got, min(n, 64))
			}
			if n >= len(words) {
				return
			}
			text := strings.Join(words[:n], " ")
			for _, c := range []struct {
				code                 string
				isMessage, isInProse bool
			}{
				{`"` + text + `"`, n >= 3, n >= 6},
				{text, n >= 6, n >= 6},
				{`"` + text + ` and so it goes on and on to its very end at last"`, n >= 4, n >= 6},
			} {
				fit := New(text).Best([]byte(c.code), "")
				if got, docs := fit.IsMessage(false), fit.IsMessage(true); got != c.isMessage || docs != c.isInProse {
					t.Errorf("%q in %q: %+v, a message %v, in documentation %v, want %v, %v", text, c.code, fit, got, docs, c.isMessage, c.isInProse)
				}
			}
		})
	}
}
