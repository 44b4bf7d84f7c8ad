package ranked

import (
	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/ranked/score"
)

// demoted is every class that ordinary source files lack.
const demoted = code.ClassTest | code.ClassExample | code.ClassBench | code.ClassDocs | code.ClassTool | code.ClassVendor | code.ClassGenerated | code.ClassMinified | code.ClassLock

// boostOf finds out how strongly a query asks for kinds of files that are
// normally demoted.
func boostOf(q *question, scores *score.Scores, parts []part) (b rank.Boost) {
	if len(q.words.Asks) == 0 {
		return b
	}
	files := 0
	for i := range parts {
		for f := range parts[i].seg.NumFiles() {
			if holdsCode(&parts[i], f) {
				files++
			}
		}
	}
	for _, a := range q.words.Asks {
		share := 0.0
		if t := scores.Find(a.Term); t >= 0 {
			share = float64(codeWith(parts, t)) / float64(max(files, 1))
		}
		b.Raise(a, share)
	}
	return b
}

// codeWith returns how many ordinary program files hold a term of the query, by
// its number.
func codeWith(parts []part, term int) int {
	n := 0
	for i := range parts {
		for f := range parts[i].seg.FilesWith(term).All() {
			if holdsCode(&parts[i], f) {
				n++
			}
		}
	}
	return n
}

// isPlain reports whether a file is an ordinary one of program code, live or not.
func (p *part) isPlain(file int) bool {
	t := p.traits[file]
	return t.Class&demoted == 0 && p.content[t.Language] == rank.ContentCode
}

// holdsCode reports whether a live file is an ordinary one of program code: of
// no class and no content that is normally demoted.
func holdsCode(p *part, file int) bool {
	return p.seg.Alive(file) && p.isPlain(file)
}
