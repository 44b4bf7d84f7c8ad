// Package local keeps the files of one family in a folder of the local file
// system: immutable parts that are written once and mapped, and small records
// that are replaced as a whole.
//
// A part or record has its final name only once its bytes are on the disk:
// they are written under a temporary name, flushed, renamed, and the folder is
// flushed too. A write or flush that fails leaves the old state and removes
// what it began; nothing is flushed a second time. One process at a time may
// write, held by a file lock that ends with the process; any number may read.
//
// A record ends in a line with the XXH3-64 of the bytes before that line, so
// that damage to it is found; parts hold their own checksums.
package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/zeebo/xxh3"
	"golang.org/x/sys/unix"
)

const tempPrefix = "tmp-"

// Dir is a folder of parts and records. It is safe for concurrent use.
type Dir struct{ path string }

// Open returns the folder, made with mode 0700 where it is missing.
func Open(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("open index folder: %w", err)
	}
	return &Dir{path: path}, nil
}

// Path returns where the folder is.
func (d *Dir) Path() string { return d.path }

// Put writes a part through write and returns its size. The name is asked for
// after the bytes are written, so that it can be made from their hash; a part
// that already has the name gives way to the new one.
func (d *Dir) Put(write func(io.Writer) error, name func() string) (int64, error) {
	f, err := os.CreateTemp(d.path, tempPrefix)
	if err != nil {
		return 0, fmt.Errorf("create part: %w", err)
	}
	size, err := finish(f, write)
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(d.path, name()))
	}
	if err != nil {
		os.Remove(f.Name())
		return 0, fmt.Errorf("write part in %s: %w", d.path, err)
	}
	return size, nil
}

func finish(f *os.File, write func(io.Writer) error) (int64, error) {
	w := io.NewOffsetWriter(f, 0)
	err := write(w)
	if err == nil {
		err = f.Sync()
	}
	size, seekErr := w.Seek(0, io.SeekCurrent)
	return size, errors.Join(err, seekErr, f.Close())
}

// Replace swaps the record called name for data, whole or not at all, after
// every part put before it. The name may lead into a folder below. When the
// new record cannot be made to last, the old one is put back.
func (d *Dir) Replace(name string, data []byte) error {
	if err := flush(d.path); err != nil {
		return err
	}
	target := filepath.Join(d.path, name)
	undo, err := d.keep(target)
	if err != nil {
		return err
	}
	defer os.Remove(d.old())
	write := func(w io.Writer) error { _, err := w.Write(sealed(data)); return err }
	if _, err := d.Put(write, func() string { return name }); err != nil {
		return err
	}
	if err := flush(filepath.Dir(target)); err != nil {
		return errors.Join(err, undo())
	}
	return nil
}

// old is the second name of a record while it is replaced.
func (d *Dir) old() string { return filepath.Join(d.path, tempPrefix+"old") }

// keep gives the file at target a second name, and returns what brings back
// the state of now. Where the file system has no second names the new record
// stays: it is whole, only not known to last.
func (d *Dir) keep(target string) (undo func() error, err error) {
	if err := os.Remove(d.old()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("keep record: %w", err)
	}
	err = os.Link(target, d.old())
	switch {
	case err == nil:
		return func() error { return os.Rename(d.old(), target) }, nil
	case errors.Is(err, fs.ErrNotExist):
		return func() error { return os.Remove(target) }, nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.EIO):
		return nil, fmt.Errorf("keep record: %w", err)
	}
	return func() error { return nil }, nil
}

// flush makes the names in a folder last.
func flush(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return fmt.Errorf("flush index folder: %w", err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("flush index folder: %w", err)
	}
	return nil
}

// ErrDamaged says that a file is not what was written.
var ErrDamaged = errors.New("index is damaged")

// sealed returns the bytes of a record: data, made to end in a newline, and
// the line with its checksum.
func sealed(data []byte) []byte {
	data = append(bytes.TrimSuffix(bytes.Clone(data), []byte("\n")), '\n')
	return fmt.Appendf(data, sealForm, xxh3.Hash(data))
}

const sealForm = "xxh3:%016x\n"

// Record returns the data of a record: fs.ErrNotExist where there is none, and
// ErrDamaged where its checksum is missing or differs.
func (d *Dir) Record(name string) ([]byte, error) {
	whole, err := d.Read(name)
	if err != nil {
		return nil, err
	}
	data := whole[:max(0, len(whole)-len("xxh3:\n")-16)]
	if !bytes.Equal(whole, sealed(data)) {
		return nil, fmt.Errorf("%s: %w", filepath.Join(d.path, name), ErrDamaged)
	}
	return data, nil
}

// Read returns the bytes of a part or record; fs.ErrNotExist where there is none.
func (d *Dir) Read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(d.path, name))
}

// Stat describes a part or record; fs.ErrNotExist where there is none.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	return os.Stat(filepath.Join(d.path, name))
}

// Mapped is a part mapped into memory for reading.
type Mapped struct{ Data []byte }

// Map maps a part. The mapping stays whole when the part is removed, and must
// be closed.
func (d *Dir) Map(name string) (*Mapped, error) {
	f, err := os.Open(filepath.Join(d.path, name))
	if err != nil {
		return nil, fmt.Errorf("map part: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("map part: %w", err)
	}
	if info.Size() == 0 {
		return &Mapped{}, nil
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map part %s: %w", name, err)
	}
	return &Mapped{Data: data}, nil
}

// Drop gives the memory of pages that were read back to the system. They are
// read again when they are touched, usually from the system's cache.
func (m *Mapped) Drop() error {
	if len(m.Data) == 0 {
		return nil
	}
	return unix.Madvise(m.Data, unix.MADV_DONTNEED)
}

// Close ends the mapping. Its bytes must not be touched afterwards.
func (m *Mapped) Close() error {
	data := m.Data
	m.Data = nil
	if len(data) == 0 {
		return nil
	}
	return syscall.Munmap(data)
}

// Remove deletes a part or record; a missing one is no error.
func (d *Dir) Remove(name string) error {
	if err := os.Remove(filepath.Join(d.path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove part: %w", err)
	}
	return nil
}

// SetAside gives a part that is damaged another name, so that no process takes
// it for what it was. Who has it mapped keeps it.
func (d *Dir) SetAside(name, suffix string) error {
	path := filepath.Join(d.path, name)
	if err := os.Rename(path, path+suffix); err != nil {
		return fmt.Errorf("set damaged part aside: %w", err)
	}
	return nil
}

// Names lists the parts and records, without temporary files and folders.
func (d *Dir) Names() ([]string, error) {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return nil, fmt.Errorf("list index folder: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), tempPrefix) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Scratch makes an empty folder for the holder of the lock, which must remove it.
// Clean removes those of killed processes.
func (d *Dir) Scratch() (string, error) {
	dir, err := os.MkdirTemp(d.path, tempPrefix)
	if err != nil {
		return "", fmt.Errorf("make scratch folder: %w", err)
	}
	return dir, nil
}

// Clean removes what writers that were killed left behind. Only the holder of
// the lock may call it.
func (d *Dir) Clean() error {
	names, err := filepath.Glob(filepath.Join(d.path, tempPrefix+"*"))
	if err != nil {
		return err
	}
	for _, n := range names {
		err = errors.Join(err, os.RemoveAll(n))
	}
	return err
}

// Touch gives a record the time of now.
func (d *Dir) Touch(name string) error {
	now := time.Now()
	return os.Chtimes(filepath.Join(d.path, name), now, now)
}

// free returns the bytes that may still be written to the folder's file
// system; a negative number where that is not known.
func (d *Dir) free() int64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(d.path, &fs); err != nil {
		return -1
	}
	return int64(fs.Bavail) * int64(fs.Bsize)
}

// Reserve fails where fewer bytes than needed may be written, with an error that
// wraps syscall.ENOSPC.
func (d *Dir) Reserve(need int64) error {
	if free := d.free(); free >= 0 && free < need {
		return fmt.Errorf("%s: %d KB of disk are free, at least %d KB are needed: %w", d.path, free>>10, need>>10, syscall.ENOSPC)
	}
	return nil
}

// ErrLocked says that another process, or another part of this one, writes.
var ErrLocked = errors.New("another process is writing this index")

// TryLock takes the writer's lock or answers ErrLocked at once.
func (d *Dir) TryLock() (unlock func(), err error) {
	l := d.lock()
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock index folder %s: %w", d.path, err)
	}
	if !ok {
		return nil, ErrLocked
	}
	return held(l), nil
}

// Lock waits for the writer's lock until the context ends.
func (d *Dir) Lock(ctx context.Context) (unlock func(), err error) {
	l := d.lock()
	if _, err := l.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		if ctx.Err() != nil {
			return nil, &LockedError{Holder: d.Holder(), Folder: d.path, Err: ctx.Err()}
		}
		return nil, fmt.Errorf("lock index folder %s: %w", d.path, err)
	}
	return held(l), nil
}

// soon is how long work that takes a moment waits for the lock.
const soon = 10 * time.Second

// LockSoon is Lock for work that others do in a moment too: it waits for ten
// seconds at most, since who has the lock for longer was stopped.
func (d *Dir) LockSoon(ctx context.Context) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, soon)
	defer cancel()
	return d.Lock(ctx)
}

// LockedError says that the lock was not free in time. It wraps ErrLocked, and
// the error of the context.
type LockedError struct {
	Holder int // process that has it, 0 where that is not known
	Folder string
	Err    error
}

func (e *LockedError) Error() string {
	problem, _ := e.Explain()
	return problem
}

// Explain returns the error and what would free the lock.
func (e *LockedError) Explain() (problem, hint string) {
	if e.Holder == 0 {
		return "another process holds the lock of " + e.Folder, "ask again in a moment"
	}
	return fmt.Sprintf("process %d holds the lock of %s", e.Holder, e.Folder),
		fmt.Sprintf("wait until it has ended; if it is stopped, continue it (kill -CONT %d) or end it (kill %d)", e.Holder, e.Holder)
}

func (e *LockedError) Unwrap() []error { return []error{ErrLocked, e.Err} }

func (d *Dir) lock() *flock.Flock {
	return flock.New(filepath.Join(d.path, "lock"), flock.SetPermissions(0o600))
}

// held notes in the lock's file which process has it, and returns what gives
// the lock back. A note that cannot be written, as on a full disk, is not
// worth the lock: others then wait for a process without a number.
func held(l *flock.Flock) (unlock func()) {
	_ = os.WriteFile(l.Path(), fmt.Appendln(nil, os.Getpid()), 0o600)
	return func() { l.Close() }
}

// Holder returns the number of the process that has the writer's lock, or had
// it last and still runs; 0 where that is not known.
func (d *Dir) Holder() int {
	note, err := os.ReadFile(d.lock().Path())
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(string(bytes.TrimSpace(note)))
	if err != nil || pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return 0
	}
	return pid
}

// SizeOf returns the bytes of the files in a folder and below.
func SizeOf(dir string) (bytes int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil // what goes meanwhile does not count
	})
	return bytes
}
