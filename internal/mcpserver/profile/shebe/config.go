package shebe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Config is what Shebe's configuration file and environment set.
type Config struct {
	LogLevel         string
	ChunkSize        int // characters
	Overlap          int
	MaxFileSizeMB    int
	Include, Exclude []string
	IndexDir         string   // where the index is to be, absolute; "" is where Espy keeps it
	Sessions         []string // folders in which Shebe itself keeps sessions
	DefaultK, MaxK   int
	MaxQueryLength   int // shown only
	MaxIndexes       int // shown only
	TimeoutSeconds   int // shown only

	home string

	// Sources says where each setting comes from that is not built in.
	Sources map[string]string
}

var builtInInclude = strings.Fields("*.rs *.toml *.md *.txt *.php *.js *.ts *.py *.go *.java *.c *.cpp *.h")

var builtInExclude = func() (globs []string) {
	for name := range strings.FieldsSeq("node_modules target vendor .git build __pycache__ dist .next") {
		globs = append(globs, "**/"+name+"/**")
	}
	return globs
}()

// unreadable are the endings of files that Shebe takes for binary.
var unreadable = func() (globs []string) {
	const endings = "jpg jpeg png gif bmp svg webp ico tiff tif mp3 wav flac ogg m4a aac wma mp4 avi mov mkv webm flv wmv " +
		"pdf doc docx xls xlsx ppt pptx odt ods odp zip tar gz bz2 7z rar tgz exe dll so dylib bin o a ttf otf woff woff2 eot"
	for x := range strings.FieldsSeq(endings) {
		globs = append(globs, "**/*."+x)
	}
	return globs
}()

// defaultConfig returns what holds without a file and environment.
func defaultConfig() *Config {
	return &Config{
		LogLevel: "info", ChunkSize: 512, Overlap: 64, MaxFileSizeMB: 10, Include: builtInInclude, Exclude: builtInExclude,
		DefaultK: 10, MaxK: 100, MaxQueryLength: 500, MaxIndexes: 1, TimeoutSeconds: 300, Sources: map[string]string{},
	}
}

// Input is where a configuration is read from.
type Input struct {
	Env  map[string]string
	Home string
	Dir  string // the current folder
}

// file is the configuration file; unknown keys are ignored.
type file struct {
	Logging struct {
		Level *string `toml:"level"`
	} `toml:"logging"`
	Indexing struct {
		ChunkSize     *int     `toml:"chunk_size"`
		Overlap       *int     `toml:"overlap"`
		MaxFileSizeMB *int     `toml:"max_file_size_mb"`
		Include       []string `toml:"include_patterns"`
		Exclude       []string `toml:"exclude_patterns"`
	} `toml:"indexing"`
	Storage struct {
		IndexDir *string `toml:"index_dir"`
	} `toml:"storage"`
	Search struct {
		DefaultK       *int `toml:"default_k"`
		MaxK           *int `toml:"max_k"`
		MaxQueryLength *int `toml:"max_query_length"`
	} `toml:"search"`
	Limits struct {
		MaxIndexes     *int `toml:"max_concurrent_indexes"`
		TimeoutSeconds *int `toml:"request_timeout_sec"`
	} `toml:"limits"`
}

// LoadConfig reads the configuration: the environment wins over the file, and
// the file over what is built in. A value of the environment that is no number
// is ignored.
func LoadConfig(in Input) (*Config, error) {
	c := defaultConfig()
	name, must := in.file()
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && !must {
		name = filepath.Join(in.Dir, "shebe.toml")
		text, err = os.ReadFile(name)
	}
	switch {
	case err == nil:
		var f file
		if err := toml.Unmarshal(text, &f); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", "Configuration parse error", name, err)
		}
		c.apply(&f, name)
	case must || !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", "Configuration error", err)
	}
	c.environment(in.Env)
	c.directories(in)
	if err := c.validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", "Configuration error", err)
	}
	return c, nil
}

// file returns the name of the configuration file, and whether it must exist.
func (in Input) file() (name string, must bool) {
	if name := in.Env["SHEBE_CONFIG"]; name != "" {
		return Expand(name, in.Home), true
	}
	if name := in.Env["SHEBE_CONFIG_FILE"]; name != "" {
		return Expand(name, in.Home), false
	}
	return filepath.Join(in.folder("CONFIG", ".config"), "config.toml"), false
}

// folder is one of Shebe's folders: what its own variable says, or else a
// folder in that of the desktop's or in home.
func (in Input) folder(kind, home string) string {
	if dir := in.Env["SHEBE_"+kind+"_DIR"]; dir != "" {
		return in.absolute(dir)
	}
	if dir := in.Env["XDG_"+kind+"_HOME"]; dir != "" {
		return filepath.Join(in.absolute(dir), "shebe")
	}
	return filepath.Join(in.Home, home, "shebe")
}

func (in Input) absolute(dir string) string {
	if dir = Expand(dir, in.Home); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(in.Dir, dir)
}

// Expand puts the home folder in the place of ~, $HOME or ${HOME} at the
// beginning of a path.
func Expand(path, home string) string {
	for _, mark := range [...]string{"~", "$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(path, mark); ok && home != "" && (rest == "" || rest[0] == '/') {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// directories settles where the index is to be, and where Shebe's own may be: in
// the index directory, where Shebe looks, which knows no SHEBE_INDEX_DIR, or in
// the state folder of early releases.
func (c *Config) directories(in Input) {
	label := "Index Directory"
	if dir := in.Env["SHEBE_DATA_DIR"]; dir != "" {
		c.IndexDir, c.Sources[label] = filepath.Join(dir, "sessions"), "environment SHEBE_DATA_DIR"
	}
	own := filepath.Join(in.folder("DATA", ".local/share"), "sessions")
	if c.IndexDir != "" {
		c.IndexDir = in.absolute(c.IndexDir)
		own = c.IndexDir
	}
	if dir := in.Env["SHEBE_INDEX_DIR"]; dir != "" {
		c.IndexDir, c.Sources[label] = in.absolute(dir), "environment SHEBE_INDEX_DIR"
		c.Sessions = append(c.Sessions, filepath.Join(c.IndexDir, "sessions"))
	}
	c.Sessions = append(c.Sessions, filepath.Join(own, "sessions"), filepath.Join(in.folder("STATE", ".local/state"), "sessions"))
	c.home = in.Home
}

// DataDir is the folder for the indexes of a workspace: one of its own in the
// index directory, so that Shebe finds only what it made, or another where
// nothing is set.
func (c *Config) DataDir(otherwise string) string {
	if c.IndexDir == "" {
		return otherwise
	}
	return filepath.Join(c.IndexDir, "espy")
}

// number is one setting that is a number.
type number struct {
	label, env string
	value      *int
}

func (c *Config) numbers() []number {
	return []number{
		{"Chunk Size", "SHEBE_CHUNK_SIZE", &c.ChunkSize}, {"Overlap", "SHEBE_OVERLAP", &c.Overlap},
		{"Max File Size", "SHEBE_MAX_FILE_SIZE_MB", &c.MaxFileSizeMB},
		{"Default K", "SHEBE_DEFAULT_K", &c.DefaultK}, {"Max K", "SHEBE_MAX_K", &c.MaxK},
		{"Max Query Length", "SHEBE_MAX_QUERY_LENGTH", &c.MaxQueryLength},
		{"Max Concurrent Indexes", "SHEBE_MAX_CONCURRENT_INDEXES", &c.MaxIndexes},
		{"Request Timeout", "SHEBE_REQUEST_TIMEOUT_SEC", &c.TimeoutSeconds},
	}
}

func (c *Config) apply(f *file, name string) {
	set := []*int{
		f.Indexing.ChunkSize, f.Indexing.Overlap, f.Indexing.MaxFileSizeMB, f.Search.DefaultK, f.Search.MaxK,
		f.Search.MaxQueryLength, f.Limits.MaxIndexes, f.Limits.TimeoutSeconds,
	}
	for i, n := range c.numbers() {
		if set[i] != nil {
			*n.value = *set[i]
			c.Sources[n.label] = "config file " + name
		}
	}
	if f.Storage.IndexDir != nil && *f.Storage.IndexDir != "./data" {
		c.IndexDir, c.Sources["Index Directory"] = *f.Storage.IndexDir, "config file "+name
	}
	if f.Logging.Level != nil {
		c.LogLevel, c.Sources["Log Level"] = *f.Logging.Level, "config file "+name
	}
	if f.Indexing.Include != nil {
		c.Include, c.Sources["Include Patterns"] = f.Indexing.Include, "config file "+name
	}
	if f.Indexing.Exclude != nil {
		c.Exclude, c.Sources["Exclude Patterns"] = f.Indexing.Exclude, "config file "+name
	}
}

func (c *Config) environment(env map[string]string) {
	for _, n := range c.numbers() {
		if v, err := strconv.ParseUint(env[n.env], 10, 31); err == nil {
			*n.value = int(v)
			c.Sources[n.label] = "environment " + n.env
		}
	}
}

// configError says what is wrong, in the words of Shebe.
type configError string

func (e configError) Error() string { return string(e) }

func (c *Config) validate() error {
	switch {
	case c.ChunkSize < 1:
		return configError("Chunk size must be non-zero")
	case c.Overlap < 0 || c.Overlap >= c.ChunkSize:
		return configError("Overlap must be less than chunk size")
	case c.DefaultK < 1:
		return configError("Default k must be non-zero")
	case c.DefaultK > c.MaxK:
		return configError("Default k cannot exceed max k")
	case c.MaxQueryLength < 1:
		return configError("Max query length must be non-zero")
	case c.MaxIndexes < 1:
		return configError("Max concurrent indexes must be non-zero")
	case c.TimeoutSeconds < 1:
		return configError("Request timeout must be non-zero")
	}
	return nil
}

// setBy reports whether the file or the environment sets something.
func (c *Config) setBy(label string) bool { return c.Sources[label] != "" }

func (c *Config) source(label string) string {
	if s := c.Sources[label]; s != "" {
		return s
	}
	return "default"
}
