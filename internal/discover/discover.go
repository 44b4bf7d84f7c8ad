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
	"io/fs"
)

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
	Detail string `json:"detail,omitempty"` // what the reason leaves open: the limit, the ignore file, the system's error
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
	ReasonIgnored:    "an ignore file (.gitignore, .espyignore, .shaktimanignore, .git/info/exclude or the global one) names it",
	ReasonExcluded:   "the include and exclude globs of the policy leave it out",
	ReasonHidden:     "its name starts with a dot and the policy skips hidden names",
	ReasonVCS:        "it belongs to the version control system itself",
	ReasonSecret:     "its name or its content is one of a private key, a credential store or an environment file; the setting secrets lets it in",
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
