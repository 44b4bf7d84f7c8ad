package segment

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/token"
)

// lineChunks cuts text into chunks of at least size bytes of whole lines.
func lineChunks(text []byte, size int) (chunks []code.Chunk) {
	line := uint32(1)
	for start := 0; start < len(text); {
		end, first := start, line
		for end < len(text) && end-start < size {
			n := bytes.IndexByte(text[end:], '\n') + 1
			if n == 0 {
				n = len(text) - end
			}
			end += n
			line++
		}
		chunks = append(chunks, code.Chunk{Start: uint32(start), End: uint32(end), StartLine: first, EndLine: line - 1})
		start = end
	}
	return chunks
}

// funcDefinitions finds lines that begin with func or type and a name.
func funcDefinitions(text []byte) (defs []code.Definition) {
	line := uint32(0)
	for l := range bytes.Lines(text) {
		line++
		f := bytes.Fields(l)
		if len(f) < 2 {
			continue
		}
		name, _, _ := strings.Cut(string(f[1]), "(")
		switch string(f[0]) {
		case "func":
			defs = append(defs, code.Definition{Name: name, Kind: code.KindFunc, Line: line})
		case "type":
			defs = append(defs, code.Definition{Name: name, Kind: code.KindType, Line: line})
		}
	}
	return defs
}

func newFile(path, text string) *File {
	b := []byte(text)
	return &File{
		Path: path, Hash: code.Hash{byte(len(text)), byte(len(path))}, Size: int64(len(text)) + 3, Language: "go",
		Class: code.ClassTest, Clear: len(b)%2 == 0, Text: b, Definitions: funcDefinitions(b), Chunks: lineChunks(b, 200),
	}
}

// randomFiles makes files of words of a small vocabulary, so that postings
// grow long, and some odd ones.
func randomFiles(seed uint64, n int) (files []*File) {
	r := rand.New(rand.NewPCG(seed, 1))
	words := []string{
		"func", "type", "return", "err", "HTTPServer", "parse_header", "x", "_", "0x1F", "utf8", "naïve", "中文", "K\u212a", "\u017ftop",
		"\xff\xfe", "\n", "\n", "\n", "(", ");", "serve", "Served", "serving", "index", strings.Repeat("long", 40), "\x00",
	}
	for range 300 {
		words = append(words, fmt.Sprintf("word%dIn_the%c", r.IntN(2000), 'A'+rune(r.IntN(26))))
	}
	for i := range n {
		var text strings.Builder
		size := []int{0, 1, 20, 300, 3000, 9000}[r.IntN(5+i%3/2)]
		for range size {
			w := words[min(r.IntN(len(words)), r.IntN(len(words)))]
			text.WriteString(w)
			text.WriteString([]string{" ", "\n", ".", ""}[r.IntN(4)])
		}
		dir := []string{"", "cmd/tool/", "a/b/c/d/e/", "http-server/"}[r.IntN(4)]
		body := text.String()
		if i%8 == 5 { // a long line
			body = strings.Replace(body, "\n", " ", strings.Count(body, "\n")/2)
		}
		f := newFile(fmt.Sprintf("%s%s%04d.go", dir, []string{"main", "index", "HTTPServer_", "é\xff"}[r.IntN(4)], i), body)
		f.Language = []string{"", "go", "python"}[r.IntN(3)]
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	return files
}

func build(t testing.TB, files []*File) []byte {
	t.Helper()
	b := NewBuilder()
	for _, f := range files {
		if err := b.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	return write(t, b)
}

func write(t testing.TB, b *Builder) []byte {
	t.Helper()
	var out bytes.Buffer
	n, err := b.WriteTo(&out)
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(out.Len()) {
		t.Fatalf("WriteTo = %d, wrote %d bytes", n, out.Len())
	}
	return out.Bytes()
}

func open(t testing.TB, data []byte) *Reader {
	t.Helper()
	r, err := Open(data, "test.lex")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// place is one occurrence list of a term.
type place struct {
	Number    uint32 // chunk, file or definition
	Count     uint32
	Second    uint32 // of a path: in directories
	Positions []uint32
}

// content is all that a part holds about its files, in a form to compare.
type content struct {
	Files       []FileInfo
	Texts       []string
	Regions     []RegionInfo
	Chunks      []ChunkInfo
	Definitions []DefinitionInfo
	Body        map[string][]place
	Paths       map[string][]place
	Symbols     map[string][]place
	Trigrams    map[[3]byte][]uint32
	Fold        []uint32
	Stats       Stats
	Languages   []string
}

// recount finds the content of files by brute force.
func recount(files []*File) content {
	c := content{Body: map[string][]place{}, Paths: map[string][]place{}, Symbols: map[string][]place{}, Trigrams: map[[3]byte][]uint32{}}
	for i, f := range files {
		info := FileInfo{
			Path: f.Path, Hash: f.Hash, Size: f.Size, TextSize: len(f.Text), Language: f.Language, Class: f.Class,
			Lines: strings.Count(string(f.Text), "\n"), FirstChunk: len(c.Chunks), NumChunks: len(f.Chunks),
			FirstDefinition: len(c.Definitions), NumDefinitions: len(f.Definitions),
		}
		if len(f.Text) > 0 && f.Text[len(f.Text)-1] != '\n' {
			info.Lines++
		}
		position := uint32(0)
		for _, chunk := range f.Chunks {
			position = c.addChunk(ChunkInfo{Chunk: chunk, File: i}, f, position)
		}
		for _, d := range f.Definitions {
			c.addDefinition(i, info.FirstChunk, d)
		}
		stem, dir := pathTerms(f.Path)
		info.StemTokens, info.DirTokens = len(stem), len(dir)
		c.addPath(uint32(i), stem, dir)
		c.addRegions(i, string(f.Text))
		c.Files = append(c.Files, info)
		c.Texts = append(c.Texts, string(f.Text))
		c.Languages = append(c.Languages, f.Language)
	}
	slices.Sort(c.Languages)
	c.Languages = slices.Compact(c.Languages)
	c.count()
	return c
}

// addRegions puts lines together to regions.
func (c *content) addRegions(file int, text string) {
	at := RegionInfo{File: file, Line: 1}
	line := 1
	for l := range strings.Lines(text) {
		if at.End > at.Start && at.End+len(l)-at.Start > regionBytes {
			c.addRegion(at, text)
			at = RegionInfo{File: file, Start: at.End, End: at.End, Line: line}
		}
		at.End += len(l)
		line++
	}
	if at.End > at.Start {
		c.addRegion(at, text)
	}
}

func (c *content) addRegion(info RegionInfo, text string) {
	n := uint32(len(c.Regions))
	c.Regions = append(c.Regions, info)
	for k := info.Start; k < info.End && k+3 <= len(text); k++ {
		var t [3]byte
		for j := range t {
			t[j] = byte(lowerASCII(rune(text[k+j])))
		}
		if l := c.Trigrams[t]; len(l) == 0 || l[len(l)-1] != n {
			c.Trigrams[t] = append(l, n)
		}
	}
	if strings.ContainsAny(text[info.Start:info.End], "\u017f\u212a") {
		c.Fold = append(c.Fold, n)
	}
}

func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		r += 'a' - 'A'
	}
	return r
}

func (c *content) addChunk(info ChunkInfo, f *File, position uint32) uint32 {
	n := uint32(len(c.Chunks))
	for _, w := range token.Words(string(f.Text[info.Start:info.End])) {
		if w.Compound != "" {
			addPlace(c.Body, w.Compound, n).Count++
			info.Tokens++
		}
		for _, t := range w.Terms {
			p := addPlace(c.Body, t, n)
			p.Count++
			p.Positions = append(p.Positions, position)
			position++
			info.Tokens++
		}
	}
	c.Chunks = append(c.Chunks, info)
	return position
}

func addPlace(m map[string][]place, term string, n uint32) *place {
	l := m[term]
	if len(l) == 0 || l[len(l)-1].Number != n {
		l = append(l, place{Number: n})
		m[term] = l
	}
	return &l[len(l)-1]
}

func (c *content) addDefinition(file, firstChunk int, d code.Definition) {
	info := DefinitionInfo{Definition: d, File: file, Chunk: firstChunk}
	for k := firstChunk; k < len(c.Chunks) && c.Chunks[k].StartLine <= d.Line; k++ {
		info.Chunk = k
	}
	n := uint32(len(c.Definitions))
	var tokens uint32
	distinct := map[string]bool{}
	for _, w := range token.Words(d.Name) {
		if w.Compound != "" {
			addPlace(c.Symbols, w.Compound, n)
			tokens++
		}
		for _, t := range w.Terms {
			addPlace(c.Symbols, t, n)
			distinct[t] = true
			tokens++
		}
	}
	addPlace(c.Symbols, token.Name(d.Name), n)
	info.Terms = len(distinct)
	if d.Kind.IsType() {
		c.Chunks[info.Chunk].DefTypeTokens += tokens
	} else {
		c.Chunks[info.Chunk].DefFuncTokens += tokens
	}
	c.Definitions = append(c.Definitions, info)
}

func (c *content) addPath(file uint32, stem, dir []string) {
	for _, t := range stem {
		addPlace(c.Paths, t, file).Count++
	}
	for _, t := range dir {
		addPlace(c.Paths, t, file).Second++
	}
}

func (c *content) count() {
	s := &c.Stats
	s.Files, s.Chunks, s.Definitions = len(c.Files), len(c.Chunks), len(c.Definitions)
	for _, f := range c.Files {
		s.TextBytes += int64(f.TextSize)
		s.SourceBytes += f.Size
		s.StemTokens += int64(f.StemTokens)
		s.DirTokens += int64(f.DirTokens)
	}
	for _, k := range c.Chunks {
		s.BodyTokens += int64(k.Tokens)
		s.DefTypeTokens += int64(k.DefTypeTokens)
		s.DefFuncTokens += int64(k.DefFuncTokens)
	}
}

// dump reads all that a part holds. It must run within a Guard.
func dump(r *Reader) (content, error) {
	c := content{Body: map[string][]place{}, Paths: map[string][]place{}, Symbols: map[string][]place{}, Trigrams: map[[3]byte][]uint32{}}
	var cache TextCache
	for i := range r.NumFiles() {
		c.Files = append(c.Files, r.File(i))
		text, err := r.Text(i, &cache)
		if err != nil {
			return c, err
		}
		c.Texts = append(c.Texts, string(text))
	}
	for i := range r.NumRegions() {
		g := r.Region(i)
		text, err := r.RegionText(i, &cache)
		if err != nil {
			return c, err
		}
		if !strings.HasPrefix(c.Texts[g.File][g.Start:], string(text)) || len(text) != g.End-g.Start {
			return c, fmt.Errorf("region %d has other text than its file", i)
		}
		c.Regions = append(c.Regions, g)
	}
	for i := range r.NumChunks() {
		c.Chunks = append(c.Chunks, r.Chunk(i))
	}
	for i := range r.NumDefinitions() {
		c.Definitions = append(c.Definitions, r.Definition(i))
	}
	for t := r.dict.First(); t != nil; {
		dumpTerm(&c, string(t.Term()), r.termAt(t))
		if !t.Next() {
			t = nil
		}
	}
	for t := r.trigramsFrom(); t != nil; {
		c.Trigrams[[3]byte{byte(t.trigram >> 16), byte(t.trigram >> 8), byte(t.trigram)}] = t.appendRegions(nil)
		if !t.advance() {
			t = nil
		}
	}
	c.Fold = r.FoldRegions()
	c.Stats = r.Stats()
	c.Languages = r.Languages()
	return c, nil
}

func dumpTerm(c *content, name string, t Term) {
	var chunks, tfs [128]uint32
	it := t.Body()
	for n := it.NextBlock(chunks[:], tfs[:]); n > 0; n = it.NextBlock(chunks[:], tfs[:]) {
		for k := range n {
			c.Body[name] = append(c.Body[name], place{Number: chunks[k], Count: tfs[k], Positions: it.Positions(k, nil)})
		}
	}
	paths := t.Path()
	for f, stem, dir, ok := paths.Next(); ok; f, stem, dir, ok = paths.Next() {
		c.Paths[name] = append(c.Paths[name], place{Number: uint32(f), Count: stem, Second: dir})
	}
	symbols := t.Symbols()
	for d, ok := symbols.Next(); ok; d, ok = symbols.Next() {
		c.Symbols[name] = append(c.Symbols[name], place{Number: uint32(d)})
	}
}

func mustDump(t testing.TB, r *Reader) (c content) {
	t.Helper()
	if err := Guard(func() (err error) { c, err = dump(r); return err }); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRoundTrip holds that a part reads back as what was added, recounted by
// brute force.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(6) {
		files := randomFiles(seed, []int{0, 1, 5, 40, 150, 400}[seed])
		data := build(t, files)
		r := open(t, data)
		if err := r.Check(nil); err != nil {
			t.Fatal(err)
		}
		if want, got := recount(files), mustDump(t, r); !reflect.DeepEqual(want, got) {
			t.Fatalf("seed %d: content (-want +got):\n%.5000s", seed, cmp.Diff(want, got))
		}
		if again := build(t, files); !bytes.Equal(again, data) {
			t.Fatalf("seed %d: the same files gave other bytes", seed)
		}
	}
}

// TestMerge holds that merging parts gives the bytes of a build from their live
// files.
func TestMerge(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 2))
		files := randomFiles(seed, int(seed)*40)
		parts := 1 + r.IntN(4)
		in := make([][]*File, parts)
		live := make([][]bool, parts)
		var want []*File
		for _, f := range files {
			p := r.IntN(parts)
			in[p] = append(in[p], f)
			alive := r.IntN(4) > 0
			live[p] = append(live[p], alive)
			if alive {
				want = append(want, f)
			}
		}
		var lives []Live
		for p := range in {
			l := Live{Reader: open(t, build(t, in[p])), Live: NewBitmap(len(in[p]))}
			for i, alive := range live[p] {
				if !alive {
					l.Live.Clear(i)
				}
			}
			lives = append(lives, l)
		}
		var out bytes.Buffer
		if _, err := Merge(&out, lives); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), build(t, want)) {
			t.Errorf("seed %d: merge of %d parts differs from a build of their live files", seed, parts)
		}
	}
}
