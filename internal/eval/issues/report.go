package issues

import (
	"fmt"
	"slices"
	"strings"
)

// KnownAnswers reads answers that were saved before, by the id of the instance.
func KnownAnswers(file string) (map[string]Answer, error) {
	known := map[string]Answer{}
	err := decode(file, func(a Answer) error { known[a.ID] = a; return nil })
	return known, err
}

// shares are what some answers give together, as shares to 1.
type shares struct {
	Issues    int     `json:"issues"`
	Acc1      float64 `json:"acc_1"` // all files among the first
	Acc3      float64 `json:"acc_3"`
	Acc5      float64 `json:"acc_5"`
	Acc10     float64 `json:"acc_10"`
	Hit5      float64 `json:"hit_5"`     // some file among the first five
	Functions int     `json:"functions"` // issues whose changed functions are known
	Fn5       float64 `json:"function_acc_5"`
	Fn10      float64 `json:"function_acc_10"`
}

// figures returns what answers give.
func figures(answers []Answer) (f shares) {
	for i := range answers {
		a := &answers[i]
		f.Issues++
		f.Acc1 += holds(a.Files, 1)
		f.Acc3 += holds(a.Files, 3)
		f.Acc5 += holds(a.Files, 5)
		f.Acc10 += holds(a.Files, 10)
		if slices.ContainsFunc(a.Files, func(rank int) bool { return rank > 0 && rank <= 5 }) {
			f.Hit5++
		}
		if len(a.Functions) > 0 {
			f.Functions++
			f.Fn5 += holds(a.Functions, 5)
			f.Fn10 += holds(a.Functions, 10)
		}
	}
	n, fn := float64(max(f.Issues, 1)), float64(max(f.Functions, 1))
	for _, share := range []*float64{&f.Acc1, &f.Acc3, &f.Acc5, &f.Acc10, &f.Hit5} {
		*share /= n
	}
	f.Fn5, f.Fn10 = f.Fn5/fn, f.Fn10/fn
	return f
}

// holds is 1 where all ranks are among the first k.
func holds(ranks []int, k int) float64 {
	if slices.ContainsFunc(ranks, func(rank int) bool { return rank == 0 || rank > k }) {
		return 0
	}
	return 1
}

// breadth is what answers to issues whose fix spans files give.
type breadth struct {
	Issues int     `json:"issues"`
	Ten    float64 `json:"ten"`    // all files among the first ten files
	Usual  float64 `json:"usual"`  // all among the files of the usual answer of ten places
	With   float64 `json:"with"`   // and those that it names beside them
	Recall float64 `json:"recall"` // share of the files in the usual answer
	Beside float64 `json:"beside"` // and those beside them
	Named  float64 `json:"named"`  // files that the usual answer names, mean
	More   float64 `json:"more"`   // and beside them
}

func spread(answers []Answer) (s breadth) {
	for i := range answers {
		a := &answers[i]
		n := len(a.Files)
		if n < 2 {
			continue
		}
		s.Issues++
		s.Ten += holds(a.Files, 10)
		if a.Usual == n {
			s.Usual++
		}
		if a.Usual+a.Companions == n {
			s.With++
		}
		s.Recall += float64(a.Usual) / float64(n)
		s.Beside += float64(a.Usual+a.Companions) / float64(n)
		s.Named += float64(a.Named)
		s.More += float64(a.Beside)
	}
	for _, sum := range []*float64{&s.Ten, &s.Usual, &s.With, &s.Recall, &s.Beside, &s.Named, &s.More} {
		*sum /= float64(max(s.Issues, 1))
	}
	return s
}

// Report is the outcome of a run.
type Report struct {
	Answers []Answer `json:"answers"`
	Left    []string `json:"left"` // repositories that were not asked, with the number of their issues
}

// NewReport tells of answers to instances, and which were not asked.
func NewReport(instances []Instance, answers []Answer) *Report {
	rep := &Report{Answers: answers}
	asked := map[string]bool{}
	for _, a := range answers {
		asked[a.ID] = true
	}
	left := map[string]int{}
	var names []string
	for _, x := range instances {
		if !asked[x.ID] {
			if left[x.Repo]++; left[x.Repo] == 1 {
				names = append(names, x.Repo)
			}
		}
	}
	for _, name := range names {
		rep.Left = append(rep.Left, fmt.Sprintf("%s (%d)", name, left[name]))
	}
	return rep
}

// of returns the answers of a set, and of a language unless that is empty.
func (rep *Report) of(set, language string) []Answer {
	return slices.DeleteFunc(slices.Clone(rep.Answers), func(a Answer) bool {
		return !slices.Contains(a.Sets, set) || language != "" && a.Language != language
	})
}

// languages are those of the answers of a set, by name.
func (rep *Report) languages(set string) (all []string) {
	for _, a := range rep.of(set, "") {
		all = append(all, a.Language)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Title is the heading of the part of the page on quality.
const Title = "Issues"

// published are figures of others on the 274 issues of the papers, in percent.
const published = `| BM25 over functions | 38.7 | 51.8 | 61.7 | | 31.8 | 36.9 |
| CodeRankEmbed, 137M parameters | 52.6 | 77.7 | 84.7 | | 51.8 | 58.8 |
| SweRankEmbed-Small, 137M | 66.4 | 86.5 | 90.9 | | 63.1 | 74.5 |
| Agentless, Claude 3.5 | 72.6 | 79.2 | 79.6 | | 58.8 | 58.8 |
| LocAgent, Claude 3.5 | 77.7 | 92.0 | 94.2 | | 73.4 | 77.4 |
`

// Table returns the report as Markdown.
func (rep *Report) Table() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("Written by `espy eval issues`. The text of an issue is asked as it is, over the tree that its fix was made on, in the scope of code.")
	line("Acc@k: all files (functions) that the fix changed are among the first k, in percent; hit@5: one of the files is.")
	line("A place outside of functions takes no rank among functions, as in the published figures, which rank functions alone.")
	line("")
	if python := rep.of("lite274", ""); len(python) > 0 {
		f := figures(python)
		line("SWE-bench Lite, Python files alone; Espy on %d issues, the others as published, on 274 (SweRank, arXiv 2505.07849, and LocAgent,", f.Issues)
		line("arXiv 2503.09089):")
		line("")
		line("| | file Acc@1 | @3 | @5 | @10 | function Acc@5 | @10 |")
		line("|---|---|---|---|---|---|---|")
		line("| Espy | %s | %s | %s | %s | %s | %s |", percent(f.Acc1), percent(f.Acc3), percent(f.Acc5), percent(f.Acc10), percent(f.Fn5), percent(f.Fn10))
		b.WriteString(published)
		line("")
	}
	if commits := rep.of(commits, ""); len(commits) > 0 {
		f := figures(commits)
		line("%d commits, each asked by its message over the tree before it, files of their language alone:", f.Issues)
		line("")
		line("| | file Acc@1 | @3 | @5 | @10 | function Acc@5 | @10 |")
		line("|---|---|---|---|---|---|---|")
		line("| Espy | %s | %s | %s | %s | %s | %s |", percent(f.Acc1), percent(f.Acc3), percent(f.Acc5), percent(f.Acc10), percent(f.Fn5), percent(f.Fn10))
		line("")
	}
	if len(rep.of("multi", "")) > 0 {
		rep.multi(line)
	}
	if len(rep.Left) > 0 {
		line("Not asked: %s.", strings.Join(rep.Left, ", "))
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// multi writes the figures of several languages, and of fixes that span files.
func (rep *Report) multi(line func(format string, args ...any)) {
	line("Multi-SWE-bench:")
	line("")
	line("| language | issues | hit@5 | Acc@1 | @3 | @5 | @10 |")
	line("|---|---|---|---|---|---|---|")
	row := func(name string, f shares) {
		line("| %s | %d | %s | %s | %s | %s | %s |", name, f.Issues, percent(f.Hit5), percent(f.Acc1), percent(f.Acc3), percent(f.Acc5), percent(f.Acc10))
	}
	for _, l := range rep.languages("multi") {
		row(l, figures(rep.of("multi", l)))
	}
	row("all", figures(rep.of("multi", "")))
	line("")
	line("Fixes that change several files. *Ten files*: all of them are among the first ten files. *Usual*: all are among the files of the")
	line("usual answer of ten places. *Beside*: or among the files that it names beside the hits, which likely change too.")
	line("")
	line("| language | issues | ten files | usual | with those beside | files found, usual | with those beside | files named | beside |")
	line("|---|---|---|---|---|---|---|---|---|")
	several := func(name string, s breadth) {
		if s.Issues > 0 {
			line("| %s | %d | %s | %s | %s | %s | %s | %.1f | %.1f |", name, s.Issues, percent(s.Ten), percent(s.Usual), percent(s.With), percent(s.Recall), percent(s.Beside), s.Named, s.More)
		}
	}
	for _, l := range rep.languages("multi") {
		several(l, spread(rep.of("multi", l)))
	}
	several("all", spread(rep.of("multi", "")))
	line("")
}

func percent(share float64) string { return fmt.Sprintf("%.1f", 100*share) }
