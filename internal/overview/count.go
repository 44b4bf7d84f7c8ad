package overview

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/lang"
	"espy/internal/modules"
	"espy/internal/resolve/corpus"
)

// count counts files and lines.
func (s *surveyor) count() {
	languages, other := map[string]*Language{}, map[string]*Language{}
	tests := map[string]*Folder{}
	for _, f := range s.files {
		lines, class, name := s.ask.Corpus.Lines(f), s.classOf(f), s.ask.Corpus.Language(f)
		s.Total.add(lines)
		switch {
		case class.Has(code.ClassVendor):
			s.Vendored.add(lines)
		case class&(code.ClassGenerated|code.ClassMinified|code.ClassLock) != 0:
			s.Generated.add(lines)
		}
		of, isCode := languages, name != "" && lang.IsCode(name)
		if !isCode {
			of = other
		}
		extension := ""
		if name == lang.Other {
			extension = path.Ext(s.ask.Corpus.Path(f))
		}
		l := of[name+extension]
		if l == nil {
			l = &Language{Name: name, Extension: extension, Parsed: s.ask.Corpus.Family(f) != corpus.NoFamily}
			of[name+extension] = l
		}
		l.add(lines)
		if !isCode {
			continue
		}
		s.Code++
		if l.Parsed {
			s.Parsed++
		}
		if modules.Reads(s.ask, f) {
			s.Imports++
		}
		if class.Has(code.ClassTest) && !class.Has(code.ClassVendor) {
			top := s.testFolder(s.ask.Corpus.Folder(f))
			if tests[top] == nil {
				tests[top] = &Folder{Path: top}
			}
			tests[top].add(lines)
		}
	}
	s.Languages, s.Other = first(byLines(languages), s.show(8)), first(byLines(other), s.show(4))
	var folders []Folder
	for _, f := range tests {
		folders = append(folders, *f)
	}
	slices.SortFunc(folders, func(a, b Folder) int { return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Path, b.Path)) })
	s.Tests = first(folders, s.show(4))
}

// byLines are languages, those with most lines first.
func byLines(languages map[string]*Language) []Language {
	var all []Language
	for _, l := range languages {
		all = append(all, *l)
	}
	slices.SortFunc(all, func(a, b Language) int {
		return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Extension, b.Extension))
	})
	return all
}

// testFolder is the outermost folder of tests that holds a folder, else the folder
// below what is asked about.
func (s *surveyor) testFolder(folder string) string {
	below := strings.TrimPrefix(strings.TrimPrefix(folder, s.Request.Path), "/")
	at := s.Request.Path
	for part := range strings.SplitSeq(below, "/") {
		if part == "" {
			break
		}
		at = corpus.Child(at, part)
		if lang.Classify(at + "/x").Has(code.ClassTest) {
			return at
		}
	}
	if part, _, _ := strings.Cut(below, "/"); part != "" {
		return corpus.Child(s.Request.Path, part)
	}
	return s.Request.Path
}

// maxReadme bounds the bytes of a README that are looked at.
const maxReadme = 16 << 10

// quote finds what the README of the folder says of it.
func (s *surveyor) quote() error {
	folder := s.repo
	if s.Request.Path != "" {
		folder = path.Base(s.Request.Path)
	}
	for _, f := range s.ask.Corpus.In(s.Request.Path) {
		p := s.ask.Corpus.Path(f)
		name := strings.ToLower(path.Base(p))
		if stem, ext, _ := strings.Cut(name, "."); stem != "readme" || strings.Contains(ext, ".") {
			continue
		}
		text, err := s.ask.Corpus.Text(f)
		if err != nil {
			return err
		}
		if line, sentence := description(string(text[:min(len(text), maxReadme)]), folder); sentence != "" {
			s.Quote = &Quote{p, line, sentence}
			return nil
		}
	}
	return nil
}
