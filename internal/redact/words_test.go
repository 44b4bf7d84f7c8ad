package redact

import (
	"slices"
	"testing"
)

// TestNameStart holds that an expression without the beginning of a name, and
// nameStart, find what the whole one does.
func TestNameStart(t *testing.T) {
	const value = "zaCELgL0imfnc8mVLWwsAawjYr4Rx"
	long := "an_application_of_many_words.that-has_a_very_long_name_indeed_"
	for _, name := range []string{"token", "my.client_secret", long + "api_key", "a b token", "secret_token", "(key", "x=token"} {
		t.Run(name, func(t *testing.T) {
			r := &allRules[slices.IndexFunc(allRules, func(r rule) bool { return r.id == genericRule })]
			text := []byte("let " + name + ` = "` + value + `"; ` + name + `: '` + value + `'`)
			want := compiled(r.regex).FindAllSubmatchIndex(text, -1)
			got := compiled(r.expression()).FindAllSubmatchIndex(text, -1)
			for _, m := range got {
				m[0] = nameStart(text, m[0])
			}
			if len(want) != 2 || !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s: %v, want %v", text, got, want)
			}
		})
	}
}

func TestHasWord(t *testing.T) {
	const list = "secret abc xx"
	for text, want := range map[string]bool{"": false, "a": false, "ab": false, "abc": true, "0SECRET9": true, "secre": false, "a.xX.b": true, "x x": false} {
		if got := hasWord([]byte(text), list); got != want {
			t.Errorf("hasWord(%q) = %v", text, got)
		}
	}
}

func TestLeads(t *testing.T) {
	for text, want := range map[string]bool{
		"s.k5Yz3Qn8Wb1Vc7Xd9Rf2Tg4H": true, "s.k5Yz3Qn8Wb1Vc7Xd9Rf2Tg4": false, "s.method(k5Yz3Qn8Wb1Vc7Xd9Rf2Tg4H)": false, "s.a.k5Yz3Qn8Wb1Vc7Xd9Rf2Tg4H": false, "k5Yz3Qn8Wb1Vc7Xd9Rf2Tg4H": true, "s.": false, "": false,
	} {
		if got := leads([]byte(text), 24); got != want {
			t.Errorf("leads(%q, 24) = %v", text, got)
		}
	}
}
