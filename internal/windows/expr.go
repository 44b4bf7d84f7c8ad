package windows

// Expr is what a window must fulfil: *Bool, *Phrase, *Text, *Path or *All.
type Expr interface{ expr() }

// Bool holds where all of Must and none of Not hold and, without Must, one of
// Should does. With Not alone it holds everywhere else.
type Bool struct{ Must, Should, Not []Expr }

// Phrase holds where its words stand one after the other. They are in lower case.
// Each is a whole word or a run of whole parts of an identifier; between them
// stands no letter and no digit.
type Phrase struct {
	Words  []string
	Slop   int     // words that may stand between them, in all
	Prefix bool    // the last word may go on
	Boost  float64 // 0 is 1
}

// Text holds where an exact text begins. It adds nothing to a score unless
// nothing else does.
type Text struct{ Text string }

// Path holds in files whose path contains a text, in either case, or, where Whole
// is set, is that text. Paths are matched with a slash before them.
type Path struct {
	Text  string
	Whole bool
}

// All holds everywhere.
type All struct{}

func (*Bool) expr()   {}
func (*Phrase) expr() {}
func (*Text) expr()   {}
func (*Path) expr()   {}
func (*All) expr()    {}
