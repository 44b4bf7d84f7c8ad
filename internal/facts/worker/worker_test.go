package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"espy/internal/facts/tree"
)

// TestMain is also the child: with the argument that pools of tests give.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == Command {
		if err := Serve(os.Stdin, os.Stdout, standIn()); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// standIn is a grammar without C: a module with one name, and texts that harm.
func standIn() Parser {
	g := &tree.Grammar{Name: "python", Kinds: []string{"module", "identifier"}, Named: []bool{true, true}, Fields: []string{""}}
	served := 0
	return func(_ string, text []byte) (*tree.Tree, error) {
		served++
		switch what, _, _ := strings.Cut(string(text), " "); {
		case what == "crash", what == "crash-second" && served > 1:
			os.Stderr.WriteString("segmentation fault\n")
			os.Exit(7)
		case what == "hang":
			select {}
		case what == "hang-once" && served > 1:
			select {}
		case what == "refuse":
			return nil, errors.New("more nodes than the limit")
		case what == "panic":
			panic("index out of range")
		case what == "none":
			return nil, tree.ErrNoGrammars
		case what == "killed" && served > 1, what == "killed-always":
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				self.Kill()
				select {}
			}
		}
		end := uint32(len(text))
		return &tree.Tree{Grammar: g, Nodes: []tree.Node{{End: end, Parent: -1, Next: 2}, {End: end, Next: 2, Kind: 1}}}, nil
	}
}

func testPool(t *testing.T, o Options) *Pool {
	t.Helper()
	o.Command = []string{os.Args[0], Command}
	p := New(o)
	t.Cleanup(func() { p.Close() })
	return p
}

func TestPool(t *testing.T) {
	p := testPool(t, Options{})
	tests := []struct{ text, want, failure string }{
		{text: "name", want: "name"},
		{text: "crash", failure: "the parser crashed: segmentation fault"},
		{text: "after", want: "after"},
		{text: "refuse", failure: "more nodes than the limit"},
		{text: "panic", failure: "the rules of its language failed: index out of range"},
		{text: "again", want: "again"},
		{text: "crash-second", want: "crash-second"}, // of a child that served others
		{text: "x", want: "x"},
		{text: "killed", want: "killed"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			f, err := p.Parse(context.Background(), "python", "a.py", []byte(tt.text))
			if tt.failure != "" {
				var failure *Failure
				if !errors.As(err, &failure) || failure.Reason != tt.failure {
					t.Errorf("Parse(%q) = %v, want failure %q", tt.text, err, tt.failure)
				}
				return
			}
			if err != nil || len(f.Uses) != 1 || f.Uses[0].Name != tt.want {
				t.Errorf("Parse(%q) = %+v, %v", tt.text, f, err)
			}
		})
	}
}

// TestKilledFromOutside checks that a child which is killed says nothing about
// its file, however often.
func TestKilledFromOutside(t *testing.T) {
	p := testPool(t, Options{})
	for i, text := range []string{"killed-always", "killed-always", "after"} {
		t.Run(fmt.Sprint(i, text), func(t *testing.T) {
			_, err := p.Parse(context.Background(), "python", "a.py", []byte(text))
			if text == "after" {
				if err != nil {
					t.Errorf("Parse after it: %v", err)
				}
				return
			}
			if err == nil || errors.As(err, new(*Failure)) || errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "ended from outside (killed)") {
				t.Errorf("Parse = %v, want an error that condemns nothing", err)
			}
		})
	}
}

func TestCloseAgain(t *testing.T) {
	p := testPool(t, Options{Workers: 2})
	if _, err := p.Parse(context.Background(), "python", "a.py", []byte("x")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHangUnderLoad holds that a bound of time condemns a file only where a child
// of its own reaches it too.
func TestHangUnderLoad(t *testing.T) {
	p := testPool(t, Options{Hang: 2 * time.Second})
	for _, text := range []string{"first", "hang-once", "after"} {
		t.Run(text, func(t *testing.T) {
			f, err := p.Parse(context.Background(), "python", "a.py", []byte(text))
			if err != nil || len(f.Uses) != 1 || f.Uses[0].Name != text {
				t.Errorf("Parse(%q) = %+v, %v", text, f, err)
			}
		})
	}
}

func TestHang(t *testing.T) {
	p := testPool(t, Options{Hang: 100 * time.Millisecond})
	_, err := p.Parse(context.Background(), "python", "a.py", []byte("hang"))
	var failure *Failure
	if !errors.As(err, &failure) || !strings.Contains(failure.Reason, "no answer") {
		t.Fatalf("Parse = %v, want a failure", err)
	}
}

func TestCancel(t *testing.T) {
	p := testPool(t, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := p.Parse(ctx, "python", "a.py", []byte("hang")); !errors.Is(err, context.Canceled) {
		t.Fatalf("Parse = %v, want %v", err, context.Canceled)
	}
	if _, err := p.Parse(context.Background(), "python", "a.py", []byte("fine")); err != nil {
		t.Fatal(err)
	}
}

// TestUnavailable shows what must never condemn a file.
func TestUnavailable(t *testing.T) {
	for name, p := range map[string]*Pool{
		"no command":       New(Options{}),
		"missing command":  New(Options{Command: []string{"/nonexistent/espy"}}),
		"built without it": testPool(t, Options{}),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.Parse(context.Background(), "python", "a.py", []byte("none"))
			var failure *Failure
			if !errors.Is(err, ErrUnavailable) || errors.As(err, &failure) {
				t.Errorf("Parse = %v, want %v", err, ErrUnavailable)
			}
		})
	}
}

func TestManyAtOnce(t *testing.T) {
	p := testPool(t, Options{Workers: 3})
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			text := []byte{'a' + byte(i%26)}
			f, err := p.Parse(context.Background(), "python", "a.py", text)
			if err != nil || f.Uses[0].Name != string(text) {
				t.Errorf("Parse(%q) = %+v, %v", text, f, err)
			}
		})
	}
	wg.Wait()
}

// TestParentGoes shows that the child ends with its input, also in mid-file.
func TestParentGoes(t *testing.T) {
	c, err := start([]string{os.Args[0], Command})
	if err != nil {
		t.Fatal(err)
	}
	if err := writeRequest(c.in, request{grammar: "python", text: []byte("hang")}); err != nil {
		t.Fatal(err)
	}
	c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		t.Fatalf("the child ended with %v", err)
	}
}

func TestFrames(t *testing.T) {
	var b bytes.Buffer
	if err := writeRequest(&b, request{grammar: "python", text: []byte("x = 1")}); err != nil {
		t.Fatal(err)
	}
	frame, err := readFrame(&b, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := readRequest(frame)
	if err != nil || r.grammar != "python" || r.pattern != "" || string(r.text) != "x = 1" {
		t.Fatalf("readRequest = %+v, %v", r, err)
	}
	if _, err := readFrame(strings.NewReader("\xff\xff\xff\xffx"), nil); err == nil {
		t.Error("a frame of 4 GiB was accepted")
	}
}
