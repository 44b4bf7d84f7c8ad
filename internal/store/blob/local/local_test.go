package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func openDir(t *testing.T) *Dir {
	t.Helper()
	d, err := Open(filepath.Join(t.TempDir(), "new", "folder"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func put(d *Dir, name, text string) (int64, error) {
	return d.Put(func(w io.Writer) error { _, err := io.WriteString(w, text); return err }, func() string { return name })
}

// entries lists everything in the folder, temporary files too.
func entries(t *testing.T, d *Dir) (names []string) {
	t.Helper()
	list, err := os.ReadDir(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestPut(t *testing.T) {
	d := openDir(t)
	for _, text := range []string{"first", "", "replaces what was there"} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			size, err := put(d, "part", text)
			if err != nil || size != int64(len(text)) {
				t.Fatalf("Put(%q) = %d, %v", text, size, err)
			}
			m, err := d.Map("part")
			if err != nil || string(m.Data) != text {
				t.Fatalf("Map = %q, %v, want %q", m.Data, err, text)
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
	info, err := d.Stat("part")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("Stat = %v, %v, want mode 0600", info.Mode(), err)
	}
}

func TestPutThatFailsLeavesNothing(t *testing.T) {
	d := openDir(t)
	broken := errors.New("broken")
	write := func(w io.Writer) error { io.WriteString(w, "half"); return broken }
	if _, err := d.Put(write, func() string { return "part" }); !errors.Is(err, broken) {
		t.Errorf("Put: error %v, want %v", err, broken)
	}
	if _, err := put(d, "no/such/folder", "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Put into a folder that is not there: error %v", err)
	}
	if names := entries(t, d); len(names) > 0 {
		t.Errorf("left behind: %q", names)
	}
}

func TestAMappingOutlivesItsFile(t *testing.T) {
	d := openDir(t)
	if _, err := put(d, "part", "old"); err != nil {
		t.Fatal(err)
	}
	m, err := d.Map("part")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := put(d, "part", "new"); err != nil {
		t.Fatal(err)
	}
	if err := d.Remove("part"); err != nil {
		t.Fatal(err)
	}
	if string(m.Data) != "old" {
		t.Errorf("mapped bytes are %q, want those of before", m.Data)
	}
	if _, err := d.Map("part"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Map of a removed part: error %v", err)
	}
	if err := d.Remove("part"); err != nil {
		t.Errorf("Remove of a removed part: %v", err)
	}
}

func TestRecords(t *testing.T) {
	d := openDir(t)
	if _, err := d.Record("r"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Record of nothing: error %v", err)
	}
	for _, data := range []string{"{}", "two\nlines\n", "", "xxh3:0123456789abcdef\n"} {
		t.Run(fmt.Sprintf("%q", data), func(t *testing.T) {
			if err := d.Replace("r", []byte(data)); err != nil {
				t.Fatal(err)
			}
			want := strings.TrimSuffix(data, "\n") + "\n"
			if got, err := d.Record("r"); err != nil || string(got) != want {
				t.Errorf("Record = %q, %v, want %q", got, err, want)
			}
		})
	}
	if names := entries(t, d); !slices.Equal(names, []string{"r"}) {
		t.Errorf("folder holds %q", names)
	}
}

func TestDamagedRecords(t *testing.T) {
	d := openDir(t)
	if err := d.Replace("r", []byte(`{"name":"value"}`)); err != nil {
		t.Fatal(err)
	}
	whole, err := d.Read("r")
	if err != nil {
		t.Fatal(err)
	}
	damaged := func(what string, b []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(d.Path(), "r"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := d.Record("r"); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: Record = %q, %v, want ErrDamaged", what, got, err)
		}
	}
	for i := range whole {
		damaged("cut", whole[:i])
		for bit := range 8 {
			b := slices.Clone(whole)
			b[i] ^= 1 << bit
			damaged("flipped", b)
		}
	}
	damaged("longer", append(slices.Clone(whole), '\n'))
	damaged("doubled", append(slices.Clone(whole), whole...))
}

func TestReplaceThatFailsKeepsTheOld(t *testing.T) {
	d := openDir(t)
	if err := os.Mkdir(filepath.Join(d.Path(), "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(d, "full/inside", "x")
	if err := d.Replace("full", []byte("a folder with files cannot be replaced")); err == nil {
		t.Error("Replace of a folder succeeded")
	}
	if names := entries(t, d); !slices.Equal(names, []string{"full"}) {
		t.Errorf("folder holds %q", names)
	}
}

// TestKeepBringsBack undoes a replacement, as after a flush that failed.
func TestKeepBringsBack(t *testing.T) {
	for _, before := range []string{"", "old"} {
		t.Run(fmt.Sprintf("%q", before), func(t *testing.T) {
			d := openDir(t)
			if before != "" {
				put(d, "r", before)
			}
			undo, err := d.keep(filepath.Join(d.Path(), "r"))
			if err != nil {
				t.Fatal(err)
			}
			put(d, "r", "new")
			if err := undo(); err != nil {
				t.Fatal(err)
			}
			if b, err := d.Read("r"); string(b) != before || before == "" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("after undo: %q, %v, want %q", b, err, before)
			}
		})
	}
}

func TestCleanAndNames(t *testing.T) {
	d := openDir(t)
	for _, n := range []string{"b", "a", tempPrefix + "1", tempPrefix + "old"} {
		if err := os.WriteFile(filepath.Join(d.Path(), n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	os.Mkdir(filepath.Join(d.Path(), "sub"), 0o700)
	if names, err := d.Names(); err != nil || !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("Names = %q, %v", names, err)
	}
	if err := d.Clean(); err != nil {
		t.Fatal(err)
	}
	if names := entries(t, d); !slices.Equal(names, []string{"a", "b", "sub"}) {
		t.Errorf("after Clean: %q", names)
	}
	if err := d.SetAside("a", ".bad"); err != nil {
		t.Fatal(err)
	}
	if err := d.SetAside("a", ".bad"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("SetAside of nothing: error %v", err)
	}
	if names := entries(t, d); !slices.Equal(names, []string{"a.bad", "b", "sub"}) {
		t.Errorf("after SetAside: %q", names)
	}
}

func TestLock(t *testing.T) {
	d := openDir(t)
	unlock, err := d.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	other, err := Open(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.TryLock(); !errors.Is(err, ErrLocked) {
		t.Errorf("TryLock of a locked folder: error %v", err)
	}
	if pid := other.Holder(); pid != os.Getpid() {
		t.Errorf("Holder() = %d, want %d", pid, os.Getpid())
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if _, err := other.Lock(ctx); !errors.Is(err, ErrLocked) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Lock until the deadline: error %v", err)
	}
	got := make(chan error)
	go func() {
		unlock, err := other.Lock(context.Background())
		if err == nil {
			unlock()
		}
		got <- err
	}()
	unlock()
	if err := <-got; err != nil {
		t.Errorf("Lock after the other ended: %v", err)
	}
}

// TestLockSoon waits behind a holder that does not end: for a while, and then
// the error names it.
func TestLockSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openDir(t)
		unlock, err := d.TryLock()
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, err = d.LockSoon(t.Context())
		if took := time.Since(began); took < soon || took > soon+time.Second {
			t.Errorf("it waited for %v", took)
		}
		var locked *LockedError
		if !errors.As(err, &locked) || locked.Holder != os.Getpid() || !errors.Is(err, ErrLocked) {
			t.Fatalf("LockSoon of a locked folder: %v", err)
		}
		if problem, hint := locked.Explain(); !strings.Contains(problem, fmt.Sprint("process ", os.Getpid())) || !strings.Contains(hint, fmt.Sprint("kill -CONT ", os.Getpid())) {
			t.Errorf("Explain: %q, %q", problem, hint)
		}
		unlock()
		if unlock, err = d.LockSoon(t.Context()); err != nil {
			t.Fatalf("LockSoon of a free folder: %v", err)
		}
		unlock()
	})
}

func TestFree(t *testing.T) {
	d := openDir(t)
	if free := d.free(); free <= 0 {
		t.Errorf("Free = %d", free)
	}
	gone := &Dir{path: filepath.Join(d.Path(), "gone")}
	if free := gone.free(); free >= 0 {
		t.Errorf("Free of no folder = %d, want a negative number", free)
	}
}

// TestHolder reads notes of processes that wrote none, or have ended.
func TestHolder(t *testing.T) {
	d := openDir(t)
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Skipf("no program to run: %v", err)
	}
	for note, want := range map[string]int{
		"": 0, "x\n": 0, "-5\n": 0, "0\n": 0, "99999999999999999999\n": 0,
		fmt.Sprintln(ended.Process.Pid): 0,
		fmt.Sprintln(os.Getpid()):       os.Getpid(),
	} {
		t.Run(fmt.Sprintf("%q", note), func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(d.Path(), "lock"), []byte(note), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := d.Holder(); got != want {
				t.Errorf("Holder with the note %q = %d, want %d", note, got, want)
			}
		})
	}
}

// FuzzRecord reads any bytes as a record: what is not damaged is what sealing made.
func FuzzRecord(f *testing.F) {
	d := &Dir{path: f.TempDir()}
	f.Add(sealed([]byte(`{"name":"value"}`)))
	f.Add(sealed(nil))
	f.Add([]byte("xxh3:0123456789abcdef\n"))
	f.Fuzz(func(t *testing.T, whole []byte) {
		if err := os.WriteFile(filepath.Join(d.path, "r"), whole, 0o600); err != nil {
			t.Fatal(err)
		}
		data, err := d.Record("r")
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("error %v, want ErrDamaged", err)
		}
		if err == nil && !bytes.Equal(sealed(data), whole) {
			t.Errorf("Record = %q of %q", data, whole)
		}
	})
}

// TestLockedErrors holds what is said of a lock that another process has.
func TestLockedErrors(t *testing.T) {
	for _, c := range []struct {
		holder        int
		problem, hint string
	}{
		{0, "another process holds the lock of /x", "ask again in a moment"},
		{1, "process 1 holds the lock of /x", "wait until it has ended; if it is stopped, continue it (kill -CONT 1) or end it (kill 1)"},
		{77, "process 77 holds the lock of /x", "wait until it has ended; if it is stopped, continue it (kill -CONT 77) or end it (kill 77)"},
	} {
		t.Run(c.problem, func(t *testing.T) {
			e := &LockedError{Folder: "/x", Holder: c.holder}
			if problem, hint := e.Explain(); problem != c.problem || hint != c.hint || e.Error() != c.problem || !errors.Is(e, ErrLocked) {
				t.Errorf("Explain = %q, %q; Error = %q", problem, hint, e.Error())
			}
		})
	}
}

// TestHolders holds which notes of a lock are believed.
func TestHolders(t *testing.T) {
	for note, want := range map[string]int{
		"": 0, "x": 0, "0": 0, "-1": 0, "1.5": 0, "99999999": 0,
		fmt.Sprint(os.Getpid()): os.Getpid(), fmt.Sprintf(" %d\n\n", os.Getpid()): os.Getpid(),
	} {
		t.Run(fmt.Sprintf("%q", note), func(t *testing.T) {
			d, err := Open(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Holder(); got != 0 {
				t.Errorf("without a note: %d", got)
			}
			if err := os.WriteFile(filepath.Join(d.Path(), "lock"), []byte(note), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := d.Holder(); got != want {
				t.Errorf("Holder = %d, want %d", got, want)
			}
		})
	}
}

// TestTooLittleRoom holds how much is said to be free, and to be needed.
func TestTooLittleRoom(t *testing.T) {
	d, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	free := d.free()
	if err := d.Reserve(free / 2); err != nil {
		t.Errorf("half of what is free: %v", err)
	}
	const need = 1 << 60
	err = d.Reserve(need)
	var said, needed int64
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("Reserve of more than there is: %v", err)
	}
	_, scan := fmt.Sscanf(strings.TrimPrefix(err.Error(), d.Path()+": "), "%d KB of disk are free, at least %d KB are needed", &said, &needed)
	if scan != nil || needed != need>>10 || said < free>>11 || said > free>>9 {
		t.Errorf("%v, want about %d KB free and %d needed (%v)", err, free>>10, int64(need)>>10, scan)
	}
}
