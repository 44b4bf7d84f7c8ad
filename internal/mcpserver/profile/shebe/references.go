package shebe

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"espy/internal/mcpserver/host"
	"espy/internal/pattern"
	"espy/internal/redact"
	"espy/internal/session"
	"espy/internal/windows"
)

const findReferencesSchema = `{
	"type": "object",
	"properties": {
		"symbol": {"type": "string", "description": "Name to look for", "minLength": 2, "maxLength": 200},
		"session": {"type": "string", "description": "Session name", "pattern": "^[a-zA-Z0-9_-]+$"},
		"symbol_type": {"type": "string", "description": "Kind of symbol; set it for common names", "enum": ["function", "type", "variable", "constant", "any"], "default": "any"},
		"defined_in": {"type": "string", "description": "File of the definition, left out to see uses only"},
		"include_definition": {"type": "boolean", "description": "Keep the definition", "default": false},
		"context_lines": {"type": "integer", "description": "Lines before and after", "default": 2, "minimum": 0, "maximum": 10},
		"max_results": {"type": "integer", "description": "References to list", "default": 50, "minimum": 1, "maximum": 200}
	},
	"required": ["symbol", "session"]
}`

func (s *server) findReferencesTool() tool {
	return tool{
		name: "find_references", short: "Find the references of a symbol, with confidence", schema: findReferencesSchema,
		description: `List the places to change before a rename, each with its confidence, and the files to update. Not an editing tool. Look at the age of the session in the summary.`,
		call:        s.findReferences,
	}
}

// referenceRequest is the arguments of find_references.
type referenceRequest struct {
	symbol, kind, definedIn string
	include                 bool
	around, limit           int
}

func (s *server) findReferences(ctx context.Context, a *arguments, _ host.Tell) (answer, error) {
	name := a.text("session")
	r := &referenceRequest{
		symbol: a.text("symbol"), kind: a.textOr("symbol_type", "any"), definedIn: a.textOr("defined_in", ""),
		include: a.flag("include_definition", false), around: a.number("context_lines", 2), limit: a.number("max_results", 50),
	}
	if a.err != nil {
		return nil, a.err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	v, err := s.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	note := changes(ctx, v)
	defer note()
	refs, err := r.collect(ctx, v)
	if err != nil {
		return nil, internal("Internal error: ", err)
	}
	return &references{
		symbol: r.symbol, session: name, shown: refs[:min(len(refs), r.limit)], total: len(refs),
		indexed: v.Indexed, age: s.when(v.Indexed, secondForm), note: note(),
	}, nil
}

// references is the answer of find_references.
type references struct {
	symbol, session string
	shown           []reference
	total           int // how many there are
	indexed         time.Time
	age             string // of the session
	note            string
}

func (r *referenceRequest) check() error {
	n := utf8.RuneCountInString(r.symbol)
	switch {
	case strings.TrimSpace(r.symbol) == "":
		return invalid("Symbol cannot be empty")
	case n < 2:
		return invalid("Symbol must be at least 2 characters")
	case n > 200:
		return invalid("Symbol cannot exceed 200 characters")
	case usesOf[r.kind] == nil:
		return invalid(fmt.Sprintf("Invalid symbol_type: '%s'. Must be 'function', 'type', 'variable', 'constant' or 'any'.", r.kind))
	case r.around < 0 || r.around > 10:
		return invalid("context_lines must be between 0 and 10")
	case r.limit < 1 || r.limit > 500:
		return invalid("max_results must be between 1 and 500 (200 in the schema)")
	}
	return nil
}

// use is one way in which a line may use a symbol, with its base score in
// hundredths. Before and after are what stands beside the occurrence.
type use struct {
	name          string
	base          int
	before, after pattern.Pattern // nil: anything
}

// uses are Shebe's patterns, each decided on the line of the occurrence. What
// matches more than its name says (a comparison has an = too) does so there.
var uses = []use{
	{"function_call", 95, nil, pattern.New(`^\s*\(`)},
	{"method_call", 92, pattern.New(`(\.|->|\?\.)$`), pattern.New(`^\s*\(`)},
	{"type_annotation", 85, pattern.New(`:\s*$`), nil},
	{"return_type", 85, pattern.New(`->\s*$`), nil},
	{"generic_type", 85, pattern.New(`<$`), nil},
	{"type_instantiation", 85, nil, pattern.New(`^\s*\{`)},
	{"assignment_target", 80, nil, pattern.New(`^\s*=`)},
	{"assignment_value", 80, pattern.New(`=\s*$`), nil},
	{"property_access", 85, nil, pattern.New(`^\.`)},
	{"import", 90, nil, nil},
	{"use_statement", 90, nil, nil},
	{"word_match", 60, nil, nil},
}

// usesOf is which of them each kind of symbol has.
var usesOf = func() map[string][]use {
	all := map[string][]use{"any": uses}
	for kind, names := range map[string]string{
		"function": "function_call method_call",
		"type":     "type_annotation return_type generic_type type_instantiation",
		"variable": "assignment_target assignment_value property_access",
		"constant": "assignment_target assignment_value property_access",
	} {
		for _, u := range uses {
			if slices.Contains(strings.Fields(names+" import use_statement word_match"), u.name) {
				all[kind] = append(all[kind], u)
			}
		}
	}
	return all
}()

// importLines say which lines import, whatever stands beside the occurrence.
var importLines = map[string]pattern.Pattern{
	"import":        pattern.New(`^\s*((pub|export|public)\s+)?(import\b|from\s.*\bimport\b)`),
	"use_statement": pattern.New(`^\s*(pub(\([a-z ]+\))?\s+)?use\s`),
}

// judge returns the use of an occurrence in a line: that of an import line, a
// call of a method, or else the one with the highest base.
func (r *referenceRequest) judge(line string, start, end int) (best use) {
	before, after := line[:start], line[end:]
	for _, u := range usesOf[r.kind] {
		if imports := importLines[u.name]; imports != nil {
			if imports().MatchString(line) {
				return u
			}
			continue
		}
		if u.before != nil && !u.before().MatchString(before) || u.after != nil && !u.after().MatchString(after) {
			continue
		}
		if u.name == "method_call" || best.name != "method_call" && u.base > best.base {
			best = u
		}
	}
	return best
}

// reference is one line that uses the symbol.
type reference struct {
	path       string
	line       int // from 1
	column     int // in characters, from 1
	use        string
	confidence int // hundredths
	context    string
}

// collect finds every line that uses the symbol, the surest first.
func (r *referenceRequest) collect(ctx context.Context, v *session.View) ([]reference, error) {
	var refs []reference
	err := v.EachText(ctx, r.symbol, func(f *windows.FileText) error {
		if r.definedIn != "" && !r.include && isNamed(v.Root, f.Path, r.definedIn) {
			return nil
		}
		var skip []int
		if r.definedIn == "" && !r.include {
			skip = f.DefinitionLines(r.symbol)
		}
		refs = append(refs, r.inFile(&marked{redact.Part{Path: f.Path, Text: f.Text}, v.ShowSecrets()}, skip)...)
		return nil
	})
	slices.SortStableFunc(refs, func(a, b reference) int { return cmp.Compare(b.confidence, a.confidence) }) // path order, then lines, within equals
	return refs, err
}

// isNamed reports whether a path ends in the whole components of an argument.
func isNamed(root, path, arg string) bool {
	if rel, err := filepath.Rel(root, arg); filepath.IsAbs(arg) && err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel) == path
	}
	arg = strings.TrimPrefix(strings.TrimPrefix(arg, "./"), "/")
	return arg != "" && strings.HasSuffix("/"+path, "/"+arg)
}

// inFile finds the lines of one file that use the symbol, but for those to skip.
func (r *referenceRequest) inFile(part *marked, skip []int) (refs []reference) {
	path, text := part.Path, part.Text
	starts := lineStarts(text)
	needle := []byte(r.symbol)
	for from := 0; ; {
		i := bytes.Index(text[from:], needle)
		if i < 0 {
			return refs
		}
		start, end := from+i, from+i+len(needle)
		from = start + 1
		if !isolated(text, start, end) {
			continue
		}
		n, _ := slices.BinarySearch(starts, start+1)
		if slices.Contains(skip, n) {
			continue
		}
		line := lineAt(text, starts, n)
		at := start - starts[n-1]
		u := r.judge(line, at, min(at+len(needle), len(line)))
		ref := reference{path: path, line: n, use: u.name, confidence: adjust(u.base, path, line, at), column: utf8.RuneCountInString(line[:at]) + 1}
		if k := len(refs) - 1; k >= 0 && refs[k].line == n {
			if ref.confidence > refs[k].confidence {
				refs[k].use, refs[k].confidence, refs[k].column = ref.use, ref.confidence, ref.column
			}
			continue
		}
		ref.context = quoteLines(part, starts, n, r.around)
		refs = append(refs, ref)
	}
}

// isolated reports whether what stands at a place is no part of a longer word.
func isolated(text []byte, start, end int) bool {
	first, _ := utf8.DecodeRune(text[start:])
	last, _ := utf8.DecodeLastRune(text[:end])
	before, _ := utf8.DecodeLastRune(text[:start])
	after, _ := utf8.DecodeRune(text[end:])
	return !(isWord(first) && start > 0 && isWord(before)) && !(isWord(last) && end < len(text) && isWord(after))
}

func isWord(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}

// lineStarts returns where the lines of a text begin.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, c := range text {
		if c == '\n' && i+1 < len(text) {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// lineAt returns line n, from 1, without its end.
func lineAt(text []byte, starts []int, n int) string {
	end := len(text)
	if n < len(starts) {
		end = starts[n]
	}
	return strings.TrimRight(string(text[starts[n-1]:end]), "\r\n")
}

// maxContextLine is the bytes of a line that are shown.
const maxContextLine = 120

// quoteLines numbers the lines round one.
func quoteLines(part *marked, starts []int, n, around int) string {
	var b strings.Builder
	for i := max(1, n-around); i <= min(len(starts), n+around); i++ {
		line, more := lineAt(part.Text, starts, i), ""
		cut := len(line)
		if cut > maxContextLine {
			for cut = maxContextLine; !utf8.RuneStart(line[cut]); {
				cut--
			}
			more = "..."
		}
		fmt.Fprintf(&b, "%4d | %s%s\n", i, part.show(starts[i-1], starts[i-1]+cut), more)
	}
	return b.String()
}

// adjust changes a base score by what the file and the line are.
func adjust(score int, path, line string, at int) int {
	tag := language(path)
	if isTest(path) {
		score += 5
	}
	if isComment(tag, line) {
		score -= 30
	}
	if inString(tag, line, at) {
		score -= 20
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".txt", ".rst":
		score -= 25
	}
	return max(0, min(100, score))
}

// isTest reports whether the name of the file or of a folder says test or spec.
func isTest(path string) bool {
	spaced := strings.ToLower(camel().ReplaceAllString(path, "$1 $2"))
	words := strings.FieldsFunc(spaced, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(testWords, w) })
}

var testWords = strings.Fields("test tests testing testdata testcase testcases testutil testutils unittest unittests spec specs")

var camel = pattern.New(`([a-z0-9])([A-Z])`)

// isComment reports whether a line begins as a comment does. Neither headings
// and lists of documents nor the directives of C and the attributes of Rust do.
func isComment(tag, line string) bool {
	line = strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(line, "//"), strings.HasPrefix(line, "/*"):
		return true
	case tag == "markdown":
		return false
	case strings.HasPrefix(line, "*"):
		return true
	case strings.HasPrefix(line, "#"):
		return !slices.Contains([]string{"c", "cpp", "csharp", "rust", "php", "css", "scss"}, tag) || tag == "php" && !strings.HasPrefix(line, "#[")
	}
	return false
}

// inString reports whether a place of a line stands in a string literal that
// the line opens and closes.
func inString(tag, line string, at int) bool {
	quotes := "\"'`"
	switch tag {
	case "markdown", "plaintext":
		quotes = `"`
	}
	for i := 0; i < at; i++ {
		c := line[i]
		if !strings.ContainsRune(quotes, rune(c)) || c == '\'' && i > 0 && isWord(rune(line[i-1])) {
			continue
		}
		end := closing(line, i)
		if end < 0 {
			continue
		}
		if c == '\'' && end-i > 4 && slices.Contains([]string{"rust", "go", "java", "c", "cpp", "csharp", "kotlin", "swift", "scala"}, tag) {
			continue // a lifetime or a lone character, not a string
		}
		if at < end {
			return true
		}
		i = end
	}
	return false
}

// closing returns where the quote at a place closes, -1 where the line ends first.
func closing(line string, from int) int {
	for i := from + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case line[from]:
			return i
		}
	}
	return -1
}

// levels are the parts of an answer, and the least confidence of each.
var levels = []struct {
	name  string
	least int
}{{"High", 80}, {"Medium", 50}, {"Low", 0}}

func level(confidence int) int {
	return slices.IndexFunc(levels, func(l struct {
		name  string
		least int
	}) bool {
		return confidence >= l.least
	})
}

// score writes hundredths.
func score(hundredths int) string { return fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100) }

func (r *reference) text() string {
	return fmt.Sprintf("#### %s:%d\n%s\n- **Pattern:** %s\n- **Confidence:** %s\n\n", r.path, r.line, fenced(language(r.path), r.context), r.use, score(r.confidence))
}

func (r *references) markdown() string {
	if r.total == 0 {
		return fmt.Sprintf("No references found for `%s`\n\nSession last indexed: %s", r.symbol, r.age) + r.note
	}
	refs := fitting(r.shown)
	counts, files, update := summarize(refs)
	var parts [3]strings.Builder
	for i := range refs {
		parts[level(refs[i].confidence)].WriteString(refs[i].text())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## References to `%s` (%d found)\n\n", r.symbol, len(refs))
	for i, l := range levels {
		if counts[i] > 0 {
			fmt.Fprintf(&b, "### %s Confidence (%d)\n\n%s", l.name, counts[i], parts[i].String())
		}
	}
	b.WriteString("**Summary:**\n")
	for i, l := range levels {
		fmt.Fprintf(&b, "- %s confidence: %d references\n", l.name, counts[i])
	}
	fmt.Fprintf(&b, "- Total files: %d\n- Session indexed: %s", files, r.age)
	if len(r.shown) < r.total && len(refs) == len(r.shown) {
		fmt.Fprintf(&b, "\n\n%s", r.more())
	}
	if len(update) > 0 {
		b.WriteString("\n\n**Files to update:**")
		for _, path := range update {
			fmt.Fprintf(&b, "\n- `%s`", path)
		}
	}
	if len(refs) < len(r.shown) {
		b.WriteString("\n\n" + cutNote(len(refs), r.total))
	}
	return b.String() + r.note
}

// more says that max_results cut the list.
func (r *references) more() string {
	return fmt.Sprintf("Showing first %d of %d references; raise max_results to see more.", len(r.shown), r.total)
}

// summarize counts references by level, and their files, and names the files
// with one of high confidence.
func summarize(refs []reference) (counts [3]int, files int, update []string) {
	all, high := map[string]bool{}, map[string]bool{}
	for i := range refs {
		l := level(refs[i].confidence)
		counts[l]++
		all[refs[i].path] = true
		if l == 0 {
			high[refs[i].path] = true
		}
	}
	return counts, len(all), slices.Sorted(maps.Keys(high))
}

// fitting returns the first references that an answer has room for.
func fitting(refs []reference) []reference {
	room := &budget{maxChars - 1_000}
	files := map[string]bool{}
	for i := range refs {
		text := refs[i].text()
		if !files[refs[i].path] {
			files[refs[i].path] = true
			text += "- `" + refs[i].path + "`\n"
		}
		if !room.take(text) {
			return refs[:i]
		}
	}
	return refs
}
