package vec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"espy/internal/code"
	"espy/internal/segment/frame"
)

// Check reads the whole part: every checksum, and that rows, places and keys
// agree with each other. It returns a *segment.CorruptError for what does not.
// Release, which may be nil, is that of frame.Pace.
func (r *Reader) Check(release func()) (err error) {
	defer frame.Catch(&err)
	pace := frame.Pace{Release: release}
	r.frame.CheckPages(&pace)
	sum := Stats{}
	for chunk := range r.stats.Chunks {
		place := r.places(chunk, chunk+1).at(0)
		if place >= firstRow {
			if place != uint32(firstRow+sum.Rows) {
				r.frame.Corrupt(secPlaces, uint64(chunk)*placeSize, "rows out of order")
			}
			r.checkRow(sum.Rows)
		}
		if (place == absent) != (r.Key(chunk) == code.Hash{}) {
			r.frame.Corrupt(secKeys, uint64(chunk)*keySize, "a key without a vector, or a vector without a key")
		}
		sum.count(place)
		pace.Read(keySize + placeSize + r.stride)
	}
	if sum != r.stats {
		r.frame.Corrupt(frame.NoSection, r.frame.DataEnd, fmt.Sprintf("the chunks have %+v, the contents say %+v", sum, r.stats))
	}
	return nil
}

// checkRow holds that a row says something, has zeros behind its numbers, and
// the scale that they make.
func (r *Reader) checkRow(i int) {
	row := r.rows(uint32(i), 1)
	scale := scaleOf(row)
	if math.IsInf(float64(scale), 0) || len(bytes.Trim(row[r.Dims:], "\x00")) > 0 {
		r.frame.Corrupt(secRows, uint64(i)*uint64(r.stride), "a row of zeros, or numbers behind a row")
	}
	if math.Float32bits(scale) != binary.LittleEndian.Uint32(r.frame.Bytes(secScales, uint64(i)*scaleSize, scaleSize)) {
		r.frame.Corrupt(secScales, uint64(i)*scaleSize, "a scale that its row does not have")
	}
}
