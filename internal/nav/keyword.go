package nav

import (
	"espy/internal/resolve/corpus"
	"espy/internal/wordset"
)

// keywords are the words of each family that cannot be a name unless they are a
// member's.
var keywords = [corpus.NumFamilies]map[string]bool{
	corpus.Go:     wordset.Of("break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var"),
	corpus.Python: wordset.Of("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield"),
	corpus.Script: wordset.Of("break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with"),
	corpus.Rust:   wordset.Of("as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while"),
	corpus.Java:   wordset.Of("abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if implements import instanceof int interface long native new package private protected public return short static strictfp super switch synchronized this throw throws transient try void volatile while true false null"),
	corpus.C:      wordset.Of("auto break case char const continue default do double else enum extern float for goto if inline int long register return short signed sizeof static struct switch typedef union unsigned void volatile while"),
	corpus.Shell:  wordset.Of("case coproc do done elif else esac fi for function if in local declare export readonly select then time typeset unset until while"),
	corpus.Lua:    wordset.Of("and break do else elseif end false for function goto if in local nil not or repeat return then true until while"),
	corpus.Zig:    wordset.Of("addrspace align allowzero and anyframe anytype asm break callconv catch comptime const continue defer else enum errdefer error export extern fn for if inline linksection noalias noinline nosuspend opaque or orelse packed pub resume return struct suspend switch test threadlocal try union unreachable usingnamespace var volatile while"),
	corpus.Elixir: wordset.Of("after and catch do else end false fn in nil not or rescue true when"),
	corpus.PHP:    wordset.Of("abstract and as break callable case catch class clone const continue declare default do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile extends final finally fn for foreach function global goto if implements include include_once instanceof insteadof interface isset list match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while xor yield"),
	corpus.CSharp: wordset.Of("abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while"),
	corpus.Ruby:   wordset.Of("BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield __FILE__ __LINE__ __ENCODING__"),
}

// keywordsOf are those of languages whose family has other ones.
var keywordsOf = map[string]map[string]bool{
	"kotlin": wordset.Of("as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var when while companion constructor init import lateinit override suspend inline data sealed internal operator infix vararg reified crossinline noinline tailrec by where get set"),
	"scala":  wordset.Of("abstract case catch class def do else enum export extends false final finally for forSome given if implicit import lazy match new null object override package private protected return sealed super then this throw trait true try type val var while with yield"),
}

// isKeyword reports whether a word cannot be a name in a language of a family.
func isKeyword(family corpus.Family, language, name string) bool {
	if own := keywordsOf[language]; own != nil {
		return own[name]
	}
	return keywords[family][name]
}
