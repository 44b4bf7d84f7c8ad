package rank

import "testing"

func TestTwin(t *testing.T) {
	for _, c := range []struct {
		path, name string
		windows    bool
	}{
		{"src/win/fs.c", "src/*/fs.c", true},
		{"src/unix/fs.c", "src/*/fs.c", false},
		{"os/exec_windows.go", "os/exec_*.go", true},
		{"os/exec_posix.go", "os/exec_*.go", false},
		{"signal/Windows.rs", "signal/*.rs", true},
		{"ui/window.c", "", false},
		{"src/twin/fs.c", "", false},
		{"Makefile", "", false},
	} {
		t.Run(c.path, func(t *testing.T) {
			if got := Twin([]byte(c.path)); got != c.name || IsForWindows([]byte(c.path)) != c.windows {
				t.Errorf("called %s, for Windows %v, want %s, %v", got, !c.windows, c.name, c.windows)
			}
		})
	}
}

func TestAsksForWindows(t *testing.T) {
	for text, want := range map[string]bool{
		"how are files opened on Windows": true, "win32 handles": true, "size of the window": false, "open a file on linux": false, "": false,
	} {
		if got := AsksForWindows(text); got != want {
			t.Errorf("%q asks for Windows: %v", text, got)
		}
	}
}
