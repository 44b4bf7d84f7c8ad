// Package bearertest says by tests what a keeper of tokens must do.
package bearertest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/bearer"
	"espy/internal/permit"
	"espy/internal/usage"
)

// Run tests a kind of keeper. fresh returns the opener of an empty one: each call of it
// opens the same tokens again, as another process would.
func Run(t *testing.T, fresh func(t *testing.T) (open func() bearer.Keeper)) {
	for _, tt := range []struct {
		name string
		test func(t *testing.T, one, other *bearer.Store)
	}{
		{"whole", whole}, {"ends", ends}, {"refused", refused}, {"texts", texts}, {"together", together}, {"imported", imported},
	} {
		t.Run(tt.name, func(t *testing.T) {
			open := fresh(t)
			tt.test(t, bearer.NewStore(open()), bearer.NewStore(open()))
		})
	}
}

func create(t *testing.T, s *bearer.Store, token bearer.Token, life time.Duration) (bearer.Token, string) {
	t.Helper()
	made, text, err := s.Create(t.Context(), token, life)
	if err != nil {
		t.Fatal(err)
	}
	return made, text
}

// known reports whether a store knows a token, as it was made.
func known(t *testing.T, s *bearer.Store, text string, want bearer.Token) bool {
	t.Helper()
	got, ok, err := s.Find(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); ok && diff != "" {
		t.Errorf("-made +found\n%s", diff)
	}
	return ok
}

// whole holds that a token is kept as it was made, without its secret.
func whole(t *testing.T, one, other *bearer.Store) {
	if all, err := other.List(t.Context()); err != nil || len(all) != 0 {
		t.Fatalf("at first %v, %v", all, err)
	}
	made, text := create(t, one, bearer.Token{Name: "ci", Role: permit.Index, Repos: []string{"repo-1", "repo-2"}}, time.Hour)
	plain, second := create(t, other, bearer.Token{Name: "ann", Role: permit.Read}, 30*24*time.Hour)
	for _, s := range []*bearer.Store{one, other} {
		all, err := s.List(t.Context())
		if err != nil || len(all) != 2 || all[0].ID != made.ID {
			t.Fatalf("tokens %+v, %v", all, err)
		}
		if !known(t, s, text, all[0]) || !known(t, s, second, all[1]) || len(all[1].Repos) > 0 {
			t.Errorf("tokens %+v", all)
		}
		_, secret, _ := strings.Cut(strings.TrimPrefix(text, "espy_"), "_")
		if strings.Contains(fmt.Sprintf("%+v", all), secret) || made.Hash != all[0].Hash {
			t.Errorf("kept is %+v", all[0])
		}
	}
	if !made.Expires.Equal(made.Created.Add(time.Hour)) || plain.ID == made.ID {
		t.Errorf("made %+v and %+v", made, plain)
	}
	for _, wrong := range []string{"", "espy_", "espy_" + made.ID, "espy_" + made.ID + "_", "espy_" + made.ID + "_" + made.Hash, text + "x", text[:len(text)-1], "ghp_0123456789", "espy_x'; DROP TABLE espy.tokens; --_y", "espy_\x00_\x00", "espy_" + strings.Repeat("x", 1<<20)} {
		if known(t, one, wrong, bearer.Token{}) {
			t.Errorf("%.40q is known", wrong)
		}
	}
}

// ends holds that a rotated and a revoked token end at once, also for another process.
func ends(t *testing.T, one, other *bearer.Store) {
	made, first := create(t, one, bearer.Token{Name: "ci", Role: permit.Read}, time.Hour)
	if !known(t, other, first, made) {
		t.Fatal("the new token is not known")
	}
	now, second, err := one.Rotate(t.Context(), "ci")
	if err != nil || now.ID != made.ID || now.Expires.Sub(now.Created) != time.Hour {
		t.Fatalf("rotated %+v, %v", now, err)
	}
	within(t, func() bool { return !known(t, other, first, made) })
	if !known(t, other, second, now) {
		t.Error("the new secret is not known")
	}
	if gone, err := other.Revoke(t.Context(), made.ID); err != nil || gone.Name != "ci" {
		t.Fatalf("revoked %+v, %v", gone, err)
	}
	within(t, func() bool { return !known(t, one, second, now) })
	var none *usage.Error
	if _, err := one.Revoke(t.Context(), made.ID); !errors.As(err, &none) || !strings.Contains(err.Error(), "espy token list") {
		t.Errorf("revoked again: %v", err)
	}
}

// within waits for what another process has announced.
func within(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !done(); {
		if time.Now().After(end) {
			t.Fatal("the change is not heeded")
		}
	}
}

// refused holds what a token may be.
func refused(t *testing.T, one, _ *bearer.Store) {
	for name, tt := range map[string]struct {
		token bearer.Token
		life  time.Duration
		want  string // of the error
	}{
		"shortest":    {bearer.Token{Name: "a", Role: permit.Read}, time.Minute, ""},
		"too short":   {bearer.Token{Name: "a", Role: permit.Read}, time.Minute - 1, "between 1 minute and 366 days"},
		"longest":     {bearer.Token{Name: "a", Role: permit.Read}, 366 * 24 * time.Hour, ""},
		"too long":    {bearer.Token{Name: "a", Role: permit.Read}, 366*24*time.Hour + 1, "between 1 minute and 366 days"},
		"no name":     {bearer.Token{Role: permit.Read}, time.Hour, "one line of 1 to 100 bytes"},
		"long name":   {bearer.Token{Name: strings.Repeat("n", 101), Role: permit.Read}, time.Hour, "one line of 1 to 100 bytes"},
		"huge name":   {bearer.Token{Name: strings.Repeat("n", 1<<20), Role: permit.Read}, time.Hour, "one line of 1 to 100 bytes"},
		"name of 100": {bearer.Token{Name: strings.Repeat("n", 100), Role: permit.Read}, time.Hour, ""},
		"two lines":   {bearer.Token{Name: "a\nb", Role: permit.Read}, time.Hour, "one line"},
		"NUL":         {bearer.Token{Name: "a\x00b", Role: permit.Read}, time.Hour, "one line"},
		"no text":     {bearer.Token{Name: "a\xffb", Role: permit.Read}, time.Hour, "one line"},
		"no role":     {bearer.Token{Name: "a"}, time.Hour, "unknown role"},
	} {
		_, text, err := one.Create(t.Context(), tt.token, tt.life)
		if tt.want == "" && (err != nil || text == "") || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: error %v, want %q", name, err, tt.want)
		}
	}
}

// texts holds that names are kept as they are.
func texts(t *testing.T, one, other *bearer.Store) {
	for _, name := range []string{"'; DROP TABLE espy.tokens; --", `"$1\\%_`, "Zoë 🔑", "{a,b}"} {
		made, text := create(t, one, bearer.Token{Name: name, Role: permit.Read, Repos: []string{name, `{"a",NULL}`}}, time.Hour)
		if !known(t, other, text, made) {
			t.Errorf("%q is not known", name)
		}
		if _, err := other.Revoke(t.Context(), name); err != nil {
			t.Errorf("revoke %q: %v", name, err)
		}
	}
}

// together holds that tokens made at once by several processes are all kept.
func together(t *testing.T, one, other *bearer.Store) {
	var made sync.WaitGroup
	for n := range 8 {
		s := one
		if n%2 == 1 {
			s = other
		}
		made.Go(func() {
			if _, _, err := s.Create(t.Context(), bearer.Token{Name: "n", Role: permit.Read}, time.Hour); err != nil {
				t.Error(err)
			}
		})
	}
	made.Wait()
	within(t, func() bool { all, err := one.List(t.Context()); return err == nil && len(all) == 8 })
	if _, _, err := one.Rotate(t.Context(), "n"); err == nil || !strings.Contains(err.Error(), "8 tokens have the name") {
		t.Errorf("error %v", err)
	}
}

// imported holds that tokens of another keeper count here, and are taken over once.
func imported(t *testing.T, one, other *bearer.Store) {
	from := bearer.NewStore(bearer.InFolder(t.TempDir()))
	made, text := create(t, from, bearer.Token{Name: "ci", Role: permit.Admin, Repos: []string{"repo-1"}}, time.Hour)
	create(t, from, bearer.Token{Name: "ann", Role: permit.Read}, time.Hour)
	all, err := from.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{2, 0} {
		if n, err := one.Import(t.Context(), all); err != nil || n != want {
			t.Errorf("imported %d, %v, want %d", n, err, want)
		}
	}
	if !known(t, other, text, made) {
		t.Error("an imported token is not known")
	}
}
