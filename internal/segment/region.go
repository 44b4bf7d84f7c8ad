package segment

import (
	"encoding/binary"
)

// RegionInfo describes one region: whole lines of a file, up to 24 KiB of them
// or one longer line.
type RegionInfo struct {
	File       int
	Start, End int // bytes of the file's text
	Line       int // number of the first line, from 1
}

// NumRegions returns the number of regions.
func (r *Reader) NumRegions() int { return int(r.regions) }

// RegionsOf returns the range of regions that file i has. A file without text
// has none.
func (r *Reader) RegionsOf(i int) (first, end int) { return r.fileRange(i, 28, int(r.regions)) }

// RegionFile returns the file of a region.
func (r *Reader) RegionFile(i int) int {
	file := binary.LittleEndian.Uint32(r.regionField(i, 0))
	if int(file) >= r.stats.Files {
		r.corrupt(secRegions, uint64(i)*regionRowSize, "region of a file that does not exist")
	}
	return int(file)
}

// regionField checks i and returns the u32 at byte at of its row.
func (r *Reader) regionField(i int, at uint64) []byte {
	if uint(i) >= uint(r.regions) {
		r.corrupt(secRegions, 0, "reference to a region that does not exist")
	}
	return r.bytes(secRegions, uint64(i)*regionRowSize+at, 4)
}

// regionRange returns the range of a region in the row of all texts.
func (r *Reader) regionRange(i int) (start, end uint64) {
	end = uint64(binary.LittleEndian.Uint32(r.regionField(i, 4)))
	if i > 0 {
		start = uint64(binary.LittleEndian.Uint32(r.regionField(i-1, 4)))
	}
	if start > end || end > uint64(r.stats.TextBytes) {
		r.corrupt(secRegions, uint64(i)*regionRowSize, "regions out of order")
	}
	return start, end
}

// RegionSize returns the bytes of a region.
func (r *Reader) RegionSize(i int) int {
	start, end := r.regionRange(i)
	return int(end - start)
}

// Region returns all about a region.
func (r *Reader) Region(i int) RegionInfo {
	g := RegionInfo{File: r.RegionFile(i), Line: int(binary.LittleEndian.Uint32(r.regionField(i, 8)))}
	start, end := r.regionRange(i)
	fileStart, fileEnd := r.textRange(g.File)
	if start < fileStart || end > fileEnd || g.Line == 0 {
		r.corrupt(secRegions, uint64(i)*regionRowSize, "region outside its file")
	}
	g.Start, g.End = int(start-fileStart), int(end-fileStart)
	return g
}
