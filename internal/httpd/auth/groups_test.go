package auth

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGroups holds which repositories exist for groups, at once when the file changes,
// and that a file that cannot be read lets nobody in.
func TestGroups(t *testing.T) {
	file := filepath.Join(t.TempDir(), "groups")
	write := func(text string, age time.Duration) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	write("# ours\npayments: shop api\n\nurn:team:web : site\nplatform: *\nnobody:\npayments: web\n", time.Hour)
	g, err := NewGroups(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		groups string
		want   string
	}{
		{"payments", "[shop api web] true"}, {"urn:team:web payments", "[site shop api web] true"}, {"platform payments", "[] false"},
		{"nobody", "[] true"}, {"other", "[] true"}, {"", "[] true"}, {"*", "[] true"}, {"Payments", "[] true"},
	} {
		t.Run(tt.groups, func(t *testing.T) {
			repos, only, err := g.sees(strings.Fields(tt.groups))
			if got := fmt.Sprint(repos, only); got != tt.want || err != nil {
				t.Errorf("%s, %v, want %s", got, err, tt.want)
			}
		})
	}
	write("payments: shop\n", time.Minute)
	if repos, _, err := g.sees([]string{"payments"}); err != nil || len(repos) != 1 {
		t.Errorf("after a change %v, %v", repos, err)
	}
	for i, bad := range []string{"payments shop", ": shop", "pay\xff: shop", strings.Repeat("x", maxGroups+1)} {
		write(bad, time.Duration(i)*time.Second)
		if _, only, err := g.sees([]string{"payments"}); err == nil || !only {
			t.Errorf("%.20q is taken", bad)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, only, err := g.sees([]string{"payments"}); err == nil || !only {
		t.Error("without its file everything is seen")
	}
}
