package bearer_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"espy/internal/bearer"
	"espy/internal/bearer/bearertest"
	"espy/internal/permit"
)

func TestFolder(t *testing.T) {
	bearertest.Run(t, func(t *testing.T) func() bearer.Keeper {
		dir := t.TempDir()
		return func() bearer.Keeper { return bearer.InFolder(dir) }
	})
}

// TestFile checks that the file has no secret, and is closed to other users.
func TestFile(t *testing.T) {
	file := bearer.InFolder(t.TempDir())
	_, text, err := bearer.NewStore(file).Create(t.Context(), bearer.Token{Name: "ci", Role: permit.Index}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file.Path())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(content), text[len(text)-40:]) {
		t.Error("the secret is in the file")
	}
	if info, err := os.Stat(file.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
}
