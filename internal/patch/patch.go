// Package patch reads unified differences, as git diff and diff -u write them, and
// turns one version of a file into the other.
package patch

import (
	"strconv"
	"strings"

	"espy/internal/pattern"
	"espy/internal/place"
)

// File is what a difference says of one file.
type File struct {
	Old, New string // paths without a/ and b/; empty where there is no file
	Binary   bool   // that it differs is all that is said
	Runs     []Run
}

// Path is that of the newer version, of a file that was removed the older's.
func (f *File) Path() string {
	if f.New == "" {
		return f.Old
	}
	return f.New
}

// Run is a stretch of lines, some of which differ.
type Run struct {
	Old, New int    // its first line in each version, from 1
	Lines    []Line // in order
}

// Line is one line of a run.
type Line struct {
	Mark byte // ' ' of both versions, '-' of the older, '+' of the newer
	Text string
}

// head is the first line of a run.
var head = pattern.New(`^@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@`)

// Parse returns the files of a unified difference, nil for another text. Text
// between them, such as the message of a mail, is passed over.
func Parse(text string) []File {
	p := &parser{}
	for raw := range strings.Lines(text) {
		p.line(strings.TrimRight(raw, "\r\n"))
	}
	p.end()
	return p.files
}

// parser reads a difference line by line.
type parser struct {
	files    []File
	file     *File // the one that is read, nil for none
	old, new int   // lines that the run still has of each version
}

func (p *parser) line(l string) {
	if p.old > 0 || p.new > 0 {
		if p.runLine(l) {
			return
		}
		p.old, p.new = 0, 0 // the head of the run counts more lines than it has
	}
	switch {
	case strings.HasPrefix(l, "diff --git "):
		p.end()
		p.file = &File{}
		p.file.Old, p.file.New = gitPaths(l[len("diff --git "):])
	case strings.HasPrefix(l, "--- "):
		if p.file == nil || len(p.file.Runs) > 0 || p.file.Binary {
			p.end()
			p.file = &File{}
		}
		p.file.Old = pathOf(l[4:], "a/")
	case strings.HasPrefix(l, "+++ ") && p.file != nil:
		p.file.New = pathOf(l[4:], "b/")
	case p.file != nil && len(p.file.Runs) == 0 && p.extended(l):
	case p.file != nil && strings.HasPrefix(l, "@@ "):
		p.run(l)
	}
}

// extended reads what git says of a file above its runs.
func (p *parser) extended(l string) bool {
	name, value, _ := strings.Cut(l, " from ")
	switch {
	case name == "rename" && value != "", name == "copy" && value != "":
		p.file.Old = place.ParseName(value)
	case strings.HasPrefix(l, "rename to "), strings.HasPrefix(l, "copy to "):
		_, to, _ := strings.Cut(l, " to ")
		p.file.New = place.ParseName(to)
	case strings.HasPrefix(l, "new file mode "):
		p.file.Old = ""
	case strings.HasPrefix(l, "deleted file mode "):
		p.file.New = ""
	case strings.HasPrefix(l, "Binary files "), l == "GIT binary patch":
		p.file.Binary = true
	default:
		return false
	}
	return true
}

func (p *parser) run(l string) {
	m := head().FindStringSubmatch(l)
	if m == nil {
		return
	}
	count := func(text string) int {
		if text == "" {
			return 1
		}
		n, _ := strconv.Atoi(text) // digits, few enough
		return n
	}
	p.old, p.new = count(m[2]), count(m[4])
	r := Run{Old: count(m[1]), New: count(m[3])}
	if p.old == 0 { // it stands behind that line
		r.Old++
	}
	if p.new == 0 {
		r.New++
	}
	p.file.Runs = append(p.file.Runs, r)
}

// runLine adds a line to the last run; false for one that cannot stand in it.
func (p *parser) runLine(l string) bool {
	r := &p.file.Runs[len(p.file.Runs)-1]
	line := Line{Mark: ' '}
	if l != "" { // mail programs take the blank off an empty line
		line = Line{l[0], l[1:]}
	}
	switch {
	case line.Mark == '\\': // no end of line at the end of the file
		return true
	case line.Mark == ' ' && p.old > 0 && p.new > 0:
		p.old--
		p.new--
	case line.Mark == '-' && p.old > 0:
		p.old--
	case line.Mark == '+' && p.new > 0:
		p.new--
	default:
		return false
	}
	r.Lines = append(r.Lines, line)
	return true
}

// end takes the file that was read.
func (p *parser) end() {
	if f := p.file; f != nil && (len(f.Runs) > 0 || f.Binary || f.Old != f.New) && f.Path() != "" {
		p.files = append(p.files, *f)
	}
	p.file, p.old, p.new = nil, 0, 0
}

// pathOf is a path behind "--- " or "+++ ", without git's prefix and a time.
func pathOf(s, prefix string) string {
	s, _, _ = strings.Cut(s, "\t")
	s = place.ParseName(strings.TrimSpace(s))
	if s == "/dev/null" {
		return ""
	}
	return strings.TrimPrefix(s, prefix)
}

// gitPaths are the two paths behind "diff --git ", which are the same unless the
// lines below say otherwise.
func gitPaths(s string) (old, new string) {
	if half := len(s) / 2; len(s)%2 == 1 && s[half] == ' ' {
		return pathOf(s[:half], "a/"), pathOf(s[half+1:], "b/")
	}
	old, new, _ = strings.Cut(s, " ")
	return pathOf(old, "a/"), pathOf(new, "b/")
}
