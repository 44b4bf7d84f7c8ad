package syn

import (
	"espy/internal/segment/frame"
	"espy/internal/segment/syn/table"
)

// Source is a file of a part, or with a nil Reader an absent one.
type Source struct {
	Reader *Reader
	File   int
}

// Copy adds the next file as another part has it: the part is the same as if its
// facts were added. After an error, which is one of reading the source, nothing
// is added.
func (b *Builder) Copy(s Source) (err error) {
	defer frame.Catch(&err)
	if s.Reader == nil {
		return b.AddRecord(&Record{})
	}
	c := b.copier(s.Reader)
	f := s.Reader.File(s.File)
	body := f.body[:len(f.body)-table.Padding]
	flags := c.flags[c.starts[s.File]:c.starts[s.File+1]]
	locals := make([]uint32, f.names.Rows())
	for i := range locals {
		locals[i] = c.name(b, int(f.names.At(i, 0)))
	}
	b.locals = append(b.locals, locals...)
	b.flags = append(b.flags, flags...)
	b.add(f.state, f.NumSymbols(), len(locals), body)
	return nil
}

// copier is what is known of a part that files are copied from.
type copier struct {
	r      *Reader
	ids    []uint32 // of its names in the builder, plus 1
	flags  []uint32 // of the names of each file
	starts []int    // of the files in flags
}

func (b *Builder) copier(r *Reader) *copier {
	if b.last != nil && b.last.r == r {
		return b.last
	}
	c := b.copiers[r]
	if c == nil {
		c = &copier{r: r, ids: make([]uint32, r.stats.Names)}
		c.flags, c.starts = r.fileFlags()
		if b.copiers == nil {
			b.copiers = map[*Reader]*copier{}
		}
		b.copiers[r] = c
	}
	b.last = c
	return c
}

func (c *copier) name(b *Builder, rank int) uint32 {
	if uint(rank) >= uint(len(c.ids)) {
		c.r.frame.Corrupt(secLocals, 0, "reference to a name that does not exist")
	}
	if c.ids[rank] == 0 {
		c.ids[rank] = b.name(c.r.nameAt(rank)) + 1
	}
	return c.ids[rank] - 1
}

// fileFlags returns what each file has under each of its names, file by file,
// and where each file begins.
func (r *Reader) fileFlags() (flags []uint32, starts []int) {
	starts = make([]int, r.NumFiles()+1)
	for i := range r.NumFiles() {
		row, _ := r.fileRow(i)
		starts[i+1] = starts[i] + int(row.names)
	}
	if uint64(starts[len(starts)-1]) > 8*r.size(secPostings) {
		r.frame.Corrupt(secFiles, 0, "more names than postings")
	}
	flags = make([]uint32, starts[len(starts)-1])
	next := append([]int(nil), starts...)
	var c nameCursor
	for ok := c.seek(r, nil); ok; ok = c.next() {
		files := c.files()
		for file, has, ok := files.next(); ok; file, has, ok = files.next() {
			if next[file] == starts[file+1] {
				r.frame.Corrupt(secPostings, c.postings, "a name stands for a file without it")
			}
			flags[next[file]] = has
			next[file]++
		}
	}
	for i := range next[:r.NumFiles()] {
		if next[i] != starts[i+1] {
			r.frame.Corrupt(secPostings, 0, "a name of a file does not stand for it")
		}
	}
	return flags, starts
}
