package watch

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
)

// A follower sends one byte and gets an answer of 17: epoch and sequence,
// little endian, and 1 where the mark holds.
const answerSize = 17

func encode(m Mark, ok bool) []byte {
	b := make([]byte, answerSize)
	binary.LittleEndian.PutUint64(b, m.Epoch)
	binary.LittleEndian.PutUint64(b[8:], m.Seq)
	if ok {
		b[16] = 1
	}
	return b
}

// at calls f with a short name of the socket in dir: systems take at most
// about 100 bytes for one, and the folder's own path may be longer.
func at(dir string, f func(socket string) error) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return f(fmt.Sprintf("/proc/self/fd/%d/socket", d.Fd()))
}

// listen opens the socket that followers ask over. Only the holder of the lock
// calls it, so a socket that is there is left over.
func listen(dir string) (l *net.UnixListener, err error) {
	if err := os.RemoveAll(filepath.Join(dir, "socket")); err != nil {
		return nil, err
	}
	err = at(dir, func(socket string) error {
		l, err = net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
		return err
	})
	if err == nil {
		l.SetUnlinkOnClose(false) // the short name ends with the folder's descriptor
	}
	return l, err
}

// follower asks the process that leads.
type follower struct {
	conn    net.Conn
	answers chan [answerSize]byte
	mu      sync.Mutex // one question at a time
}

func dial(ctx context.Context, dir string) (*follower, error) {
	f := &follower{answers: make(chan [answerSize]byte, 1)}
	err := at(dir, func(socket string) (err error) {
		f.conn, err = (&net.Dialer{Timeout: patience}).DialContext(ctx, "unix", socket)
		return err
	})
	return f, err
}

// Led reports whether a process watches the tree whose watchers meet in a folder.
func Led(ctx context.Context, dir string) bool {
	f, err := dial(ctx, dir)
	if err != nil {
		return false
	}
	f.conn.Close()
	return true
}

// run takes answers until the leader is gone, is given up, or the context ends.
func (f *follower) run(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() { f.conn.Close() })
	defer stop()
	defer f.conn.Close()
	defer close(f.answers)
	for {
		var b [answerSize]byte
		if _, err := io.ReadFull(f.conn, b[:]); err != nil {
			return
		}
		select {
		case f.answers <- b:
		default:
			return // nobody asked
		}
	}
}

// mark asks the leader. One that does not answer in time is given up: a late
// answer must not be taken for that to the next question.
func (f *follower) mark(ctx context.Context) (Mark, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.conn.Write([]byte{'?'}); err != nil {
		return Mark{}, false
	}
	select {
	case b, ok := <-f.answers:
		return Mark{Epoch: binary.LittleEndian.Uint64(b[:]), Seq: binary.LittleEndian.Uint64(b[8:])}, ok && b[16] == 1
	case <-ctx.Done():
		f.conn.Close()
		return Mark{}, false
	}
}
