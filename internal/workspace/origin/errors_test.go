package origin

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"espy/internal/worktree"
)

// TestNotCounted holds why files are said not to be counted.
func TestNotCounted(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{context.DeadlineExceeded, "not counted in time"},
		{fmt.Errorf("look: %w", context.Canceled), "not counted in time"},
		{fmt.Errorf("look: %w", worktree.ErrChanging), "files are changing"},
		{errors.New("no room"), "no room"},
	} {
		t.Run(c.err.Error(), func(t *testing.T) {
			if got := notCounted(c.err); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	none := &NoHistoryError{Repo: "r", Err: errors.New("outside git")}
	if none.Error() != "repo r has no history: outside git" || !errors.Is(none, none.Err) {
		t.Error(none)
	}
}
