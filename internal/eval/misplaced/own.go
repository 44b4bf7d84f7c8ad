package misplaced

import (
	_ "embed"
	"strings"
)

//go:embed read.txt
var readText string

// pairing is a question asked of another repository, each by its name.
type pairing struct{ question, repo string }

// read are the pairings that were read by hand, and whether the repository has what the
// question asks for as well.
func read() map[pairing]bool {
	all := map[pairing]bool{}
	for line := range strings.Lines(readText) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] != "#" {
			all[pairing{fields[0], fields[1]}] = len(fields) > 2
		}
	}
	return all
}
