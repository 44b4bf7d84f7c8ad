package learn

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/lang"
)

//go:embed sources.txt
var listed string

// source is a folder of sources whose documentation is learned from.
type source struct {
	name    string // its place below the folder of all
	version string
	dir     string
}

// sourcesIn returns what a list of sources and the machine gave: each folder of
// the list, and each folder of local, in the order of their names.
func sourcesIn(dir string) (all []source, err error) {
	for line := range strings.Lines(listed) {
		f := strings.Fields(line)
		if len(f) == 3 && f[0] != "#" {
			all = append(all, source{path.Join(f[0], f[1]), f[2], filepath.Join(dir, f[0], filepath.FromSlash(f[1]))})
		}
	}
	local, err := os.ReadDir(filepath.Join(dir, "local"))
	if err != nil {
		return nil, err
	}
	for _, d := range local {
		if d.IsDir() {
			all = append(all, source{path.Join("local", d.Name()), "of this machine", filepath.Join(dir, "local", d.Name())})
		}
	}
	return slices.DeleteFunc(all, func(s source) bool { info, err := os.Stat(s.dir); return err != nil || !info.IsDir() }), nil
}

// Bounds of what is mined.
const (
	maxFile      = 512 << 10 // bytes
	headBytes    = 4 << 10
	maxSame      = 2 // pairs that say the same words
	maxFilePairs = 60
	heldOneIn    = 40 // folders
	leftOut      = code.ClassTest | code.ClassMinified | code.ClassGenerated | code.ClassLock | code.ClassDeclaration | code.ClassExample | code.ClassBench
)

// miner collects pairs.
type miner struct {
	source string
	most   int // pairs of one source
	same   map[uint64]int
	pairs  []pair
}

// mine returns the pairs of sources, at most so many of each, in the order of
// the sources and of their paths.
func mine(ctx context.Context, sources []source, most int) ([]pair, error) {
	m := miner{same: map[uint64]int{}}
	for _, s := range sources {
		m.source, m.most = s.name, len(m.pairs)+most
		err := filepath.WalkDir(s.dir, func(name string, d fs.DirEntry, err error) error {
			if err := cmp.Or(err, ctx.Err()); err != nil || !d.Type().IsRegular() || len(m.pairs) >= m.most {
				return err
			}
			rel, err := filepath.Rel(s.dir, name)
			if err != nil {
				return err
			}
			return m.file(name, filepath.ToSlash(rel))
		})
		if err != nil {
			return nil, fmt.Errorf("mine %s: %w", s.name, err)
		}
	}
	return m.pairs, nil
}

// file adds the pairs of a file.
func (m *miner) file(name, rel string) error {
	if l := lang.Detect(rel, nil); !isLearned(l) || lang.Classify(rel)&leftOut != 0 {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil || len(text) > maxFile || bytes.IndexByte(text, 0) >= 0 {
		return err
	}
	l := lang.Detect(rel, text[:min(len(text), headBytes)])
	if !isLearned(l) {
		return nil
	}
	m.add(rel, minedFile(l, rel, text))
	return nil
}

func isLearned(l *lang.Language) bool { return l != nil && l.Outline }

// add adds pairs that do not say what too many before them said.
func (m *miner) add(rel string, pairs []pair) {
	for i, p := range pairs {
		if i == maxFilePairs || len(m.pairs) >= m.most {
			return
		}
		h := hashOf(p.said)
		if m.same[h]++; m.same[h] > maxSame {
			continue
		}
		p.source = m.source
		p.held = hashOf(m.source, path.Dir(rel))%heldOneIn == 0
		m.pairs = append(m.pairs, p)
	}
}

func hashOf(texts ...string) uint64 {
	h := fnv.New64a()
	for _, t := range texts {
		h.Write([]byte(t))
		h.Write([]byte{0})
	}
	return h.Sum64()
}
