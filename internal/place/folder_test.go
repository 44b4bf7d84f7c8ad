package place

import "testing"

func TestFolderShow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		folder Folder
		in     string
		want   string
	}{
		{"", "a/b.go", "a/b.go"},
		{"a", "a/b.go", "b.go"},
		{"a", "b.go", "../b.go"},
		{"a", "ab/c.go", "../ab/c.go"},
		{"a/b", "a/c/d.go", "../c/d.go"},
		{"a/b", "x", "../../x"},
		{"a/b", "a", ".."},
		{"a", "a", "."},
		{"a/b", "a/b.go#T.m", "../b.go#T.m"},
		{"a", "a/", "."},
		{"a", "", ""},
	} {
		t.Run(string(tt.folder)+" "+tt.in, func(t *testing.T) {
			got := tt.folder.Show(tt.in)
			if back, ok := tt.folder.FromRoot(got); tt.in != "" && (!ok || back != trimmed(tt.in)) {
				t.Errorf("FromRoot(%q) = %q, %v, want %q", got, back, ok, trimmed(tt.in))
			}
			if got != tt.want {
				t.Errorf("Folder(%q).Show(%q) = %q, want %q", tt.folder, tt.in, got, tt.want)
			}
		})
	}
}

func trimmed(name string) string {
	if name == "a/" {
		return "a"
	}
	return name
}

func TestFolderGlob(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		folder   Folder
		in, want string
		ok       bool
	}{
		{"", "*.go", "*.go", true},
		{"", "net/**", "net/**", true},
		{"", ".", "**", true},
		{"", "./net", "/net", true},
		{"", "..", "", false},
		{"a", "*.go", "a/**/*.go", true},
		{"a", "!*.go", "!a/**/*.go", true},
		{"a", "net/", "a/**/net/", true},
		{"a", "net/**", "/a/net/**", true},
		{"a", "./net", "/a/net", true},
		{"a", ".", "/a", true},
		{"a", "!.", "!/a", true},
		{"a/b", "..", "/a", true},
		{"a/b", "../c/*.go", "/a/c/*.go", true},
		{"a", "..", "**", true},
		{"a", "../..", "", false},
		{"a", "/net", "/net", true},
		{"a[1]", "*.go", `a\[1]/**/*.go`, true},
	} {
		t.Run(string(tt.folder)+" "+tt.in, func(t *testing.T) {
			if got, ok := tt.folder.Glob(tt.in); ok != tt.ok || ok && got != tt.want {
				t.Errorf("Folder(%q).Glob(%q) = %q, %v, want %q, %v", tt.folder, tt.in, got, ok, tt.want, tt.ok)
			}
		})
	}
}
