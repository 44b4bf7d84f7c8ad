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

// foreign is the logit below which a question is about something else. Three in a
// thousand of the answered questions of docs/quality.md lie below it, 5 % of commit
// messages whose files are found, and 66 % of questions asked of another repository.
const foreign = -2.8

// fewWords are so few that a question is about them, where all of them are here.
const fewWords = 2

// Foreign reports whether a question is most likely about nothing that is here. The
// sum is a logistic regression over the questions of docs/quality.md, asked where they
// belong and asked of repositories of other languages and subjects.
func (e *About) Foreign() bool {
	if e.Words == 0 || e.Words <= fewWords && e.Absent == 0 {
		return false
	}
	total := math.Log1p(e.Weight)
	sum := 3.505
	for _, part := range [][2]float64{
		{1.297, e.Score},
		{-2.614, e.Absent},
		{-2.678, e.Coverage},
		{1.187, e.Stem},
		{2.523, math.Log1p(float64(e.Words))},
		{-2.923, total},
		{1.577, e.Head},
		{5.083, e.Mass * total},
	} {
		sum += float64(part[0] * part[1])
	}
	return sum < foreign
}
