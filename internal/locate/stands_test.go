package locate

import "testing"

func TestStandsAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line       string
		at         int // from 0
		text, word string
	}{
		{`print(d["key"])`, 9, `"key"`, "key"},
		{`print(d["key"])`, 8, `"key"`, ""},
		{`print(d["key"])`, 7, "", ""},
		{`echo $a['key'];`, 10, `'key'`, "key"},
		{`x = f'it\'s' + y`, 7, `'it\'s'`, "it"},
		{`x = f'it\'s' + y`, 15, "", "y"},
		{`# don't "quote me" or isn't`, 3, "", "don"},
		{`# don't "quote me" or isn't`, 10, `"quote me"`, "quote"},
		{`# don't "quote me" or isn't`, 23, "", "isn"},
		{`return 42 # naïve`, 14, "", "naïve"},
		{`return 42 # naïve`, 15, "", "naïve"},
		{`return 42`, 6, "", ""},
		{`return 42`, 9, "", ""},
		{`"open`, 2, "", "open"},
		{`"a" "b"`, 3, "", ""},
		{`"a\`, 2, "", ""},
		{``, 0, "", ""},
	} {
		if got := quotedAt([]byte(c.line), c.at); got != c.text {
			t.Errorf("quotedAt(%q, %d) = %q, want %q", c.line, c.at, got, c.text)
		}
		if got := wordAt([]byte(c.line), c.at); got != c.word {
			t.Errorf("wordAt(%q, %d) = %q, want %q", c.line, c.at, got, c.word)
		}
	}
}
