package overview

import (
	"strings"
	"unicode"

	"espy/internal/pattern"
)

var (
	markup  = pattern.New(`<[^>]*>`)
	image   = pattern.New(`!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])?`)
	link    = pattern.New(`\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])`)
	rstLink = pattern.New("`([^`<]*?)\\s*<[^>]*>`__?")
	rstText = pattern.New(`^\[[^\]]+\]:|^\.\. |^:[\w-]+:|^\|[^|]*\|$`)
)

// maxSentence is how many bytes of a sentence are kept.
const maxSentence = 240

// firstSentence finds the first sentence of prose in a README and its line; headings,
// badges, comments and code are none.
func firstSentence(text string) (line int, sentence string) {
	fence, comment, front := false, false, false
	var prose []string
	n := 0
	for raw := range strings.Lines(text) {
		n++
		t := strings.TrimSpace(raw)
		switch {
		case n == 1 && t == "---", front && t == "---":
			front = !front
			continue
		case strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~"):
			fence = !fence
			continue
		case strings.HasPrefix(t, "<!--"):
			comment = true
		}
		quiet := front || fence || comment
		if strings.Contains(t, "-->") {
			comment = false
		}
		words := ""
		if !quiet {
			words = plain(t)
		}
		if isProse(words) && !strings.HasPrefix(raw, "    ") {
			if len(prose) == 0 {
				line = n
			}
			prose = append(prose, words)
			if ended(strings.Join(prose, " ")) {
				break
			}
			continue
		}
		if len(prose) > 0 && isUnderline(t) { // the text was a heading
			prose = nil
			continue
		}
		if len(prose) > 0 && t == "" {
			if len(strings.Fields(strings.Join(prose, " "))) >= 4 {
				break
			}
			prose = nil
		}
	}
	if len(prose) == 0 {
		return 0, ""
	}
	return line, cutSentence(strings.Join(prose, " "))
}

// plain takes the marks of Markdown and reStructuredText off a line.
func plain(t string) string {
	if strings.HasPrefix(t, "#") || rstText().MatchString(t) || strings.HasPrefix(t, "[!") && !strings.HasPrefix(t, "[![") || strings.HasPrefix(t, "- ") || strings.HasPrefix(t, "* ") || strings.HasPrefix(t, "|") || strings.HasPrefix(t, "=") {
		return ""
	}
	t = image().ReplaceAllString(t, "")
	for range 2 { // an image may be a link
		t = link().ReplaceAllString(t, "$1")
	}
	t = rstLink().ReplaceAllString(t, "$1")
	t = markup().ReplaceAllString(t, "")
	t = strings.NewReplacer("**", "", "__", "", "`", "").Replace(t)
	return strings.TrimSpace(strings.TrimLeft(t, "> \t"))
}

// isProse reports whether a line has words.
func isProse(t string) bool {
	letters := 0
	for _, r := range t {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 3 && letters*2 > len([]rune(t)) && strings.Contains(t, " ")
}

func isUnderline(t string) bool {
	return len(t) >= 3 && (strings.Trim(t, "=") == "" || strings.Trim(t, "-") == "" || strings.Trim(t, "~") == "" || strings.Trim(t, "*") == "")
}

// sentenceEnd is where a sentence ends: behind a mark that is followed by a blank.
var sentenceEnd = pattern.New(`[^.\s]{2}[.!?。](\s|$)`)

func ended(t string) bool { return sentenceEnd().MatchString(t) || len(t) > maxSentence }

// cutSentence returns the first sentence of a text.
func cutSentence(t string) string {
	if at := sentenceEnd().FindStringIndex(t); at != nil {
		t = strings.TrimSpace(t[:at[1]])
	}
	if len(t) > maxSentence {
		cut := strings.LastIndexByte(t[:maxSentence], ' ')
		t = strings.ToValidUTF8(t[:max(cut, 1)], "") + " …"
	}
	return t
}
