// Package seen keeps which lines of which files a reader holds already, in a
// token that answers hand out and calls pass back, so that nothing has to be
// remembered between calls.
//
// A token is base64 (URL alphabet, no padding) of
//
//	version   1 byte, 1
//	flags     1 byte: bit 0, older files fell off
//	files     the oldest first, each
//	  name    3 bytes, hash of repository and path
//	  text    3 bytes, hash of the lines held
//	  runs    varint, then for each run two varints: lines between it and the
//	          run before (from line 1 for the first), lines it has less one
//	check     4 bytes, hash of all before
//
// The hashes are the low bytes of FNV-1a, most significant first. Lines that
// differ from those held are not held: one changed line makes all lines of its
// file new. A token has at most MaxToken bytes; where there is more, the files
// that were shown the longest ago fall off.
package seen

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"slices"

	"espy/internal/usage"
)

// MaxToken bounds the bytes of a token.
const MaxToken = 400

const (
	version  = 1
	flagLost = 1
	maxBytes = MaxToken / 4 * 3
	maxRuns  = 40 // of a file: the longest
	check    = 4
)

// Run is a run of lines, from First to Last.
type Run struct{ First, Last int }

// File is a file of a repository and lines of it.
type File struct {
	Repo, Path string
	Runs       []Run // in order, apart from each other
}

// Text returns the lines of a file as they are now, without their ends; nil where
// there is none.
type Text func(repo, path string) []string

// Lines is what a reader holds. The zero value holds nothing.
type Lines struct {
	text  Text
	files []held
	lost  bool
	known map[name][]Run // what is held of files that were looked at
	cache map[name][]string
}

type name [3]byte

// held is what is held of one file.
type held struct {
	name name
	sum  [3]byte
	runs []Run
}

// Parse reads a token. An empty one holds nothing. Errors are *usage.Error.
func Parse(token string, text Text) (*Lines, error) {
	l := &Lines{text: text, known: map[name][]Run{}, cache: map[name][]string{}}
	if token == "" {
		return l, nil
	}
	refused := func(why string) error {
		return &usage.Error{Arg: "seen", Value: usage.Shorten(token, 40), Msg: why, Hint: "copy it whole from the last answer, or pass an empty one"}
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(b) < 2+check || len(token) > MaxToken {
		return nil, refused("not a token of an answer")
	}
	body := b[:len(b)-check]
	if [check]byte(b[len(body):]) != checkOf(body) {
		return nil, refused("not a token of an answer: it was cut or changed")
	}
	if body[0] != version {
		return nil, refused("a token of another version")
	}
	l.lost = body[1]&flagLost != 0
	for rest := body[2:]; len(rest) > 0; {
		f, n := decode(rest)
		if n == 0 {
			return nil, refused("not a token of an answer: it was cut or changed")
		}
		l.files, rest = append(l.files, f), rest[n:]
	}
	return l, nil
}

func checkOf(b []byte) [check]byte {
	h := fnv.New32a()
	h.Write([]byte("espy seen"))
	h.Write(b)
	return [check]byte(h.Sum(nil))
}

// maxLine bounds the numbers of lines in a token.
const maxLine = 1 << 30

// decode reads a file and returns how many bytes it takes, 0 for one that is wrong.
func decode(b []byte) (f held, n int) {
	if len(b) < 7 {
		return f, 0
	}
	f.name, f.sum = name(b[0:3]), [3]byte(b[3:6])
	count, k := binary.Uvarint(b[6:])
	if k <= 0 || count > maxRuns {
		return f, 0
	}
	n = 6 + k
	line := 1
	for range count {
		gap, k := binary.Uvarint(b[n:])
		if k <= 0 {
			return f, 0
		}
		n += k
		more, k := binary.Uvarint(b[n:])
		if k <= 0 || gap > maxLine || more > maxLine {
			return f, 0
		}
		n += k
		r := Run{line + int(gap), line + int(gap) + int(more)}
		f.runs, line = append(f.runs, r), r.Last+1
	}
	return f, n
}

func (f *held) encode(b []byte) []byte {
	b = append(append(b, f.name[:]...), f.sum[:]...)
	b = binary.AppendUvarint(b, uint64(len(f.runs)))
	line := 1
	for _, r := range f.runs {
		b = binary.AppendUvarint(b, uint64(r.First-line))
		b = binary.AppendUvarint(b, uint64(r.Last-r.First))
		line = r.Last + 1
	}
	return b
}

// Has reports whether the reader holds a line of a file as it is now. Nil holds
// nothing.
func (l *Lines) Has(repo, path string, line int) bool {
	if l == nil || len(l.files) == 0 {
		return false
	}
	for _, r := range l.of(repo, path) {
		if line >= r.First && line <= r.Last {
			return true
		}
	}
	return false
}

// of returns what is held of a file, whose text is compared once.
func (l *Lines) of(repo, path string) []Run {
	n := nameOf(repo, path)
	runs, ok := l.known[n]
	if ok {
		return runs
	}
	if i := slices.IndexFunc(l.files, func(f held) bool { return f.name == n }); i >= 0 {
		f := &l.files[i]
		if sum, ok := sumOf(l.lines(repo, path), f.runs); ok && sum == f.sum {
			runs = f.runs
		}
	}
	l.known[n] = runs
	return runs
}

func (l *Lines) lines(repo, path string) []string {
	n := nameOf(repo, path)
	lines, ok := l.cache[n]
	if !ok {
		lines = l.text(repo, path)
		l.cache[n] = lines
	}
	return lines
}

func nameOf(repo, path string) (n name) {
	h := fnv.New64a()
	h.Write([]byte(repo))
	h.Write([]byte{0})
	h.Write([]byte(path))
	return name(h.Sum(nil)[5:])
}

// sumOf hashes lines of a text; ok is false where the text does not have them.
func sumOf(lines []string, runs []Run) (sum [3]byte, ok bool) {
	h := fnv.New64a()
	for _, r := range runs {
		if r.First < 1 || r.Last > len(lines) {
			return sum, false
		}
		for _, line := range lines[r.First-1 : r.Last] {
			h.Write([]byte(line))
			h.Write([]byte{'\n'})
		}
	}
	return [3]byte(h.Sum(nil)[5:]), true
}

// Token is the token of what the reader holds once it has the shown lines too,
// and whether files fell off for it.
func (l *Lines) Token(shown ...File) (token string, lost bool) {
	body, lost := encoded(l.with(shown))
	if l.lost {
		body[1] |= flagLost
	}
	sum := checkOf(body)
	return base64.RawURLEncoding.EncodeToString(append(body, sum[:]...)), lost
}

// Keep adds lines that are shown to what the reader holds.
func (l *Lines) Keep(shown []File) {
	l.files = l.with(shown)
	clear(l.known)
}

// with is what the reader holds with the shown lines, as the newest.
func (l *Lines) with(shown []File) []held {
	files := slices.Clone(l.files)
	for _, f := range together(shown) {
		n := nameOf(f.Repo, f.Path)
		runs := joined(l.of(f.Repo, f.Path), f.Runs)
		files = slices.DeleteFunc(files, func(h held) bool { return h.name == n })
		if sum, ok := sumOf(l.lines(f.Repo, f.Path), runs); ok && len(runs) > 0 {
			files = append(files, held{n, sum, runs})
		}
	}
	return files
}

// together joins the lines of each file, the files in the order in which they
// were shown last.
func together(shown []File) (all []File) {
	for _, f := range shown {
		if i := slices.IndexFunc(all, func(o File) bool { return o.Repo == f.Repo && o.Path == f.Path }); i >= 0 {
			f.Runs = slices.Concat(all[i].Runs, f.Runs)
			all = slices.Delete(all, i, i+1)
		}
		all = append(all, f)
	}
	return all
}

// encoded writes files, the newest that fit.
func encoded(files []held) (body []byte, lost bool) {
	size := 2 + check
	first := len(files)
	for first > 0 {
		n := len(files[first-1].encode(nil))
		if size+n > maxBytes {
			break
		}
		size += n
		first--
	}
	body = []byte{version, 0}
	if lost = first > 0; lost {
		body[1] = flagLost
	}
	for i := range files[first:] {
		body = files[first+i].encode(body)
	}
	return body, lost
}

// joined are the runs of two lists as one, the longest where there are many.
func joined(a, b []Run) (all []Run) {
	list := slices.Concat(a, b)
	slices.SortFunc(list, func(x, y Run) int { return x.First - y.First })
	for _, r := range list {
		if k := len(all) - 1; k >= 0 && r.First <= all[k].Last+1 {
			all[k].Last = max(all[k].Last, r.Last)
			continue
		}
		all = append(all, r)
	}
	if len(all) <= maxRuns {
		return all
	}
	slices.SortStableFunc(all, func(x, y Run) int { return (y.Last - y.First) - (x.Last - x.First) })
	all = all[:maxRuns]
	slices.SortFunc(all, func(x, y Run) int { return x.First - y.First })
	return all
}

// Split cuts a text into the lines that Text returns.
func Split(text []byte) []string {
	lines := make([]string, 0, bytes.Count(text, []byte("\n"))+1)
	for line := range bytes.Lines(text) {
		lines = append(lines, string(bytes.TrimRight(line, "\r\n")))
	}
	return lines
}
