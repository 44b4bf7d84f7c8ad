// Package render writes results: as compact text for models and terminals,
// and as the one JSON form that the command line, HTTP and MCP share.
//
// A text answer has three parts. The header is one line: how many of how many
// results are shown, the repository and generation, the freshness, and the tokens
// of the whole answer. The body is grouped by file: the path once, then
// "line: text". The footer says what was left out and why. Its last line is a
// useful next call, written for the reader: a command for people, a tool call for
// agents.
//
// All content of a repository (text, names, symbols) is made harmless for
// terminals and logs in text answers: control codes and bidirectional overrides
// become visible escapes. JSON keeps them exactly, as escapes. A text answer that
// Options.MaxTokens bounds is cut between results, never inside one, and says so.
package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"espy/internal/across"
	"espy/internal/code"
	"espy/internal/files"
	"espy/internal/hit"
	"espy/internal/place"
	"espy/internal/redact"
	"espy/internal/seen"
	"espy/internal/tasks"
	"espy/internal/usage"
)

// Bounds of an answer to an agent, in tokens of four bytes.
const (
	DefaultTokens = 2_000
	MaxTokens     = 8_000
)

// Answer is the answer to one question.
type Answer interface {
	Text(o Options) string // for people and agents
	JSON(o Options) []byte // for programs, on one line
}

// Options says how a result is written. The zero value writes plain text
// without a bound, with next calls as commands.
type Options struct {
	Color     bool         // colour paths, line numbers and matches with ANSI sequences
	MaxTokens int          // bound on the whole text in tokens; 0 leaves it unbounded
	Calls     Calls        // the form of next calls
	Now       time.Time    // if set, times are written as ages
	Repo      string       // the repository that the question named, for next calls; empty for none or several
	Here      place.Folder // the folder that paths are written relative to
	Ref       string       // the branch, tag or commit of the question, for next calls; empty for the work tree

	// Cursor names the page that starts at a result, counted from the first
	// result of all pages. If nil, the next page is requested by a larger limit.
	Cursor func(offset int) string

	// Seen is what the reader holds: it is left out or marked [shown], and the
	// answer ends with the token of it all. Nil for a reader that does not ask.
	Seen *seen.Lines

	// Aside takes what stands round the results of a list, its header, its footer and
	// what it says where there are none, so that the text has the results alone. Nil
	// for an answer in one piece.
	Aside *strings.Builder
	Gaps  bool // mark what is left out between places of a file, and leave a line between files

	// Several says that this is one of several answers, which have one token.
	Several     bool
	ShowSecrets bool // show keys and tokens; else a marker stands in the place of each

	Tasks *tasks.Near // the open tasks that name the code of the answer; nil for none

	among *across.Searched // the repositories of an answer over several, whose paths name theirs
}

// Calls is the form in which next calls are written.
type Calls uint8

// The forms.
const (
	Commands  Calls = iota // espy read PATH
	ToolCalls              // read(path="PATH")
)

// arg is one argument of a next call.
type arg struct {
	name  string
	value any // string, int or bool
}

// call writes a next call of a tool, which is also the command of that name.
// The argument called "query", "path", "symbol", "place" or "what" is positional in a command.
func (o Options) call(tool string, args ...arg) string {
	named := slices.ContainsFunc(args, func(a arg) bool { return a.name == "repo" })
	switch {
	case named || !slices.Contains(inRepos, tool):
	case o.among != nil:
		args = o.called(tool, args)
	case o.Repo != "":
		args = append(args, arg{"repo", o.Repo})
	}
	if o.Ref != "" && slices.Contains(atRefs, tool) {
		args = append(args, arg{"ref", o.Ref})
	}
	if o.Calls == ToolCalls {
		parts := make([]string, len(args))
		for i, a := range args {
			parts[i] = a.name + "=" + toolValue(a.value)
		}
		return tool + "(" + strings.Join(parts, ", ") + ")"
	}
	var b strings.Builder
	b.WriteString("espy " + tool)
	dashed := ""
	for _, a := range args {
		if s, ok := a.value.(string); ok && a.positional(tool) && strings.HasPrefix(s, "-") {
			dashed = " --" + commandArg(tool, a) // or it would be read as a flag
			continue
		}
		b.WriteString(commandArg(tool, a))
	}
	return b.String() + dashed
}

// over returns the options for an answer over several repositories: next calls ask
// about the same ones, or read in the one that a path names.
func (o Options) over(in *across.Searched) Options {
	if in.Several {
		o.among = in
	}
	return o
}

// called are the arguments of a next call after an answer over several repositories.
func (o Options) called(tool string, args []arg) []arg {
	deep := slices.ContainsFunc(o.among.Repos, func(r hit.Searched) bool { return strings.HasPrefix(r.Repo, code.PackagePrefix) })
	for i, a := range args {
		text, ok := a.value.(string)
		if !ok || a.name != "path" && a.name != "symbol" && a.name != "what" && a.name != "at" {
			continue
		}
		for _, r := range o.among.Repos {
			if rest, ok := strings.CutPrefix(text, r.Repo+":"); ok && a.name == "path" {
				args = append([]arg{}, args...)
				args[i].value = rest
				return append(args, arg{"repo", r.Repo})
			}
		}
	}
	if deep {
		if args = append(args, arg{"scope", string(code.ScopeDeps)}); o.Repo != "" {
			args = append(args, arg{"repo", o.Repo})
		}
		return args
	}
	return append(args, arg{"repo", o.all()})
}

// all is the repo argument that asks several again.
func (o Options) all() string {
	if o.Repo != "" {
		return o.Repo
	}
	return "all"
}

// PathCall writes a call of a tool whose only argument is the path of a file or
// folder.
func (o Options) PathCall(tool, path string) string {
	if tool == "files" {
		return o.call(tool, arg{"path", o.globOf(path)})
	}
	return o.call(tool, arg{"path", o.name(path)})
}

// inRepos are the tools that take a repository.
var inRepos = append([]string{"blame", "history", "changes"}, atRefs...)

// atRefs are the tools that also take a ref.
var atRefs = []string{
	"overview",
	"dependencies",
	"audit",
	"search",
	"symbol",
	"references",
	"outline",
	"read",
	"files",
	"similar",
	"calls",
	"impact",
	"links",
	"hierarchy",
	"symbols",
}

func toolValue(v any) string {
	if s, ok := v.(string); ok {
		return quoteText(s)
	}
	return fmt.Sprint(v)
}

// positional reports whether an argument stands without its name in the command of
// a tool: paths do, but for those that limit a search.
func (a arg) positional(tool string) bool {
	return (tool != "search" || a.name != "path") && slices.Contains([]string{"query", "path", "symbol", "place", "what"}, a.name)
}

func commandArg(tool string, a arg) string {
	if a.value == true {
		return " --" + strings.ReplaceAll(a.name, "_", "-")
	}
	v := fmt.Sprint(a.value)
	if s, ok := a.value.(string); ok {
		v = shellQuote(s)
	}
	if a.positional(tool) {
		return " " + v
	}
	return " --" + strings.ReplaceAll(a.name, "_", "-") + " " + v
}

// layout is a text answer before its parts are joined.
type layout struct {
	head   func(shown int) string      // header line without the token count
	blocks []string                    // body, one block for each result, in order
	foot   func(shown int) []string    // lines after the body
	extra  []string                    // lines before those of the foot, as many as leave all results their room
	lines  func(shown int) []seen.File // lines of files that are shown; nil for none
	none   bool                        // the body says that there are no results
}

// joined joins the parts of an answer, or puts those aside that are no results.
func (l layout) joined(o Options, head, body string, foot []string) string {
	if o.Aside == nil {
		return join(head, body, foot)
	}
	if o.Aside.WriteString(head + "\n"); l.none {
		o.Aside.WriteString(body)
		body = ""
	}
	for _, line := range foot {
		o.Aside.WriteString(line + "\n")
	}
	return body
}

// text joins the parts with as many whole blocks as the bound allows, and reports
// how many it shows. If the first block exceeds the bound, it is cut at a line,
// since an answer without a result helps nobody.
func (l layout) text(o Options) (text string, shown int) {
	if l.lines != nil && o.Seen != nil {
		foot := l.foot
		l.foot = func(shown int) []string { return append(foot(shown), o.seenLine(l.lines(shown))...) }
		defer func() { o.keep(l.lines(min(shown, len(l.blocks)))) }()
	}
	return l.bounded(o)
}

func (l layout) bounded(o Options) (string, int) {
	shown := len(l.blocks)
	if o.MaxTokens == 0 || len(l.blocks) == 0 {
		return l.joined(o, l.head(shown), strings.Join(l.blocks, ""), append(l.extra, l.foot(shown)...)), shown
	}
	bound := o.MaxTokens * 4
	if shown = l.fitting(bound); shown > 0 {
		head, body, foot := l.head(shown), strings.Join(l.blocks[:shown], ""), l.foot(shown)
		left := bound - len(head) - maxCount - len(body) - footSize(foot)
		n := len(l.extra)
		for n > 0 && footSize(l.extra[:n]) > left {
			n--
		}
		return l.joined(o, head, body, append(l.extra[:n:n], foot...)), shown
	}
	head, foot := l.head(1), append([]string{"note: this result alone is larger than max_tokens and was cut"}, l.foot(1)...)
	body, cut := cutLines(l.blocks[0], bound-len(head)-maxCount-footSize(foot))
	if !cut {
		foot = foot[1:]
	}
	text, _ := cutLines(l.joined(o, head, body, foot), bound)
	return text, 1
}

// maxCount is how many bytes the token count adds to the header at most.
const maxCount = len(", 8000 tokens\n")

// fitting returns how many blocks fit into a number of bytes.
func (l layout) fitting(bytes int) int {
	ends := make([]int, len(l.blocks)+1)
	for i, b := range l.blocks {
		ends[i+1] = ends[i] + len(b)
	}
	for shown := len(l.blocks); shown > 0; shown-- {
		if ends[shown] <= bytes && len(l.head(shown))+maxCount+ends[shown]+footSize(l.foot(shown)) <= bytes {
			return shown
		}
	}
	return 0
}

func footSize(foot []string) int {
	n := 0
	for _, line := range foot {
		n += len(line) + 1
	}
	return n
}

// join writes header, body and footer; the header counts the tokens of all three.
func join(head, body string, foot []string) string {
	size := len(head) + len(body) + footSize(foot)
	tokens := 0
	for range 3 { // the count is part of what it counts
		tokens = code.Tokens(size + len(tokenCount(tokens)) + 1)
	}
	var b strings.Builder
	b.WriteString(head)
	b.WriteString(tokenCount(tokens))
	b.WriteByte('\n')
	b.WriteString(body)
	for _, line := range foot {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

func tokenCount(n int) string { return fmt.Sprintf(", %d tokens", n) }

// cutLines cuts a text to at most size bytes, at a line end if possible, and
// reports whether it cut.
func cutLines(text string, size int) (string, bool) {
	if size = max(size, 80); len(text) <= size {
		return text, false
	}
	if end := strings.LastIndexByte(text[:size], '\n'); end > 0 {
		return text[:end+1], true
	}
	return strings.ToValidUTF8(text[:size], "") + "\n", true
}

// count writes a number with its noun: "1 file", "2 files".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "ry") || strings.HasSuffix(noun, "cy") {
		return fmt.Sprintf("%d %sies", n, noun[:len(noun)-1])
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// counted writes how many of something were found. Where there may be more it says
// so, and never that there is none.
func counted(n int, more bool, noun string) string {
	switch {
	case more && n == 0:
		return "no " + noun + " so far"
	case more:
		return "at least " + count(n, noun)
	}
	return count(n, noun)
}

// size writes a number of bytes for people: "512 B", "12.3 MB".
func size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	v, unit := float64(n)/1000, "kB"
	for _, next := range []string{"MB", "GB", "TB"} {
		if v < 999.95 {
			break
		}
		v, unit = v/1000, next
	}
	return fmt.Sprintf("%.1f %s", v, unit)
}

// moment writes a time: as an age if the present is known, else in UTC.
func (o Options) moment(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	if o.Now.IsZero() {
		return t.UTC().Format(time.RFC3339)
	}
	age := max(o.Now.Sub(t), 0)
	switch {
	case age < time.Minute:
		return count(int(age/time.Second), "second") + " ago"
	case age < time.Hour:
		return count(int(age/time.Minute), "minute") + " ago"
	case age < 48*time.Hour:
		return count(int(age/time.Hour), "hour") + " ago"
	}
	return count(int(age/(24*time.Hour)), "day") + " ago"
}

// hidden returns a text of a file with markers in the place of its secrets, unless
// the options show them. The hits of a search have markers already: they are chosen
// with the text round a line.
func (o Options) hidden(path, text string) string {
	if o.ShowSecrets {
		return text
	}
	if o.among != nil {
		_, path = repoOf(o.among, path)
	}
	return redact.String(path, text)
}

// notes writes the notes of an answer, within bounds of their own.
func notes(list []string) []string {
	const most, bytes = 10, 400
	var out []string
	for _, n := range list[:min(len(list), most)] {
		out = append(out, "note: "+short(n, bytes))
	}
	if more := len(list) - most; more > 0 {
		out = append(out, fmt.Sprintf("note: and %d more", more))
	}
	return out
}

// short cleans a text and cuts it to a number of bytes.
func short(s string, bytes int) string {
	return clean(usage.Shorten(s, bytes))
}

// globOf writes a path as an argument that is a glob.
func (o Options) globOf(path string) string {
	path = o.Here.Show(path)
	glob := files.Escape(path)
	if place.Name(path) != path {
		return place.Name(glob)
	}
	return glob
}

// name writes a path or an id as readers find it from where they are.
func (o Options) name(path string) string { return place.Name(o.Here.Show(path)) }

// grouped writes a number with a comma before every three digits.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
