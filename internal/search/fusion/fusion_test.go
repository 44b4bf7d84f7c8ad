package fusion

import (
	"fmt"
	"strings"
	"testing"
)

func TestFuse(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lists [][]string
		want  string
	}{
		{"nothing", [][]string{nil, nil}, ""},
		{"first in both", [][]string{{"a"}, {"a"}}, "a 0.01639"},
		{"first in one", [][]string{{"a"}, nil}, "a 0.00820"},
		{"both before one", [][]string{{"a", "b"}, {"c", "b"}}, "b 0.01613 a 0.00820 c 0.00820"},
		{"ties by name", [][]string{{"z", "m"}, {"b", "n"}}, "b 0.00820 z 0.00820 m 0.00806 n 0.00806"},
		{"third in one", [][]string{{"a", "b", "c"}, {"a"}}, "a 0.01639 b 0.00806 c 0.00794"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lists []List[string]
			for _, items := range tt.lists {
				lists = append(lists, List[string]{items, 0.5})
			}
			for range 20 {
				var got []string
				for _, s := range Fuse(strings.Compare, lists...) {
					got = append(got, fmt.Sprintf("%s %.5f", s.Item, s.Score))
				}
				if strings.Join(got, " ") != tt.want {
					t.Fatalf("got %q, want %q", got, tt.want)
				}
			}
		})
	}
}
