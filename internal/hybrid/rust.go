package hybrid

import (
	"bytes"
	"strings"

	"espy/internal/lang"
	"espy/internal/outline"
)

// block is a block of methods: bytes of its file.
type block struct {
	start, end uint32
	name       string
}

// impls finds the blocks of methods, which are no declarations of a name.
func impls(text []byte) (all []block) {
	if !bytes.Contains(text, word) {
		return nil
	}
	l, _ := lang.ByName("rust")
	masked := bytes.Clone(text)
	for _, q := range outline.Quiet(l, text) {
		blank(masked[q.Start:q.End])
	}
	for at := bytes.Index(masked, word); at >= 0; {
		end := at + len(word)
		if open := bytes.IndexByte(masked[end:], '{'); open >= 0 && begins(masked, at, end) {
			if head := masked[end : end+open]; !bytes.ContainsAny(head, ";}") {
				all = append(all, block{uint32(at), uint32(closing(masked, end+open)), implName(string(head))})
			}
		}
		next := bytes.Index(masked[end:], word)
		if next < 0 {
			break
		}
		at = end + next
	}
	return all
}

// word begins a block of methods.
var word = []byte("impl")

// begins reports whether a word is the first of its line, but for what may stand before
// it, and is followed by a blank or by parameters of types.
func begins(text []byte, start, end int) bool {
	if end < len(text) && !bytes.ContainsAny(text[end:end+1], " \t\r\n<") {
		return false
	}
	before := text[bytes.LastIndexByte(text[:start], '\n')+1 : start]
	for _, w := range bytes.Fields(before) {
		if string(w) != "unsafe" && string(w) != "default" {
			return false
		}
	}
	return true
}

// blank replaces all but line ends.
func blank(text []byte) {
	for i, b := range text {
		if b != '\n' {
			text[i] = ' '
		}
	}
}

// closing is the byte of the brace that closes one, or the last byte.
func closing(text []byte, open int) int {
	depth := 0
	for i, b := range text[open:] {
		switch b {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return open + i
			}
		}
	}
	return len(text) - 1
}

// implName is the name of a block: impl T, or impl Trait for T, without its own type
// parameters and conditions.
func implName(head string) string {
	head = strings.TrimSpace(head)
	if strings.HasPrefix(head, "<") {
		depth := 0
		for i := range len(head) {
			switch {
			case head[i] == '<':
				depth++
			case head[i] == '>' && (i == 0 || head[i-1] != '-'):
				depth--
			}
			if depth == 0 {
				head = head[i+1:]
				break
			}
		}
	}
	head = strings.Join(strings.Fields(head), " ")
	if at := strings.Index(head+" ", " where "); at >= 0 {
		head = head[:at]
	}
	return "impl " + strings.TrimSpace(head)
}
