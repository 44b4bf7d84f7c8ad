package mirror

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"espy/internal/git/clone"
	"espy/internal/usage"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, text, want, refused string }{
		{"empty", "", "", ""},
		{"comments", "# a\n\n   # b\n", "", ""},
		{"a list of addresses", "https://git.example/a.git\nhttps://git.example/b/\n", "https://git.example/a.git##1h0m0s https://git.example/b##1h0m0s", ""},
		{"options", "https://git.example/a every=15m branch=main branch=next\r\n", "https://git.example/a#main#15m0s https://git.example/a#next#15m0s", ""},
		{"folder", "/srv/git//web every=24h", "/srv/git/web##24h0m0s", ""},
		{"ssh", "ssh://git@git.example/a.git", "ssh://git@git.example/a.git##1h0m0s", ""},
		{"password", "https://me:hidden-word@git.example/a.git", "https://git.example/a.git##1h0m0s", ""},
		{"often", "/srv/a every=1s", "", "list:1: every"},
		{"no time", "# first\n/srv/a every=soon", "", "list:2: every"},
		{"option", "/srv/a evry=1h", "", "unknown"},
		{"branch of a folder", "/srv/a branch=main", "", "branch that is checked out"},
		{"relative", "srv/a", "", "neither a URL"},
		{"fragment", "https://me:hidden-word@git.example/a#main", "", "branch=NAME"},
		{"other transport", "ext::sh -c id", "", "list:1"},
		{"option of git", "https://-oProxyCommand=id/x", "", "list:1"},
		{"twice", "/srv/a\n/srv/b\n/srv/a/", "", "line 1"},
		{"bytes", "/srv/\xff", "", "not text"},
		{"NUL", "/srv/a\x00b", "", "not text"},
		{"huge line", "/" + strings.Repeat("x", maxBytes+1), "", "longer than"},
		{"many lines", strings.Repeat("\n", maxLines+1), "", "longer than"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := parse("list", []byte(tt.text))
			if tt.refused != "" {
				var refused *usage.Error
				var url *clone.URLError
				if !errors.As(err, &refused) && !errors.As(err, &url) || !strings.Contains(err.Error(), tt.refused) || strings.Contains(err.Error(), "hidden-word") {
					t.Errorf("error %v, want %q", err, tt.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range l.Mirrors {
				got = append(got, fmt.Sprintf("%s#%s#%v", m.Place, m.Ref, m.Every))
			}
			if text := strings.Join(got, " "); text != tt.want {
				t.Errorf("%s, want %s", text, tt.want)
			}
		})
	}
	l, err := parse("list", []byte("https://me:hidden-word@git.example/a.git"))
	if err != nil || l.Full["https://git.example/a.git"] != "https://me:hidden-word@git.example/a.git" {
		t.Errorf("with its password %v, %v", l, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("https://git.example/a every=15m branch=main\n/srv/a"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := parse("list", text)
		if err != nil {
			return
		}
		for _, m := range l.Mirrors {
			if m.Place == "" || m.Every < minEvery {
				t.Errorf("%+v of %q", m, text)
			}
		}
	})
}
