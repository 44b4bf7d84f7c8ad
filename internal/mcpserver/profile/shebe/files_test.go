package shebe

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"espy/internal/glob"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const invalidParams = jsonrpc.CodeInvalidParams

// numbered returns n files with names in order.
func numbered(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("f%04d.txt", i)] = "text\n"
	}
	return files
}

var (
	rowForm    = regexp.MustCompile("(?m)^\\| `(.*)` \\| \\d+ \\|$")
	cursorForm = regexp.MustCompile(`Use cursor="([^"]+)"`)
)

func rows(answer string) (paths []string) {
	for _, m := range rowForm.FindAllStringSubmatch(answer, -1) {
		paths = append(paths, m[1])
	}
	return paths
}

func nextPage(answer string) string {
	if m := cursorForm.FindStringSubmatch(answer); m != nil {
		return m[1]
	}
	return ""
}

func TestListDirPages(t *testing.T) {
	sheet.Proves(t, "dir.default dir.clamp dir.sort dir.pages dir.cursor.form")
	c := newClient(t, numbered(600), nil)
	c.index("s", nil)
	for _, tt := range []struct {
		args object
		rows int
		want string
	}{
		{object{}, 100, "Showing: 100 of 600 files (first 100, alphabetically sorted)"},
		{object{"limit": 1000}, 500, "Showing: 500 of 600 files"},
		{object{"limit": 250}, 250, "Showing: 250 of 600 files"},
		{object{"limit": 250, "sort": "indexed"}, 250, "(first 250, in indexed order)"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			c := c.on(t)
			tt.args["session"] = "s"
			got := c.Call("list_dir", tt.args)
			if n := len(rows(got)); n != tt.rows || !strings.Contains(got, tt.want) || nextPage(got) == "" {
				t.Errorf("list_dir(%v): %d rows, want %d and %q: %.300s", tt.args, n, tt.rows, tt.want, got)
			}
		})
	}
	raw, err := base64.RawURLEncoding.DecodeString(nextPage(c.Call("list_dir", object{"session": "s"})))
	if form := regexp.MustCompile(`^\{"last_index":99,"sort":"alpha","fingerprint":"600-600-\d{10}"\}$`); err != nil || !form.Match(raw) {
		t.Errorf("a cursor holds %s, %v", raw, err)
	}
	if got := c.Call("list_dir", object{"session": "s", "limit": 300, "cursor": nextPage(c.Call("list_dir", object{"session": "s", "limit": 300}))}); nextPage(got) != "" || len(rows(got)) != 300 {
		t.Errorf("a last page that is full: %.200s", got)
	}
	for _, sort := range []string{"alpha", "size", "indexed"} {
		t.Run(sort, func(t *testing.T) {
			c := c.on(t)
			seen, pages, cursor := map[string]bool{}, 0, ""
			for {
				args := object{"session": "s", "limit": 200, "sort": sort}
				if cursor != "" {
					args["cursor"] = cursor
				}
				got := c.Call("list_dir", args)
				for _, p := range rows(got) {
					if seen[p] {
						t.Errorf("%s is listed twice", p)
					}
					seen[p] = true
				}
				pages++
				if pages > 1 && !strings.Contains(got, fmt.Sprintf("**Session:** `s`\n**Files:** 600 (showing %d-%d)", 200*pages-199, 200*pages)) {
					t.Errorf("page %d: %.200s", pages, got)
				}
				if cursor = nextPage(got); cursor == "" {
					break
				}
			}
			if len(seen) != 600 || pages != 3 {
				t.Errorf("sort %s: %d files on %d pages", sort, len(seen), pages)
			}
		})
	}
}

func TestListDirErrors(t *testing.T) {
	sheet.Proves(t, "dir.zero dir.sort.bad dir.sort dir.cursor.bad dir.cursor.sort dir.cursor.stale dir.empty")
	c := newClient(t, map[string]string{"a.txt": "a\n", "b.txt": strings.Repeat("b\n", 100), "c.txt": "c\n"}, nil)
	c.index("s", nil)
	first := nextPage(c.Call("list_dir", object{"session": "s", "limit": 2}))
	if got := rows(c.Call("list_dir", object{"session": "s", "limit": 2, "sort": "size"})); len(got) != 2 || !strings.HasSuffix(got[0], "b.txt") {
		t.Errorf("by size: %q", got)
	}
	c.fails("list_dir", object{"session": "none"}, codeSession, "Session not found: none")
	c.fails("list_dir", object{"session": "s", "limit": 0}, invalidParams, "limit must be between 1 and 500")
	c.fails("list_dir", object{"session": "s", "sort": "x"}, invalidParams, "Invalid sort order: 'x'. Must be 'alpha', 'size' or 'indexed'.")
	c.fails("list_dir", object{"session": "s", "sort": "size", "cursor": first}, invalidParams, "Cursor sort mode 'alpha' does not match requested sort mode 'size'. Use the same sort mode or omit the cursor.")
	for cursor, want := range map[string]string{
		"!!!not-base64!!!": "Invalid cursor encoding: ",
		base64.RawURLEncoding.EncodeToString([]byte("not json")):                                                   "Invalid cursor format: ",
		base64.RawURLEncoding.EncodeToString([]byte("\xff\xfe")):                                                   "Invalid cursor UTF-8: ",
		base64.RawURLEncoding.EncodeToString([]byte(`{"last_index":-5,"sort":"alpha","fingerprint":"x"}`)):         "Invalid cursor format: ",
		base64.RawURLEncoding.EncodeToString([]byte(`{"last_index":1,"sort":"alpha","fingerprint":"1-1-1"}`)):      "Cursor is stale (session was reindexed). Start from the first page by omitting the cursor.",
		base64.RawURLEncoding.EncodeToString([]byte(`{"last_index":1,"fingerprint":"1-1-1"}`)):                     "Invalid cursor format: missing field `sort`",
		base64.RawURLEncoding.EncodeToString([]byte(`{"last_index":1,"sort":"alpha"}`)):                            "Invalid cursor format: missing field `fingerprint`",
		base64.RawURLEncoding.EncodeToString([]byte(`[]`)):                                                         "Invalid cursor format: ",
		base64.RawURLEncoding.EncodeToString([]byte(`null`)):                                                       "Invalid cursor format: missing field `last_index`",
		base64.RawURLEncoding.EncodeToString([]byte(`{"last_index":1e99,"sort":"alpha","fingerprint":"812-9-1"}`)): "Invalid cursor format: ",
	} {
		t.Run(cursor, func(t *testing.T) {
			c := c.on(t)
			if _, err := c.Try("list_dir", object{"session": "s", "cursor": cursor}); err == nil || err.Code != invalidParams || !strings.HasPrefix(err.Message, want) {
				t.Errorf("cursor %q: %v, want %q", cursor, err, want)
			}
		})
	}
	c.write(map[string]string{"d.txt": "d\n"})
	c.Call("reindex_session", object{"session": "s", "force": true})
	c.fails("list_dir", object{"session": "s", "cursor": first}, invalidParams, "Cursor is stale (session was reindexed). Start from the first page by omitting the cursor.")
	empty := newClient(t, nil, nil)
	if err := os.MkdirAll(empty.root, 0o755); err != nil {
		t.Fatal(err)
	}
	empty.index("e", nil)
	if got := empty.Call("list_dir", object{"session": "e"}); got != "**Session:** e\n**Files:** 0 (showing 0)\n\nNo files found in this session." {
		t.Errorf("an empty session: %q", got)
	}
}

func TestReadFile(t *testing.T) {
	sheet.Proves(t, "read.blank read.absent read.gone read.binary read.live read.whole read.cut read.kb read.offset read.beyond read.length read.on read.negative all.paths all.fence")
	var ascii strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&ascii, "line %d\n", i)
	}
	c := newClient(t, map[string]string{
		"exact.txt": strings.Repeat("a", 20_000), "wide.txt": strings.Repeat("é", 20_000), "more.txt": strings.Repeat("é", 20_001),
		"thirty.txt": strings.Repeat("A", 30_000), "emoji.txt": "AAA😀BBB", "fence.md": "```go\nx\n```\n", "lines.txt": ascii.String(), "gone.go": "x\n", "dir/a.go": "package a\n",
	}, nil)
	c.index("s", nil)
	read := func(args object) string { args["session"] = "s"; return c.Call("read_file", args) }
	for _, name := range []string{"exact.txt", "wide.txt"} {
		t.Run(name, func(t *testing.T) {
			if got := read(object{"file_path": name}); strings.Contains(got, "WARNING") || !strings.Contains(got, "(1 lines)") {
				t.Errorf("%s is cut: %.200s", name, got)
			}
		})
	}
	if got := read(object{"file_path": "more.txt"}); !strings.Contains(got, "Showing: Characters 1-20000 of 20001 total (100.0%)") ||
		!strings.Contains(got, "Not shown: 1 characters") || !strings.HasSuffix(got, "NOTE: More content available. Use offset=40000 to read next chunk.") {
		t.Errorf("20,001 characters: %.400s", got)
	}
	if got := read(object{"file_path": "thirty.txt", "offset": 0, "length": 10_000}); !strings.HasSuffix(got, "Use offset=10000 to read next chunk.") || !strings.Contains(got, "(showing bytes 0-10000 of 30000)") {
		t.Errorf("a piece: %.300s", got)
	}
	if got := read(object{"file_path": "emoji.txt", "offset": 4}); !strings.Contains(got, "showing bytes 4-10 of 10") || !strings.Contains(got, "\nBBB\n") {
		t.Errorf("an offset inside a character: %s", got)
	}
	if got := read(object{"file_path": "emoji.txt", "offset": 0, "length": 5}); !strings.Contains(got, "\nAAA\n") || !strings.HasSuffix(got, "Use offset=3 to read next chunk.") {
		t.Errorf("an end inside a character: %s", got)
	}
	if got := read(object{"file_path": "emoji.txt", "offset": 99}); !strings.Contains(got, "showing bytes 99-99 of 10") || !strings.Contains(got, "(0 lines in chunk)") || strings.Contains(got, "NOTE") {
		t.Errorf("beyond the end: %s", got)
	}
	if got := read(object{"file_path": "fence.md"}); !strings.Contains(got, "````markdown\n```go\nx\n```\n````") {
		t.Errorf("a text with a fence: %s", got)
	}
	var whole strings.Builder
	offset := 0
	for {
		got := read(object{"file_path": "lines.txt", "offset": offset})
		_, text, _ := strings.Cut(got, "```plaintext\n")
		text, note, _ := strings.Cut(text, "\n```")
		whole.WriteString(text)
		if !strings.Contains(note, "NOTE") {
			break
		}
		if next := 0; true {
			fmt.Sscanf(note[strings.Index(note, "offset="):], "offset=%d", &next)
			if ascii.String()[next-1] == '\n' {
				whole.WriteByte('\n')
			}
			offset = next
		}
	}
	if strings.TrimSuffix(ascii.String(), "\n") != whole.String() {
		t.Errorf("reading on by the hint gives %d of %d bytes", whole.Len(), ascii.Len())
	}
	for _, path := range []string{filepath.Join(c.root, "dir/a.go"), "dir/a.go", "/dir/a.go"} {
		t.Run(path, func(t *testing.T) {
			if got := read(object{"file_path": path}); !strings.Contains(got, "package a") {
				t.Errorf("path %q: %s", path, got)
			}
		})
	}
	c.write(map[string]string{"emoji.txt": "as it is now\n"})
	if got := read(object{"file_path": "emoji.txt"}); !strings.Contains(got, "as it is now") {
		t.Errorf("a changed file: %s", got)
	}
	c.fails("read_file", object{"session": "s", "file_path": "exact.txt", "offset": -1}, invalidParams, "offset must be at least 0")
	c.fails("read_file", object{"session": "s", "file_path": "exact.txt", "length": 0}, invalidParams, "length must be between 1 and 20000")
	if got := read(object{"file_path": "thirty.txt", "length": 25_000}); !strings.Contains(got, "(showing bytes 0-20000 of 30000)") {
		t.Errorf("a length over 20000: %.300s", got)
	}
	if err := os.Remove(filepath.Join(c.root, "gone.go")); err != nil {
		t.Fatal(err)
	}
	c.write(map[string]string{"dir/a.go": "\x00\xff\xfe binary now", "outside.txt": "not indexed\n"})
	c.fails("read_file", object{"session": "s", "file_path": "gone.go"}, codeSession, "File not found: /srv/shop/gone.go. File may have been deleted since indexing. Try re-indexing the session.")
	c.fails("read_file", object{"session": "s", "file_path": "dir/a.go"}, codeSession, "File contains non-UTF-8 data (binary file). Cannot display in MCP response.")
	for _, path := range []string{"outside.txt", "../../etc/passwd", "/etc/passwd", filepath.Join(c.root, "..", "x")} {
		t.Run(path, func(t *testing.T) {
			c := c.on(t)
			c.fails("read_file", object{"session": "s", "file_path": path}, codeSession, "File '"+c.clean(path)+"' not indexed in session 's'. Check file_path or re-index the session.")
		})
	}
	c.fails("read_file", object{"session": "s", "file_path": " "}, invalidParams, "file_path cannot be empty")
	c.fails("read_file", object{"session": "s", "file_path": "exact.txt", "max_size_kb": 10241}, invalidParams, "max_size_kb cannot exceed 10240 KB")
	c.fails("read_file", object{"session": "x", "file_path": "exact.txt"}, codeSession, "Session not found: x")
}

func TestFixedPart(t *testing.T) {
	for pattern, want := range map[string]string{
		"*": "", "**/*": "", "*test*": "test", "**/test_*.py": "test_", "src/**/*.ts": "src/", "a/**/long.go": "long.go", "a[bc]long.go": "", "?x?": "x", "main.go": "main.go",
	} {
		t.Run(pattern, func(t *testing.T) {
			if got := fixedPart(pattern); got != want {
				t.Errorf("fixedPart(%q) = %q, want %q", pattern, got, want)
			}
		})
	}
	for _, pattern := range []string{"a/**/b.go", "**/b.go", "**", "a*b", "a/b.go", "?/b.go", "*/**/*.go"} {
		t.Run(pattern, func(t *testing.T) {
			g, err := glob.CompileWild(pattern)
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{"a/b.go", "b.go", "/b.go", "a/x/b.go", "a/x/y/b.go", "ab", "axb", "b"} {
				if g.Match(path) && !strings.Contains(path, fixedPart(pattern)) {
					t.Errorf("%q matches %q, which does not hold %q", pattern, path, fixedPart(pattern))
				}
			}
		})
	}
}

func TestFindFileLimit(t *testing.T) {
	sheet.Proves(t, "find.limit")
	c := newClient(t, numbered(120), nil)
	c.index("s", nil)
	for limit, shown := range map[int]int{0: 100, 10: 10, 500: 120} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			c := c.on(t)
			args := object{"session": "s", "pattern": "*.txt"}
			if limit > 0 {
				args["limit"] = limit
			}
			got := c.Call("find_file", args)
			if n := strings.Count(got, "\n- `"); n != shown || !strings.Contains(got, "**Matches:** 120 of 120 total files") {
				t.Errorf("limit %d lists %d files, want %d: %.200s", limit, n, shown, got)
			}
			if more := fmt.Sprintf("\n\nShowing first %d of 120 matches; raise limit to see more.", shown); strings.HasSuffix(got, more) != (shown < 120) {
				t.Errorf("limit %d ends in %q", limit, got[len(got)-100:])
			}
		})
	}
}

func TestFindFile(t *testing.T) {
	sheet.Proves(t, "find.glob find.regex find.type find.empty find.bad find.long find.over")
	c := newClient(t, map[string]string{
		"src/test.rs": "x\n", "tests/test.rs": "x\n", "main.rs": "x\n", "TestController.php": "x\n", "UserController.php": "x\n", "src/deep/a.ts": "x\n",
	}, nil)
	c.index("s", nil)
	for _, tt := range []struct {
		pattern, form string
		matches       int
	}{
		{"*.rs", "glob", 3},
		{"**/test*.rs", "glob", 2},
		{"src/**/*.ts", "glob", 1},
		{`.*Controller\.php$`, "regex", 2},
		{`^src/`, "regex", 2},
		{"*.rs", "", 3},
	} {
		t.Run(tt.pattern, func(t *testing.T) {
			c := c.on(t)
			args := object{"session": "s", "pattern": tt.pattern}
			if tt.form != "" {
				args["pattern_type"] = tt.form
			}
			if got := c.Call("find_file", args); !strings.Contains(got, fmt.Sprintf("**Matches:** %d of 6 total files", tt.matches)) {
				t.Errorf("%s %q: %s", tt.form, tt.pattern, got)
			}
		})
	}
	c.fails("find_file", object{"session": "s", "pattern": ""}, invalidParams, "pattern cannot be empty")
	c.fails("find_file", object{"session": "s", "pattern": "x", "limit": 0}, invalidParams, "limit must be between 1 and 10000")
	c.fails("find_file", object{"session": "s", "pattern": "x", "limit": 10001}, invalidParams, "limit cannot exceed 10000")
	c.fails("find_file", object{"session": "s", "pattern": "x", "pattern_type": "like"}, invalidParams, "Invalid pattern_type: 'like'. Must be 'glob' or 'regex'.")
	c.fails("find_file", object{"session": "s", "pattern": "[unclosed"}, invalidParams, "Invalid glob pattern '[unclosed': pattern syntax error near position 0: invalid range pattern")
	c.fails("find_file", object{"session": "s", "pattern": "(unclosed", "pattern_type": "regex"}, invalidParams, "Invalid regex pattern '(unclosed': error parsing regexp: missing closing ): `(unclosed`")
	long := strings.Repeat("a", 1_000_000)
	c.fails("find_file", object{"session": "s", "pattern": long, "pattern_type": "regex"}, invalidParams, "Invalid regex pattern '"+long[:200]+"...': a regular expression of 1000000 bytes; the limit is 10000")
	c.fails("find_file", object{"session": "s", "pattern": long}, invalidParams, "Invalid glob pattern '"+long[:200]+"...': a glob of 1000000 bytes; the limit is 1000")
	c.fails("find_file", object{"session": "x", "pattern": "x"}, codeSession, "Session not found: x")
}

func TestPreviewChunk(t *testing.T) {
	sheet.Proves(t, "chunk.needed chunk.bad chunk.context chunk.one chunk.changed chunk.gone chunk.lines")
	c := newClient(t, map[string]string{
		"six.txt": "one\n" + strings.Repeat("x", 120) + "\nthree\nfour\n", "cr.txt": "a\r\nb\r\n", "gone.txt": "gone\n",
	}, nil)
	c.index("s", object{"chunk_size": 100, "overlap": 0})
	got := c.Call("preview_chunk", object{"session": "s", "file_path": "six.txt", "chunk_index": 1, "context_lines": 1})
	for _, want := range []string{
		"**Chunk:** 1 of 2 (bytes 100-136)", "**Context:** 1 lines before/after", "**Chunk Lines:** 2-4 (of 4 total)",
		"   1 | one\n   2 | xxx", "x  <-- chunk starts here\n   3 | three\n   4 | four  <-- chunk ends here",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in %s", want, got)
			}
		})
	}
	if got := c.Call("preview_chunk", object{"session": "s", "file_path": "gone.txt", "chunk_index": 0}); !strings.Contains(got, "   1 | gone  <-- chunk starts here  <-- chunk ends here") {
		t.Errorf("a chunk of one line: %s", got)
	}
	if got := c.Call("preview_chunk", object{"session": "s", "file_path": "cr.txt", "chunk_index": 0}); !strings.Contains(got, "**Chunk Lines:** 1-2 (of 2 total)") || !strings.Contains(got, "   1 | a  <-- chunk starts here\n   2 | b  <-- chunk ends here\n") {
		t.Errorf("lines that end in CRLF: %s", got)
	}
	c.write(map[string]string{"six.txt": "all new\n"})
	if got := c.Call("preview_chunk", object{"session": "s", "file_path": "six.txt", "chunk_index": 0}); !strings.Contains(got, "NOTE: The file changed since") || !strings.Contains(got, "   1 | one  <-- chunk starts here") {
		t.Errorf("a changed file: %s", got)
	}
	if err := os.Remove(filepath.Join(c.root, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	c.fails("preview_chunk", object{"session": "s", "file_path": "gone.txt", "chunk_index": 0}, codeSession, "File not found: /srv/shop/gone.txt. May have been deleted or moved since indexing. Try re-indexing the session.")
	c.fails("preview_chunk", object{"session": "s", "file_path": "six.txt", "chunk_index": 7}, codeSession, "Chunk not found: file 'six.txt', chunk index 7. File may not be indexed or chunk index invalid.")
	c.fails("preview_chunk", object{"session": "s", "file_path": "none.txt", "chunk_index": 0}, codeSession, "Chunk not found: file 'none.txt', chunk index 0. File may not be indexed or chunk index invalid.")
	c.fails("preview_chunk", object{"session": "s", "file_path": "six.txt", "chunk_index": 0, "context_lines": 101}, invalidParams, "context_lines cannot exceed 100")
	c.fails("preview_chunk", object{"session": "s", "file_path": "six.txt"}, invalidParams, "missing field `chunk_index`")
	c.fails("preview_chunk", object{"session": "x", "file_path": "six.txt", "chunk_index": 0}, codeSession, "Session not found: x")
}

// TestPreviewLongLine holds that of a line as long as a file the chunk is shown.
func TestPreviewLongLine(t *testing.T) {
	sheet.Proves(t, "chunk.long all.limit")
	text := strings.Repeat("é,", 100_000) + "\nnext\n"
	c := newClient(t, map[string]string{"min.js": text}, nil)
	c.index("s", object{"chunk_size": 200, "overlap": 0})
	got := c.Call("preview_chunk", object{"session": "s", "file_path": "min.js", "chunk_index": 500})
	if want := "   1 | ..." + strings.Repeat("é,", 100) + "...  <-- chunk starts here  <-- chunk ends here\n   2 | next\n"; !strings.Contains(got, want) {
		t.Errorf("%.500s", got)
	}
	got = c.Call("preview_chunk", object{"session": "s", "file_path": "min.js", "chunk_index": 1000})
	if n := len([]rune(got)); n > 6000 || !strings.Contains(got, "   2 | next  <-- chunk") {
		t.Errorf("%d characters: %.500s", n, got[max(0, len(got)-500):])
	}
}

func TestBounded(t *testing.T) {
	sheet.Proves(t, "all.limit")
	short := strings.Repeat("é", 100_000)
	if bounded(short) != short {
		t.Error("100,000 characters are cut")
	}
	for _, long := range []string{short + "é", strings.Repeat("a line\n", 20_000)} {
		t.Run(fmt.Sprintf("%d bytes", len(long)), func(t *testing.T) {
			got := bounded(long)
			if n := utf8.RuneCountInString(got); n > 100_000 || n < 98_000 || !utf8.ValidString(got) || !strings.HasSuffix(got, fmt.Sprintf(" of %d characters (25k token limit).", utf8.RuneCountInString(long))) {
				t.Errorf("%d characters that end in %q", n, got[len(got)-100:])
			}
		})
	}
}

// TestSpan holds which lines a stretch of bytes is on.
func TestSpan(t *testing.T) {
	sheet.Proves(t, "chunk.lines")
	three, wide := "line1\nline2\nline3\n", "hello 世界\nemoji 🚀\ntest\n"
	for _, tt := range []struct {
		text                    string
		start, end, first, last int
	}{{three, 6, 11, 1, 1}, {three, 0, 17, 0, 2}, {three, 0, 5, 0, 0}, {three, 12, 17, 2, 2}, {wide, 15, 27, 1, 2}} {
		t.Run(tt.text, func(t *testing.T) {
			if first, last := span([]byte(tt.text), tt.start, tt.end); first != tt.first || last != tt.last {
				t.Errorf("bytes %d-%d are on lines %d..%d, want %d..%d", tt.start, tt.end, first, last, tt.first, tt.last)
			}
		})
	}
}

func TestFormats(t *testing.T) {
	sheet.Proves(t, "all.size all.age all.language")
	for n, want := range map[int64]string{500: "500 B", 1536: "1.50 KB", 2048: "2.00 KB", 5242880: "5.00 MB", 1073741824: "1.00 GB"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := size(n); got != want {
				t.Errorf("size(%d) = %q, want %q", n, got, want)
			}
		})
	}
	for d, want := range map[int64]string{0: "just now", 59: "just now", 60: "1 minute ago", 7200: "2 hours ago", 86400: "1 day ago", 105 * 86400: "105 days ago"} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			if got := ago(time.Duration(d) * time.Second); got != want {
				t.Errorf("ago(%d s) = %q, want %q", d, got, want)
			}
		})
	}
	for path, want := range map[string]string{"a.go": "go", "A.PY": "python", "x/y.h": "cpp", "x.c": "c", "Makefile": "plaintext", "a.zig": "plaintext", "dir.d/x": "plaintext", "a.vue": "vue"} {
		t.Run(path, func(t *testing.T) {
			if got := language(path); got != want {
				t.Errorf("language(%q) = %q, want %q", path, got, want)
			}
		})
	}
}
