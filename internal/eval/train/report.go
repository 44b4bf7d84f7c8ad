package train

import (
	"fmt"
	"strings"

	"espy/internal/eval"
	"espy/internal/rank"
)

// Outcome is a fitted model and what is to be said of it.
type Outcome struct {
	Weights string // the file that package rank embeds
	Report  string // Markdown
}

const weightsHead = "# The model of package rank (its format: ParseModel), fitted by `make train`.\n# The curves are in logits of the score.\n"

// Run fits the model to all lists, measures it by cross-validation with and
// without each signal, and writes both down. bm25 is the Recall@10 of plain BM25
// for the history questions, 0 where there are none. step is told what comes next.
func Run(lists []*List, o Options, bm25 float64, step func(what string)) Outcome {
	fit := func(o Options) func([]*List) *rank.Model {
		return func(l []*List) *rank.Model { return fitVast(calibrate(fitModel(l, o), l, o), l) }
	}
	step("fit")
	model := fit(o)(lists)
	step("cross-validate")
	folded := crossValidate(lists, fit(o))
	r := report{lists: lists}
	r.head()
	r.row("set by hand", gradesOf(lists, repeat(handModel(o), len(lists))))
	base := gradesOf(lists, folded)
	r.row("fitted, cross-validated", base)
	r.row("fitted to these very questions", gradesOf(lists, repeat(model, len(lists))))
	r.history(folded, bm25)
	r.tree(folded)
	r.languages(base)
	r.ablationHead()
	for _, g := range groups {
		step("without " + g.name)
		off := o
		off.Off = append(off.Off, g.signals...)
		r.ablation(g.name, base, gradesOf(lists, crossValidate(lists, func(l []*List) *rank.Model { return fitModel(l, off) })))
	}
	r.calibration(folded)
	return Outcome{Weights: weightsHead + model.String(), Report: r.b.String()}
}

// RunVast fits to lists about vast trees what those add to the model of the program, and
// returns the weights of the two together.
func RunVast(lists []*List) (weights string) {
	return weightsHead + fitVast(rank.Default(), lists).String()
}

func repeat(m *rank.Model, n int) []*rank.Model {
	all := make([]*rank.Model, n)
	for i := range all {
		all[i] = m
	}
	return all
}

// groups are the signals that are left out together.
var groups = []struct {
	name    string
	signals []rank.Signal
}{
	{"quoted", []rank.Signal{rank.Quoted}},
	{"all of text", []rank.Signal{rank.BestChunk, rank.SecondChunk, rank.ChunkMass, rank.WholeText, rank.Coverage}},
	{"best chunk", []rank.Signal{rank.BestChunk}},
	{"second chunk", []rank.Signal{rank.SecondChunk}},
	{"chunk mass", []rank.Signal{rank.ChunkMass}},
	{"whole text", []rank.Signal{rank.WholeText}},
	{"coverage", []rank.Signal{rank.Coverage}},
	{"side by side", []rank.Signal{rank.Beside}},
	{"all of paths", []rank.Signal{rank.StemSaid, rank.StemFull, rank.StemHead, rank.Dir, rank.PathWords, rank.ExactStem}},
	{"stem explained", []rank.Signal{rank.StemFull}},
	{"stem said", []rank.Signal{rank.StemSaid}},
	{"stem head", []rank.Signal{rank.StemHead}},
	{"folders", []rank.Signal{rank.Dir}},
	{"path words", []rank.Signal{rank.PathWords}},
	{"exact stem", []rank.Signal{rank.ExactStem}},
	{"all of definitions", []rank.Signal{rank.TypeName, rank.FuncName, rank.Exact}},
	{"type name", []rank.Signal{rank.TypeName}},
	{"function name", []rank.Signal{rank.FuncName}},
	{"exact name", []rank.Signal{rank.Exact}},
	{"the other candidates: language, folder", []rank.Signal{rank.Language, rank.Folder}},
	{"home", []rank.Signal{rank.Home}},
	{"depth", []rank.Signal{rank.Depth}},
	{"all classes and contents", []rank.Signal{
		rank.Test, rank.Example, rank.Bench, rank.Docs, rank.Legacy, rank.Tool, rank.Vendor, rank.Generated, rank.Declaration, rank.Header, rank.Barrel,
		rank.Minified, rank.Lock, rank.Prose, rank.Data}},
	{"test", []rank.Signal{rank.Test}},
	{"example", []rank.Signal{rank.Example}},
	{"docs and prose", []rank.Signal{rank.Docs, rank.Prose}},
	{"data", []rank.Signal{rank.Data}},
	{"generated, vendor, tool", []rank.Signal{rank.Generated, rank.Vendor, rank.Tool}},
	{"header", []rank.Signal{rank.Header}},
	{"bench, legacy, declaration, barrel", []rank.Signal{rank.Bench, rank.Legacy, rank.Declaration, rank.Barrel}},
}

// report is Markdown in the making.
type report struct {
	lists []*List
	b     strings.Builder
}

func (r *report) head() {
	counts := map[string]int{}
	repos := map[string]map[string]bool{}
	for _, l := range r.lists {
		counts[l.Mode]++
		if repos[l.Mode] == nil {
			repos[l.Mode] = map[string]bool{}
		}
		repos[l.Mode][l.Repo] = true
	}
	fmt.Fprintf(&r.b, `# The weights of ranked search

Written by `+"`make train`"+` together with `+"`internal/rank/weights.txt`"+`.

The score of a file is the logistic of a sum: each signal adds a piecewise linear curve of its value (package rank). The
curves are fitted to %d questions in mode root and %d in mode whole about %d repositories, and to %d that were made from the
commits of %d others (commit message to changed files)%s. Cross-validated means: each repository is judged by curves that
were fitted without it, in %d parts. NDCG@10, means over repositories; differences below 0.005 are noise.

| | root | architecture | semantic | symbol | worst 5 languages | whole | architecture | semantic | symbol | worst 5 | history |
|---|---|---|---|---|---|---|---|---|---|---|---|
`, counts[eval.ModeRoot], counts[eval.ModeWhole], len(repos[eval.ModeWhole]), counts[ModeHistory], len(repos[ModeHistory]), trees(counts[ModeTree], len(repos[ModeTree])), foldCount)
}

// trees tells of the questions about large trees.
func trees(questions, trees int) string {
	if questions == 0 {
		return ""
	}
	return fmt.Sprintf(", and to %d made of the options of %d large trees of C (help text to\nthe file that the option builds)", questions, trees)
}

func (r *report) row(name string, v []float64) {
	fmt.Fprintf(&r.b, "| %s |", name)
	for _, mode := range []string{eval.ModeRoot, eval.ModeWhole} {
		s := summarise(r.lists, v, mode)
		fmt.Fprintf(&r.b, " %.4f | %.3f | %.3f | %.3f | %.3f |", s.All, s.Category["architecture"], s.Category["semantic"], s.Category["symbol"], s.worst(5))
	}
	s := summarise(r.lists, v, ModeHistory)
	fmt.Fprintf(&r.b, " %.4f |\n", s.All)
}

// history compares with plain BM25 what commit messages find.
func (r *report) history(models []*rank.Model, bm25 float64) {
	if bm25 == 0 {
		return
	}
	recalls := make([]float64, len(r.lists))
	for i, l := range r.lists {
		recalls[i] = l.recall(models[i], 10)
	}
	s := summarise(r.lists, recalls, ModeHistory)
	fmt.Fprintf(&r.b, "\nCommit message to changed files, Recall@10: %.3f cross-validated, %.3f by BM25 over chunks, %.2f times that.\n", s.All, bm25, s.All/bm25)
}

// tree tells how often the answer of a question about a large tree is the first file,
// and among the first ten.
func (r *report) tree(models []*rank.Model) {
	first, ten := make([]float64, len(r.lists)), make([]float64, len(r.lists))
	found := false
	for i, l := range r.lists {
		if l.Mode == ModeTree {
			found = true
			first[i], ten[i] = l.recall(models[i], 1), l.recall(models[i], 10)
		}
	}
	if found {
		a, b := summarise(r.lists, first, ModeTree), summarise(r.lists, ten, ModeTree)
		fmt.Fprintf(&r.b, "\nHelp text to file in the large trees, cross-validated: Recall@1 %.3f, Recall@10 %.3f.\n", a.All, b.All)
	}
}

func (r *report) languages(v []float64) {
	r.b.WriteString("\nBy language, cross-validated:\n\n| language | root | whole |\n|---|---|---|\n")
	root, whole := summarise(r.lists, v, eval.ModeRoot), summarise(r.lists, v, eval.ModeWhole)
	for _, l := range sortedKeys(whole.Lang) {
		fmt.Fprintf(&r.b, "| %s | %.3f | %.3f |\n", l, root.Lang[l], whole.Lang[l])
	}
}

func (r *report) ablationHead() {
	r.b.WriteString("\n## Without a signal\n\nWhat changes when the curves are fitted without it, cross-validated:\n\n| without | root | whole | history |\n|---|---|---|---|\n")
}

func (r *report) ablation(name string, base, v []float64) {
	fmt.Fprintf(&r.b, "| %s |", name)
	for _, mode := range []string{eval.ModeRoot, eval.ModeWhole, ModeHistory} {
		a, b := summarise(r.lists, base, mode), summarise(r.lists, v, mode)
		fmt.Fprintf(&r.b, " %+.3f |", b.All-a.All)
	}
	r.b.WriteByte('\n')
}

// calibration compares the scores of shown files with how many were targets.
func (r *report) calibration(models []*rank.Model) {
	const bins = 10
	var sum, hits, n [bins]float64
	for i, l := range r.lists {
		order, scorer := l.order(models[i]), models[i].Scorer(l.Kind, l.Vast)
		for _, k := range order[:min(len(order), shownHits)] {
			row := &l.Rows[k]
			p := rank.Logistic(scorer.Score(&row.Signals))
			b := min(bins-1, int(p*bins))
			sum[b] += p
			n[b]++
			if row.Hits != 0 {
				hits[b]++
			}
		}
	}
	r.b.WriteString("\n## What a score means\n\nFiles among the first ten by their score, and how many of them were answers, cross-validated:\n\n| mean score | answers | files |\n|---|---|---|\n")
	for b := range bins {
		if n[b] > 0 {
			fmt.Fprintf(&r.b, "| %.2f | %.2f | %.0f |\n", sum[b]/n[b], hits[b]/n[b], n[b])
		}
	}
}
