package rails

import "strings"

// ends are what the last letters of a plural become in the singular, as the
// inflections of Rails have the common ones, the longest first.
var ends = []struct{ plural, singular string }{
	{"people", "person"}, {"children", "child"}, {"series", "series"}, {"statuses", "status"}, {"aliases", "alias"}, {"movies", "movie"}, {"cookies", "cookie"},
	{"analyses", "analysis"}, {"indices", "index"}, {"media", "medium"}, {"data", "datum"}, {"men", "man"}, {"news", "news"}, {"buses", "bus"},
	{"sses", "ss"}, {"shes", "sh"}, {"ches", "ch"}, {"xes", "x"}, {"lves", "lf"}, {"ies", "y"}, {"ss", "ss"}, {"us", "us"}, {"s", ""},
}

// Singular is the singular of a name.
func Singular(name string) string {
	for _, e := range ends {
		if stem, ok := strings.CutSuffix(name, e.plural); ok {
			return stem + e.singular
		}
	}
	return name
}

// plural is the plural of a name.
func plural(name string) string {
	for _, e := range ends[:len(ends)-1] {
		if stem, ok := strings.CutSuffix(name, e.singular); ok && Singular(stem+e.plural) == name && (e.singular != "y" || !endsInVowel(stem)) {
			return stem + e.plural
		}
	}
	if strings.HasSuffix(name, "s") {
		return name // of several already
	}
	return name + "s"
}

func endsInVowel(s string) bool { return s != "" && strings.IndexByte("aeiou", s[len(s)-1]) >= 0 }
