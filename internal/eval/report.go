package eval

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Text returns the summary for a terminal: the figures of the whole set, of
// each category and language and, where repos is set, of each repository.
func (s *Summary) Text(repos bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: NDCG@10 %.4f  MRR %.4f  Recall@10 %.4f  over %d repositories, %d questions (NDCG@10 over questions %.4f)\n",
		s.Mode, s.NDCG, s.MRR, s.Recall, s.Repos, s.Questions, s.Micro)
	if s.Refused+s.Absent > 0 {
		fmt.Fprintf(&b, "%d questions refused, %d targets not in the index\n", s.Refused, s.Absent)
	}
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	tables := [][]Row{s.Categories, s.Languages}
	if repos {
		tables = append(tables, s.ByRepo)
	}
	for _, rows := range tables {
		fmt.Fprintln(w, "\tNDCG@10\tMRR\tRecall@10\tquestions")
		for _, r := range rows {
			fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.3f\t%d\n", r.Name, r.NDCG, r.MRR, r.Recall, r.Questions)
		}
		w.Flush()
	}
	return b.String()
}

// Text returns the tokens for a terminal.
func (t *Tokens) Text() string {
	return fmt.Sprintf("tokens until a target is held, over %d questions answered both ways: search %d (median), %.0f (mean); grep and read %d, %.0f\n",
		t.Both, t.SearchMedian, t.SearchMean, t.ReadMedian, t.ReadMean)
}

// Text returns the comparison for a terminal.
func (c *Comparison) Text() string {
	return fmt.Sprintf("NDCG@10 %.4f -> %.4f: %+.4f [%+.4f, %+.4f at 95 %%], %d questions better, %d worse of %d\n",
		c.Old, c.New, c.Difference, c.Low, c.High, c.Better, c.Worse, c.Questions)
}

// Report writes the page on quality in Markdown from a run in each mode, both
// with Options.Compared. It holds no times and no places of this machine: the
// same ranking gives the same page.
func Report(root, whole *Run) string {
	a, b := root.Summary(), whole.Summary()
	p := &page{}
	p.intro(a)
	p.headline(root, whole)
	p.table("category", a.Categories, b.Categories)
	p.table("language", a.Languages, b.Languages)
	p.line("The five worst languages: root %.3f, whole %.3f.\n", worst(a.Languages, 5), worst(b.Languages, 5))
	p.table("repository", a.ByRepo, b.ByRepo)
	p.tokens(root.Tokens(), whole.Tokens())
	p.curve(root.Curve(), whole.Curve())
	p.absent(root, whole)
	return p.String()
}

// page is a Markdown page at work.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) intro(s *Summary) {
	p.line("# Quality of ranked search\n")
	p.line("Written by `make eval`; every change of ranking shows here as a difference.\n")
	p.line("%d questions about %d public repositories, asked as users ask them: mode auto, %d results.", s.Questions, s.Repos, Depth)
	p.line("A target counts at the rank of the first result that shows it. Figures are means over repositories of the means over their")
	p.line("questions. Mode *root* indexes only the source folder that published figures look at, *whole* the whole repository with its")
	p.line("tests, examples and documentation, as users have it. The sections behind *Out of reach* ask for other things: what fixes issues,")
	p.line("prints messages, commits changed, does what is said without naming it, options of Linux build; and how long it takes.\n")
}

func (p *page) headline(root, whole *Run) {
	p.line("| | root NDCG@10 | MRR | Recall@10 | whole NDCG@10 | MRR | Recall@10 |")
	p.line("|---|---|---|---|---|---|---|")
	p.pair("Espy", root.Summary(), whole.Summary())
	p.pair("BM25 over chunks", root.SummaryBM25(), whole.SummaryBM25())
	p.line("")
}

func (p *page) pair(name string, a, b *Summary) {
	p.line("| %s | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |", name, a.NDCG, a.MRR, a.Recall, b.NDCG, b.MRR, b.Recall)
}

func (p *page) table(by string, root, whole []Row) {
	p.line("## By %s\n", by)
	p.line("| %s | questions | root NDCG@10 | MRR | Recall@10 | whole NDCG@10 | MRR | Recall@10 |", by)
	p.line("|---|---|---|---|---|---|---|---|")
	for i, a := range root {
		b := whole[i]
		p.line("| %s | %d | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |", a.Name, a.Questions, a.NDCG, a.MRR, a.Recall, b.NDCG, b.MRR, b.Recall)
	}
	p.line("")
}

func (p *page) tokens(root, whole *Tokens) {
	p.line("## Tokens until a target is held\n")
	p.line("*Search*: the answer with whole chunks, up to and with the first hit that shows a target. *Grep and read*: files that hold words of")
	p.line("the question, those with most of them first, read whole up to and with the first target. Both over the questions that both")
	p.line("ways answer; the last two columns over all questions, search falling back to grep and read where its results hold no target.\n")
	p.line("| mode | answered both ways | search, median | mean | grep and read, median | mean | read / search (means) | search, falling back, mean | grep and read, mean |")
	p.line("|---|---|---|---|---|---|---|---|---|")
	for _, m := range []struct {
		name string
		*Tokens
	}{{ModeRoot, root}, {ModeWhole, whole}} {
		p.line("| %s | %d of %d | %d | %.0f | %d | %.0f | %.1f | %.0f | %.0f |", m.name, m.Both, m.Questions,
			m.SearchMedian, m.SearchMean, m.ReadMedian, m.ReadMean, m.ReadMean/max(1, m.SearchMean), m.Fallback, m.ReadAll)
	}
	p.line("")
}

func (p *page) curve(root, whole []Point) {
	if root == nil || whole == nil {
		return
	}
	p.line("## What an answer holds\n")
	p.line("The text that an agent gets, by max_tokens. *Files*: the share of the questions whose answer names a right file, all such. *Lines*:")
	p.line("the share of those whose right lines are known that show one of them: the lines of the targets, and of a question that is a name")
	p.line("the lines that define it in a target (root %d questions, whole %d). Published best of files, over whole chunks: 0.685, 0.849, 0.938,", root[0].Known, whole[0].Known)
	p.line("0.976 within 500, 1,000, 2,000 and 4,000 tokens (semble).\n")
	p.line("| max_tokens | root tokens, mean | files | lines | whole tokens, mean | files | lines |")
	p.line("|---|---|---|---|---|---|---|")
	for i, a := range root {
		b, budget := whole[i], "none given"
		if a.Budget > 0 {
			budget = fmt.Sprint(a.Budget)
		}
		p.line("| %s | %.0f | %.3f | %.3f | %.0f | %.3f | %.3f |", budget, a.Tokens, a.Files, a.Lines, b.Tokens, b.Files, b.Lines)
	}
	p.line("")
}

func (p *page) absent(runs ...*Run) {
	p.line("## Out of reach\n")
	for _, r := range runs {
		s := r.Summary()
		p.line("Mode %s: %d questions refused, %d targets not in the index.\n", r.Mode, s.Refused, s.Absent)
		for _, a := range r.Absent {
			p.line("- %s", a)
		}
		if len(r.Absent) > 0 {
			p.line("")
		}
	}
}
