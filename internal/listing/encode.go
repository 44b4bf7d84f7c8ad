package listing

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
)

// The encoding of a tree, integers as unsigned varints unless said otherwise:
//
//	"ESPYTREE" version looked(8 bytes, little endian)
//	reasons: count, then length and bytes of each
//	leaves:  count, then for each
//	    bytes shared with the path before, length and bytes of the rest
//	    flags (1 has a reason, 2 directory, 4 read, 8 hash follows)
//	    size, mtime and ctime (zigzag), inode
//	    reason number, detail and count, where there is a reason
//	    hash (16 bytes), where flagged
//	folders: count, then for each
//	    bytes shared with the path before, length and bytes of the rest
//	    mtime and ctime (zigzag), inode, names
//	XXH3-64 of all before (8 bytes, little endian)
//
// Version 1 is the first, and has no folders.
const (
	magic   = "ESPYTREE"
	version = 2
)

const (
	flagReason = 1 << iota
	flagDir
	flagRead
	flagHash
)

// errCorrupt says that bytes are not a whole, undamaged tree.
var errCorrupt = errors.New("tree is damaged")

// Encode returns the tree as bytes. Equal trees give equal bytes.
func (t *Tree) Encode() []byte {
	p := make([]byte, 0, 64+len(t.Leaves)*64)
	p = append(p, magic...)
	p = binary.AppendUvarint(p, version)
	p = binary.LittleEndian.AppendUint64(p, uint64(t.Looked))
	numbers := map[string]int{}
	var reasons []string
	for i := range t.Leaves {
		r := t.Leaves[i].Reason
		if _, ok := numbers[r]; r != "" && !ok {
			numbers[r] = len(reasons)
			reasons = append(reasons, r)
		}
	}
	p = binary.AppendUvarint(p, uint64(len(reasons)))
	for _, r := range reasons {
		p = appendString(p, r)
	}
	p = binary.AppendUvarint(p, uint64(len(t.Leaves)))
	prev := ""
	for i := range t.Leaves {
		l := &t.Leaves[i]
		p = appendLeaf(p, l, prev, numbers)
		prev = l.Path
	}
	p = binary.AppendUvarint(p, uint64(len(t.Folders)))
	prev = ""
	for i := range t.Folders {
		f := &t.Folders[i]
		p = appendPath(p, f.Path, prev)
		p = appendTimes(p, f.Stat)
		p = binary.AppendUvarint(p, uint64(f.Names))
		prev = f.Path
	}
	return appendSum(p)
}

func appendSum(p []byte) []byte { return binary.LittleEndian.AppendUint64(p, xxh3.Hash(p)) }

func appendLeaf(p []byte, l *Leaf, prev string, numbers map[string]int) []byte {
	p = appendPath(p, l.Path, prev)
	flags := leafFlags(l)
	p = append(p, flags)
	p = binary.AppendVarint(p, l.Stat.Size)
	p = appendTimes(p, l.Stat)
	if flags&flagReason != 0 {
		p = binary.AppendUvarint(p, uint64(numbers[l.Reason]))
		p = appendString(p, l.Detail)
		p = binary.AppendUvarint(p, uint64(l.Count))
	}
	if flags&flagHash != 0 {
		p = append(p, l.Hash[:]...)
	}
	return p
}

func appendPath(p []byte, path, prev string) []byte {
	shared := 0
	for shared < len(prev) && shared < len(path) && prev[shared] == path[shared] {
		shared++
	}
	p = binary.AppendUvarint(p, uint64(shared))
	return appendString(p, path[shared:])
}

func appendTimes(p []byte, s Stat) []byte {
	p = binary.AppendVarint(p, s.MTime)
	p = binary.AppendVarint(p, s.CTime-s.MTime)
	return binary.AppendUvarint(p, s.Inode)
}

func leafFlags(l *Leaf) (flags byte) {
	if l.Reason != "" {
		flags |= flagReason
	}
	if l.Dir {
		flags |= flagDir
	}
	if l.Read {
		flags |= flagRead
	}
	if l.Hash != (code.Hash{}) {
		flags |= flagHash
	}
	return flags
}

func appendString(p []byte, s string) []byte {
	p = binary.AppendUvarint(p, uint64(len(s)))
	return append(p, s...)
}

// Decode reads what Encode wrote. Its error wraps errCorrupt.
func Decode(p []byte) (*Tree, error) {
	if len(p) < len(magic)+8 || string(p[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: no tree header", errCorrupt)
	}
	body, want := p[:len(p)-8], binary.LittleEndian.Uint64(p[len(p)-8:])
	if xxh3.Hash(body) != want {
		return nil, fmt.Errorf("%w: checksum differs", errCorrupt)
	}
	d := decoder{p: body[len(magic):]}
	v := d.uvarint()
	if v < 1 || v > version {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", errCorrupt, v, version)
	}
	t := &Tree{}
	if b := d.take(8); b != nil {
		t.Looked = int64(binary.LittleEndian.Uint64(b))
	}
	reasons := make([]string, d.count())
	for i := range reasons {
		reasons[i] = string(d.bytes())
	}
	t.Leaves = make([]Leaf, d.count())
	prev := ""
	for i := range t.Leaves {
		d.leaf(&t.Leaves[i], prev, reasons)
		prev = t.Leaves[i].Path
	}
	if v > 1 {
		d.folders(t)
	}
	if d.bad || len(d.p) > 0 {
		return nil, fmt.Errorf("%w: entries do not fit", errCorrupt)
	}
	return t, nil
}

func (d *decoder) folders(t *Tree) {
	n := d.count()
	t.Folders = slices.Grow(t.Folders, n)
	prev := ""
	for range n {
		f := Folder{Path: d.path(prev)}
		d.times(&f.Stat)
		f.Names = int(d.uvarint())
		t.Folders = append(t.Folders, f)
		prev = f.Path
	}
}

// decoder reads fields and remembers whether one did not fit.
type decoder struct {
	p     []byte
	bad   bool
	paths strings.Builder // holds the newest paths, end to end
}

const pathsTogether = 64 << 10 // bytes of paths in one allocation

func (d *decoder) leaf(l *Leaf, prev string, reasons []string) {
	l.Path = d.path(prev)
	flags := byte(0)
	if b := d.take(1); b != nil {
		flags = b[0]
	}
	l.Dir, l.Read = flags&flagDir != 0, flags&flagRead != 0
	l.Stat.Size = d.varint()
	d.times(&l.Stat)
	if flags&flagReason != 0 {
		n := d.uvarint()
		if n >= uint64(len(reasons)) {
			d.bad = true
			return
		}
		l.Reason, l.Detail = reasons[n], string(d.bytes())
		l.Count = int(d.uvarint())
	}
	if flags&flagHash != 0 {
		copy(l.Hash[:], d.take(len(l.Hash)))
	}
}

func (d *decoder) path(prev string) string {
	shared := d.uvarint()
	rest := d.bytes()
	if shared > uint64(len(prev)) {
		d.bad = true
		return ""
	}
	if size := int(shared) + len(rest); d.paths.Cap()-d.paths.Len() < size {
		d.paths = strings.Builder{}
		d.paths.Grow(max(size, pathsTogether))
	}
	from := d.paths.Len()
	d.paths.WriteString(prev[:shared])
	d.paths.Write(rest)
	return d.paths.String()[from:]
}

func (d *decoder) times(s *Stat) {
	s.MTime = d.varint()
	s.CTime = s.MTime + d.varint()
	s.Inode = d.uvarint()
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.p)
	return advance(d, v, n)
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.p)
	return advance(d, v, n)
}

func advance[T uint64 | int64](d *decoder, v T, n int) T {
	if n <= 0 {
		d.bad, d.p = true, nil
		return 0
	}
	d.p = d.p[n:]
	return v
}

// count reads a number of items, each of at least one byte.
func (d *decoder) count() int {
	n := d.uvarint()
	if n > uint64(len(d.p)) {
		d.bad, d.p = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) bytes() []byte { return d.take(d.count()) }

func (d *decoder) take(n int) []byte {
	if n > len(d.p) {
		d.bad, d.p = true, nil
		return nil
	}
	b := d.p[:n]
	d.p = d.p[n:]
	return b
}
