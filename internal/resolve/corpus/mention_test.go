package corpus

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	tests := []struct {
		text, word string
		want       []int
	}{
		{"a word", "word", []int{2}},
		{"word words sword word", "word", []int{0, 17}},
		{"word_ _word word1 word", "word", []int{18}},
		{"wordword word", "word", []int{9}},
		{"éword wordé (word)", "word", []int{15}},
		{"\xffword\xff", "word", []int{1}},
		{"word", "word", []int{0}},
		{"a a", "a", []int{0, 2}},
		{"nothing", "word", nil},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if got := words([]byte(tt.text), tt.word); !slices.Equal(got, tt.want) {
				t.Errorf("words(%q, %q) = %v, want %v", tt.text, tt.word, got, tt.want)
			}
		})
	}
}
