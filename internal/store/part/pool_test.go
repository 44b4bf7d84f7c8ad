package part

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/store/blob/local"
)

// note is a part that holds a text; one that begins with "bad" does not open,
// one that ends with "rotten" does not pass a check.
type note struct{ text []byte }

func (n *note) Identity() code.Hash { return xxh3.Hash128(n.text).Bytes() }

func (n *note) Size() int64 { return int64(len(n.text)) }

func (n *note) Check(release func()) error {
	if release != nil {
		release()
	}
	if bytes.HasSuffix(n.text, []byte("rotten")) {
		return errors.New("rotten")
	}
	return nil
}

type noteKind struct{}

func (noteKind) Suffix() string { return ".note" }

func (noteKind) Open(data []byte, name string) (Content, error) {
	if bytes.HasPrefix(data, []byte("bad")) {
		return nil, errors.New(name + " is bad")
	}
	return &note{data}, nil
}

type otherKind struct{ noteKind }

func (otherKind) Suffix() string { return ".other" }

func pool(t *testing.T) *Pool {
	t.Helper()
	dir, err := local.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return NewPool(dir, []Kind{noteKind{}})
}

func put(t *testing.T, p *Pool, text string) *Part {
	t.Helper()
	x, err := p.Put(noteKind{}, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestUsers(t *testing.T) {
	p := pool(t)
	x := put(t, p, "text")
	again, err := p.Acquire(x.Ref(), nil)
	if err != nil || again != x {
		t.Fatalf("Acquire = %p, %v; want the part %p that is in use", again, err, x)
	}
	p.Retain(x, nil)
	for users := 2; users >= 0; users-- {
		if err := p.Release(x, nil); err != nil {
			t.Fatal(err)
		}
		if used := p.parts[x.Name] != nil; used != (users > 0) {
			t.Errorf("with %d users left: in use %v", users, used)
		}
	}
	if fresh, err := p.Acquire(Ref{Name: x.Name, Size: 4}, nil); err != nil || fresh == x {
		t.Errorf("Acquire of a part without users = %p, %v; want another than %p", fresh, err, x)
	}
}

func TestAcquireRefuses(t *testing.T) {
	misfit := errors.New("it does not fit")
	tests := []struct {
		name, text string
		want       func(*Ref)
		fits       func(Content) error
		message    string
	}{
		{"another size", "text", func(r *Ref) { r.Size++ }, nil, "4 bytes long, not 5"},
		{"another content", "text", func(r *Ref) { r.ID[0]++ }, nil, "of another index"},
		{"a misfit", "text", func(*Ref) {}, func(Content) error { return misfit }, "does not fit"},
		{"what does not open", "bad text", func(*Ref) {}, nil, "is bad"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := pool(t)
			n := &note{[]byte(tt.text)}
			ref := Ref{Name: "x.note", Size: n.Size(), ID: n.Identity()}
			if err := os.WriteFile(filepath.Join(p.dir.Path(), ref.Name), n.text, 0o600); err != nil {
				t.Fatal(err)
			}
			tt.want(&ref)
			for range 2 { // the second time it is in quarantine
				if _, err := p.Acquire(ref, tt.fits); err == nil || !strings.Contains(err.Error(), tt.message) {
					t.Errorf("Acquire: %v, want %q", err, tt.message)
				}
			}
			if p.Damage(ref.Name) == nil || p.parts[ref.Name] != nil {
				t.Errorf("in quarantine %v, in use %v", p.Damage(ref.Name), p.parts[ref.Name])
			}
		})
	}
}

func TestAcquireMissing(t *testing.T) {
	p := pool(t)
	if _, err := p.Acquire(Ref{Name: "none.note"}, nil); !errors.Is(err, fs.ErrNotExist) || p.Damage("none.note") != nil {
		t.Errorf("Acquire of no file: %v, quarantine %v", err, p.Damage("none.note"))
	}
}

func TestUnknownKind(t *testing.T) {
	p := pool(t)
	if _, err := p.Put(otherKind{}, func(w io.Writer) error { return nil }); !errors.Is(err, local.ErrDamaged) {
		t.Errorf("Put of a kind that the pool does not have: %v", err)
	}
}

func TestQuarantine(t *testing.T) {
	p := pool(t)
	x := put(t, p, "text")
	p.Quarantine(x.Name, errors.New("broken"))
	if _, err := p.Acquire(x.Ref(), nil); err == nil || err.Error() != "broken" {
		t.Errorf("Acquire of a part in quarantine: %v", err)
	}
	if _, err := p.dir.Stat(x.Name + BadSuffix); err != nil {
		t.Errorf("the file was not set aside: %v", err)
	}
	if string(x.Content.(*note).text) != "text" {
		t.Error("readers of the part lose it")
	}
	again := put(t, p, "text")
	if again.Name != x.Name || again == x || p.Damage(x.Name) != nil {
		t.Errorf("a part that is written anew: %+v, quarantine %v", again, p.Damage(x.Name))
	}
	if err := p.Release(x); err != nil {
		t.Fatal(err)
	}
	if shared, err := p.Acquire(again.Ref(), nil); err != nil || shared != again {
		t.Errorf("Acquire = %p, %v; want the new part %p, which is in use", shared, err, again)
	}
}

func TestRecheck(t *testing.T) {
	p := pool(t)
	x := put(t, p, "text")
	if p.Recheck() {
		t.Error("Recheck finds damage where there is none")
	}
	if err := os.Truncate(filepath.Join(p.dir.Path(), x.Name), 1); err != nil {
		t.Fatal(err)
	}
	if !p.Recheck() || p.Damage(x.Name) == nil {
		t.Errorf("Recheck misses that a file was cut: quarantine %v", p.Damage(x.Name))
	}
}

func TestCheck(t *testing.T) {
	p := pool(t)
	for text, wrong := range map[string]bool{"sound": false, "rotten": true} {
		t.Run(text, func(t *testing.T) {
			damage, err := put(t, p, text).Check()
			if err != nil || (damage != nil) != wrong {
				t.Errorf("Check = %v, %v; want damage %v", damage, err, wrong)
			}
		})
	}
}
