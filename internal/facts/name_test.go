package facts

import (
	"slices"
	"testing"
)

func TestSplitName(t *testing.T) {
	tests := []struct {
		name string
		want []string
	}{
		{"", nil},
		{"a", []string{"a"}},
		{"pkg.Type.method", []string{"pkg", "Type", "method"}},
		{"a::B::c", []string{"a", "B", "c"}},
		{"Type#method", []string{"Type", "method"}},
		{"#private", []string{"#private"}},
		{"a.ts#Type.#private", []string{"a", "ts", "Type", "#private"}},
		{"Type##private", []string{"Type", "#private"}},
		{"a#", []string{"a"}},
		{"#", nil},
		{"p->f", []string{"p", "f"}},
		{"src/a.Type", []string{"src", "a", "Type"}},
		{"Bag.[Symbol.iterator]", []string{"Bag", "[Symbol.iterator]"}},
		{"app/[id]/page.f", []string{"app", "[id]", "page", "f"}},
		{"a[b.c", []string{"a[b", "c"}},
		{`A\\B`, []string{"A", "B"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := SplitName(tt.name); !slices.Equal(got, tt.want) {
				t.Errorf("SplitName(%q) = %q, want %q", tt.name, got, tt.want)
			}
		})
	}
}
