// Package rank is the scoring of ranked search: pure functions from what is
// known of a query and of a file to a number, without I/O, clock or state.
//
// A text becomes a Query (Understand): weighted terms, the names it mentions,
// and the kinds of files it asks for. The terms score chunks by BM25F (bm25.go).
// A file then has Signals: its best chunks, how well its path and the names it
// defines answer the query, priors, and what speaks against it: that it is a
// test, an example, generated. A Model turns each signal into a contribution by
// a curve of its own; their sum is the logit of the score (model.go).
//
// Sums run in a fixed order and products are rounded before they are added, so
// that no fused multiply-add changes a score from one machine to another.
package rank

import (
	"slices"

	"espy/internal/code"
)

// Signal is one thing that is known of a file in the light of a query.
type Signal uint8

// The signals. Shares and ratios lie in 0..1; what speaks against a file is 1
// where it holds fully and 0 where it does not hold or the query asks for it.
const (
	BestChunk   Signal = iota // score of its best chunk, relative to the best chunk of all
	SecondChunk               // the same of its second-best chunk
	ChunkMass                 // share of the query's weight that its best chunk answers
	WholeText                 // score of its whole text, relative to the best of all, times Query.Long
	Coverage                  // share of the query's weight that occurs in the file or its path
	Beside                    // how often words of the query stand side by side in it as they do there, relative to the candidate that has most
	Stem                      // share of the query's weight in the file's stem
	StemSaid                  // part of the stem's terms that the query has, less for a long query
	StemFull                  // Stem times StemSaid
	StemHead                  // share of the weight of the query's first words in the stem, times StemSaid
	Dir                       // share of the query's weight in the folders
	PathWords                 // part of the query's words in stem and near folders, see PathWords
	TypeName                  // best fuzzy match of a type's name, see NameMatch
	FuncName                  // the same for functions
	Exact                     // a name of the query is defined here, see ExactName
	ExactStem                 // weight of the name of the query that the file's stem spells
	Mentioned                 // the query mentions it by its path
	Quoted                    // it holds words of a pasted text as they stand
	Language                  // share of the candidates' evidence in the file's language
	Folder                    // share of the candidates' evidence in other files of its folder
	Home                      // share of the candidates' evidence in folders named like the repository, if it lies in one
	Depth                     // folders above the file

	Test
	Example
	Bench
	Docs
	Legacy
	Tool
	Vendor
	Generated
	Declaration
	Header // of C and languages like it: it declares, and other files define
	Barrel
	Minified
	Lock
	Prose // text for people
	Data  // configuration, data, markup and whatever has no known language

	NumSignals
)

var signalNames = [NumSignals]string{
	BestChunk: "best chunk", SecondChunk: "second chunk", ChunkMass: "chunk mass", WholeText: "whole text", Coverage: "coverage", Beside: "side by side",
	Stem: "stem", StemSaid: "stem said", StemFull: "stem explained", StemHead: "stem head", Dir: "folders", PathWords: "path words",
	TypeName: "type name", FuncName: "function name", Exact: "exact name", ExactStem: "exact stem",
	Mentioned: "mentioned", Quoted: "quoted", Language: "language", Folder: "folder", Home: "home", Depth: "depth",
	Test: "test", Example: "example", Bench: "bench", Docs: "docs", Legacy: "legacy", Tool: "tool", Vendor: "vendor", Generated: "generated",
	Declaration: "declaration", Header: "header", Barrel: "barrel", Minified: "minified", Lock: "lock", Prose: "prose", Data: "data",
}

// String returns the word for the signal in explanations and weights.
func (s Signal) String() string { return signalNames[s] }

// SignalNamed returns the signal of a name that String gave.
func SignalNamed(name string) (Signal, bool) {
	i := slices.Index(signalNames[:], name)
	return Signal(max(i, 0)), i >= 0
}

// Signals are what is known of one file in the light of one query.
type Signals [NumSignals]float64

// classSignals say what a class of files is as a signal, in the order of signals.
var classSignals = [...]struct {
	class  code.Class
	signal Signal
}{
	{code.ClassTest, Test},
	{code.ClassExample, Example},
	{code.ClassBench, Bench},
	{code.ClassDocs, Docs},
	{code.ClassLegacy, Legacy},
	{code.ClassTool, Tool},
	{code.ClassVendor, Vendor},
	{code.ClassGenerated, Generated},
	{code.ClassDeclaration, Declaration},
	{code.ClassBarrel, Barrel},
	{code.ClassMinified, Minified},
	{code.ClassLock, Lock},
}

// Some are those signals of a file that are not 0, of a guess that knows few.
type Some struct {
	n       int
	signals [NumSignals]Signal // ascending
	values  [NumSignals]float64
}

// Reset forgets all signals.
func (s *Some) Reset() { s.n = 0 }

// Set sets a signal behind those that are set.
func (s *Some) Set(signal Signal, v float64) {
	if v != 0 {
		s.signals[s.n], s.values[s.n] = signal, v
		s.n++
	}
}

// All returns all signals.
func (s *Some) All() (all Signals) {
	for i, signal := range s.signals[:s.n] {
		all[signal] = s.values[i]
	}
	return all
}

// Classify sets the signals of a file's class and content, the last ones of all,
// as far as the query does not ask for them.
func (s *Some) Classify(class code.Class, content Content, boost *Boost) {
	if class != 0 { // as most files are not
		s.classify(class, boost)
	}
	switch content {
	case ContentProse:
		s.Set(Prose, 1-boost.of(Prose))
	case ContentData:
		s.Set(Data, 1-boost.of(Data))
	}
}

func (s *Some) classify(class code.Class, boost *Boost) {
	for _, c := range classSignals {
		if class&c.class != 0 {
			s.Set(c.signal, 1-boost.of(c.signal))
		}
	}
}

// Content is what the text of a file is written for.
type Content uint8

// The contents.
const (
	ContentCode  Content = iota // programs
	ContentProse                // text for people
	ContentData                 // configuration, data, markup and whatever has no known language
)
