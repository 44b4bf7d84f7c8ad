package facts

// memberText is set in the number of the name of a constant that is a member of
// something, such as an enumeration, and not in that of a text itself.
const memberText = 1 << 24

// TextNumber is a number for the text of a constant, from 0 to 1<<24 - 1: texts with
// different numbers differ. It is the FNV-1a hash, folded as its authors say
// (http://www.isthe.com/chongo/tech/comp/fnv/#xor-fold).
func TextNumber(text string) int32 {
	h := uint32(2166136261)
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return int32((h>>24 ^ h) & (memberText - 1))
}

// MemberNumber is that of a constant which is a member of something, by its name.
func MemberNumber(name string) int32 { return TextNumber(name) | memberText }

// Differ reports whether two constants are not the same, by their numbers. Of a text and
// of a member that is not known.
func Differ(x, y int32) bool { return x != y && (x^y)&memberText == 0 }

// SameText reports whether the texts of two constants have one number.
func SameText(x, y int32) bool { return (x^y)&(memberText-1) == 0 }

// Truthy stands, where the number of a constant does, for all values that hold as a
// condition. It is the number of no text and of no member.
const Truthy int32 = 1 << 25
