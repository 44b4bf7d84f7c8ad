package cli

import (
	"slices"
	"testing"
)

// TestSpread holds that only the commands of Shebe take a list of values.
func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		name       string
		args, want []string
	}{
		{"values of a list", []string{"shebe", "index-repository", ".", "-s", "a", "-i", "*.rs", "*.md"}, []string{"shebe", "index-repository", ".", "-s", "a", "-i", "*.rs", "-i", "*.md"}},
		{"behind a flag of all commands", []string{"shebe", "--format", "json", "index-repository", ".", "a", "-i", "*.rs", "*.md"}, []string{"shebe", "--format", "json", "index-repository", ".", "a", "-i", "*.rs", "-i", "*.md"}},
		{"before the argument that ends the flags", []string{"shebe", "index-repository", "-s", "a", "-i", "*.rs", "*.md", "-f", "--", "."}, []string{"shebe", "index-repository", "-s", "a", "-i", "*.rs", "-i", "*.md", "-f", "--", "."}},
		{"what may be an argument", []string{"shebe", "index-repository", "-s", "a", "-i", "*.rs", "."}, nil},
		{"no command of Shebe", []string{"shebe", "--format", "json"}, nil},
		{"a word of another command", []string{"grep", "shebe", "index-repository", ".", "-s", "a", "-i", "*.rs", "*.md"}, nil},
		{"no command", []string{"--help"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == nil {
				want = tt.args
			}
			if got := spread(tt.args, commandAt(tt.args)); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
