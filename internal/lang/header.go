package lang

import (
	"bytes"
	"strings"
)

// headerLimit is how much of a header is looked at: licences and long comments
// stand before its code.
const headerLimit = 16 << 10

// hasCPP reports whether a header has code that only C++ takes. What stands in
// comments and below #ifdef __cplusplus tells nothing: C headers have it too.
func hasCPP(text []byte) bool {
	s := headerScan{}
	for line := range bytes.Lines(text) {
		if s.tells(bytes.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// headerScan is the place in a header up to which it is read.
type headerScan struct {
	comment bool
	skipped int // conditions within #ifdef __cplusplus, that one counted
}

// tells reports whether a line is C++.
func (s *headerScan) tells(line []byte) bool {
	if line = s.code(line); len(line) == 0 {
		return false
	}
	if line[0] == '#' {
		return s.directive(line)
	}
	return s.skipped == 0 && isCPPLine(line)
}

// code returns a line without its comments.
func (s *headerScan) code(line []byte) []byte {
	for {
		if s.comment {
			_, rest, ok := bytes.Cut(line, []byte("*/"))
			if !ok {
				return nil
			}
			s.comment, line = false, bytes.TrimSpace(rest)
		}
		at := bytes.Index(line, []byte("/*"))
		if slash := bytes.Index(line, []byte("//")); slash >= 0 && (at < 0 || slash < at) {
			return bytes.TrimSpace(line[:slash])
		}
		if at < 0 {
			return line
		}
		if at > 0 {
			_, rest, ok := bytes.Cut(line[at:], []byte("*/"))
			s.comment = !ok
			return append(bytes.Clone(line[:at]), rest...)
		}
		s.comment, line = true, line[2:]
	}
}

// directive reports whether a directive includes what only C++ has.
func (s *headerScan) directive(line []byte) bool {
	word := string(bytes.TrimSpace(line[1:]))
	switch {
	case strings.HasPrefix(word, "if"):
		if s.skipped > 0 || strings.Contains(word, "__cplusplus") && !strings.HasPrefix(word, "ifndef") && !strings.Contains(word, "!defined") {
			s.skipped++
		}
	case strings.HasPrefix(word, "endif"):
		s.skipped = max(0, s.skipped-1)
	case s.skipped == 1 && strings.HasPrefix(word, "el"):
		s.skipped = 0
	case s.skipped == 0 && strings.HasPrefix(word, "include"):
		name := strings.TrimSpace(strings.TrimPrefix(word, "include"))
		if file, ok := strings.CutPrefix(name, "<"); ok {
			file, _, _ = strings.Cut(file, ">")
			return file != "" && !strings.ContainsAny(file, "./")
		}
		return strings.HasSuffix(name, `.hpp"`) || strings.HasSuffix(name, `.hh"`) || strings.HasSuffix(name, `.hxx"`)
	}
	return false
}

// isCPPLine reports whether a line of code begins or goes on as only C++ does.
func isCPPLine(line []byte) bool {
	for _, p := range []string{"namespace ", "inline namespace ", "template<", "template <", "using ", "public:", "private:", "protected:", "constexpr ", "virtual ", "friend ", "explicit "} {
		if bytes.HasPrefix(line, []byte(p)) {
			return true
		}
	}
	if rest, ok := bytes.CutPrefix(line, []byte("class ")); ok {
		return bytes.IndexByte(rest, '(') < 0
	}
	for _, w := range []string{"std::", "static_cast<", "decltype(", " noexcept", "nullptr"} {
		if bytes.Contains(line, []byte(w)) {
			return true
		}
	}
	return false
}
