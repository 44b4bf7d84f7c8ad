package content

import "bytes"

// Lines goes through a long text that is read, in pieces of whole lines which a processor's
// cache holds. Its memory is reused.
type Lines struct{ piece []byte }

const pieceBytes = 256 << 10

// All reports whether is is true of all lines that read returns before it returns 0. It is
// false too where a line is longer than a piece, and where reading fails.
func (l *Lines) All(read func(p []byte) (int, error), is func(lines []byte) bool) bool {
	if l.piece == nil {
		l.piece = make([]byte, pieceBytes)
	}
	for held := 0; ; { // of a line whose end is yet to be read
		n, err := read(l.piece[held:])
		if err != nil || n == 0 {
			return err == nil && (held == 0 || is(l.piece[:held]))
		}
		whole := held + 1 + bytes.LastIndexByte(l.piece[held:held+n], '\n')
		if held += n; whole == held-n { // the line goes on
			whole = 0
		}
		if whole == 0 && held == len(l.piece) || whole > 0 && !is(l.piece[:whole]) {
			return false
		}
		held = copy(l.piece, l.piece[whole:held])
	}
}
