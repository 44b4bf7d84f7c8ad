package message

import (
	"strings"

	"espy/internal/pattern"
)

// A field of a structured line of a log that says what happened: msg="...", "error":"...".
var field = pattern.New(`(?i)(?:^|[\s{,(])"?@?(?:[\w.]+[._])?(?:msg|message|err|error|reason|cause|exception|details?|event|text)"?\s*[:=]\s*"((?:[^"\\]|\\.){1,1000})"`)

// anyField is where the first field of such a line may begin.
var anyField = pattern.New(`(?:^|[\s{,(])"?[@\w.]+"?[:=](?:"|\S)`)

// Fields returns what a structured line of a log says: what stands before its fields, and
// the texts of those that tell what happened, without the marks of quoting. It is nil of a line
// that is none.
func Fields(line string) (texts []string) {
	all := field().FindAllStringSubmatchIndex(line, -1)
	if all == nil {
		return nil
	}
	head := all[0][0]
	if first := anyField().FindStringIndex(line); first != nil {
		head = min(head, first[0])
	}
	add := func(text string) {
		if len(strings.Fields(text)) >= FewWords {
			texts = append(texts, text)
		}
	}
	add(line[:head])
	for _, m := range all {
		add(unquoted.Replace(line[m[2]:m[3]]))
	}
	return texts
}

// unquoted takes back what quoting a text did to it.
var unquoted = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, " ", `\t`, " ", `\r`, " ", `\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\/`, "/", `\'`, "'")
