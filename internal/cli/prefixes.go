package cli

import (
	"slices"
	"strings"

	"espy/internal/hit"
	"espy/internal/usage"
)

// sourcegraph are the short prefixes of queries of Sourcegraph, and those that stand
// for them here.
var sourcegraph = map[string]string{"r:": "repo:", "f:": "path:", "l:": "lang:"}

// elsewhere are prefixes of queries that other searches have, and what does the same
// here.
var elsewhere = map[string]string{
	"type:symbol": "symbol:NAME in the query, or espy symbols NAME, finds symbols",
	"type:path":   "espy files GLOB finds files",
	"type:file":   "espy files GLOB finds files",
	"type:commit": "espy history lists commits",
	"type:diff":   "espy changes shows what differs",
	"type:repo":   "espy status lists the repositories",
	"select:":     "-l prints the paths alone, espy symbols the symbols",
	"count:":      "--limit says how many results to show",
	"timeout:":    "--timeout says how long the answer may take",
	"rev:":        "--ref names a branch, tag or commit",
	"author:":     "espy blame and espy history name the authors",
	"before:":     "espy history lists commits by day",
	"after:":      "espy history --since lists commits since a day",
	"content:":    "--mode literal finds text as it is",
	"fork:":       "every attached repository is searched with --repo all",
	"archived:":   "every attached repository is searched with --repo all",
	"visibility:": "every attached repository is searched with --repo all",
}

// foreignQuery reads the prefixes that Sourcegraph and GitHub have in a query, where
// its mode is open: those that Espy has under another name, those that choose the
// mode, and those that something else here is for.
func foreignQuery(query string, mode hit.Mode, req *hit.Request) (string, hit.Mode, error) {
	if mode != hit.ModeAuto || !strings.Contains(query, ":") || strings.Contains(query, `"`) {
		return query, mode, nil
	}
	words := strings.Fields(query)
	if len(words) >= sentence {
		return query, mode, nil
	}
	var left []string
	for _, word := range words {
		name, value, ok := strings.Cut(strings.ToLower(strings.TrimPrefix(word, "-")), ":")
		if !ok || value == "" || strings.HasPrefix(value, ":") {
			left = append(left, word)
			continue
		}
		for _, known := range []string{name + ":" + value, name + ":"} {
			if hint, ok := elsewhere[known]; ok {
				return "", mode, &usage.Error{Msg: quote(word) + " is a prefix of another search", Hint: hint + `; in quotes, '"` + word + `"', it is text`}
			}
		}
		switch {
		case name == "case" && slices.Contains([]string{"yes", "no", "auto"}, value):
			req.IgnoreCase = value == "no"
		case name == "patterntype" && (value == "regexp" || value == "regex"):
			mode = hit.ModeRegex
		case name == "patterntype" && (value == "literal" || value == "standard"):
			mode = hit.ModeLiteral
		case name == "patterntype" && value == "keyword":
			mode = hit.ModeKeyword
		case sourcegraph[name+":"] != "":
			at := strings.IndexByte(word, ':')
			left = append(left, strings.Repeat("-", len(word)-len(strings.TrimPrefix(word, "-")))+sourcegraph[name+":"]+word[at+1:])
		default:
			left = append(left, word)
		}
	}
	if len(left) == len(words) && slices.Equal(left, words) || len(left) == 0 {
		return query, mode, nil
	}
	if !mode.FindsLines() {
		req.IgnoreCase = false // which ranked modes never look at
		return strings.Join(left, " "), mode, nil
	}
	return strings.Join(slices.DeleteFunc(left, func(word string) bool { return isFilter(word, req) }), " "), mode, nil
}

// isFilter makes a prefix of a query a filter of the request, where the mode has no
// prefixes.
func isFilter(word string, req *hit.Request) bool {
	rest, isNot := strings.CutPrefix(word, "-")
	mark := ""
	if isNot {
		mark = "!"
	}
	if glob, ok := strings.CutPrefix(rest, "path:"); ok {
		req.Paths = append(req.Paths, mark+glob)
		return true
	}
	if lang, ok := strings.CutPrefix(rest, "lang:"); ok {
		req.Languages = append(req.Languages, mark+lang)
		return true
	}
	return false
}

// sentence is how many words make a query prose, in which a colon is punctuation.
const sentence = 8
