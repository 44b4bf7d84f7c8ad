package windows

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/ascii"
	"espy/internal/token"
)

// spots returns what a phrase matches in a text.
func spots(p *Phrase, text string) (found []string) {
	l := phraseLeaf(p, true)
	l.each(content{[]byte(text), ascii.AppendLower(nil, []byte(text))}, func(start, end int) { found = append(found, text[start:end]) })
	return found
}

func TestPhrase(t *testing.T) {
	for _, tt := range []struct {
		phrase Phrase
		text   string
		want   string // joined by |
	}{
		{Phrase{Words: []string{"foo"}}, "foo Foo food xfoo _foo_ foo2 getFoo FOOBar", "foo|Foo|foo|foo|Foo|FOO"},
		{Phrase{Words: []string{"server"}}, "HTTPServer httpserver SERVERs", "Server"},
		{Phrase{Words: []string{"http", "server"}}, "http server HTTP_Server HTTPServer http x server", "http server|HTTP_Server"},
		{Phrase{Words: []string{"http", "server"}, Slop: 1}, "http x server http x y server", "http x server"},
		{Phrase{Words: []string{"http", "ser"}, Prefix: true}, "http servers, http user", "http ser"},
		{Phrase{Words: []string{"straße"}}, "STRAßE Straße strasse", "STRAßE|Straße"},
		{Phrase{Words: []string{"über"}}, "ÜBER über drüber", "ÜBER|über"},
		{Phrase{Words: []string{"世"}}, "世界 x世", "世|世"},
		{Phrase{Words: []string{"v", "2"}}, "v 2, v2, v.2", "v 2|v.2"},
		{Phrase{Words: []string{"a", "a"}}, "a a a", "a a"},
	} {
		t.Run(fmt.Sprintf("%v in %q", tt.phrase.Words, tt.text), func(t *testing.T) {
			if got := spots(&tt.phrase, tt.text); !slices.Equal(got, strings.FieldsFunc(tt.want, func(r rune) bool { return r == '|' })) {
				t.Errorf("%v in %q: %q, want %q", tt.phrase, tt.text, got, tt.want)
			}
		})
	}
}

// FuzzPhrase holds that what a word matches is the word, on boundaries.
func FuzzPhrase(f *testing.F) {
	f.Add("foo", "getFoo foo_bar Foo2")
	f.Add("ß", "Straße ẞ")
	f.Fuzz(func(t *testing.T, word, text string) {
		word = strings.ToLower(word)
		if word == "" || len(word) > 40 || strings.ContainsFunc(word, func(r rune) bool { return token.KindOf(r) == token.KindNone }) {
			return
		}
		for _, got := range spots(&Phrase{Words: []string{word}}, text) {
			if strings.ToLower(got) != word {
				t.Errorf("%q matches %q", word, got)
			}
		}
	})
}
