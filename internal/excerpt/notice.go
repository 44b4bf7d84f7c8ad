package excerpt

import (
	"bytes"
	"slices"
	"strings"
)

// noticeWords begin the words that tell a notice of copyright from other comments.
var noticeWords = []string{"copyright", "licens", "licenc", "spdx"}

// maxNotice is how many lines of a notice are looked at.
const maxNotice = 60

// notice counts the lines at the start of a file that are a notice of copyright: a comment
// whose first words say so, up to its end.
func notice(lines [][]byte) int {
	n, said, block := 0, false, ""
	for _, line := range lines[:min(len(lines), maxNotice)] {
		text := bytes.TrimSpace(line)
		if block == "" {
			if !said && (len(text) == 0 || n == 0 && (bytes.HasPrefix(text, []byte("#!")) || bytes.HasPrefix(text, []byte("<?php")))) {
				n++
				continue
			}
			if !isComment(text) {
				break
			}
			block = closes(text)
		}
		bare := bytes.ToLower(bytes.Trim(text, "/*#-;%!<({|=~. \t"))
		if !said && len(bare) > 0 {
			if said = slices.ContainsFunc(noticeWords, func(w string) bool { return bytes.Contains(bare, []byte(w)) }); !said {
				return 0
			}
		}
		n++
		if block != "" && bytes.Contains(text, []byte(block)) {
			break
		}
	}
	if !said {
		return 0
	}
	return n
}

// isComment reports whether a line begins like a comment of some language.
func isComment(text []byte) bool {
	for _, mark := range []string{"//", "/*", "#", "--", ";", "%", "<!--", "(*", "{-", "!", "\""} {
		if bytes.HasPrefix(text, []byte(mark)) {
			return true
		}
	}
	return false
}

// closes is what ends the comment that a line begins, empty for one that ends with its line.
func closes(text []byte) string {
	for open, end := range map[string]string{"/*": "*/", "<!--": "-->", "(*": "*)", "{-": "-}"} {
		if bytes.HasPrefix(text, []byte(open)) {
			return end
		}
	}
	return ""
}

// asksOfNotice reports whether a query is about licenses.
func (h *Highlighter) asksOfNotice() bool {
	for term := range h.terms {
		if slices.ContainsFunc(noticeWords, func(w string) bool { return strings.HasPrefix(strings.TrimPrefix(term, "="), w) }) {
			return true
		}
	}
	return false
}
