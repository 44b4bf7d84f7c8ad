package reading

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/query"
)

func TestIsProse(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"cart item price order stock shelf room the", false},                         // one stop word of eight
		{"cart item the price order the stock shelf", true},                           // two of eight
		{"cart the item price order stock the shelf room door shop lamp", true},       // two of twelve
		{"cart the item price order stock the shelf room door shop lamp desk", false}, // two of thirteen
		{"cart the item the price the order", false},                                  // seven words
		{"the 1 of 22 in 3 and 4 to 5", false},                                        // numbers are no words
		{"cart AND item OR price NOT order AND stock", false},                         // operators are no stop words
		{"CART ITEM THE PRICE ORDER The STOCK SHELF", true},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := isProse(c.text, proseWords); got != c.want {
				t.Errorf("is prose: %v, want %v", got, c.want)
			}
		})
	}
}

func TestIsPasted(t *testing.T) {
	for text, want := range map[string]bool{
		"open file":                    false,
		"open file\n":                  false,
		"open\nfile":                   true,
		"error: no such file":          true,
		"TypeError: x is not defined":  true,
		"panic: no such file":          true,
		"why is there an error: here":  false,
		"main.go:12: undefined: x":     true,
		"at Object.run (index.js:1)":   true,
		"goroutine 1":                  true,
		"caused by: no such file":      true,
		"the error handling of panics": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := IsPasted(text); got != want {
				t.Errorf("is pasted: %v, want %v", got, want)
			}
		})
	}
}

func TestParse(t *testing.T) {
	long := strings.Repeat("one the two and ", 3)
	const (
		data = "aGVsbG8gd29ybGQgdGhpcyBpcyBlbmNvZGVkIGRhdGEgb2YgYSBsb25nIGZpbGU0MiB4eXo5"
		name = "com/example/warehouse/ShelfControllerIntegrationTest/takesNothingFromAnEmptyShelf2"
		path = "home/me/a/b/src/c3/d4v2/commonTest/k/io/x/y1/CommonIoKtTest"
	)
	for _, c := range []struct {
		name, text string
		want       string // the tree, leaves with their places
		note       string // part of it
	}{
		{"words", "open file", `any(open file)`, ""},
		{"operators", "open AND file", `and(open file)`, ""},
		{"pasted", "a AND b\nc", "a AND b\nc", ""},
		{"prose", long + `"x y" AND z`, "any(one the two and one the two and one the two and \"x y\" z)", "read as prose"},
		{"prose with a name", long + `"x y" symbol:Open`, "and(any(one the two and one the two and one the two and \"x y\") symbol:Open)", "read as prose"},
		{"prose with a negation at its end", long + `"x" -y`, "and(any(one the two and one the two and one the two and \"x\") not(y))", "read as prose"},
		{"prose with a negation at its end alone", long + "-y", "and(any(one the two and one the two and one the two and) not(y))", ""},
		{"prose with a negation inside", long + "-y x", "any(one the two and one the two and one the two and y x)", "read as prose"},
		{"prose with AND", long + "x AND y", "any(one the two and one the two and one the two and x y)", "read as prose"},
		{"many words", strings.Repeat("row ", 40) + "AND y", "any(" + strings.Repeat("row ", 40) + "y)", "read as prose"},
		{"encoded data in words", "key " + data + " is refused", "any(key is refused)", "encoded data was left out"},
		{"a hash alone", data[:64], data[:64], ""},
		{"a long name", "see " + name, "any(see " + name + ")", ""},
		{"a long path", "see /" + path + ".kt", "any(see /" + path + ".kt)", ""},
		{"a label like a prefix", "undefined symbol: main", "any(undefined symbol main)", "read as words: symbol:"},
		{"a dump", "0000  " + strings.Repeat("0f a1 ", 8) + "|....|\n0010  " + strings.Repeat("2e 7c ", 8) + "|....|\n", "\n\n", "encoded data was left out"},
		{"a short text with an open quote", `"class FooZ`, `"class FooZ`, "read as plain words: at byte 0"},
		{"a name and an open parenthesis", "loadEnv (mode", "loadEnv (mode", "read as plain words: at byte 8"},
		{"a name and a closing parenthesis", ") mode", ") mode", "read as plain words: at byte 0"},
		{"a locale", "lang:en_US", "any(lang en_US)", "read as words: lang:en_US"},
		{"prose that is no query", long + "(", long + "(", "read as plain words: at byte 48"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, note, err := Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := printed(q.Root); got != c.want || !strings.Contains(note, c.note) || c.note == "" && note != "" {
				t.Errorf("%s with note %q, want %s with %q", got, note, c.want, c.note)
			}
		})
	}
}

// TestParseRefuses holds which texts are the query language, written wrong.
func TestParseRefuses(t *testing.T) {
	for _, text := range []string{`open AND "file`, "(open OR file", `path:src "file`, "(kind:func open", "open -(file", "kind:widget", "path:", "symbol: Open"} {
		t.Run(text, func(t *testing.T) {
			if q, note, err := Parse(text); err == nil {
				t.Errorf("read as %s with note %q, want an error", printed(q.Root), note)
			}
		})
	}
}

// printed prints a tree.
func printed(n query.Node) string {
	all := func(name string, nodes []query.Node) string {
		var parts []string
		for _, n := range nodes {
			parts = append(parts, printed(n))
		}
		return name + "(" + strings.Join(parts, " ") + ")"
	}
	switch n := n.(type) {
	case query.And:
		return all("and", n.Nodes)
	case query.Or:
		return all("or", n.Nodes)
	case query.Any:
		return all("any", n.Nodes)
	case query.Not:
		return "not(" + printed(n.Node) + ")"
	case query.Word:
		return n.Text
	case query.Phrase:
		return fmt.Sprintf("%q", n.Text)
	case query.Symbol:
		return "symbol:" + n.Name
	}
	return fmt.Sprint(n)
}

// FuzzParse holds that a text that is read as prose keeps no phrase and no
// choice, and that its note has a reason.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", `the sum of "all the prices" is NOT in the cart -test`, "a OR (b AND the of in to) symbol:x path:y the of", "to be OR NOT to be that is the question"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, note, err := Parse(text)
		if err != nil || note == "" {
			return
		}
		nodes := []query.Node{q.Root}
		if and, ok := q.Root.(query.And); ok {
			nodes = and.Nodes
		}
		for _, n := range nodes {
			switch n.(type) {
			case query.Phrase, query.Or:
				t.Errorf("%q is read with the condition %#v", text, n)
			}
		}
	})
}
