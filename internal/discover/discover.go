// Package discover finds the files of a tree that are worth indexing, says
// of every other file why it was left out, and reads files safely.
//
// The words: an Entry is a file that belongs to the index, an Exclusion a
// file or folder that does not, with its Reason, and a Policy the settings
// that decide. Walk lists a tree; a Reader reads one file and says whether it
// is text. The same tree and policy give the same listing, whoever asks.
//
// Three promises hold for every function here. Nothing outside the root is
// read: paths are resolved by the kernel beneath an open handle of the root
// and a symbolic link is never followed, not even one that stays inside.
// Nothing of the tree is executed: git is imitated, never run, and no
// configuration of the tree's repository is read. Nothing blocks: devices,
// pipes and sockets are recognised before they are opened.
//
// Paths are relative to the root, separated by slashes, and kept as the bytes
// the file system gave, whether or not those are UTF-8. Order is byte order of
// paths.
package discover

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// The limits that the zero Policy stands for.
const (
	defaultMaxFileBytes = 10 << 20  // bytes of one file
	DefaultMaxFiles     = 2_000_000 // files of one listing
	defaultMaxBytes     = 64 << 30  // bytes of all files of one listing
)

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
	Secrets      bool     `json:"secrets,omitempty"`       // keep files that hold secrets by their name (see IsSecret)

	Dialect           string `json:"dialect,omitempty"`             // of the globs: "" is doublestar as above, or DialectWild
	SkipHiddenFolders bool   `json:"skip_hidden_folders,omitempty"` // leave out folders, not files, whose name starts with a dot
	UTF8Only          bool   `json:"utf8_only,omitempty"`           // leave out files whose bytes are not UTF-8

	Nested []string `json:"nested,omitempty"` // the kinds of git work trees inside the tree whose files belong to it; none is submodules and repositories
}

func (p Policy) maxFileBytes() int64 {
	return min(limitOr(p.MaxFileBytes, defaultMaxFileBytes), MaxFileBytes)
}

// Unread reports whether a file is left out for its name or size, in bytes,
// whatever it holds.
func (p Policy) Unread(path string, size int64) bool {
	return size > p.maxFileBytes() || !p.Secrets && IsSecret(path)
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
		_, err := newWild("", p)
		return err
	case "":
	default:
		return fmt.Errorf("dialect %q: leave it empty, or write %q", p.Dialect, DialectWild)
	}
	if _, err := newGlobs("include", p.Include); err != nil {
		return err
	}
	if _, err := newGlobs("exclude", p.Exclude); err != nil {
		return err
	}
	for _, name := range p.IgnoreFiles {
		if !isName(name) {
			return fmt.Errorf("ignore file %q: must be a plain file name such as .contextignore", name)
		}
	}
	return nil
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

// Options is what a walk needs beside its policy.
type Options struct {
	GlobalIgnore string // path of the user's global ignore file; empty or missing is none, one that cannot be read is told
	Workers      int    // folders read side by side; 0 is one for each processor, at most 8

	// Enter is called with each folder before it is read, "" being the root, from any goroutine.
	Enter func(dir string)

	portable bool // test hook: use the portable tree
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return min(runtime.GOMAXPROCS(0), 8)
}

// Entry is one file as a listing or a read saw it. Size, times and inode
// together tell whether a file may have changed.
type Entry struct {
	Path    string      `json:"path"`
	Size    int64       `json:"size"`     // bytes
	MtimeNS int64       `json:"mtime_ns"` // nanoseconds since 1970, UTC
	CtimeNS int64       `json:"ctime_ns"` // as MtimeNS; 0 where the platform has none
	Inode   uint64      `json:"inode"`    // 0 where the platform has none
	Mode    fs.FileMode `json:"mode"`
}

// same reports whether two looks at a path saw the same state of the same file.
func (e Entry) same(f Entry) bool {
	return e.Size == f.Size && e.MtimeNS == f.MtimeNS && e.CtimeNS == f.CtimeNS && e.Inode == f.Inode
}

// Exclusion is a file or folder that was left out. A folder stands for
// everything below it.
type Exclusion struct {
	Path   string `json:"path"`
	Dir    bool   `json:"dir,omitempty"`
	Reason Reason `json:"reason"`
	Size   int64  `json:"size,omitempty"`   // bytes, where known
	Detail string `json:"detail,omitempty"` // what the reason leaves open: the limit, the system's error
	Count  int    `json:"count,omitempty"`  // when not 0: how many names directly in the folder Path this stands for
}

// Reason is a stable word for why something was left out.
type Reason string

// The reasons.
const (
	ReasonIgnored    Reason = "ignored"
	ReasonExcluded   Reason = "excluded"
	ReasonHidden     Reason = "hidden"
	ReasonVCS        Reason = "vcs"
	ReasonSecret     Reason = "secret"
	ReasonBinary     Reason = "binary"
	ReasonEncoding   Reason = "encoding"
	ReasonTooLarge   Reason = "too_large"
	ReasonLimit      Reason = "limit"
	ReasonSymlink    Reason = "symlink"
	ReasonSpecial    Reason = "special"
	ReasonUnreadable Reason = "unreadable"
	ReasonSubmodule  Reason = "submodule"
	ReasonNested     Reason = "nested"
	ReasonChanging   Reason = "changing"
)

var explanations = map[Reason]string{
	ReasonIgnored:    "an ignore file (.gitignore, .espyignore, .git/info/exclude or the global one) names it",
	ReasonExcluded:   "the include and exclude globs of the policy leave it out",
	ReasonHidden:     "its name starts with a dot and the policy skips hidden names",
	ReasonVCS:        "it belongs to the version control system itself",
	ReasonSecret:     "its name is one of a private key, a credential store or an environment file",
	ReasonBinary:     "its content is not text",
	ReasonEncoding:   "its text is in an encoding that cannot be read, such as UTF-32",
	ReasonTooLarge:   "it is larger than the limit for one file",
	ReasonLimit:      "the limit on files, on bytes or on the length of a path was reached before it",
	ReasonSymlink:    "it is a symbolic link, and links are not followed",
	ReasonSpecial:    "it is a device, a pipe, a socket or another special file",
	ReasonUnreadable: "the system refused to read it",
	ReasonSubmodule:  "it is a repository of its own, of which a commit only holds the name",
	ReasonNested:     "it is another work tree of git, of a kind that is not indexed with the one round it: index it by its own path",
	ReasonChanging:   "it changed each time it was read",
}

// Explain returns one clause that says what the reason means.
func (r Reason) Explain() string {
	if s, ok := explanations[r]; ok {
		return s
	}
	return "no reason is known"
}

// Listing is the result of a walk.
type Listing struct {
	Entries  []Entry     // sorted by path
	Excluded []Exclusion // sorted by path
	Bytes    int64       // sum of the sizes of Entries
	Dirs     int         // folders read
	Notices  []string    // what was not as the policy asks, in words for the user
}

// Walk lists the files below root that the policy keeps. A folder that cannot
// be read is an exclusion and the walk goes on; the walk fails when ctx ends,
// when the root cannot be read or is no longer where it was opened, when the
// policy is invalid or when the process runs out of descriptors or memory.
func Walk(ctx context.Context, root *os.Root, p Policy, o Options) (*Listing, error) {
	w, err := newWalker(root, p, o)
	if err != nil {
		return nil, err
	}
	defer w.tree.close()
	l, err := w.listing(ctx, root)
	if err != nil {
		return nil, fmt.Errorf("walk %s: %w", root.Name(), err)
	}
	return l, nil
}
