package render

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/lang"
	"espy/internal/redact"
	"espy/internal/seen"
)

// File is a file, or a range of its lines, to be shown.
type File struct {
	Repo    string
	Path    string
	Content []byte // the whole file
	Start   int    // first line shown, 1-based; 0 is the first
	End     int    // last line shown; 0 is the last
	Note    string // shown to the reader; may be empty

	Freshness code.Freshness
}

func (f *File) language() string {
	if l := lang.Detect(f.Path, f.Content); l != nil {
		return l.Name
	}
	return ""
}

// lines returns the lines of the range as they may be shown, the number of the
// first, and the number of lines in the file. A range beyond the file is empty.
func (f *File) lines(o Options) (lines [][]byte, start, total int) {
	all := bytes.SplitAfter(f.Content, []byte("\n"))
	if len(all[len(all)-1]) == 0 {
		all = all[:len(all)-1]
	}
	total = len(all)
	start = max(f.Start, 1)
	end := total
	if f.End > 0 {
		end = min(f.End, total)
	}
	if start > end {
		return nil, start, total
	}
	at := 0
	for _, l := range all[:start-1] {
		at += len(l)
	}
	return f.redact(all[start-1:end], start, at, o), start, total
}

// Text writes the lines as "line: text".
func (f *File) Text(o Options) string {
	lines, start, total := f.lines(o)
	blocks := make([]string, len(lines))
	var buf []byte
	for i, l := range lines {
		if n := f.heldFrom(o, start+i, start, start+len(lines)-1); n > 0 {
			blocks[i] = shownMark(n)
		}
		if o.Seen.Has(f.Repo, f.Path, start+i) {
			continue
		}
		buf = strconv.AppendInt(buf[:0], int64(start+i), 10)
		buf = append(buf, ": "...)
		buf = appendClean(buf, bytes.TrimSuffix(bytes.TrimSuffix(l, []byte("\n")), []byte("\r")))
		blocks[i] = o.numbered(string(append(buf, '\n')))
	}
	text, _ := layout{
		lines:  func(shown int) []seen.File { return f.shown(start, shown) },
		head:   func(shown int) string { return readHead(f, o, start, shown, total) },
		blocks: blocks,
		foot:   func(shown int) []string { return readFoot(f, o, start, shown, len(lines), total) },
	}.text(o)
	return text
}

// heldFrom counts the lines that the reader has from the first of a run of them
// on, up to the last that is asked for; 0 within a run.
func (f *File) heldFrom(o Options, line, first, last int) (n int) {
	if line > first && o.Seen.Has(f.Repo, f.Path, line-1) {
		return 0
	}
	for line+n <= last && o.Seen.Has(f.Repo, f.Path, line+n) {
		n++
	}
	return n
}

// shown are the lines of an answer.
func (f *File) shown(start, lines int) []seen.File {
	if lines == 0 {
		return nil
	}
	return []seen.File{{Repo: f.Repo, Path: f.Path, Runs: []seen.Run{{First: start, Last: start + lines - 1}}}}
}

// numbered colours the line number that a line starts with.
func (o Options) numbered(line string) string {
	if !o.Color {
		return line
	}
	number, rest, _ := strings.Cut(line, ":")
	return o.color(number, colorNumber) + ":" + rest
}

func readHead(f *File, o Options, start, shown, total int) string {
	lines := "no lines"
	switch {
	case shown == 1:
		lines = "line " + span(start, start)
	case shown > 1:
		lines = "lines " + span(start, start+shown-1)
	}
	head := fmt.Sprintf("%s %s of %d", o.name(f.Path), lines, total)
	if l := f.language(); l != "" {
		head += ", " + l
	}
	return head + ", repo " + state(f.Repo, f.Freshness)
}

func readFoot(f *File, o Options, start, shown, asked, total int) []string {
	var foot []string
	if f.Note != "" {
		foot = notes([]string{f.Note})
	}
	foot = append(foot, openFoot(o.Tasks, o.Tasks.In(f.Repo, f.Path))...)
	if start > total && total > 0 {
		return append(foot, fmt.Sprintf("note: line %d is past the end", start), "next: "+o.call("read", arg{"path", o.wholeFile(f.Path)}))
	}
	next := start + shown
	if shown < asked {
		foot = append(foot, fmt.Sprintf("left out: lines %s to stay within %d tokens", span(next, start+asked-1), o.MaxTokens))
	}
	if next <= total && shown > 0 {
		end := ""
		if shown < asked && start+asked-1 < total {
			end = fmt.Sprintf("-%d", start+asked-1)
		} else {
			end = fmt.Sprintf("-%d", min(next+max(shown, 50)-1, total))
		}
		foot = append(foot, "next: "+o.call("read", arg{"path", fmt.Sprintf("%s:%d%s", o.name(f.Path), next, end)}))
	}
	return foot
}

// readJSON is the JSON form of lines of a file.
type readJSON struct {
	Repo       string `json:"repo"`
	Path       string `json:"path"`
	PathQuoted string `json:"path_quoted,omitempty"`
	StartLine  int    `json:"start_line"`
	EndLine    int    `json:"end_line"`
	Lines      int    `json:"lines"` // in the whole file
	Language   string `json:"language,omitempty"`
	Text       string `json:"text"`
	Note       string `json:"note,omitempty"`
	Cut        bool   `json:"cut,omitempty"`        // end_line is before the line asked for
	Held       int    `json:"held_lines,omitempty"` // lines that text leaves out, for the caller has them
	Seen       string `json:"seen,omitempty"`

	OpenTasks []openTask `json:"open_tasks,omitempty"` // that name the file or a symbol of it

	Freshness freshnessJSON `json:"freshness"`
}

// JSON writes the lines, cut after the last line that the bound of o lets through.
func (f *File) JSON(o Options) []byte {
	lines, start, total := f.lines(o)
	v := readJSON{Repo: f.Repo, Path: f.Path, PathQuoted: quotedIfBroken(f.Path), StartLine: start, Lines: total, Language: f.language(), Note: f.Note, Freshness: freshnessJSON(f.Freshness), OpenTasks: openJSON(o.Tasks.In(f.Repo, f.Path))}
	for shown := len(lines); ; {
		v.Text, v.Held = f.withheld(o, lines[:shown], start)
		v.Seen = o.seenToken(f.shown(start, shown))
		v.EndLine, v.Cut = start+shown-1, shown < len(lines)
		text := JSON(v)
		if o.MaxTokens == 0 || code.Tokens(len(text)) <= o.MaxTokens || shown == 0 {
			o.keep(f.shown(start, shown))
			return text
		}
		if shown == 1 {
			v.Note = fmt.Sprintf("line %d alone is larger than max_tokens; format text shows its start", start)
		}
		shown = fewer(shown, len(text), o.MaxTokens*4)
	}
}

// withheld joins lines but for those that the reader has.
func (f *File) withheld(o Options, lines [][]byte, start int) (text string, held int) {
	var b strings.Builder
	for i, l := range lines {
		if o.Seen.Has(f.Repo, f.Path, start+i) {
			held++
			continue
		}
		b.Write(l)
	}
	return b.String(), held
}

// redact puts markers in the place of the secrets of lines, of which the first has
// a number and begins at a place of the content. Lines that the bound of o leaves
// out are emptied.
func (f *File) redact(lines [][]byte, start, at int, o Options) [][]byte {
	if o.ShowSecrets {
		return lines
	}
	part := redact.Part{Path: f.Path, Text: f.Content}
	lines = slices.Clone(lines)
	shown := 0
	for i, l := range lines {
		if o.Seen.Has(f.Repo, f.Path, start+i) { // it is not shown
			at += len(l)
			continue
		}
		if o.MaxTokens > 0 && shown > 4*o.MaxTokens {
			lines[i] = nil
			continue
		}
		lines[i] = part.Show(at, at+len(l))
		at, shown = at+len(l), shown+len(lines[i])
	}
	return lines
}
