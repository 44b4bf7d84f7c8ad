package arena

// Spool holds bytes that are written once and read once, without the copies
// and the unused room of a growing slice.
type Spool struct {
	pieces [][]byte
	size   uint64
}

const spoolPiece = 256 << 10

// Append adds bytes.
func (s *Spool) Append(p []byte) {
	s.size += uint64(len(p))
	for len(p) > 0 {
		last := len(s.pieces) - 1
		if last < 0 || len(s.pieces[last]) == cap(s.pieces[last]) {
			s.pieces = append(s.pieces, make([]byte, 0, spoolPiece))
			last++
		}
		b := s.pieces[last]
		n := copy(b[len(b):cap(b)], p)
		s.pieces[last] = b[:len(b)+n]
		p = p[n:]
	}
}

// Drain passes all bytes to emit, in order, and forgets them.
func (s *Spool) Drain(emit func([]byte)) {
	for i, p := range s.pieces {
		emit(p)
		s.pieces[i] = nil
	}
	*s = Spool{}
}

// Size returns how many bytes there are.
func (s *Spool) Size() uint64 { return s.size }

// Memory returns the bytes of heap that the spool holds.
func (s *Spool) Memory() int64 { return int64(len(s.pieces)) * spoolPiece }
