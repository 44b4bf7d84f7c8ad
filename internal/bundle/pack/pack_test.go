package pack

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// sizes counts ten bytes a line, and as many for a heading.
var sizes = Sizes{Heading: func(*Piece) int { return 10 }, Line: func(string, int) int { return 10 }}

func lines(first, last int) []Range { return []Range{{first, last}} }

// shownIn writes a choice as path:lines of each span.
func shownIn(c *Choice) string {
	var b strings.Builder
	for _, s := range c.Spans {
		fmt.Fprintf(&b, "%s %d-%d:", s.Path, s.First, s.Last)
		for _, r := range s.Runs {
			fmt.Fprintf(&b, " %d-%d", r.First, r.Last)
		}
		for _, r := range s.Held {
			fmt.Fprintf(&b, " held %d-%d", r.First, r.Last)
		}
		for _, p := range s.Pieces {
			b.WriteString(" " + p.Reason)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestChoose(t *testing.T) {
	definition := Piece{Path: "a", First: 1, Last: 9, Reason: "def", Steps: []Step{{lines(1, 1), 10}, {lines(1, 9), 10}}}
	caller := Piece{Path: "b", First: 5, Last: 8, Reason: "call", Order: 2, Steps: []Step{{lines(6, 6), 5}}}
	nested := Piece{Path: "a", First: 3, Last: 4, Reason: "in", Order: 1, Steps: []Step{{lines(3, 4), 6}}}
	file := Piece{Path: "t", First: 1, Last: 90, Reason: "test", Order: 3, Whole: true, Steps: []Step{{nil, 3}}}
	dear := Piece{Path: "c", First: 1, Last: 50, Reason: "dear", Steps: []Step{{lines(1, 50), 1}}}
	for name, tt := range map[string]struct {
		pieces []Piece
		bytes  int
		least  float64
		held   func(string, int) bool
		want   string
		left   int
	}{
		"all that fits, definitions first":  {[]Piece{caller, definition}, 200, 0, nil, "a 1-9: 1-9 def\nb 5-8: 6-6 call\n", 0},
		"what is worth most for its size":   {[]Piece{definition, caller}, 40, 0, nil, "a 1-9: 1-1 def\nb 5-8: 6-6 call\n", 0},
		"nothing fits":                      {[]Piece{definition}, 10, 0, nil, "", 1},
		"lines in common are shown once":    {[]Piece{definition, nested}, 110, 0, nil, "a 1-9: 1-9 def in\n", 0},
		"a smaller one where a dear one no": {[]Piece{dear, caller}, 50, 0, nil, "b 5-8: 6-6 call\n", 1},
		"what is not worth its size":        {[]Piece{caller, dear}, 9000, 0.01, nil, "b 5-8: 6-6 call\n", 1},
		"a file that is named":              {[]Piece{file}, 20, 0, nil, "t 1-90: test\n", 0},
		"held lines are left out":           {[]Piece{definition}, 200, 0, func(_ string, n int) bool { return n > 2 && n < 6 }, "a 1-9: 1-2 6-9 held 3-5 def\n", 0},
		"held at first":                     {[]Piece{definition}, 200, 0, func(_ string, n int) bool { return n == 1 }, "a 1-9: 2-9 def\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := Choose(&Question{Pieces: tt.pieces, Bytes: tt.bytes, Least: tt.least, Sizes: sizes, Held: tt.held})
			if got := shownIn(c); got != tt.want || len(c.Left) != tt.left {
				t.Errorf("got\n%swant\n%sleft %d, want %d", got, tt.want, len(c.Left), tt.left)
			}
		})
	}
	t.Run("the first bytes are filled whatever they are worth", func(t *testing.T) {
		for first, want := range map[int]string{0: "", 19: "", 20: "a 1-9: 1-1 def\n", 40: "a 1-9: 1-1 def\nb 5-8: 6-6 call\n"} {
			if got := shownIn(Choose(&Question{Pieces: []Piece{definition, caller}, Bytes: 9000, Least: 99, First: first, Sizes: sizes})); got != want {
				t.Errorf("first %d: got\n%swant\n%s", first, got, want)
			}
		}
	})
	t.Run("held whole", func(t *testing.T) {
		c := Choose(&Question{Pieces: []Piece{definition, caller}, Bytes: 200, Sizes: sizes, Held: func(path string, _ int) bool { return path == "a" }})
		if len(c.Held) != 1 || len(c.Spans) != 1 || len(c.Left) != 0 {
			t.Errorf("held %d, spans %d, left %d", len(c.Held), len(c.Spans), len(c.Left))
		}
	})
}

// TestChooseHolds holds of many random questions that a choice keeps to its bound
// by the sizes it was given, shows no line twice, and is the same each time.
func TestChooseHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		q := randomQuestion(r)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			c := Choose(q)
			if again := Choose(q); !reflect.DeepEqual(c, again) {
				t.Fatal("the same question, another choice")
			}
			size, seen := 0, map[string]bool{}
			for _, s := range c.Spans {
				size += 10 * len(s.Pieces)
				for _, run := range s.Runs {
					for n := run.First; n <= run.Last; n++ {
						key := fmt.Sprint(s.Path, n)
						if seen[key] || n < s.First || n > s.Last || q.Held(s.Path, n) {
							t.Fatalf("%s is shown twice, outside, or held", key)
						}
						seen[key] = true
						size += 10
					}
				}
			}
			if size > q.Bytes {
				t.Errorf("%d bytes of %d", size, q.Bytes)
			}
			if n := len(c.Left) + len(c.Held); n > len(q.Pieces) {
				t.Errorf("%d pieces are left of %d", n, len(q.Pieces))
			}
		})
	}
}

func randomQuestion(r *rand.Rand) *Question {
	q := &Question{Bytes: r.IntN(2000), Sizes: sizes}
	for range r.IntN(30) {
		p := Piece{Path: string(rune('a' + r.IntN(3))), First: 1 + r.IntN(40), Order: r.IntN(3), Reason: "r"}
		p.Last = p.First + r.IntN(20)
		for range 1 + r.IntN(3) {
			first := p.First + r.IntN(p.Last-p.First+1)
			p.Steps = append(p.Steps, Step{lines(first, first+r.IntN(p.Last-first+1)), r.Float64() * 10})
		}
		q.Pieces = append(q.Pieces, p)
	}
	held := make([]int, r.IntN(10))
	for i := range held {
		held[i] = r.IntN(60)
	}
	q.Held = func(path string, n int) bool { return path == "b" && slices.Contains(held, n) }
	return q
}
