package shaktiman

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Config is what .shaktiman/shaktiman.toml and the environment of the original set.
type Config struct {
	MaxResults     int
	Mode           string
	MinScore       float64
	ContextEnabled bool
	Budget         int      // tokens of context
	TestPatterns   []string // empty for those of each language
	LogLevel       string   // empty where none is set
	Notices        []string // what is set and means nothing here
}

func defaultConfig() *Config {
	return &Config{MaxResults: 10, Mode: "locate", MinScore: 0.15, ContextEnabled: true, Budget: 4096}
}

// file is the configuration file. Unknown keys are ignored.
type file struct {
	Database struct {
		Backend *string `toml:"backend"`
	} `toml:"database"`
	Postgres struct {
		Connection *string `toml:"connection_string"`
		Open       *int    `toml:"max_open_conns"`
		Idle       *int    `toml:"max_idle_conns"`
	} `toml:"postgres"`
	Search struct {
		MaxResults *int     `toml:"max_results"`
		Mode       *string  `toml:"default_mode"`
		MinScore   *float64 `toml:"min_score"`
	} `toml:"search"`
	Context struct {
		Enabled *bool `toml:"enabled"`
		Budget  *int  `toml:"budget_tokens"`
	} `toml:"context"`
	Vector struct {
		Backend *string `toml:"backend"`
	} `toml:"vector"`
	Qdrant struct {
		URL *string `toml:"url"`
	} `toml:"qdrant"`
	Embedding struct {
		URL     *string `toml:"ollama_url"`
		Model   *string `toml:"model"`
		Dims    *int    `toml:"dims"`
		Batch   *int    `toml:"batch_size"`
		Timeout *string `toml:"timeout"`
	} `toml:"embedding"`
	Test struct {
		Patterns []string `toml:"patterns"`
	} `toml:"test"`
}

// configFile is the configuration, relative to the root.
const configFile = ".shaktiman/shaktiman.toml"

// maxConfig is how many bytes of a configuration are read.
const maxConfig = 1 << 20

// LoadConfig reads the configuration of the project at a root. A value that cannot be
// is an error in the words of the original.
func LoadConfig(root string, env map[string]string) (*Config, error) {
	c := defaultConfig()
	text, err := readConfig(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("config: %w", err)
	default:
		var f file
		if err := toml.Unmarshal(text, &f); err != nil {
			return nil, fmt.Errorf("config: %s: %w", configFile, err)
		}
		if err := f.check(env); err != nil {
			return nil, err
		}
		c.apply(&f)
	}
	c.environment(env)
	return c, nil
}

// readConfig reads the file, which lies below the root whatever links say.
func readConfig(root string) ([]byte, error) {
	in, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	info, err := in.Stat(configFile)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxConfig {
		return nil, fmt.Errorf("%s is no file, or larger than 1 MiB", configFile)
	}
	return in.ReadFile(configFile)
}

// rule is what a key must be.
type rule struct {
	bad bool
	key string
	be  string
}

// check returns what is wrong first.
func (f *file) check(env map[string]string) error {
	backend, vector := text(f.Database.Backend, "sqlite"), text(f.Vector.Backend, "brute_force")
	connection := cmp.Or(env["SHAKTIMAN_POSTGRES_URL"], text(f.Postgres.Connection, ""))
	rules := []rule{
		{!slices.Contains([]string{"sqlite", "postgres"}, backend), "database.backend", "sqlite or postgres"},
		{beyond(f.Postgres.Open, 1, 1<<30), "postgres.max_open_conns", "at least 1"},
		{beyond(f.Postgres.Idle, 0, 1<<30), "postgres.max_idle_conns", "at least 0"},
		{beyond(f.Search.MaxResults, 1, 200), "search.max_results", "between 1 and 200"},
		{!slices.Contains([]string{"locate", "full"}, text(f.Search.Mode, "locate")), "search.default_mode", "'locate' or 'full'"},
		{f.Search.MinScore != nil && (*f.Search.MinScore < 0 || *f.Search.MinScore > 1 || *f.Search.MinScore != *f.Search.MinScore), "search.min_score", "between 0.0 and 1.0"},
		{beyond(f.Context.Budget, 256, 32768), "context.budget_tokens", "between 256 and 32768"},
		{!slices.Contains([]string{"brute_force", "hnsw", "qdrant", "pgvector"}, vector), "vector.backend", "brute_force, hnsw, qdrant or pgvector"},
		{beyond(f.Embedding.Dims, 1, 4096), "embedding.dims", "between 1 and 4096"},
		{beyond(f.Embedding.Batch, 1, 1<<30), "embedding.batch_size", "at least 1"},
		{badDuration(f.Embedding.Timeout), "embedding.timeout", "a duration such as 120s"},
		{badPattern(f.Test.Patterns), "test.patterns", "globs of names, or folders that end in a slash"},
		{vector == "pgvector" && backend != "postgres", "vector.backend", "brute_force, hnsw or qdrant unless database.backend is postgres"},
		{backend == "postgres" && connection == "", "postgres.connection_string", "set for database.backend postgres"},
		{backend == "postgres" && (vector == "brute_force" || vector == "hnsw"), "vector.backend", "qdrant or pgvector for database.backend postgres"},
		{vector == "qdrant" && text(f.Qdrant.URL, "") == "", "qdrant.url", "set for vector.backend qdrant"},
	}
	for _, r := range rules {
		if r.bad {
			return fmt.Errorf("config: %s must be %s", r.key, r.be)
		}
	}
	return nil
}

// text is a value, or another where it is not set.
func text(v *string, absent string) string {
	if v == nil {
		return absent
	}
	return *v
}

func beyond(v *int, least, most int) bool { return v != nil && (*v < least || *v > most) }

func badDuration(v *string) bool {
	if v == nil {
		return false
	}
	_, err := time.ParseDuration(*v)
	return err != nil
}

func badPattern(all []string) bool {
	return slices.ContainsFunc(all, func(p string) bool {
		_, err := path.Match(strings.TrimSuffix(p, "/"), "x")
		return err != nil || p == "" || p == "/"
	})
}

func (c *Config) apply(f *file) {
	set(&c.MaxResults, f.Search.MaxResults)
	set(&c.Mode, f.Search.Mode)
	set(&c.MinScore, f.Search.MinScore)
	set(&c.ContextEnabled, f.Context.Enabled)
	set(&c.Budget, f.Context.Budget)
	c.TestPatterns = f.Test.Patterns
	for _, s := range []struct {
		given bool
		what  string
	}{
		{text(f.Database.Backend, "sqlite") != "sqlite", "database.backend: the index is in the data folder of espy"},
		{f.Vector.Backend != nil && *f.Vector.Backend != "brute_force", "vector.backend: vectors are in the data folder of espy"},
		{f.Embedding.URL != nil || f.Embedding.Model != nil, "embedding: a file of a repository does not say where texts are sent; espy config sets a model on another machine"},
	} {
		if s.given {
			c.Notices = append(c.Notices, configFile+", "+s.what)
		}
	}
}

func set[T any](to, value *T) {
	if value != nil {
		*to = *value
	}
}

// environment reads the variables of the original.
func (c *Config) environment(env map[string]string) {
	c.LogLevel = strings.ToLower(env["SHAKTIMAN_LOG_LEVEL"])
	if c.LogLevel != "" && !slices.Contains([]string{"debug", "info", "warn", "error"}, c.LogLevel) {
		c.Notices = append(c.Notices, fmt.Sprintf("SHAKTIMAN_LOG_LEVEL must be debug, info, warn or error, not %q: it is ignored", c.LogLevel))
		c.LogLevel = ""
	}
	for _, name := range []string{"SHAKTIMAN_POSTGRES_URL", "SHAKTIMAN_QDRANT_API_KEY"} {
		if env[name] != "" {
			c.Notices = append(c.Notices, name+" means nothing here: the index is in the data folder of espy")
		}
	}
}

// sampleConfig is the configuration with every key at its default, as comments.
const sampleConfig = `# Settings of this project for the profile shaktiman of espy. Every key is at its
# default; take the # away to change one. Changes count at the next call.

# [search]
# max_results = 10          # 1 to 200
# default_mode = "locate"   # locate or full
# min_score = 0.15          # 0 to 1

# [context]
# enabled = true
# budget_tokens = 4096      # 256 to 32768

# [test]
# patterns = []             # such as ["*_test.go", "testdata/"], instead of those of each language
`

// writeSample writes the sample configuration of a project where it has none.
func writeSample(root string) (written bool, err error) {
	in, err := os.OpenRoot(root)
	if err != nil {
		return false, err
	}
	defer in.Close()
	if err := in.Mkdir(filepath.Dir(configFile), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	f, err := in.OpenFile(configFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = f.WriteString(sampleConfig)
	return true, errors.Join(err, f.Close())
}
