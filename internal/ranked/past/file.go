package past

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"maps"
	"slices"
	"strings"

	"espy/internal/git"
	"espy/internal/rank"
	"espy/internal/token"
)

// A log is kept as one run of bytes, which is read in place. All numbers are little
// endian:
//
//	8 bytes  header
//	u32      0 or 1: whether there are older commits
//	5 × u32  how many commits, paths, terms, changed paths and postings follow
//	u32      of each path: where its text ends
//	u32      of each commit: where its changed paths end
//	u32      each changed path, by its number
//	u32      of each commit: how many words of its message count
//	u32      of each term, in byte order: where its text ends
//	u32      of each term: where its postings end
//	2 × u32  each posting: the commit, and how often the term stands in its message
//	u32, ... how long the texts of the paths are together, and those texts
//	u32, ... the same of the terms
//	u32      the CRC-32C of all before it
const header = "espypas\x01"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged says that bytes are no log, or one of another version.
var ErrDamaged = errors.New("these are no commits as they are kept")

// MaxBytes bounds a log that is kept.
const MaxBytes = 64 << 20

// Encode returns the log of commits, the newest first, of which it keeps MaxCommits. A
// commit that changed more than maxChanged paths is kept without them.
func Encode(commits []git.Step) []byte {
	b := builder{paths: map[string]uint32{}, stands: map[string][]posting{}, known: map[string][]string{}}
	for i, c := range commits[:min(len(commits), MaxCommits)] {
		b.add(uint32(i), c)
	}
	return b.bytes(len(commits) > MaxCommits)
}

// builder gathers what a log holds.
type builder struct {
	paths   map[string]uint32 // by text, its number
	texts   []string          // by number
	changed []uint32          // paths of all commits in a row
	ends    []uint32          // by commit, where its paths end
	words   []uint32          // of the message, by commit
	stands  map[string][]posting
	known   map[string][]string // the terms of words
}

// posting is how often a term stands in the message of a commit.
type posting struct{ commit, times uint32 }

func (b *builder) add(commit uint32, c git.Step) {
	if len(c.Paths) <= maxChanged {
		for _, p := range c.Paths {
			n, ok := b.paths[p]
			if !ok {
				n = uint32(len(b.texts))
				b.paths[p], b.texts = n, append(b.texts, p)
			}
			b.changed = append(b.changed, n)
		}
	}
	b.ends = append(b.ends, uint32(len(b.changed)))
	b.words = append(b.words, b.read(commit, told(c.Message)))
}

// told returns what a message tells of the change: lines that name people are left out.
func told(message string) string {
	message = strings.ToValidUTF8(message[:min(len(message), maxMessage)], "")
	var b strings.Builder
	for line := range strings.Lines(message) {
		if first, _, ok := strings.Cut(line, ":"); !ok || !strings.HasSuffix(first, "-by") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// read notes the terms of a message and returns how many words it has that count.
func (b *builder) read(commit uint32, message string) (words uint32) {
	text := []byte(message)
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		word := message[start:end]
		terms, ok := b.known[word]
		if !ok {
			terms = termsOf(word)
			b.known[word] = terms
		}
		if len(terms) > 0 {
			words++
		}
		for _, t := range terms {
			list := b.stands[t]
			if n := len(list); n > 0 && list[n-1].commit == commit {
				list[n-1].times++
				continue
			}
			b.stands[t] = append(list, posting{commit, 1})
		}
	}
	return words
}

// termsOf returns the terms of a word, none of one that says nothing.
func termsOf(word string) []string {
	if rank.IsStopword(word) || strings.Trim(word, "0123456789") == "" {
		return nil
	}
	w := token.Analyze(word)
	if w.Compound == "" {
		return w.Terms
	}
	return append(slices.Clone(w.Terms), w.Compound)
}

func (b *builder) bytes(older bool) []byte {
	terms := slices.Sorted(maps.Keys(b.stands))
	postings := uint32(0)
	var postEnds []uint32
	for _, t := range terms {
		postings += uint32(len(b.stands[t]))
		postEnds = append(postEnds, postings)
	}
	out := []byte(header)
	number := func(all ...uint32) {
		for _, n := range all {
			out = binary.LittleEndian.AppendUint32(out, n)
		}
	}
	flag := uint32(0)
	if older {
		flag = 1
	}
	number(flag, uint32(len(b.ends)), uint32(len(b.texts)), uint32(len(terms)), uint32(len(b.changed)), postings)
	number(endsOf(b.texts)...)
	number(b.ends...)
	number(b.changed...)
	number(b.words...)
	number(endsOf(terms)...)
	number(postEnds...)
	for _, t := range terms {
		for _, p := range b.stands[t] {
			number(p.commit, p.times)
		}
	}
	for _, texts := range [][]string{b.texts, terms} {
		text := strings.Join(texts, "")
		number(uint32(len(text)))
		out = append(out, text...)
	}
	number(crc32.Checksum(out, castagnoli))
	return out
}

// endsOf returns where each text ends when they stand in a row.
func endsOf(texts []string) (ends []uint32) {
	end := 0
	for _, t := range texts {
		end += len(t)
		ends = append(ends, uint32(end))
	}
	return ends
}

// Decode returns the log that Encode made, which refers to the bytes; ErrDamaged where
// they are none.
func Decode(data []byte) (*Log, error) {
	r := reader{data: data}
	if string(r.take(len(header))) != header || len(data) < len(header)+4 ||
		crc32.Checksum(data[:len(data)-4], castagnoli) != binary.LittleEndian.Uint32(data[len(data)-4:]) {
		return nil, ErrDamaged
	}
	older, commits, paths, terms, changed, postings := r.number(), r.number(), r.number(), r.number(), r.number(), r.number()
	l := &Log{
		older:   older == 1,
		paths:   texts{ends: r.numbers(paths)},
		changed: lists{ends: r.numbers(commits), items: r.numbers(changed), wide: 1},
		words:   r.numbers(commits),
		terms:   texts{ends: r.numbers(terms)},
		stands:  lists{ends: r.numbers(terms), items: r.numbers(2 * postings), wide: 2},
	}
	l.paths.text, l.terms.text = string(r.take(r.number())), string(r.take(r.number()))
	if r.bad || !l.sound() {
		return nil, ErrDamaged
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
	return l.paths.ends.rises(len(l.paths.text)) && l.terms.ends.rises(len(l.terms.text)) &&
		l.changed.ends.rises(l.changed.items.len()) && l.stands.ends.rises(l.stands.items.len()/2) &&
		l.changed.items.below(l.paths.ends.len())
}
