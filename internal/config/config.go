// Package config resolves the settings of one run into one struct: the
// defaults, then the settings file, then the environment, then the flags, the
// later ones winning. It remembers for each setting where its value came from
// and describes all of them for the reference.
//
// A setting is a field of Settings. Its key in the file is the field's `key`
// tag, its environment variable is ESPY_ followed by the key in upper case. A
// new setting is a new field, a default in defaults and, where not every
// value of its type will do, a rule in validate.go.
package config

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"espy/internal/usage"
)

// Settings holds every setting of a run.
type Settings struct {
	DataDir      string   `key:"data_dir" type:"path" doc:"Folder that holds the indexes. It is created with mode 0700; one that every user may write to is refused, and so is a relative path in the environment or the settings file."`
	Roots        []string `key:"roots" doc:"Folders that may be attached, with all that is below them; absolute, or beginning with ~/. Empty means every folder but system folders, the home folder and those above it. Repositories attached before that lie elsewhere are not shown. Git's objects are also read below these folders, where a repository borrows them (git clone --shared). Clones of repositories on other machines are kept in the data folder, whatever is set here. The folders of packages, which the scope of dependencies asks, are bounded too."`
	Include      []string `key:"include" doc:"Globs of the files to index. Empty means every file."`
	Exclude      []string `key:"exclude" doc:"Globs of files and folders to leave out of the index."`
	UseGitignore bool     `key:"use_gitignore" doc:"Leave out the files that .gitignore, .git/info/exclude and git's global ignore file name. A .espyignore file is always obeyed."`
	SkipHidden   bool     `key:"skip_hidden" doc:"Leave out files and folders whose names start with a dot."`
	Secrets      bool     `key:"secrets" doc:"Index files that hold secrets too: private keys, credential stores, .env files and the like, which are told by their names or their content. espy files --excluded lists them."`
	ShowSecrets  bool     `key:"show_secrets" doc:"Show the keys, tokens and private keys that stand in files. Otherwise a marker such as [secret: github-pat] stands in the place of each, in every answer."`
	Embedding    string   `key:"embedding" doc:"The model whose vectors meaning is compared by: builtin, which is part of the program and sends nothing; or one of a server that texts of every file are sent to, without the keys in them: ollama, or openai for any server with OpenAI's API. The built-in model also answers where the server does not."`
	EmbedURL     string   `key:"embedding_url" doc:"Address of the server. Empty means http://localhost:11434 for ollama and https://api.openai.com/v1 for openai. It can only be set here, in the environment or with --config, never by a repository or a call."`
	EmbedModel   string   `key:"embedding_model" doc:"Name of the model on the server. Empty means nomic-embed-text for ollama and text-embedding-3-small for openai. Another model begins anew: vectors of two models are never mixed."`
	EmbedKey     string   `key:"embedding_key" type:"secret" doc:"Key of the server, sent as a bearer token over https or to this machine. It is shown nowhere. The environment is the better place for it."`
	EmbedDims    int64    `key:"embedding_dims" doc:"Numbers of a vector. 0 means those of the model, where it is a known one. OpenAI's text-embedding-3 models are asked for vectors of this length."`
	RerankModel  string   `key:"rerank_model" doc:"Name of a model on a server that puts the first 20 places of an answer of search by words in order. Empty means that nobody is asked. The question and the text of these places are sent there, without the keys in them; it is waited for up to five seconds."`
	RerankURL    string   `key:"rerank_url" doc:"Address of that server, which has /v1/rerank as llama.cpp, vLLM, Jina and Cohere have it; Ollama and OpenAI have none. Empty means embedding_url, where embedding is openai."`
	RerankKey    string   `key:"rerank_key" type:"secret" doc:"Key of that server, sent as a bearer token over https or to this machine. Empty means embedding_key, where rerank_url is empty too. It is shown nowhere. The environment is the better place for it."`
	Nested       []string `key:"nested" doc:"Kinds of nested git work trees to index with the repository around them: submodule, repository, worktree, or none. Empty means submodule and repository. A linked work tree (worktree) holds another branch of the same files; index it by its own path."`
	Forbid       []string `key:"forbid" doc:"Rules of imports that espy audit reports where they are broken, besides those of --forbid: src/api -> src/db (files of src/api must not import those of src/db), or layers, cli > workspace > store. A name and a colon in front (shop: web -> db) make a rule that of one repository; another rule is for every repository that has both sides. What was not checked is said."`
	MaxFileBytes int64    `key:"max_file_bytes" type:"bytes" doc:"Files larger than this are left out of the index."`
	MaxFiles     int64    `key:"max_files" doc:"At most this many files of one repository are indexed."`
	MaxBytes     int64    `key:"max_bytes" type:"bytes" doc:"At most this many bytes of one repository are indexed."`
	Workers      int64    `key:"workers" doc:"Processor cores to use for indexing. 0 means all of them."`
	Limit        int64    `key:"limit" doc:"Number of hits that a search shows. 0 means 10 files in ranked modes and 50 lines in literal and regex modes."`
	HereFirst    bool     `key:"here_first" doc:"On the command line, files below the working directory stand before others that answer about as well, where answers are ranked."`
	MaxTokens    int64    `key:"max_tokens" doc:"Largest size of an answer, in tokens of 4 bytes. 0 means no limit."`
	Timeout      string   `key:"timeout" doc:"Time that a question on the command line may take, such as 500ms, 30s or 5m. At its end the answer has what was found, says what was not looked at, and is marked as partial."`
	MCPTimeout   string   `key:"mcp_timeout" doc:"Time that a call over MCP may take, as timeout. Clients give up by themselves, some after 30 s."`
	DatabaseURL  string   `key:"database_url" type:"secret" doc:"Address of the PostgreSQL database (15 or newer) that a team shares, such as postgres://espy@db.example:5432/espy. Empty means that everything is kept in the data folder. It is shown nowhere; a password is better put in PGPASSWORD or ~/.pgpass."`
	CacheBytes   int64    `key:"cache_bytes" type:"bytes" doc:"With database_url: what the indexes that were taken from the database may occupy in the data folder. Those used least recently are deleted first, never one in use. 0 means no limit."`
	CloneBytes   int64    `key:"clone_max_bytes" type:"bytes" doc:"Remote repositories larger than this on disk are not cloned."`
	ClonePrivate bool     `key:"clone_private" doc:"Also clone from this machine and from private networks. The addresses where clouds serve credentials are always refused."`
	CloneCAFile  string   `key:"clone_ca_file" type:"path" doc:"PEM file of the certificate authorities to trust when cloning. Empty means those of the system. If this is not set, GIT_SSL_CAINFO is used."`
	Color        string   `key:"color" doc:"When to use colour: auto, always or never. If ESPY_COLOR is not set, NO_COLOR means never and CLICOLOR_FORCE means always."`
	LogLevel     string   `key:"log_level" doc:"Least severe messages to log to standard error: debug, info, warn or error."`
}

// The values of Color.
const (
	ColorAuto   = "auto"
	ColorAlways = "always"
	ColorNever  = "never"
)

// The values of Embedding.
const (
	EmbeddingBuiltin = "builtin"
	EmbeddingOllama  = "ollama"
	EmbeddingOpenAI  = "openai"
)

// defaults returns the settings of a run that sets nothing. The data folder
// depends on the user's environment and is filled in by Load.
func defaults() Settings {
	return Settings{
		UseGitignore: true,
		HereFirst:    true,
		MaxFileBytes: 10 << 20,
		MaxFiles:     2_000_000,
		MaxBytes:     64 << 30,
		Timeout:      "1m",
		MCPTimeout:   "10s",
		CacheBytes:   20 << 30,
		CloneBytes:   4 << 30,
		Embedding:    EmbeddingBuiltin,
		Color:        ColorAuto,
		LogLevel:     "warn",
	}
}

// Source is the kind of place a value comes from, in rising precedence.
type Source string

// The sources.
const (
	Default     Source = "default"
	File        Source = "file"
	Environment Source = "environment"
	Flag        Source = "flag"
)

// Origin says where a setting's value comes from.
type Origin struct {
	Source Source
	Name   string // the file's path, the variable or the flag; empty for a default
}

// String returns the origin as people read it, such as "environment ESPY_LIMIT".
func (o Origin) String() string {
	if o.Name == "" {
		return string(o.Source)
	}
	return string(o.Source) + " " + o.Name
}

// Config is the outcome of Load.
type Config struct {
	Settings

	// Path is the settings file, whether or not it exists; empty when the
	// environment names no home folder to look below.
	Path string
	// Home is the user's home folder, or empty.
	Home string
	// GlobalIgnore is the user's global ignore file of git, whether or not it
	// exists; empty where the environment names no home folder.
	GlobalIgnore string
	// Proxy is the proxy of https, and SSHAgent the socket of the agent that
	// holds the keys of ssh, as the environment names them; or empty.
	Proxy, SSHAgent string
	// Packages are the variables of the environment that say where package
	// managers keep packages.
	Packages map[string]string
	// Notices say, in words for the user, which of git's files could not be read.
	Notices []string

	origins map[string]Origin
}

// FlagValue is a setting given on the command line.
type FlagValue struct {
	Key   string // the setting's key
	Name  string // the flag as typed, such as --limit
	Value any    // string, bool, int64 or []string; a string is read as in the environment
}

// Input is what Load reads.
type Input struct {
	Env   map[string]string
	File  string // settings file named on the command line; it must exist
	Flags []FlagValue
}

// Load resolves the settings. Its errors name the setting and where the value
// came from, and say which values would do.
func Load(in Input) (*Config, error) {
	c := &Config{Settings: defaults(), origins: map[string]Origin{}}
	dirs := findDirs(in.Env)
	c.Home, c.DataDir = dirs.home, dirs.data
	c.Proxy, c.SSHAgent = cmp.Or(in.Env["https_proxy"], in.Env["HTTPS_PROXY"]), in.Env["SSH_AUTH_SOCK"]
	c.GlobalIgnore, c.Notices = findGlobalIgnore(dirs)
	c.Packages = map[string]string{}
	for _, name := range packageVariables {
		c.Packages[name] = in.Env[name]
	}
	if err := c.loadFile(in, dirs.config); err != nil {
		return nil, err
	}
	if err := c.loadEnv(in.Env); err != nil {
		return nil, err
	}
	for _, f := range in.Flags {
		if err := c.set(f.Key, f.Value, Origin{Flag, f.Name}); err != nil {
			return nil, err
		}
	}
	if err := c.finish(in.Env["HOME"]); err != nil {
		return nil, err
	}
	return c, nil
}

// packageVariables say where package managers keep packages.
var packageVariables = []string{"GOMODCACHE", "GOPATH", "CARGO_HOME", "VIRTUAL_ENV", "GEM_HOME", "PNPM_HOME"}

// loadEnv applies the ESPY_ variables, and the customary ones for colour and certificates.
func (c *Config) loadEnv(env map[string]string) error {
	if env["CLICOLOR_FORCE"] != "" && env["CLICOLOR_FORCE"] != "0" {
		c.apply("color", ColorAlways, Origin{Environment, "CLICOLOR_FORCE"})
	}
	if file := env["GIT_SSL_CAINFO"]; file != "" {
		c.apply("clone_ca_file", file, Origin{Environment, "GIT_SSL_CAINFO"})
	}
	if env["NO_COLOR"] != "" {
		c.apply("color", ColorNever, Origin{Environment, "NO_COLOR"})
	}
	for _, f := range fields {
		value, ok := env[f.env]
		if !ok || value == "" {
			continue
		}
		if err := c.set(f.key, value, Origin{Environment, f.env}); err != nil {
			return err
		}
	}
	return nil
}

// set reads value as the type of the setting, checks it and applies it.
func (c *Config) set(key string, value any, o Origin) error {
	f, ok := fieldByKey(key)
	if !ok {
		return refused(key, o, "unknown setting", nearestHint(key, Keys()))
	}
	v, err := f.read(value)
	if err == nil {
		err = f.check(v)
	}
	if err != nil {
		return refused(key, o, fmt.Sprintf("value %s: %v", f.quoted(value), err), "")
	}
	c.apply(key, v, o)
	return nil
}

// apply stores a value that has the field's type.
func (c *Config) apply(key string, value any, o Origin) {
	f, _ := fieldByKey(key)
	reflect.ValueOf(&c.Settings).Elem().Field(f.index).Set(reflect.ValueOf(value))
	c.origins[key] = o
}

// Duration returns the value of a setting that is a time, which was checked.
func Duration(value string) time.Duration {
	d, _ := time.ParseDuration(value)
	return d
}

// finish makes the folders absolute. A relative one that was not typed with the
// command would name another folder in each repository, and be written there.
func (c *Config) finish(home string) error {
	if c.DataDir == "" {
		problem := "no value"
		if home != "" {
			problem += fmt.Sprintf(": HOME is %s, a relative path, which would be a folder of whatever folder the command is run in", quote(home))
		}
		return refused("data_dir", Origin{}, problem, "set HOME, XDG_DATA_HOME or ESPY_DATA_DIR to an absolute path, or give --data-dir")
	}
	c.DataDir = c.below(c.DataDir)
	if o := c.origins["data_dir"]; o.Source != Flag && !filepath.IsAbs(c.DataDir) {
		return refused("data_dir", o, fmt.Sprintf("value %s: is relative, and would be a folder of whatever folder the command is run in", quote(c.DataDir)),
			"write an absolute path, or one that begins with ~/")
	}
	for i, dir := range c.Roots {
		if c.Roots[i] = filepath.Clean(c.below(dir)); !filepath.IsAbs(c.Roots[i]) {
			return refused("roots", c.origins["roots"], fmt.Sprintf("value %s: is relative", quote(dir)), "write an absolute path, or one that begins with ~/")
		}
	}
	for _, rule := range c.Forbid {
		if from, to, ok := strings.Cut(rule, ">"); !ok || strings.Trim(from, "- ") == "" || strings.TrimSpace(to) == "" {
			return refused("forbid", c.origins["forbid"], fmt.Sprintf("value %s: no arrow between two folders", quote(rule)), `write "src/api -> src/db", or layers such as "cli > workspace > store"`)
		}
	}
	if err := c.checkKeys(); err != nil {
		return err
	}
	abs, err := filepath.Abs(c.DataDir)
	if err != nil {
		return fmt.Errorf("setting data_dir: %w", err)
	}
	c.DataDir = abs
	return nil
}

// checkKeys refuses to send the key of a server in the clear.
func (c *Config) checkKeys() error {
	for _, server := range []struct {
		name, url, key string
		used           bool
	}{
		{"embedding", c.EmbedURL, c.EmbedKey, c.Embedding != EmbeddingBuiltin},
		{"rerank", c.RerankURL, c.RerankKey, c.RerankModel != ""},
	} {
		u, err := url.Parse(server.url)
		if err == nil && server.used && server.key != "" && u.Scheme == "http" && !isLoopback(u.Hostname()) {
			return refused(server.name+"_key", c.origins[server.name+"_key"], "would be sent to "+u.Host+" in the clear", "set "+server.name+"_url to an address with https, or leave the key out")
		}
	}
	return nil
}

// below returns a path with the home folder in the place of ~.
func (c *Config) below(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && c.Home != "" {
		return filepath.Join(c.Home, rest)
	}
	return path
}

// Setting is one setting with its value and origin, for display.
type Setting struct {
	Key    string
	Value  any    // string, bool, int64 or []string
	Text   string // the value as people read it, empty for an empty list
	Origin Origin
	Env    string // its environment variable
}

// List returns every setting in the order of the reference.
func (c *Config) List() []Setting {
	values := reflect.ValueOf(c.Settings)
	list := make([]Setting, 0, len(fields))
	for _, f := range fields {
		o, ok := c.origins[f.key]
		if !ok {
			o = Origin{Source: Default}
		}
		value := values.Field(f.index).Interface()
		if f.secret && value != "" {
			value = "(set)"
		}
		list = append(list, Setting{Key: f.key, Value: value, Text: f.text(value), Origin: o, Env: f.env})
	}
	return list
}

// Set reports whether key was set anywhere, so that its value is not the default.
func (c *Config) Set(key string) bool {
	_, ok := c.origins[key]
	return ok
}

// refused is the error of a setting that cannot be used.
func refused(key string, o Origin, msg, hint string) error {
	arg := "setting " + key
	if o.Source != "" {
		arg += fmt.Sprintf(" (%s)", o)
	}
	return &usage.Error{Arg: arg, Msg: msg, Hint: hint}
}
