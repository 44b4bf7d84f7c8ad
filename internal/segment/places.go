package segment

// chunkPlaces finds the chunk of a position over all files.
type chunkPlaces struct {
	chunks []uint32 // with at least one position
	starts []uint32 // their first positions, and the end
	guess  []uint32 // for each 128 positions the chunk, as an index here, of the first
}

const guessShift = 7

func newChunkPlaces(starts []uint32, end uint32) *chunkPlaces {
	p := &chunkPlaces{}
	for i, s := range starts {
		if i+1 < len(starts) && starts[i+1] > s || i+1 == len(starts) && end > s {
			p.chunks = append(p.chunks, uint32(i))
			p.starts = append(p.starts, s)
		}
	}
	p.starts = append(p.starts, end)
	k := 0
	for pos := uint32(0); pos < end; pos += 1 << guessShift {
		for p.starts[k+1] <= pos {
			k++
		}
		p.guess = append(p.guess, uint32(k))
	}
	return p
}

// find turns the positions of one term over all files into postings.
func (c *chunkPlaces) find(p *postings, all []uint32, positions bool) {
	last := -1
	for _, pos := range all {
		k := max(last, int(c.guess[pos>>guessShift]))
		for c.starts[k+1] <= pos {
			k++
		}
		if k != last {
			p.chunks = append(p.chunks, c.chunks[k])
			p.tfs = append(p.tfs, 0)
			last = k
		}
		p.tfs[len(p.tfs)-1]++
		if positions {
			p.positions = append(p.positions, pos-c.starts[k])
		}
	}
}
