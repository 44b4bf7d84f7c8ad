package excerpt

import (
	"strings"
	"testing"

	"espy/internal/sample"
)

// TestNotice holds that a notice of copyright at the start of a file is not among the
// lines of a hit, unless it is asked for.
func TestNotice(t *testing.T) {
	for _, c := range []struct {
		text, ask, want string
		first           int
	}{
		{"// Copyright 2020 A.\n// Use it.\n\npackage a\nopen\n", "open", "4 | 5 open", 1},
		{"// Copyright 2020 A.\n// Use it, use it well.\n\npackage a\n", "use", "1 | 2 Use,use | 3 | 4", 1},
		{"// Copyright 2020 A.\n// Use it.\n\npackage a\n", "copyright", "1 Copyright | 2 | 3 | 4", 1},
		{"#!/bin/sh\n# Licensed to A.\nuse\n", "use", "3 use", 1},
		{"/*\n * Copyright A\n\n * more\n */\nint use;\n/* b */\n", "use", "6 use | 7", 1},
		{"/* SPDX-License-Identifier: MIT */\nint use;\n", "use", "2 use", 1},
		{"/* list.c - a list\n * Copyright A */\nint use;\n", "use", "1 | 2 | 3 use", 1},
		{"# Licence: see below\n\n", "use", "1", 1},
		{"// Copyright A\nuse\n", "use", "1 | 2 use", 40},
		{"use\n// Copyright A\n", "use", "1 use | 2", 1},
	} {
		h := NewHighlighter([]Term{{c.ask, 1}})
		s := NewChunk(Source{Text: []byte(c.text)}, c.first, h).Ranked(nil)
		s.Keep(10)
		lines, _ := s.show(10_000)
		want := c.want
		if c.first > 1 {
			want = strings.NewReplacer("1 ", "40 ", "2 ", "41 ").Replace(c.want)
		}
		if got := sample.Shown(lines); got != want {
			t.Errorf("%q: %s, want %s", c.text, got, want)
		}
	}
}
