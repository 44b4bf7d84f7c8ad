package discover

import (
	"errors"
	"io/fs"
	"syscall"

	"espy/internal/listing"
)

// tree is the only way to the file system below a root. No method follows a
// symbolic link in any component of a path. Methods may be called from several
// goroutines; a folder belongs to one. Paths are clean and relative, the root
// itself is "".
type tree interface {
	// openDir opens a folder for list, stat and open.
	openDir(path string) (folder, error)
	// openParent opens a folder for stat and open only, which needs no right to list it.
	openParent(path string) (folder, error)
	// openFile opens a regular file as folder.open does.
	openFile(path string) (file, error)
	close()
}

type folder interface {
	// list appends every name of the folder, in any order, each path with the prefix before it.
	list(prefix string, s *scratch, into []dirent) ([]dirent, error)
	// self returns what the system tells of the folder where that vouches for its names:
	// it changes with each name that comes or goes. It is zero elsewhere.
	self() listing.Stat
	// stat fills everything but the path of e.
	stat(name string, e *Entry) error
	// open opens a regular file. It never blocks. The caller has seen by stat that the
	// name is a regular file; if it no longer is one, open fails with errChanged or opens
	// what is there, which the caller finds out by the file's own stat.
	open(name string) (file, error)
	// within leads to a folder in it, for self, stat and open, without opening it; nil where
	// the tree cannot. It holds until the folder is closed. Where the name becomes a link,
	// self is zero; one that becomes a link later may lead stat out of the root, but not open.
	within(name string) folder
	close()
}

type file interface {
	read(p []byte) (int, error) // 0, nil at the end
	stat(e *Entry) error
	close()
}

// dirent is one name found in a folder.
type dirent struct {
	path   string
	typ    fs.FileMode // type bits, or typeUnknown
	reason Reason      // why it is left out, once judged
	gone   bool        // it vanished since it was listed
	looked bool        // its entry is on the visitor's stack
	known  int         // of a folder: its place in the memory of an earlier look, from 1; 0 for none
}

// typeUnknown is the type of a name whose file system does not tell types when listing.
const typeUnknown = fs.ModeType

// scratch is memory that one goroutine reuses from folder to folder.
type scratch struct {
	buf   []byte // raw records from the kernel
	names []byte // paths of one folder, end to end
	ends  []int  // where each path ends in names
}

// isLink reports whether err says that a path led through a symbolic link.
func isLink(err error) bool {
	return errors.Is(err, syscall.ELOOP) || errors.Is(err, errLink)
}

// isGone reports whether err says that a name vanished or changed its kind.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ESTALE)
}

// isExhausted reports whether err is about this process or machine rather than about the file.
func isExhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// errLink says that a component of a path is a symbolic link.
var errLink = errors.New("is a symbolic link")

// errChanged says that a file was replaced or written while it was looked at.
var errChanged = errors.New("changed while it was read")
