package syn

import (
	"bytes"
	"fmt"
	"slices"

	"espy/internal/facts"
	"espy/internal/segment/frame"
)

// Check reads the whole part: every checksum, name, posting and fact, and holds
// that they agree with each other. It returns a *segment.CorruptError for what
// does not. Release, which may be nil, is that of frame.Pace.
func (r *Reader) Check(release func()) (err error) {
	defer frame.Catch(&err)
	pace := frame.Pace{Release: release}
	r.frame.CheckPages(&pace)
	r.checkNames()
	flags, starts := r.fileFlags()
	sum := Stats{Files: r.NumFiles(), Names: r.stats.Names}
	for i := range r.NumFiles() {
		f := r.File(i)
		f.check(flags[starts[i]:starts[i+1]])
		sum.count(f.state, f.NumSymbols())
		pace.Read(int(r.Size()) / r.NumFiles())
	}
	if sum != r.stats {
		r.frame.Corrupt(frame.NoSection, r.frame.DataEnd, fmt.Sprintf("the files have %+v, the contents say %+v", sum, r.stats))
	}
	return nil
}

// checkNames holds that the names are in order, and so are the files of each.
func (r *Reader) checkNames() {
	var c nameCursor
	var last []byte
	n := 0
	for ok := c.seek(r, nil); ok; ok = c.next() {
		if n > 0 && bytes.Compare(c.name, last) <= 0 {
			r.frame.Corrupt(secNames, c.at, fmt.Sprintf("name %q is out of order", c.name))
		}
		last = append(last[:0], c.name...)
		n++
		files, before := c.files(), -1
		for file, _, ok := files.next(); ok; file, _, ok = files.next() {
			if file <= before {
				r.frame.Corrupt(secPostings, c.postings, "postings out of order")
			}
			before = file
		}
	}
	if n != r.stats.Names {
		r.frame.Corrupt(secNames, 0, fmt.Sprintf("%d names instead of %d", n, r.stats.Names))
	}
}

// check holds that the file has what its names say.
func (f *File) check(flags []uint32) {
	all := f.decode()
	if err := check(all); err != nil {
		f.bad(err.Error())
	}
	for i := 1; i < f.names.Rows(); i++ {
		if f.names.At(i-1, 0) >= f.names.At(i, 0) {
			f.bad("names of the file out of order")
		}
	}
	has := make([]uint32, f.names.Rows())
	for i := range all.Symbols {
		flag := hasGlobal
		if all.Symbols[i].Flags&facts.Local != 0 {
			flag = hasLocal
		}
		has[f.tables[tableSymbols].At(i, symbolName)] |= flag
	}
	for i := range all.Uses {
		name := f.tables[tableUses].At(i, useName)
		has[name] = used(has[name], all.Uses[i].Role)
	}
	for i := range all.Imports {
		for _, c := range []int{importModule, importName, importLocal} {
			if some := f.tables[tableImports].At(i, c); some > 0 {
				has[some-1] |= hasImport
			}
		}
	}
	if !slices.Equal(has, flags) {
		f.bad("postings disagree with what the file has")
	}
}
