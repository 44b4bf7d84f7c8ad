package git

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Index is git's index of a work tree: of each file that git follows, the blob
// it was last known to hold and what the file system said of it then. The
// layout is that of versions 2 to 4 in git's "gitformat-index": a header, the
// entries in order of their paths, extensions, and a checksum.
type Index struct {
	Stamp Stamp  // of the file it was read from, zero where there is none
	Tree  string // id of the tree that the entries make, "" where the index does not tell
	Len   int    // of entries

	entries []byte
	version uint32
	idSize  int
}

// IndexEntry is one entry of an index. It is valid until the next one.
type IndexEntry struct {
	Path         []byte // relative to the work tree, with slashes
	ID           []byte // of the blob, not in hexadecimal
	Mode         uint32
	Stage        int   // 0, or 1 to 3 of a path in conflict
	MTime, CTime int64 // nanoseconds since the epoch, modulo 2^32 seconds
	Inode, Size  uint32
	Skip         bool // is not in the work tree, which is sparse
}

// Regular reports whether the entry is a file, rather than a link or a submodule.
func (e *IndexEntry) Regular() bool { return e.Mode&0o170000 == 0o100000 }

// ComparePath orders a path against that of the entry: negative where the path
// comes first, 0 where they are the same.
func (e *IndexEntry) ComparePath(path string) int {
	switch {
	case path < string(e.Path): // converted without a copy
		return -1
	case path > string(e.Path):
		return 1
	}
	return 0
}

// Stamp tells whether a file was written anew, by its size, time and inode.
type Stamp struct {
	Size, MTime int64
	Inode       uint64
}

// Settled reports whether a file with the stamp, seen at a time, cannot have
// been written again since without another stamp: the kernel's clock of files
// ticks every 1 to 10 ms.
func (s Stamp) Settled(seen time.Time) bool {
	return s == Stamp{} || seen.UnixNano()-s.MTime > int64(20*time.Millisecond)
}

// The reasons not to read an index. Its entries are then not known.
var (
	errSplitIndex  = errors.New("git's index is split")
	errSparseIndex = errors.New("git's index is sparse")
	errIndex       = errors.New("git's index cannot be read")
)

// maxIndex bounds the file of an index, in bytes: that of a million files.
const maxIndex = 256 << 20

func stampOf(info fs.FileInfo) Stamp {
	s := Stamp{Size: info.Size(), MTime: info.ModTime().UnixNano()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Inode = sys.Ino
	}
	return s
}

// ReadIndex reads the index of the work tree whose root is given; a commit of
// the repository tells how long its ids are. Without a file the index is
// empty. The error wraps errSplitIndex, errSparseIndex or errIndex.
func ReadIndex(root *os.Root, commit string) (*Index, error) {
	own, shared, err := folders(root)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errIndex, err)
	}
	defer own.Close()
	defer shared.Close()
	f, err := open(own, "index")
	if errors.Is(err, fs.ErrNotExist) {
		return &Index{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errIndex, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errIndex, err)
	}
	if info.Size() > maxIndex {
		return nil, fmt.Errorf("%w: it is larger than %d MB", errIndex, maxIndex>>20)
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("%w: %w", errIndex, err)
	}
	x, err := parseIndex(data, len(commit)/2)
	if err != nil {
		return nil, err
	}
	x.Stamp = stampOf(info)
	return x, nil
}

func newHash(idSize int) hash.Hash {
	if idSize == sha256.Size {
		return sha256.New()
	}
	return sha1.New()
}

// BlobID returns the id, not in hexadecimal, that git gives a file of a
// content, where ids are as long as that of the given commit.
func BlobID(commit string, content []byte) []byte {
	h := newHash(len(commit) / 2)
	fmt.Fprintf(h, "blob %d\x00", len(content))
	h.Write(content)
	return h.Sum(nil)
}

const (
	indexHeader = 12
	statSize    = 40 // of an entry, before its id
	maxPath     = 4096
)

// parseIndex reads an index and checks every entry of it.
func parseIndex(data []byte, idSize int) (*Index, error) {
	if idSize != sha1.Size && idSize != sha256.Size {
		return nil, fmt.Errorf("%w: ids of %d bytes are not known", errIndex, idSize)
	}
	if len(data) < indexHeader+idSize || string(data[:4]) != "DIRC" {
		return nil, fmt.Errorf("%w: it has no header", errIndex)
	}
	body, sum := data[:len(data)-idSize], data[len(data)-idSize:]
	x := &Index{version: binary.BigEndian.Uint32(data[4:]), idSize: idSize, entries: body[indexHeader:]}
	if x.version < 2 || x.version > 4 {
		return nil, fmt.Errorf("%w: version %d is not known", errIndex, x.version)
	}
	if strings.Trim(string(sum), "\x00") != "" { // index.skipHash leaves it out
		h := newHash(idSize)
		if h.Write(body); !bytes.Equal(h.Sum(nil), sum) {
			return nil, fmt.Errorf("%w: its checksum differs", errIndex)
		}
	}
	n := binary.BigEndian.Uint32(data[8:])
	if int64(n)*int64(statSize+idSize+3) > int64(len(body)) {
		return nil, fmt.Errorf("%w: %d entries do not fit in %d bytes", errIndex, n, len(data))
	}
	x.Len = int(n)
	rest, odd, err := x.check()
	if err != nil {
		return nil, err
	}
	x.entries = x.entries[:len(x.entries)-len(rest)]
	if err := x.extensions(rest); err != nil { // which may explain what is odd
		return nil, err
	}
	if odd != nil {
		return nil, odd
	}
	return x, nil
}

// check reads every entry and returns what follows the last, and what is odd
// about the first entry that is.
func (x *Index) check() (rest []byte, odd, err error) {
	r := indexReader{x: x, rest: x.entries}
	var last []byte
	stage := 0
	for range x.Len {
		if err := r.next(); err != nil {
			return nil, nil, err
		}
		c := bytes.Compare(last, r.e.Path)
		switch {
		case r.e.Mode&0o170000 == 0o040000:
			return nil, nil, errSparseIndex
		case odd != nil:
		case !validName(r.e.Path):
			odd = fmt.Errorf("%w: %.60q is no path", errIndex, r.e.Path)
		case c > 0 || c == 0 && stage >= r.e.Stage:
			odd = fmt.Errorf("%w: %.60q is not in order", errIndex, r.e.Path)
		}
		last, stage = append(last[:0], r.e.Path...), r.e.Stage
	}
	return r.rest, odd, nil
}

// validName reports whether every name of a path is one that a tree may hold.
func validName(path []byte) bool {
	for name := range bytes.SplitSeq(path, []byte("/")) {
		if len(name) == 0 || string(name) == "." || string(name) == ".." || string(name) == ".git" {
			return false
		}
	}
	return true
}

// Entries lists the entries in order of path and stage.
func (x *Index) Entries() iter.Seq[*IndexEntry] {
	return func(yield func(*IndexEntry) bool) {
		r := indexReader{x: x, rest: x.entries}
		for range x.Len {
			if r.next() != nil || !yield(&r.e) { // parseIndex has read them all
				return
			}
		}
	}
}

// indexReader reads entries one after the other.
type indexReader struct {
	x    *Index
	rest []byte
	e    IndexEntry
	path []byte // of version 4, which tells how it differs from the one before
}

var errShort = fmt.Errorf("%w: it ends within an entry", errIndex)

const (
	flagExtended = 0x4000
	flagLength   = 0x0fff
	flagSkip     = 0x4000 // of the extended ones
)

func (r *indexReader) next() error {
	fixed := statSize + r.x.idSize + 2
	p := r.rest
	if len(p) < fixed {
		return errShort
	}
	field := func(i int) uint32 { return binary.BigEndian.Uint32(p[4*i:]) }
	flags := binary.BigEndian.Uint16(p[fixed-2:])
	r.e = IndexEntry{
		CTime: int64(field(0))*1e9 + int64(field(1)), MTime: int64(field(2))*1e9 + int64(field(3)),
		Inode: field(5), Mode: field(6), Size: field(9),
		ID: p[statSize : fixed-2], Stage: int(flags >> 12 & 3),
	}
	if flags&flagExtended != 0 && r.x.version > 2 {
		if len(p) < fixed+2 {
			return errShort
		}
		r.e.Skip = binary.BigEndian.Uint16(p[fixed:])&flagSkip != 0
		fixed += 2
	}
	if r.x.version == 4 {
		return r.shortened(p[fixed:], int(flags&flagLength))
	}
	return r.padded(fixed, int(flags&flagLength))
}

// padded reads the path of an entry whose length is a multiple of 8.
func (r *indexReader) padded(start, length int) error {
	end := bytes.IndexByte(r.rest[start:], 0)
	if end < 0 {
		return errShort
	}
	r.e.Path = r.rest[start : start+end]
	size := (start+end)/8*8 + 8
	if size > len(r.rest) {
		return errShort
	}
	r.rest = r.rest[size:]
	return r.checkLength(length)
}

// shortened reads the path of an entry of version 4: how many bytes to take off
// the end of the path before it, and what to put there.
func (r *indexReader) shortened(p []byte, length int) error {
	off, p, ok := offset(p)
	end := bytes.IndexByte(p, 0)
	if !ok || end < 0 || off > len(r.path) || len(r.path)-off+end > maxPath {
		return errShort
	}
	r.path = append(r.path[:len(r.path)-off], p[:end]...)
	r.e.Path = r.path
	r.rest = p[end+1:]
	return r.checkLength(length)
}

func (r *indexReader) checkLength(length int) error {
	if n := len(r.e.Path); n != length && (length < flagLength || n < flagLength) || n > maxPath {
		return fmt.Errorf("%w: the path %.60q is not %d bytes long", errIndex, r.e.Path, length)
	}
	return nil
}

// offset reads a number as git's packs write offsets: 7 bits at a time, the
// highest first, each further byte counting from where fewer bytes end.
func offset(p []byte) (n int, rest []byte, ok bool) {
	for i, c := range p {
		n = n<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return n, p[i+1:], true
		}
		if n++; n > maxPath {
			break
		}
	}
	return 0, nil, false
}

// extensions reads what follows the entries: blocks of a name, a size and so
// many bytes. Those whose name begins with a small letter change what the
// entries mean.
func (x *Index) extensions(p []byte) error {
	for len(p) > 0 {
		if len(p) < 8 {
			return fmt.Errorf("%w: it ends within an extension", errIndex)
		}
		name, size := string(p[:4]), int64(binary.BigEndian.Uint32(p[4:]))
		if p = p[8:]; size > int64(len(p)) {
			return fmt.Errorf("%w: it ends within the extension %q", errIndex, name)
		}
		switch {
		case name == "link":
			return errSplitIndex
		case name == "sdir":
			return errSparseIndex
		case name[0] >= 'a' && name[0] <= 'z':
			return fmt.Errorf("%w: its extension %q is not known", errIndex, name)
		case name == "TREE":
			x.Tree = rootTree(p[:size], x.idSize)
		}
		p = p[size:]
	}
	return nil
}

// rootTree reads the first entry of a cache of trees, that of the root: an
// empty name, the number of entries, that of subtrees, and the id, which is not
// there when the number of entries is negative.
func rootTree(p []byte, idSize int) string {
	line, rest, ok := bytes.Cut(p, []byte("\n"))
	count, _, spaced := strings.Cut(strings.TrimPrefix(string(line), "\x00"), " ")
	n, err := strconv.Atoi(count)
	if !ok || !spaced || err != nil || n < 0 || len(line) == 0 || line[0] != 0 || len(rest) < idSize {
		return ""
	}
	return hex.EncodeToString(rest[:idSize])
}
