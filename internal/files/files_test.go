package files

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"espy/internal/usage"

	"github.com/google/go-cmp/cmp"
)

func TestMatcher(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		req    Request
		path   string
		want   bool
		folder bool
	}{
		{Request{}, "a/b.go", true, false},
		{Request{Paths: []string{"*.go"}}, "a/b.go", true, false},
		{Request{Paths: []string{"*.go"}}, "a/b.c", false, false},
		{Request{Paths: []string{"a"}}, "a/b/c.go", true, false},
		{Request{Paths: []string{"a/"}}, "a/b/c.go", true, false},
		{Request{Paths: []string{"b"}}, "a/b/c.go", true, false},
		{Request{Paths: []string{"/b"}}, "a/b/c.go", false, false},
		{Request{Paths: []string{"./a/*.go"}}, "a/b.go", true, false},
		{Request{Paths: []string{"a/*.go"}}, "a/b/c.go", false, false},
		{Request{Paths: []string{"a/**"}}, "a/b/c.go", true, false},
		{Request{Paths: []string{"src/**/*_test.go"}}, "src/x_test.go", true, false},
		{Request{Paths: []string{"*.{js,ts}"}}, "x/y.ts", true, false},
		{Request{Paths: []string{"*.go", "!*_test.go"}}, "x_test.go", false, false},
		{Request{Paths: []string{"!vendor"}}, "vendor/x.go", false, false},
		{Request{Paths: []string{"!vendor"}}, "x.go", true, false},
		{Request{Paths: []string{"a/"}}, "a", false, false},
		{Request{Paths: []string{"a/"}}, "a", true, true},
		{Request{Regex: `_test\.go$`}, "a/x_test.go", true, false},
		{Request{Regex: `^x`}, "a/x.go", false, false},
	} {
		t.Run(fmt.Sprintf("%s of %s%s", tt.path, tt.req.Regex, strings.Join(tt.req.Paths, " ")), func(t *testing.T) {
			m, err := newMatcher(tt.req)
			if err != nil {
				t.Fatal(err)
			}
			if got := m.filter.AllowsPath(tt.path, tt.folder) && m.matches(tt.path); got != tt.want {
				t.Errorf("%+v matches %q: %v, want %v", tt.req, tt.path, got, tt.want)
			}
		})
	}
}

func TestMatcherErrors(t *testing.T) {
	t.Parallel()
	for arg, req := range map[string]Request{
		"path":  {Paths: []string{"a["}},
		"lang":  {Languages: []string{"golagn"}},
		"regex": {Regex: "a("},
	} {
		t.Run(arg, func(t *testing.T) {
			_, err := newMatcher(req)
			var usage *usage.Error
			if !errors.As(err, &usage) || usage.Arg != arg || usage.Hint == "" {
				t.Errorf("%+v: error %v, want one for %s with a hint", req, err, arg)
			}
		})
	}
}

func TestLevel(t *testing.T) {
	t.Parallel()
	all := []Entry{{Path: "a/b/c.go", Size: 1}, {Path: "a/d.go", Size: 2}, {Path: "a.go", Size: 4}, {Path: "ab/x", Size: 8}}
	for _, tt := range []struct {
		folder string
		want   []Entry
	}{
		{"", []Entry{{Path: "a", Folder: true, Files: 2, Size: 3}, {Path: "a.go", Size: 4}, {Path: "ab", Folder: true, Files: 1, Size: 8}}},
		{"a", []Entry{{Path: "a/b", Folder: true, Files: 1, Size: 1}, {Path: "a/d.go", Size: 2}}},
		{"none", nil},
	} {
		t.Run(tt.folder, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, level(all, tt.folder)); diff != "" {
				t.Errorf("level %q (-want +got):\n%s", tt.folder, diff)
			}
		})
	}
}
