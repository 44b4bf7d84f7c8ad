// Package rank is the scoring of ranked search: pure functions from what is
// known of a query and of a file to a number, without I/O, clock or state.
//
// A text becomes a Query (Understand): weighted terms, the names it mentions,
// and the kinds of files it asks for. The terms score chunks by BM25F (bm25.go).
// A file then has Signals: its best chunks, how well its path and the names it
// defines answer the query, and priors. Their weighted sum, damped for tests,
// examples, generated files and the like, is the score of the file.
//
// Sums run in a fixed order and products are rounded before they are added, so
// that no fused multiply-add changes a score from one machine to another.
package rank

import (
	"math"

	"espy/internal/code"
)

// Signals are what is known of one file in the light of one query. The shares
// and ratios lie in 0..1.
type Signals struct {
	Chunks      float64 // its chunks among the best ones, discounted by rank, relative to the best file
	SecondChunk float64 // score of its second-best chunk, relative to the best chunk of all
	Coverage    float64 // share of the query's mass that occurs in the file or its path
	Stem        float64 // share of the query's mass in the file's stem
	StemFull    float64 // Stem times the part of the stem that the query explains
	PathWords   float64 // part of the query's words in stem and near folders, see PathWords
	Prefix      float64 // best common prefix of a query word and a stem word
	TypeName    float64 // best fuzzy match of a type's name, see NameMatch
	FuncName    float64 // the same for functions
	Exact       float64 // a name of the query is defined here, see ExactName
	ExactStem   float64 // weight of the name of the query that the file's stem spells
	Depth       int     // folders above the file
	NumChunks   int     // chunks of the file
	Class       code.Class
	Content     Content
}

// Contribution is what one signal added to a score, or, for a penalty, the
// logarithm of the factor it put on it.
type Contribution struct {
	Signal string
	Value  float64
	Score  float64
}

// weights are by signal. They were set by hand on one half of the questions of
// MinishLab's semble benchmark, root and whole mode together; single ones may
// move by half without a difference that can be measured.
var weights = [...]struct {
	signal string
	weight float64
}{
	{"chunks", 0.4},
	{"second chunk", 0.1},
	{"coverage", 0.2},
	{"stem", 1},
	{"stem explained", 0.8},
	{"path words", 0.35},
	{"prefix", 0.08},
	{"type name", 0.6},
	{"function name", 0.3},
	{"exact name", 1.2},
	{"exact stem", 1},
	{"depth", -0.1 / 4},
	{"size", 0.025 / 5},
}

// values returns the signals in the order of weights.
func (s *Signals) values() [len(weights)]float64 {
	return [...]float64{
		s.Chunks, s.SecondChunk, s.Coverage, s.Stem, s.StemFull, s.PathWords, s.Prefix, s.TypeName, s.FuncName, s.Exact, s.ExactStem,
		float64(s.Depth), math.Log1p(float64(s.NumChunks)),
	}
}

// penalties are logarithms of the factors on files of a class.
var penalties = [...]struct {
	class  code.Class
	name   string
	amount float64
}{
	{code.ClassTest, "test", 2},
	{code.ClassExample, "example", 2},
	{code.ClassBench, "bench", 0.7},
	{code.ClassDocs, "docs", 1},
	{code.ClassLegacy, "legacy", 1},
	{code.ClassTool | code.ClassVendor | code.ClassGenerated, "tool, vendor or generated", 0.7},
	{code.ClassDeclaration, "declaration", 0.4},
	{code.ClassMinified, "minified", 2},
	{code.ClassLock, "lock", 3},
}

// Score returns the score of a file with these signals: their weighted sum,
// lowered by the penalties of its class and content that the query does not ask
// for (lift).
func (s *Signals) Score(lift Lift) float64 {
	sum := 0.0
	for i, v := range s.values() {
		sum += float64(v * weights[i].weight)
	}
	penalty := 0.0
	for i := range penalties {
		if s.penalised(i, lift) {
			penalty += penalties[i].amount
		}
	}
	if !lift.Content {
		penalty += contentPenalty[s.Content]
	}
	if penalty == 0 {
		return sum
	}
	return sum * math.Exp(-penalty)
}

func (s *Signals) penalised(i int, lift Lift) bool {
	return s.Class&penalties[i].class&^lift.Classes != 0
}

// Explain returns what each signal that speaks for or against the file
// contributed: Score is the sum of the signals' contributions times e to the
// power of the sum of the penalties', which stand last.
func (s *Signals) Explain(lift Lift) []Contribution {
	var all []Contribution
	for i, v := range s.values() {
		if v != 0 {
			all = append(all, Contribution{weights[i].signal, v, float64(v * weights[i].weight)})
		}
	}
	for i, p := range penalties {
		if s.penalised(i, lift) {
			all = append(all, Contribution{p.name, 1, -p.amount})
		}
	}
	if amount := contentPenalty[s.Content]; amount != 0 && !lift.Content {
		all = append(all, Contribution{s.Content.String(), 1, -amount})
	}
	return all
}

// Content is what the text of a file is written for.
type Content uint8

// The contents.
const (
	ContentCode  Content = iota // programs
	ContentProse                // text for people
	ContentData                 // configuration, data, markup and whatever has no known language
)

var contentPenalty = [...]float64{ContentCode: 0, ContentProse: 1, ContentData: 1}

// String returns the word for the content in explanations.
func (c Content) String() string {
	return [...]string{"code", "prose", "data"}[c]
}
