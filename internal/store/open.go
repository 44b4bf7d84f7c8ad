package store

import (
	"errors"
	"io/fs"

	"espy/internal/windows/win"

	"espy/internal/store/manifest"
)

// Snapshot opens the newest generation of a view, ErrNoIndex where there is
// none. A writer may remove a part between the reading of the manifest and its
// mapping; the manifest that replaced it is then taken.
func (f *Family) Snapshot(view string) (*Snapshot, error) {
	for try := 0; ; try++ {
		m, err := f.readManifest(view)
		if err != nil {
			return nil, err
		}
		s, missing, err := f.open(m)
		if err != nil {
			return nil, err
		}
		if missing == "" {
			return s, nil
		}
		if now, err := f.readManifest(view); err == nil && now.Generation == m.Generation || try == 9 {
			f.Quarantine(missing, fs.ErrNotExist)
			continue
		}
	}
}

// open maps the parts of a manifest. It names a part whose file is missing,
// leaves out what is damaged, and fails where the system does.
func (f *Family) open(m *manifest.Manifest) (s *Snapshot, missing string, err error) {
	s = &Snapshot{family: f, manifest: m, Freshness: m.Freshness(), tree: newLazyTree(f.dir, m.Tree)}
	if errors.Is(s.tree.why, fs.ErrNotExist) && f.pool.Damage(m.Tree) == nil {
		return nil, m.Tree, nil
	}
	for i := range m.Segments {
		if missing, err = s.openSegment(&m.Segments[i]); missing != "" || err != nil {
			return nil, missing, errors.Join(err, s.Close())
		}
	}
	for i := range m.Windows {
		if missing, err = s.openWindows(&m.Windows[i]); missing != "" || err != nil {
			return nil, missing, errors.Join(err, s.Close())
		}
	}
	return s, "", nil
}

// openSegment adds a segment with its companions.
func (s *Snapshot) openSegment(ref *manifest.Segment) (missing string, err error) {
	seg, err := acquireSegment(s.family.pool, ref)
	if err != nil {
		return s.leaveOut(&s.Damaged, ref.Part, err)
	}
	seg.Away = ref.Away
	s.Segments = append(s.Segments, seg)
	added := &s.Segments[len(s.Segments)-1]
	for _, k := range companions {
		beside := *k.ref(ref)
		if err := added.acquire(s.family.pool, k, beside); err != nil {
			if missing, err := s.leaveOut(&s.Unparsed, beside.Part, err); missing != "" || err != nil {
				return missing, err
			}
		}
	}
	return "", nil
}

// openWindows adds a part of windows.
func (s *Snapshot) openWindows(ref *manifest.Segment) (missing string, err error) {
	p, err := s.family.pool.Acquire(ref.Wanted(), nil)
	if err != nil {
		return s.leaveOut(&s.Damaged, ref.Part, err)
	}
	s.windows = append(s.windows, p)
	s.Windows = append(s.Windows, p.Content.(*win.Reader))
	return "", nil
}

// leaveOut adds a part that is damaged to those that are left out. It names one
// whose file is missing, and returns any other error.
func (s *Snapshot) leaveOut(damaged *[]Damage, name string, err error) (missing string, _ error) {
	switch {
	case s.family.pool.Damage(name) != nil:
		*damaged = append(*damaged, Damage{Part: name, Err: err})
		return "", nil
	case errors.Is(err, fs.ErrNotExist):
		return name, nil
	}
	return "", err
}
