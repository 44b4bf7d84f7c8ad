package rustcode

//lint:file-ignore SA1019 clients of revisions before 2026-07-28 know roots

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/filetest"
)

// utf16Text is a text in UTF-16 with its mark.
func utf16Text(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func TestReadFile(t *testing.T) {
	sheet.Proves(t, "read.text read.empty read.missing read.folder read.binary read.tenth read.encoding read.large read.failed")
	plain := strings.Repeat("abcdefgh\n", 10)
	c := newClient(t, setup{files: map[string]string{
		"src/a.rs": "fn a() {}\r\n\tünï", "empty.txt": "", "nul.txt": "a\x00b", "bad.txt": "caf\xe9 au lait and more text that is long enough",
		"tenth.txt": plain + strings.Repeat("\x01", 10), "more.txt": plain + strings.Repeat("\x01", 11),
		"wide.txt": utf16Text("fn wide() {}\n"), "odd.txt": utf16Text("a\n") + "b", "lone.txt": "\xff\xfea\x00\x00\xd8b\x00\x00\xdcc\x00", "half.txt": "\xfe\xff\xd8\x3d\xde\x00\xd8\x3d",
		"pair.txt": utf16Text("😀"), "bare.txt": utf16Text("fn bare() {}\n")[2:], "only.txt": utf16Text(""), "mark.txt": "\xef\xbb\xbffn mark() {}\n", "large.txt": strings.Repeat("x", maxShown+1), "most.txt": strings.Repeat("x", maxShown),
		".env": "API_TOKEN=abc\n",
	}})
	for path, want := range map[string]string{
		"src/a.rs": "fn a() {}\r\n\tünï", "./src/../src/a.rs": "fn a() {}\r\n\tünï", "empty.txt": "File is empty.", "tenth.txt": plain + strings.Repeat("\x01", 10),
		"wide.txt": "fn wide() {}\n", "odd.txt": "a\n\ufffd", "lone.txt": "a\ufffdb\ufffdc", "half.txt": "😀\ufffd", "pair.txt": "😀", "only.txt": "File is empty.", "mark.txt": "fn mark() {}\n", "most.txt": strings.Repeat("x", maxShown),
	} {
		t.Run(path, func(t *testing.T) { c.on(t).is("read_file_content", object{"file_path": path}, want) })
	}
	binary := "The file '%s' appears to be a binary file and cannot be displayed as text"
	for path, want := range map[string]string{
		"nope.rs": "The specified path 'nope.rs' does not exist", "src/nope/x.rs": "The specified path 'src/nope/x.rs' does not exist", "src": "The specified path 'src' is not a file",
		"nul.txt": fmt.Sprintf(binary, "nul.txt"), "bare.txt": fmt.Sprintf(binary, "bare.txt"), "bad.txt": fmt.Sprintf(binary, "bad.txt"), "more.txt": fmt.Sprintf(binary, "more.txt"),
		"large.txt": "The file 'large.txt' is too large to display (10485761 bytes)", ".env": "Error reading file '.env': its name or its content is one of a private key, a credential store or an environment file; the setting secrets lets it in",
	} {
		t.Run(path, func(t *testing.T) { c.on(t).fails("read_file_content", object{"file_path": path}, want) })
	}
}

// outside is the error of a path that may not be read.
const outside = "The specified path '%s' is not inside an indexed directory (run index_codebase on it first)"

func TestConfined(t *testing.T) {
	sheet.Proves(t, "path.relative path.confined path.outside path.links path.named bug.confined")
	c := newClient(t, setup{files: map[string]string{"src/a.go": "package a\n", "in/x.go": "package x\n"}})
	other := t.TempDir()
	filetest.Write(t, other, map[string]string{"b.go": "package b\n"})
	filetest.Link(t, c.root, other, "out")
	filetest.Link(t, c.root, other+"/b.go", "out.go")
	filetest.Link(t, c.root, "in", "inner")
	for _, path := range []string{"/etc/passwd", "../x.go", "out/b.go", "out.go", "out/nope.go", other + "/b.go", "/nowhere/at/all", "~/x", ""} {
		for _, tool := range []string{"read_file_content", "get_dependencies", "get_call_graph", "analyze_complexity"} {
			if path == "~/x" || path == "" {
				continue // they name files below the start folder
			}
			t.Run(tool+" "+path, func(t *testing.T) {
				c.on(t).fails(tool, object{"file_path": path}, strings.ReplaceAll(fmt.Sprintf(outside, path), c.root, "/repo"))
			})
		}
	}
	c.is("read_file_content", object{"file_path": "inner/x.go"}, "package x\n")
	c.call("find_definition", object{"symbol_name": "b", "directory": other})
	c.is("read_file_content", object{"file_path": other + "/b.go"}, "package b\n")
	c.is("read_file_content", object{"file_path": "out/b.go"}, "package b\n")
}

func TestBroadStart(t *testing.T) {
	sheet.Proves(t, "path.broad")
	for name, start := range map[string]func(c *client) (start, home string){
		"root": func(*client) (string, string) { return "/", "" },
		"home": func(c *client) (string, string) { return c.root, c.root },
		"none": func(*client) (string, string) { return "", "" },
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, setup{files: map[string]string{"a.go": "package a\n", "project/b.go": "package b\n"}})
			dir, home := start(c)
			s := &server{Options: Options{Workspace: c.ws, Start: dir, Home: home}}
			if root, err := s.rootOf(t.Context(), c.root+"/a.go"); root != "" || err != nil {
				t.Errorf("may read below %q, %v", root, err)
			}
			c.call("index_codebase", object{"directory": "project"})
			if root, err := s.rootOf(t.Context(), c.root+"/project/b.go"); root != c.root+"/project" || err != nil {
				t.Errorf("an indexed directory: below %q, %v", root, err)
			}
		})
	}
}

// TestRoots asks the client for its folders.
func TestRoots(t *testing.T) {
	sheet.Proves(t, "path.roots")
	other := t.TempDir()
	filetest.Write(t, other, map[string]string{"b.go": "package b\n"})
	c := newClient(t, setup{})
	cl := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cl.AddRoots(&mcp.Root{URI: "file://" + other})
	server := New(Options{Workspace: c.ws, Start: c.root, Version: "1"})
	t.Cleanup(server.Close)
	in, out := mcp.NewInMemoryTransports()
	if _, err := server.Protocol().Connect(t.Context(), in, nil); err != nil {
		t.Fatal(err)
	}
	var err error
	if c.Session, err = cl.Connect(t.Context(), out, nil); err != nil {
		t.Fatal(err)
	}
	defer c.Session.Close()
	c.is("read_file_content", object{"file_path": other + "/b.go"}, "package b\n")
	c.fails("read_file_content", object{"file_path": "/etc/passwd"}, fmt.Sprintf(outside, "/etc/passwd"))
}

func TestFailures(t *testing.T) {
	sheet.Proves(t, "rpc.internal")
	s := newClient(t, setup{})
	srv := &server{Options: Options{Workspace: s.ws, Log: quiet()}}
	var e *jsonrpc.Error
	for _, tt := range []struct {
		err  error
		code int64
		want string
	}{
		{errors.New("disk gone"), jsonrpc.CodeInternalError, "Search failed: disk gone"},
		{invalid("limit must be at least 1"), jsonrpc.CodeInvalidParams, "limit must be at least 1"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if !errors.As(srv.failure(tool{name: "search", failed: "Search failed"}, tt.err), &e) || e.Code != tt.code || e.Message != tt.want {
				t.Errorf("%+v", e)
			}
		})
	}
}

// TestSecretsAreNotShown holds that no tool shows a key.
func TestSecretsAreNotShown(t *testing.T) {
	sheet.Proves(t, "read.secrets")
	token := "ghp_" + "0v1A5yWYkRWCmmx7uyMTBvQj39CM8Y4nZpLq"
	c := newClient(t, setup{files: map[string]string{
		"deploy.go": "package deploy\n\n// deployToken is for the deploy: " + token + "\nconst deployToken = \"" + token + "\"\n\n// Deploy uses " + token + ".\nfunc Deploy() { use(deployToken) }\n",
	}})
	for _, call := range []struct {
		tool string
		args object
	}{
		{"search", object{"keyword": "deployToken deploy", "directory": "."}},
		{"get_similar_code", object{"query": "uses the token for the deploy", "directory": "."}},
		{"read_file_content", object{"file_path": "deploy.go"}},
	} {
		t.Run(call.tool, func(t *testing.T) {
			text := c.on(t).call(call.tool, call.args)
			if strings.Contains(text, token[:20]) || !strings.Contains(text, "[secret: ") {
				t.Error(text)
			}
		})
	}
}

// TestFolders holds which folders are not searched.
func TestFolders(t *testing.T) {
	sheet.Proves(t, "files.folders")
	text := "/// Mints the okapi coin.\npub fn mint_okapi() {}\n"
	files := map[string]string{"Cargo.toml": "[package]\nname = \"coin\"\n"}
	searched := []string{"src/lib.rs", "src/target/mod.rs", "crates/vendor/mod.rs"}
	left := []string{"target/debug/gen.rs", "vendor/dep/lib.rs", ".skeleton/src/lib.rs", "crates/.direnv/x.rs", ".jj/x.rs"}
	for _, f := range append(searched, left...) {
		files[f] = text
	}
	c := newClient(t, setup{files: files})
	for tool, args := range map[string]object{
		"search":           {"keyword": "okapi coin"},
		"get_similar_code": {"query": "mints the okapi coin", "limit": 20},
		"find_definition":  {"symbol_name": "mint_okapi"},
		"find_references":  {"symbol_name": "mint_okapi"},
	} {
		t.Run(tool, func(t *testing.T) {
			args["directory"] = c.root
			text := c.on(t).call(tool, args)
			for _, f := range left {
				if strings.Contains(text, "/repo/"+f) {
					t.Errorf("%s is listed:\n%s", f, text)
				}
			}
			for _, f := range searched {
				if !strings.Contains(text, "/repo/"+f) && !(tool == "find_definition" || tool == "find_references") {
					t.Errorf("%s is not listed:\n%s", f, text)
				}
			}
		})
	}
	c.has("index_codebase", object{"directory": c.root}, "- Unchanged files: 0\n", "Total files: 4 (Rust 3)")
}
