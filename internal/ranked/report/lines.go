package report

import (
	"strings"

	"espy/internal/pattern"
	"espy/internal/wordset"
)

// plain takes out of a text what terminals and pages are told: colours, tags that
// fold or shape, addresses of pictures, the marks of a quotation.
func plain(text string) string {
	text = terminal().ReplaceAllString(text, "")
	text = picture().ReplaceAllString(text, " ")
	return tag().ReplaceAllString(text, " ")
}

var (
	terminal = pattern.New("\x1b\\[[0-9;?]*[A-Za-z]|\x1b\\][^\x07\x1b]*\x07?")
	picture  = pattern.New(`!\[[^\]\n]*\]\([^)\n]*\)|<img[^>\n]*>`)
	tag      = pattern.New(`(?i)</?(?:details|summary|br|hr|p|b|i|em|strong|pre|code|kbd|sub|sup|h[1-6]|ul|ol|li|table|tr|td|th|blockquote|div|span)\b[^>\n]{0,200}>`)
)

// A line that a program printed.
var output = pattern.New(`(?i)^(?:` +
	`(?:\w+ {2,})?traceback \(most recent call last\)|caused by:|debugger entered--|\S+\.py in [\w.<>]+\(|-+> ?\d+ |` + // frames of traces
	`file "[^"]*", line \d+|at [\w$.<>/:\[\] ]+ ?\(.*\)$|at (?:async )?\S+:\d+(?::\d+)?$|goroutine \d+ \[|#\d+ +(?:0x[0-9a-f]+ )?in |` +
	`\d+: +(?:0x[0-9a-f]+ - )?[\w:<>{}$]+$|thread '.*' panicked at|panic: |stack backtrace:|` +
	`at [\w<>.:-]+, .*: ?(?:line )?\d+$|at \S.*:\d+ char:\d+$|\+ (?:categoryinfo|fullyqualifiederrorid) +:|.*\bcalled at \S+ line \d+\.?$|` + // and of PowerShell and Perl
	`program received signal |(?:segmentation|bus) (?:fault|error)\b|(?:error termination\. )?backtrace(?: for this error)?:|at line \d+ of file |` + // of Fortran and C
	`forrtl: |image +pc +routine +|\S+ +[0-9a-f]{16} +\w+ +(?:\d+|unknown) +\S+$|\S*\(\w+\+0x[0-9a-f]+\) ?\[0x|` +
	`-{16}$|(?:\?\?:\?|\S+\.d:\d+) .* \[0x[0-9a-f]+\]$|[\w.]+@\S*\(\d+\): |` + // and D
	`[\w.]*(?:error|exception|warning|failure|fault)(?:\[\w+\])?: |` + // messages
	`\S+\.\w{1,4}:\d+(?::\d+)?: |` +
	`(?:error|warn|warning|info|debug|fatal|trace|notice|e|w|i|d)[\]:/ ]+\S*\d|` + // logs
	`\[?\d{4}[-/]\d\d[-/]\d\d[t ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|` +
	`\[?(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* +\d{1,2},? (?:\d{4} )?\d\d:\d\d)`)

// container is what stands before a line of a log where several programs write to it.
var container = pattern.New(`^[\w.-]+ +\| +`)

// runner begins the line in which a run of tests tells which one failed.
var runner = pattern.New(`^(?:\d+\) |[●✕✗×✘] |not ok \d+|--- FAIL: |\[-\] |\[FAIL\b|\S.* > .* FAILED$)`)

func isOutput(text string) bool {
	return output().MatchString(text[len(container().FindString(text)):])
}

// prompt begins a line that somebody typed to a shell or an interpreter.
var prompt = pattern.New(`^(?:>>> |\.\.\. |In \[\d+\]: |\$ |% \S|irb.*> )`)

func isPrompt(text string) bool { return prompt().MatchString(text) }

// looksLikeCode reports whether a line has what code has and prose has not.
func looksLikeCode(text string) bool {
	return strings.ContainsAny(text, "=(){};<>[]") || strings.HasPrefix(text, "import ") || strings.HasSuffix(text, ":")
}

// isBox reports whether a line is a box of a list that a template asks to tick.
func isBox(text string) bool {
	t := strings.TrimLeft(text, "-*+ ")
	return len(t) >= 3 && t[0] == '[' && t[2] == ']' && strings.IndexByte(" xX", t[1]) >= 0
}

// version is a line that tells what something's version is, or what it runs on.
var version = pattern.New(`(?i)^[-*+>|` + "`" + ` ]*(?:` +
	`[\w .()/-]{1,40}(?::|==|=| - ?|@|\|) *[` + "`v*\"]*" + `\d+(?:\.\d+)+\S*.{0,40}$|` +
	`(?:os|platform|operating system|python|node|npm|java|jdk|go|rustc?|cargo|compiler|browser|architecture|version|kernel|machine|processor|system|distro)\b[\w .()/-]{0,20}(?::|=|\|).{0,80}$|` +
	`(?:ubuntu|debian|windows|macos|mac os|os x|fedora|linux|darwin)\b[\w .()-]{0,30}$)`)

func isVersion(text string) bool { return version().MatchString(text) }

// heading returns what a heading says: a line behind #, in bold from end to end, or
// a few words before a colon.
func heading(text string) (head string, ok bool) {
	if t := strings.TrimLeft(text, "#"); t != text && strings.HasPrefix(t, " ") {
		return trim(t), true
	}
	t := strings.TrimSuffix(text, ":")
	if b := strings.Trim(t, "*_"); len(t)-len(b) >= 4 && (strings.HasPrefix(t, "**") || strings.HasPrefix(t, "__")) && !strings.Contains(b, "**") {
		return trim(b), true
	}
	if t != text && len(strings.Fields(t)) <= headWords && isTemplate(trim(t)) {
		return trim(t), true
	}
	return "", false
}

// headWords is the most words of a heading that only a colon tells.
const headWords = 8

func trim(head string) string { return strings.ToLower(strings.Trim(head, " :*_#.?!`")) }

// templates are words that the headings of templates are made of.
var templates = wordset.Of(`describe description bug issue problem steps step to reproduce reproducing reproduction repro minimal
	complete verifiable example code sample snippet expected actual current behavior behaviour result results output error
	errors message log logs traceback stack trace additional context information info notes note other details detail
	environment version versions system setup platform os possible solution solutions suggested fix implementation
	screenshots screenshot anything else what happened happens did you do expect see instead how and the a of is it your
	summary background motivation feature request related problem? please relevant full any if for we need know here
	used using which that with or installed dependencies configuration config command commands paste type question
	references reference links checklist original reporter affected impact severity are can does in on not have want`)

// isTemplate reports whether a heading is one of a template.
func isTemplate(head string) bool {
	for w := range strings.FieldsSeq(head) {
		if w = strings.Trim(w, "()/,.:&-'`*\""); w != "" && !templates[w] {
			return false
		}
	}
	return true
}

var environments = wordset.Of(`environment version versions system setup platform os installed dependencies configuration info information`)

// isEnvironment reports whether what follows a heading is about where something runs.
func isEnvironment(head string) bool {
	found := false
	for w := range strings.FieldsSeq(head) {
		w = strings.Trim(w, "()/,.:&-'`*\"")
		found = found || environments[w] && w != "information" && w != "info" && w != "configuration" && w != "setup" && w != "system"
	}
	return found && isTemplate(head) || head == "system info" || head == "system information" || head == "environment info"
}
