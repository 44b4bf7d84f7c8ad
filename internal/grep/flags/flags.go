// Package flags is the flags of ripgrep: what each sets, which of them mean here
// what they mean there, and what the others are refused with. table.go is the list,
// Args what a command line sets.
package flags

import (
	"strconv"
	"strings"

	"espy/internal/usage"
)

// Status is how a flag compares with ripgrep's.
type Status string

// How flags compare.
const (
	Same    Status = "same"
	Differs Status = "differs"
	Refused Status = "refused"
)

// Flag is a flag of ripgrep.
type Flag struct {
	Name, Short string
	Value       string // what its value is called; "" for a switch
	Doc         string // one line
	Not         string // the switch that undoes it, "" for none
	Aliases     []string
	Status      Status
	Note        string // why it differs, or what to do instead

	set func(a *Args, value string) error
	not func(a *Args)
}

// Hidden reports whether the flag is left out of the help: it is refused.
func (f *Flag) Hidden() bool { return f.Status == Refused }

// Set is what the flag does when it is given.
func (f *Flag) Set(a *Args, value string) error {
	if f.Status == Refused || f.set == nil {
		return &usage.Error{Msg: "--" + f.Name + " is not known here", Hint: f.Note}
	}
	return f.set(a, value)
}

// Unset is what the switch does that undoes it.
func (f *Flag) Unset(a *Args) {
	if f.not != nil {
		f.not(a)
	}
}

// Case is how letters are compared.
type Case int

// How letters are compared.
const (
	exact Case = iota
	Smart
	Ignored
)

// Args are the flags of a command line.
type Args struct {
	Patterns     []string // of -e, in order
	PatternFiles []string // of -f
	HasPattern   bool     // -e or -f was given
	Case         Case
	Fixed, Word  bool
	Line         bool
	Invert       bool
	Multiline    bool
	DotAll       bool
	Perl         bool // patterns are expressions of PCRE2

	Before, After int
	MaxCount      int // -1 for no limit
	Passthru      bool
	StopOnGap     bool

	Count, CountMatches, With, Without, JSON, Quiet bool
	Files, TypeList, Version                        bool
	IncludeZero                                     bool
	Only, Vimgrep, Trim, Stats, Null                bool
	ByteOffset                                      bool
	Replace                                         *string

	LineNumber, Column, Heading, Filename Tri
	Pretty                                bool
	Color                                 string
	Colors                                []string
	MaxColumns                            int
	Preview                               bool
	ContextSeparator                      *string
	MatchField, ContextField              string
	PathSeparator                         string

	Globs, IGlobs           []string
	AnyCase                 bool
	Types                   []typeChange
	Hidden                  bool
	Unrestricted            int
	NoIgnore                bool
	NoDot, NoGit, NoGlobal  bool
	NoParent, NoFiles       bool
	NoRequire               bool
	IgnoreFiles             []string
	MaxDepth                int // -1 for no limit
	MaxBytes                int64
	Binary, Text            bool
	Raw                     bool // no look at byte order marks
	Mmap                    Tri
	Sort                    string
	Reverse                 bool
	Threads                 int
	NoMessages, NoComplaint bool
}

// typeChange is one of -t, -T, --type-add and --type-clear.
type typeChange struct{ Kind, Value string }

// Tri is a switch that may be left alone.
type Tri int

// The values of a Tri.
const (
	Unset Tri = iota
	On
	Off
)

// Or is the switch, or what stands for it where it was left alone.
func (t Tri) Or(other bool) bool { return t == On || t == Unset && other }

// New returns the flags of an empty command line.
func New() *Args {
	sep := "--"
	return &Args{MaxCount: -1, MaxDepth: -1, MaxBytes: -1, Color: "", ContextSeparator: &sep, MatchField: ":", ContextField: "-", Sort: "path"}
}

// number reads a value that is a number of at least 0.
func number(flag, value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || value[0] == '+' {
		return 0, &usage.Error{Arg: flag, Value: value, Msg: "not a number of at least 0", Hint: "write digits, as in --" + flag + "=3"}
	}
	return n, nil
}

// size reads a number of bytes, with K, M or G behind it.
func size(flag, value string) (int64, error) {
	digits, unit := strings.TrimRight(value, "KMG"), int64(1)
	switch strings.TrimPrefix(value, digits) {
	case "":
	case "K":
		unit = 1 << 10
	case "M":
		unit = 1 << 20
	case "G":
		unit = 1 << 30
	default:
		digits = ""
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > (1<<62)/unit {
		return 0, &usage.Error{Arg: flag, Value: value, Msg: "not a size", Hint: "write bytes, or a number with K, M or G behind it, as in 10M"}
	}
	return n * unit, nil
}

// unescape reads \n, \t, \r, \\, \0 and \xHH in a separator.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case '0':
			b.WriteByte(0)
		case '\\':
			b.WriteByte('\\')
		case 'x':
			if n, err := strconv.ParseUint(s[min(i+1, len(s)):min(i+3, len(s))], 16, 8); err == nil && i+2 < len(s) {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
			fallthrough
		default:
			b.WriteString(s[i-1 : i+1])
		}
	}
	return b.String()
}

// oneOf refuses a value that is not one of those that are allowed.
func oneOf(flag, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return &usage.Error{Arg: flag, Value: value, Msg: "not one of " + strings.Join(allowed, ", "), Hint: "write --" + flag + "=" + allowed[0]}
}
