package static

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"espy/internal/embedding"
)

func query(t *testing.T, m *Model, text string) embedding.Vector {
	t.Helper()
	v, err := m.Query(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func document(t *testing.T, m *Model, d embedding.Document) embedding.Vector {
	t.Helper()
	all, err := m.Documents(t.Context(), []embedding.Document{d})
	if err != nil || len(all) != 1 {
		t.Fatalf("%d vectors, %v", len(all), err)
	}
	return all[0]
}

func likeness(a, b embedding.Vector) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestSynonyms holds words that programmers use for the same thing: the first
// is nearer to the second than to the third.
func TestSynonyms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ word, near, far string }{
		{"delete", "remove", "color"},
		{"encode", "serialize", "window"},
		{"decode", "parse", "thread"},
		{"directory", "folder", "color"},
		{"find", "search", "font"},
		{"begin", "start", "matrix"},
		{"error", "exception", "pixel"},
		{"compress", "gzip", "socket"},
		{"mutex", "lock", "font"},
		{"thread", "goroutine", "pixel"},
		{"concurrent", "parallel", "font"},
		{"hash", "digest", "mouse"},
		{"argument", "parameter", "socket"},
		{"duration", "timeout", "polygon"},
		{"request", "response", "polygon"},
		{"list", "array", "certificate"},
		{"copy", "clone", "certificate"},
		{"password", "credential", "polygon"},
		{"send", "write", "polygon"},
		{"equal", "compare", "socket"},
	} {
		t.Run(tt.word, func(t *testing.T) {
			t.Parallel()
			m := BuiltIn()
			word := query(t, m, tt.word)
			near, far := likeness(word, query(t, m, tt.near)), likeness(word, query(t, m, tt.far))
			if near <= far {
				t.Errorf("%s is %.3f like %s and %.3f like %s", tt.word, near, tt.near, far, tt.far)
			}
		})
	}
}

// TestMeaning asks for code in words that it does not have.
func TestMeaning(t *testing.T) {
	t.Parallel()
	codes := []embedding.Document{
		{Path: "store/unlink.go", Symbols: []string{"purge"}, Text: "func purge(name string) error { return os.Remove(name) }"},
		{Path: "wire/json.go", Symbols: []string{"marshal"}, Text: "func marshal(v any) ([]byte, error) { return json.Marshal(v) }"},
		{Path: "net/dial.go", Symbols: []string{"dial"}, Text: "func dial(addr string) (net.Conn, error) { return net.DialTimeout(tcp, addr, wait) }"},
		{Path: "ui/draw.go", Symbols: []string{"paint"}, Text: "func paint(c *canvas, r rect) { c.fill(r.x, r.y, r.width, r.height, c.color) }"},
	}
	for want, text := range []string{"delete a file", "serialize to text", "connect to a server", "render a rectangle on the screen"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			m := BuiltIn()
			asked := query(t, m, text)
			var like []float64
			for _, c := range codes {
				like = append(like, likeness(asked, document(t, m, c)))
			}
			if got := slices.Index(like, slices.Max(like)); got != want {
				t.Errorf("%s is most like %s: %.3f", text, codes[got].Path, like)
			}
		})
	}
}

func TestVectors(t *testing.T) {
	t.Parallel()
	m := BuiltIn()
	t.Run("length 1", func(t *testing.T) {
		t.Parallel()
		v := query(t, m, "read a file")
		if l := likeness(v, v); l < 0.9999 || l > 1.0001 || len(v) != m.Dims() {
			t.Errorf("%d values of length %f", len(v), l)
		}
	})
	for _, text := range []string{"", " \n", "...", "qqzzqqzz xxyyxxyy", "\xff\xfe"} {
		t.Run("nothing known in "+text, func(t *testing.T) {
			t.Parallel()
			if slices.ContainsFunc(query(t, m, text), func(x float32) bool { return x != 0 }) {
				t.Error("the vector is not 0")
			}
		})
	}
	t.Run("every field counts", func(t *testing.T) {
		t.Parallel()
		plain := document(t, m, embedding.Document{Text: "return nil"})
		for _, d := range []embedding.Document{
			{Path: "socket/", Text: "return nil"}, {Path: "socket.go", Text: "return nil"}, {Symbols: []string{"socket"}, Text: "return nil"},
		} {
			if slices.Equal(document(t, m, d), plain) {
				t.Errorf("%+v is the same as the text alone", d)
			}
		}
	})
	t.Run("identity", func(t *testing.T) {
		t.Parallel()
		other, err := Read(Write(sample()))
		if err != nil {
			t.Fatal(err)
		}
		if id := m.Identity(); !strings.HasPrefix(id, "static-1.1-") || id == New(other).Identity() {
			t.Errorf("identity %q, of another table %q", id, New(other).Identity())
		}
	})
}

// TestAlike asks for the same texts from several goroutines, one by one and at
// once, with memory that other texts have filled.
func TestAlike(t *testing.T) {
	t.Parallel()
	m := BuiltIn()
	docs := []embedding.Document{
		{Path: "a/b.go", Symbols: []string{"ReadFile"}, Text: strings.Repeat("func ReadFile(name string) (data []byte, err error)\n", 40)},
		{Path: "c.py", Text: "def write(self, value): self.handle.write(value)"},
		{},
	}
	want, err := m.Documents(t.Context(), docs)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				for i := range docs {
					if got := document(t, m, docs[i]); !slices.Equal(got, want[i]) {
						t.Errorf("document %d differs", i)
					}
					query(t, m, docs[i].Path+" hash table of strings")
				}
			}
		})
	}
	wg.Wait()
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := m.Documents(ctx, docs); err == nil {
			t.Error("no error")
		}
		if _, err := m.Query(ctx, "x"); err == nil {
			t.Error("no error")
		}
	})
}

// chunks are pieces of 1,500 bytes of this repository.
func chunks(b *testing.B) (docs []embedding.Document) {
	b.Helper()
	files, err := filepath.Glob("../../*/*.go")
	if err != nil || len(files) == 0 {
		b.Skip("no sources")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		for len(text) > 1500 {
			docs = append(docs, embedding.Document{Path: filepath.ToSlash(name), Text: string(text[:1500])})
			text = text[1500:]
		}
	}
	return docs
}

func BenchmarkDocuments(b *testing.B) {
	m := BuiltIn()
	docs := chunks(b)
	size := 0
	for _, d := range docs {
		size += len(d.Text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Documents(b.Context(), docs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(docs)), "µs/chunk")
}

// TestRecipe holds the vectors that a small table gives. Where they change, the
// recipe is raised.
func TestRecipe(t *testing.T) {
	t.Parallel()
	var rows []Row
	for i, term := range []string{"read", "file", "deliver", "cach", "http2", "ünder"} {
		v := make([]float32, 4)
		v[i%4], v[(i+1)%4] = 1, float32(i)-2
		rows = append(rows, Row{Term: term, Vector: v})
	}
	table, err := Read(Write(rows))
	if err != nil {
		t.Fatal(err)
	}
	m := New(table)
	const want = "static-1.1 [0.542459 -0.8238519 0.11795325 0.11442603] [0.57735026 0 0.57735026 0.57735026]"
	got := fmt.Sprint(m.Identity()[:len("static-1.1")], " ", document(t, m, embedding.Document{
		Path: "cache/deliver_read.go", Symbols: []string{"ReadFiles"}, Text: "readFile(cached, HTTP2) // ünder files and files",
	}), " ", query(t, m, "the cached file, delivered file"))
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestNoAllocation holds that a text whose words were met needs no memory.
func TestNoAllocation(t *testing.T) {
	text := strings.Repeat("func ReadFile(name string) (data []byte, err error) { return os.ReadFile(filepath.Clean(name)) }\n", 15)
	d := embedding.Document{Path: "internal/files/read.go", Symbols: []string{"ReadFile"}, Text: text}
	table, err := Read(builtIn)
	if err != nil {
		t.Fatal(err)
	}
	b := newBag(table)
	v := make(embedding.Vector, table.dims)
	if n := testing.AllocsPerRun(20, func() { b.document(&d); b.sum(v) }); n > 0 {
		t.Errorf("%.0f allocations", n)
	}
}

// TestBuiltIn holds that the table in the program is whole and not too large.
func TestBuiltIn(t *testing.T) {
	t.Parallel()
	if _, err := Read(builtIn); err != nil {
		t.Error(err)
	}
	if len(builtIn) > 4<<20 {
		t.Errorf("%d bytes, want 4 MiB or less", len(builtIn))
	}
}

// TestRarity holds that words that everybody writes are less rare than others, and those
// that the table does not have the rarest.
func TestRarity(t *testing.T) {
	m, last := BuiltIn(), 0.0
	for _, term := range []string{"valu", "request", "middlewar", "coroutin", "zorblatt"} {
		r := m.Rarity(term)
		if r <= last || r > 3 {
			t.Errorf("%s: %.2f after %.2f", term, r, last)
		}
		last = r
	}
}
