package intent

import (
	"fmt"
	"strings"
	"testing"
)

func TestPlainMessage(t *testing.T) {
	for _, test := range []struct{ message, want string }{
		{"Keep cheese in the pantry until it smells", "Keep cheese in the pantry until it smells"},
		{"fix(trap): close the trap on slow mice (#12)\n\nThe spring was too weak.\n\nFixes #7\nSigned-off-by: A <a@b.c>", "close the trap on slow mice The spring was too weak."},
		{"trap: use the fast spring from 1a2b3c4d5e6f7 now\n\nSee https://example.com/x for more", "trap: use the fast spring from now See for more"},
		{"Close traps when they deadbeef", "Close traps when they deadbeef"},
		{"Fix the trap", ""},
		{"docs: say how the trap is set", ""},
		{"Bump the spring from one to another maker", ""},
		{"Reformat the whole of the trap code", ""},
		{"Merge branch of the other mouse catcher", ""},
		{"Update German translations of all the messages", ""},
		{"", ""},
		{"Close the trap sooner again\n\n" + strings.Repeat("word ", 200), "Close the trap sooner again " + strings.TrimSpace(strings.Repeat("word ", 80))},
	} {
		t.Run(fmt.Sprintf("%.40q", test.message), func(t *testing.T) {
			got, ok := plainMessage(test.message)
			if !ok {
				got = ""
			}
			if got != test.want {
				t.Errorf("plainMessage(%q) = %q, want %q", test.message, got, test.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		message, file string
		want          bool
	}{
		{"close the trap in trap.go", "src/trap.go", true},
		{"src/trap: close it", "pkg/src/trap.go", true},
		{"SRC/Trap.GO is closed", "src/trap.go", true},
		{"trap: close it", "src/trap.go", false},
		{"close the trap", "trap.go", false},
	} {
		t.Run(test.message+" "+test.file, func(t *testing.T) {
			if got := names(test.message, test.file); got != test.want {
				t.Errorf("names(%q, %q) = %v, want %v", test.message, test.file, got, test.want)
			}
		})
	}
}

func TestIsSource(t *testing.T) {
	for path, want := range map[string]bool{
		"src/trap.go": true, "lib/trap.rb": true, "src/trap.rs": true, "Trap.kt": true,
		"src/trap_test.go": false, "README.md": false, "config.yaml": false, "vendor/x/trap.go": false, "Gemfile": false,
		"build.gradle.kts": false, "package-lock.json": false, "trap": false, "examples/trap.go": false,
	} {
		t.Run(path, func(t *testing.T) {
			if got := isSource(path); got != want {
				t.Errorf("isSource(%q) = %v, want %v", path, got, want)
			}
		})
	}
}
