package place

import "testing"

func TestUnlink(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://github.com/o/r/blob/main/src/a.go":                                   "src/a.go",
		"https://github.com/o/r/blob/main/src/a.go#L10":                               "src/a.go:10",
		"https://github.com/o/r/blob/1a2b3c/src/a.go#L10-L20":                         "src/a.go:10-20",
		"https://github.com/o/r/blob/main/README.md?plain=1#L3C1-L4C9":                "README.md:3-4",
		"http://git.example.org:8080/o/r/raw/main/a%20b.go#L1":                        "a b.go:1",
		"https://gitlab.com/group/sub/r/-/blob/v1.2/src/a.go#L10-20":                  "src/a.go:10-20",
		"https://codeberg.org/o/r/src/branch/main/src/a.go#L7":                        "src/a.go:7",
		"https://bitbucket.org/o/r/src/main/src/a.go#lines-10:20":                     "src/a.go:10-20",
		"https://raw.githubusercontent.com/o/r/refs/heads/main/src/a.go":              "src/a.go",
		"https://raw.githubusercontent.com/o/r/main/src/a.go":                         "src/a.go",
		"https://github.com/o/r/blame/main/src/blob/x/a.go#L0":                        "src/blob/x/a.go",
		"https://github.com/o/r/blob/main/":                                           "https://github.com/o/r/blob/main/",
		"https://github.com/o/r/issues/12":                                            "https://github.com/o/r/issues/12",
		"https://example.org/a/b/src/main/a.js":                                       "https://example.org/a/b/src/main/a.js",
		"src/a.go:10":                                                                 "src/a.go:10",
		"":                                                                            "",
		"https://github.com/o/r/blob/main/%1b%5b2J.go#L2":                             "\"\\x1b[2J.go\":2",
		"see https://github.com/o/r/blob/main/a.go":                                   "see https://github.com/o/r/blob/main/a.go",
		"https://github.com/o/r/tree/main/src":                                        "https://github.com/o/r/tree/main/src",
		"https://gitlab.example.org/a/b/c/d/e/f/r/-/blame/main/lib/x.rb#L12345678901": "lib/x.rb",
	} {
		if got := Unlink(in); got != want {
			t.Errorf("Unlink(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAnchored(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"src/a.go#L10":     "src/a.go:10",
		"src/a.go#L10-L20": "src/a.go:10-20",
		"c#/a.cs#L3":       "c#/a.cs:3",
		"src/a.go#Load":    "",
		"src/a.go":         "",
		"src/a.go#L":       "",
	} {
		got, ok := Anchored(in)
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("Anchored(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
}
