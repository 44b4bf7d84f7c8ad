package message

import "testing"

// TestExact holds which run of a text is the longest, where it stands and whether it
// is taken for the message itself.
func TestExact(t *testing.T) {
	code := "def run(name):\n\t# could not find a service that is named so\n\traise Error(\"could not find service %s in %d manifests\" % (name, n))\n\tlog(`the ${kind} of shelf is not supported`)\n\tlog(\"netns not provided, \" +\n\t\t\"but it is needed here\")\n\tfail(\"cannot take \" + n + \" items of the shelf\")\n\tuse(\"port in use\")\n"
	for _, c := range []struct {
		name, text string
		want       stretch
		sure       bool
	}{
		{"as it stands", "could not find service in manifests", stretch{6, 3, 2, true, false, true}, true},
		{"values filled in", "could not find service web 7 in 12 manifests", stretch{6, 3, 2, true, true, true}, true},
		{"behind a prefix", "17:13 WARN main: could not find service web in 3 manifests: refused", stretch{6, 3, 2, true, true, true}, true},
		{"in a template", "ERROR the door of shelf is not supported", stretch{6, 2, 3, true, true, true}, false},
		{"over lines", "netns not provided, but it is needed here", stretch{8, 5, 4, true, false, true}, true},
		{"joined", "cannot take 5 items of the shelf", stretch{6, 4, 6, true, true, true}, true},
		{"part of a literal", "find service", stretch{2, 2, 2, true, false, false}, false},
		{"a comment", "a service that is named so", stretch{6, 2, 1, false, false, false}, false},
		{"other words", "where are sockets closed", stretch{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := New(c.text)
			got := text.exact(text.wordsOf([]byte(code), common))
			if got.Words == 0 {
				got = stretch{}
			}
			if got != c.want || got.Sure() != c.sure {
				t.Errorf("exact(%q) = %+v, sure %v, want %+v, %v", c.text, got, got.Sure(), c.want, c.sure)
			}
		})
	}
}

// TestFormat holds that a format is said in full, however short it is.
func TestFormat(t *testing.T) {
	code := []byte("die(\"error reaching %s (%s)\", host, why)\nuse(\"all shelves are full here\")\n// no door is open\n")
	for _, c := range []struct {
		text string
		want int
	}{{"error reaching the depot (gone)", 2}, {"all shelves are full here: no room", 5}, {"all shelves are empty", 0}, {"no door is open", 0}} {
		t.Run(c.text, func(t *testing.T) {
			if got := New(c.text).Format(code, ""); got != c.want {
				t.Errorf("Format(%q) = %d, want %d", c.text, got, c.want)
			}
		})
	}
}
