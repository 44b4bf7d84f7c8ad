package corpus

import (
	"fmt"
	"slices"
	"testing"
)

func TestTakes(t *testing.T) {
	for _, tt := range []struct {
		family      Family
		of, module  string
		other, want bool
	}{
		{Go, "a.org/m", "a.org/m", false, true},
		{Go, "a.org/m", "a.org/m/sub", false, true},
		{Go, "a.org/m", "a.org/more", false, false},
		{Python, "lib", "lib.sub", false, true},
		{Python, "lib", "library", false, false},
		{Script, "@s/a", "@s/a/b.js", false, true},
		{Script, "@s/a", "@s/ab", false, false},
		{Rust, "my", "::my::x", false, true},
		{Java, "", "com.acme.X", false, true},
		{Java, "", "com.acme.X", true, false},
	} {
		t.Run(tt.of+" "+tt.module, func(t *testing.T) {
			asked := tt.family
			if tt.other {
				asked = PHP
			}
			if got := (&Package{Family: tt.family, Import: tt.of}).Takes(asked, tt.module); got != tt.want {
				t.Errorf("Takes = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestReachable(t *testing.T) {
	links := func(to ...int) (all []Link) {
		for _, n := range to {
			all = append(all, Link{To: n})
		}
		return all
	}
	got := reachable([]Member{{Links: links(1)}, {Links: links(2, 0)}, {}, {Links: links(2)}})
	want := [][]bool{{false, true, true, false}, {true, false, true, false}, {false, false, false, false}, {false, false, true, false}}
	for h := range want {
		t.Run(fmt.Sprint(h), func(t *testing.T) {
			if !slices.Equal(got[h], want[h]) {
				t.Errorf("reachable = %v, want %v", got[h], want[h])
			}
		})
	}
}

func TestStands(t *testing.T) {
	for _, tt := range []struct {
		in, text string
		want     bool
	}{
		{`import "a.org/m/sub"`, "a.org/m", true},
		{`import "xa.org/m"`, "a.org/m", false},
		{`import "a.org/mm" // a.org/m`, "a.org/m", true},
		{"#include <fmt/core.h>", "fmt/", true},
		{"#include <xfmt/core.h>", "fmt/", false},
		{"libs lib2 mylib", "lib", false},
		{"import lib", "lib", true},
		{"", "lib", false},
	} {
		t.Run(tt.in, func(t *testing.T) {
			if got := stands([]byte(tt.in), tt.text); got != tt.want {
				t.Errorf("stands(%q) = %v, want %v", tt.text, got, tt.want)
			}
		})
	}
}
