// Package manifest is the record of a generation of a view: its segments with the
// files of each that are live, the parts beside them, and the tree that was seen.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/segment"
	"espy/internal/store/blob/local"
	"espy/internal/store/part"
)

// Format is the version of manifests this program writes. Version 1 is the first.
const Format = 1

// Analysis is the version of what files are turned into: words, outlines, chunks,
// traits, and which are secrets. An index of another version is rebuilt.
const Analysis = 19

// Manifest is one generation of a view.
type Manifest struct {
	Format     int             `json:"format"`
	Analysis   int             `json:"analysis"`
	Generation uint64          `json:"generation"`
	Written    time.Time       `json:"written"`
	Commit     string          `json:"commit,omitempty"`
	Branch     string          `json:"branch,omitempty"`
	Total      int             `json:"total,omitempty"` // files to index, while the first indexing runs
	Indexed    int             `json:"indexed,omitempty"`
	Policy     discover.Policy `json:"policy"`
	Tree       string          `json:"tree"` // part name
	Segments   []Segment       `json:"segments"`
	Windows    []Segment       `json:"windows,omitempty"` // over these very segments

	Kept *time.Time `json:"kept,omitempty"` // when it was put aside; of a view that is kept
}

// Segment is a segment as a view uses it.
type Segment struct {
	Part string    `json:"part"`
	Size int64     `json:"size"`
	ID   code.Hash `json:"id"`             // what the segment says it is
	Live []byte    `json:"live,omitempty"` // segment.Bitmap in binary; none: every file

	Syntax  *Companion `json:"syntax,omitempty"`  // none: no file was parsed yet
	Vectors *Companion `json:"vectors,omitempty"` // by the model of the program; none: no chunk was embedded yet
	Remote  *Companion `json:"remote,omitempty"`  // the same by a model on another machine
	Away    Away       `json:"away,omitempty"`    // vectors that are not in the folder: who keeps them answers questions about them
}

// Away are parts of vectors that are kept elsewhere, by the identity of their model.
type Away map[string]*Companion

// Leave leaves the parts of vectors away whose model is known.
func (r *Segment) Leave(models map[string]string) {
	for _, c := range []**Companion{&r.Vectors, &r.Remote} {
		if *c == nil || models[(*c).Part] == "" {
			continue
		}
		if r.Away == nil {
			r.Away = Away{}
		}
		r.Away[models[(*c).Part]], *c = *c, nil
	}
}

// VectorParts names the parts of vectors.
func (m *Manifest) VectorParts() (names []string) {
	for _, s := range m.Segments {
		for _, c := range []*Companion{s.Vectors, s.Remote} {
			if c != nil {
				names = append(names, c.Part)
			}
		}
	}
	return names
}

// Companion is a part beside a segment.
type Companion struct {
	Part     string    `json:"part"`
	Size     int64     `json:"size"`
	ID       code.Hash `json:"id"`
	Analysis int       `json:"analysis"` // version of the program that wrote it
}

// NewCompanion refers to a part that a version of an analysis wrote.
func NewCompanion(r part.Ref, version int) *Companion {
	return &Companion{Part: r.Name, Size: r.Size, ID: r.ID, Analysis: version}
}

// Wanted returns what leads to the part.
func (r *Companion) Wanted() part.Ref { return part.Ref{Name: r.Part, Size: r.Size, ID: r.ID} }

// NewSegment refers to a part of which some files are live.
func NewSegment(r part.Ref, live segment.Bitmap) (Segment, error) {
	ref := Segment{Part: r.Name, Size: r.Size, ID: r.ID}
	if live == nil {
		return ref, nil
	}
	var err error
	ref.Live, err = live.MarshalBinary()
	return ref, err
}

// Wanted returns what leads to the part.
func (r *Segment) Wanted() part.Ref { return part.Ref{Name: r.Part, Size: r.Size, ID: r.ID} }

// beside returns the parts beside the segment.
func (r *Segment) beside() (refs []*Companion) {
	for _, c := range []*Companion{r.Syntax, r.Vectors, r.Remote} {
		if c != nil {
			refs = append(refs, c)
		}
	}
	return refs
}

// Join joins a part with the bitmap that the view keeps for it.
func (r *Segment) Join(lex *segment.Reader) (segment.Live, error) {
	l := segment.Live{Reader: lex}
	if r.Live == nil {
		return l, nil
	}
	err := l.Live.UnmarshalBinary(r.Live)
	return l, errors.Join(err, l.Valid())
}

// Same reports whether a search of either generation finds the same.
func (m *Manifest) Same(o *Manifest) bool {
	return m.Format == o.Format && m.Total == o.Total && m.Indexed == o.Indexed &&
		slices.EqualFunc(m.Segments, o.Segments, func(a, b Segment) bool {
			return a.Part == b.Part && bytes.Equal(a.Live, b.Live)
		})
}

// Freshness returns what answers say of the generation.
func (m *Manifest) Freshness() code.Freshness {
	return code.Freshness{
		Generation: m.Generation, Commit: m.Commit,
		Partial: m.Total > 0, IndexedFiles: m.Indexed, TotalFiles: m.Total,
	}
}

// Name names the record of a view.
func Name(view string) string { return "view-" + view + ".json" }

// FormatError says that an index was written in another format.
type FormatError struct {
	Path          string
	Found, Wanted int
}

// Newer reports whether a newer program wrote the index.
func (e *FormatError) Newer() bool { return e.Found > e.Wanted }

func (e *FormatError) Error() string {
	if e.Newer() {
		return fmt.Sprintf("%s: index format %d is newer than format %d of this program: use the newer espy, or rebuild with `espy index --force`", e.Path, e.Found, e.Wanted)
	}
	return fmt.Sprintf("%s: index format %d is older than format %d of this program: the next question or `espy upgrade` rebuilds it", e.Path, e.Found, e.Wanted)
}

// Parse reads the record of a name: *FormatError for one of another format.
func Parse(b []byte, name string) (*Manifest, error) {
	var head struct {
		Format   int `json:"format"`
		Analysis int `json:"analysis"`
	}
	if err := json.Unmarshal(b, &head); err != nil || head.Format < 1 {
		return nil, fmt.Errorf("read manifest %s: %w", name, errors.Join(local.ErrDamaged, err))
	}
	if head.Format != Format {
		return nil, &FormatError{Path: name, Found: head.Format, Wanted: Format}
	}
	if head.Analysis != Analysis {
		return nil, &FormatError{Path: name, Found: head.Analysis, Wanted: Analysis}
	}
	m := &Manifest{}
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("read manifest %s: %w", name, errors.Join(local.ErrDamaged, err))
	}
	for _, part := range m.parts() {
		if part != filepath.Base(part) {
			return nil, fmt.Errorf("read manifest %s: %w: part %q is not in its folder", name, local.ErrDamaged, part)
		}
	}
	return m, nil
}

// parts names the files that the generation is made of.
func (m *Manifest) parts() (names []string) {
	for name := range m.Sizes() {
		names = append(names, name)
	}
	return append(names, m.Tree)
}

// Sizes yields the parts beside the tree, and their bytes.
func (m *Manifest) Sizes() iter.Seq2[string, int64] {
	return func(yield func(string, int64) bool) {
		for _, r := range slices.Concat(m.Segments, m.Windows) {
			if !yield(r.Part, r.Size) {
				return
			}
			for _, c := range r.beside() {
				if !yield(c.Part, c.Size) {
					return
				}
			}
		}
	}
}

// Whole reports whether the files of a generation are among those of a folder.
func (m *Manifest) Whole(names []string) bool {
	return !slices.ContainsFunc(m.parts(), func(part string) bool { _, ok := slices.BinarySearch(names, part); return !ok })
}

// List notes the files of a generation.
func (m *Manifest) List(files map[string]bool) {
	for _, part := range m.parts() {
		files[part] = true
	}
}

// AddSizes notes the parts of a generation, and returns the bytes of those that
// were not noted yet.
func (m *Manifest) AddSizes(noted map[string]bool) (bytes int64) {
	for part, size := range m.Sizes() {
		if !noted[part] {
			noted[part] = true
			bytes += size
		}
	}
	return bytes
}
