// Package past knows the commits of a repository: which files those changed whose
// messages speak of a question, and which files commits change together.
package past

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"espy/internal/git"
	"espy/internal/rank"
	"espy/internal/token"
)

// Log is the newest commits of a repository. It is read only and safe for concurrent
// use. Of a nil one nothing is known.
type Log struct {
	paths [][]string // by commit, the newest first
	older bool       // there are more before these

	said   func()               // reads the messages, once; what follows is known then
	words  []uint16             // of the message, by commit
	mean   float64              // of words
	stands map[string][]posting // by term, the commits whose messages have it, in their order
}

// Reader returns the log of a repository by its name, up to the commit that is searched.
type Reader func(ctx context.Context, repo string) (*Log, error)

// posting is how often a term stands in the message of a commit.
type posting struct {
	commit uint32
	times  uint16
}

// Bounds of what is read of a repository.
const (
	MaxCommits = 3000
	maxMessage = 2000 // bytes of a message
)

// New returns the log of commits, the newest first, of which it keeps MaxCommits.
func New(commits []git.Step) *Log {
	l := &Log{older: len(commits) > MaxCommits}
	commits = commits[:min(len(commits), MaxCommits)]
	messages := make([]string, len(commits))
	for i, c := range commits {
		l.paths = append(l.paths, c.Paths)
		messages[i] = c.Message
	}
	l.said = sync.OnceFunc(func() { l.read(messages) })
	return l
}

// Older reports whether there are commits before those that it knows.
func (l *Log) Older() bool { return l != nil && l.older }

// read reads the messages of the commits.
func (l *Log) read(messages []string) {
	l.stands = map[string][]posting{}
	known := map[string][]string{}
	sum := 0
	for i, m := range messages {
		n := l.add(uint32(i), told(m), known)
		l.words = append(l.words, n)
		sum += int(n)
	}
	l.mean = float64(max(sum, 1)) / float64(max(len(messages), 1))
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

// add notes the terms of a message and returns how many words it has that count.
func (l *Log) add(commit uint32, message string, known map[string][]string) (words uint16) {
	text := []byte(message)
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		word := message[start:end]
		terms, ok := known[word]
		if !ok {
			terms = termsOf(word)
			known[word] = terms
		}
		if len(terms) > 0 && words < math.MaxUint16 {
			words++
		}
		for _, t := range terms {
			list := l.stands[t]
			if n := len(list); n > 0 && list[n-1].commit == commit {
				list[n-1].times++
				continue
			}
			l.stands[t] = append(list, posting{commit, 1})
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

// The parameters of BM25 over messages, as they are commonly set but for the lengths,
// which differ by how much somebody likes to write.
const (
	saturation = 1.2
	length     = 0.5
)

// What a commit tells of the files that it changed.
const (
	telling   = 100 // commits that are looked at, the best
	sharpness = 3   // a commit counts its score, the best having 1, to this power,
	spread    = 0.5 // over how many files it changed to the power of this
)

// File is a path and what commits say of it.
type File struct {
	Path  string
	Worth float64
}

// Files returns the paths that the commits changed whose messages have the terms of a
// question, those first of which the commits say most, and at most so many.
func (l *Log) Files(terms []rank.Term, most int) (all []File) {
	best := l.best(terms)
	worths := map[string]float64{}
	for _, b := range best {
		paths := l.paths[b.commit]
		if len(paths) == 0 || len(paths) > maxChanged {
			continue
		}
		worth := math.Pow(b.score/best[0].score, sharpness) / math.Pow(float64(len(paths)), spread)
		for _, p := range paths {
			worths[p] += worth
		}
	}
	for p, w := range worths {
		all = append(all, File{p, w})
	}
	slices.SortFunc(all, func(a, b File) int { return cmp.Or(cmp.Compare(b.Worth, a.Worth), strings.Compare(a.Path, b.Path)) })
	return all[:min(len(all), most)]
}

// scored is a commit and how much of a question its message has.
type scored struct {
	commit int
	score  float64
}

// best returns the commits whose messages have most of a question, the best first, of
// equal ones the newest.
func (l *Log) best(terms []rank.Term) (all []scored) {
	if l == nil {
		return nil
	}
	l.said()
	scores := make([]float64, len(l.paths))
	for _, t := range terms {
		list := l.stands[t.Text]
		worth := t.Weight * rank.IDF(len(list), len(l.paths))
		for _, p := range list {
			n := float64(p.times)
			norm := saturation * (1 - length + float64(length*float64(l.words[p.commit])/l.mean))
			scores[p.commit] += float64(worth * (n * (saturation + 1) / (n + norm)))
		}
	}
	for i, s := range scores {
		if s > 0 {
			all = append(all, scored{i, s})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return all[:min(len(all), telling)]
}
