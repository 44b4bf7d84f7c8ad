package grep

import "encoding/binary"

// A process that follows the files of a repository knows them without a walk. It is
// given the command line, and tells which files are to be searched:
//
//	for each folder that was named
//	    the length of the path where the walk began, the path
//	    the files that are read because the index does not hold them as they are,
//	    the number of files, then for each
//	        the length of its path, the path, its time (zigzag), 1 where it cannot match
//
// Numbers are unsigned varints unless said otherwise.

func (f *found) encode(p []byte, top string) []byte {
	p = appendText(p, top)
	p = binary.AppendUvarint(p, uint64(f.missed))
	p = binary.AppendUvarint(p, uint64(len(f.files)))
	for i := range f.files {
		e := &f.files[i]
		p = appendText(p, e.path)
		p = binary.AppendVarint(p, e.mtime)
		skip := byte(0)
		if e.skip {
			skip = 1
		}
		p = append(p, skip)
	}
	return p
}

func appendText(p []byte, s string) []byte {
	return append(binary.AppendUvarint(p, uint64(len(s))), s...)
}

// told is what another process has told, and not been used yet.
type told struct {
	p   []byte
	bad bool // what comes next was not told as expected
}

// files returns what was told of the folder that comes next.
func (t *told) files(w *walk) (f *found, ok bool) {
	if top := t.text(); t.bad || top != w.top {
		return nil, false
	}
	f = &found{missed: int(t.number())}
	n := t.number()
	if n > uint64(len(t.p)) {
		return nil, false
	}
	f.files = make([]file, n)
	for i := range f.files {
		e := &f.files[i]
		e.path, e.mtime = t.text(), t.signed()
		e.skip = t.number() != 0
	}
	return f, !t.bad
}

func (t *told) number() uint64 {
	v, n := binary.Uvarint(t.p)
	t.advance(n)
	return v
}

func (t *told) signed() int64 {
	v, n := binary.Varint(t.p)
	t.advance(n)
	return v
}

func (t *told) advance(n int) {
	if n <= 0 {
		t.bad, t.p = true, nil
		return
	}
	t.p = t.p[n:]
}

func (t *told) text() string {
	n := t.number()
	if n > uint64(len(t.p)) {
		t.bad, t.p = true, nil
		return ""
	}
	s := string(t.p[:n])
	t.p = t.p[n:]
	return s
}
