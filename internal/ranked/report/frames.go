package report

import (
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
}

// maxFrames bounds the frames of a text.
const maxFrames = 64

// A frame of each family of languages. The groups are named as the fields.
var frameForms = [...]func(string) []string{
	form(`^\s*File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>[\w.<>]+))?`),                                // Python
	form(`^\s*(?:File )?(?P<path>[~./\w-][^\s:,]*\.py)(?:, line |:)(?P<line>\d+)[:,]? in (?P<function>[\w.<>]+)`),         // IPython, pytest
	form(`^(?P<path>[~./\w-]\S*\.py):(?P<line>\d+): (?:in (?P<function>\w+))?`),                                           // pytest
	form(`^\s*at (?:async )?(?P<function>[\w$.<>/ \[\]-]+?) ?\((?:file://)?(?P<path>[^()\s]+?):(?P<line>\d+)(?::\d+)?\)`), // Java, JavaScript
	form(`^\s*at (?:async )?(?:file://)?(?P<path>[^()\s]+?):(?P<line>\d+)(?::\d+)?$`),                                     // JavaScript, Rust
	form(`^\s*(?P<path>/\S+\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?$`),                                                      // Go
	form(`^\s*#\d+ +(?:0x[0-9a-f]+ +)?(?:in )?(?P<function>[\w:~<>]+).*? (?:at )?(?P<path>\S+\.\w+):(?P<line>\d+)`),       // C, C++
	form(`^\s*\d+: +(?:0x[0-9a-f]+ - )?(?P<function>[\w:<>{}$ ]+)$`),                                                      // Rust
	form(`https?://\S+?/(?:blob|tree|blame|src)/[\w.-]+/(?P<path>[^\s#?)>\]"']+)(?:#L?(?P<line>\d+))?`),                   // a site that hosts
}

// form returns what finds a frame of a form in a line: path, line and function.
func form(expr string) func(string) []string {
	re := pattern.New(expr)
	return func(line string) []string {
		m := re().FindStringSubmatch(line)
		if m == nil {
			return nil
		}
		var out [3]string
		for i, name := range re().SubexpNames() {
			if k := slices.Index([]string{"path", "line", "function"}, name); k >= 0 {
				out[k] = m[i]
			}
		}
		return out[:]
	}
}

// goCall is the line of a Go trace above that of its file.
var goCall = pattern.New(`^[\w./*()%-]*?\.?\(?\*?[\w.\[\]]*\)?\.(\w+)\(.*\)$`)

// frames returns the frames of a text, the innermost first: those of Python stand
// the other way round.
func frames(text string) (all []Frame) {
	before := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		for _, f := range frameForms {
			m := f(line)
			if m == nil {
				continue
			}
			n, _ := strconv.Atoi(m[1])
			frame := Frame{Path: strings.ReplaceAll(m[0], `\`, "/"), Line: n, Function: bare(m[2])}
			if frame.Function == "" && strings.HasSuffix(frame.Path, ".go") {
				if g := goCall().FindStringSubmatch(before); g != nil {
					frame.Function = g[1]
				}
			}
			if !slices.Contains(all, frame) && len(all) < maxFrames {
				all = append(all, frame)
			}
			break
		}
		before = strings.TrimSpace(line)
	}
	if strings.Contains(text, "most recent call last") {
		slices.Reverse(all)
	}
	return all
}

// IsFrame reports whether a line is one of a trace, which names places and says nothing.
func IsFrame(line string) bool {
	line = strings.TrimRight(line, " \t\r\n")
	return goCall().MatchString(strings.TrimSpace(line)) || slices.ContainsFunc(frameForms[:], func(f func(string) []string) bool { return f(line) != nil })
}

// bare returns the last part of a qualified name.
func bare(name string) string {
	name = strings.TrimSpace(name)
	if i := strings.LastIndexAny(name, ".:/ "); i >= 0 {
		name = name[i+1:]
	}
	return strings.Trim(name, "<>{}[]$")
}
