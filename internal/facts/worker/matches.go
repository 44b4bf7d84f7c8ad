package worker

import (
	"encoding/binary"

	"espy/internal/structure"
)

// encodeMatches appends matches to buf: 1 where all of the text was looked at, their
// number, and of each its start and end, and the names, starts and ends of its holes.
func encodeMatches(buf []byte, found []structure.Match, all bool) []byte {
	num := func(n int) { buf = binary.AppendUvarint(buf, uint64(n)) }
	if all {
		num(1)
	} else {
		num(0)
	}
	num(len(found))
	for _, m := range found {
		num(int(m.Start))
		num(int(m.End))
		num(len(m.Holes))
		for _, h := range m.Holes {
			num(len(h.Name))
			buf = append(buf, h.Name...)
			num(int(h.Start))
			num(int(h.End))
		}
	}
	return buf
}

// decodeMatches reads what encodeMatches wrote about a text of a size.
func decodeMatches(b []byte, size int) (found []structure.Match, all bool, err error) {
	bad := false
	num := func(limit int) int {
		n, k := binary.Uvarint(b)
		if k <= 0 || n > uint64(limit) {
			bad, b = true, nil
			return 0
		}
		b = b[k:]
		return int(n)
	}
	span := func() (start, end uint32) {
		start, end = uint32(num(size)), uint32(num(size))
		bad = bad || start > end
		return start, end
	}
	all = num(1) == 1
	for range num(len(b)) {
		var m structure.Match
		m.Start, m.End = span()
		for range num(len(b)) {
			var h structure.Hole
			n := num(len(b))
			h.Name, b = string(b[:min(n, len(b))]), b[min(n, len(b)):]
			h.Start, h.End = span()
			m.Holes = append(m.Holes, h)
		}
		if bad {
			return nil, false, errDamaged
		}
		found = append(found, m)
	}
	if bad {
		return nil, false, errDamaged
	}
	return found, all, nil
}
