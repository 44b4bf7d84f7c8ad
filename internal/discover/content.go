package discover

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/discover/content"
	"espy/internal/secret"
)

// Content is one file as it was at one moment: bytes, text and entry belong together.
type Content struct {
	Entry Entry
	Hash  code.Hash  // of Raw
	Raw   []byte     // the bytes on disk
	Text  []byte     // the searchable text: Raw without a byte order mark, UTF-16 as UTF-8; may alias Raw
	Class code.Class // ClassGenerated, ClassMinified, ClassLock, as name and text tell
}

// PathError refuses a path that is not one of a file below the root.
type PathError struct{ Path string }

func (e *PathError) Error() string {
	return fmt.Sprintf("path %q: must name a file below the root, relative to it, with slashes and without . and .. in it, such as src/main.go", e.Path)
}

// readTries is how often a file that changes while it is read is read again.
const readTries = 3

// Reader reads files of one tree. It belongs to one goroutine and reuses its
// memory: a Content is valid until the next Read.
type Reader struct {
	tree    tree
	maxSize int64
	policy  Policy
	raw     []byte
	text    []byte
	lines   content.Lines
}

// NewReader returns a Reader that applies MaxFileBytes and Secrets of p.
func NewReader(root *os.Root, p Policy) (*Reader, error) {
	return newReader(root, p, false)
}

func newReader(root *os.Root, p Policy, portable bool) (*Reader, error) {
	t, err := openTree(root, portable)
	if err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	}
	return &Reader{tree: t, maxSize: p.maxFileBytes(), policy: p}, nil
}

// Close releases the Reader's handle of the root, not the root itself.
func (r *Reader) Close() { r.tree.close() }

// Read reads one file. An Exclusion says why a file that exists is not text
// to be searched: it is too large (found without reading it), not a regular
// file, reached through a link, secret by name or content, part of the version control
// system, unreadable, binary or keeps changing. The error is a *PathError, one
// that wraps fs.ErrNotExist for a file that is not there, or one about the
// machine (no descriptors, no memory).
func (r *Reader) Read(path string) (c Content, x *Exclusion, err error) {
	if !validPath(path) {
		return c, nil, &PathError{path}
	}
	if x := r.refusal(path); x != nil {
		return c, x, nil
	}
	x, err = again(path, func() (x *Exclusion, err error) { c, x, err = r.readOnce(path); return x, err })
	return c, x, err
}

// again reads a file until it does not change meanwhile.
func again(path string, read func() (*Exclusion, error)) (*Exclusion, error) {
	for range readTries {
		x, err := read()
		if errors.Is(err, errChanged) {
			continue
		}
		if err != nil {
			return readError(path, err)
		}
		return x, nil
	}
	return &Exclusion{Path: path, Reason: ReasonChanging}, nil
}

// Raw returns the bytes of the file that the last Read looked at, also where it
// left the file out for what they are (binary, encoding); they are valid until
// the next Read.
func (r *Reader) Raw() []byte { return r.raw }

// Bytes reads the bytes of a file that was seen to be a regular one, whatever they and
// its name say, and whether or not it is written meanwhile; they are valid until the next
// read. An Exclusion and an error are as Read has them.
//
// Where lacks is not nil, a long file is gone through first in pieces, each of whole lines.
// If lacks is true of all of them the bytes are nil: they are not held in memory together.
func (r *Reader) Bytes(path string, lacks func(lines []byte) bool) (raw []byte, x *Exclusion, err error) {
	if !validPath(path) {
		return nil, nil, &PathError{path}
	}
	x, err = again(path, func() (x *Exclusion, err error) { raw, x, err = r.fillOnce(path, lacks); return x, err })
	return raw, x, err
}

// fillOnce reads the bytes that a file has.
func (r *Reader) fillOnce(path string, lacks func(lines []byte) bool) ([]byte, *Exclusion, error) {
	f, err := r.tree.openFile(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.close()
	var e Entry
	if err := f.stat(&e); err != nil {
		return nil, nil, err
	}
	if x := r.judge(path, &e); x != nil {
		return nil, x, nil
	}
	if lacks != nil && e.Size > longFile {
		if r.lines.All(f.read, lacks) {
			return nil, nil, nil
		}
		return r.fillOnce(path, nil)
	}
	err = r.readUpTo(f, int(e.Size))
	return r.raw, nil, err
}

// longFile is the size, in bytes, from which on a file is gone through in pieces.
const longFile = 1 << 20

// splitPath returns the folder and the name of a path.
func splitPath(path string) (dir, name string) {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)], path[i+1:]
}

// refusal returns why a path is not looked at at all, nil where it is.
func (r *Reader) refusal(path string) *Exclusion {
	if kind := r.policy.secretName(path); kind != secret.None {
		return &Exclusion{Path: path, Reason: ReasonSecret, Detail: string(kind)}
	}
	for rest, more := path, true; more; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		if isVCS(name, more) {
			return &Exclusion{Path: path, Reason: ReasonVCS}
		}
	}
	return nil
}

func readError(path string, err error) (*Exclusion, error) {
	switch {
	case isLink(err):
		return &Exclusion{Path: path, Reason: ReasonSymlink}, nil
	case isGone(err):
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	case isExhausted(err):
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return &Exclusion{Path: path, Reason: ReasonUnreadable, Detail: reasonOf(err)}, nil
}

// validPath reports whether path is relative, clean and free of NUL.
func validPath(path string) bool {
	if path == "" || strings.IndexByte(path, 0) >= 0 || os.PathSeparator != '/' && strings.ContainsAny(path, `\:`) {
		return false
	}
	for rest, more := path, true; more; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		if name == "" || name == "." || name == ".." {
			return false
		}
	}
	return true
}

func (r *Reader) readOnce(path string) (Content, *Exclusion, error) {
	e, x, err := r.fill(path)
	if x != nil || err != nil {
		return Content{}, x, err
	}
	return r.content(path, e)
}

// fill reads the bytes of a file into r.raw.
func (r *Reader) fill(path string) (before Entry, x *Exclusion, err error) {
	dir, name := splitPath(path)
	d, err := r.tree.openParent(dir)
	if err != nil {
		return before, nil, err
	}
	defer d.close()
	if err := d.stat(name, &before); err != nil { // before opening: to open a device can have effects
		return before, nil, err
	}
	if x := r.judge(path, &before); x != nil {
		return before, x, nil
	}
	f, err := d.open(name)
	if err != nil {
		return before, nil, err
	}
	defer f.close()
	before.Path = path
	return before, nil, r.readWhole(f, &before)
}

// judge decides on what the entry of a file tells.
func (r *Reader) judge(path string, e *Entry) *Exclusion {
	switch {
	case e.Mode.IsDir():
		return &Exclusion{Path: path, Dir: true, Reason: ReasonSpecial, Detail: "a folder"}
	case !e.Mode.IsRegular():
		return &Exclusion{Path: path, Reason: kindReason(e.Mode)}
	case e.Size > r.maxSize:
		return &Exclusion{Path: path, Reason: ReasonTooLarge, Size: e.Size, Detail: tooLarge(r.maxSize)}
	}
	return nil
}

// readWhole reads f into r.raw, or fails with errChanged unless f is, before
// and after, the very file that was looked at.
func (r *Reader) readWhole(f file, want *Entry) error {
	size := int(want.Size)
	if err := r.readUpTo(f, size); err != nil {
		return err
	}
	var after Entry
	if err := f.stat(&after); err != nil {
		return err
	}
	if len(r.raw) != size || !after.Mode.IsRegular() || !after.same(*want) {
		return errChanged
	}
	return nil
}

// readUpTo reads a file of a size into r.raw, and one byte more where it has grown.
func (r *Reader) readUpTo(f file, size int) error {
	if cap(r.raw) < size+1 {
		r.raw = make([]byte, size+1, max(2*cap(r.raw), size+1))
	}
	r.raw = r.raw[:0]
	for len(r.raw) <= size {
		n, err := f.read(r.raw[len(r.raw) : size+1])
		if errors.Is(err, syscall.EISDIR) {
			return errChanged
		}
		if err != nil {
			return err
		}
		r.raw = r.raw[:len(r.raw)+n]
		if n == 0 || len(r.raw) == size {
			break
		}
	}
	return nil
}

func (r *Reader) content(path string, e Entry) (Content, *Exclusion, error) {
	text, reason := decode(r.raw, &r.text)
	if reason == "" && r.policy.UTF8Only && !utf8.Valid(r.raw) {
		return Content{}, &Exclusion{Path: path, Reason: ReasonEncoding, Size: e.Size, Detail: "not UTF-8"}, nil
	}
	if reason != "" {
		return Content{}, &Exclusion{Path: path, Reason: reason, Size: e.Size}, nil
	}
	if kind := r.policy.secretText(path, text); kind != secret.None {
		return Content{}, &Exclusion{Path: path, Reason: ReasonSecret, Size: e.Size, Detail: string(kind)}, nil
	}
	c := Content{Entry: e, Hash: xxh3.Hash128(r.raw).Bytes(), Raw: r.raw, Text: text}
	c.Class = content.Class(path, text)
	return c, nil, nil
}

// Text returns the searchable text of bytes that are in no file, such as those
// of an older version, or the reason why they have none. It may alias raw.
func Text(raw []byte) ([]byte, Reason) {
	var buf []byte
	return decode(raw, &buf)
}

// decode returns the searchable text of raw, as content.Text does, or why it has none.
func decode(raw []byte, buf *[]byte) ([]byte, Reason) {
	text, err := content.Text(raw, buf)
	switch {
	case err == nil:
		return text, ""
	case errors.Is(err, content.ErrEncoding):
		return nil, ReasonEncoding
	}
	return nil, ReasonBinary
}
