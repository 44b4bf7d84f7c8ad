package locate

import (
	"bytes"
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/lang"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// Lines are those of a text.
type Lines []string

// LinesOf cuts a text into its lines.
func LinesOf(text []byte) Lines {
	var all Lines
	for _, line := range bytes.Split(text, []byte("\n")) {
		all = append(all, string(line))
	}
	return all
}

// at is a line, from 1; empty where the text lacks it.
func (t Lines) at(n uint32) string {
	if n == 0 || int(n) > len(t) {
		return ""
	}
	return t[n-1]
}

// level tells which definitions stand in others: how far they are indented, and of
// headings the level that their marks say.
func (t Lines) level(d code.Definition) int {
	line := t.at(d.Line)
	rest := strings.TrimLeft(line, " \t")
	if d.Kind != code.KindHeading {
		return columns(line[:len(line)-len(rest)])
	}
	if marks := len(rest) - len(strings.TrimLeft(rest, "#=")); marks > 0 {
		return marks
	}
	if strings.HasPrefix(strings.TrimSpace(t.at(d.Line+1)), "=") {
		return 1
	}
	return 2
}

// columns is how far some blanks reach. A tab reaches the next multiple of eight.
func columns(blanks string) (n int) {
	for i := range len(blanks) {
		n++
		if blanks[i] == '\t' {
			n = (n + 7) &^ 7
		}
	}
	return n
}

// End is the last line of a definition: of a heading that of its section, of code the
// last that is indented deeper, and what closes it.
func (t Lines) End(all []code.Definition, i int) int {
	if all[i].Kind != code.KindHeading {
		end, _ := t.bodyEnd(all, i)
		return end
	}
	end := len(t)
	for _, next := range all[i+1:] {
		if t.level(next) <= t.level(all[i]) {
			end = int(next.Line) - 1
			break
		}
	}
	for end > int(all[i].Line) && strings.TrimSpace(t[end-1]) == "" {
		end--
	}
	return end
}

// Nesting tells which definitions of a text, in its order, stand in which.
type Nesting struct {
	lines   Lines
	all     []code.Definition
	reaches []int // of each definition the last line of what stands in it; 0 before it is asked for
}

// Nesting returns that of definitions of the text.
func (t Lines) Nesting(all []code.Definition) *Nesting {
	return &Nesting{t, all, make([]int, len(all))}
}

// Holds reports whether definition i stands round definition j behind it: j is indented
// deeper, and i has not ended before it.
func (n *Nesting) Holds(i, j int) bool {
	return n.lines.level(n.all[i]) < n.lines.level(n.all[j]) && n.reach(i) >= int(n.all[j].Line)
}

// reach is the last line of what stands in a definition. Only what closes it ends a type.
func (n *Nesting) reach(i int) int {
	if n.reaches[i] == 0 {
		n.reaches[i] = math.MaxInt
		if n.all[i].Kind != code.KindHeading {
			if end, closed := n.lines.bodyEnd(n.all, i); closed || n.all[i].Kind.IsFunc() {
				n.reaches[i] = end
			}
		}
	}
	return n.reaches[i]
}

// maxBody is how many lines of a definition are looked at for its end.
const maxBody = 2000

// bodyEnd is the last line of a definition of code, and whether that closes it. The next one
// that is not indented deeper bounds it; what is written in a text may stand in any column.
func (t Lines) bodyEnd(all []code.Definition, i int) (end int, closed bool) {
	d := all[i]
	level, last := t.level(d), min(len(t), int(d.Line)+maxBody)
	for _, next := range all[i+1:] {
		if next.Line > d.Line && t.level(next) <= level && next.Name != d.Name {
			last = min(last, int(next.Line)-1)
			break
		}
	}
	if n := t.ended(&d, level, last); n > 0 {
		return n, true
	}
	end = int(d.Line)
	requires := t.headEnd(int(d.Line)) + 1 // the line where a condition may stand
	text := opensText(t.at(d.Line), false)
	for n := end + 1; n <= last; n++ {
		line := t.at(uint32(n))
		rest := strings.TrimLeft(line, " \t")
		within := text
		text = opensText(line, text)
		switch indent := columns(line[:len(line)-len(rest)]); {
		case strings.TrimSpace(rest) == "":
			continue
		case within || indent > level || lang.IsDirective(line):
		case indent < level:
			return end, false
		case isCloser(rest):
			return n, true
		case n == requires && isCondition(rest):
			requires = t.headEnd(n) + 1
		case !isOpener(rest) && !strings.HasPrefix(rest, d.Name):
			return end, strings.HasSuffix(strings.TrimSpace(rest), "{") // of something else
		}
		end = n
	}
	return end, false
}

// ended is the line of the keyword that ends a definition in its column, as endmodule ends what
// module begins, 0 where there is none.
func (t Lines) ended(d *code.Definition, level, last int) int {
	before, _, _ := strings.Cut(strings.ToLower(t.at(d.Line)), strings.ToLower(d.Name))
	begins := strings.Fields(before)
	if len(begins) == 0 {
		return 0
	}
	for n := int(d.Line) + 1; n <= last; n++ {
		line := t.at(uint32(n))
		rest := strings.TrimLeft(line, " \t")
		if rest == "" || rest[0]|0x20 != 'e' {
			continue
		}
		if word, ok := strings.CutPrefix(firstWord(rest), "end"); ok && columns(line[:len(line)-len(rest)]) == level && slices.Contains(begins, word) {
			return n
		}
	}
	return 0
}

// opensText reports whether a text in double quotes is open at the end of a line.
func opensText(line string, open bool) bool {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case line[i] == '"' && (open || i == 0 || line[i-1] != '\''): // '"' is a character
			open = !open
		}
	}
	return open
}

// isCloser reports whether a line ends the definition that begins in its column.
func isCloser(line string) bool {
	if strings.IndexByte("})]", line[0]) >= 0 {
		return !strings.HasSuffix(strings.TrimSpace(line), "{") // ) {
	}
	word := firstWord(line)
	return strings.HasPrefix(word, "end") || word == "fi" || word == "done"
}

// isOpener reports whether a line goes on with the definition that begins in its column.
func isOpener(line string) bool {
	if strings.IndexByte("{)", line[0]) >= 0 {
		return true
	}
	word := firstWord(line)
	if word != "" && strings.HasPrefix(line[len(word):], ":(") { // a part of the name of a method of Objective-C
		return true
	}
	switch word {
	case "begin", "is", "where", "in", "var", "as":
		return true
	}
	return false
}

// maxHead is how many lines the parameters of a definition may take.
const maxHead = 50

// headEnd is the line where the brackets of a declaration, or of a condition, end that begins
// on a line, 0 where they do not, or where its body begins with it.
func (t Lines) headEnd(line int) int {
	open := 0
	for n := line; n <= min(len(t), line+maxHead); n++ {
		text := t.at(uint32(n))
		if strings.ContainsAny(text, "{};") {
			return 0
		}
		if open += strings.Count(text, "(") - strings.Count(text, ")"); open <= 0 {
			return n
		}
	}
	return 0
}

// isCondition reports whether a line is what a template or a function of D requires, which
// stands between its name and its body.
func isCondition(line string) bool {
	return strings.HasPrefix(line, "if (") || strings.HasPrefix(line, "out (") || line == "do"
}

// firstWord is the letters that a line begins with, in small ones.
func firstWord(line string) string {
	rest := strings.TrimLeft(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return strings.ToLower(line[:len(line)-len(rest)])
}

// Signature is the line of a definition without its brace, or its name where the line
// does not hold that.
func (t Lines) Signature(d code.Definition) string {
	line := t.at(d.Line)
	line = strings.TrimRight(strings.TrimSpace(line), " \t{")
	if !strings.Contains(line, d.Name) {
		return d.Name
	}
	return line
}

// Outlined says where a name is declared that only lines tell of, and in which language
// without a grammar: nothing is known of its uses. It is empty where nothing declares it.
func (a *Ask) Outlined(name string) (string, error) {
	all, err := a.ByLine(name)
	for _, d := range all {
		if a.Corpus.Family(d.File) == corpus.NoFamily {
			return a.Corpus.Where(d), err
		}
	}
	return "", err
}

// Besides finds the definitions of a name that stand beside those which grammars found: in
// code without a grammar, and in files that are not parsed yet.
func (a *Ask) Besides(name string) ([]corpus.Outlined, error) {
	all, err := a.ByLine(name)
	parts := facts.SplitName(name)
	return slices.DeleteFunc(all, func(d corpus.Outlined) bool {
		if a.Corpus.Family(d.File) != corpus.NoFamily {
			return a.Corpus.State(d.File) != syn.Absent
		}
		return d.Kind == code.KindHeading || d.Name != parts[len(parts)-1] || !lang.IsCode(a.Corpus.Language(d.File))
	}), err
}

// ByLine finds the definitions of a name that were found line by line. Where some have the
// very name, only headings may differ from it in case. Those of path#name stand in that file.
func (a *Ask) ByLine(name string) ([]corpus.Outlined, error) {
	if file, local, ok := a.cutID(name); ok {
		if f, ok := a.Corpus.Find(path.Clean(file)); ok {
			all, err := a.ByLine(local)
			return slices.DeleteFunc(all, func(d corpus.Outlined) bool { return d.File != f }), err
		}
	}
	parts := facts.SplitName(name)
	if len(parts) == 0 {
		return nil, nil
	}
	all, err := a.Corpus.Outlined(name)
	if err == nil && len(all) == 0 && len(parts) > 1 {
		name = parts[len(parts)-1]
		if all, err = a.Corpus.Outlined(name); err == nil {
			all, err = a.qualified(all, parts[:len(parts)-1])
		}
	}
	if slices.ContainsFunc(all, func(d corpus.Outlined) bool { return d.Name == name }) {
		all = slices.DeleteFunc(all, func(d corpus.Outlined) bool { return d.Name != name && d.Kind != code.KindHeading })
	}
	slices.SortStableFunc(all, func(x, y corpus.Outlined) int { return cmp.Compare(a.lineRank(x, name), a.lineRank(y, name)) })
	return all, err
}

// lineRank is the place of a definition among others: names that differ in case and
// headings stand last, tests and documents behind the program.
func (a *Ask) lineRank(d corpus.Outlined, name string) int {
	switch {
	case d.Name != name:
		return 3
	case d.Kind == code.KindHeading:
		return 2
	case a.Corpus.Class(d.File)&(code.ClassTest|code.ClassExample|code.ClassDocs) != 0:
		return 1
	}
	return 0
}

// qualified leaves the definitions that stand in what the words before their name say:
// a definition round them, the file or a folder round it, or their own line, as in resource "type" "name".
func (a *Ask) qualified(all []corpus.Outlined, before []string) (some []corpus.Outlined, err error) {
	for _, d := range all {
		if a.Late() {
			break
		}
		text, err := a.Text(d.File)
		if err != nil {
			return nil, err
		}
		t := LinesOf(text)
		words := strings.FieldsFunc(t.at(d.Line), func(r rune) bool { return strings.ContainsRune(" \t\"'.,:;(){}[]#`", r) })
		words = append(words, t.around(a.Corpus.Definitions(d.File), d.Definition)...)
		file := a.Corpus.Of(d.File).Path(d.File)
		places := strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/")
		if !slices.ContainsFunc(before, func(part string) bool {
			return !slices.ContainsFunc(places, func(place string) bool { return strings.EqualFold(part, place) }) &&
				!slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, part) })
		}) {
			some = append(some, d)
		}
	}
	return some, nil
}

// around are the names of the definitions that one stands in.
func (t Lines) around(all []code.Definition, d code.Definition) (names []string) {
	within, nesting := slices.Index(all, d), t.Nesting(all)
	for i := within - 1; i >= 0; i-- {
		if nesting.Holds(i, within) {
			names, within = append(names, all[i].Name), i
		}
	}
	return names
}

// Within names the definition of code that a line of a file stands in, with those round
// it (Outer.inner), where the file is read line by line; "" where it stands in none.
func (a *Ask) Within(f corpus.FileID, line int) (string, error) {
	all := a.Corpus.Definitions(f)
	if len(all) == 0 {
		return "", nil
	}
	if a.lined.of != f || a.lined.lines == nil {
		text, err := a.Text(f)
		if err != nil {
			return "", err
		}
		a.lined = lined{of: f, lines: LinesOf(text), ends: make([]int, len(all))}
	}
	for i := len(all) - 1; i >= 0; i-- {
		if d := all[i]; int(d.Line) > line || d.Kind == code.KindHeading {
			continue
		}
		if a.lined.ends[i] == 0 {
			a.lined.ends[i] = a.lined.lines.End(all, i)
		}
		if a.lined.ends[i] >= line {
			names := a.lined.lines.around(all, all[i])
			slices.Reverse(names)
			return strings.Join(append(names, all[i].Name), "."), nil
		}
	}
	return "", nil
}

// lined is a file that is read line by line.
type lined struct {
	of    corpus.FileID
	lines Lines
	ends  []int // of its definitions; 0 where not known yet
}

// LineDefinition describes a definition that was found line by line. It has no id.
func (a *Ask) LineDefinition(o corpus.Outlined, body bool) (Definition, error) {
	d := Definition{
		Path: a.Corpus.Path(o.File), Line: int(o.Line), EndLine: int(o.Line), Name: o.Name, QualifiedName: o.Name, Kind: o.Kind,
		Uses: a.CountUses(o.Name), Confidence: facts.Likely, Reason: "found line by line: no grammar read its file",
	}
	text, err := a.Text(o.File)
	if err != nil {
		return d, err
	}
	t := LinesOf(text)
	d.Column = strings.Index(t.at(o.Line), o.Name) + 1
	d.Signature = t.Signature(o.Definition)
	all := a.Corpus.Definitions(o.File)
	if i := slices.Index(all, o.Definition); i >= 0 {
		d.EndLine = max(d.Line, min(t.End(all, i), len(t)))
	}
	if body && d.Line <= len(t) {
		d.Body = strings.Join(t[d.Line-1:d.EndLine], "\n") + "\n"
	}
	return d, nil
}
