package frame

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

// CorruptError says where a part is damaged. Nothing read from the damaged
// place has been handed out.
type CorruptError struct {
	Name    string // of the part, as given to Open
	Section string
	Offset  int64 // of the damage in the file
	Reason  string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("segment %s is damaged in %s at offset %d: %s", e.Name, e.Section, e.Offset, e.Reason)
}

// VersionError says that a part has a format this program does not read.
type VersionError struct {
	Name         string
	Found, Known uint32
}

func (e *VersionError) Error() string {
	if e.Found > e.Known {
		return fmt.Sprintf("segment %s has format version %d, this program reads up to %d: it was written by a newer espy", e.Name, e.Found, e.Known)
	}
	return fmt.Sprintf("segment %s has format version %d, this program reads %d: index again", e.Name, e.Found, e.Known)
}

// ErrTruncated is wrapped by the error of a Guard whose function touched a page
// of a mapped file that is no longer there.
var ErrTruncated = errors.New("index file was truncated while it was open")

// Guard calls f. When f reads damaged bytes through a method that returns no
// error, Guard returns the *CorruptError; when it touches a page that a mapped
// file has lost, an error that wraps ErrTruncated. Other panics go on.
func Guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *CorruptError:
			err = p
		case interface {
			runtime.Error
			Addr() uintptr
		}:
			err = fmt.Errorf("read at %#x: %w", p.Addr(), ErrTruncated)
		default:
			panic(p)
		}
	}()
	return f()
}

// Catch, deferred, turns the panic of a reading method into its error.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case *CorruptError:
		*err = p
	default:
		panic(p)
	}
}
