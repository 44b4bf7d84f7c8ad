package nav

import (
	"espy/internal/facts"
	"espy/internal/lang"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// Symbol finds definitions: of a name, of the symbol declared at a place, or of
// what the use at a place means. It is a *usage.Error when the request cannot
// be answered as it was put; a name that no symbol has is no error.
func (x *Index) Symbol(r SymbolRequest) (*Symbols, error) {
	if err := r.Check(r.Limit, r.Offset); err != nil {
		return nil, err
	}
	res := &Symbols{Offset: r.Offset, Pending: x.Pending()}
	err := x.run(func(a *ask) error {
		all, err := a.Targets(r.Target)
		if err != nil {
			return err
		}
		res.Total = len(all.Meanings)
		if e := a.Elsewhere(&all); e != nil {
			res.Elsewhere = &Elsewhere{Name: e.Name, From: e.From}
		}
		if all.Use != facts.None {
			ref, err := a.reference(&located{Reference: resolve.Reference{File: all.File, Use: int32(all.Use), Symbol: facts.None}})
			if err != nil {
				return err
			}
			res.Use = &ref
		}
		if res.Total == 0 {
			res.Failed = a.Corpus.Failed()
		}
		if res.Total == 0 && r.Name != "" {
			if err := a.linesNamed(res, &r); err != nil || res.Total > 0 {
				return err
			}
			res.Near = a.Near(r.Name)
			if res.Unread, err = a.unread(r.Name); err != nil {
				return err
			}
		}
		for _, m := range pageOf(all.Meanings, r.Offset, r.Limit, defaultSymbols) {
			d, err := a.Definition(m.Ref, r.Body)
			if err != nil {
				return err
			}
			d.Confidence, d.Reason = m.Confidence, m.Reason
			res.Definitions = append(res.Definitions, d)
		}
		return nil
	})
	return res, err
}

// linesNamed answers with the definitions of a name that were found line by line.
func (a *ask) linesNamed(res *Symbols, r *SymbolRequest) error {
	all, err := a.ByLine(r.Name)
	if err != nil {
		return err
	}
	res.Total = len(all)
	for _, o := range pageOf(all, r.Offset, r.Limit, defaultSymbols) {
		d, err := a.LineDefinition(o, r.Body)
		if err != nil {
			return err
		}
		res.Definitions = append(res.Definitions, d)
	}
	return nil
}

// unread is a language of files in which the last part of a name stands that has
// definitions, but no grammar here to find them with; empty for none.
func (a *ask) unread(name string) (language string, err error) {
	parts := syn.SplitName(name)
	if len(parts) == 0 {
		return "", nil
	}
	err = a.Corpus.Mentions(parts[len(parts)-1], func(f corpus.FileID, _ uint32) bool {
		if a.Corpus.Family(f) != corpus.NoFamily {
			return !a.Late()
		}
		if l, ok := lang.ByName(a.Corpus.Language(f)); ok && l.Outline {
			language = l.Name
			return false
		}
		return !a.Late()
	})
	return language, err
}
