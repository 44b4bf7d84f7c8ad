package segment

import (
	"encoding/binary"
	"fmt"

	"espy/internal/segment/dict"
	"espy/internal/segment/frame"
	"espy/internal/segment/pack"
)

// Open reads the frame of a part, which data holds whole: a mapped file or
// memory, that must not change while the reader is in use. The name is for
// messages. Errors are *CorruptError and *frame.VersionError.
func Open(data []byte, name string) (r *Reader, err error) {
	defer frame.Catch(&err)
	opened, contents, err := frame.Open(data, name, format, sectionNames)
	if err != nil {
		return nil, err
	}
	r = &Reader{frame: opened, data: data}
	r.openContents(contents)
	opened.CheckSections()
	r.checkSizes()
	r.dict = dict.Reader{Frame: opened, Form: dictForm, Terms: r.terms, Limits: dict.Limits{
		Body: r.stats.Chunks, Paths: r.stats.Files, Symbols: r.stats.Definitions, Chunks: r.stats.Chunks, Files: r.stats.Files,
	}}
	return r, nil
}

func (r *Reader) openContents(b []byte) {
	start := r.frame.DataEnd
	numbers := make([]uint64, countNumbers+2*len(r.frame.Sections))
	if len(b) < len(numbers)*8 {
		r.corrupt(secFrame, start, "contents are too short")
	}
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	r.setNumbers(numbers)
	for i := range r.frame.Sections {
		r.frame.Sections[i] = frame.Span{Off: numbers[countNumbers+2*i], Len: numbers[countNumbers+1+2*i]}
	}
	if r.dataEnd != start {
		r.corrupt(secFrame, start, "contents disagree with the footer")
	}
	c := pack.ContentsCursor(r.frame, b[8*len(numbers):])
	for n := c.Uint32(); n > 0; n-- {
		r.languages = append(r.languages, string(c.Take(c.Uvarint())))
	}
}

// checkSizes holds that the sections made of rows have as many as the counts say.
func (r *Reader) checkSizes() {
	st := &r.stats
	for _, n := range []uint64{uint64(st.Files), uint64(st.Chunks), uint64(st.Definitions), uint64(st.TextBytes), r.terms, r.trigrams, r.regions, r.pieces} {
		if n > 1<<40 {
			r.corrupt(secFrame, r.dataEnd, "count out of range")
		}
	}
	r.wantLen(secFiles, uint64(st.Files)*fileRowSize)
	r.wantLen(secChunks, uint64(st.Chunks)*chunkRowSize)
	r.wantLen(secChunkPlaces, uint64(st.Chunks)*placeRowSize)
	r.wantLen(secDefinitions, uint64(st.Definitions)*definitionRowSize)
	r.wantLen(secTextIndex, r.pieces*pieceRowSize)
	r.wantLen(secRegions, r.regions*regionRowSize)
	r.wantLen(secTermIndex, dict.IndexSize(r.terms))
	r.wantLen(secTrigramIndex, (r.trigrams+trigramBlock-1)/trigramBlock*16)
}

func (r *Reader) wantLen(s section, n uint64) {
	if r.size(s) != n {
		r.corrupt(secFrame, r.dataEnd, fmt.Sprintf("section %s has %d bytes instead of %d", s, r.size(s), n))
	}
}
