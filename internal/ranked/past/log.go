package past

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// Log is the newest commits of a repository. It is read only and safe for concurrent
// use. Of a nil one nothing is known.
type Log struct {
	rest    Rest    // what is before these
	ids     string  // of the commits in a row, each as long as the others; "" where they are not known
	paths   texts   // all that commits changed
	changed lists   // by commit, the newest first, the paths that it changed
	words   numbers // of the message that count, by commit
	mean    float64 // of words
	terms   texts   // of all messages, sorted
	stands  lists   // by term, the commits whose messages have it and how often, the newest first
}

// Rest is what is before the commits of a log.
type Rest uint32

const (
	Whole  Rest = iota // nothing
	Older              // commits that nobody wanted
	Unread             // commits that git could not read
)

// Rest tells what is before the commits.
func (l *Log) Rest() Rest {
	if l == nil {
		return Whole
	}
	return l.rest
}

// IDs returns the ids of the commits, the newest first; none where they are not known.
func (l *Log) IDs() (ids []string) {
	if l == nil || l.ids == "" {
		return nil
	}
	each := len(l.ids) / l.words.len()
	for i := range l.words.len() {
		ids = append(ids, l.ids[i*each:(i+1)*each])
	}
	return ids
}

// numbers returns the numbers of the commits by their ids.
func (l *Log) numbers() map[string]int {
	numbers := map[string]int{}
	for i, id := range l.IDs() {
		numbers[id] = i
	}
	return numbers
}

// Bounds of what is read of a repository.
const (
	MaxCommits = 3000
	maxMessage = 2000 // bytes of a message
	maxChanged = 40   // paths of a commit: one that changes more says little
)

// A log is kept as one run of bytes, which is read in place. All numbers are little
// endian:
//
//	8 bytes  header
//	u32      what is before the commits, a Rest
//	5 × u32  how many commits, paths, terms, changed paths and postings follow
//	u32      of each path: where its text ends
//	u32      of each commit: where its changed paths end
//	u32      each changed path, by its number
//	u32      of each commit: how many words of its message count
//	u32      of each term, in byte order: where its text ends
//	u32      of each term: where its postings end
//	2 × u32  each posting: the commit, and how often the term stands in its message
//	u32, ... how long the texts of the paths are together, and those texts
//	u32, ... the same of the terms, and of the ids of the commits
//	u32      the CRC-32C of all before it
//
// Version 1 has no ids and knows of nothing that could not be read. It comes with indexes
// that were published.
const (
	header  = "espypas\x02"
	header1 = "espypas\x01"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errDamaged says that bytes are no log, or one of another version.
var errDamaged = errors.New("these are no commits as they are kept")

// MaxBytes bounds a log that is kept.
const MaxBytes = 64 << 20

// newest returns how many commits are looked at, at most so many.
func (l *Log) newest(most int) int {
	if l == nil {
		return 0
	}
	return min(l.words.len(), most)
}

// pathsOf returns the paths that a commit changed, none of one that changed too many.
func (l *Log) pathsOf(commit int) (paths []string) {
	changed := l.changed.of(commit)
	for i := range changed.len() {
		paths = append(paths, l.paths.at(int(changed.at(i))))
	}
	return paths
}

// Decode returns the log that Encode made, which refers to the bytes; errDamaged where
// they are none.
func Decode(data []byte) (*Log, error) {
	r := reader{data: data}
	version := string(r.take(len(header)))
	if version != header && version != header1 || len(data) < len(header)+4 ||
		crc32.Checksum(data[:len(data)-4], castagnoli) != binary.LittleEndian.Uint32(data[len(data)-4:]) {
		return nil, errDamaged
	}
	rest, commits, paths, terms, changed, postings := r.number(), r.number(), r.number(), r.number(), r.number(), r.number()
	l := &Log{
		rest:    Rest(rest),
		paths:   texts{ends: r.numbers(paths)},
		changed: lists{ends: r.numbers(commits), items: r.numbers(changed), wide: 1},
		words:   r.numbers(commits),
		terms:   texts{ends: r.numbers(terms)},
		stands:  lists{ends: r.numbers(terms), items: r.numbers(2 * postings), wide: 2},
	}
	l.paths.text, l.terms.text = string(r.take(r.number())), string(r.take(r.number()))
	if version == header {
		l.ids = string(r.take(r.number()))
	}
	if r.bad || !l.sound() {
		return nil, errDamaged
	}
	sum := 0
	for i := range l.words.len() {
		sum += int(l.words.at(i))
	}
	l.mean = float64(max(sum, 1)) / float64(max(commits, 1))
	return l, nil
}

// reader takes a log apart.
type reader struct {
	data []byte
	bad  bool // there was less than was asked for
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.data) {
		r.bad, n = true, 0
	}
	head := r.data[:n]
	r.data = r.data[n:]
	return head
}

func (r *reader) number() int {
	b := r.take(4)
	if len(b) < 4 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b))
}

func (r *reader) numbers(n int) numbers { return numbers(r.take(4 * n)) }

// numbers are numbers of four bytes in a row.
type numbers []byte

func (n numbers) len() int { return len(n) / 4 }

func (n numbers) at(i int) uint32 { return binary.LittleEndian.Uint32(n[4*i:]) }

// rises reports whether no number is below the one before, and the last is what follows
// has.
func (n numbers) rises(last int) bool {
	before := uint32(0)
	for i := range n.len() {
		if n.at(i) < before {
			return false
		}
		before = n.at(i)
	}
	return int(before) == last
}

// below reports whether every number is below a limit.
func (n numbers) below(limit int) bool {
	for i := range n.len() {
		if int(n.at(i)) >= limit {
			return false
		}
	}
	return true
}

// texts are texts by their numbers.
type texts struct {
	ends numbers
	text string
}

func (t texts) at(i int) string {
	start := uint32(0)
	if i > 0 {
		start = t.ends.at(i - 1)
	}
	return t.text[start:t.ends.at(i)]
}

// find returns the number of a text among sorted ones.
func (t texts) find(text string) (i int, ok bool) {
	low, high := 0, t.ends.len()
	for low < high {
		mid := int(uint(low+high) / 2)
		if cmp.Less(t.at(mid), text) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, low < t.ends.len() && t.at(low) == text
}

// lists are lists of items of one or more numbers, by the numbers of the lists.
type lists struct {
	ends, items numbers
	wide        uint32 // numbers of an item
}

func (l lists) of(i int) numbers {
	start := uint32(0)
	if i > 0 {
		start = l.ends.at(i - 1)
	}
	return l.items[4*l.wide*start : 4*l.wide*l.ends.at(i)]
}

// sound reports whether all that a log refers to is in it.
func (l *Log) sound() bool {
	for i := range l.stands.items.len() / 2 {
		if int(l.stands.items.at(2*i)) >= l.words.len() {
			return false
		}
	}
	if n := l.words.len(); l.rest > Unread || n == 0 && l.ids != "" || n > 0 && len(l.ids)%n != 0 {
		return false
	}
	return l.paths.ends.rises(len(l.paths.text)) && l.terms.ends.rises(len(l.terms.text)) &&
		l.changed.ends.rises(l.changed.items.len()) && l.stands.ends.rises(l.stands.items.len()/2) &&
		l.changed.items.below(l.paths.ends.len())
}
