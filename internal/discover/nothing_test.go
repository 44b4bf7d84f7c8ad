package discover

import (
	"fmt"
	"testing"
)

// TestWhyNothing holds that a walk names the rule that leaves out nearly everything,
// and none where what is left is a usual tree.
func TestWhyNothing(t *testing.T) {
	tree := func(n int, more map[string]string) map[string]string {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("dir%d/f.c", i)] = "int x;\n"
		}
		for path, text := range more {
			files[path] = text
		}
		return files
	}
	for _, tt := range []struct {
		name   string
		files  map[string]string
		policy Policy
		want   string
	}{
		{"everything", tree(3, map[string]string{".gitignore": "# a comment\n*.o\n/*\n!/debian/\n"}), Policy{},
			`no file is indexed: 4 of 4 files and folders in the root are left out by line 3 of .gitignore, "/*"; a line "!/*" in .espyignore lets them in, and so does the setting use_gitignore=false`},
		{"nearly everything", tree(20, map[string]string{".gitignore": "dir*\n", "debian/rules": "x\n"}), Policy{},
			`hardly any file is indexed: 20 of 22 files and folders in the root are left out by line 1 of .gitignore, "dir*"; a line "!dir*" in .espyignore lets them in, and so does the setting use_gitignore=false`},
		{"by Espy's own file", tree(20, map[string]string{".gitignore": "dir*\n", ".espyignore": "dir1*\n*\n"}), Policy{},
			`no file is indexed: 22 of 22 files and folders in the root are left out by line 2 of .espyignore, "*"; a line "!*" in .espyignore lets them in`},
		{"let in again", tree(20, map[string]string{".gitignore": "/*\n", ".espyignore": "!/*\n"}), Policy{}, ""},
		{"a setting", tree(20, map[string]string{".gitignore": "/*\n"}), Policy{NoGitignore: true}, ""},
		{"outputs of a build", tree(20, map[string]string{".gitignore": "*.o\nnode_modules\n", "a.o": "x", "b.o": "x", "node_modules/a/b.js": "x"}), Policy{}, ""},
		{"a small folder", tree(1, map[string]string{".gitignore": "*.o\n", "a.o": "x", "b.o": "x", "c.o": "x"}), Policy{}, ""},
		{"rules that share it", tree(20, map[string]string{".gitignore": ".*\ndir1*\ndir[02-9]\n"}), Policy{}, ""},
		{"an empty folder", nil, Policy{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := walkBoth(t, plant(t, tt.files), tt.policy, Options{})
			if got := append(l.Notices, "")[0]; got != tt.want {
				t.Errorf("notice %q\n  want %q", got, tt.want)
			}
		})
	}
}
