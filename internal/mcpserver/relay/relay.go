// Package relay lets a running server of a user serve the processes that agents
// start: they share its index, its watcher and its caches, and hand on lines.
//
// The server listens on a socket in the folder of the indexes, which is the user's
// alone. A process says first what it was started with, and is taken or not; from
// then on the connection carries what its standard input and output would. Where
// there is no server, or another version, or one with other settings, a process
// works alone. It also does when the server ends under it (package relay's Run).
package relay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// Start is what a process was started with.
type Start struct {
	Version  string        `json:"version"`  // of the program: another one is not taken
	Settings string        `json:"settings"` // a hash of those that answers depend on: others are not taken
	Dir      string        `json:"dir"`      // the working directory
	Folder   string        `json:"folder"`   // what that is to the system: a name may mean another folder to the server
	Toolsets []string      `json:"toolsets,omitempty"`
	ReadOnly bool          `json:"read_only,omitempty"`
	Timeout  time.Duration `json:"timeout"` // of a call
	Profile  string        `json:"profile,omitempty"`
	Command  *Command      `json:"command,omitempty"` // nil for a process that agents speak with
	Env      []string      `json:"env,omitempty"`     // of a command or a profile
}

// Folder tells one folder of the system from others, whatever names it has here: a
// process in a container may know another folder by the same name.
func Folder(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", st.Dev, st.Ino), nil
	}
	return "", nil
}

// Command is one run of the command line.
type Command struct {
	Args     []string `json:"args"`
	Terminal [2]bool  `json:"terminal"` // standard output and standard error are one
}

// taken is the answer to a Start.
type taken struct {
	OK  bool   `json:"ok"`
	Why string `json:"why,omitempty"`
}

const (
	// patience bounds the greeting, in which no work is done.
	patience = time.Second
	// maxStart bounds the line of a Start in bytes.
	maxStart = 1 << 20
	// maxName bounds the path of a socket, as systems do.
	maxName = 100
)

// name is the path of the socket; empty where it would be too long.
func name(folder string) string {
	path := filepath.Join(folder, "serve.sock")
	if len(path) > maxName {
		return ""
	}
	return path
}

// Listen opens the socket of a server for the processes of its user. It returns nil
// where the folder has too long a name, or another server listens there.
func Listen(ctx context.Context, folder string) (net.Listener, error) {
	path := name(folder)
	if path == "" {
		return nil, nil
	}
	if conn, err := net.DialTimeout("unix", path, patience); err == nil {
		conn.Close()
		return nil, nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) { // of a server that was killed
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	return l, os.Chmod(path, 0o600)
}

// Accept hands each process that it takes to serve, until the listener is closed.
// fits says why a process is not taken; empty takes it. It waits for those served.
func Accept(ctx context.Context, l net.Listener, fits func(*Start) string, serve func(context.Context, *Start, net.Conn)) {
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	var serving sync.WaitGroup
	defer serving.Wait()
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		serving.Go(func() {
			defer conn.Close()
			end := context.AfterFunc(ctx, func() { conn.Close() })
			defer end()
			if start, c, err := greet(conn, fits); err == nil {
				serve(ctx, start, c)
			}
		})
	}
}

// greet reads what a process says of itself, and answers.
func greet(conn net.Conn, fits func(*Start) string) (*Start, net.Conn, error) {
	conn.SetDeadline(time.Now().Add(patience))
	in := bufio.NewReader(conn)
	line, err := readLine(in)
	if err != nil {
		return nil, nil, err
	}
	start := new(Start)
	why := "the first line is no start"
	if json.Unmarshal(line, start) == nil {
		why = fits(start)
	}
	if err := writeLine(conn, taken{why == "", why}); err != nil || why != "" {
		return nil, nil, errors.Join(err, errors.New(why))
	}
	conn.SetDeadline(time.Time{})
	return start, &buffered{conn, in}, nil
}

// Dial connects to the server of a folder. The error says why there is none to use.
func Dial(ctx context.Context, folder string, start *Start) (net.Conn, error) {
	path := name(folder)
	if path == "" {
		return nil, fmt.Errorf("the path of %s is too long for a socket", folder)
	}
	conn, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	conn.SetDeadline(time.Now().Add(2 * patience))
	in := bufio.NewReader(conn)
	answer := taken{Why: "the server does not answer"}
	err = writeLine(conn, start)
	if err == nil {
		var line []byte
		if line, err = in.ReadBytes('\n'); err == nil {
			err = json.Unmarshal(line, &answer)
		}
	}
	if err == nil && !answer.OK {
		err = errors.New(answer.Why)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	conn.SetDeadline(time.Time{})
	return &buffered{conn, in}, nil
}

// readLine reads a line of at most maxStart bytes.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(line) > maxStart:
			return nil, errors.New("the first line is too long")
		}
	}
}

func writeLine(conn net.Conn, v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		_, err = conn.Write(append(line, '\n'))
	}
	return err
}

// buffered is a connection some of which was read already.
type buffered struct {
	net.Conn
	in *bufio.Reader
}

func (b *buffered) Read(p []byte) (int, error) { return b.in.Read(p) }

// CloseWrite ends what the other side reads.
func (b *buffered) CloseWrite() error { return b.Conn.(*net.UnixConn).CloseWrite() }
