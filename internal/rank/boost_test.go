package rank

import (
	"fmt"
	"strings"
	"testing"
)

func TestAsks(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"open a file", ""},
		{"tests of the csv reader", "test:test:1"},
		{"csv reader tests", "test:test:1"},
		{"how is the csv reader tested", "test:test:1"},
		{"how does the test client simulate requests", "test:test:0.4"},
		{"examples for routers", "exampl:example:1"},
		{"benchmarks and generated docs of x", "benchmark:bench:1 gener:generated:0.4 doc:docs:1"},
		{"testClient", ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			var got []string
			for _, a := range Understand(c.text, "").Asks {
				got = append(got, fmt.Sprintf("%s:%s:%v", a.Term, a.Signals[0], a.Sure))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q asks for %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestRaise(t *testing.T) {
	for _, c := range []struct {
		sure, share, want float64
	}{{1, 0, 1}, {1, 0.125, 0.75}, {1, 0.5, 0}, {1, 0.9, 0}, {0.4, 0, 0.4}} {
		t.Run(fmt.Sprintf("sure %v, share %v", c.sure, c.share), func(t *testing.T) {
			var b Boost
			b.Raise(Ask{Signals: []Signal{Test, Bench}, Sure: c.sure}, c.share)
			if b.of(Test) != c.want || b.of(Bench) != c.want || b.of(Docs) != 0 {
				t.Errorf("raised by %v at a share of %v: %v, want %v", c.sure, c.share, b.of(Test), c.want)
			}
			b.Raise(Ask{Signals: []Signal{Test}, Sure: 0.1}, 0)
			if b.of(Test) != max(c.want, 0.1) {
				t.Errorf("a second ask took %v to %v", c.want, b.of(Test))
			}
		})
	}
}
