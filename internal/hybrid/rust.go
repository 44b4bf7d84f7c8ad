package hybrid

import (
	"bytes"
	"regexp"
	"strings"

	"espy/internal/lang"
	"espy/internal/outline"
)

// implHead is the first line of a block of methods of Rust.
var implHead = regexp.MustCompile(`(?m)^[ \t]*(?:(?:default|unsafe)[ \t]+)*impl\b`)

// block is a block of methods: bytes of its file.
type block struct {
	start, end uint32
	name       string
}

// impls finds the blocks of methods, which are no declarations of a name.
func impls(text []byte) (all []block) {
	l, _ := lang.ByName("rust")
	masked := bytes.Clone(text)
	for _, q := range outline.Quiet(l, text) {
		blank(masked[q.Start:q.End])
	}
	for _, at := range implHead.FindAllIndex(masked, -1) {
		open := bytes.IndexByte(masked[at[1]:], '{')
		if open < 0 {
			return all
		}
		open += at[1]
		if head := masked[at[1]:open]; !bytes.ContainsAny(head, ";}") {
			all = append(all, block{uint32(at[1] - 1), uint32(closing(masked, open)), implName(string(head))})
		}
	}
	return all
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
