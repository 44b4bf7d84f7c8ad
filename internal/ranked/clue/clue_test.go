package clue

import (
	"fmt"
	"testing"

	"espy/internal/rank"
)

func TestClues(t *testing.T) {
	var f Files
	add := func(finder, file int, value float64, tie int) {
		c := newClue(rank.Exact, value)
		c.Tie, c.Shows = tie, finder+1
		f.add(finder, file, c)
	}
	add(0, 7, 0.5, 3)
	add(0, 9, 0.5, 3)
	add(0, 7, 0.4, 0) // less
	add(0, 7, 0.5, 4) // as much, but behind
	add(0, 7, 0.5, 2)
	add(1, 7, 0.1, 1)
	add(1, 7, 0.2, 9)
	add(2, 7, 0.3, 1)
	add(0, 7, 0.6, 8)
	for file, want := range map[int]string{7: " 0:0.6/8 1:0.2/9 2:0.3/1", 9: " 0:0.5/3", 8: ""} {
		t.Run(fmt.Sprint("file ", file), func(t *testing.T) {
			got := ""
			for c := range f.Of(file) {
				got += fmt.Sprintf(" %d:%v/%d", c.Shows-1, c.Value, c.Tie)
			}
			if got != want {
				t.Errorf("clues%s, want%s", got, want)
			}
		})
	}
	same := newClue(rank.Exact, 0.3) // no better: the first is kept
	same.Tie, same.Line = 1, 99
	f.add(2, 7, same)
	for c := range f.Of(7) {
		if c.Line == 99 {
			t.Error("a clue gave way to one that is no better")
		}
	}
	if !f.shows(7, 3) || f.shows(7, 4) || f.shows(9, 2) || f.shows(8, 1) {
		t.Error("clues want other chunks shown than were added")
	}
}

// TestFindersInOrder holds that the signals of the finders rise, as rank.Some
// takes them.
func TestFindersInOrder(t *testing.T) {
	if !(rank.FuncName < rank.Exact && rank.Exact < rank.Mentioned && rank.Mentioned < rank.Quoted && rank.Quoted < rank.Test) {
		t.Error("the signals of clues do not stand in the order of finders")
	}
}
