package rust

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// class translates a class in brackets.
func (t *translator) class() error {
	set, negated, err := t.brackets()
	if err != nil {
		return err
	}
	t.begin()
	t.emit(written(set, negated))
	return nil
}

// brackets reads a class: its set before it is negated.
func (t *translator) brackets() (set []rune, negated bool, err error) {
	t.pos++
	if t.at("^") {
		negated = true
		t.pos++
	}
	var left []rune // what stands before the last operator
	op, first := "", true
	for {
		t.skip()
		if t.pos >= len(t.src) {
			return nil, false, t.bad("unclosed character class", asText)
		}
		switch {
		case t.at("]") && !first:
			t.pos++
			return combine(left, op, set), negated, nil
		case t.at("&&"), t.at("--") && !first, t.at("~~"):
			left, op, set = combine(left, op, set), t.src[t.pos:t.pos+2], nil
			t.pos += 2
		case t.at("["):
			err = t.nested(&set)
		default:
			err = t.item(&set)
		}
		if err != nil {
			return nil, false, err
		}
		first = false
	}
}

func (t *translator) at(s string) bool { return strings.HasPrefix(t.src[t.pos:], s) }

// skip passes over spaces where these do not count.
func (t *translator) skip() {
	for t.spaced && t.pos < len(t.src) && isSpace(t.src[t.pos]) {
		t.pos++
	}
}

// combine joins the sets on both sides of an operator.
func combine(a []rune, op string, b []rune) []rune {
	switch op {
	case "&&":
		return common(a, b)
	case "--":
		return minus(a, b)
	case "~~":
		return union(minus(a, b), minus(b, a))
	}
	return b
}

// nested adds a class within the class, or one such as [:alpha:].
func (t *translator) nested(set *[]rune) error {
	if t.at("[:") {
		if end := strings.Index(t.src[t.pos:], ":]"); end > 0 {
			name, negated := strings.CutPrefix(t.src[t.pos+2:t.pos+end], "^")
			if some, ok := posix[name]; ok {
				if negated {
					some = not(some)
				}
				t.pos += end + 2
				*set = union(*set, some)
				return nil
			}
		}
	}
	inner, negated, err := t.brackets()
	if negated {
		inner = not(inner)
	}
	*set = union(*set, inner)
	return err
}

// item adds a character, a range or a set written with a backslash.
func (t *translator) item(set *[]rune) error {
	some, lo, err := t.member()
	if err != nil || some != nil {
		*set = union(*set, some)
		return err
	}
	hi := lo
	t.skip()
	if t.at("-") && !t.at("--") && !t.at("-]") {
		t.pos++
		t.skip()
		if some, hi, err = t.member(); err != nil {
			return err
		}
		if some != nil || hi < lo {
			return t.bad("invalid character class range, the start must be <= the end", asText)
		}
	}
	*set = union(*set, []rune{lo, hi})
	if t.fold {
		*set = folded(*set, lo, hi)
	}
	return nil
}

// folded adds to a set what the letters from lo to hi fold to.
func folded(set []rune, lo, hi rune) []rune {
	letters := common(words(), []rune{lo, hi})
	for i := 0; i < len(letters); i += 2 {
		for r := letters[i]; r <= letters[i+1]; r++ {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				if !holds(set, f) {
					set = append(set, f, f)
				}
			}
		}
	}
	return tidy(set)
}

// member reads one character of a class, or a set.
func (t *translator) member() (set []rune, r rune, err error) {
	if t.pos >= len(t.src) {
		return nil, 0, t.bad("unclosed character class", asText)
	}
	if t.at(`\`) {
		set, r, err = t.escaped()
	} else {
		var n int
		r, n = utf8.DecodeRuneInString(t.src[t.pos:])
		if r == utf8.RuneError && n == 1 {
			return nil, 0, t.bad("a pattern that is not UTF-8", `write the character as \x{...}`)
		}
		t.pos += n
	}
	if err == nil && set == nil {
		t.note(r)
	}
	return set, r, err
}
