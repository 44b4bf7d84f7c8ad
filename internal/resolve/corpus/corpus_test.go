package corpus

import (
	"slices"
	"testing"
)

func TestUnder(t *testing.T) {
	c := &Corpus{}
	for _, p := range []string{"a.go", "a/b.go", "a/b/c.go", "a/bc.go", "ab/c.go", "b.go"} {
		c.files = append(c.files, fileInfo{path: p})
	}
	c.own.endFiles = FileID(len(c.files))
	tests := []struct {
		folder string
		want   []FileID
	}{
		{"", []FileID{0, 1, 2, 3, 4, 5}},
		{"a", []FileID{1, 2, 3}},
		{"a/b", []FileID{2}},
		{"ab", []FileID{4}},
		{"b", nil},
		{"c", nil},
		{"a.go", nil},
	}
	for _, tt := range tests {
		t.Run(tt.folder, func(t *testing.T) {
			if got := c.Under(tt.folder); !slices.Equal(got, tt.want) {
				t.Errorf("Under(%q) = %v, want %v", tt.folder, got, tt.want)
			}
		})
	}
}
