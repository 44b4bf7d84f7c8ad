package learn

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/lang"
)

// TestMine holds what is said of what in one file of each language.
func TestMine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path, text string
		said, code string // of the last pair
		names      []string
	}{
		{
			"a.go",
			"package a\n\n// ReadAll reads a file to its end and returns its bytes.\nfunc ReadAll(name string) ([]byte, error) {\n\treturn load(name) // quickly\n}\n\nfunc other() {}\n",
			"reads a file to its end and returns its bytes.", "func ReadAll(name string) ([]byte, error) {\n\treturn load(name) \n}", []string{"ReadAll"},
		},
		{
			"a.py",
			"def connect(host, port):\n    \"\"\"Open a connection to the server.\n\n    More of it.\n    \"\"\"\n    return socket.create_connection((host, port))\n",
			"Open a connection to the server.", "def connect(host, port):\n\n    return socket.create_connection((host, port))", []string{"connect"},
		},
		{
			"a.js",
			"/**\n * Removes an entry from the cache.\n * @param {string} key\n */\nfunction evict(key) {\n  delete this.entries[key]\n  this.size -= 1\n}\n",
			"Removes an entry from the cache.", "function evict(key) {\n  delete this.entries[key]\n  this.size -= 1\n}", []string{"evict"},
		},
		{
			"a.java",
			"class A {\n  /**\n   * Returns the number of waiting threads.\n   */\n  @Override\n  public int waiters() {\n    return queue.getLength() + pending;\n  }\n}\n",
			"Returns the number of waiting threads.", "  public int waiters() {\n    return queue.getLength() + pending;\n  }\n}", []string{"waiters"},
		},
		{
			"a.rs",
			"/// Splits the text at every separator.\n#[inline]\npub fn split_all(text: &str, sep: char) -> Vec<&str> {\n    text.split(sep).collect()\n}\n",
			"Splits the text at every separator.", "pub fn split_all(text: &str, sep: char) -> Vec<&str> {\n    text.split(sep).collect()\n}", []string{"split_all"},
		},
		{
			"a.rb",
			"module A\n  # Compress the text with the best method.\n  def pack(text)\n    Zlib::Deflate.deflate(text, BEST)\n  end\nend\n",
			"Compress the text with the best method.", "  def pack(text)\n    Zlib::Deflate.deflate(text, BEST)\n  end\nend", []string{"pack"},
		},
		{
			"a.pm",
			"package A;\n\n=head2 fetch\n\nGet a page over the network.\n\n=cut\n\nsub fetch {\n  my ($self, $url) = @_;\n  return $self->agent->get($url);\n}\n",
			"Get a page over the network.", "sub fetch {\n  my ($self, $url) = @_;\n  return $self->agent->get($url);\n}", []string{"fetch"},
		},
		{
			"a.h",
			"/* Allocate a buffer of the given size. */\nstatic inline struct buf *buf_new(size_t size) {\n  return (struct buf *)malloc(sizeof(struct buf) + size);\n}\n",
			"Allocate a buffer of the given size.", "static inline struct buf *buf_new(size_t size) {\n  return (struct buf *)malloc(sizeof(struct buf) + size);\n}", []string{"buf_new"},
		},
		{
			"a.php",
			"<?php\n/**\n * Encodes a value as JSON text.\n *\n * @return string\n */\nfunction to_json($value) {\n    return json_encode($value, JSON_THROW_ON_ERROR);\n}\n",
			"Encodes a value as JSON text.", "function to_json($value) {\n    return json_encode($value, JSON_THROW_ON_ERROR);\n}", []string{"to_json"},
		},
		{
			"a.ts",
			"// Shows the newest messages of a room.\n\nexport interface Room { name: string; messages: Message[] }\n\nexport function newest(room: Room) { return room.messages.at(-1) }\n",
			"Shows the newest messages of a room.", "export interface Room { name: string; messages: Message[] }\n\nexport function newest(room: Room) { return room.messages.at(-1) }", []string{"Room", "newest"},
		},
	} {
		t.Run(tt.path, func(t *testing.T) {
			t.Parallel()
			pairs := minedFile(lang.Detect(tt.path, []byte(tt.text)), tt.path, []byte(tt.text))
			if len(pairs) != 1 {
				t.Fatalf("%d pairs: %+v", len(pairs), pairs)
			}
			p := pairs[0]
			if p.said != tt.said || strings.TrimSpace(p.code.Text) != strings.TrimSpace(tt.code) {
				t.Errorf("%q is said of %q, want %q of %q", p.said, p.code.Text, tt.said, tt.code)
			}
			if fmt.Sprint(p.code.Symbols) != fmt.Sprint(tt.names) || p.code.Path != tt.path {
				t.Errorf("%q in %s, want %q", p.code.Symbols, p.code.Path, tt.names)
			}
		})
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, comment, defined, want string }{
		{"the name is left out wherever it is", "// Sort sorts; SORT is stable.", "Sort", "sorts; is stable."},
		{"parts of the name stay", "// readFile reads a file of text", "readFile", "reads a file of text"},
		{"the first paragraph", "# One line here.\n#\n# Another.", "", "One line here."},
		{"tags end it", "/** Adds two numbers.\n * @param a one\n */", "", "Adds two numbers."},
		{"markup goes", "// See the <b>big</b> tree at https://x.org/y now", "", "See the big tree at now"},
		{"too short", "// Close it", "", ""},
		{"a license", "// Copyright 2020 by somebody and others", "", ""},
		{"no words", "// -----------", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, ok := sentence(tt.comment, tt.defined); ok != (tt.want != "") || ok && got != tt.want {
				t.Errorf("sentence(%q, %q) = %q, %v, want %q", tt.comment, tt.defined, got, ok, tt.want)
			}
		})
	}
	t.Run("long", func(t *testing.T) {
		t.Parallel()
		got, ok := sentence("// "+strings.Repeat("The words go on and on. ", 100), "")
		if !ok || len(got) > maxSaid || !strings.HasSuffix(got, ".") {
			t.Errorf("%d bytes: %q", len(got), got)
		}
	})
}

// corpus has so many folders in three sources, with so many pairs each.
const folders, perFolder = 60, 12

// corpus lays out sources whose comments and code share a topic and few words.
func corpus(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	topics := []struct{ said, code []string }{
		{[]string{"delete", "erase", "discard"}, []string{"remove", "unlink", "purge"}},
		{[]string{"draw", "paint", "show"}, []string{"render", "canvas", "pixel"}},
		{[]string{"connect", "dial", "reach"}, []string{"socket", "address", "port"}},
		{[]string{"order", "arrange", "rank"}, []string{"sort", "compare", "swap"}},
	}
	for i := range folders {
		var b strings.Builder
		b.WriteString("package p\n\n")
		for k := range perFolder {
			topic := topics[(i+k)%len(topics)]
			fmt.Fprintf(&b, "// %s the thing with number%d\nfunc do%d_%d() { %s(%s, value%d); finish() }\n\n",
				topic.said[(i+k/4)%3], i*perFolder+k, i, k, topic.code[i%3], topic.code[(i+k/4)%3], k)
		}
		name := filepath.Join(dir, "local", fmt.Sprintf("s%d", i%3), fmt.Sprintf("d%02d", i), "a.go")
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
