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

// TestPasted holds which texts that begin with a dash are no flags.
func TestPasted(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		text bool
	}{
		{"a failed test", []string{"search", "--- FAIL: TestLid (0.01s)\n    lid_test.go:12: x"}, true},
		{"an item of a list", []string{"search", "--json", "- the lid is open"}, true},
		{"behind a value", []string{"search", "--limit", "5", "-- Accept 7"}, true},
		{"an arrow", []string{"search", "-> src/lid.rs"}, true},
		{"the value of a flag", []string{"search", "-e", "- the lid"}, false},
		{"a flag with its value", []string{"search", "lid", "-eopen lid"}, false},
		{"a long flag", []string{"search", "lid", "--path=my room"}, false},
		{"standard input", []string{"search", "-"}, false},
		{"behind what ends the flags", []string{"search", "--", "- a lid"}, false},
		{"not the last", []string{"search", "- a lid", "rooms"}, false},
		{"alone", []string{"--- FAIL: x"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := pasted(tt.args)
			if isText := len(got) > len(tt.args) && got[len(got)-2] == "--" && got[len(got)-1] == tt.args[len(tt.args)-1]; isText != tt.text || !tt.text && !slices.Equal(got, tt.args) {
				t.Errorf("%q becomes %q", tt.args, got)
			}
		})
	}
}
