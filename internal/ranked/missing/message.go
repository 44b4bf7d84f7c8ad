package missing

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/hit"
	"espy/internal/pattern"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/message"
	"espy/internal/ranked/report"
	"espy/internal/segment"
	"espy/internal/token"
	"espy/internal/usage"
)

// Bounds of messages.
const (
	maxLines    = 64  // lines of a text that are looked at
	maxWords    = 32  // words of a message that are looked for
	plainWords  = 5   // a line without what loggers write has so many words at least
	namesKnown  = 0.8 // part of the words that stand as they are from which on a message may stand here
	runSolid    = 2   // words of a run that say something, or it is not told
	formatWords = 3   // words of a format that may print a message, the rest of which are values
	maxPlaces   = 8   // places of a run that are looked at for a format
	shownBytes  = 120 // of a message
	shownOfFile = 80  // of a path
)

// Message returns a note of the first text in a query that a program surely printed, if
// it stands in no file; none where there is no such text or it may stand here. It is
// asked where nothing holds the query as a message, values seen through. The text of a
// report with prose is not looked at: it quotes what other programs say.
func Message(text string, r *report.Report, in *corpus.Corpus) (notes []string, err error) {
	said := printed(text, r)
	if said == "" {
		return nil, nil
	}
	m := newWords(said)
	best, others, err := m.longest(in)
	if err != nil || best.solid >= m.solid(0, len(m.texts)) || float64(best.end-best.first) >= namesKnown*float64(len(m.texts)) {
		return nil, err
	}
	for _, r := range others {
		if format, err := r.isFormat(message.New(said)); err != nil || format {
			return nil, err
		}
	}
	note := fmt.Sprintf("%s %q, and no format was found that prints it", hit.NoText, usage.Shorten(said, shownBytes))
	if best.solid >= runSolid {
		note += fmt.Sprintf("; the longest run of its words that stands is %q, in %s", strings.Join(m.texts[best.first:best.end], " "), best.where())
	}
	return []string{note}, nil
}

// printed returns the first text in a query that a program surely printed, without what
// a logger wrote before it; "" for none.
func printed(text string, r *report.Report) string {
	lines := text
	if r != nil {
		if r.Texts[report.Prose] != "" {
			return ""
		}
		lines = r.Texts[report.Title] + r.Texts[report.Output]
	}
	if all := slices.Collect(strings.Lines(lines)); r == nil && len(all) > 1 && slices.ContainsFunc(all[:min(len(all), maxLines)], report.IsFrame) {
		return "" // a trace leads to its places, and its message is not looked for
	}
	n := 0
	first := ""
	for line := range strings.Lines(lines) {
		if n++; n > maxLines {
			break
		}
		if report.IsFrame(line) {
			continue
		}
		core, logged := withoutPrefix(message.WithoutTail(line))
		switch {
		case first != "" && !failure().MatchString(core):
		case logged && isLong(core, message.MinWords), isLong(core, plainWords) && fails(core):
			if failure().MatchString(core) {
				return core
			}
			first = core
		}
	}
	if first == "" && r == nil {
		for _, q := range quoted().FindAllString(text, -1) {
			if q = q[1 : len(q)-1]; isLong(q, message.MinWords) && failure().MatchString(q) {
				return q
			}
		}
	}
	return first
}

// What loggers and runtimes write before a message: times, levels, numbers of
// processes, places.
var prefix = pattern.New(`(?i)^(?:` +
	`[\w.-]+ *\| *|` + // the name of a container
	`\[?\d{4}[-/]\d\d[-/]\d\d\S*\]?,?|\[?\d{1,2}:\d\d:\d\d\S*\]?|` +
	`[EWIFD]\d{4}\b|\d+(?:\.\d+)?\]?:?|` +
	`\[?(?:error|err|warn|warning|fatal|panic|critical|severe|info|debug|notice|trace)(?:/[\w.-]+\]|[\]:|]|\t)+|` +
	`[\w.]*(?:error|exception|warning|panic)(?:\[\w+\])?:|` +
	`uncaught\b|caused by:|thread '[^']*' panicked at\b|` +
	`\S+\.\w{1,4}:\d+(?::\d+)?[\]:]*|` +
	`\[[\w.:/-]*\]` +
	`)\s*`)

// level is one that stands alone, behind the rest of a prefix without one.
var level = pattern.New(`(?i)^(?:error|err|warn|warning|fatal|panic|critical|severe|info|debug|notice|trace)\b`)

// certain is the part of a prefix that tells of a logger or a runtime.
var certain = pattern.New(`(?i)^\[?\d{4}[-/]\d\d|^\[?\d{1,2}:\d\d:\d\d|^[EWIF]\d{4}\b|^\[?(?:error|err|warn|warning|fatal|panic|critical|severe)[/\]:|\t]|^[\w.]*(?:error|exception|panic)(?:\[\w+\])?:|^caused by:|panicked at`)

// failure is what a message says of what went wrong.
var failure = pattern.New(`(?i)\b(?:error|exception|fail(?:ed|ure|s)?|can(?:no|')t|could(?: not|n't)|unable to|invalid|unexpected|unknown|unsupported|no such|not found|denied|refused|timed out|timeout|missing|must(?: not)? be|is (?:not|required)|already exists|does(?: not|n't) exist|aborted|disconnect(?:ed)?|expected)\b`)

// failing is how a message begins or goes on that says so.
var failing = pattern.New(`(?i)^(?:failed|cannot|can't|could not|couldn't|unable|no such|unexpected|unsupported)\b|: (?:no|not|invalid|failed|cannot|unknown|unexpected|\w+ (?:refused|denied|failed|exceeded|timed out|timeout))\b|\b(?:failed to|cannot be|could not be|unable to|not found|refused|denied|timed out)$`)

// quoted is a text in quotes of at least a few words.
var quoted = pattern.New("`[^`\n]* [^`\n]* [^`\n]*`|\"[^\"\n]* [^\"\n]* [^\"\n]*\"")

// withoutPrefix returns a line without what a logger wrote before its message, and
// whether a logger or a runtime surely did.
func withoutPrefix(line string) (core string, logged bool) {
	leveled := false
	for {
		n := len(prefix().FindString(line))
		if n == 0 && logged && !leveled {
			n = len(level().FindString(line))
		}
		if n == 0 {
			return line, logged
		}
		logged = logged || certain().MatchString(line)
		leveled = leveled || level().MatchString(strings.TrimLeft(line, "["))
		line = strings.TrimSpace(line[n:])
	}
}

// fails reports whether a line without a prefix is a message of what went wrong rather
// than a question about it.
func fails(line string) bool {
	first, _, _ := strings.Cut(line, " ")
	return !slices.Contains(openings, strings.ToLower(first)) && failing().MatchString(line)
}

// openings are the first words of questions.
var openings = []string{"how", "why", "where", "who", "what", "which", "when", "does", "is", "are", "can", "do", "should"}

// isLong reports whether a text has so many words.
func isLong(text string, words int) bool { return len(token.Split(text)) >= words }

// words are the words of a message with their terms.
type words struct {
	texts []string
	terms [][]string
	stop  []bool
}

func newWords(text string) *words {
	w := &words{}
	for _, t := range token.Split(text) {
		if a := token.Analyze(t); len(a.Terms) > 0 && len(w.texts) < maxWords {
			w.texts, w.terms, w.stop = append(w.texts, t), append(w.terms, a.Terms), append(w.stop, rank.IsStopword(t))
		}
	}
	return w
}

// solid counts the words of a run that say something.
func (w *words) solid(first, end int) (n int) {
	for _, stop := range w.stop[first:end] {
		if !stop {
			n++
		}
	}
	return n
}

// run is some words of a message side by side, and the files that have them so.
type run struct {
	first, end, solid int
	files             int
	path              string  // of the first of them
	places            []place // some of where it stands
}

// place is a chunk of a segment.
type place struct {
	segment *corpus.Segment
	chunk   int
}

// isFormat reports whether a literal that the run is all of may print a text, values
// filled in.
func (r *run) isFormat(text *message.Text) (bool, error) {
	var cache segment.TextCache
	for _, p := range r.places {
		c := p.segment.Chunk(p.chunk)
		code, err := p.segment.TextRange(p.segment.FileOf(p.chunk), int(c.Start), int(c.End), &cache)
		if err != nil || text.Format(code, p.segment.Language(p.segment.FileOf(p.chunk))) >= formatWords {
			return err == nil, err
		}
	}
	return false, nil
}

func (r *run) where() string {
	path := usage.Shorten(r.path, shownOfFile)
	if r.files == 1 {
		return path
	}
	return fmt.Sprintf("%s and %d more", path, r.files-1)
}

// longest returns the longest run that stands in some file: the most words that say
// something, then the most words; and all that may be formats, which are no part of
// another. A part of a run that stands, stands.
func (w *words) longest(in *corpus.Corpus) (best run, formats []run, err error) {
	end := 0
	for first := range w.texts {
		if w.stop[first] { // a run of stop words says nothing, and stands everywhere
			continue
		}
		last := end
		var longest run
		for end = max(end, first); end < len(w.texts); end++ {
			r := run{first: first, end: end + 1, solid: w.solid(first, end+1)}
			if err = r.stands(in, slices.Concat(w.terms[first:end+1]...)); err != nil {
				return best, nil, err
			}
			if r.files == 0 {
				break
			}
			if longest = r; r.solid > best.solid || r.solid == best.solid && r.end-r.first > best.end-best.first {
				best = r
			}
		}
		if end > last && longest.end-longest.first >= formatWords {
			formats = append(formats, longest)
		}
	}
	return best, formats, nil
}

// stands finds the files in which some terms stand side by side.
func (r *run) stands(in *corpus.Corpus, terms []string) error {
	for _, s := range in.Segments {
		found, err := s.Phrase(terms)
		if err != nil {
			return err
		}
		last := -1
		for _, o := range found {
			file := int(o.File)
			if !s.Alive(file) || !s.Allows(file) {
				continue
			}
			if at := (place{s, int(o.Chunk)}); len(r.places) < maxPlaces && !slices.Contains(r.places, at) {
				r.places = append(r.places, at)
			}
			if file == last {
				continue
			}
			last = file
			if r.files++; r.path == "" || s.Path(file) < r.path {
				r.path = s.Path(file)
			}
		}
	}
	return nil
}
