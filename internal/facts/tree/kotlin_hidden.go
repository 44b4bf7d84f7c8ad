package tree

import (
	"bytes"

	"espy/internal/pattern"
	"espy/internal/wordset"
)

// kotlinDeclares is a declaration at the beginning of a text.
var kotlinDeclares = pattern.New(`^\s*(?:@[\w.:]+(?:\([^()]*\))?\s+|(?:public|private|protected|internal|abstract|final|open|override|lateinit|external|suspend|inline|infix|operator|tailrec|const|companion|data|inner|enum|sealed|annotation|value|fun|expect|actual)\s+)*(?:fun|val|var|class|interface|object|typealias|constructor|init)\b`)

// Names at the beginning of a line that the grammar takes for the word of it that they
// begin with, or that they are in other places, by what is behind the word: in1, set = 0, open(x).
var (
	kotlinBeforeDigits    = wordset.Of(`else in instanceof get set constructor by as where public private protected internal abstract final open override lateinit vararg noinline crossinline external suspend inline`)
	kotlinBeforeValues    = wordset.Of(`get set by where constructor open internal external inline final abstract suspend override`)
	kotlinBeforeArguments = wordset.Of(`open internal external inline final abstract suspend override`)

	kotlinDigits = pattern.New(`^[0-9_]+\b`)
	kotlinValued = pattern.New(`^(?:\??\.|[ \t]*[-+*/%]?=[^=])`)
)

// kotlinBearsName reports whether a word and what is behind it are such a name.
func kotlinBearsName(word string, behind []byte) bool {
	return kotlinBeforeDigits[word] && kotlinDigits().Match(behind) ||
		kotlinBeforeValues[word] && kotlinValued().Match(behind) ||
		kotlinBeforeArguments[word] && bytes.HasPrefix(behind, []byte("("))
}

// kotlinDynamic is a type of Kotlin for JavaScript, and a name elsewhere.
var kotlinDynamic = sought{pattern.New(`\b(dynamic)\b`), []string{"dynamic"}, 0, 0}

// kotlinSuspend is the word as a name, where a sign is behind it, and kotlinAnnotated words that
// are the names of parameters behind an annotation: the grammar takes both for modifiers.
var (
	kotlinSuspend   = sought{pattern.New(`\b(suspend)[ \t]*[-=!<>+*/.,);:?&|]`), []string{"suspend"}, 0, 0}
	kotlinAnnotated = sought{
		pattern.New(`@[\w.:]+(?:\([^()\n]*\))?\s+(abstract|actual|annotation|const|data|enum|expect|external|final|infix|inline|inner|internal|open|operator|override|sealed|value)[ \t]*:`),
		[]string{"abstract:", "actual:", "annotation:", "const:", "data:", "enum:", "expect:", "external:", "final:", "infix:", "inline:", "inner:", "internal:", "open:", "operator:", "override:", "sealed:", "value:"}, 1, 0,
	}
)

// kotlinMisread are what the grammar does not know, each in its group: the annotation
// of a getter or a setter on a line of its own, the context of a function, the comment behind
// the annotation of a constructor, and the word of a field that holds a property (field = value, below
// the type of the property).
var kotlinMisread = []sought{
	{pattern.New(`(?m)^[ \t]*(@[\w.:]+(?:\([^()\n]*\))?(?:[ \t]*//[^\n]*)?)\s+(?:(?:public|private|protected|internal|inline)\s+)*(?:get|set)\s*\(`), []string{"@"}, 0, 3},
	{pattern.New(`(?m)^[ \t]*(context\([^()\n]*\))\s+(?:(?:@[\w.]+(?:\([^()\n]*\))?|public|private|protected|internal|override|open|abstract|inline|suspend|operator)\s+)*(?:fun|val)\b`), []string{"context("}, 0, 5},
	{pattern.New(`(?m)^[ \t]*@[\w.:]+(?:\([^()\n]*\))?[ \t]*(//[^\n]*)\n\s*(?:(?:public|private|protected|internal)[ \t]+)?constructor\b`), []string{"constructor"}, 2, 0},
	{pattern.New(`(?m)^[ \t]*(?:[\w@]+[ \t]+)*va[lr][ \t]+\w+[ \t]*:[ \t]*[^\n={]+\n[ \t]*(?:private[ \t]+)?(field)[ \t]*=[^=]`), []string{"field ="}, 1, 0},
}

// kotlinApart is a class whose constructor stands on the next line, with what is
// between them in its group.
var kotlinApart = sought{pattern.New(`\b(?:class|interface)[ \t]+\w+(?:<[^<>\n]*>)?([ \t]*\r?\n\s*)(?:@[\w.]+(?:[ \t]*//[^\n]*)?\s+)?(?:(?:public|private|protected|internal)[ \t]+)?constructor\b`), []string{"constructor"}, 3, 0}

// kotlinGuard is the condition behind a test of a branch of when, with the word that
// begins it in its group.
var kotlinGuard = sought{pattern.New(`(?m)^[ \t]*(?:!?is|!?in)[ \t][^\n"{}]*?[ \t](if)[ \t][^\n]*->`), []string{"->"}, 0, 0}

// kotlinDollars is a literal in which that many signs begin what is filled in.
var kotlinDollars = pattern.New(`\${2,}(?:"""(?s:.*?)"""|"[^"\n]*")`)

// kotlinSigns returns the signs in such literals.
func kotlinSigns(text []byte) (signs []span) {
	if !bytes.Contains(text, []byte("$$")) {
		return nil
	}
	for _, at := range kotlinDollars().FindAllIndex(text, -1) {
		behind := bytes.TrimLeft(text[at[0]:at[1]], "$")
		signs = append(signs, span{uint32(at[0]), uint32(at[1] - len(behind))})
		for i := at[1] - len(behind); i < at[1]; i++ {
			if text[i] == '$' {
				signs = append(signs, span{uint32(i), uint32(i + 1)})
			}
		}
	}
	return signs
}

// kotlinJoin writes a class and the constructor below it on one line, and a comma for
// the if of a guard, with what the grammar reads as another test of the branch.
func kotlinJoin(text []byte) []byte {
	apart, guards := kotlinApart.groups(text), kotlinGuard.groups(text)
	if len(apart)+len(guards) == 0 {
		return text
	}
	text = bytes.Clone(text)
	for _, at := range apart {
		for i := at.start; i < at.end; i++ {
			text[i] = ' '
		}
	}
	for _, at := range guards {
		copy(text[at.start:], ", ")
	}
	return text
}

// kotlinNames returns the first letters of such names.
func kotlinNames(text []byte) (letters []span) {
	for _, s := range []*sought{&kotlinDynamic, &kotlinSuspend, &kotlinAnnotated} {
		for _, at := range s.groups(text) {
			letters = append(letters, span{at.start, at.start + 1})
		}
	}
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		line := bytes.TrimLeft(text[at:end], " \t")
		behind := bytes.TrimLeft(line, "abcdefghijklmnopqrstuvwxyz")
		if kotlinBearsName(string(line[:len(line)-len(behind)]), behind) {
			start := uint32(end - len(line))
			letters = append(letters, span{start, start + 1})
		}
		at = end
	}
	return letters
}

// kotlinEnds returns the blanks before brackets that end a type on the line of its
// last member, which the grammar wants a semicolon or a line end behind: it reads
// class A { val b: B } with an error, and where types or the entries of an enum
// follow each other this costs all that stands below.
func kotlinEnds(text []byte) (ends []span) {
	r := kotlinReader{text: text}
	for r.at < len(text) {
		switch c := text[r.at]; {
		case (c == '"' || c == '\'' || c == '/') && r.skip(c):
			continue
		case c == '{':
			r.open = append(r.open, r.at+1)
		case c == '}' && len(r.open) > 0:
			if at := r.at - 1; r.endsMember() {
				ends = append(ends, span{uint32(at), uint32(at + 1)})
			}
			r.open = r.open[:len(r.open)-1]
		case (c == ';' || c == '\n') && len(r.open) > 0:
			r.open[len(r.open)-1] = r.at + 1
		}
		r.at++
	}
	return ends
}

// kotlinReader reads brackets outside of literals and comments.
type kotlinReader struct {
	text []byte
	at   int
	open []int // by bracket that is open: where the last statement in it may begin
}

// endsMember reports whether a member ends before the bracket here, behind a blank
// and on the line that it begins on.
func (r *kotlinReader) endsMember() bool {
	from := r.open[len(r.open)-1]
	if from >= r.at || r.text[r.at-1] != ' ' {
		return false
	}
	return kotlinDeclares().Match(r.text[from:min(r.at, from+maxMember)])
}

// maxMember bounds the bytes in which a member says what it is.
const maxMember = 500

// skip goes behind a literal or a comment that begins with byte c here, and reports
// whether there was one.
func (r *kotlinReader) skip(c byte) bool {
	rest := r.text[r.at:]
	switch {
	case bytes.HasPrefix(rest, []byte(`"""`)):
		r.to(3, `"""`)
	case bytes.HasPrefix(rest, []byte("//")):
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			r.at += i
		} else {
			r.at = len(r.text)
		}
	case bytes.HasPrefix(rest, []byte("/*")):
		r.to(2, "*/")
	case c == '"':
		r.quoted('"')
	case c == '\'':
		r.quoted('\'')
	default:
		return false
	}
	return true
}

// to goes behind the first end that is n bytes or more ahead.
func (r *kotlinReader) to(n int, end string) {
	if i := bytes.Index(r.text[r.at+n:], []byte(end)); i >= 0 {
		r.at += n + i + len(end)
	} else {
		r.at = len(r.text)
	}
}

// quoted goes behind a literal of one line, or to the end of its line.
func (r *kotlinReader) quoted(quote byte) {
	for r.at++; r.at < len(r.text) && r.text[r.at] != '\n'; r.at++ {
		switch r.text[r.at] {
		case '\\':
			r.at++
		case quote:
			r.at++
			return
		}
	}
}
