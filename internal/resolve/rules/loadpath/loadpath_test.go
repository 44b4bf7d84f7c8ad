package loadpath_test

import (
	"testing"

	"espy/internal/facts/factstest"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/rules/loadpath"
	"espy/internal/segment"
)

func TestFind(t *testing.T) {
	texts := map[string][]byte{
		"lib/shop.rb":               []byte("require 'shop/cart'\n"),
		"lib/shop/cart.rb":          []byte("require_relative 'owner'\n"),
		"lib/shop/owner.rb":         []byte("require 'set'\n"),
		"tools/brew/formula.rb":     []byte("require 'version'\nrequire 'utils/curl'\nrequire 'json'\n"),
		"tools/brew/version.rb":     []byte("require 'keg'\n"),
		"tools/brew/keg.rb":         []byte(""),
		"tools/brew/utils/a.rb":     []byte("require 'formula'\nrequire 'shop/cart'\n"),
		"tools/brew/utils/curl.rb":  []byte(""),
		"tools/brew/cmd/formula.rb": []byte("require 'formula'\nrequire 'set'\n"),
		"tools/brew/cmd/set.rb":     []byte(""),
	}
	c := corpus.New([]corpus.Part{factstest.Part(t, texts)})
	tests := []struct{ from, name, want string }{
		{"lib/shop.rb", "shop/cart", "lib/shop/cart.rb"},
		{"lib/shop/cart.rb", "./owner", "lib/shop/owner.rb"},
		{"tools/brew/formula.rb", "version", "tools/brew/version.rb"},
		{"tools/brew/formula.rb", "utils/curl.rb", "tools/brew/utils/curl.rb"},
		{"tools/brew/cmd/formula.rb", "formula", "tools/brew/formula.rb"}, // not itself
		{"tools/brew/cmd/formula.rb", "set", ""},                          // of Ruby: nothing says that cmd is looked in
		{"tools/brew/formula.rb", "json", ""},
	}
	err := segment.Guard(func() error {
		all := loadpath.Read(c)
		read := c.Reader()
		for _, tt := range tests {
			id, _ := c.Find(tt.from)
			got := ""
			if to, ok := all.Find(c, read.File(id), tt.name); ok {
				got = c.Path(to)
			}
			if got != tt.want {
				t.Errorf("Find(%s, %q) = %q, want %q", tt.from, tt.name, got, tt.want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !loadpath.IsTest("app/spec/a_spec.rb") || loadpath.IsTest("app/inspect.rb") {
		t.Error("tests are not told by their folders")
	}
}
