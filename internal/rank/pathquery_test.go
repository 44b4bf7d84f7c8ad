package rank

import (
	"fmt"
	"testing"
)

func TestPathQuery(t *testing.T) {
	for _, c := range []struct {
		path  string
		terms []string // each of weight 1 of the 4 of the query
		head  []string
		want  Signals
	}{
		{"lib/http/redirect_handler.py", []string{"redirect", "handl"}, nil, Signals{StemSaid: 1, PathWords: 1, Depth: 2}},
		{"lib/http/redirect_handler.py", []string{"http", "zebra"}, nil, Signals{Dir: 0.25, PathWords: 0.5, Depth: 2}},
		{"lib/http/redirect_handler.py", []string{"redir"}, nil, Signals{PathWords: prefixMatch, Depth: 2}},
		{"lib/http/redirect_handler.py", []string{"reduce"}, nil, Signals{Depth: 2}},
		{"lib/http/redirect_handler.py", []string{"redirect", "http"}, []string{"http", "redirect"}, Signals{StemSaid: 0.5, StemHead: 0.25, Dir: 0.25, PathWords: 1, Depth: 2}},
		{"http/server/http/a.go", []string{"x", "http", "serv"}, nil, Signals{Dir: 0.5, PathWords: 2. / 2, Depth: 3}},
		{"http/a/b/c/d.go", []string{"http"}, nil, Signals{Dir: 0.25, Depth: 4}}, // a folder, but not a near one
		{".x", []string{"x"}, []string{"x"}, Signals{}},
		{"a.go", nil, nil, Signals{}},
	} {
		t.Run(fmt.Sprintf("%s for %v, head %v", c.path, c.terms, c.head), func(t *testing.T) {
			q := NewPathQuery(4, len(c.terms))
			for _, text := range c.terms {
				q.Add(text, 1, true)
			}
			q.SetHead(c.head)
			stem, folder := splitPath(new(Splitter), c.path)
			var near Near
			q.Near(&near, folder)
			var got Signals
			q.Judge(&got, &stem, &near)
			if got != c.want {
				t.Errorf("%q in %q: %v, want %v", c.terms, c.path, got, c.want)
			}
		})
	}
}
