// Package blobtest says by tests what a place of parts and views must do.
package blobtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"espy/internal/store/blob"
)

// Places are an empty place, opened as often as is wanted, as by several processes.
type Places struct {
	Open func(t *testing.T) blob.Place
	Age  func(t *testing.T, by time.Duration) // makes what is not listed older
}

// Run tests a kind of place. fresh returns one that is empty.
func Run(t *testing.T, fresh func(t *testing.T) Places) {
	for _, tt := range []struct {
		name string
		test func(t *testing.T, p Places)
	}{
		{"empty", empty}, {"parts", parts}, {"names", names}, {"cut off", cutOff}, {"views", views}, {"missing part", missing},
		{"lost", lost}, {"sweep", sweep}, {"writers", writers}, {"readers", readers}, {"ended", ended},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, fresh(t)) })
	}
}

func put(t *testing.T, p blob.Place, name, text string) {
	t.Helper()
	if err := p.Put(t.Context(), name, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		t.Fatalf("Put(%.40q): %v", name, err)
	}
}

func get(t *testing.T, p blob.Place, name string) (string, error) {
	t.Helper()
	var b bytes.Buffer
	err := p.Get(t.Context(), name, &b)
	return b.String(), err
}

func publish(t *testing.T, p blob.Place, v blob.View, base int64) int64 {
	t.Helper()
	edition, err := p.Publish(t.Context(), v, base)
	if err != nil {
		t.Fatalf("Publish(%.40q): %v", v.Name, err)
	}
	return edition
}

func empty(t *testing.T, ps Places) {
	p := ps.Open(t)
	if _, err := get(t, p, "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Get: error %v", err)
	}
	if _, err := p.View(t.Context(), "main"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("View: error %v", err)
	}
	if edition, err := p.Edition(t.Context(), "main"); edition != 0 || err != nil {
		t.Errorf("Edition = %d, %v", edition, err)
	}
	if list, err := p.Views(t.Context()); len(list) > 0 || err != nil {
		t.Errorf("Views = %q, %v", list, err)
	}
	if missing, err := p.Missing(t.Context(), []string{"a", "b"}); !slices.Equal(missing, []string{"a", "b"}) || err != nil {
		t.Errorf("Missing = %q, %v", missing, err)
	}
	if n, err := p.Sweep(t.Context(), 0); n != 0 || err != nil {
		t.Errorf("Sweep = %d, %v", n, err)
	}
	if err := p.Drop(t.Context(), "main"); err != nil {
		t.Errorf("Drop: %v", err)
	}
}

// parts holds that parts come back as they were put, of any size and any bytes.
func parts(t *testing.T, ps Places) {
	p := ps.Open(t)
	pattern := strings.Repeat("\x00\x01'; DROP TABLE espy.parts; --\xff", 1<<19)
	for _, size := range []int{0, 1, 1 << 20, 4 << 20, 4<<20 + 1, 10<<20 + 1} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			name, text := fmt.Sprintf("%d.lex", size), pattern[:size]
			err := p.Put(t.Context(), name, func(w io.Writer) error {
				for rest := []byte(text); len(rest) > 0; {
					n := min(len(rest), 1<<20-7)
					if _, err := w.Write(rest[:n]); err != nil {
						return err
					}
					rest = rest[n:]
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := get(t, ps.Open(t), name); got != text || err != nil {
				t.Errorf("%d bytes come back as %d, %v", size, len(got), err)
			}
			never := func(io.Writer) error { return errors.New("written a second time") }
			if err := p.Put(t.Context(), name, never); err != nil {
				t.Errorf("Put of what there is: %v", err)
			}
		})
	}
	if missing, err := p.Missing(t.Context(), []string{"0.lex", "x.lex", "1.lex"}); !slices.Equal(missing, []string{"x.lex"}) || err != nil {
		t.Errorf("Missing = %q, %v", missing, err)
	}
}

// names holds which names there are, and that they mean only themselves.
func names(t *testing.T, ps Places) {
	p := ps.Open(t)
	for _, tt := range []struct {
		name string
		good bool
	}{
		{"a.lex", true}, {"'; DROP TABLE espy.parts; --", true}, {`"$1"\`, true}, {"%s_%", true}, {"ä.\u202e", true}, {strings.Repeat("n", 200), true},
		{"", false}, {".", false}, {"..", false}, {"a/b", false}, {"a\x00b", false}, {"\xff", false}, {strings.Repeat("n", 201), false}, {strings.Repeat("n", 1<<20), false},
	} {
		t.Run(fmt.Sprintf("%.20q", tt.name), func(t *testing.T) {
			none := func(io.Writer) error { return nil }
			err := p.Put(t.Context(), tt.name, none)
			if (err == nil) != tt.good {
				t.Errorf("Put: error %.300v", err)
			}
			var published error
			if _, published = p.Publish(t.Context(), blob.View{Name: tt.name}, 0); (published == nil) != tt.good && len(tt.name) < 150 {
				t.Errorf("Publish: error %.300v", published)
			}
			if tt.good {
				return
			}
			_, viewErr := p.View(t.Context(), tt.name)
			_, missingErr := p.Missing(t.Context(), []string{tt.name})
			_, editionErr := p.Edition(t.Context(), tt.name)
			for _, err := range []error{err, published, viewErr, missingErr, editionErr, p.Drop(t.Context(), tt.name), p.Get(t.Context(), tt.name, io.Discard)} {
				if err == nil || len(err.Error()) > 1200 {
					t.Errorf("error %.300v", err)
				}
			}
		})
	}
}

// cutOff holds that a part whose writing fails is not there, and may be put again.
func cutOff(t *testing.T, ps Places) {
	p, broken := ps.Open(t), errors.New("broken")
	err := p.Put(t.Context(), "a", func(w io.Writer) error {
		w.Write(make([]byte, 5<<20))
		return broken
	})
	if !errors.Is(err, broken) {
		t.Fatalf("error %v", err)
	}
	if missing, err := p.Missing(t.Context(), []string{"a"}); len(missing) != 1 || err != nil {
		t.Fatalf("Missing = %q, %v", missing, err)
	}
	put(t, p, "a", "whole")
	if got, err := get(t, p, "a"); got != "whole" || err != nil {
		t.Errorf("Get = %q, %v", got, err)
	}
	if err := p.Get(t.Context(), "a", failing{broken}); !errors.Is(err, broken) {
		t.Errorf("Get to a writer that fails: error %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// views holds that a view is replaced as a whole, and has no edition twice.
func views(t *testing.T, ps Places) {
	p, other := ps.Open(t), ps.Open(t)
	put(t, p, "a", "A")
	put(t, p, "b", "B")
	first := blob.View{Name: "main", Record: []byte("{\"one\": 1}\n"), Parts: []string{"a"}, Beside: map[string]string{"log": "b"}}
	one := publish(t, p, first, 0)
	seen, err := other.View(t.Context(), "main")
	if err != nil || seen.Edition != one || string(seen.Record) != string(first.Record) || seen.Beside["log"] != "b" || len(seen.Beside) != 1 {
		t.Fatalf("View = %+v, %v", seen, err)
	}
	big := blob.View{Name: "main", Record: append(bytes.Repeat([]byte("x\x00'\xff"), 1<<18), '\n')}
	two := publish(t, other, big, one)
	if now, err := p.Edition(t.Context(), "main"); now != two || err != nil {
		t.Errorf("Edition = %d, %v, want %d", now, err, two)
	}
	if seen, err = p.View(t.Context(), "main"); err != nil || seen.Edition != two || !bytes.Equal(seen.Record, big.Record) || len(seen.Beside) > 0 {
		t.Fatalf("View has edition %d and %d bytes, %v", seen.Edition, len(seen.Record), err)
	}
	if given := publish(t, p, blob.View{Name: "copy", Edition: two, Record: big.Record}, 0); given != two {
		t.Errorf("edition %d, want %d, which was given", given, two)
	}
	if list, err := p.Views(t.Context()); !slices.Equal(list, []string{"copy", "main"}) || err != nil {
		t.Errorf("Views = %q, %v", list, err)
	}
	if err := p.Drop(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	if _, err := other.View(t.Context(), "main"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("View of what was dropped: error %v", err)
	}
	if again := publish(t, p, first, 0); again == one || again == two {
		t.Errorf("edition %d a second time", again)
	}
}

// missing holds that no view lists what there is not.
func missing(t *testing.T, ps Places) {
	p := ps.Open(t)
	put(t, p, "a", "A")
	one := publish(t, p, blob.View{Name: "main", Record: []byte("1\n"), Parts: []string{"a"}}, 0)
	_, err := p.Publish(t.Context(), blob.View{Name: "main", Record: []byte("2\n"), Parts: []string{"a", "gone"}}, one)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if v, err := p.View(t.Context(), "main"); err != nil || v.Edition != one || string(v.Record) != "1\n" {
		t.Errorf("View = %+v, %v, want that of before", v, err)
	}
}

// lost holds that of those that replace one edition, one does.
func lost(t *testing.T, ps Places) {
	base := publish(t, ps.Open(t), blob.View{Name: "main", Record: []byte("0\n")}, 0)
	for _, base := range []int64{0, base + 1, -1} {
		if _, err := ps.Open(t).Publish(t.Context(), blob.View{Name: "main", Record: []byte("x\n")}, base); !errors.Is(err, blob.ErrLost) {
			t.Errorf("in place of %d: error %v", base, err)
		}
	}
	if _, err := ps.Open(t).Publish(t.Context(), blob.View{Name: "none"}, 7); !errors.Is(err, blob.ErrLost) {
		t.Errorf("in place of what there is not: error %v", err)
	}
	var mu sync.Mutex
	var won, late int
	var wg sync.WaitGroup
	for n := range 8 {
		p := ps.Open(t)
		wg.Go(func() {
			_, err := p.Publish(t.Context(), blob.View{Name: "main", Record: fmt.Appendln(nil, n)}, base)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won++
			case errors.Is(err, blob.ErrLost):
				late++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won != 1 || late != 7 {
		t.Errorf("%d published and %d lost, want 1 and 7", won, late)
	}
}

// sweep holds that what no view lists stays for its grace, and what one lists stays.
func sweep(t *testing.T, ps Places) {
	p := ps.Open(t)
	for _, name := range []string{"old", "new", "beside", "loose", "wanted"} {
		put(t, p, name, name)
	}
	one := publish(t, p, blob.View{Name: "main", Record: []byte("1\n"), Parts: []string{"old"}, Beside: map[string]string{"log": "beside"}}, 0)
	swept := func(when string, want ...string) {
		t.Helper()
		n, err := p.Sweep(t.Context(), blob.Grace)
		if n != len(want) || err != nil {
			t.Errorf("%s: Sweep = %d, %v, want %q", when, n, err, want)
		}
		for _, name := range want {
			if _, err := get(t, p, name); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: Get(%s): error %v", when, name, err)
			}
		}
	}
	swept("in the time of grace")
	ps.Age(t, 2*blob.Grace)
	if _, err := p.Missing(t.Context(), []string{"wanted"}); err != nil {
		t.Fatal(err)
	}
	publish(t, p, blob.View{Name: "main", Record: []byte("2\n"), Parts: []string{"new"}, Beside: map[string]string{"log": "beside"}}, one)
	swept("after it", "loose")
	ps.Age(t, 2*blob.Grace)
	swept("after that of the part that was listed", "old", "wanted")
	if err := p.Drop(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	swept("as the view is gone")
	ps.Age(t, 2*blob.Grace)
	swept("after its grace", "new", "beside")
}

// writers holds that several may put one part at once.
func writers(t *testing.T, ps Places) {
	var wg sync.WaitGroup
	text := strings.Repeat("same ", 1<<20)
	for range 4 {
		p := ps.Open(t)
		wg.Go(func() {
			err := p.Put(t.Context(), "same", func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, err := get(t, ps.Open(t), "same"); got != text || err != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// readers holds that a reader never sees half a view: the record names the parts
// that there are.
func readers(t *testing.T, ps Places) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		p := ps.Open(t)
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				v, err := p.View(t.Context(), "main")
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				part := strings.TrimSpace(string(v.Record))
				got, getErr := get(t, p, part)
				if err != nil || getErr != nil || got != part || v.Beside["is"] != part {
					t.Errorf("view %q beside %q, part %q: %v, %v", part, v.Beside, got, err, getErr)
					return
				}
			}
		})
	}
	p, base := ps.Open(t), int64(0)
	for n := range 20 {
		name := fmt.Sprintf("part%d", n)
		put(t, p, name, name)
		base = publish(t, p, blob.View{Name: "main", Record: []byte(name + "\n"), Parts: []string{name}, Beside: map[string]string{"is": name}}, base)
	}
	close(done)
	wg.Wait()
}

// ended holds that a call whose context has ended fails and changes nothing.
func ended(t *testing.T, ps Places) {
	p := ps.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := p.Put(ctx, "a", func(w io.Writer) error {
		cancel()
		_, err := w.Write(make([]byte, 9<<20))
		return errors.Join(err, ctx.Err())
	})
	if err == nil {
		t.Error("a part was put whose context had ended")
	}
	if missing, err := p.Missing(t.Context(), []string{"a"}); len(missing) != 1 || err != nil {
		t.Errorf("Missing = %q, %v", missing, err)
	}
}
