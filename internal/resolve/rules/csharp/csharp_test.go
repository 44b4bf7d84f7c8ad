package csharp

import (
	"slices"
	"testing"
)

func TestCountArguments(t *testing.T) {
	for text, want := range map[string]int{
		"":                        0,
		"(a)":                     0,
		"<A>":                     1,
		"<A, B<C, D>, (E, F)>(x)": 3,
		"<,>":                     2,
		"<A[,]>":                  1,
		"< b; c":                  0,
		"<A, B":                   0,
		"<a && b > (c)":           1, // which names no type: its name is no generic one
	} {
		t.Run(text, func(t *testing.T) {
			if got := countArguments(text); got != want {
				t.Errorf("countArguments(%q) = %d, want %d", text, got, want)
			}
		})
	}
}

func TestProjectOf(t *testing.T) {
	p := &Project{folders: []string{"lib", "lib/inner", "test"}, linked: map[string][]string{"lib": {"test"}}}
	for path, want := range map[string][]string{
		"a.cs": {""}, "lib/a.cs": {"lib", "test"}, "lib/inner/deep/a.cs": {"lib/inner"}, "library/a.cs": {""}, "test/a.cs": {"test"},
	} {
		t.Run(path, func(t *testing.T) {
			if got := p.of(path); !slices.Equal(got, want) {
				t.Errorf("of(%q) = %q, want %q", path, got, want)
			}
		})
	}
	if !p.share("lib/a.cs", "test/b.cs") || p.share("lib/inner/a.cs", "test/b.cs") {
		t.Error("files share another project than those that hold or take them in")
	}
}

func TestInclude(t *testing.T) {
	for text, want := range map[string]string{
		`<Compile Include="..\a\b\**\*.cs" />`: `..\a\b\`,
		`<Compile Include="../a/B.cs" />`:      "../a/B.cs",
		`<Compile Include="a.cs" />`:           "",
	} {
		t.Run(text, func(t *testing.T) {
			got := ""
			if m := include().FindStringSubmatch(text); m != nil {
				got = m[1]
			}
			if got != want {
				t.Errorf("include finds %q, want %q", got, want)
			}
		})
	}
}
