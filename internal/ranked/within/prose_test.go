package within

import (
	"strings"
	"testing"

	"espy/internal/sample"
)

// TestProse holds which lines are comments and documentation (#), and which are code (.).
func TestProse(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"python", "# a\nx = 1 # b\n", "#."},
		{"python", "def f():\n    \"\"\"One.\"\"\"\n    return 1\n", ".#."},
		{"python", "def f():\n    r'''One.\n\n    Two\n    '''\n    return 1\n", ".####."},
		{"python", "x = '''a\nb\n'''\ny = 1\n", "...."},
		{"python", "f('''a''', \"\"\"b\nc\"\"\")\n\"\"\"d\"\"\"\n", "..#"},
		{"python", "\"\"\"a\nb\"\"\" + '''c\nd'''\ne\n", "##.."},
		{"elixir", "@doc \"\"\"\na\n\"\"\"\ndef f, do: 1\n", "###."},
		{"kotlin", "val x = f(\n\"\"\"a\nb\"\"\")\n// c\n", "...#"},
		{"go", "// a\nfunc f() {\n\tg() // b\n\t/* c\n\td */\n\t/* e */\n\treturn\n", "#..###."},
		{"haskell", "{- a\nb -}\n-- c\nf = 1\n", "###."},
		{"", "# a\n// b\n", ".."},
	} {
		t.Run(c.language, func(t *testing.T) {
			p := newProse(c.language)
			var got strings.Builder
			for line := range strings.Lines(c.text) {
				if p.has([]byte(line)) {
					got.WriteByte('#')
				} else {
					got.WriteByte('.')
				}
			}
			if got.String() != c.want {
				t.Errorf("%q: %s, want %s", c.text, got.String(), c.want)
			}
		})
	}
}

// TestProseCountsLess holds that of two functions the one whose code has a word is more
// about it than the one that is documented with it, also where a chunk begins within the
// documentation, and that both are as long as they are.
func TestProseCountsLess(t *testing.T) {
	filler := strings.Repeat("    and a long line of documentation which says a shelf and no more than that\n", 60)
	snap := sample.Repository(t, "shop", map[string]string{
		"cart.py": "def told(n):\n    \"\"\"Lift lifts.\n    \"\"\"\n    return n\n\ndef done(n):\n    lift(n)\n    lift(n)\n\n\n\n" +
			"def long(n):\n    \"\"\"One.\n\n" + filler + "    \"\"\"\n    return shelf(n)\n",
	})
	s := over(t, snap).Segments[0]
	places, err := New([]Term{{"lift", 1, 1}, {"shelf", 0, 1}}).Places(s, 0, chunksOf(s), func(int) float64 { return 0 })
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]Place{}
	for _, p := range places {
		byName[p.Name] = p
	}
	if told, done := byName["told"], byName["done"]; told.Body <= 0 || told.Body >= done.Body || told.Words < 5 {
		t.Errorf("%+v, want less than %+v", told, done)
	}
	const most = 61*timesProse + 1 // times that shelf counts
	long := byName["long"]
	norm := saturation * (1 - length + length*float64(long.Words)/mean)
	if long.Title > most*(saturation+1)/(most+norm) || s.NumChunks() < 3 {
		t.Errorf("%+v in %d chunks: more than its prose and its code say", long, s.NumChunks())
	}
}
