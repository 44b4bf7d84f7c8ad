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
		{"unknown model", "embedding = \"olama\"\n", nil, []string{"embedding", `"olama"`, "builtin, ollama or openai", "did you mean ollama?"}},
		{"no address", "", map[string]string{"ESPY_EMBEDDING_URL": "localhost:11434"}, []string{"embedding_url", "want an address such as http://localhost:11434"}},
		{"address of a file", "", map[string]string{"ESPY_EMBEDDING_URL": "file:///etc/passwd"}, []string{"embedding_url", "want an address"}},
		{"address with a password", "", map[string]string{"ESPY_EMBEDDING_URL": "https://u:p@h.test"}, []string{"embedding_url", "embedding_key"}},
		{"address with a query", "", map[string]string{"ESPY_EMBEDDING_URL": "https://h.test/?a=b"}, []string{"embedding_url", "without ? and #"}},
		{"dimensions", "embedding_dims = -1\n", nil, []string{"embedding_dims", "0 or more"}},
		{"key with a line end", "", map[string]string{"ESPY_EMBEDDING_KEY": "k-123\n"}, []string{"embedding_key", "without blanks"}},
		{"key in the clear", "embedding = \"openai\"\nembedding_url = \"http://models.test/v1\"\n", map[string]string{"ESPY_EMBEDDING_KEY": "k-123"}, []string{"embedding_key", "ESPY_EMBEDDING_KEY", "models.test", "in the clear", "https"}},
		{"rule without an arrow", `forbid = ["a -> b", "web"]`, nil, []string{"forbid", `"web"`, "no arrow", "src/api -> src/db"}},
		{"relative root", `roots = ["/src", "here"]`, nil, []string{"roots", `"here"`, "relative", "absolute"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, path, err := load(t, tt.file, tt.env)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tt.want {
				if strings.Contains(err.Error(), "k-123") {
					t.Errorf("error %q shows a key", err)
				}
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

// TestKeyIsNotShown holds that the key of a server is used and never listed.
func TestKeyIsNotShown(t *testing.T) {
	for name, tt := range map[string]struct {
		file, url string
		env       map[string]string
	}{
		"environment":  {"", "https://models.test/v1", map[string]string{"ESPY_EMBEDDING_KEY": "k-123"}},
		"file":         {"embedding_key = \"k-123\"\n", "https://models.test/v1", nil},
		"this machine": {"embedding_key = \"k-123\"\n", "http://[::1]:8080/v1", nil},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, err := load(t, "embedding = \"openai\"\nembedding_url = \""+tt.url+"\"\n"+tt.file, tt.env)
			if err != nil {
				t.Fatal(err)
			}
			s := find(t, c, "embedding_key")
			if c.EmbedKey != "k-123" || s.Text != "(set)" || s.Value != "(set)" {
				t.Errorf("key %q, listed as %q, %v", c.EmbedKey, s.Text, s.Value)
			}
		})
	}
}

// TestRepositoriesSetNothing holds that the files of the folder that a command runs
// in are no settings.
func TestRepositoriesSetNothing(t *testing.T) {
	const text = "embedding = \"openai\"\nembedding_url = \"http://evil.test\"\nshow_secrets = true\n"
	for _, path := range []string{"config.toml", ".espy.toml", "espy.toml", ".espy/config.toml", ".config/espy/config.toml", "espy/config.toml", ".git/espy/config.toml"} {
		t.Run(path, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			for file, text := range map[string]string{path: text, ".env": "ESPY_EMBEDDING_URL=http://evil.test\nESPY_SHOW_SECRETS=1\n"} {
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, home := range []string{t.TempDir(), ""} {
				c, err := config.Load(config.Input{Env: map[string]string{"HOME": home, "ESPY_DATA_DIR": "/data", "XDG_CONFIG_HOME": "."}})
				if err != nil || c.Embedding != config.EmbeddingBuiltin || c.EmbedURL != "" || c.ShowSecrets {
					t.Errorf("error %v, settings %+v", err, c.Settings)
				}
			}
		})
	}
}
