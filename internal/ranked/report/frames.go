package report

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"espy/internal/pattern"
)

// Frame is a call in a trace, or a place that a text points at.
type Frame struct {
	Path     string // as written, with slashes; "" where there is none
	Line     int    // 0 where there is none
	Function string // its bare name, "" where there is none
	Within   string // the module or type of it, where there is no path
	Told     bool   // by a message, rather than by a line of a trace
}

// maxFrames bounds the frames of a text.
const maxFrames = 64

// A frame of each family of languages. The groups are named as the fields.
var frameForms = [...]func(string) []string{
	form(`^\s*File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in "?(?P<function>[\w.:<>]+))?`),                                       // Python
	form(`^\s*(?:File )?(?P<path>[~./\w-][^\s:,]*\.py)(?:, line |:)(?P<line>\d+)[:,]? in (?P<function>[\w.<>]+)`),                   // IPython, pytest
	form(`^\s*(?P<path>(?:[A-Za-z]:)?[~./\\\w-][^\s:,]*\.py) in (?P<function>[\w.<>]+)\(`),                                          // IPython before 8, which has the line below
	form(`^(?P<path>[~./\w-]\S*\.py):(?P<line>\d+): (?:in (?P<function>\w+))?`),                                                     // pytest
	form(`(?:^|: |  )\s*at (?:async )?(?P<function>[\w$.<>/ \[\]-]+?) ?\((?:file://)?(?P<path>[^()\s]+?):(?P<line>\d+)(?::\d+)?\)`), // Java, JavaScript, also in a log
	form(`^\s*(?P<function>[\w$./<>*]*)@(?P<path>\S+?):(?P<line>\d+):\d+$`),                                                         // Firefox, Safari
	form(`^\s*at (?:async )?(?:file://)?(?P<path>[^()\s]+?):(?P<line>\d+)(?::\d+)?$`),                                               // JavaScript, Rust
	form(`^\s*(?P<path>/\S+\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?$`),                                                                // Go
	form(`^\s*#\d+ +(?:0x[0-9a-f]+ +)?(?:in )?(?P<function>[\w:~<>]+).*? (?:at )?(?P<path>\S+\.\w+):(?P<line>\d+)`),                 // C, C++
	form(`^\s*\d+: +(?:0x[0-9a-f]+ - )?(?P<function>[\w:<>{}$ ]+)$`),                                                                // Rust
	form(`^\s*at (?P<function>[\w.<>` + "`" + `+\[\],]+) ?\([^()]*\) in (?P<path>.+?):line (?P<line>\d+)`),                          // C#
	ofType(`^\s*at (?P<function>[\w.` + "`" + `]+)\((?:[\w.` + "`" + `\[\],&*]+ \w+(?:, |\)))*\)?$`),                                // C# without places
	form(`^\s*#\d+ (?P<path>\S+\.php)\((?P<line>\d+)\): (?:[\w\\]+(?:->|::))?(?P<called>\w*)`),                                      // PHP, which names what is called there
	form(`^\s*(?:(?P<called>[\w:]+)\(.*\)|\w+ .*)? called at (?P<path>\S+) line (?P<line>\d+)\.?$`),                                 // Perl, which does so too
	form(`^\s*(?P<called>[\w.']+), called at (?P<path>\S+\.l?hs):(?P<line>\d+):\d+ in `),                                            // Haskell, which does so too
	form(`^\s*at (?P<function><?[\w:.-]+>?), (?P<path>\S.*\.psm?1): ?(?:line )?(?P<line>\d+)$`),                                     // PowerShell
	form("(?:^|\\s)(?:from )?(?P<path>\\S+\\.\\w+):(?P<line>\\d+):in [`'](?:[^'`]* in )?(?P<function>[^'`]+)'"),                     // Ruby
	form(`^\s*(?:\([\w .-]+\) )?(?P<path>\S+\.exs?):(?P<line>\d+): (?P<function>[\w.!?]+)/\d+`),                                     // Elixir
	form(`^\s*(?P<path>\S+\.lua):(?P<line>\d+): in (?:\w+ )?(?:\w+ )?['<](?P<function>[\w.:]+)['>]`),                                // Lua
	form(`^\s*\[\d+\] (?P<function>[\w.!]+)\(`),                                                                                     // Julia, which has the line below
	form(`^\s*@ (?:[\w.]+ )?(?P<path>\S+\.jl):(?P<line>\d+)$`),                                                                      // and there
	form(`^\s*(?P<function>[\w*+!?<>=-]*\w-[\w*+!?<>=-]+)\(.*\)$`),                                                                  // Emacs, which names no files
	form(`^\s*at (?P<function>[\w$.]+)\((?P<path>\w+\.(?:java|groovy|kt|scala))\)$`),                                                // Java without lines
	form(`^\s*at (?P<function>[\w$.]+\..+)\((?P<path>\w+\.(?:groovy|kt|scala)):(?P<line>\d+)\)$`),                                   // methods that are called by a sentence
	symbol(`^\s*#\d+ +(?:0x[0-9a-f]+ +)?in (?P<function>[\w:~<>$.]+?)(?:\+0x[0-9a-f]+)?(?: ?\(.*)?(?: from \S+)?$`),                 // C without lines, Fortran
	symbol(`^\s*\S*\((?P<function>\w+)\+0x[0-9a-f]+\) ?\[0x[0-9a-f]+\]$`),                                                           // backtrace_symbols of glibc
	symbol(`^\S+ +[0-9A-Fa-f]{8,16} +(?P<function>\w+) +(?:(?P<line>\d+) +(?P<path>\S+\.\w+)|Unknown +Unknown)$`),                   // Intel Fortran
	symbol("undefined (?:reference to [`'\"]|symbol: )(?P<function>[\\w:~.$]+)"),                                                    // linkers
	symbol("unresolved external symbol (?:\".*\\()?(?P<function>\\w+)"),                                                             // that of Windows
	functionOfD(`^(?:\?\?:\?|(?P<path>\S+\.d):(?P<line>\d+)) (?P<function>\S.*?) \[0x[0-9a-f]+\]$`),
	form(`https?://\S+?/(?:blob|tree|blame|src)/[\w.-]+/(?P<path>[^\s#?)>\]"']+)(?:#L?(?P<line>\d+))?`), // a site that hosts
}

// form returns what finds a frame of a form in a line: path, line, function, and which
// function is called there.
func form(expr string) func(string) []string {
	re := pattern.New(expr)
	return func(line string) []string {
		m := re().FindStringSubmatch(line)
		if m == nil {
			return nil
		}
		var out [4]string
		for i, name := range re().SubexpNames() {
			if k := slices.Index([]string{"path", "line", "function", "called"}, name); k >= 0 {
				out[k] = m[i]
			}
		}
		return out[:]
	}
}

// symbol is a form in which functions are called by the symbols of a linker.
func symbol(expr string) func(string) []string {
	return then(expr, func(m []string) {
		name := written(m[2])
		if m[0] == "" && strings.HasPrefix(m[2], "_D") && name != m[2] {
			m[0] = moduleOfD(name)
		}
		m[2] = name
	})
}

// ofType is a form of C#, whose methods are of a type that has a file.
func ofType(expr string) func(string) []string {
	return then(expr, func(m []string) {
		if i := strings.LastIndexByte(m[2], '.'); i > 0 {
			m[0] = strings.ReplaceAll(m[2][:i], ".", "/") + ".cs"
		}
	})
}

// functionOfD is a form that shows whole declarations of D, whose modules are files.
func functionOfD(expr string) func(string) []string {
	return then(expr, func(m []string) {
		if m[2] = ofD(m[2]); m[0] == "" {
			m[0] = moduleOfD(m[2])
		}
	})
}

// then is a form whose groups are changed where it is found.
func then(expr string, change func(m []string)) func(string) []string {
	find := form(expr)
	return func(line string) []string {
		m := find(line)
		if m != nil {
			change(m)
		}
		return m
	}
}

// goCall is the line of a Go trace above that of its file.
var goCall = pattern.New(`^(?:created by )?[\w./*()%-]*?\.?\(?\*?[\w.\[\]]*\)?\.(\w+)(?:\(.*\)|(?:\.func\d+)* in goroutine \d+)$`)

// mention is a place that a message names.
var mention = form(`(?P<function>[\w.]+) \((?P<path>[\w./-]+\.\w+):(?P<line>\d+)\)`)

// arrow is how IPython marks the line of a frame among those around it.
var arrow = pattern.New(`^-+> ?(\d{1,7})\b`)

// died is where Perl was when it told what stands before that.
var died = pattern.New(` at (\S+) line (\d+)(?:, <[^<>]*> (?:line|chunk) \d+)?\.$`)

// Frames returns the frames of a text, the innermost first: those of Python stand
// the other way round, and those of what caused an exception after it.
func Frames(text string) (all []Frame) {
	before, caused := "", 0
	var causes []Frame
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := arrow().FindStringSubmatch(line); m != nil && len(all) > 0 && all[len(all)-1].Line == 0 {
			all[len(all)-1].Line, _ = strconv.Atoi(m[1])
		}
		if strings.HasPrefix(line, "Caused by: ") || strings.HasPrefix(line, "[cause]: ") {
			causes = append(slices.Clone(all[caused:]), causes...)
			caused = len(all)
		}
		if f, called, ok := frameOf(line, before); ok && len(all) < maxFrames {
			if died := died().FindStringSubmatch(before); died != nil && called != "" {
				n, _ := strconv.Atoi(died[2])
				all = append(all, Frame{Path: died[1], Line: n})
			}
			if called != "" && len(all) > 0 && all[len(all)-1].Function == "" {
				all[len(all)-1].Function = bare(called)
			}
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
		before = line
	}
	all = append(slices.Clone(all[caused:]), causes...)
	if strings.Contains(text, "most recent call last") {
		slices.Reverse(all)
	}
	return all
}

// frameOf returns the frame that a line is, after the line before it, and the function that
// is called there.
func frameOf(line, before string) (f Frame, called string, ok bool) {
	m := matched(line)
	told := m == nil
	if told {
		m = mention(line)
	}
	if m == nil {
		return f, "", false
	}
	n, _ := strconv.Atoi(m[1])
	if !told {
		called = m[3]
	}
	if address, _, ok := strings.Cut(m[0], "?"); ok && strings.Contains(address, "://") { // of a server, with the version of the file
		m[0] = address
	}
	f = Frame{Told: told, Path: strings.ReplaceAll(m[0], `\`, "/"), Line: n, Function: bare(m[2])}
	if folders, sentence := packageOf(m[2], strings.TrimSuffix(f.Path, path.Ext(f.Path))); folders != "" && !strings.Contains(f.Path, "/") {
		f.Path = folders + "/" + f.Path
		if sentence != "" {
			f.Function = sentence
		}
	}
	if i := strings.LastIndexByte(m[2], '.'); i > 0 && f.Path == "" {
		f.Within = bare(m[2][:i])
	}
	if f.Function != "" {
		return f, called, true
	}
	if above := goCall().FindStringSubmatch(before); above != nil && strings.HasSuffix(f.Path, ".go") {
		f.Function = above[1]
	} else if above := matched(before); above != nil && above[0] == "" && f.Path != "" {
		f.Function = bare(above[2])
	}
	return f, called, true
}

// matched returns path, line and function of a line that is a frame, nil of another.
func matched(line string) []string {
	if !strings.ContainsAny(line, "0123456789") && !strings.Contains(line, "://") && !strings.Contains(line, ".py in ") && !strings.Contains(line, " symbol") &&
		!strings.Contains(line, "undefined reference") && !strings.HasPrefix(line, "at ") && !strings.HasSuffix(line, ")") {
		return nil
	}
	for _, f := range frameForms {
		if m := f(line); m != nil {
			return m
		}
	}
	return nil
}

// packageOf returns the folders of the package that a method of Java is of, "" where its
// name has none: a.b.Type.method is in a/b. Of a method that a sentence is the name of, as tests of
// Groovy and Kotlin are, it returns that too; the type must be called like its file.
func packageOf(name, stem string) (folders, sentence string) {
	name = name[strings.LastIndexByte(name, '/')+1:]
	if at := strings.Index(name, stem+"."); at >= 0 && strings.Contains(name, " ") {
		sentence = name[at+len(stem)+1:]
		name = name[:at+len(stem)] + ".sentence"
	}
	parts := strings.Split(name, ".")
	if len(parts) < minQualified && !(len(parts) == minQualified-1 && typeOf(parts) == stem) || strings.Contains(name, " ") {
		return "", ""
	}
	return strings.Join(parts[:len(parts)-2], "/"), sentence
}

// typeOf returns the type in the parts of a name, without what stands within it.
func typeOf(parts []string) string {
	name, _, _ := strings.Cut(parts[len(parts)-2], "$")
	return name
}

// minQualified is the fewest parts of a name with a package, a type and a method, one less where
// the file is called like the type.
const minQualified = 4

// IsFrame reports whether a line is one of a trace, which names places and says nothing.
func IsFrame(line string) bool {
	line = strings.TrimSpace(line)
	return goCall().MatchString(line) || matched(line) != nil
}

// bare returns the last part of a qualified name, without what a compiler of Kotlin or
// Java puts around it: lambda$open$0, open$app.
func bare(name string) string {
	name = strings.TrimSpace(name)
	if i := strings.LastIndexAny(name, ".:/# "); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Trim(name, "<>{}[]$")
	first, rest, _ := strings.Cut(name, "$")
	if first == "lambda" || first == "access" {
		first, _, _ = strings.Cut(rest, "$")
	}
	return first
}

// FrameIn returns which frame of a trace that has a line is in a file, the innermost being
// 1, 0 where none is.
func FrameIn(path string, frames []Frame) int {
	n := 0
	for _, f := range frames {
		if f.Line == 0 {
			continue
		}
		n++
		if strings.HasSuffix("/"+f.Path, "/"+path) || strings.HasSuffix("/"+path, "/"+f.Path) && strings.Contains(f.Path, "/") {
			return n
		}
	}
	return 0
}
