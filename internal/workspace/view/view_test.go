package view

import (
	"errors"
	"testing"
)

func TestRecoverGivesUp(t *testing.T) {
	other, calls := errors.New("no damage"), 0
	err := new(View).Recover(func() error { calls++; return other })
	if !errors.Is(err, other) || calls != 1 {
		t.Errorf("Recover = %v after %d calls, want %v after one", err, calls, other)
	}
}
