package corpus

// ByFile has a value of some files. It is a table, not a map, because questions look a
// file up for every row that they read.
type ByFile[T any] struct {
	pages []*[pageFiles]*T
}

const pageFiles = 64

// At returns the value of a file, nil for none.
func (t *ByFile[T]) At(id FileID) *T {
	if p := int(id) / pageFiles; p < len(t.pages) && t.pages[p] != nil {
		return t.pages[p][id%pageFiles]
	}
	return nil
}

// Set gives a file a value.
func (t *ByFile[T]) Set(id FileID, value *T) {
	p := int(id) / pageFiles
	if p >= len(t.pages) {
		t.pages = append(t.pages, make([]*[pageFiles]*T, p+1-len(t.pages))...)
	}
	if t.pages[p] == nil {
		t.pages[p] = new([pageFiles]*T)
	}
	t.pages[p][id%pageFiles] = value
}
