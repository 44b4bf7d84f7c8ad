package discover

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"espy/internal/discover/globs"
	"espy/internal/lang"
	"espy/internal/secret"
)

// The limits that the zero Policy stands for.
const (
	defaultMaxFileBytes = 10 << 20  // bytes of one file
	DefaultMaxFiles     = 2_000_000 // files of one listing
	defaultMaxBytes     = 64 << 30  // bytes of all files of one listing
)

// maxPathBytes is the longest path that systems take in one call.
const maxPathBytes = 4095

// MaxFileBytes is the size, in bytes, up to which a file can be read at all.
const MaxFileBytes = 1 << 30

// Policy decides which files of a tree are indexed. The zero value holds the
// defaults. It is part of a view's settings and is stored as JSON.
//
// Globs follow doublestar: `**` crosses folders, braces give alternatives. A
// glob without a slash is matched against the base name at any depth, and a
// glob that matches a folder covers everything below it. A trailing slash
// limits a glob to folders.
type Policy struct {
	Include []string `json:"include,omitempty"` // when not empty, only files that one of these globs matches
	Exclude []string `json:"exclude,omitempty"` // files and folders left out; wins over Include

	MaxFileBytes int64 `json:"max_file_bytes,omitempty"` // larger files are left out; 0 is DefaultMaxFileBytes, negative is MaxFileBytes
	MaxFiles     int   `json:"max_files,omitempty"`      // files beyond this many, in path order, are left out; 0 is DefaultMaxFiles, negative is no limit
	MaxBytes     int64 `json:"max_bytes,omitempty"`      // files from the one that passes this sum on, in path order, are left out; 0 is DefaultMaxBytes, negative is no limit

	NoGitignore  bool     `json:"no_gitignore,omitempty"`  // do not apply .gitignore, .git/info/exclude and the user's global ignore file
	NoEspyignore bool     `json:"no_espyignore,omitempty"` // do not apply .espyignore
	IgnoreFiles  []string `json:"ignore_files,omitempty"`  // names of more ignore files with gitignore's syntax, weaker than .espyignore, stronger than .gitignore; a later name wins
	SkipHidden   bool     `json:"skip_hidden,omitempty"`   // leave out names that start with a dot
	Secrets      bool     `json:"secrets,omitempty"`       // keep files that hold secrets (see package secret)

	Dialect           string `json:"dialect,omitempty"`             // of the globs: "" is doublestar as above, or DialectWild
	SkipHiddenFolders bool   `json:"skip_hidden_folders,omitempty"` // leave out folders, not files, whose name starts with a dot
	UTF8Only          bool   `json:"utf8_only,omitempty"`           // leave out files whose bytes are not UTF-8

	Nested []string `json:"nested,omitempty"` // kinds of nested git work trees that are indexed with the tree; empty means submodules and repositories
}

func (p Policy) maxFileBytes() int64 {
	return min(limitOr(p.MaxFileBytes, defaultMaxFileBytes), MaxFileBytes)
}

// Unread reports whether a file is left out for its name or size, in bytes,
// whatever it holds.
func (p Policy) Unread(path string, size int64) bool {
	return size > p.maxFileBytes() || p.secretName(path) != secret.None
}

// Steers reports whether a file may say which others are left out, so that a
// walk reads it.
func (p Policy) Steers(file string) bool {
	name := path.Base(file)
	return slices.ContainsFunc(p.ignoreFiles(), func(n string) bool { return strings.EqualFold(n, name) })
}

// secretName returns what secrets the file of a path holds by its name, none
// where files of secrets are kept.
func (p *Policy) secretName(path string) secret.Kind {
	if p.Secrets {
		return secret.None
	}
	return secret.Name(path)
}

// secretText is secretName by the text of the file.
func (p *Policy) secretText(path string, text []byte) secret.Kind {
	if p.Secrets {
		return secret.None
	}
	return secret.Text(path, formOf(path, text), text)
}

// Secret reports whether a file, of which a text is at hand, is left out because
// it holds secrets. The text may be of another version of the file.
func (p Policy) Secret(path string, text []byte) bool {
	return p.secretName(path) != secret.None || p.secretText(path, text) != secret.None
}

// formOf tells how a file is written.
func formOf(path string, text []byte) secret.Form {
	switch l := lang.Detect(path, text); {
	case l == nil:
		return secret.Plain
	case plainLanguages[l.Name]:
		return secret.Plain
	case proseLanguages[l.Name]:
		return secret.Prose
	}
	return secret.Source
}

var (
	plainLanguages = set("csv", "dotenv", "ini", "json", "other", "properties", "terraform", "text", "toml", "xml", "yaml")
	proseLanguages = set("asciidoc", "html", "markdown", "org", "rst", "tex", "typst")
)

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

func (p Policy) maxFiles() int64 { return limitOr(int64(p.MaxFiles), DefaultMaxFiles) }
func (p Policy) maxBytes() int64 { return limitOr(p.MaxBytes, defaultMaxBytes) }

func limitOr(n, def int64) int64 {
	switch {
	case n == 0:
		return def
	case n < 0:
		return 1<<63 - 1
	}
	return n
}

// Validate reports the first setting that cannot be used, with a hint.
func (p Policy) Validate() error {
	if err := p.checkNested(); err != nil {
		return err
	}
	switch p.Dialect {
	case DialectWild:
		_, err := globs.NewWild("", p.Include, p.Exclude)
		return err
	case "":
	default:
		return fmt.Errorf("dialect %q: leave it empty, or write %q", p.Dialect, DialectWild)
	}
	if _, err := globs.New("include", p.Include); err != nil {
		return err
	}
	if _, err := globs.New("exclude", p.Exclude); err != nil {
		return err
	}
	for _, name := range p.IgnoreFiles {
		if !isName(name) {
			return fmt.Errorf("ignore file %q: must be a plain file name such as .contextignore", name)
		}
	}
	return nil
}

// isName reports whether s is one component of a path.
func isName(s string) bool {
	return s != "" && s != "." && s != ".." && !strings.ContainsAny(s, "/\\\x00")
}

const (
	gitignoreName  = ".gitignore"
	espyignoreName = ".espyignore"
)

// ignoreFiles returns the names of the ignore files to apply, a stronger one after a weaker one.
func (p Policy) ignoreFiles() []string {
	var names []string
	if !p.NoGitignore {
		names = append(names, gitignoreName)
	}
	for _, name := range p.IgnoreFiles {
		if name != gitignoreName && name != espyignoreName {
			names = append(names, name)
		}
	}
	if !p.NoEspyignore {
		names = append(names, espyignoreName)
	}
	return names
}

// The kinds of git work trees inside a tree that Policy.Nested names.
const (
	nestedSubmodule  = "submodule"  // its .git file names a folder below modules
	nestedRepository = "repository" // has a git folder of its own
	nestedWorktree   = "worktree"   // its .git file names a folder below worktrees
	nestedNone       = "none"       // stands for no kind at all
)

// nestedDefault is what an empty Policy.Nested stands for. A linked work tree
// repeats the files of its repository, often those of another branch, so that
// answers from it would be wrong.
var nestedDefault = []string{nestedSubmodule, nestedRepository}

func (p Policy) checkNested() error {
	kinds := []string{nestedSubmodule, nestedRepository, nestedWorktree, nestedNone}
	for _, k := range p.Nested {
		if !slices.Contains(kinds, k) {
			return fmt.Errorf("nested %q: is one of %s", k, strings.Join(kinds, ", "))
		}
	}
	return nil
}

// keeps reports whether work trees of a kind belong to the tree they are in.
func (p Policy) keeps(kind string) bool {
	if len(p.Nested) == 0 {
		return slices.Contains(nestedDefault, kind)
	}
	return slices.Contains(p.Nested, kind)
}

// DialectWild reads the globs of a Policy as glob.Wild does. An include glob is
// matched against the absolute path, the path relative to the root with and
// without a leading slash, and the base name; an exclude glob that begins with a
// slash against the absolute path, and any against the relative one. So the
// names of the folders above the root exclude nothing.
const DialectWild = "wild"
