package shingle

import (
	"maps"
	"slices"
	"strings"
)

// keywords are the words that are no names in most of the languages that have
// them. One list serves all languages: a name that is in it is compared as it is
// written, on both sides.
var keywords = func() map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(`
		abstract and as assert async await begin break case catch chan class const continue def default defer del delete do
		elif else elseif elsif end ensure enum except export extends false False final finally fn for foreach fallthrough from func function
		global go goto if impl implements import in include instanceof interface is lambda let loop match module mod mut namespace new nil
		None nonlocal not null or override package pass private protected pub public raise range readonly ref require rescue return
		select self Self sizeof static struct super switch template then this throw throws trait true True try type typedef typename typeof
		undef union unless unsafe until use using val var virtual void volatile when where while with yield
		bool boolean byte char double float int long short string unsigned signed`) {
		all[w] = true
	}
	return all
}()

// Keywords returns the words that are tokens of kind Keyword, sorted.
func Keywords() []string { return slices.Sorted(maps.Keys(keywords)) }

const longestKeyword = len("implements")
