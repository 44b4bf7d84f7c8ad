package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"espy/internal/pattern"
)

// Shares of a digest, as parts of its bytes.
const (
	headShare = 4 // one of so many for how the text begins, where people say what it is about,
	tailShare = 5 // and for how it ends, where programs say what they died of
)

// maxPiece bounds the bytes of a line of a digest: a longer one is cut to pieces.
const maxPiece = 400

// failure is what a line of a log says that tells more than what went well.
var failure = pattern.New(`(?i)\b(?:error|exception|fatal|panic|fail(?:ed|ure|s)?|warn(?:ing)?|critical|abort(?:ed)?|assert(?:ion)?|caused by|can(?:no|')t|could not|unable|den(?:ied|y)|refused|timed? ?out|invalid|unexpected|missing|not found)\b|Error\b|Exception\b`)

// Digest returns what tells most of a text that is longer than size bytes, in at most so
// many and in its order, and what the reader must know of it: its first lines and its
// last, frames of traces and failures, then other lines, those that stand there least
// often first. Lines that differ in numbers alone, or in words with digits in them, count
// once. A shorter text stays as it is, and the note is empty.
func Digest(text string, size int) (digest, note string) {
	if len(text) <= size {
		return text, ""
	}
	all := pieces(strings.ToValidUTF8(terminal().ReplaceAllString(text, ""), ""))
	c := choice{all: distinct(all), room: size}
	c.taken = make([]bool, len(c.all))
	c.run(0, 1, size/headShare)
	c.run(len(c.all)-1, -1, size/tailShare)
	for _, i := range c.order() {
		c.take(i, size)
	}
	var b strings.Builder
	read := 0
	for i, p := range c.all {
		if c.taken[i] {
			read++
			b.WriteString(p.text)
			b.WriteByte('\n')
		}
	}
	return b.String(), fmt.Sprintf("of %d bytes in %d lines %d bytes in %d lines were read: the first and the last, traces and failures, then what stands there least often; lines that differ in numbers alone count once", len(text), len(all), b.Len(), read)
}

// choice is which lines of a text are taken.
type choice struct {
	all   []piece
	taken []bool
	room  int // bytes that are left
}

// take takes a line of at most so many bytes, where there is room for it.
func (c *choice) take(i, most int) bool {
	n := len(c.all[i].text) + 1
	if c.taken[i] || n > min(most, c.room) {
		return false
	}
	c.taken[i] = true
	c.room -= n
	return true
}

// run takes lines one after the other, of so many bytes together.
func (c *choice) run(from, step, most int) {
	for i := from; i >= 0 && i < len(c.all) && c.take(i, most); i += step {
		most -= len(c.all[i].text) + 1
	}
}

// order returns the lines in the order in which they tell most.
func (c *choice) order() []int {
	order, telling := make([]int, len(c.all)), make([]int, len(c.all))
	for i, p := range c.all {
		order[i] = i
		if IsFrame(p.text) || failure().MatchString(p.text) {
			telling[i] = 1
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(telling[b], telling[a]), cmp.Compare(c.all[a].times, c.all[b].times))
	})
	return order
}

// piece is a line of a text, or a part of a long one.
type piece struct {
	text, shape string
	times       int // how often its shape stands in the text, of the first such line
}

// distinct returns the first line of each shape.
func distinct(all []piece) (first []piece) {
	known := map[string]int{}
	for _, p := range all {
		i, ok := known[p.shape]
		if !ok {
			i = len(first)
			known[p.shape] = i
			first = append(first, p)
		}
		first[i].times++
	}
	return first
}

// pieces cuts a text to lines that are not blank, and long ones behind a space or a mark.
func pieces(text string) (all []piece) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		for line != "" {
			part := line
			if len(part) > maxPiece {
				part = cutPiece(line)
			}
			line = line[len(part):]
			if strings.TrimSpace(part) != "" {
				all = append(all, piece{text: part, shape: shape(part)})
			}
		}
	}
	return all
}

// cutPiece returns the beginning of a long line.
func cutPiece(line string) string {
	end := maxPiece
	for !utf8.RuneStart(line[end]) {
		end--
	}
	if at := strings.LastIndexAny(line[:end], " ,;}\t"); at > maxPiece/2 {
		return line[:at+1]
	}
	return line[:end]
}

// shape is a line without the words that have a digit in them: what a loop prints
// differs by its numbers, times and hashes.
func shape(line string) string {
	var b strings.Builder
	word := func(w string) {
		if strings.ContainsAny(w, "0123456789") {
			w = "0"
		}
		b.WriteString(w)
	}
	from := 0
	for i, r := range line {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' {
			continue
		}
		word(line[from:i])
		b.WriteRune(r)
		from = i + utf8.RuneLen(r)
	}
	word(line[from:])
	return b.String()
}
