package ahead

import (
	"context"
	"testing"
	"time"

	"espy/internal/filetest"
	"espy/internal/impact/suites"
	"espy/internal/links/framework"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/overview"
	"espy/internal/store"
	"espy/internal/workspace"
)

// indexed is a repository of some files, which are committed and indexed.
func indexed(t *testing.T, followed bool, files map[string]string) *workspace.Repo {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	filetest.Commit(t, dir, "one")
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), Home: t.TempDir(), Watch: followed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{})
	if err == nil {
		_, err = r.Index(t.Context(), workspace.IndexOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPrepare holds that what first questions share is worked out of a repository that is
// followed, and nothing of one that is not.
func TestPrepare(t *testing.T) {
	for name, followed := range map[string]bool{"followed": true, "not followed": false} {
		t.Run(name, func(t *testing.T) {
			r := indexed(t, followed, map[string]string{"shop.py": "def price():\n    return 1\n", "test_shop.py": "from shop import price\n\n\ndef test_price():\n    assert price() == 1\n"})
			if err := Prepare(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			lacks := 0
			_, err := r.Explore(t.Context(), workspace.Wait{}, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
				return x.Run(func(a *locate.Ask) error {
					locate.Keep(a, func() (*framework.Entrances, bool) { lacks++; return nil, false })
					locate.Keep(a, func() (*[]*suites.Suites, bool) { lacks++; return nil, false })
					return nil
				})
			})
			if err != nil || (lacks == 0) != followed {
				t.Errorf("%d of 2 tables were not worked out, error %v", lacks, err)
			}
		})
	}
}

// TestLearn holds that the symbol is asked about that most files import.
func TestLearn(t *testing.T) {
	r := indexed(t, false, map[string]string{
		"go.mod":         "module shop\n",
		"money/money.go": "package money\n\nfunc Price() int { return 1 }\n\nfunc Tax() int { return 2 }\n",
		"bill/bill.go":   "package bill\n\nimport \"shop/money\"\n\nfunc Bill() int { return money.Price() }\n",
		"cart/cart.go":   "package cart\n\nimport \"shop/money\"\n\nfunc Cart() int { return money.Price() + money.Tax() }\n",
	})
	found, _, err := overview.Ask(t.Context(), r, overview.Request{}, workspace.Wait{First: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	got, err := learn(t.Context(), r, found, workspace.Wait{})
	if err != nil || got == nil || len(got.Changed) != 1 || got.Changed[0].ID != "money/money.go#Price" || got.Total != 2 {
		t.Errorf("learn = %+v, %v; want what Price of money/money.go affects: 2 functions", got, err)
	}
	if got, err := learn(t.Context(), r, &overview.Answer{}, workspace.Wait{}); got != nil || err != nil {
		t.Errorf("learn of a repository without such a symbol = %+v, %v", got, err)
	}
}
