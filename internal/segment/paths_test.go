package segment

import "espy/internal/token"

// pathTerms returns the terms and compounds by which a path is found.
func pathTerms(path string) (stem, dir []string) {
	stems, dirs := pathTexts(path)
	return flatTerms(stems), flatTerms(dirs)
}

func flatTerms(texts []string) (terms []string) {
	for _, text := range texts {
		for _, w := range token.Words(text) {
			if w.Compound != "" {
				terms = append(terms, w.Compound)
			}
			terms = append(terms, w.Terms...)
		}
	}
	return terms
}
