// Package frametest damages parts for tests.
package frametest

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"espy/internal/segment/frame"
)

// Reseal makes the checksums of a changed part right, so that its decoders see
// what was changed. It leaves data alone that is no part.
func Reseal(data []byte, format frame.Format) {
	if len(data) < frame.HeaderSize+frame.FooterSize {
		return
	}
	copy(data, format.Header(nil))
	f := data[len(data)-frame.FooterSize:]
	dataEnd := binary.LittleEndian.Uint64(f)
	pages := (dataEnd + frame.PageSize - 1) >> frame.PageShift
	if dataEnd > uint64(len(data))-frame.FooterSize || pages*8 > uint64(len(data))-frame.FooterSize-dataEnd {
		return
	}
	tail := data[dataEnd : len(data)-frame.FooterSize]
	for p := range pages {
		binary.LittleEndian.PutUint64(tail[8*p:], xxh3.Hash(data[p<<frame.PageShift:min((p+1)<<frame.PageShift, dataEnd)]))
	}
	copy(f, format.Footer(nil, tail, dataEnd))
}
