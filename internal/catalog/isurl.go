package catalog

import (
	"os"
	"strings"

	"espy/internal/pattern"
)

var scpLike = pattern.New(`^[\w.-]+@[\w.-]+:`)

// IsURL reports whether a text is meant as the address of a repository on
// another machine, good or bad, and not as a folder.
func IsURL(text string) bool {
	if !strings.Contains(text, "://") && !strings.Contains(text, "::") && !scpLike().MatchString(text) {
		return false
	}
	_, err := os.Lstat(text)
	return err != nil
}
