package ranked_test

import (
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestHyphens holds that names with hyphens are names, a function that a text opens with is
// what it is about, and a trace that names no files leads to the files of its functions.
func TestHyphens(t *testing.T) {
	snaps := []*store.Snapshot{sample.Repository(t, "shop", map[string]string{
		"lisp/lid.el":   "(defun shop-close-lid (item)\n  \"Close it.\nAnd wait.\"\n  (shop--push-down item t))\n",
		"lisp/shelf.el": "(defun shop--push-down (item &optional force)\n  (signal 'no-item (list item)))\n\n" + strings.Repeat("(setq a b)\n", 60) + "(defun shop-make-room ()\n  (delete item))\n",
		"lisp/notes.el": strings.Repeat("; Close the lid of the shop, push items down, make room: lid, item, remote, delete, close.\n", 40) + "(defun shop-notes ())\n",
	})}
	for _, c := range []struct{ name, query, path, symbol string }{
		{"a commit", "shop-close-lid: Delete remote items before the lid is closed", "lisp/lid.el", "shop-close-lid"},
		{"a call", "shop-make-room(): remote items", "lisp/shelf.el", "shop-make-room"},
		{"a trace", "Debugger entered--Lisp error: (no-item nil)\n  signal(no-item (nil))\n  shop--push-down(nil t)\n  shop-close-lid(nil)\n  funcall-interactively(shop-close-lid nil)\n", "lisp/shelf.el", "shop--push-down"},
		{"a short trace", "close the lid\n  shop--push-down(nil t)\n", "lisp/shelf.el", "shop--push-down"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := searchtest.Must(t, snaps, hit.Request{Query: c.query})
			if h := res.Hits[0]; h.Path != c.path || h.Symbol != c.symbol {
				t.Errorf("%s in %q first of %s, want %s in %s", h.Symbol, h.Path, sample.Places(res), c.symbol, c.path)
			}
		})
	}
}
