// Package report takes a text apart that people paste rather than ask: an issue,
// a report, a log, a trace, a piece of code. Its fields tell different things
// about where the code is that it speaks of:
//
//   - the title says in a line what it is about;
//   - prose tells it at length;
//   - code is what was tried, and mostly calls what is at fault;
//   - output is what programs printed: messages, values and traces;
//   - the environment and the lines of a template say next to nothing.
//
// A line is in one field. A line that repeats counts once, whatever a loop printed.
package report

import (
	"slices"
	"strings"
	"unicode"
)

// Field is a part of a report.
type Field uint8

// The fields.
const (
	Title Field = iota
	Prose
	Code
	Output
	Environment

	NumFields
)

// Report is a text taken apart.
type Report struct {
	Texts  [NumFields]string // the lines of each field
	Frames []Frame           // of the traces in it, the innermost first
	blank  bool              // it has headings alone

	Diagnostics []Diagnostic // that it is about
	Leads       bool         // to lines of files: nobody says anything, or little beside a trace that it begins with
}

// Bounds of what is a report rather than a question.
const (
	manyWords = 40 // a text of so many words is one,
	fewWords  = 16 // as is one of so many words
	manyLines = 4  // in so many lines
)

// Is reports whether a text is a report rather than a question or a message.
func Is(text string) bool {
	words, lines := 0, 0
	for line := range strings.Lines(text) {
		n := len(strings.Fields(line))
		if words += n; n > 0 {
			lines++
		}
		if words >= manyWords {
			return true
		}
	}
	return lines >= manyLines && words >= fewWords
}

// Parse takes a text apart.
func Parse(pasted string) *Report {
	text := plain(pasted)
	var s splitter
	for line := range strings.Lines(text) {
		s.line(strings.TrimRight(line, " \t\r\n"))
	}
	r := &Report{Frames: Frames(text)}
	for f := range r.Texts {
		r.Texts[f] = s.texts[f].String()
	}
	said := r.said()
	r.Diagnostics = asked(Diagnostics(pasted), said)
	r.Leads = r.Texts[Prose] == "" || r.Texts[Title] == "" && said < fewSaid && slices.ContainsFunc(r.Frames, func(f Frame) bool { return !f.Told && f.Line > 0 })
	r.blank = s.headings >= fewHeadings && !s.filled
	return r
}

// All returns the text of all fields that say something, a field after the other.
func (r *Report) All() string {
	return strings.Join(r.Texts[:Environment], "\n")
}

// IsBlank reports whether nothing is filled in: all lines are those of a template.
func (r *Report) IsBlank() bool {
	said := r.Texts[Prose] + r.Texts[Code] + r.Texts[Output]
	return r.blank || isTemplate(trim(strings.TrimSpace(r.Texts[Title]))) && !strings.ContainsFunc(said, unicode.IsLetter)
}

// splitter deals lines to fields.
type splitter struct {
	texts  [NumFields]strings.Builder
	seen   map[string]bool
	titled bool

	fence   string // that ends the block, "" outside of one
	block   Field  // of the block
	blank   bool   // the line before has no text
	trace   bool   // a trace was begun, and goes on with indented lines
	about   bool   // the section is about the environment
	comment bool   // of HTML: what a template tells its reader

	headings int  // so many are there
	filled   bool // a line behind a heading says something
}

// fewHeadings is the fewest headings of a template.
const fewHeadings = 3

func (s *splitter) line(line string) {
	line = s.withoutComments(line)
	text := strings.TrimSpace(line)
	if text == "" {
		s.blank, s.trace = true, false
		return
	}
	if !s.titled && runner().MatchString(text) {
		s.titled, s.trace = true, true
		s.add(Output, line)
		return
	}
	head, headed := heading(text)
	if headed && s.fence == "" {
		s.headings++
	} else if !isBox(text) && fenceMark(text) == "" && strings.ContainsFunc(text, unicode.IsLetter) && !strings.HasSuffix(text, ":") {
		s.filled = true
	}
	if !s.titled && !s.about && !(headed && isTemplate(head)) && strings.ContainsFunc(text, unicode.IsLetter) && !isOutput(text) && !isPrompt(text) && fenceMark(text) == "" {
		s.titled = true
		title, rest := cutTitle(strings.TrimLeft(text, "# "))
		s.add(Title, title)
		if rest != "" {
			s.add(Prose, rest)
		}
		return
	}
	if !headed && !s.about {
		s.titled = true
	}
	if !s.fenced(text) {
		s.add(s.fieldOf(line, text), line)
	}
	s.blank = false
}

// titleWords is the most words of a title: what follows in a text of one line is prose.
const titleWords = 24

// cutTitle returns the first sentence of a line, or its first words, and the rest.
func cutTitle(line string) (title, rest string) {
	words := 0
	for i := range len(line) {
		if line[i] != ' ' || i == 0 || line[i-1] == ' ' {
			continue
		}
		if words++; words == titleWords {
			title = line[:i]
			if end := strings.LastIndex(title, ". "); end > 0 {
				i = end + 1
			}
			return line[:i], line[i:]
		}
	}
	return line, ""
}

// add adds a line to a field, once.
func (s *splitter) add(f Field, line string) {
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	key := withoutNumbers(line)
	if s.seen[key] && len(key) > shortLine {
		return
	}
	s.seen[key] = true
	s.texts[f].WriteString(line)
	s.texts[f].WriteByte('\n')
}

// shortLine is the most bytes of a line that may well stand in a text twice.
const shortLine = 12

// withoutNumbers takes the numbers out of a line: lines of a log differ by them.
func withoutNumbers(line string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, line)
}

// withoutComments takes out comments of HTML, which may go over several lines.
func (s *splitter) withoutComments(line string) string {
	if s.fence != "" {
		return line
	}
	var b strings.Builder
	for line != "" {
		if s.comment {
			_, after, ended := strings.Cut(line, "-->")
			if !ended {
				break
			}
			s.comment, line = false, after
			continue
		}
		before, after, begun := strings.Cut(line, "<!--")
		b.WriteString(before)
		s.comment, line = begun, after
	}
	return b.String()
}

// fenced reports whether a line begins or ends a fenced block.
func (s *splitter) fenced(text string) bool {
	mark, language := fenceOf(text)
	switch {
	case mark == "":
		return false
	case s.fence == "":
		s.fence, s.block = mark, Code
		if outputLanguages[strings.ToLower(language)] {
			s.block = Output
		}
	case strings.HasPrefix(mark, s.fence) && language == "":
		s.fence, s.trace = "", false
	default:
		return false
	}
	return true
}

// outputLanguages are what people write behind a fence before what a program printed.
var outputLanguages = map[string]bool{
	"console": true, "output": true, "text": true, "txt": true, "log": true, "logs": true, "pytb": true, "plain": true, "plaintext": true,
	"python-traceback": true, "traceback": true, "stacktrace": true,
}

// fenceOf returns the marks that a line begins with when it is a fence, and what
// stands behind them.
func fenceOf(text string) (mark, language string) {
	for _, c := range []string{"`", "~"} {
		n := len(text) - len(strings.TrimLeft(text, c))
		if rest := strings.TrimSpace(text[n:]); n >= 3 && !strings.Contains(rest, c) {
			return text[:n], rest
		}
	}
	return "", ""
}

func fenceMark(text string) string {
	mark, _ := fenceOf(text)
	return mark
}

// fieldOf returns the field of a line.
func (s *splitter) fieldOf(line, text string) Field {
	if head, ok := heading(text); ok && s.fence == "" {
		s.about = isEnvironment(head)
		if isTemplate(head) {
			return Environment
		}
		return Prose
	}
	indented := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
	switch {
	case isBox(text):
		return Environment
	case isOutput(text):
		s.trace = true
		return Output
	case s.trace && (indented || line[0] == ' ' || goCall().MatchString(text)):
		return Output
	case s.fence == "" && (s.about || isVersion(text)):
		return Environment
	case s.fence != "":
		s.trace = false
		return s.block
	case isPrompt(text), indented && looksLikeCode(text):
		return Code
	}
	s.trace = false
	return Prose
}
