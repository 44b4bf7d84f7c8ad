package place

import "unicode"

// Invisible reports whether a character is shown as nothing, or changes how the
// text around it is shown: controls (C0 but the tab, DEL, C1), format characters
// such as marks of direction, zero-width ones and tags, variation selectors and
// whatever else Unicode says to ignore by default, and the separators of lines
// and paragraphs. A reader, person or model, cannot tell that it is there.
func Invisible(r rune) bool {
	switch {
	case r < 0x7f:
		return r < ' ' && r != '\t'
	case r < 0xad:
		return r <= 0x9f
	case r >= 0x3165 && r < 0xd800: // most of what is written with three bytes
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
