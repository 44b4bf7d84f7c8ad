package overview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"espy/internal/git"
	"espy/internal/lang"
	"espy/internal/parallel"
	"espy/internal/resolve/corpus"
	"espy/internal/workspace"
	"espy/internal/workspace/origin"
)

// recentCommits are those that hot spots and authors are counted in.
const recentCommits = 300

// head is the commit that is checked out.
type head struct {
	repository *git.Repository
	commit     string
	depth      git.Stamp
	err        error
	missing    string // why nothing is known of the past
}

// headOf looks up the commit that is checked out.
func headOf(ctx context.Context, r *workspace.Repo) *head {
	repository, at, err := r.Commits(ctx)
	h := &head{repository: repository, commit: at.Commit, err: err}
	var none *origin.NoHistoryError
	switch {
	case errors.Is(err, origin.ErrPublished):
		h.missing = origin.ErrPublished.Error()
	case errors.As(err, &none) && errors.Is(err, git.ErrNoRepository):
		h.missing = "the folder is not in a git repository"
	case errors.As(err, &none):
		h.missing, _ = none.Explain()
	case err == nil:
		h.depth = repository.Depth()
	}
	return h
}

// read reads the newest commits under a path.
func (h *head) read(ctx context.Context, path string) *past {
	if h.missing != "" {
		return &past{missing: h.missing, whole: true}
	}
	quick, cancel := parallel.Early(ctx, 3)
	defer cancel()
	o := git.LogOptions{Limit: recentCommits}
	if path != "" {
		o.Paths = []string{path}
	}
	p, err := &past{}, h.err
	if err == nil {
		p.touches, err = h.repository.Touches(quick, h.commit, o)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &past{missing: "git was not read within the time of the question"}
	}
	if err != nil {
		return &past{missing: fmt.Sprintf("git was not read: %v", err)}
	}
	p.whole = true
	return p
}

// maxAuthors are shown of an area.
const maxAuthors = 2

// authors are who changed each area most often, by commits; of finds the area of a
// folder.
func (p *past) authors(of func(folder string) string) map[string][]string {
	commits, areas := map[string]map[string]int{}, map[string]string{}
	for i := range p.touches {
		t := &p.touches[i]
		touched := map[string]bool{}
		for _, path := range t.Paths {
			folder := corpus.Folder(path)
			area, known := areas[folder]
			if !known {
				area = of(folder)
				areas[folder] = area
			}
			touched[area] = true
		}
		for area := range touched {
			if commits[area] == nil {
				commits[area] = map[string]int{}
			}
			commits[area][t.Author]++
		}
	}
	names := map[string][]string{}
	for area, n := range commits {
		maps.DeleteFunc(n, isBot)
		for _, a := range ordered(n)[:min(maxAuthors, len(n))] {
			names[area] = append(names[area], a.Name)
		}
	}
	return names
}

// isBot reports whether an author is called a program.
func isBot(name string, _ int) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "[bot]") || strings.HasSuffix(name, " bot") || strings.HasSuffix(name, "-bot")
}

func ordered(commits map[string]int) (all []Author) {
	for name, n := range commits {
		all = append(all, Author{name, n})
	}
	slices.SortFunc(all, func(a, b Author) int { return cmp.Or(cmp.Compare(b.Commits, a.Commits), cmp.Compare(a.Name, b.Name)) })
	return all
}

// change finds hot spots and authors.
func (s *surveyor) change() {
	past := s.past()
	s.NoHistory, s.Commits = past.missing, len(past.touches)
	commits := map[string]int{}
	for i := range past.touches {
		commits[past.touches[i].Author]++
	}
	maps.DeleteFunc(commits, isBot)
	s.Authors = first(ordered(commits), s.show(5))
	var all []Hot
	for _, c := range git.ChurnOf(past.touches) {
		f, ok := s.ask.Corpus.Find(c.Path)
		if !ok || c.Commits < 2 || !s.counts(f) || s.Request.Path != "" && !strings.HasPrefix(c.Path, s.Request.Path+"/") {
			continue
		}
		h := Hot{Path: c.Path, Commits: c.Commits, Complexity: s.complexity(f)}
		if s.FewParsed() && lang.IsCode(s.ask.Corpus.Language(f)) {
			h.Lines = s.ask.Corpus.Lines(f)
		}
		if s.heat(&h) > 0 {
			all = append(all, h)
		}
	}
	slices.SortFunc(all, func(a, b Hot) int { return cmp.Or(cmp.Compare(s.heat(&b), s.heat(&a)), cmp.Compare(a.Path, b.Path)) })
	s.Hot = first(all, s.show(5))
}

// heat is what hot spots are ordered by.
func (s *surveyor) heat(h *Hot) int {
	if s.FewParsed() {
		return h.Commits * h.Lines
	}
	return h.Commits * h.Complexity
}

// complexity is that of all functions of a file together.
func (s *surveyor) complexity(f corpus.FileID) int {
	file, n := s.ask.File(f), 0
	for i := range file.NumSymbols() {
		if sym := file.BareSymbol(i); sym.Complexity > 0 && (sym.Parent < 0 || !file.Kind(int(sym.Parent)).IsFunc()) {
			n += int(sym.Complexity)
		}
	}
	return n
}
