package rules

import (
	"slices"
	"testing"
)

func TestParseGoMod(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []goModule
	}{
		{"module", "module example.com/m\n\ngo 1.24\n", []goModule{{"example.com/m", "dir"}}},
		{"quotes and comment", "module \"example.com/m\" // here\n", []goModule{{"example.com/m", "dir"}}},
		{"replacement", "replace a => ./b\n", []goModule{{"a", "dir/b"}}},
		{"of a version", "replace a v1.2.3 => ../b\n", []goModule{{"a", "b"}}},
		{"in a block", "replace (\n\ta => ./b\n\tc v1 => ./d // why\n)\nreplace e => ./f\n", []goModule{{"a", "dir/b"}, {"c", "dir/d"}, {"e", "dir/f"}}},
		{"by another module", "replace a => example.com/b v1.0.0\n", nil},
		{"outside of the repository", "replace a => ../../b\n", nil},
		{"other blocks", "require (\n\tmodule v1\n\ta => ./b\n)\n", nil},
		{"cut off", "module\nreplace a =>\nreplace => ./b\n(\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := parseGoMod(tt.text, "dir"); !slices.Equal(got, tt.want) {
				t.Errorf("parseGoMod = %v, want %v", got, tt.want)
			}
		})
	}
}
