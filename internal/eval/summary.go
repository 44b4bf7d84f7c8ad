package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// Means are average scores of some questions.
type Means struct {
	NDCG      float64 `json:"ndcg10"`
	MRR       float64 `json:"mrr"`
	Recall    float64 `json:"recall10"`
	First     float64 `json:"first"` // share of the questions whose first result shows a target
	Questions int     `json:"questions"`
}

// Cells returns NDCG, recall, MRR and First as cells of a table in Markdown.
func (m Means) Cells() string {
	return fmt.Sprintf(" %.3f | %.3f | %.3f | %.3f |", m.NDCG, m.Recall, m.MRR, m.First)
}

// Row is the means of one category, language or repository.
type Row struct {
	Name string `json:"name"`
	Means
}

// Summary is what a run comes to. The figures of the whole set are means over
// repositories of the means over their questions, so that no repository weighs
// more than another; those of a category or a language likewise.
type Summary struct {
	Mode string `json:"mode"`
	Means
	Micro      float64 `json:"ndcg10_micro"` // mean NDCG over all questions
	Repos      int     `json:"repos"`
	Refused    int     `json:"refused"` // questions answered by an error
	Absent     int     `json:"absent"`  // targets that the index does not hold
	Categories []Row   `json:"by_category"`
	Languages  []Row   `json:"by_language"`
	ByRepo     []Row   `json:"by_repo"`
}

// Summary grades the run.
func (r *Run) Summary() *Summary {
	s := summarize(r.Questions, r.Answers)
	s.Mode, s.Absent = r.Mode, len(r.Absent)
	for i := range r.Answers {
		if r.Answers[i].Error != "" {
			s.Refused++
		}
	}
	return s
}

// SummaryBM25 grades the answers of BM25 over chunks; nil where it was not asked.
func (r *Run) SummaryBM25() *Summary {
	if r.BM25 == nil {
		return nil
	}
	s := summarize(r.Questions, r.BM25)
	s.Mode = r.Mode
	return s
}

// scores grades answers in the order of the questions.
func scores(questions []Question, answers []Answer) []score {
	byID := make(map[string]int, len(answers))
	for i := range answers {
		byID[answers[i].ID] = i
	}
	scores := make([]score, len(questions))
	for i := range questions {
		if a, ok := byID[questions[i].ID]; ok {
			scores[i] = grade(answers[a].Results, questions[i].Targets)
		}
	}
	return scores
}

func summarize(questions []Question, answers []Answer) *Summary {
	scores := scores(questions, answers)
	var all, repos, categories, languages tally
	for i := range questions {
		q := &questions[i]
		all.add("", q.Repo, &scores[i])
		repos.add(q.Repo, q.Repo, &scores[i])
		categories.add(q.Category, q.Repo, &scores[i])
		languages.add(q.Language, q.Repo, &scores[i])
	}
	s := &Summary{Repos: len(repos.rows()), Categories: categories.rows(), Languages: languages.rows(), ByRepo: repos.rows()}
	for _, row := range all.rows() {
		s.Means = row.Means
	}
	for i := range scores {
		s.Micro += scores[i].NDCG
	}
	s.Micro /= float64(max(1, len(scores)))
	return s
}

// tally collects scores by a name and, below it, by repository.
type tally map[[2]string]*Means

func (t *tally) add(name, repo string, s *score) {
	if *t == nil {
		*t = tally{}
	}
	key := [2]string{name, repo}
	m := (*t)[key]
	if m == nil {
		m = &Means{}
		(*t)[key] = m
	}
	m.NDCG += s.NDCG
	m.MRR += s.Reciprocal
	m.Recall += s.Recall
	if s.First == 1 {
		m.First++
	}
	m.Questions++
}

// rows returns, by name, the means over repositories of the means within each.
func (t *tally) rows() []Row {
	keys := make([][2]string, 0, len(*t))
	for k := range *t {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var rows []Row
	for len(keys) > 0 {
		n := 1
		for n < len(keys) && keys[n][0] == keys[0][0] {
			n++
		}
		rows = append(rows, Row{Name: keys[0][0], Means: t.mean(keys[:n])})
		keys = keys[n:]
	}
	return rows
}

func (t *tally) mean(keys [][2]string) Means {
	var sum Means
	for _, k := range keys {
		m := (*t)[k]
		n := float64(m.Questions)
		sum.NDCG += m.NDCG / n
		sum.MRR += m.MRR / n
		sum.Recall += m.Recall / n
		sum.First += m.First / n
		sum.Questions += m.Questions
	}
	n := float64(len(keys))
	sum.NDCG /= n
	sum.MRR /= n
	sum.Recall /= n
	sum.First /= n
	return sum
}

// worst returns the mean NDCG of the n rows with the lowest one.
func worst(rows []Row, n int) float64 {
	values := make([]float64, len(rows))
	for i := range rows {
		values[i] = rows[i].NDCG
	}
	slices.Sort(values)
	values = values[:min(n, len(values))]
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// Latency returns the time within which the share p, 0 to 1, of the questions
// was answered (nearest rank).
func (r *Run) Latency(p float64) time.Duration {
	times := make([]time.Duration, 0, len(r.Answers))
	for i := range r.Answers {
		if r.Answers[i].Error == "" {
			times = append(times, r.Answers[i].Took)
		}
	}
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	at := int(math.Ceil(p*float64(len(times)))) - 1
	return times[min(max(at, 0), len(times)-1)]
}
