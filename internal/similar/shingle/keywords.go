package shingle

import (
	"maps"
	"slices"
	"strings"
)

// keywords are the words that are no names in most of the languages that have
// them. One list serves all languages: a name that is in it is compared as it is
// written, on both sides. So words that are names elsewhere (from, end, match) are not.
var keywords = func() map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(`
		abstract and as assert async await break case catch chan class const continue def default defer del delete do
		elif else elsif elseif enum except export extends false False final finally fn for foreach fallthrough func function
		global go goto if impl implements import in include instanceof interface is lambda let loop mod mut namespace new nil
		None nonlocal not null or package pass private protected pub public raise range readonly require return
		self Self sizeof static struct super switch this throw throws trait true True try type typedef typename typeof
		undef union unless unsafe using var virtual void volatile while with yield
		bool boolean byte char double float int long short string unsigned signed`) {
		all[w] = true
	}
	return all
}()

// Keywords returns the words that are tokens of kind Keyword, sorted.
func Keywords() []string { return slices.Sorted(maps.Keys(keywords)) }

const longestKeyword = len("implements")
