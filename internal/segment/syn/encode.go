package syn

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"

	"espy/internal/code"
)

// Record is the encoded facts of one file, or why it has none. It may be made
// beside the Builder that takes it. The zero Record is an absent file.
type Record struct {
	state   State
	symbols int
	names   []string // distinct, sorted; tables hold their indexes
	flags   []uint8  // of each name: what the file has under it
	body    []byte
}

// What a file has under a name.
const (
	hasGlobal uint8 = 1 << iota // a symbol that other files can mean
	hasLocal                    // a symbol that they cannot
	hasUse
	hasImport // its module, name or local name
)

// State returns what the record says of its file.
func (r *Record) State() State { return r.state }

// Size estimates the bytes of memory that the record holds.
func (r *Record) Size() int { return len(r.body) + 32*len(r.names) }

// Failure is the record of a file that cannot be parsed.
func Failure(reason string) *Record {
	return &Record{state: Failed, body: []byte(reason)}
}

// Unsupported is the record of a file in a language without a grammar.
func Unsupported() *Record { return &Record{state: Unknown} }

// encoder turns facts into a record.
type encoder struct {
	f       *code.Facts
	ids     map[string]uint32 // of names: first as they come, then as they sort
	names   []string
	flags   []uint8
	lines   []line
	columns [maxColumns][]uint32
}

// line is where a line with a place begins.
type line struct{ number, start uint32 }

// Encode encodes facts. It fails where they break the rules of code.Facts: what
// is out of order, or refers to what is not there.
func Encode(f *code.Facts) (*Record, error) {
	if err := check(f); err != nil {
		return nil, err
	}
	e := &encoder{f: f, ids: map[string]uint32{}}
	if err := e.gatherLines(); err != nil {
		return nil, err
	}
	e.gatherNames()
	return &Record{state: Parsed, symbols: len(f.Symbols), names: e.names, flags: e.flags, body: e.body()}, nil
}

func (e *encoder) note(name string, flag uint8) {
	id, ok := e.ids[name]
	if !ok {
		id = uint32(len(e.names))
		e.ids[name] = id
		e.names = append(e.names, name)
		e.flags = append(e.flags, 0)
	}
	e.flags[id] |= flag
}

func (e *encoder) noteSome(name string, flag uint8) {
	if name != "" {
		e.note(name, flag)
	}
}

// gatherNames numbers the names in the order of their bytes.
func (e *encoder) gatherNames() {
	f := e.f
	e.noteSome(f.Package, 0)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Flags&code.Local != 0 {
			e.note(s.Name, hasLocal)
		} else {
			e.note(s.Name, hasGlobal)
		}
		e.noteSome(s.Owner, 0)
	}
	for i := range f.Uses {
		e.note(f.Uses[i].Name, hasUse)
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		e.noteSome(m.Module, hasImport)
		e.noteSome(m.Name, hasImport)
		e.noteSome(m.Local, hasImport)
	}
	sort.Sort(byName{e})
	for i, name := range e.names {
		e.ids[name] = uint32(i)
	}
	cloneAll(e.names)
}

// cloneAll moves the strings to memory of their own: names may be parts of
// whole files.
func cloneAll(names []string) {
	all, at := strings.Join(names, ""), 0
	for i, name := range names {
		names[i] = all[at : at+len(name)]
		at += len(name)
	}
}

type byName struct{ *encoder }

func (b byName) Len() int           { return len(b.names) }
func (b byName) Less(i, j int) bool { return b.names[i] < b.names[j] }
func (b byName) Swap(i, j int) {
	b.names[i], b.names[j] = b.names[j], b.names[i]
	b.flags[i], b.flags[j] = b.flags[j], b.flags[i]
}

// gatherLines finds where lines begin from the places on them.
func (e *encoder) gatherLines() error {
	f := e.f
	for i := range f.Symbols {
		e.lines = append(e.lines, lineOf(f.Symbols[i].Place))
	}
	for i := range f.Uses {
		l := lineOf(f.Uses[i].Place)
		if n := len(e.lines); n == 0 || e.lines[n-1] != l {
			e.lines = append(e.lines, l)
		}
	}
	for i := range f.Imports {
		e.lines = append(e.lines, lineOf(f.Imports[i].Place))
	}
	slices.SortFunc(e.lines, func(a, b line) int { return int(int64(a.number) - int64(b.number)) })
	e.lines = slices.Compact(e.lines)
	for i := 1; i < len(e.lines); i++ {
		if a, b := e.lines[i-1], e.lines[i]; a.number == b.number || a.start >= b.start {
			return fmt.Errorf("line %d begins at byte %d and line %d at byte %d", a.number, a.start, b.number, b.start)
		}
	}
	return e.checkLines()
}

func lineOf(p code.Place) line { return line{p.Line, p.At + 1 - p.Column} }

// checkLines holds that a place is found again from its byte.
func (e *encoder) checkLines() error {
	f := e.f
	for i := range f.Symbols {
		if err := e.checkPlace(f.Symbols[i].Place); err != nil {
			return fmt.Errorf("symbol %d: %w", i, err)
		}
	}
	for i := range f.Uses {
		if err := e.checkPlace(f.Uses[i].Place); err != nil {
			return fmt.Errorf("use %d: %w", i, err)
		}
	}
	for i := range f.Imports {
		if err := e.checkPlace(f.Imports[i].Place); err != nil {
			return fmt.Errorf("import %d: %w", i, err)
		}
	}
	return nil
}

func (e *encoder) checkPlace(p code.Place) error {
	if p.Line == 0 || p.Column == 0 || p.Column > p.At+1 {
		return fmt.Errorf("no place is at byte %d, line %d, column %d", p.At, p.Line, p.Column)
	}
	return nil
}

// body encodes all but the names.
func (e *encoder) body() []byte {
	f := e.f
	tables := [numTables][]byte{
		tableLines:   e.table(len(e.lines), 2, e.line),
		tableSymbols: e.table(len(f.Symbols), symbolColumns, e.symbol),
		tableUses:    e.table(len(f.Uses), useColumns, e.use),
		tableImports: e.table(len(f.Imports), importColumns, e.imported),
		tableExprs:   e.table(len(f.Exprs), exprColumns, e.expr),
	}
	var b []byte
	for _, n := range []int{len(e.lines), len(f.Symbols), len(f.Uses), len(f.Imports), len(f.Exprs)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, t := range tables {
		b = binary.AppendUvarint(b, uint64(len(t)))
	}
	b = binary.AppendUvarint(b, uint64(e.some(f.Package)))
	b = binary.AppendUvarint(b, uint64(len(f.Errors)))
	for _, fault := range f.Errors {
		b = binary.AppendUvarint(b, uint64(fault.Line))
		b = binary.AppendUvarint(b, uint64(len(fault.Message)))
		b = append(b, fault.Message...)
	}
	for _, t := range tables {
		b = append(b, t...)
	}
	return b
}

// table encodes rows, which fill gives one by one.
func (e *encoder) table(rows, columns int, fill func(i int, row []uint32)) []byte {
	if rows == 0 {
		return nil
	}
	for c := range columns {
		e.columns[c] = e.columns[c][:0]
	}
	var row [maxColumns]uint32
	for i := range rows {
		fill(i, row[:])
		for c := range columns {
			e.columns[c] = append(e.columns[c], row[c])
		}
	}
	return appendTable(nil, e.columns[:columns]...)
}

// some returns the number of a name plus 1, 0 for the empty one.
func (e *encoder) some(name string) uint32 {
	if name == "" {
		return 0
	}
	return e.ids[name] + 1
}

// The columns of lines.
const (
	lineSkipped = iota // lines before it without a place
	lineStart
	lineColumns
)

func (e *encoder) line(i int, row []uint32) {
	row[lineSkipped] = e.lines[i].number - uint32(i)
	row[lineStart] = e.lines[i].start
}

// The columns of symbols. Bytes are relative to others near them.
const (
	symbolName = iota
	symbolKind
	symbolFlags
	symbolStart
	symbolAt       // from Start
	symbolEnd      // from At
	symbolEndLine  // from Line
	symbolSigStart // from Start
	symbolSigEnd   // from SigStart
	symbolDocEnd   // back from Start; 0 without documentation
	symbolDoc      // bytes
	symbolParent   // plus 1
	symbolOwner    // plus 1
	symbolType     // plus 1
	symbolMinArgs
	symbolMaxArgs
	symbolComplexity
	symbolColumns
)

func (e *encoder) symbol(i int, row []uint32) {
	s := &e.f.Symbols[i]
	row[symbolName] = e.ids[s.Name]
	row[symbolKind] = uint32(s.Kind)
	row[symbolFlags] = uint32(s.Flags)
	row[symbolStart] = s.Start
	row[symbolAt] = s.At - s.Start
	row[symbolEnd] = s.End - s.At
	row[symbolEndLine] = s.EndLine - s.Line
	row[symbolSigStart] = s.SigStart - s.Start
	row[symbolSigEnd] = s.SigEnd - s.SigStart
	row[symbolDoc] = s.DocEnd - s.DocStart
	row[symbolDocEnd] = 0
	if s.DocEnd != s.DocStart {
		row[symbolDocEnd] = s.Start - s.DocEnd
	}
	row[symbolParent] = uint32(s.Parent + 1)
	row[symbolOwner] = e.some(s.Owner)
	row[symbolType] = uint32(s.Type + 1)
	row[symbolMinArgs] = uint32(s.MinArgs)
	row[symbolMaxArgs] = uint32(s.MaxArgs)
	row[symbolComplexity] = uint32(s.Complexity)
}

// The columns of uses.
const (
	useName = iota
	useRole // and Bind above bindShift
	useAt
	useIn     // plus 1
	useTarget // plus 1
	useArgs   // plus 1
	useColumns
)

const bindShift = 4

func (e *encoder) use(i int, row []uint32) {
	u := &e.f.Uses[i]
	row[useName] = e.ids[u.Name]
	row[useRole] = uint32(u.Role) | uint32(u.Bind)<<bindShift
	row[useAt] = u.At
	row[useIn] = uint32(u.In + 1)
	row[useTarget] = 0
	if u.Bind != code.BindFree {
		row[useTarget] = uint32(u.Target + 1)
	}
	row[useArgs] = uint32(u.Args + 1)
}

// The columns of imports.
const (
	importModule = iota // plus 1
	importName          // plus 1
	importLocal         // plus 1
	importAt
	importIn // plus 1
	importFlags
	importColumns
)

func (e *encoder) imported(i int, row []uint32) {
	m := &e.f.Imports[i]
	row[importModule] = e.some(m.Module)
	row[importName] = e.some(m.Name)
	row[importLocal] = e.some(m.Local)
	row[importAt] = m.At
	row[importIn] = uint32(m.In + 1)
	row[importFlags] = uint32(m.Flags)
}

// The columns of expressions.
const (
	exprOp = iota
	exprX  // plus 1
	exprY  // plus 1
	exprColumns
)

func (e *encoder) expr(i int, row []uint32) {
	x := &e.f.Exprs[i]
	row[exprOp] = uint32(x.Op)
	row[exprX] = uint32(x.X + 1)
	row[exprY] = uint32(x.Y + 1)
}
