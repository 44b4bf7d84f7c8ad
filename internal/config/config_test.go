package config_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"espy/internal/config"
	"espy/internal/usage"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the generated reference")

// load resolves with a settings file of the given text at its usual place.
func load(t *testing.T, file string, env map[string]string, flags ...config.FlagValue) (*config.Config, string, error) {
	t.Helper()
	home := t.TempDir()
	path := filepath.Join(home, ".config", "espy", "config.toml")
	if file != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]string{"HOME": home}
	for key, value := range env {
		all[key] = value
	}
	c, err := config.Load(config.Input{Env: all, Flags: flags})
	return c, path, err
}

func TestPrecedence(t *testing.T) {
	flag := config.FlagValue{Key: "limit", Name: "--limit", Value: int64(4)}
	env := map[string]string{"ESPY_LIMIT": "3"}
	tests := []struct {
		name, file string
		env        map[string]string
		flags      []config.FlagValue
		want       int64
		origin     string
	}{
		{"default", "", nil, nil, 0, "default"},
		{"file", "# a comment\nlimit = 2\n", nil, nil, 2, "file PATH:2"},
		{"environment over file", "limit = 2\n", env, nil, 3, "environment ESPY_LIMIT"},
		{"flag over all", "limit = 2\n", env, []config.FlagValue{flag}, 4, "flag --limit"},
		{"empty variable counts as unset", "limit = 2\n", map[string]string{"ESPY_LIMIT": ""}, nil, 2, "file PATH:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, path, err := load(t, tt.file, tt.env, tt.flags...)
			if err != nil {
				t.Fatal(err)
			}
			got := find(t, c, "limit")
			want := strings.Replace(tt.origin, "PATH", path, 1)
			if got.Value != tt.want || got.Origin.String() != want || c.Limit != tt.want {
				t.Errorf("limit = %v from %q, want %v from %q", got.Value, got.Origin, tt.want, want)
			}
		})
	}
}

func find(t *testing.T, c *config.Config, key string) config.Setting {
	t.Helper()
	for _, s := range c.List() {
		if s.Key == key {
			return s
		}
	}
	t.Fatalf("no setting %q", key)
	return config.Setting{}
}

func TestValues(t *testing.T) {
	tests := []struct {
		line string // of the settings file
		key  string
		want any
	}{
		{`max_file_bytes = 4096`, "max_file_bytes", int64(4096)},
		{`max_file_bytes = "2MiB"`, "max_file_bytes", int64(2 << 20)},
		{`max_file_bytes = "2M"`, "max_file_bytes", int64(2 << 20)},
		{`max_file_bytes = "2 MB"`, "max_file_bytes", int64(2_000_000)},
		{`max_bytes = "1g"`, "max_bytes", int64(1 << 30)},
		{`max_files = 1_000`, "max_files", int64(1000)},
		{`use_gitignore = false`, "use_gitignore", false},
		{`use_gitignore = "off"`, "use_gitignore", false},
		{`include = ["*.go", "docs/**"]`, "include", []string{"*.go", "docs/**"}},
		{`exclude = "*.{pb,gen}.go, docs/**,"`, "exclude", []string{"*.{pb,gen}.go", "docs/**"}},
		{`nested = ["submodule", "worktree"]`, "nested", []string{"submodule", "worktree"}},
		{`color = "never"`, "color", "never"},
		{`log_level = "debug"`, "log_level", "debug"},
		{`timeout = "90s"`, "timeout", "90s"},
		{`data_dir = "/srv/../srv/espy"`, "data_dir", "/srv/espy"},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			c, _, err := load(t, tt.line, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, find(t, c, tt.key).Value); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.key, diff)
			}
		})
	}
}

func TestText(t *testing.T) {
	tests := []struct{ line, key, want string }{
		{`max_bytes = 1024`, "max_bytes", "1KiB"},
		{`max_bytes = 1025`, "max_bytes", "1025"},
		{`max_bytes = "5MiB"`, "max_bytes", "5MiB"},
		{`max_bytes = "5GiB"`, "max_bytes", "5GiB"},
		{`limit = 1024`, "limit", "1024"},
		{`include = ["a", "b"]`, "include", "a,b"},
		{`secrets = true`, "secrets", "true"},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			c, _, err := load(t, tt.line, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := find(t, c, tt.key).Text; got != tt.want {
				t.Errorf("%s: text %q, want %q", tt.line, got, tt.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		name, file string
		env        map[string]string
		want       []string
	}{
		{"unknown key with a near one", "limit = 1\nmax_file_byte = 1\n", nil, []string{"max_file_byte", "PATH:2", "unknown setting", "did you mean max_file_bytes?"}},
		{"unknown key", "colour_of_magic = 1\n", nil, []string{"colour_of_magic", "espy config"}},
		{"unknown table", "[search]\nlimit = 1\n", nil, []string{"search", "PATH:1", "unknown setting"}},
		{"not TOML", "limit = = 1\n", nil, []string{"PATH:1:9"}},
		{"wrong type", "limit = [1]\n", nil, []string{"limit", "whole number"}},
		{"fraction", "limit = 1.5\n", nil, []string{"limit", "whole number"}},
		{"negative", "limit = -1\n", nil, []string{"limit", "0 or more"}},
		{"no files", "max_files = 0\n", nil, []string{"max_files", "at least 1"}},
		{"size", "", map[string]string{"ESPY_MAX_BYTES": "ten"}, []string{"max_bytes", "environment ESPY_MAX_BYTES", `"ten"`, "10MiB"}},
		{"time", "timeout = 30\n", nil, []string{"timeout", "want text"}},
		{"time without a unit", "", map[string]string{"ESPY_TIMEOUT": "30"}, []string{"timeout", `"30"`, "500ms, 30s or 5m"}},
		{"time that is too short", "", map[string]string{"ESPY_MCP_TIMEOUT": "1ms"}, []string{"mcp_timeout", "from 100ms to 1h"}},
		{"time that is too long", "", map[string]string{"ESPY_TIMEOUT": "2h"}, []string{"timeout", "from 100ms to 1h"}},
		{"size overflow", "", map[string]string{"ESPY_MAX_BYTES": "9999999999G"}, []string{"max_bytes", "want a size"}},
		{"word", "", map[string]string{"ESPY_COLOR": "allways"}, []string{`"allways"`, "auto, always or never", "did you mean always?"}},
		{"bool", "", map[string]string{"ESPY_USE_GITIGNORE": "maybe"}, []string{"true or false"}},
		{"list", "include = [1]\n", nil, []string{"include", "list of texts"}},
		{"named file missing", "", map[string]string{"ESPY_CONFIG": "/nowhere/espy.toml"}, []string{"settings file", "/nowhere/espy.toml"}},
		{"no home", "", map[string]string{"HOME": ""}, []string{"data_dir", "--data-dir"}},
		{"relative home", "", map[string]string{"HOME": "here"}, []string{"data_dir", `HOME is "here"`, "relative", "--data-dir"}},
		{"relative data folder", "", map[string]string{"ESPY_DATA_DIR": "here"}, []string{"data_dir", "ESPY_DATA_DIR", `"here"`, "relative", "absolute"}},
		{"relative data folder of a file", `data_dir = "./here"`, nil, []string{"data_dir", "relative", "absolute"}},
		{"relative root", `roots = ["/src", "here"]`, nil, []string{"roots", `"here"`, "relative", "absolute"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, path, err := load(t, tt.file, tt.env)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tt.want {
				if want = strings.Replace(want, "PATH", path, 1); !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
		})
	}
}

func TestErrorNamesKey(t *testing.T) {
	_, path, err := load(t, "limit = -1", nil)
	var bad *usage.Error
	if want := "setting limit (file " + path + ":1)"; !errors.As(err, &bad) || bad.Arg != want {
		t.Errorf("Load = %#v, want a *usage.Error for %s", err, want)
	}
}

func TestFolders(t *testing.T) {
	tests := []struct {
		name               string
		env                map[string]string
		data, file, ignore string
	}{
		{"home", map[string]string{"HOME": "/h"},
			"/h/.local/share/espy", "/h/.config/espy/config.toml", "/h/.config/git/ignore"},
		{"XDG", map[string]string{"HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"},
			"/d/espy", "/c/espy/config.toml", "/c/git/ignore"},
		{"relative XDG is ignored", map[string]string{"HOME": "/h", "XDG_DATA_HOME": "d", "XDG_CONFIG_HOME": "c"},
			"/h/.local/share/espy", "/h/.config/espy/config.toml", "/h/.config/git/ignore"},
		{"ESPY_DATA_DIR", map[string]string{"HOME": "/h", "ESPY_DATA_DIR": "/e"},
			"/e", "/h/.config/espy/config.toml", "/h/.config/git/ignore"},
		{"below home", map[string]string{"HOME": "/h", "ESPY_DATA_DIR": "~/e"},
			"/h/e", "/h/.config/espy/config.toml", "/h/.config/git/ignore"},
		{"no home", map[string]string{"ESPY_DATA_DIR": "/e"}, "/e", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := config.Load(config.Input{Env: tt.env})
			if err != nil {
				t.Fatal(err)
			}
			got := []string{c.DataDir, c.Path, c.GlobalIgnore}
			if diff := cmp.Diff([]string{tt.data, tt.file, tt.ignore}, got); diff != "" {
				t.Errorf("data folder, file, ignore file (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGlobalIgnore(t *testing.T) {
	tests := []struct{ name, gitconfig, want string }{
		{"none", "", "HOME/.config/git/ignore"},
		{"other settings", "[user]\n\texcludesFile = /no\n[core]\n\teditor = vi\n", "HOME/.config/git/ignore"},
		{"set", "[core]\n\texcludesFile = /etc/ignored\n", "/etc/ignored"},
		{"below home", "[CORE]\nExcludesFile=~/.ignored # mine\n", "HOME/.ignored"},
		{"quoted, on one line, last wins", "[core] excludesfile = /one\n[core]\nexcludesfile = \"/t\\\\wo #2\" ; two\n", "/t\\wo #2"},
		{"subsection is another setting", "[core \"x\"]\nexcludesfile = /no\n", "HOME/.config/git/ignore"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			if tt.gitconfig != "" {
				if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(tt.gitconfig), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			c, err := config.Load(config.Input{Env: map[string]string{"HOME": home}})
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Replace(tt.want, "HOME", home, 1); c.GlobalIgnore != want {
				t.Errorf("GlobalIgnore = %q, want %q", c.GlobalIgnore, want)
			}
		})
	}
}

// TestGitConfigThatCannotBeRead is told, blocks nothing and refuses nothing.
func TestGitConfigThatCannotBeRead(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"folder": func(path string) error { return os.Mkdir(path, 0o755) },
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"loop":   func(path string) error { return os.Symlink(path, path) },
		"huge":   func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 1<<30)) },
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			if err := make(filepath.Join(home, ".gitconfig")); err != nil {
				t.Fatal(err)
			}
			c, err := config.Load(config.Input{Env: map[string]string{"HOME": home}})
			if err != nil {
				t.Fatal(err)
			}
			if want := filepath.Join(home, ".config/git/ignore"); c.GlobalIgnore != want {
				t.Errorf("GlobalIgnore = %q, want %q", c.GlobalIgnore, want)
			}
			if len(c.Notices) != 1 || !strings.Contains(c.Notices[0], ".gitconfig") {
				t.Errorf("Notices = %q, want one that names the file", c.Notices)
			}
		})
	}
}

func TestColor(t *testing.T) {
	tests := []struct {
		env          map[string]string
		want, origin string
	}{
		{nil, "auto", "default"},
		{map[string]string{"NO_COLOR": "1"}, "never", "environment NO_COLOR"},
		{map[string]string{"CLICOLOR_FORCE": "1"}, "always", "environment CLICOLOR_FORCE"},
		{map[string]string{"CLICOLOR_FORCE": "0"}, "auto", "default"},
		{map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, "never", "environment NO_COLOR"},
		{map[string]string{"ESPY_COLOR": "always", "NO_COLOR": "1"}, "always", "environment ESPY_COLOR"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.env), func(t *testing.T) {
			c, _, err := load(t, "", tt.env)
			if err != nil {
				t.Fatal(err)
			}
			if got := find(t, c, "color"); got.Value != tt.want || got.Origin.String() != tt.origin {
				t.Errorf("%v: color = %v from %q, want %q from %q", tt.env, got.Value, got.Origin, tt.want, tt.origin)
			}
		})
	}
}

func TestReferenceUpToDate(t *testing.T) {
	const path = "../../docs/settings.md"
	if *update {
		if err := os.WriteFile(path, []byte(config.Reference()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.Reference(), string(got)); diff != "" {
		t.Errorf("%s is out of date, run make golden (-want +got):\n%s", path, diff)
	}
}

func TestEverySettingIsDescribed(t *testing.T) {
	reference := config.Reference()
	for _, key := range config.Keys() {
		t.Run(key, func(t *testing.T) {
			_, text, ok := strings.Cut(reference, "\n## "+key+"\n\n")
			if line, _, _ := strings.Cut(text, "\n"); !ok || !strings.HasSuffix(line, ".") {
				t.Errorf("setting %s has no sentence in the reference: %q", key, line)
			}
		})
	}
}

func FuzzFile(f *testing.F) {
	f.Add("limit = 1\n")
	f.Add("include = [\"*.go\"]\nmax_bytes = \"1MiB\"")
	f.Add("[a.b]\nc = 1979-05-27T07:32:00Z")
	f.Fuzz(func(t *testing.T, text string) {
		if _, _, err := load(t, text, nil); err != nil && !strings.Contains(err.Error(), "setting") {
			t.Errorf("error %q does not speak of settings", err)
		}
	})
}
