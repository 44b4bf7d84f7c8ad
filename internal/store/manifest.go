package store

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

// ErrDamaged says that a file of the index is not what was written.
var ErrDamaged = local.ErrDamaged

// ErrNoIndex says that a view has no generation yet.
var ErrNoIndex = errors.New("not indexed yet")

// Format is the version of manifests this program writes. Version 1 is the first.
const Format = 1

// Analysis is the version of what files are turned into: words, outlines, chunks,
// traits, and which are secrets. An index of another version is rebuilt.
const Analysis = 3

// manifest is one generation of a view.
type manifest struct {
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
	Segments   []segmentRef    `json:"segments"`
	Windows    []segmentRef    `json:"windows,omitempty"` // over these very segments

	Kept *time.Time `json:"kept,omitempty"` // when it was put aside; of a view that is kept
}

// segmentRef is a segment as a view uses it.
type segmentRef struct {
	Part string    `json:"part"`
	Size int64     `json:"size"`
	ID   code.Hash `json:"id"`             // what the segment says it is
	Live []byte    `json:"live,omitempty"` // segment.Bitmap in binary; none: every file

	Syntax *companionRef `json:"syntax,omitempty"` // none: no file was parsed yet
}

// companionRef is a part beside a segment.
type companionRef struct {
	Part     string    `json:"part"`
	Size     int64     `json:"size"`
	ID       code.Hash `json:"id"`
	Analysis int       `json:"analysis"` // version of the program that wrote it
}

func newCompanionRef(r part.Ref, version int) *companionRef {
	return &companionRef{Part: r.Name, Size: r.Size, ID: r.ID, Analysis: version}
}

func (r *companionRef) wanted() part.Ref { return part.Ref{Name: r.Part, Size: r.Size, ID: r.ID} }

// newSegmentRef refers to a part of which some files are live.
func newSegmentRef(r part.Ref, live segment.Bitmap) (segmentRef, error) {
	ref := segmentRef{Part: r.Name, Size: r.Size, ID: r.ID}
	if live == nil {
		return ref, nil
	}
	var err error
	ref.Live, err = live.MarshalBinary()
	return ref, err
}

func (r *segmentRef) wanted() part.Ref { return part.Ref{Name: r.Part, Size: r.Size, ID: r.ID} }

// beside returns the parts beside the segment.
func (r *segmentRef) beside() (refs []*companionRef) {
	if r.Syntax != nil {
		refs = append(refs, r.Syntax)
	}
	return refs
}

// live joins a part with the bitmap that the view keeps for it.
func (r *segmentRef) live(lex *segment.Reader) (segment.Live, error) {
	l := segment.Live{Reader: lex}
	if r.Live == nil {
		return l, nil
	}
	err := l.Live.UnmarshalBinary(r.Live)
	return l, errors.Join(err, l.Valid())
}

// same reports whether a search of either generation finds the same.
func (m *manifest) same(o *manifest) bool {
	return m.Format == o.Format && m.Total == o.Total && m.Indexed == o.Indexed &&
		slices.EqualFunc(m.Segments, o.Segments, func(a, b segmentRef) bool {
			return a.Part == b.Part && bytes.Equal(a.Live, b.Live)
		})
}

func (m *manifest) freshness() code.Freshness {
	return code.Freshness{
		Generation: m.Generation, Commit: m.Commit,
		Partial: m.Total > 0, IndexedFiles: m.Indexed, TotalFiles: m.Total,
	}
}

func manifestName(view string) string { return "view-" + view + ".json" }

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

// Rebuildable reports whether indexing anew gets past an error of opening an
// index: there is none, it is damaged, or it is of an older format.
func Rebuildable(err error) bool {
	var format *FormatError
	return errors.Is(err, ErrNoIndex) || errors.Is(err, ErrDamaged) || errors.As(err, &format) && !format.Newer()
}

func parseManifest(b []byte, name string) (*manifest, error) {
	var head struct {
		Format   int `json:"format"`
		Analysis int `json:"analysis"`
	}
	if err := json.Unmarshal(b, &head); err != nil || head.Format < 1 {
		return nil, fmt.Errorf("read manifest %s: %w", name, errors.Join(ErrDamaged, err))
	}
	if head.Format != Format {
		return nil, &FormatError{Path: name, Found: head.Format, Wanted: Format}
	}
	if head.Analysis != Analysis {
		return nil, &FormatError{Path: name, Found: head.Analysis, Wanted: Analysis}
	}
	m := &manifest{}
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("read manifest %s: %w", name, errors.Join(ErrDamaged, err))
	}
	for _, part := range m.parts() {
		if part != filepath.Base(part) {
			return nil, fmt.Errorf("read manifest %s: %w: part %q is not in its folder", name, ErrDamaged, part)
		}
	}
	return m, nil
}

// parts names the files that the generation is made of.
func (m *manifest) parts() (names []string) {
	for name := range m.sizes() {
		names = append(names, name)
	}
	return append(names, m.Tree)
}

// sizes yields the parts beside the tree, and their bytes.
func (m *manifest) sizes() iter.Seq2[string, int64] {
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
