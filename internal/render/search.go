package render

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"espy/internal/across"
	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/pattern"
	"espy/internal/place"
	"espy/internal/seen"
	"espy/internal/tasks"
)

// Search is the answer to a query.
type Search struct {
	*hit.Result
	Request *hit.Request // for next calls; may be nil
}

// Text writes the hits, grouped by file.
func (a Search) Text(o Options) string {
	text, _ := a.text(o)
	return text
}

// text also returns how many hits it shows; the bound of o may leave some out.
func (a Search) text(o Options) (string, int) {
	a = a.withheld(o)
	res := a.Result
	if len(res.Hits) == 0 {
		return emptySearch(a, o).text(o)
	}
	return layout{
		lines:  a.lines,
		head:   func(shown int) string { return searchHead(res, shown) },
		blocks: searchBlocks(res, o),
		extra:  companionLines(res, o),
		foot:   func(shown int) []string { return searchFoot(res, o, shown) },
	}.text(o)
}

// companionLines name the files that likely change too.
func companionLines(res *hit.Result, o Options) (all []string) {
	for i := range res.Companions {
		c := &res.Companions[i]
		path := o.name(c.Path)
		if len(res.Repos) > 1 {
			path = place.Name(c.Repo) + ": " + path
		}
		all = append(all, fmt.Sprintf("beside the hits: %s (%s)", path, c.Reason(o.name(c.With))))
	}
	return all
}

// Shown is the answer as text, with how many hits it shows and the lines of them.
func (a Search) Shown(o Options) (text string, hits int, lines []seen.File) {
	text, hits = a.text(o)
	hits = min(hits, len(a.Hits)) // an answer without hits shows something too
	return text, hits, a.lines(hits)
}

// withheld is the answer without the lines that the reader has.
func (a Search) withheld(o Options) Search {
	if o.Seen == nil {
		return a
	}
	res := *a.Result
	res.Hits = slices.Clone(res.Hits)
	for i := range res.Hits {
		h := &res.Hits[i]
		all := h.Lines
		h.Lines = slices.DeleteFunc(slices.Clone(all), func(l hit.Line) bool { return o.Seen.Has(h.Repo, h.Path, l.Number) })
		h.Held = len(all) - len(h.Lines)
	}
	return Search{&res, a.Request}
}

// lines are those that the first few hits show.
func (a Search) lines(shown int) (all []seen.File) {
	for i := range a.Hits[:shown] {
		h := &a.Hits[i]
		for _, l := range h.Lines {
			all = append(all, oneLineOf(h.Repo, h.Path, l.Number))
		}
	}
	return all
}

// searchHead writes the header: shown of total, mode, repositories, freshness.
func searchHead(res *hit.Result, shown int) string {
	var b strings.Builder
	switch {
	case res.Offset > 0 && shown > 0:
		fmt.Fprintf(&b, "%d-%d of ", res.Offset+1, res.Offset+shown)
	case !res.Partial || res.Total > 0:
		fmt.Fprintf(&b, "%d of ", shown)
	}
	noun := "file"
	if res.Mode.FindsLines() {
		noun = "line"
	}
	b.WriteString(counted(res.Total, res.Partial, noun))
	if res.Mode.FindsLines() && res.Files > 0 {
		b.WriteString(" in " + count(res.Files, "file"))
	}
	fmt.Fprintf(&b, ", mode %s", res.Mode)
	if res.Model != "" {
		b.WriteString(" by " + place.Name(res.Model))
	}
	if r := res.Reranked; r != nil {
		fmt.Fprintf(&b, ", %d places reranked by %s in %d ms", r.Places, place.Name(r.Model), r.Took.Milliseconds())
	}
	b.WriteString(", " + searched(res.Repos))
	return b.String()
}

// maxNamed is how many repositories a header names.
const maxNamed = 4

// searched names the repositories with generation and freshness.
func searched(repos []hit.Searched) string {
	if len(repos) == 1 {
		return "repo " + state(repos[0].Repo, repos[0].Freshness)
	}
	parts := make([]string, 0, maxNamed)
	stale := 0
	for i, r := range repos {
		if i < maxNamed {
			parts = append(parts, brief(r.Repo, r.Freshness))
		} else if freshness(r.Freshness) != "fresh" {
			stale++
		}
	}
	text := count(len(repos), "repo") + ": " + strings.Join(parts, ", ")
	if more := len(repos) - maxNamed; more > 0 {
		text += fmt.Sprintf(" and %d more, %d of them not fresh", more, stale)
	}
	return text
}

// searchedIn names the repositories of an answer, with those that it does not concern.
func searchedIn(in *across.Searched) string {
	text := searched(in.Repos)
	if n := len(in.Apart); n > 0 {
		text += fmt.Sprintf(", %d more without a part in it", n)
	}
	return text
}

// lateNotes name the repositories that could not answer.
func lateNotes(in *across.Searched) (all []string) {
	for _, late := range in.Late {
		all = append(all, "note: not in the answer: "+clean(late))
	}
	return append(all, notes(in.Notes)...)
}

// searchBlocks writes one block for each hit. A block starts with the path if the
// previous hit is in another file, so any number of first blocks reads well.
func searchBlocks(res *hit.Result, o Options) []string {
	blocks := make([]string, len(res.Hits))
	w := hitWriter{Options: o, lines: res.Mode.FindsLines(), locate: res.Detail == hit.DetailLocate, some: res.Detail == hit.DetailLines, repos: len(res.Repos) > 1}
	for i := range res.Hits {
		h := &res.Hits[i]
		next := 0 // first line of the next hit in this file, which shows that line itself
		if i+1 < len(res.Hits) && sameFile(h, &res.Hits[i+1]) {
			next = res.Hits[i+1].StartLine
		}
		blocks[i] = w.hit(h, next)
	}
	if res.Foreign != "" {
		blocks[0] = "nothing here seems to be about " + quoteText(clean(res.Foreign)) + "; the nearest:\n" + blocks[0]
	}
	return blocks
}

func sameFile(a, b *hit.Hit) bool { return a.Path == b.Path && a.Repo == b.Repo }

// hitWriter writes hits in order and remembers where the last one ended.
type hitWriter struct {
	Options
	lines  bool // hits are matching lines, not ranked spans
	locate bool
	some   bool // hits show some of their lines, as the numbers of these tell
	repos  bool // several repositories: name the one of each file
	last   *hit.Hit
	symbol string // symbol last written in this file
	line   int    // last line written of this file
}

func (w *hitWriter) hit(h *hit.Hit, next int) string {
	var b strings.Builder
	if w.last == nil || !sameFile(w.last, h) || !w.lines {
		if w.Gaps && w.last != nil && !w.locate {
			b.WriteByte('\n')
		}
		w.heading(&b, h)
		w.line, w.symbol = 0, ""
	}
	switch {
	case w.lines && w.locate:
		w.location(&b, h)
	case w.lines:
		w.within(&b, h)
	}
	w.explain(&b, h)
	if !w.locate {
		w.text(&b, h, next)
	}
	w.last = h
	return b.String()
}

// heading writes the line that names the file, and for a ranked hit its span.
func (w *hitWriter) heading(b *strings.Builder, h *hit.Hit) {
	path := w.name(h.Path)
	if w.repos {
		path = place.Name(h.Repo) + ": " + path
	}
	b.WriteString(w.color(path, colorPath))
	if !w.lines {
		b.WriteString(":" + span(h.StartLine, h.EndLine))
		if h.Symbol != "" {
			b.WriteString(" " + w.symbolOf(h))
		}
	}
	for _, trait := range traits(h) {
		b.WriteString(" (" + trait + ")")
	}
	for _, reason := range h.Why {
		if strings.HasPrefix(reason, hit.ExactText) {
			b.WriteString(" (" + clean(reason) + ")")
		}
	}
	b.WriteByte('\n')
}

// traits names properties of a file that its path does not show.
func traits(h *hit.Hit) []string {
	var t []string
	for _, c := range []struct {
		class code.Class
		word  string
	}{{code.ClassVendor, "third-party"}, {code.ClassGenerated, "generated"}, {code.ClassMinified, "minified"}, {code.ClassLock, "lock file"}} {
		if h.Class.Has(c.class) {
			t = append(t, c.word)
		}
	}
	if h.Stale {
		t = append(t, "changed since it was indexed")
	}
	return t
}

// symbolOf is symbolOf, without the calls where only the place is shown: many hits
// are, and the calls of what they are named by say little of them.
func (w *hitWriter) symbolOf(h *hit.Hit) string {
	if w.some && len(h.Lines)+h.Held == 0 {
		plain := *h
		plain.Calls = hit.Calls{}
		return symbolOf(&plain)
	}
	return symbolOf(h)
}

// symbolOf names the symbol of a hit, and the number of calls of its name if that
// is known and useful.
func symbolOf(h *hit.Hit) string {
	text := clean(h.Symbol)
	if h.Kind != "" && h.Kind != code.KindUnknown.String() {
		text = h.Kind + " " + text
	}
	if !h.Calls.Known || h.Calls.N == 0 && (h.Calls.AtLeast || !callable(h.Kind) || h.Class.Has(code.ClassTest)) {
		return text
	}
	return text + " (" + counted(h.Calls.N, h.Calls.AtLeast, "call") + " by name)"
}

// callable reports whether zero calls are worth telling for a kind of symbol.
func callable(kind string) bool {
	return kind == code.KindFunc.String() || kind == code.KindMethod.String() || kind == code.KindMacro.String()
}

func span(start, end int) string {
	if end <= start {
		return strconv.Itoa(start)
	}
	return fmt.Sprintf("%d-%d", start, end)
}

// location writes a matching line as its place only.
func (w *hitWriter) location(b *strings.Builder, h *hit.Hit) {
	fmt.Fprintf(b, "%d:%d", h.StartLine, h.Column)
	if h.Symbol != "" {
		b.WriteString(" in " + symbolOf(h))
	}
	b.WriteByte('\n')
}

// within names the definition around a matching line, unless it was just named or
// the line itself names it, as the line of the definition does.
func (w *hitWriter) within(b *strings.Builder, h *hit.Hit) {
	symbol := ""
	if h.Symbol != "" {
		symbol = symbolOf(h)
	}
	names := func(l hit.Line) bool {
		return l.Number == h.SymbolLine && bytes.Contains(l.Text, []byte(h.Symbol))
	}
	switch {
	case symbol == w.symbol, slices.ContainsFunc(h.Lines, names):
	case symbol == "":
		b.WriteString("in no symbol\n")
	default:
		b.WriteString("in " + symbol + "\n")
	}
	w.symbol = symbol
}

func (w *hitWriter) explain(b *strings.Builder, h *hit.Hit) {
	if len(h.Explain) == 0 {
		return
	}
	fmt.Fprintf(b, "score %.4g =", h.Score)
	for _, c := range h.Explain {
		fmt.Fprintf(b, " %s %.4g (%+.4g)", c.Signal, c.Value, c.Score)
	}
	b.WriteByte('\n')
}

// text writes the lines of a hit that neither the previous hit has shown nor the
// next hit begins with.
func (w *hitWriter) text(b *strings.Builder, h *hit.Hit, next int) {
	for _, l := range h.Lines {
		if w.lines && (l.Number <= w.line || next > h.EndLine && l.Number >= next) {
			continue
		}
		if w.Gaps && w.line > 0 && l.Number > w.line+1 && w.marksGaps(h) {
			b.WriteString(w.color("--", colorGap) + "\n")
		}
		mark := ": "
		if w.lines && len(l.Matches) == 0 && (l.Number < h.StartLine || l.Number > h.EndLine) {
			mark = "- "
		}
		b.WriteString(w.color(strconv.Itoa(l.Number), colorNumber) + mark)
		b.Write(w.lineText(l))
		b.WriteByte('\n')
		w.line = l.Number
	}
	if h.Held > 0 && w.lines {
		b.WriteString(w.color(span(h.StartLine, h.EndLine), colorNumber) + ": [shown]\n")
	} else if h.Held > 0 {
		b.WriteString(shownMark(h.Held))
	}
	if h.Cut && !w.some {
		b.WriteString("... cut\n")
	}
}

// marksGaps reports whether lines of a hit that are apart have a mark between them:
// those of a ranked file, and of matches with lines round them.
func (w *hitWriter) marksGaps(h *hit.Hit) bool { return !w.lines || len(h.Lines) > 1 }

// lineText writes one line, its matches coloured when asked.
func (w *hitWriter) lineText(l hit.Line) []byte {
	text := l.Text
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	if !w.Color {
		return appendClean(nil, text)
	}
	var out []byte
	from := 0
	for _, m := range l.Matches {
		start, end := min(max(m[0], from), len(text)), min(m[1], len(text))
		if start >= end {
			continue
		}
		out = appendClean(out, text[from:start])
		out = append(out, colorMatch...)
		out = appendClean(out, text[start:end])
		out = append(out, colorOff...)
		from = end
	}
	return appendClean(out, text[from:])
}

// ANSI colours, those of grep and its kin.
const (
	colorPath   = "\x1b[35m"
	colorNumber = "\x1b[32m"
	colorMatch  = "\x1b[1;31m"
	colorGap    = "\x1b[2m"
	colorOff    = "\x1b[0m"
)

func (o Options) color(s, color string) string {
	if !o.Color {
		return s
	}
	return color + s + colorOff
}

// searchFoot writes what was left out, the notes, and the next call.
func searchFoot(res *hit.Result, o Options, shown int) []string {
	foot := append(notes(res.Notes), openFoot(o.Tasks, o.tasksOf(res.Hits[:shown]))...)
	left := res.Total - res.Offset - shown
	more := ""
	if left > 0 {
		more = moreCall(res, o, shown)
		noun := "file"
		if res.Mode.FindsLines() {
			noun = "line"
		}
		text := "left out: " + count(left, noun)
		if shown < len(res.Hits) {
			text += fmt.Sprintf(" (%d of them to stay within %d tokens)", len(res.Hits)-shown, o.MaxTokens)
		}
		if o.Calls == Commands && o.Cursor == nil {
			text = fmt.Sprintf("and %s more %ss", grouped(left), noun)
			if left == 1 {
				text = "and 1 more " + noun
			}
			if shown < len(res.Hits) {
				text += fmt.Sprintf(", %d of them to stay within %d tokens", len(res.Hits)-shown, o.MaxTokens)
			}
		}
		foot = append(foot, text+"; "+more)
	}
	if next := nextOfHits(res, o); next != "" {
		foot = append(foot, "next: "+next)
	}
	return foot
}

// tasksOf returns the open tasks that name the files or symbols of hits.
func (o Options) tasksOf(hits []hit.Hit) (list []*tasks.Task) {
	if o.Tasks == nil {
		return nil
	}
	for i := range hits {
		h := &hits[i]
		list = about(list, o.Tasks.Of(h.Repo, h.Path, cmp.Or(h.SymbolID, h.Symbol))...)
	}
	return list
}

// moreCall says how to get the hits after the shown ones.
func moreCall(res *hit.Result, o Options, shown int) string {
	switch {
	case o.Cursor != nil:
		return fmt.Sprintf("more: same call with cursor=%s", quoteText(o.Cursor(res.Offset+shown)))
	case o.Calls == ToolCalls:
		return "more: same call with a larger limit"
	}
	if shown < len(res.Hits) { // a bound on its size cut the answer, not the limit
		return fmt.Sprintf("--offset %d shows more", res.Offset+shown)
	}
	limit := nextLimit(len(res.Hits))
	if left := res.Total - res.Offset - shown; limit >= res.Offset+shown+left && !res.Partial {
		return fmt.Sprintf("--limit %d shows all", limit)
	}
	return fmt.Sprintf("--limit %d shows more", limit)
}

func nextLimit(n int) int { return max(n*5, 50) }

// nextOfHits proposes to read around the first hit, unless the hits are whole
// spans already.
func nextOfHits(res *hit.Result, o Options) string {
	if len(res.Hits) == 0 || res.Detail == hit.DetailFull && !res.Hits[0].Cut {
		return ""
	}
	h := &res.Hits[0]
	if !res.Mode.FindsLines() && h.SymbolID != "" && h.Calls.N > 0 && isNameOf(res.Query, h) {
		return o.call("references", arg{"symbol", h.SymbolID})
	}
	start, end := h.StartLine, h.EndLine
	if res.Mode.FindsLines() {
		start, end = max(start-15, 1), end+25
	}
	args := []arg{{"path", o.name(h.Path) + ":" + span(start, end)}}
	if len(res.Repos) > 1 {
		args = append(args, arg{"repo", h.Repo})
	}
	return o.call("read", args...)
}

// isNameOf reports whether a query is nothing but the name of the symbol of a hit,
// which the answer then shows.
func isNameOf(query string, h *hit.Hit) bool {
	query = strings.TrimSuffix(strings.TrimSpace(query), "()")
	rest, ok := strings.CutSuffix(query, h.Symbol)
	return ok && h.Symbol != "" && len(h.Lines) > 0 && !strings.ContainsAny(query, " \t\n") && (rest == "" || strings.ContainsAny(rest[len(rest)-1:], ".:#/>"))
}

// emptySearch says what was searched without a hit, and what to try.
func emptySearch(res Search, o Options) layout {
	files, excluded := 0, 0
	for _, r := range res.Repos {
		files += r.Files
		excluded += r.Excluded
	}
	var b strings.Builder
	switch {
	case res.Partial && res.Total > 0:
		b.WriteString("none of them was read in time\n")
	case res.Partial:
		fmt.Fprintf(&b, "nothing found so far for %s, of %s%s that were to be searched\n", quoteText(short(res.Query, 200)), count(files, "file"), filterWords(res.Request))
	case res.Offset > 0 && res.Total > 0:
		fmt.Fprintf(&b, "no more results: offset %d of %d\n", res.Offset, res.Total)
	default:
		fmt.Fprintf(&b, "nothing found for %s in %s%s\n", quoteText(short(res.Query, 200)), count(files, "file"), filterWords(res.Request))
	}
	if excluded > 0 {
		fmt.Fprintf(&b, "not searched: %s left out of the index; see %s\n", count(excluded, "file"), o.call("files", arg{"excluded", true}))
	}
	if len(res.Nearest) > 0 {
		near := make([]string, len(res.Nearest))
		for i, n := range res.Nearest {
			near[i] = short(n, 100)
		}
		b.WriteString("near: " + strings.Join(near, ", ") + "\n")
	}
	return layout{
		head:   func(int) string { return searchHead(res.Result, 0) },
		blocks: []string{b.String()},
		none:   true,
		foot: func(int) []string {
			foot := notes(allNotes(res.Result))
			if next := nextOfNothing(res, o); next != "" {
				foot = append(foot, "next: "+next)
			}
			return foot
		},
	}
}

// filterWords repeats the filters of a request, so that an empty answer shows its
// limits.
func filterWords(r *hit.Request) string {
	if r == nil {
		return ""
	}
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+short(value, 200))
		}
	}
	add("path", strings.Join(r.Paths, " "))
	add("lang", strings.Join(r.Languages, " "))
	if r.Scope != code.ScopeAll {
		add("scope", string(r.Scope))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (only " + strings.Join(parts, ", ") + ")"
}

// maxAgain is the longest query that a next call repeats, bytes.
const maxAgain = 1000

// nextOfNothing proposes the change that most likely finds something, "" where the
// query is too long to repeat.
func nextOfNothing(res Search, o Options) string {
	r := res.Request
	if slices.ContainsFunc(res.Repos, func(s hit.Searched) bool { return s.Freshness.Partial }) {
		return o.call("status") + " # then the same call when indexing is done"
	}
	query := arg{"query", res.Query}
	if len(res.Query) > maxAgain {
		return "" // the reader has it
	}
	switch {
	case res.Offset > 0 && filterWords(r) != "":
		return "" // the same call from the start
	case res.Offset > 0:
		return o.call("search", asked(res)...) + " # from the start"
	case len(res.Deeper) > 0 && below(res) != nil:
		return o.call("search", below(res)...)
	case filterWords(r) != "":
		return o.call("search", asked(res)...) + " # without the filters"
	case res.Mode.FindsLines() && r != nil && r.Word:
		return o.call("search", query, arg{"mode", string(res.Mode)}) + " # without word"
	case res.Mode.FindsLines() && (r == nil || !r.IgnoreCase) && mindsCase(res):
		return o.call("search", query, arg{"mode", string(res.Mode)}, arg{"ignore_case", true})
	case len(res.Nearest) > 0:
		return o.call("search", arg{"query", res.Nearest[0]})
	case res.Mode == hit.ModeKeyword && mindsCase(res):
		return o.call("search", query, arg{"mode", string(hit.ModeLiteral)}, arg{"ignore_case", true})
	case res.Mode == hit.ModeKeyword:
		return o.call("search", query, arg{"mode", string(hit.ModeLiteral)})
	case !strings.ContainsFunc(res.Query, isOfWord):
		return "" // words are sought by what is in them
	}
	return o.call("search", query, arg{"mode", string(hit.ModeKeyword)})
}

// allNotes are the notes of a result, and which of its globs begin at the root and
// would match further down.
func allNotes(res *hit.Result) []string {
	out := slices.Clip(res.Notes)
	for i := range res.Deeper {
		out = append(out, res.Deeper[i].String())
	}
	return out
}

// below are the arguments of a search with one of its globs matched at any depth,
// be it in its query or beside it; none where it has several.
func below(res Search) []arg {
	args, d := asked(res), res.Deeper[0]
	switch {
	case len(res.Deeper) > 1 || len(res.Request.Paths) > 1:
		return nil
	case len(res.Request.Paths) == 1:
		return append(args, arg{"path", d.Instead})
	}
	args[0].value = strings.Replace(res.Query, d.Glob, d.Instead, 1)
	return args
}

func isOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// ignoresCase matches what has a regex ignore case from there on.
var ignoresCase = pattern.New(`\(\?[a-zA-Z]*i[a-zA-Z]*[-:)]`)

// mindsCase reports whether a text or regex finds more where case is ignored.
func mindsCase(res Search) bool {
	if res.Mode == hit.ModeStructure {
		return false
	}
	if res.Mode == hit.ModeRegex && ignoresCase().MatchString(res.Query) {
		return false
	}
	return strings.ContainsFunc(res.Query, func(r rune) bool { return unicode.SimpleFold(r) != r })
}

// asked are the arguments of a search but for its filters and its page.
func asked(res Search) []arg {
	args := []arg{{"query", res.Query}, {"mode", string(res.Mode)}}
	if r := res.Request; res.Mode.FindsLines() && r != nil {
		if r.IgnoreCase {
			args = append(args, arg{"ignore_case", true})
		}
		if r.Word {
			args = append(args, arg{"word", true})
		}
	}
	return args
}
