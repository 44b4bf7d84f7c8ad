package overview

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"espy/internal/pattern"
	"espy/internal/wordset"
)

var (
	markup   = pattern.New(`<[^>]*>`)
	image    = pattern.New(`!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])?`)
	link     = pattern.New(`\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])`)
	rstLink  = pattern.New("`([^`<]*?)\\s*<[^>]*>`__?")
	rstText  = pattern.New(`^\[[^\]]+\]:|^\.\. |^:[\w-]+:|^\|[^|]*\|$`)
	ascImage = pattern.New(`(https?:\S+?\[)?image::?[^\s\[]*\[[^\]]*\]+`) // of AsciiDoc, within a link too
	ascLink  = pattern.New(`\b(?:https?|link|xref|mailto):[^\s\[]+\[([^\]]*)\]`)
)

// maxSentence is how many bytes of a sentence are kept.
const maxSentence = 240

// paragraph is a run of lines of prose.
type paragraph struct {
	line int // of the first, from 1
	text string
}

// Bounds of what is looked at: paragraphs for a sentence that says what a project is,
// and lines for another one.
const (
	maxParagraphs = 12
	maxTelling    = 20
)

// description finds the sentence of a README that says what the project is, and the
// line of its paragraph: the first of the form "X is a library", "A library for ...",
// else a title that says more than a name, else the first one that is no request, greeting
// or date. It is "" where there is none. What the project is called stands in the title or
// is the name of its folder.
func description(text, folder string) (line int, sentence string) {
	paragraphs, heading := prose(text)
	title := heading.text
	if first, _, _ := strings.Cut(title, " "); first == "A" || first == "An" {
		title = "" // it says what the project is, not its name
	}
	title += " " + folder
	for _, p := range paragraphs {
		for _, s := range sentences(p.text) {
			if defines(s, title) {
				return p.line, cut(s)
			}
		}
	}
	if heading.line > 0 && heading.line <= maxTelling && describes(heading.text) {
		return heading.line, cut(heading.text)
	}
	for _, p := range paragraphs {
		for _, s := range sentences(p.text) {
			if p.line <= maxTelling && tells(s) {
				return p.line, cut(s)
			}
		}
	}
	return 0, ""
}

// prose returns the first paragraphs of a README and its title; headings, badges,
// lists, comments and code are no prose.
func prose(text string) (all []paragraph, title paragraph) {
	fence, comment, front := "", false, false
	var open paragraph
	end := func() {
		open.text = inline(open.text) // marks may go over lines
		if len(strings.Fields(open.text)) >= 4 && isProse(open.text) {
			all = append(all, open)
		} else if title.text == "" {
			title = open
		}
		open = paragraph{}
	}
	n := 0
	for raw := range strings.Lines(text) {
		n++
		t := strings.TrimSpace(raw)
		switch {
		case n == 1 && t == "---", front && t == "---":
			front = !front
			continue
		case fence != "":
			if strings.HasPrefix(t, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"), t == "----", t == "....":
			if isUnderline(t) && open.text != "" {
				break
			}
			fence = t[:3]
			end()
			continue
		case strings.HasPrefix(t, "<!--"):
			comment = true
		}
		quiet := front || comment
		if strings.Contains(t, "-->") {
			comment = false
		}
		words := ""
		if !quiet {
			words = plain(t)
		}
		switch {
		case open.text != "" && isUnderline(t): // the text was a heading
			if title.text == "" {
				title = paragraph{open.line, inline(open.text)}
			}
			open = paragraph{}
		case !isHeading(t) && (open.text == "" && isProse(words) && !strings.HasPrefix(raw, "  ") || open.text != "" && words != ""):
			if open.text == "" {
				open.line = n
			}
			open.text = strings.TrimSpace(open.text + " " + strings.TrimLeft(t, "> \t"))
		default:
			if title.text == "" && isHeading(t) {
				title = paragraph{n, plain(strings.TrimLeft(t, "#= "))}
			}
			end()
		}
		if len(all) == maxParagraphs {
			return all, title
		}
	}
	end()
	return all, title
}

// isHeading reports whether a line of Markdown, AsciiDoc or HTML is a heading.
func isHeading(t string) bool {
	return strings.HasPrefix(t, "#") || strings.HasPrefix(t, "=") && strings.Contains(t, " ") || strings.HasPrefix(t, "<h")
}

// defining is a sentence that says what something is: its subject of a few words is
// what the first group holds.
var defining = pattern.New(`(?i)^(?:the |this )?((?:[^\s,;:]+ ){1,4}?)(?:is|are|provides?|implements?|contains?|offers?|lets|helps|makes|adds|brings|generates?|supports?|hosts|holds|creates?) \S+ \S`)

// stating is what makes "A cache is cleared", "A list of systems" or "A few examples" say
// something else than what a project is.
var stating = pattern.New(`^(?:few|list|lot|complete|full|more|note)\b|\b(?:is|are|was|can|will|may|must|should|has)\b`)

// purposeful is what a title says that is more than a name.
var purposeful = pattern.New(`(?i) (?:for|to|of|that|which|with|in) `)

// describes reports whether a title says what the project is.
func describes(title string) bool {
	return len(strings.Fields(title)) >= 6 && purposeful().MatchString(title) && tells(title)
}

// listing is a sentence that says what something is and ends in a colon.
var listing = pattern.New(`^\S+ (?:is|are) (?:an?|the) .*:$`)

// defines reports whether a sentence says what the project is that one of some names may
// be the name of.
func defines(s, names string) bool {
	if strings.HasSuffix(s, ":") && !listing().MatchString(s) || strings.HasSuffix(s, "?") || isOver(s) {
		return false
	}
	if first, rest, _ := strings.Cut(s, " "); first == "A" || first == "An" {
		return len(strings.Fields(rest)) >= 2 && !stating().MatchString(rest)
	}
	m := defining().FindStringSubmatch(s)
	if m == nil || strings.HasSuffix(m[1], " to ") { // X lets you create
		return false
	}
	for _, kind := range []string{"repo", "project", "library", "package", "module", "crate", "gem", "plugin", "extension", "app", "tool", "framework", "program", "toolkit", "collection"} {
		if strings.HasPrefix(s, "This ") && strings.Contains(strings.ToLower(m[1]), kind) {
			return true
		}
	}
	subject := strings.ToLower(strings.Fields(m[1])[0])
	for _, w := range strings.FieldsFunc(strings.ToLower(names), isBlankOrMark) {
		if len(w) > 1 && strings.Trim(subject, "*_.,'’") == w {
			return true
		}
	}
	return false
}

// isOver reports whether a sentence says what a project was: it is deprecated.
func isOver(s string) bool {
	for _, w := range []string{"deprecated", "archived", "no longer", "unmaintained", "moved to", "has moved"} {
		if strings.Contains(strings.ToLower(s), w) {
			return true
		}
	}
	return false
}

func isBlankOrMark(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("()[]:,;!?\"", r)
}

// calling are the first words of sentences that ask or greet the reader, or lead on.
var calling = sync.OnceValue(func() map[string]bool {
	return wordset.Of(`
		see note please read click check visit download install join try follow as if to in when before
		after since like looking welcome hi hello thanks thank you we i have want here these there what
		why how where who learn watch get use run find warning important currently documentation table
		copyright and or but so`)
})

// requiring is a sentence that says which versions or programs a project needs.
var requiring = pattern.New(`(?i)\b(?:supported|requires?|required|install(?:ed)?|needs?|versions?)\b.*\d|\d.*\b(?:supported|requires?|required|install(?:ed)?|needs?|versions?)\b`)

// tells reports whether a sentence may say what a project is.
func tells(s string) bool {
	first := strings.TrimRight(strings.Fields(s)[0], ":,!.…")
	letter, _ := utf8.DecodeRuneInString(first)
	return !unicode.IsLower(letter) && !unicode.IsSymbol(letter) && !calling()[strings.ToLower(first)] && !strings.Contains(s, " | ") && !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, "?") && len(strings.Fields(s)) >= 4 && !strings.Contains(s, "://") && !requiring().MatchString(s) && !isOver(s)
}

// plain takes the marks of Markdown and reStructuredText off a line.
func plain(t string) string {
	if strings.HasPrefix(t, "#") || rstText().MatchString(t) || strings.HasPrefix(t, "[!") && !strings.HasPrefix(t, "[![") || strings.HasPrefix(t, "- ") || strings.HasPrefix(t, "* ") || strings.HasPrefix(t, "|") || strings.HasPrefix(t, "=") {
		return ""
	}
	return inline(strings.TrimLeft(t, "> \t"))
}

// inline takes the marks within a text off.
func inline(t string) string {
	t = image().ReplaceAllString(t, "")
	for range 2 { // an image may be a link
		t = link().ReplaceAllString(t, "$1")
	}
	t = ascImage().ReplaceAllString(t, "")
	t = ascLink().ReplaceAllString(t, "$1")
	t = rstLink().ReplaceAllString(t, "$1")
	t = markup().ReplaceAllString(t, "")
	t = strings.NewReplacer("**", "", "__", "", "`", "").Replace(t)
	return strings.TrimSpace(t)
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

// sentenceEnd is where a sentence ends: behind a mark that a blank and a capital
// letter follow, so neither in "Jan. 17" nor in "e.g. this".
var sentenceEnd = pattern.New(`(?:[^.\s]{2}|\d)[.!?](?:\s+[^\s\p{Ll}\d]|\s*$)|。`)

// sentences splits a paragraph.
func sentences(t string) (all []string) {
	for t != "" {
		at := sentenceEnd().FindStringIndex(t)
		if at == nil {
			return append(all, t)
		}
		end := at[1]
		if next := strings.LastIndexAny(t[at[0]:end], " \t"); next > 0 {
			end = at[0] + next
		}
		all = append(all, strings.TrimSpace(t[:end]))
		t = strings.TrimSpace(t[end:])
	}
	return all
}

// cut bounds a sentence.
func cut(t string) string {
	if len(t) > maxSentence {
		end := strings.LastIndexByte(t[:maxSentence], ' ')
		t = strings.ToValidUTF8(t[:max(end, 1)], "") + " …"
	}
	return t
}
