package render

import (
	"maps"
	"slices"

	"espy/internal/git"
	"espy/internal/nav"
	"espy/internal/redact"
)

// Answers hold text as it stands in files. Here markers are put in the place of its
// secrets, unless the options show them. The hits of a search have them already:
// the lines of a hit are chosen with the text round them.

// redacted returns a text of a file as it may be shown.
func (o Options) redacted(path, text string) string {
	if o.ShowSecrets {
		return text
	}
	return redact.String(path, text)
}

// redact puts markers in the place of the secrets of lines that begin at a place of
// the content. Lines that the bound of o leaves out are emptied.
func (f *File) redact(lines [][]byte, at int, o Options) [][]byte {
	if o.ShowSecrets {
		return lines
	}
	part := redact.Part{Path: f.Path, Text: f.Content}
	lines = slices.Clone(lines)
	shown := 0
	for i, l := range lines {
		if o.MaxTokens > 0 && shown > 4*o.MaxTokens {
			lines[i] = nil
			continue
		}
		lines[i] = part.Show(at, at+len(l))
		at, shown = at+len(l), shown+len(lines[i])
	}
	return lines
}

func (o Options) definitions(list []nav.Definition) []nav.Definition {
	list = slices.Clone(list)
	for i := range list {
		d := &list[i]
		d.Signature, d.Doc, d.Body = o.redacted(d.Path, d.Signature), o.redacted(d.Path, d.Doc), o.redacted(d.Path, d.Body)
	}
	return list
}

func (o Options) references(files []nav.FileReferences) []nav.FileReferences {
	files = slices.Clone(files)
	for i := range files {
		f := &files[i]
		f.References = slices.Clone(f.References)
		for k := range f.References {
			f.References[k].Text = o.redacted(f.Path, f.References[k].Text)
		}
	}
	return files
}

func (a *Symbols) redacted(o Options) *Symbols {
	if o.ShowSecrets {
		return a
	}
	b, found := *a, *a.Symbols
	found.Definitions = o.definitions(found.Definitions)
	if found.Use != nil {
		use := *found.Use
		use.Text = o.redacted(a.Request.Path, use.Text)
		found.Use = &use
	}
	b.Symbols = &found
	return &b
}

func (a *References) redacted(o Options) *References {
	if o.ShowSecrets {
		return a
	}
	b, found := *a, *a.References
	found.Files, found.Maybe = o.references(found.Files), o.references(found.Maybe)
	found.Symbols, found.Candidates = o.definitions(found.Symbols), o.definitions(found.Candidates)
	b.References = &found
	return &b
}

func (a *Outline) redacted(o Options) *Outline {
	if o.ShowSecrets {
		return a
	}
	b, found := *a, *a.Outline
	found.Files = slices.Clone(found.Files)
	for i := range found.Files {
		f := &found.Files[i]
		f.Symbols, f.Faults = slices.Clone(f.Symbols), slices.Clone(f.Faults)
		for k := range f.Symbols {
			f.Symbols[k].Signature = o.redacted(f.Path, f.Symbols[k].Signature)
		}
		for k := range f.Faults {
			f.Faults[k].Message = o.redacted(f.Path, f.Faults[k].Message)
		}
	}
	b.Outline = &found
	return &b
}

func (a Changes) redacted(o Options) Changes {
	if o.ShowSecrets {
		return a
	}
	found := *a.Changes
	found.Files = slices.Clone(found.Files)
	for i := range found.Files {
		f := &found.Files[i]
		f.Symbols = slices.Clone(f.Symbols)
		for k := range f.Symbols {
			s := &f.Symbols[k]
			s.Symbol.Signature, s.Old.Signature = o.redacted(f.Path, s.Symbol.Signature), o.redacted(f.Path, s.Old.Signature)
		}
	}
	return Changes{&found}
}

func (o Options) commit(c git.Commit) git.Commit {
	c.Subject, c.Body = o.redacted("", c.Subject), o.redacted("", c.Body)
	return c
}

func (a History) redacted(o Options) History {
	if o.ShowSecrets {
		return a
	}
	found := *a.History
	found.Commits = slices.Clone(found.Commits)
	for i, c := range found.Commits {
		found.Commits[i] = o.commit(c)
	}
	return History{&found}
}

func (a Blame) redacted(o Options) Blame {
	if o.ShowSecrets {
		return a
	}
	found := *a.Blame
	found.Commits = maps.Clone(found.Commits)
	for id, c := range found.Commits {
		found.Commits[id] = o.commit(c)
	}
	return Blame{&found}
}
