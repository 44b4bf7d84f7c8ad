package past

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"
	"strings"

	"espy/internal/git"
	"espy/internal/rank"
	"espy/internal/token"
)

// New returns the log of commits, the newest first, of which it keeps MaxCommits.
func New(commits []git.Step) *Log {
	l, err := Decode(Encode(commits, Whole, nil))
	if err != nil {
		panic(err) // what Encode makes can be read
	}
	return l
}

// Encode returns the log of commits, the newest first, of which it keeps MaxCommits. A
// commit that changed more than maxChanged paths is kept without them. Of those that a log
// knows already, nil of none, only the ids are looked at: the bytes are those that all that
// was read of them would give. What is before the last of them is told, unless there are
// more than are kept.
func Encode(commits []git.Step, rest Rest, known *Log) []byte {
	b := builder{paths: map[string]uint32{}, stands: map[string][]posting{}, known: map[string][]string{}}
	if len(commits) > MaxCommits {
		commits, rest = commits[:MaxCommits], Older
	}
	numbers, now := known.numbers(), make([]uint32, known.newest(MaxCommits))
	for i, c := range commits {
		b.ids = append(b.ids, c.ID)
		n, ok := numbers[c.ID]
		if !ok {
			b.add(uint32(i), c)
			continue
		}
		now[n] = uint32(i) + 1
		b.list(known.pathsOf(n))
		b.words = append(b.words, known.words.at(n))
	}
	b.take(known, now)
	return b.bytes(rest)
}

// builder gathers what a log holds.
type builder struct {
	ids     []string          // by commit
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
	if len(c.Paths) > maxChanged {
		c.Paths = nil
	}
	b.list(c.Paths)
	b.words = append(b.words, b.read(commit, told(c.Message)))
}

// list notes the paths that the next commit changed.
func (b *builder) list(paths []string) {
	for _, p := range paths {
		n, ok := b.paths[p]
		if !ok {
			n = uint32(len(b.texts))
			b.paths[p], b.texts = n, append(b.texts, p)
		}
		b.changed = append(b.changed, n)
	}
	b.ends = append(b.ends, uint32(len(b.changed)))
}

// take notes where terms stand in the messages of commits that a log knows. Now has their
// numbers as they are now, from 1, by those of the log.
func (b *builder) take(known *Log, now []uint32) {
	if len(now) == 0 {
		return
	}
	byCommit := func(a, b posting) int { return cmp.Compare(a.commit, b.commit) }
	for i := range known.terms.ends.len() {
		term, stands := known.terms.at(i), known.stands.of(i)
		list := b.stands[term]
		for at := 0; at < stands.len(); at += 2 {
			if n := now[stands.at(at)]; n > 0 {
				list = append(list, posting{n - 1, stands.at(at + 1)})
			}
		}
		if len(list) == 0 {
			continue
		}
		if !slices.IsSortedFunc(list, byCommit) {
			slices.SortFunc(list, byCommit)
		}
		b.stands[term] = list
	}
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

func (b *builder) bytes(rest Rest) []byte {
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
	number(uint32(rest), uint32(len(b.ends)), uint32(len(b.texts)), uint32(len(terms)), uint32(len(b.changed)), postings)
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
	for _, texts := range [][]string{b.texts, terms, b.ids} {
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
