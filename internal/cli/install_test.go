package cli

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestServiceFor(t *testing.T) {
	command := []string{"/opt/my tools/espy", "serve", "--allow-host", `a"b\c%h$HOME&<x>`}
	for _, tt := range []struct{ system, home, path, want string }{
		{"linux", "/home/u", "/home/u/.config/systemd/user/espy.service", `ExecStart="/opt/my tools/espy" "serve" "--allow-host" "a\"b\\c%%h$$HOME&<x>"` + "\n"},
		{"darwin", "/Users/u", "/Users/u/Library/LaunchAgents/espy.serve.plist", "<string>a&#34;b\\c%h$HOME&amp;&lt;x&gt;</string>"},
	} {
		t.Run(tt.system, func(t *testing.T) {
			s, err := serviceFor(tt.system, tt.home, command)
			if err != nil || s.path != tt.path || !strings.Contains(s.text, tt.want) {
				t.Fatalf("%+v, error %v", s, err)
			}
			if tt.system != "darwin" {
				return
			}
			for d := xml.NewDecoder(strings.NewReader(s.text)); ; {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	for name, at := range map[string][2]string{"no home": {"linux", ""}, "another system": {"plan9", "/home/u"}} {
		t.Run(name, func(t *testing.T) {
			if s, err := serviceFor(at[0], at[1], command); err == nil {
				t.Errorf("%+v", s)
			}
		})
	}
}
