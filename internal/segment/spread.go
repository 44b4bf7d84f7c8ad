package segment

// In how many chunks and files a term is, in whichever field, stands in the
// dictionary: a query must know how rare its terms are before it scores a chunk.

// places says where the chunks and definitions of a part lie.
type places interface {
	FileOf(chunk int) int
	ChunksOf(file int) (first, end int)
	chunkOf(definition int) int
}

// spreader counts the chunks and files that hold terms.
type spreader struct {
	places
	chunks []uint32 // that hold the term in their text or in a name they define
}

// spread counts the chunks that hold a term in their text, in a name they
// define or in the path of their file, and the files that hold it in any of those.
func (s *spreader) spread(p *postings) (chunks, files int) {
	found, paths, last := s.withNames(p), p.paths, -1
	for _, chunk := range found {
		file := s.FileOf(int(chunk))
		for ; len(paths) > 0 && int(paths[0].file) < file; paths = paths[1:] {
			chunks += s.chunksIn(paths[0].file)
			files++
		}
		if len(paths) > 0 && int(paths[0].file) == file {
			continue // counted when the chunks of the file are passed
		}
		chunks++
		if file != last {
			files++
			last = file
		}
	}
	for _, path := range paths {
		chunks += s.chunksIn(path.file)
		files++
	}
	return chunks, files
}

func (s *spreader) chunksIn(file uint32) int {
	first, end := s.ChunksOf(int(file))
	return end - first
}

// withNames returns the chunks that hold a term in their text or in a name they
// define, in order. Definitions are in the order of their chunks.
func (s *spreader) withNames(p *postings) []uint32 {
	if len(p.symbols) == 0 {
		return p.chunks
	}
	all, rest := s.chunks[:0], p.chunks
	for _, d := range p.symbols {
		chunk := uint32(s.chunkOf(int(d)))
		for len(rest) > 0 && rest[0] <= chunk {
			all = append(all, rest[0])
			rest = rest[1:]
		}
		if len(all) == 0 || all[len(all)-1] != chunk {
			all = append(all, chunk)
		}
	}
	s.chunks = append(all, rest...)
	return s.chunks
}

// placeTable is the places of a part that is being written.
type placeTable struct {
	files  []uint32 // by chunk
	ends   []uint32 // of the chunks, by file
	chunks []uint32 // by definition
}

func (t *placeTable) FileOf(chunk int) int { return int(t.files[chunk]) }

func (t *placeTable) ChunksOf(file int) (first, end int) {
	if file > 0 {
		first = int(t.ends[file-1])
	}
	return first, int(t.ends[file])
}

func (t *placeTable) chunkOf(definition int) int { return int(t.chunks[definition]) }
