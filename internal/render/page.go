package render

import (
	"fmt"

	"espy/internal/code"
	"espy/internal/seen"
)

// page writes as many of n results as the bound of o allows; form returns the
// JSON form with a number of them.
func page(o Options, n int, form func(shown int) any) []byte {
	text, _ := paged(o, n, form)
	return text
}

// paged is page, and returns how many results it writes.
func paged(o Options, n int, form func(shown int) any) (text []byte, shown int) {
	for shown = n; ; {
		text = JSON(form(shown))
		if o.MaxTokens == 0 || code.Tokens(len(text)) <= o.MaxTokens || shown <= 1 {
			return text, shown
		}
		shown = max(fewer(shown, len(text), o.MaxTokens*4), 1)
	}
}

// within returns the first of a list that a share of the bound of o holds, at least one,
// and how many are left out.
func within[T any](o Options, list []T, share int) (first []T, left int) {
	if o.MaxTokens == 0 {
		return list, 0
	}
	room := o.MaxTokens * 4 / share
	for i := range list {
		if room -= len(JSON(list[i])); room < 0 && i > 0 {
			return list[:i], len(list) - i
		}
	}
	return list, 0
}

// seenLine is the line with the token of what the reader holds after this answer;
// none where no token is wanted.
func (o Options) seenLine(shown []seen.File) []string {
	if o.Seen == nil || o.Several {
		return nil
	}
	token, lost := o.Seen.Token(shown...)
	if lost {
		return []string{"note: seen is full: what was shown the longest ago fell off", "seen: " + token}
	}
	return []string{"seen: " + token}
}

// seenToken is the token alone, for JSON.
func (o Options) seenToken(shown []seen.File) string {
	if o.Seen == nil || o.Several {
		return ""
	}
	token, _ := o.Seen.Token(shown...)
	return token
}

// keep notes what an answer among several shows, for those after it.
func (o Options) keep(shown []seen.File) {
	if o.Seen != nil && o.Several {
		o.Seen.Keep(shown)
	}
}

// shownMark stands for lines that the reader has.
func shownMark(lines int) string { return fmt.Sprintf("… %s [shown]\n", count(lines, "line")) }

// oneLineOf is a line of a file as what is shown.
func oneLineOf(repo, path string, line int) seen.File {
	return seen.File{Repo: repo, Path: path, Runs: []seen.Run{{First: line, Last: line}}}
}
