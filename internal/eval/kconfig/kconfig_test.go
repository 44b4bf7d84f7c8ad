package kconfig_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/eval/kconfig"
	"espy/internal/workspace"
)

// TestMeasure holds which options are questions and that their files are found. That
// the other half is kept back shows by BLINK and FLASH: only one of them is asked.
func TestMeasure(t *testing.T) {
	tree := filepath.Join(t.TempDir(), "linux-source-6.1")
	for path, text := range map[string]string{
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
	} {
		file := filepath.Join(tree, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
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
	if _, err := kconfig.Measure(t.Context(), w, t.TempDir(), questions, 300); err == nil || !strings.Contains(err.Error(), "no file of") {
		t.Errorf("an empty tree gives %v", err)
	}
	rep, err := kconfig.Measure(t.Context(), w, tree, questions, 300)
	if err != nil {
		t.Fatal(err)
	}
	const want = "| questions | R@1 | R@5 | R@10 | R@50 | MRR |\n|---|---|---|---|---|---|\n| 1 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 |\n"
	if rep.Table() != want {
		t.Error(rep.Table())
	}
	page := rep.Page()
	for _, want := range []string{
		"Asked are the first 1 of 1 pairs of the tree linux-source-6.1, version 6.1.7,\n6 files indexed.",
		"\n| Espy | 1 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 |\n",
		"the other half, Linux 6.12 | 200 | 0.495 | 0.690 | 0.765 | 0.865 | 0.589 |\n",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(page, want) {
				t.Error(page)
			}
		})
	}
	if rep, err = kconfig.Measure(t.Context(), w, tree, append(questions, questions[0]), 1); err != nil || rep.Questions != 1 || rep.Pairs != 2 {
		t.Errorf("%+v, %v", rep, err)
	}
}
