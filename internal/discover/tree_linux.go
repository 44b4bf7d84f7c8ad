package discover

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"espy/internal/listing"
)

const (
	openFlags = nonBlock | unix.O_NOFOLLOW | unix.O_NOCTTY
	nonBlock  = unix.O_NONBLOCK
)

func changeTimeAndInode(info fs.FileInfo) (int64, uint64) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return st.Ctim.Nano(), st.Ino
}

// kernelTree is the tree on openat2: the kernel resolves a whole path beneath
// the root in one call and refuses links in it.
type kernelTree struct {
	dir *os.File // keeps fd open
	fd  int
	dev uint64 // of the root, where its folders vouch for their names; else 0
}

// openKernelTree fails with errors.ErrUnsupported where the kernel or a
// sandbox around it has no openat2.
func openKernelTree(root *os.Root) (tree, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	t := &kernelTree{dir: dir, fd: int(dir.Fd())}
	probe, err := t.openat2("", unix.O_PATH|unix.O_DIRECTORY)
	if err != nil {
		dir.Close()
		return nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	unix.Close(probe)
	t.dev = vouching(t.fd)
	return t, nil
}

// The file systems on which the times of a folder change with each name that comes or
// goes, at once and for every process (statfs(2), linux/magic.h).
var local = map[uint32]bool{
	unix.EXT4_SUPER_MAGIC: true, unix.XFS_SUPER_MAGIC: true, unix.BTRFS_SUPER_MAGIC: true, unix.TMPFS_MAGIC: true,
	unix.F2FS_SUPER_MAGIC: true, unix.OVERLAYFS_SUPER_MAGIC: true,
}

// vouching returns the device of a folder on such a file system, 0 for others.
func vouching(fd int) uint64 {
	var fs unix.Statfs_t
	var st unix.Stat_t
	if unix.Fstatfs(fd, &fs) != nil || !local[uint32(fs.Type)] || unix.Fstat(fd, &st) != nil {
		return 0
	}
	return st.Dev
}

func (t *kernelTree) close() { t.dir.Close() }

func (t *kernelTree) openDir(path string) (folder, error) {
	fd, err := t.openat2(path, unix.O_RDONLY|unix.O_DIRECTORY)
	return kernelFolder{fd: fd, dev: t.dev}, err
}

func (t *kernelTree) openParent(path string) (folder, error) {
	fd, err := t.openat2(path, unix.O_PATH|unix.O_DIRECTORY)
	return kernelFolder{fd: fd, dev: t.dev}, err
}

func (t *kernelTree) openFile(path string) (file, error) {
	fd, err := t.openat2(path, unix.O_RDONLY|nonBlock|unix.O_NOCTTY)
	if err == unix.ENXIO { // now a socket
		err = errChanged
	}
	return kernelFile(fd), err
}

func (t *kernelTree) openat2(path string, flags uint64) (int, error) {
	if path == "" {
		path = "."
	}
	return openBeneath(t.fd, path, flags)
}

// openBeneath opens a path below a folder, with no link on the way.
func openBeneath(dir int, path string, flags uint64) (int, error) {
	how := unix.OpenHow{
		Flags:   flags | unix.O_CLOEXEC, // not O_NOFOLLOW, which would turn the ELOOP of a last link into ENOTDIR
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	for try := 0; ; try++ {
		fd, err := unix.Openat2(dir, path, &how)
		// EAGAIN: a rename somewhere kept the kernel from proving that the path stayed beneath.
		if err == unix.EINTR || err == unix.EAGAIN && try < 100 {
			continue
		}
		if err != nil {
			return -1, err
		}
		return fd, nil
	}
}

type kernelFolder struct {
	fd    int
	dev   uint64 // of the tree, 0 where self tells nothing
	below string // the name of a folder in the one that fd stands for, with a slash; "" for that itself
}

func (d kernelFolder) within(name string) folder {
	if d.dev == 0 || d.below != "" {
		return nil
	}
	return kernelFolder{d.fd, d.dev, name + "/"}
}

func (d kernelFolder) close() {
	if d.below == "" {
		unix.Close(d.fd)
	}
}

func (d kernelFolder) self() listing.Stat {
	var st unix.Stat_t
	name := strings.TrimSuffix(d.below, "/")
	if d.dev == 0 || unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW|unix.AT_EMPTY_PATH) != nil || st.Dev != d.dev || st.Mode&unix.S_IFMT != unix.S_IFDIR {
		return listing.Stat{}
	}
	return listing.Stat{MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(), Inode: st.Ino}
}

const direntBuffer = 64 << 10 // bytes asked from the kernel at once

func (d kernelFolder) list(prefix string, s *scratch, into []dirent) ([]dirent, error) {
	if s.buf == nil {
		s.buf = make([]byte, direntBuffer)
	}
	s.names, s.ends = s.names[:0], s.ends[:0]
	first := len(into)
	for {
		n, err := unix.ReadDirent(d.fd, s.buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return into[:first], err
		}
		if n <= 0 {
			break
		}
		into = parseDirents(s.buf[:n], prefix, s, into)
	}
	// One string holds the paths of the whole folder: one allocation instead of one per name.
	all, start := string(s.names), 0
	for i, end := range s.ends {
		into[first+i].path = all[start:end]
		start = end
	}
	return into, nil
}

// parseDirents reads linux_dirent64 records: inode 8, offset 8, length 2, type 1, name with a NUL.
func parseDirents(buf []byte, prefix string, s *scratch, into []dirent) []dirent {
	const header = 19
	for len(buf) > header {
		size := int(binary.NativeEndian.Uint16(buf[16:]))
		if size <= header || size > len(buf) {
			break
		}
		name, typ := buf[header:size], buf[18]
		buf = buf[size:]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		if string(name) == "." || string(name) == ".." {
			continue
		}
		s.names = append(append(s.names, prefix...), name...)
		s.ends = append(s.ends, len(s.names))
		into = append(into, dirent{typ: direntType(typ)})
	}
	return into
}

func direntType(t byte) fs.FileMode {
	switch t {
	case unix.DT_REG:
		return 0
	case unix.DT_DIR:
		return fs.ModeDir
	case unix.DT_LNK:
		return fs.ModeSymlink
	case unix.DT_FIFO:
		return fs.ModeNamedPipe
	case unix.DT_SOCK:
		return fs.ModeSocket
	case unix.DT_CHR:
		return fs.ModeDevice | fs.ModeCharDevice
	case unix.DT_BLK:
		return fs.ModeDevice
	}
	return typeUnknown
}

func (d kernelFolder) stat(name string, e *Entry) error {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(d.fd, d.below+name, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err == unix.EINTR {
			continue
		}
		if err == nil {
			fillFromStat(&st, e)
		}
		return err
	}
}

func (d kernelFolder) open(name string) (file, error) {
	fd, err := openBeneath(d.fd, d.below+name, unix.O_RDONLY|nonBlock|unix.O_NOCTTY)
	switch err {
	case nil:
		return kernelFile(fd), nil
	case unix.ELOOP, unix.ENXIO: // now a link or a socket
		return nil, errChanged
	}
	return nil, err
}

type kernelFile int

func (f kernelFile) close() { unix.Close(int(f)) }

func (f kernelFile) read(p []byte) (int, error) {
	for {
		n, err := unix.Read(int(f), p)
		if err != unix.EINTR {
			return max(n, 0), err
		}
	}
}

func (f kernelFile) stat(e *Entry) error {
	var st unix.Stat_t
	for {
		err := unix.Fstat(int(f), &st)
		if err == unix.EINTR {
			continue
		}
		if err == nil {
			fillFromStat(&st, e)
		}
		return err
	}
}

func fillFromStat(st *unix.Stat_t, e *Entry) {
	e.Size, e.Inode = st.Size, st.Ino
	e.MtimeNS, e.CtimeNS = st.Mtim.Nano(), st.Ctim.Nano()
	e.Mode = fs.FileMode(st.Mode & 0o777)
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		e.Mode |= fs.ModeDir
	case unix.S_IFLNK:
		e.Mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		e.Mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		e.Mode |= fs.ModeSocket
	case unix.S_IFCHR:
		e.Mode |= fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFBLK:
		e.Mode |= fs.ModeDevice
	default:
		e.Mode |= fs.ModeIrregular
	}
}
