package shebe

import (
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/pattern"
)

var (
	pathQuery   = pattern.New(`^/[a-zA-Z0-9_/{}\-]+`)
	scopedQuery = pattern.New(`^[\pL\pM\pN_]+:[\pL\pM\pN_]+:[\pL\pM\pN_]+`)
	braces      = strings.NewReplacer("{", `\{`, "}", `\}`)
	special     = pattern.New("[:{}\\[\\]()@\"\\\\+\\-!^~*]")
)

// preprocess rewrites a query as Shebe does. The answer echoes the result.
func preprocess(query string, literal bool) string {
	q := strings.TrimSpace(query)
	switch {
	case literal:
		return special().ReplaceAllString(q, `\$0`)
	case isQuoted(q):
		return `"` + braces.Replace(q[1:len(q)-1]) + `"`
	case pathQuery().MatchString(q), scopedQuery().MatchString(q):
		return `"` + braces.Replace(q) + `"`
	}
	return braces.Replace(q)
}

func isQuoted(q string) bool {
	return len(q) > 1 && strings.HasPrefix(q, `"`) && strings.HasSuffix(q, `"`)
}

// prefixed finds what stands as a field before a colon.
var prefixed = pattern.New(`(?:^|\s)([\pL\pM\pN_]+):([^\s:]\S*)`)

var fieldHints = map[string]string{
	"file": "file_path", "filename": "file_path", "path": "file_path", "filepath": "file_path", "name": "file_path",
	"code": "content", "text": "content", "body": "content", "source": "content", "src": "content",
}

// checkFields refuses a query that names a field there is not.
func checkFields(query string) *jsonrpc.Error {
	if q := strings.TrimSpace(query); isQuoted(q) || scopedQuery().MatchString(q) { // a:b:c is taken as a phrase
		return nil
	}
	for _, m := range prefixed().FindAllStringSubmatch(query, -1) {
		field, value := m[1], m[2]
		if slices.Contains([]string{"content", "file_path", "http", "https", "ftp", "mailto"}, field) {
			continue
		}
		message := "Invalid query: Unknown field '" + field + "'.\nValid fields: content, file_path"
		if hint := fieldHints[strings.ToLower(field)]; hint != "" {
			message += "\nHint: Did you mean '" + hint + "'?"
		}
		return invalid(message + "\nDetails: Use 'file_path:" + value + "' for path matching, or search content directly.")
	}
	return nil
}
