package imported_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/ranked/imported"
)

// TestBy holds which files a text imports, in the ways of several languages.
func TestBy(t *testing.T) {
	for _, c := range []struct{ from, text, others, want string }{
		{"shop/till.py", "import os\nfrom shop.core.money import Money, Coin as C\n", "shop/core/money.py shop/core/os.py shop/core/coin.py", "shop/core/money.py"},
		{"shop/till.py", "from .core import (\n    money,\n    coin,\n)\nfrom .. import root\nfrom . import drawer\n", "shop/core/money.py shop/core/coin.py core/money.py root.py shop/root.py shop/drawer.py", "shop/core/money.py shop/core/coin.py root.py shop/drawer.py"},
		{"shop/till.py", "from shop.core import Money\nimport shop.tax as tax\n", "shop/core/__init__.py shop/tax.py", "shop/core/__init__.py shop/tax.py"},
		{"src/till.ts", "import { a } from './money'\nexport * from \"../lib/coin/index.js\"\nimport x from 'lodash'\n", "src/money.ts lib/coin/index.ts src/lodash.ts src/coin.ts", "src/money.ts lib/coin/index.ts"},
		{"core/src/till.rs", "use crate::money::{Coin, note::{self, Big}};\nuse super::drawer::Drawer;\nmod slot;\n", "core/src/money.rs core/src/money/note.rs core/src/drawer.rs core/src/till/slot.rs core/src/slot.rs", "core/src/money.rs core/src/money/note.rs core/src/drawer.rs core/src/till/slot.rs"},
		{"internal/till/till.go", "package till\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/shop/internal/money\"\n)\n", "internal/money/coin.go internal/money/note.go internal/fmt/fmt.go", "internal/money/coin.go internal/money/note.go"},
		{"src/a/Till.java", "package shop.a;\n\nimport shop.b.Money;\nimport static shop.b.Coin.of;\n", "src/shop/b/Money.java src/shop/b/Coin.java src/shop/c/Money.java", "src/shop/b/Money.java src/shop/b/Coin.java"},
		{"src/Till.php", "<?php\nuse Shop\\Core\\Money;\n", "src/Core/Money.php src/Other/Money.php", "src/Core/Money.php"},
		{"src/till.c", "#include <stdio.h>\n#include \"core/money.h\"\n", "src/core/money.h src/core/money.c src/stdio.c", "src/core/money.h src/core/money.c"},
		{"src/Till.hs", "module Till (open) where\n\nimport qualified Shop.Money\nimport Shop.Coin (toss)\n", "src/Shop/Money.hs src/Shop/Coin.hs src/open.hs", "src/Shop/Money.hs src/Shop/Coin.hs"},
		{"lib/shop/till.rb", "require 'shop/money'\nrequire_relative 'drawer'\nrequire 'json'\n", "lib/shop/money.rb lib/shop/drawer.rb lib/json.rb", "lib/shop/money.rb lib/shop/drawer.rb"},
		{"till.py", "", "a.py", ""},
	} {
		others := strings.Fields(c.others)
		var got []string
		for _, i := range imported.New(len(others), func(i int) string { return others[i] }).By(c.from, []byte(c.text)) {
			got = append(got, others[i])
		}
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%s imports %v, want %v, of\n%s", c.from, got, want, c.text)
		}
	}
}

// TestHostile holds that no text takes long.
func TestHostile(t *testing.T) {
	among := imported.New(60, func(i int) string { return strings.Repeat("a/", 40) + "b.rs" })
	for name, text := range map[string]string{
		"lists in lists":   "use a::" + strings.Repeat("{a::", 120_000),
		"closed again":     "use a::" + strings.Repeat("{a,", 100_000) + strings.Repeat("}", 100_000) + ";",
		"one statement":    "import (\n" + strings.Repeat("a\n", 250_000),
		"long names":       "import " + strings.Repeat("a.", 250_000) + ";",
		"many names":       "from a import " + strings.Repeat("a,", 250_000),
		"many quotes":      "import " + strings.Repeat(`"./a/../a"`, 50_000),
		"up and up":        "from " + strings.Repeat(".", 500_000) + " import a",
		"many statements":  strings.Repeat("use a::b;\n", 50_000),
		"lists, many more": strings.Repeat("use {a,{b,{c,d},e},f};\n", 25_000),
	} {
		start := time.Now()
		among.By("a/a.go", []byte(text))
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}
