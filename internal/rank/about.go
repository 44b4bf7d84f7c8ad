package rank

import "math"

// About is what speaks for a repository having anything to do with a question:
// what the best of its files by score show together.
type About struct {
	Words  int     // of the question that say something
	Weight float64 // of these words, by how rare they are among the files
	Absent float64 // part of Weight of the words that occur in no file

	Score    float64 // logit of the best file
	Stem     float64 // of the best file, StemFull
	Head     float64 // the most of the first three files, StemHead
	Coverage float64 // the most of the first ten
	Mass     float64 // the most of the first ten, ChunkMass

	Pairs  int // words of the question that stand side by side in it, but for words that say nothing
	Paired int // of these, those that stand near each other somewhere
}

// BestOf is how many of the best files About looks at.
const BestOf = 10

// Add adds a file, whose rank counts from 0.
func (e *About) Add(rank int, s *Signals) {
	if rank == 0 {
		e.Stem = s[StemFull]
	}
	if rank < 3 {
		e.Head = max(e.Head, s[StemHead])
	}
	if rank < BestOf {
		e.Coverage, e.Mass = max(e.Coverage, s[Coverage]), max(e.Mass, s[ChunkMass])
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

// foreign is the logit below which a question is about something else. With it and names
// that nothing has, one of 613 answered questions of docs/quality.md is refused, and 63 %
// of those asked of two other repositories (espy eval misplaced); fitted, 7 % of the
// subjects of commits whose files are found lay below it.
const foreign = -2.2

// fewWords are so few that a question is about them, where all of them are here.
const fewWords = 2

// Doubtful reports whether a question may be about nothing that is here, as far as
// that can be told without its pairs.
func (e *About) Doubtful() bool {
	if e.Words == 0 || e.Words <= fewWords && e.Absent == 0 {
		return false
	}
	return e.sum() < foreign+leastPairs
}

// Foreign reports whether a question is most likely about nothing that is here. The
// sum is a logistic regression over the subjects of commits of 24 repositories and the
// questions of docs/quality.md, asked where they belong and asked of repositories of
// other languages.
func (e *About) Foreign() bool {
	pairs := shareUnpaired
	if e.Pairs > 0 {
		pairs = float64(sharePaired * float64(e.Paired) / float64(e.Pairs))
	}
	return e.Doubtful() && e.sum()+pairs+float64(morePaired*math.Log1p(float64(e.Paired))) < foreign
}

// What pairs add.
const (
	sharePaired   = -1.473 // times the share of them that stand near each other somewhere,
	shareUnpaired = sharePaired / 2
	morePaired    = 1.876 // and the logarithm of their number and one
	leastPairs    = 0.8   // they take away no more than this
)

// sum returns the logit without what pairs add.
func (e *About) sum() float64 {
	total := math.Log1p(e.Weight)
	sum := -0.903
	for _, part := range [][2]float64{
		{0.678, e.Score},
		{-0.793, e.Absent},
		{-1.382, e.Coverage},
		{2.295, e.Stem},
		{0.77, math.Log1p(float64(e.Words))},
		{-1.211, total},
		{0.574, e.Head},
		{4.842, e.Mass * total},
	} {
		sum += float64(part[0] * part[1])
	}
	return sum
}
