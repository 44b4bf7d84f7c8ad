package program

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"espy/internal/filetest"
)

func TestSound(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		pipe  string // its path; relative to the folder
		want  string // what is wrong, relative to the folder; "" for nothing
	}{
		{"a plain folder", map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\tbare = false\n"}, "other", ""},
		{"a pipe", nil, "packed-refs", "packed-refs"},
		{"a pipe among the packs", nil, "objects/pack/pack-1.idx", "objects/pack/pack-1.idx"},
		{"a pipe in the common folder", map[string]string{"commondir": "up\n"}, "up/shallow", "up/shallow"},
		{"an included pipe", map[string]string{"config": "[include]\n\tpath = (the pipe)\n"}, "up/c", "up/c"},
		{"included relative to the file that includes", map[string]string{"config": "[include]\npath = sub/a\n", "sub/a": "[includeIf \"gitdir:x\"] PATH = \"b\"\n"}, "sub/b", "sub/b"},
		{"included over two lines", map[string]string{"config": "[include] path = \\\nc\n"}, "c", "c"},
		{"a path that is not included", map[string]string{"config": "[core]\npath = c\n"}, "c", ""},
		{"files that include each other", map[string]string{"config": "[include]\npath = config\n"}, "c", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			filetest.Write(t, dir, map[string]string{filepath.Dir(tt.pipe) + "/beside": ""})
			pipe := filepath.Join(dir, tt.pipe)
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			for name, text := range tt.files {
				if name == "config" && tt.name == "an included pipe" {
					text = "[include]\n\tpath = " + pipe + " # as it is\n"
				}
				filetest.Write(t, dir, map[string]string{name: text})
			}
			err := Sound(dir)
			var unsound *UnsoundError
			if tt.want == "" && err != nil || tt.want != "" && (!errors.As(err, &unsound) || unsound.Path != filepath.Join(dir, tt.want)) {
				t.Errorf("Sound: %v, want %q", err, tt.want)
			}
			if cmd := Command(t.Context(), dir, "version"); (cmd.Err == nil) != (err == nil) {
				t.Errorf("the error of a command is %v, want %v", cmd.Err, err)
			}
		})
	}
}

func TestSoundRef(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"refs/heads/topic/plain": ""})
	if err := syscall.Mkfifo(filepath.Join(dir, "refs/heads/topic/pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"topic/plain": true, "topic/pipe": false, "heads/topic/pipe": false, "none": true, "../x": true, "": true} {
		t.Run(name, func(t *testing.T) {
			if err := SoundRef(dir, name); (err == nil) != want {
				t.Errorf("SoundRef(%q) = %v", name, err)
			}
		})
	}
}

func TestIncludes(t *testing.T) {
	text := "[include] # no\npath = a b\n; path = no\n[ include ]\npath = \"q # \\\"x\\\"\" ; c\n[other]\npath=no\n[includeIf \"onbranch:x\"]path=z\n"
	t.Run("paths", func(t *testing.T) {
		if got, want := includes(text), []string{"a b", `q # "x"`, "z"}; !slices.Equal(got, want) {
			t.Errorf("includes = %q, want %q", got, want)
		}
	})
	t.Run("a file that is none", func(t *testing.T) {
		if _, err := readSmall(os.TempDir(), 10); err == nil {
			t.Error("a folder was read")
		}
	})
}
