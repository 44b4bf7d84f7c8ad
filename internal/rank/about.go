package rank

import "math"

// About is what speaks for a repository having anything to do with a question:
// what the best of its files by score show together, and which of its words stand there.
type About struct {
	Words  int     // of the question that say something
	Weight float64 // of these words, by how rare they are among the files
	Absent float64 // part of Weight of the words that occur in no file

	Score float64 // logit of the best file
	Mass  float64 // the most of the first ten, ChunkMass
	Exact float64 // the most of the first three, Exact

	Pairs  int // words of the question that stand side by side in it, but for words that say nothing
	Paired int // of these, those that stand near each other somewhere
	Names  int // words of no common language that some file has
	Lost   int // words of several parts that no file has
}

// BestOf is how many of the best files About looks at.
const BestOf = 10

// Add adds a file, whose rank counts from 0.
func (e *About) Add(rank int, s *Signals) {
	if rank < 3 {
		e.Exact = max(e.Exact, s[Exact])
	}
	if rank < BestOf {
		e.Mass = max(e.Mass, s[ChunkMass])
	}
}

// AddWord adds a word of the question that says something: its weight, and how many
// of all files hold it.
func (e *About) AddWord(weight float64, files, all int) {
	worth := float64(weight * IDF(files, all))
	absent := float64(e.Absent * e.Weight)
	if files == 0 {
		absent += worth
	}
	e.Words++
	e.Weight += worth
	e.Absent = absent / e.Weight
}

// foreign is the logit below which a question is about something else.
const foreign = -0.9

// fewWords are so few that a question is about them, where all of them are here.
const fewWords = 2

// Doubtful reports whether a question may be about nothing that is here, as far as
// that can be told without its pairs, or without them and its names.
func (e *About) Doubtful() bool {
	return e.Words > 0 && (e.Words > fewWords || e.Absent > 0) && e.sum() < foreign
}

// Foreign reports whether a question is most likely about nothing that is here. The
// sum is a logistic regression over questions of docs/quality.md and subjects of commits
// of the same repositories, asked where they belong and asked of repositories of other
// languages (docs/ranking.md).
func (e *About) Foreign() bool {
	pairs := 0.5
	if e.Pairs > 0 {
		pairs = float64(e.Paired) / float64(e.Pairs)
	}
	return e.Doubtful() && e.sum()+float64(0.813*pairs)+float64(1.136*math.Log1p(float64(e.Paired))) < foreign
}

// sum returns the logit without what pairs add, which is more than 0.
func (e *About) sum() float64 {
	total := math.Log1p(e.Weight)
	sum := 1.024
	for _, part := range [][2]float64{
		{0.508, e.Score},
		{-0.74, e.Absent},
		{0.552, math.Log1p(float64(e.Words))},
		{-1.37, total},
		{2.316, e.Exact},
		{-2.347, e.Mass},
		{3.215, e.Mass * total},
		{3.048, float64(e.Names)},
		{-1.606, float64(e.Lost)},
	} {
		sum += float64(part[0] * part[1])
	}
	return sum
}
