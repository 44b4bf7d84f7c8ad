package nearest

import (
	"slices"
	"testing"
)

func TestPaths(t *testing.T) {
	paths := WithFolders([]string{"celery/app/base.py", "celery/apps/beat.py", "celery/loaders/app.py", "docs/conf.py", "t/unit/app/test_app.py"})
	for _, c := range []struct {
		missing string
		want    []string
	}{
		{"celeri/app", []string{"celery/app/", "celery/apps/", "t/unit/app/"}},
		{"celery/ap", []string{"celery/app/", "celery/apps/"}},
		{"celeri/", []string{"celery/"}},
		{"docs/conf.p", []string{"docs/conf.py"}},
		{"src/base.py", []string{"celery/app/base.py"}},
		{"src/bse.py", []string{"celery/app/base.py"}},
		{"celery/apps/nothing.rs", []string{"celery/apps/"}},
		{"celery/apps/none/nothing.rs", []string{"celery/apps/"}},
		{"elsewhere/nothing.rs", nil},
		{"", nil},
	} {
		t.Run(c.missing, func(t *testing.T) {
			if got := Paths(c.missing, paths, 3); !slices.Equal(got, c.want) {
				t.Errorf("Paths(%q) = %q, want %q", c.missing, got, c.want)
			}
		})
	}
}
