package kconfig_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/eval"
	"espy/internal/eval/kconfig"
	"espy/internal/workspace"
)

// TestMeasure holds which options are questions and that their files are found. That
// the other half is kept back shows by BLINK and FLASH: only one of them is asked.
func TestMeasure(t *testing.T) {
	tree := filepath.Join(t.TempDir(), "linux-source-6.1")
	layOut(t, tree, map[string]string{
		"drivers/Makefile": "obj-$(CONFIG_BLINK) += lamp.o\nobj-$(CONFIG_FLASH) += torch_2.o\nobj-$(CONFIG_BOTH) += lamp.o \\\n\ttorch_2.o\nobj-$(CONFIG_NAMED) += pump.o\nobj-$(CONFIG_SHORT) += pump.o\n",
		"drivers/Kconfig": "menu \"Lights\"\n\nconfig BLINK\n\ttristate \"Blink\"\n\thelp\n\t  Lets the beacon of a harbour entrance blink at regular intervals in fog.\n\n\t  If unsure, say N.\n\n" +
			"config FLASH\n\tbool\n\thelp\n\t  Lets the beacon of a harbour entrance flash at regular intervals in rain.\n\n" +
			"config BOTH\n\tbool\n\thelp\n\t  This builds more than one file and so it has not one answer.\n\n" +
			"config NAMED\n\tbool\n\thelp\n\t  This text names its file since a pump is what it is all about.\n\n" +
			"config SHORT\n\tbool\n\thelp\n\t  Water flows.\n\nendmenu\n",
		"Makefile":          "VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 7\nEXTRAVERSION =\n",
		"drivers/lamp.c":    "/* The beacon of a harbour entrance, which blinks in fog. */\nint beacon(void) { return 0; }\n",
		"drivers/torch_2.c": "/* The beacon of a harbour entrance, which flashes in rain. */\nint beacon(void) { return 0; }\n",
		"drivers/pump.c":    "/* Water. */\nint pump(void) { return 0; }\n",
	})
	questions, err := kconfig.Questions(tree)
	if err != nil {
		t.Fatal(err)
	}
	if len(questions) != 1 || questions[0].ID != "BLINK" || questions[0].Query != "Lets the beacon of a harbour entrance blink at regular intervals in fog." {
		t.Fatalf("%+v", questions)
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	o := kconfig.Options{Tree: tree, Questions: questions, Limit: 300, Progress: func(string, int, int) {}}
	empty := o
	empty.Tree = t.TempDir()
	if _, err := kconfig.Measure(t.Context(), w, empty); err == nil || !strings.Contains(err.Error(), "no file of") {
		t.Errorf("an empty tree gives %v", err)
	}
	rep, err := kconfig.Measure(t.Context(), w, o)
	if err != nil {
		t.Fatal(err)
	}
	const want = "| | questions | R@1 | R@5 | R@10 | R@50 | MRR |\n|---|---|---|---|---|---|---|\n" +
		"| Espy | 1 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 |\n| BM25 over whole files | 1 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 |\n"
	if rep.Table() != want {
		t.Error(rep.Table())
	}
	page := rep.Page()
	for _, want := range []string{
		"Asked are the first 1 of 1 pairs of the tree linux-source-6.1, version 6.1.7,\n6 files indexed.",
		"\n\n" + want,
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(page, want) {
				t.Error(page)
			}
		})
	}
	o.Questions, o.Limit = append(questions, questions[0]), 1
	if rep, err = kconfig.Measure(t.Context(), w, o); err != nil || rep.Questions != 1 || rep.Pairs != 2 {
		t.Errorf("%+v, %v", rep, err)
	}
}

// TestBM25 holds what the table is asked for and how it counts, by the rank at which
// it finds the answer, and that nothing stays of it.
func TestBM25(t *testing.T) {
	for _, tt := range []struct {
		name, path, text, rival string
		want                    float64 // 1 by the rank, 0 where it is not found
	}{
		{"a word", "lamp.c", "int fog;", "int x;", 1},
		{"another form of a word", "lamp.c", "int blinks;", "int x;", 1},
		{"a word between underscores", "lamp.c", "int is_blinking_now;", "int x;", 1},
		{"a word in camelCase", "lamp.c", "int canBlink;", "int x;", 1},
		{"a word behind a digit", "lamp.c", "int x2Blink;", "int x;", 1},
		{"more words", "lamp.c", "int blink, fog;", "int blink, x;", 1},
		{"fewer words", "lamp.c", "int blink, x;", "int blink, fog;", 0.5},
		{"a word of the path weighs more", "fog.c", "int x;", "int interval;", 1},
		{"a word inside of another", "lamp.c", "int unblinking;", "int blink;", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			temp, tree := t.TempDir(), filepath.Join(t.TempDir(), "tree")
			t.Setenv("TMPDIR", temp)
			const question = "Lets the beacon of a harbour blink at regular intervals in fog."
			layOut(t, tree, map[string]string{tt.path: tt.text + "\n", "earlier.c": tt.rival + "\n", "blink.text": question + "\n"})
			w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			rep, err := kconfig.Measure(t.Context(), w, kconfig.Options{
				Tree: tree, Limit: 1, Progress: func(string, int, int) {},
				Questions: []eval.Question{{Query: question, Targets: []eval.Target{{Path: tt.path}}}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if rep.BM25.MRR != tt.want {
				t.Errorf("MRR = %v, want %v", rep.BM25.MRR, tt.want)
			}
			if left, err := os.ReadDir(temp); len(left) > 0 || err != nil {
				t.Errorf("%v is left, %v", left, err)
			}
		})
	}
}

// TestCanceled holds that a run that is stopped while it fills the table, or asks, says
// so and leaves nothing of it.
func TestCanceled(t *testing.T) {
	for _, at := range []string{"fill the table of BM25", "ask"} {
		t.Run(at, func(t *testing.T) {
			temp, tree := t.TempDir(), filepath.Join(t.TempDir(), "tree")
			t.Setenv("TMPDIR", temp)
			layOut(t, tree, map[string]string{"lamp.c": "int fog;\n"})
			w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_, err = kconfig.Measure(ctx, w, kconfig.Options{
				Tree: tree, Limit: 1, Questions: []eval.Question{{Query: "in fog", Targets: []eval.Target{{Path: "lamp.c"}}}},
				Progress: func(doing string, _, _ int) {
					if doing == at {
						cancel()
					}
				},
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			if left, err := os.ReadDir(temp); len(left) > 0 || err != nil {
				t.Errorf("%v is left, %v", left, err)
			}
		})
	}
}

// layOut writes files, by their paths, into a folder.
func layOut(t *testing.T, tree string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		file := filepath.Join(tree, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
