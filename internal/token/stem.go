package token

import "strings"

// suffixes that Stem takes off, tried in this order: a suffix stands before
// every shorter one that it ends with.
var suffixes = [...]string{
	"ization", "isation", "ational", "fulness", "ousness", "iveness", "ation", "ition", "ement", "ments",
	"ment", "ness", "able", "ible", "ance", "ence", "ally", "ator", "izer", "iser", "izing", "ising", "ized", "ised",
	"ize", "ise", "ing", "ion", "ive", "ful", "ity", "ous", "ed", "er", "or", "al", "ly",
}

// suffixesOf are the suffixes that end with a letter, which are the only ones
// that a word with that end can have.
var suffixesOf = func() (t ['z' + 1][]string) {
	for _, s := range suffixes {
		last := s[len(s)-1]
		t[last] = append(t[last], s)
	}
	return t
}()

// Stem takes plural and derivational endings off a lower-case part, so that
// configure, configures, configured and configuration meet in one term. It is
// a light stemmer in the manner of Porter (An algorithm for suffix stripping,
// 1980) with one pass over one table. Parts of up to three bytes and parts
// with anything but ASCII letters stay as they are.
func Stem(part string) string {
	if len(part) <= 3 || !asciiLetters(part) {
		return part
	}
	return stemEnd(stemSuffix(stemPlural(part)))
}

func asciiLetters(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

func stemPlural(w string) string {
	if w[len(w)-1] != 's' {
		return w
	}
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case hasAnySuffix(w, "sses", "shes", "ches", "xes", "zes"):
		return w[:len(w)-2]
	case hasAnySuffix(w, "ss", "us", "is"):
		return w
	}
	return w[:len(w)-1]
}

func hasAnySuffix(w string, suffixes ...string) bool {
	for _, s := range suffixes {
		if strings.HasSuffix(w, s) {
			return true
		}
	}
	return false
}

func stemSuffix(w string) string {
	for _, suffix := range suffixesOf[w[len(w)-1]] {
		base, ok := strings.CutSuffix(w, suffix)
		if !ok || len(base) < 3 || !strings.ContainsAny(base, "aeiouy") {
			continue
		}
		last := base[len(base)-1]
		if suffix == "ion" && last != 's' && last != 't' {
			continue
		}
		if (suffix == "ing" || suffix == "ed") && len(base) > 3 && last == base[len(base)-2] && !strings.ContainsRune("lsz", rune(last)) {
			return base[:len(base)-1] // running: run
		}
		return base
	}
	return w
}

// stemEnd levels the vowels that suffixes leave behind or change.
func stemEnd(w string) string {
	if len(w) > 3 && w[len(w)-1] == 'e' {
		w = w[:len(w)-1]
	}
	if len(w) > 5 && strings.HasSuffix(w, "at") {
		w = w[:len(w)-2]
	}
	if n := len(w); n > 3 && w[n-1] == 'y' && !strings.ContainsRune("aeiouy", rune(w[n-2])) {
		w = w[:n-1] + "i"
	}
	if len(w) > 4 && w[len(w)-1] == 'i' {
		w = w[:len(w)-1]
	}
	return w
}
