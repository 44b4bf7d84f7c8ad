package rank

import "math"

// About is what speaks for a repository having anything to do with a question:
// what the best of its files by score show together, and which of its words stand there.
type About struct {
	Files, Chunks int // of all repositories that are asked

	All    int     // words of the question, but for those that say nothing
	Words  int     // terms of those that say most
	Weight float64 // of these words, by how rare they are among the files
	Absent float64 // part of Weight of the words that occur in no file
	Beside float64 // how often each stands here beside how often it does elsewhere, the sum of the logarithms

	Score float64 // logit of the best file
	Mean  float64 // of the logits of the first ten
	Mass  float64 // the most of the first ten, ChunkMass
	Best  float64 // the most of the first ten, BestChunk
	Said  float64 // the most of the first three, StemSaid

	Paired   int     // words of the question side by side in it, but for words that say nothing, that stand near each other somewhere
	Together float64 // how often two words of it share a chunk beside how often they would by chance, as a logarithm, the mean of all pairs
	Named    int     // definitions in ordinary code that have a word of it in their name, of the word that most have
	Names    int     // words of no common language that some file has
	Unknown  int     // and those that no file has
	Lost     int     // words of several parts that no file has
	Task     bool    // it asks for a change

	Called bool // of at most fewWords words, all of which stand here: something is called by one, or may be about it all the same
}

// BestOf is how many of the best files About looks at.
const BestOf = 10

// Add adds a file, whose rank counts from 0.
func (e *About) Add(rank int, s *Signals) {
	if rank < 3 {
		e.Said = max(e.Said, s[StemSaid])
	}
	if rank < BestOf {
		e.Mass = max(e.Mass, s[ChunkMass])
		e.Best = max(e.Best, s[BestChunk])
	}
}

// The logarithm of the share of chunks with a word falls by perRarity with its rarity
// (static.Model.Rarity), from that of words that stand everywhere on.
const (
	perRarity = 3.2
	everyday  = 0.72
)

// AddWord adds a word of the question that says something: its weight, how many of all
// files and chunks hold it, and how rare it is in code.
func (e *About) AddWord(weight float64, files, chunks int, rarity float64) {
	worth := float64(weight * IDF(files, e.Files))
	absent := float64(e.Absent * e.Weight)
	if files == 0 {
		absent += worth
	}
	e.Beside += math.Log((float64(chunks)+0.5)/float64(e.Chunks+1)) + float64(perRarity*(rarity-everyday))
	e.Words++
	e.Weight += worth
	e.Absent = absent / e.Weight
}

// Bounds of a question being about something else.
const (
	foreign  = -1.9 // the logit below which it is
	fewWords = 2    // so few that it is about them, where all of them are here and something is called by one
)

// IsShort reports whether the question is of at most fewWords words, all of which stand here.
func (e *About) IsShort() bool { return e.All <= fewWords && e.Absent == 0 }

// LeastTogether is the least value of Together.
const LeastTogether = -1

// Foreign reports whether a question is most likely about nothing that is here. The
// sum is a logistic regression over questions of docs/quality.md and subjects of commits,
// asked where they belong and asked of repositories of other languages (docs/ranking.md).
// With LeastTogether for Together, and before Paired, Named and Names are known,
// no question that is foreign is missed.
func (e *About) Foreign() bool {
	if e.Words == 0 || e.IsShort() && e.Called {
		return false
	}
	task := 0.0
	if e.Task {
		task = 1
	}
	sum := -2.504
	for _, part := range [][2]float64{
		{1.008, e.Score},
		{-0.811, e.Mean},
		{2.442, float64(e.Mass * math.Log1p(e.Weight))},
		{0.201, e.Beside},
		{-1.016, e.Best},
		{0.31, e.Said},
		{1.275, math.Log1p(float64(e.Paired))},
		{1.007, max(LeastTogether, e.Together)},
		{0.353, math.Log((float64(e.Named) + 0.3) / float64(e.Files+1))},
		{2.389, float64(e.Names)},
		{-1.095, float64(e.Unknown)},
		{-1.767, float64(e.Lost)},
		{1.009, task},
	} {
		sum += float64(part[0] * part[1])
	}
	return sum < foreign
}
