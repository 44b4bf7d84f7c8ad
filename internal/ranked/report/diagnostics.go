package report

import (
	"slices"
	"strconv"
	"strings"

	"espy/internal/pattern"
	"espy/internal/rank"
)

// Diagnostic is a place that a compiler, a linter, a run of tests or a difference names.
type Diagnostic struct {
	Path     string // as written, with slashes
	Line     int    // 0 where a function says where
	Function string // "" where there is none
	Code     string // of the line, as the tool shows it; "" where it does not

	severity int
}

// How bad a diagnostic is.
const (
	isError   = iota // or says nothing of it
	isWarning        // which does not tell why something ended
	isNote           // which belongs to another one
)

// MaxDiagnostics bounds the diagnostics of a text.
const MaxDiagnostics = 32

// file is how tools write the path of a file.
const file = `(?P<path>(?:\b[A-Za-z]:[\\/])?[^\s:"'|<>,;=` + "`" + `\[(][^\s:"'|<>,;=` + "`" + `]*\.[A-Za-z]\w*)`

// A diagnostic of each form. The groups are named as those of frames.
var diagnosticForms = [...]func(string) []string{
	form(`^[\w.]+@` + file + `\((?P<line>\d+)\)`),                                                         // D, behind the type of what was thrown
	form(file + `-mixin-(?P<line>\d+)\(\d+`),                                                              // and in code that is made there
	form(file + `:(?P<line>\d+):\d+\b`),                                                                   // with a column: most tools
	form(`\bFile: ` + file + ` Line: (?P<line>\d+)`),                                                      // Questa, Quartus
	form(`^\w+: \*[A-Z],\w+ \(` + file + `,(?P<line>\d+)(?:\|\d+)?\)`),                                    // Xcelium
	form(`^\s*"?(?P<path>[^\s"',]+\.s?vh?)"?, (?P<line>\d+)(?::|$)`),                                      // VCS
	form(file + `:? ?[\[(](?P<line>\d+)(?:, ?\d+){0,3}[\])](?::| (?:Error|Warning|Hint)\b| [a-z]| @ \d)`), // a.ts(3,5): error; a.kt: (3, 5): msg; a.java:[3,5] msg; a.sv(3) @ 10
	form(file + `:[\[(](?P<line>\d+),\d+[\])]`),                                                           // Maven, GHC
	form(`^\s*(?:[╷│┃└─❯#*>]+ *|[a-z]+: +|\(\w+Error\) |Error Trace:\s*|Error: +)*` + file + `: ?(?P<line>\d+)(?:$|: ?\S)`), // mypy, javac, PHPUnit, testing of Go, Groovy
	form(`(?: in | at | ?\[|\()` + file + `:(?P<line>\d+)[)\]]?[:.]?$`),                                                     // PHP, minitest
	form(`(?:^|[\s"'])` + file + `["']?[:,]? (?:on )?line (?P<line>\d+)\b`),                                                 // shells, Terraform, PHP, OCaml
	form(`^At line (?P<line>\d+) of file ` + file + `$`),                                                                    // Fortran
	form(`file=` + file + `,line=(?P<line>\d+)`),                                                                            // GitHub
	form(file + `: .*\((?P<line>\d+):\d+\)$`),                                                                               // Babel
	form(`^At (?P<path>\S.*\.psm?1):(?P<line>\d+) char:\d+$`),                                                               // PowerShell
	form(`^[A-Z][\w-]*: (?P<path>\S.*\.psm?1):(?P<line>\d+)(?::\d+)?$`),                                                     // and since version 7
	form(`^\w+ +(?:Error|Warning|Information|ParseError) +(?P<path>\S+\.ps[md]?1) +(?P<line>\d+) `),                         // PSScriptAnalyzer
	form(`^CMake \w+ at ` + file + `:(?P<line>\d+)`),
	form(`\b(?:in|at) ` + file + ` (?P<line>\d+):\d+(?:-\d+)?$`), // webpack
}

var (
	maybe    = pattern.New(`\.[A-Za-z]\w*(?:-mixin-)?["']?[:,]? *(?:[\[(]|(?:on )?[Ll]ine[ =:] *)?\d|\(\d+:\d+\)$|^At line \d`) // whatever of these
	stamp    = pattern.New(`^(?:\d{4}-\d\d-\d\dT[\d:.]+Z )?(?:##\[\w+\])?`)                                                     // of GitHub
	included = pattern.New(`^(?:In file included )?from `)
	called   = pattern.New(`^(?:at |#\d+ )|, line \d+, in |\+0x[0-9a-f]+$`) // a line of a trace
	severity = pattern.New(`(?i)(?:(?:(error|failed)|(warning|warn)|\b(note|info|hint|help))(?:\[[\w-]+\])?(?: [A-Z]+\d+)?(?::|\]|\)$| \|| •|  )|(panicked at)|^(w:)|(required from|^:::))`)
	ofGo     = pattern.New(`^(?:FAIL\s+(\S+/\S+)\s|# \[?([^\s:\]]+/[^\s:\]]+)\]?$)`) // the package that lines above or below are of
	head     = pattern.New(`(?i)^(?:fatal )?(?:error|warning|note|help|info)(?:\[\w+\])?: `)
	table    = form(`^\s*(?:FILE: |File: |Line +)?` + file + `\s*$`)
	failing  = form(`^FAIL +` + file + `(?: |$)`)                    // of Jest, which marks the line below
	shown    = pattern.New(`^>? *(\d{1,7}) *[|│┃] ?(.*)$`)           // code behind its line
	quoted   = pattern.New(`^\+ +(?:\.\.\. +)?(\S.*?)(?: \.\.\.)?$`) // code below its place, of PowerShell
	caret    = pattern.New(`^(?:\[\w+\] +)?[~^]+$`)                  // below code
	level    = pattern.New(`^\[\w+\] +`)
	failed   = pattern.New(`^(?:FAILED|ERROR) (\S+\.py)::(?:\w+::)*(\w+)`) // of pytest
	changed  = form(`^(?:---|\+\+\+) (?:[ab]/)?` + file + `(?:\t.*)?$`)
	hunk     = pattern.New(`^@@ -(\d{1,7})(?:,\d+)? \+\d+(?:,\d+)? @@`)
	row      = pattern.New(`^(?:\s+:?|:)(\d{1,7})(?::\d+)?\s+\S`)
)

// Diagnostics returns the places that compilers, linters and runs of tests name in a
// text, errors first, each once. Beside a trace a warning says nothing.
func Diagnostics(text string) (all []Diagnostic) {
	d := diagnosing{}
	for line := range strings.Lines(terminal().ReplaceAllString(text, "")) {
		d.line(stamp().ReplaceAllString(strings.TrimRight(line, " \t\r\n"), ""))
	}
	if d.traced {
		d.all = slices.DeleteFunc(d.all, func(d Diagnostic) bool { return d.severity > isError })
	}
	slices.SortStableFunc(d.all, func(a, b Diagnostic) int { return a.severity - b.severity })
	return d.all
}

// diagnosing reads a text line by line.
type diagnosing struct {
	all    []Diagnostic
	head   int    // severity that the last heading tells
	table  string // path of the file that rows are of, "" outside of a table
	failed string // path of the tests that fail
	traced bool   // the text has a trace
	folder string // of the package of Go that lines are of
	told   int    // of so many places the package is known
	diff   string // path of the file that a difference changes
	hunk   int    // line of it, 0 outside of what stands before its first change
	before string // the line before, "" where that names a place
	named  string // and that then
}

func (d *diagnosing) line(line string) {
	n := len(d.all)
	if d.differs(line) {
		return
	}
	if text := strings.TrimSpace(line); text == "" {
		d.table, d.before = "", ""
	} else if d.shows(text); !d.tells(text) {
		d.places(line, text)
		if d.before, d.named = text, ""; len(d.all) > n {
			d.before, d.named = "", text
		}
	}
}

// differs reads a line of a difference, which leads to its first change of a run. It reports
// whether it is one.
func (d *diagnosing) differs(line string) bool {
	if m := changed(line); m != nil {
		d.diff, d.hunk = m[0], 0
		return true
	}
	if m := hunk().FindStringSubmatch(line); m != nil && d.diff != "" {
		d.hunk, _ = strconv.Atoi(m[1])
		d.hunk = max(1, d.hunk)
		return true
	}
	switch {
	case d.hunk == 0 || line == "":
		return false
	case line[0] == ' ':
		d.hunk++
		return true
	case line[0] == '-' || line[0] == '+':
		d.add(Diagnostic{Path: d.diff, Line: d.hunk})
		d.hunk = 0
		return true
	}
	return false
}

// shows reads a line that shows the code of the last place: behind its number, or above a
// mark.
func (d *diagnosing) shows(text string) {
	if len(d.all) == 0 {
		return
	}
	last := &d.all[len(d.all)-1]
	if m := shown().FindStringSubmatch(text); m != nil && m[1] == strconv.Itoa(last.Line) {
		last.Code = m[2]
	} else if m := quoted().FindStringSubmatch(text); m != nil && last.Code == "" && strings.HasPrefix(d.named, "At ") {
		last.Code = m[1]
	} else if last.Code == "" && caret().MatchString(text) {
		last.Code = strings.TrimPrefix(level().ReplaceAllString(d.before, ""), strconv.Itoa(last.Line)+" ")
	}
}

// tells reads a line that names no place but tells of others. It reports whether it is one.
func (d *diagnosing) tells(text string) bool {
	if m := ofGo().FindStringSubmatch(text); m != nil {
		d.inPackage(m[1]+m[2], text[0] == '#')
		return true
	}
	if head().MatchString(text) {
		d.head = severityOf(text, isError)
	}
	if called().MatchString(text) {
		d.traced = true
		return true
	}
	if m := failing(text); m != nil {
		d.failed = m[0]
		return true
	}
	return included().MatchString(text)
}

// places reads a line that may name a place.
func (d *diagnosing) places(line, text string) {
	if m := table(line); m != nil {
		d.table = m[0]
		return
	}
	if m := failed().FindStringSubmatch(text); m != nil {
		d.add(Diagnostic{Path: m[1], Function: m[2], severity: isNote}) // the summary of what is told above it
		return
	}
	if m := shown().FindStringSubmatch(text); m != nil {
		if d.failed != "" && text[0] == '>' {
			d.add(at(d.failed, m[1], isError))
			d.shows(text)
		}
		return
	}
	if m := row().FindStringSubmatch(line); m != nil && d.table != "" {
		d.add(at(d.table, m[1], severityOf(text, d.head)))
		return
	}
	if !maybe().MatchString(text) {
		return
	}
	if m := matched(text); m != nil && (m[2] != "" || strings.HasSuffix(m[0], ".go") && goCall().MatchString(d.before)) {
		d.traced = true
		return
	}
	if m := placeOf(text); m != nil {
		d.add(at(m[0], m[1], severityOf(strings.Replace(text, m[0], "", 1), d.head)))
	}
}

// placeOf returns path and line that a line names, as the tools do; nil where it names none.
func placeOf(text string) []string {
	if !maybe().MatchString(text) {
		return nil
	}
	for _, f := range diagnosticForms {
		if m := f(text); m != nil {
			return m
		}
	}
	return nil
}

// inPackage tells of which package of Go the lines below are, or those above.
func (d *diagnosing) inPackage(folder string, below bool) {
	if below {
		d.folder = folder
		return
	}
	for i := d.told; i < len(d.all); i++ {
		if p := &d.all[i]; strings.HasSuffix(p.Path, ".go") && !strings.Contains(p.Path, "/") {
			p.Path = folder + "/" + p.Path
		}
	}
	d.told = len(d.all)
}

// at returns the diagnostic of a line of a file.
func at(path, line string, severity int) Diagnostic {
	n, _ := strconv.Atoi(line) // digits, few enough
	return Diagnostic{Path: path, Line: n, severity: severity}
}

// add adds a place, once.
func (d *diagnosing) add(one Diagnostic) {
	one.Path = strings.TrimPrefix(strings.ReplaceAll(one.Path, `\`, "/"), "./")
	if d.folder != "" && strings.HasSuffix(one.Path, ".go") && !strings.Contains(one.Path, "/") {
		one.Path = d.folder + "/" + one.Path
	}
	known := func(o Diagnostic) bool { return o.Path == one.Path && o.Line == one.Line && o.Function == one.Function }
	if one.Line == 0 && one.Function == "" || len(d.all) == MaxDiagnostics || slices.ContainsFunc(d.all, known) {
		return
	}
	d.all = append(d.all, one)
}

// severityOf returns how bad a line says that it is, what stands above it where it
// does not.
func severityOf(text string, above int) int {
	switch m := severity().FindStringSubmatch(text); {
	case m == nil:
		return above
	case m[1]+m[4] != "":
		return isError
	case m[2]+m[5] != "":
		return isWarning
	}
	return isNote
}

// Bounds of what people say about what a tool printed.
const (
	fewSaid  = 40 // words: of more it is what they say that is asked about,
	someSaid = 12 // and of so many a file without a folder may be one of another program
)

// asked returns the diagnostics that a report is about in which people say so many words:
// of an issue those say little that it quotes.
func asked(all []Diagnostic, said int) []Diagnostic {
	return slices.DeleteFunc(all, func(d Diagnostic) bool { return said >= fewSaid || said >= someSaid && !strings.Contains(d.Path, "/") })
}

// said returns how many words of sentences a report has.
func (r *Report) said() (n int) {
	for line := range strings.Lines(r.Texts[Prose]) {
		if words := strings.Fields(line); isSaid(words) && placeOf(strings.TrimSpace(line)) == nil {
			n += len(words)
		}
	}
	return n
}

// stopShare is how many words of a sentence have a stop word among them.
const stopShare = 6

// gutter is what tools write at the beginning of lines that go with a place.
const gutter = "│┃|╷╵╰└┌=^~"

// isSaid reports whether the words of a line are part of a sentence, and no line that a
// tool prints around a place.
func isSaid(words []string) bool {
	if len(words) > 0 && strings.ContainsAny(words[0], gutter) {
		return false
	}
	stop := 0
	for _, w := range words {
		if rank.IsStopword(w) {
			stop++
		}
	}
	return stop*stopShare >= len(words) && !slices.ContainsFunc(words, placed().MatchString)
}

// placed is a word that ends in a place of a file.
var placed = pattern.New(`\.\w+(?::|[(\[]|:[(\[])\d+`)
