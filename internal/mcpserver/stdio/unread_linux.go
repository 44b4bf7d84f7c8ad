package stdio

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// unread returns how many bytes written to a pipe or socket its reader has not
// taken; known is false where out is something else.
func unread(out io.Writer) (n int, known bool) {
	f, ok := out.(*os.File)
	if !ok {
		return 0, false
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, false
	}
	err = conn.Control(func(fd uintptr) {
		if n, err = unix.IoctlGetInt(int(fd), unix.TIOCOUTQ); err != nil { // a pipe, which tells at either end
			n, err = unix.IoctlGetInt(int(fd), unix.TIOCINQ)
		}
		known = err == nil
	})
	return n, known && err == nil
}
