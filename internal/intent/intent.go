// Package intent makes of a commit the question that its message asks and the
// files that answer it, where the message tells what the change does and the
// change is small enough for that.
package intent

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/git"
	"espy/internal/lang"
	"espy/internal/pattern"
	"espy/internal/rank"
)

// maxTargets bounds the files of a commit that is one question.
const maxTargets = 5

// Of returns the question of a commit and the source files that answer it, if
// it is fit for one: it only changes files, few of them, and its message does not
// name them.
func Of(c *git.Changed) (question string, files []string, ok bool) {
	files = targets(c.Entries)
	if len(files) == 0 || len(files) > maxTargets {
		return "", nil, false
	}
	if slices.ContainsFunc(c.Entries, func(e git.Touched) bool { return e.Status != 'M' && isSource(e.Path) }) {
		return "", nil, false
	}
	question, ok = plainMessage(c.Message)
	if !ok || slices.ContainsFunc(files, func(p string) bool { return names(question, p) }) {
		return "", nil, false
	}
	return question, files, true
}

// targets lists the source files among the changed ones, tests and whatever is
// not written by hand left out.
func targets(entries []git.Touched) []string {
	var files []string
	for _, e := range entries {
		if isSource(e.Path) {
			files = append(files, e.Path)
		}
	}
	slices.Sort(files)
	return files
}

const notSource = code.ClassTest | code.ClassDocs | code.ClassVendor | code.ClassGenerated | code.ClassMinified | code.ClassLock | code.ClassExample

// buildFile matches the programs that only build or package the others.
var buildFile = pattern.New(`(?i)(^|/)(gemfile|rakefile|brewfile|podfile|fastfile|build\.sbt|setup\.(py|sh)|noxfile\.py|mix\.exs|package\.swift|[^/]*\.gradle(\.kts)?|[^/]*\.config\.[cm]?[jt]s|install\.sh|configure)$`)

func isSource(p string) bool {
	l := lang.Detect(p, nil)
	return l != nil && l.Outline && rank.ContentOf(l.Name) == rank.ContentCode && lang.Classify(p)&notSource == 0 && !buildFile().MatchString(p)
}

// names reports whether a message gives a file away: by its base name with the
// extension, or by its path without one.
func names(message, file string) bool {
	message, file = strings.ToLower(message), strings.ToLower(file)
	base := path.Base(file)
	if strings.Contains(message, base) {
		return true
	}
	stem := strings.TrimSuffix(file, path.Ext(file))
	parent := path.Base(path.Dir(stem))
	return parent != "." && parent != "/" && strings.Contains(message, parent+"/"+path.Base(stem))
}

// maxBody bounds what is taken of the body of a message, in bytes.
const maxBody = 400

var (
	// chore matches messages about a file's looks, its documentation, its tests or
	// its surroundings, and of programs.
	chore = pattern.New(`(?i)\b(bump|upgrade|dependenc\w+|deps|release|changelog|change log|version|lint\w*|fmt|gofmt|rustfmt|prettier|eslint|pylint|flake8|ruff|mypy|rubocop|checkstyle|clippy|clang-format|scalafmt|ktlint|swiftlint|reformat\w*|formatting|whitespace|white space|indent\w*|typos?|spelling|grammar|comments?|docs?|documentation|docstrings?|readme|javadoc|manual|man ?page|copyright|licen[cs]e|headers?|translations?|translated|weblate|transifex|crowdin|l10n|i18n|localization|merge|revert\w*|backport|cherry.pick\w*|wip|ci|travis|github actions?|workflow|makefile|cmake|build|coverage|tests?|unittests?|rename\w*|move[ds]?|cleanup|clean up|nits?|cosmetic\w*|style|refactor\w*|submodule|renovate|dependabot)\b`)
	kind  = pattern.New(`(?i)^(feat|feature|fix|bugfix|perf|chore|docs?|ci|build|test|tests|style|refactor)(\([^)]*\))?!?:\s*`)
	noise = pattern.New(`(?i)(\b(fix(es|ed)?|close[sd]?|resolve[sd]?|see|refs?|from|issue|pull request|pr):?\s+)?([\w.-]+/[\w.-]+|gh-?|pr)?#\d+\b|https?://\S+|\(\s*\d+\s*\)|\S+@\S+\.\S+`)
	hash  = pattern.New(`\b[0-9a-f]{7,40}\b`)
	// trailer matches the lines that name people and other commits.
	trailer = pattern.New(`(?i)^([a-z]+(-[a-z]+)+|fix(es)?|closes?|refs?|cc|bug|issue|see|changelog|links?|thanks to|resolves?|related( to)?)\s*:\s`)
	word    = pattern.New(`[A-Za-z]{3,}`)
	empty   = pattern.New(`\(\s*\)|\[\s*\]`)
)

// plainMessage takes out of a message what does not describe the change, and
// reports whether enough is left.
func plainMessage(message string) (string, bool) {
	subject, body, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if chore().MatchString(subject) || strings.HasPrefix(subject, "Merge ") {
		return "", false
	}
	subject = clean(kind().ReplaceAllString(subject, ""))
	if len(word().FindAllString(subject, -1)) < 4 {
		return "", false
	}
	return strings.TrimSpace(subject + " " + clean(paragraphs(body))), true
}

// paragraphs joins the lines of a body that are prose and cuts it at a word.
func paragraphs(body string) string {
	var lines []string
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if line == "" || trailer().MatchString(line) || strings.HasPrefix(line, "---") {
			continue
		}
		lines = append(lines, line)
	}
	text := strings.Join(lines, " ")
	if len(text) <= maxBody {
		return text
	}
	cut := strings.LastIndexByte(text[:maxBody+1], ' ')
	return text[:max(cut, 0)]
}

func clean(text string) string {
	text = noise().ReplaceAllString(text, " ")
	text = hash().ReplaceAllStringFunc(text, func(s string) string {
		if strings.ContainsAny(s, "0123456789") && len(s) >= 7 {
			return " "
		}
		return s
	})
	text = empty().ReplaceAllString(text, " ")
	return strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "")
}
