package written

import "bytes"

// Blank returns a text of which parts are blank, so that all else keeps its place. part
// says where what begins at a byte ends, and whether it is to be blank.
func Blank(text []byte, part func(text []byte, at int) (end int, blank bool)) []byte {
	text = bytes.Clone(text)
	for i := 0; i < len(text); {
		end, blank := part(text, i)
		end = max(end, i+1)
		for j := i; blank && j < min(end, len(text)); j++ {
			if text[j] != '\n' {
				text[j] = ' '
			}
		}
		i = end
	}
	return text
}
