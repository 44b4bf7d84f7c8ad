// Package needle finds a text in others by the byte of it that is rarest in source code.
package needle

import (
	"bytes"

	"espy/internal/lines/trigram"
)

// Needle is a text to look for, of at least one byte.
type Needle struct {
	text   []byte
	anchor int // offset of its rarest byte
}

// New returns a text to look for.
func New(text []byte) Needle {
	n := Needle{text: text}
	for i, c := range text {
		if trigram.Rarity(c) > trigram.Rarity(text[n.anchor]) {
			n.anchor = i
		}
	}
	return n
}

// Index is bytes.Index. Where the rarest byte turns out to be common it leaves the rest
// to that.
func (n *Needle) Index(s []byte) int {
	c, wrong := n.text[n.anchor], 0
	for i := n.anchor; i+len(n.text)-n.anchor <= len(s); {
		o := bytes.IndexByte(s[i:], c)
		if o < 0 {
			return -1
		}
		i += o
		at := i - n.anchor
		if at+len(n.text) > len(s) {
			return -1
		}
		if bytes.Equal(s[at:at+len(n.text)], n.text) {
			return at
		}
		i++
		if wrong++; wrong > 8+i/64 {
			o := bytes.Index(s[at+1:], n.text)
			if o < 0 {
				return -1
			}
			return at + 1 + o
		}
	}
	return -1
}
