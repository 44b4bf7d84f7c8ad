package ranked

import (
	"fmt"
	"testing"

	"espy/internal/rank"
)

func TestClues(t *testing.T) {
	var f fileClues
	add := func(finder, file int, value float64, tie int) {
		c := newClue(rank.Exact, value)
		c.tie, c.shows = tie, finder+1
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
			for c := f.of(file); c != nil; c = f.next(c) {
				got += fmt.Sprintf(" %d:%v/%d", c.finder, c.value, c.tie)
			}
			if got != want {
				t.Errorf("clues%s, want%s", got, want)
			}
		})
	}
	same := newClue(rank.Exact, 0.3) // no better: the first is kept
	same.tie, same.line = 1, 99
	f.add(2, 7, same)
	for c := f.of(7); c != nil; c = f.next(c) {
		if c.line == 99 {
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
