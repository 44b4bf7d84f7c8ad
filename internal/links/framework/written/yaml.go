package written

import (
	"bytes"

	"espy/internal/pattern"
)

// Key is a key of a file of settings.
type Key struct {
	Text string // with the keys that it stands below: a.b.c
	Line int
}

// keyOfYAML is a line that begins with a key.
var keyOfYAML = pattern.New(`^( *)([\w.-]+):(?:\s|$)`)

// NestedKeys lists the keys of a text in YAML, of mappings in its block style.
func NestedKeys(text []byte) (all []Key) {
	type level struct {
		indent int
		key    string
	}
	var above []level
	for n, line := range bytes.Split(text, []byte("\n")) {
		m := keyOfYAML().FindSubmatch(line)
		if m == nil {
			if bytes.HasPrefix(line, []byte("---")) {
				above = nil
			}
			continue
		}
		for len(above) > 0 && above[len(above)-1].indent >= len(m[1]) {
			above = above[:len(above)-1]
		}
		key := string(m[2])
		if len(above) > 0 {
			key = above[len(above)-1].key + "." + key
		}
		above = append(above, level{len(m[1]), key})
		all = append(all, Key{key, n + 1})
	}
	return all
}
