package eval

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/lang"
	"espy/internal/rank"
)

// History makes questions out of the commits of a repository: the message asks,
// the source files that the commit changed answer. All fields are required
// except Language and Limit.
//
// One tree serves all questions of a repository: the one before the oldest
// commit that is used. So no index holds what a commit added, and a target is
// used only where its file stood at the same path then. The price is that the
// tree is older than most of the commits, by as many as it takes to find Limit
// of them.
type History struct {
	GitDir   string // bare, or the .git of a work tree; it is only read
	Name     string
	Language string
	Commit   string // the newest commit to look at, in full
	Tree     string // where LayOut puts the files
	Limit    int    // questions; 0 is no limit
}

// change is one commit without merges.
type change struct {
	id, message string
	entries     []entry
}

// entry is one path that a commit changed.
type entry struct {
	status byte // as of git: A added, M modified, D deleted, T changed its type
	path   string
}

// maxTargets bounds the files of a commit that is one question.
const maxTargets = 5

// Questions returns the questions, from the newest commit to the oldest, and
// the commit whose tree they are asked over.
func (h *History) Questions(ctx context.Context) (questions []Question, base string, err error) {
	if !isCommit(h.Commit) {
		return nil, "", fmt.Errorf("history: %q is not the whole id of a commit", h.Commit)
	}
	changes, err := h.changes(ctx)
	if err != nil {
		return nil, "", err
	}
	picked := h.pick(changes)
	if len(picked) == 0 {
		return nil, "", fmt.Errorf("history: no commit of %s makes a question", h.Name)
	}
	base, err = h.parent(ctx, picked[len(picked)-1].commit)
	if err != nil {
		return nil, "", err
	}
	paths, err := h.paths(ctx, base)
	if err != nil {
		return nil, "", err
	}
	for _, p := range picked {
		if there(p.Targets, paths) {
			questions = append(questions, p.Question)
		}
	}
	return questions, base, nil
}

// candidate is a question and its commit.
type candidate struct {
	Question
	commit string
}

// pick makes the questions, at most Limit of them.
func (h *History) pick(changes []change) []candidate {
	var picked []candidate
	asked := map[string]bool{}
	for i := range changes {
		c := &changes[i]
		query, ok := ask(c)
		if !ok || asked[query] {
			continue
		}
		asked[query] = true
		q := Question{ID: h.Name + "#" + c.id[:12], Repo: h.Name, Language: h.Language, Category: "history", Query: query}
		for _, p := range targets(c.entries) {
			q.Targets = append(q.Targets, Target{Path: p})
		}
		picked = append(picked, candidate{Question: q, commit: c.id})
		if len(picked) == h.Limit {
			break
		}
	}
	return picked
}

func there(targets []Target, paths map[string]bool) bool {
	return !slices.ContainsFunc(targets, func(t Target) bool { return !paths[t.Path] })
}

// ask makes a question of a commit, if it is fit for one.
func ask(c *change) (query string, ok bool) {
	files := targets(c.entries)
	if len(files) == 0 || len(files) > maxTargets {
		return "", false
	}
	if slices.ContainsFunc(c.entries, func(e entry) bool { return e.status != 'M' && isSource(e.path) }) {
		return "", false
	}
	query, ok = plainMessage(c.message)
	if !ok || slices.ContainsFunc(files, func(p string) bool { return names(query, p) }) {
		return "", false
	}
	return query, true
}

// targets lists the source files among the changed ones, tests and whatever is
// not written by hand left out.
func targets(entries []entry) []string {
	var files []string
	for _, e := range entries {
		if isSource(e.path) {
			files = append(files, e.path)
		}
	}
	slices.Sort(files)
	return files
}

const notSource = code.ClassTest | code.ClassDocs | code.ClassVendor | code.ClassGenerated | code.ClassMinified | code.ClassLock | code.ClassExample

// buildFile matches the programs that only build or package the others.
var buildFile = regexp.MustCompile(`(?i)(^|/)(gemfile|rakefile|brewfile|podfile|fastfile|build\.sbt|setup\.(py|sh)|noxfile\.py|mix\.exs|package\.swift|[^/]*\.gradle(\.kts)?|[^/]*\.config\.[cm]?[jt]s|install\.sh|configure)$`)

func isSource(p string) bool {
	l := lang.Detect(p, nil)
	return l != nil && l.Outline && rank.ContentOf(l.Name) == rank.ContentCode && lang.Classify(p)&notSource == 0 && !buildFile.MatchString(p)
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
	chore = regexp.MustCompile(`(?i)\b(bump|upgrade|dependenc\w+|deps|release|changelog|change log|version|lint\w*|fmt|gofmt|rustfmt|prettier|eslint|pylint|flake8|ruff|mypy|rubocop|checkstyle|clippy|clang-format|scalafmt|ktlint|swiftlint|reformat\w*|formatting|whitespace|white space|indent\w*|typos?|spelling|grammar|comments?|docs?|documentation|docstrings?|readme|javadoc|manual|man ?page|copyright|licen[cs]e|headers?|translations?|translated|weblate|transifex|crowdin|l10n|i18n|localization|merge|revert\w*|backport|cherry.pick\w*|wip|ci|travis|github actions?|workflow|makefile|cmake|build|coverage|tests?|unittests?|rename\w*|move[ds]?|cleanup|clean up|nits?|cosmetic\w*|style|refactor\w*|submodule|renovate|dependabot)\b`)
	kind  = regexp.MustCompile(`(?i)^(feat|feature|fix|bugfix|perf|chore|docs?|ci|build|test|tests|style|refactor)(\([^)]*\))?!?:\s*`)
	noise = regexp.MustCompile(`(?i)(\b(fix(es|ed)?|close[sd]?|resolve[sd]?|see|refs?|from|issue|pull request|pr):?\s+)?([\w.-]+/[\w.-]+|gh-?|pr)?#\d+\b|https?://\S+|\(\s*\d+\s*\)|\S+@\S+\.\S+`)
	hash  = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)
	// trailer matches the lines that name people and other commits.
	trailer = regexp.MustCompile(`(?i)^([a-z]+(-[a-z]+)+|fix(es)?|closes?|refs?|cc|bug|issue|see|changelog|links?|thanks to|resolves?|related( to)?)\s*:\s`)
	word    = regexp.MustCompile(`[A-Za-z]{3,}`)
	empty   = regexp.MustCompile(`\(\s*\)|\[\s*\]`)
)

// plainMessage takes out of a message what does not describe the change, and
// reports whether enough is left.
func plainMessage(message string) (string, bool) {
	subject, body, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if chore.MatchString(subject) || strings.HasPrefix(subject, "Merge ") {
		return "", false
	}
	subject = clean(kind.ReplaceAllString(subject, ""))
	if len(word.FindAllString(subject, -1)) < 4 {
		return "", false
	}
	return strings.TrimSpace(subject + " " + clean(paragraphs(body))), true
}

// paragraphs joins the lines of a body that are prose and cuts it at a word.
func paragraphs(body string) string {
	var lines []string
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if line == "" || trailer.MatchString(line) || strings.HasPrefix(line, "---") {
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
	text = noise.ReplaceAllString(text, " ")
	text = hash.ReplaceAllStringFunc(text, func(s string) string {
		if strings.ContainsAny(s, "0123456789") && len(s) >= 7 {
			return " "
		}
		return s
	})
	text = empty.ReplaceAllString(text, " ")
	return strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "")
}

// parent returns the first parent of a commit.
func (h *History) parent(ctx context.Context, commit string) (string, error) {
	out, err := h.git(ctx, nil, "rev-parse", "--verify", "--end-of-options", commit+"^")
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(out))
	if !isCommit(id) {
		return "", errors.New("history: git names no parent of " + commit)
	}
	return id, nil
}

// isCommit reports whether id is an object name in full.
func isCommit(id string) bool {
	return (len(id) == 40 || len(id) == 64) && strings.Trim(id, "0123456789abcdef") == ""
}
