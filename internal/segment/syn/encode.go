package syn

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	"espy/internal/facts"
	"espy/internal/segment/syn/table"
)

// Record is the encoded facts of one file, or why it has none. It may be made
// while the Builder that takes it is in use. The zero Record is an absent file.
//
// Thousands of records wait for a commit. They hold few pointers, so that the
// garbage collector has little to scan.
type Record struct {
	state   State
	symbols int
	text    string       // the distinct names joined, sorted; tables hold their indexes
	names   []recordName // of text
	body    []byte
}

// recordName is where a name ends in the text of its record, and what the file
// has under it.
type recordName struct{ end, flags uint32 }

// each calls yield with the names of the record and what the file has under them.
func (r *Record) each(yield func(name string, flags uint32) bool) {
	from := uint32(0)
	for _, n := range r.names {
		if !yield(r.text[from:n.end], n.flags) {
			return
		}
		from = n.end
	}
}

// State returns what the record says of its file.
func (r *Record) State() State { return r.state }

// Failure is the record of a file that cannot be parsed.
func Failure(reason string) *Record {
	return &Record{state: Failed, body: []byte(reason)}
}

// Unsupported is the record of a file in a language without a grammar.
func Unsupported() *Record { return &Record{state: Unknown} }

// encoder turns facts into a record. It is used again for other facts.
type encoder struct {
	f       *facts.File
	names   numbered
	flags   []uint32     // of each of names
	noted   []uint32     // ids of the names of symbols and their owners, uses and imports; then their ranks
	at      int          // of the next of noted
	pack    uint32       // name of the package, plus 1
	text    []byte       // of the names
	order   []sortedName // as they sort
	ranks   []uint32     // of the ids
	lines   []line
	columns [table.MaxColumns][]uint32
	tables  []byte
}

var encoders = sync.Pool{New: func() any { return &encoder{} }}

// sortedName is a name that differs from most others by its prefix.
type sortedName struct {
	prefix uint64 // its first bytes, the first being the most significant
	id     uint32
}

// sortNames sorts by the bytes of names, which it is given by id.
func sortNames(order []sortedName, names []string) {
	slices.SortFunc(order, func(a, b sortedName) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return strings.Compare(names[a.id], names[b.id])
	})
}

// line is where a line with a place begins.
type line struct{ number, start uint32 }

// Encode encodes facts. It fails where they break the rules of facts.File: what
// is out of order, or refers to what is not there.
func Encode(f *facts.File) (*Record, error) {
	if err := check(f); err != nil {
		return nil, err
	}
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.reset(f)
	if err := e.gatherLines(); err != nil {
		return nil, err
	}
	e.gatherNames()
	r := &Record{state: Parsed, symbols: len(f.Symbols), names: make([]recordName, len(e.order))}
	e.text = e.text[:0]
	for rank, o := range e.order {
		e.text = append(e.text, e.names.names[o.id]...)
		r.names[rank] = recordName{uint32(len(e.text)), e.flags[o.id]}
	}
	r.text = string(e.text)
	r.body = e.body()
	e.f = nil
	e.names.reset() // they hold on to the text
	return r, nil
}

func (e *encoder) reset(f *facts.File) {
	e.names.reset() // what failed may have left some
	e.f, e.at, e.pack = f, 0, 0
	e.flags, e.noted, e.lines, e.tables = e.flags[:0], e.noted[:0], e.lines[:0], e.tables[:0]
}

// note notes a name and what the file has under it.
func (e *encoder) note(name string, flag uint32) {
	e.noted = append(e.noted, e.id(name, flag))
}

// noteSome is note for a name that may be empty, which then stands for none.
func (e *encoder) noteSome(name string, flag uint32) {
	if name == "" {
		e.noted = append(e.noted, noName)
		return
	}
	e.note(name, flag)
}

const noName = ^uint32(0)

func (e *encoder) id(name string, flag uint32) uint32 {
	id, added := e.names.number(name)
	if added {
		e.flags = append(e.flags, 0)
	}
	e.flags[id] |= flag
	return id
}

// gatherNames notes all names and numbers them in the order of their bytes.
func (e *encoder) gatherNames() {
	f := e.f
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Flags&facts.Local != 0 {
			e.note(s.Name, hasLocal)
		} else {
			e.note(s.Name, hasGlobal)
		}
		e.noteSome(s.Owner, 0)
	}
	for i := range f.Uses {
		u := &f.Uses[i]
		if u.Bind == facts.BindSymbol && f.Symbols[u.Target].Name == u.Name {
			e.noted = append(e.noted, e.noted[2*u.Target]) // a symbol notes its name and its owner
		} else {
			e.note(u.Name, 0)
		}
		id := e.noted[len(e.noted)-1]
		e.flags[id] = used(e.flags[id], u.Role)
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		e.noteSome(m.Module, hasImport)
		e.noteSome(m.Name, hasImport)
		e.noteSome(m.Local, hasImport)
	}
	e.noteSome(f.Package, 0)
	e.rank()
	e.pack = e.noted[len(e.noted)-1] + 1
}

// used adds a use to what a file has under a name.
func used(flags uint32, role facts.Role) uint32 {
	if role == facts.RoleCall {
		flags = (flags | hasCall) + oneCall
	}
	return flags | hasUse
}

// rank puts the names in order and turns what was noted into their ranks.
func (e *encoder) rank() {
	e.order, e.ranks = e.order[:0], slices.Grow(e.ranks[:0], len(e.flags))[:len(e.flags)]
	for id, key := range e.names.keys {
		e.order = append(e.order, sortedName{key.prefix, uint32(id)})
	}
	sortNames(e.order, e.names.names)
	for rank, o := range e.order {
		e.ranks[o.id] = uint32(rank)
	}
	for i, id := range e.noted {
		if id != noName {
			e.noted[i] = e.ranks[id]
		}
	}
}

// next returns the rank of the name noted next.
func (e *encoder) next() uint32 {
	e.at++
	return e.noted[e.at-1]
}

// gatherLines finds where lines begin from the places on them. It takes these
// in about the order of the text, in which the lines are hardly to be sorted.
func (e *encoder) gatherLines() error {
	f := e.f
	for i := range f.Imports {
		if !e.place(f.Imports[i].Place) {
			return fmt.Errorf("import %d: %w", i, badPlace(f.Imports[i].Place))
		}
	}
	use := 0
	for i := range f.Symbols {
		s := &f.Symbols[i]
		for ; use < len(f.Uses) && f.Uses[use].At < s.At; use++ {
			if !e.place(f.Uses[use].Place) {
				return badUse(f, use)
			}
		}
		if !e.place(s.Place) {
			return fmt.Errorf("symbol %d: %w", i, badPlace(s.Place))
		}
	}
	for ; use < len(f.Uses); use++ {
		if !e.place(f.Uses[use].Place) {
			return badUse(f, use)
		}
	}
	slices.SortFunc(e.lines, func(a, b line) int { return int(a.number) - int(b.number) })
	e.lines = slices.Compact(e.lines)
	for i := 1; i < len(e.lines); i++ {
		if a, b := e.lines[i-1], e.lines[i]; a.number == b.number || a.start >= b.start {
			return fmt.Errorf("line %d begins at byte %d and line %d at byte %d", a.number, a.start, b.number, b.start)
		}
	}
	return nil
}

// place notes the line of a place, and reports whether there is such a place.
func (e *encoder) place(p facts.Place) bool {
	if p.Line == 0 || p.Column == 0 || p.Column > p.At+1 {
		return false
	}
	l := line{p.Line, p.At + 1 - p.Column}
	if n := len(e.lines); n == 0 || e.lines[n-1] != l {
		e.lines = append(e.lines, l)
	}
	return true
}

func badUse(f *facts.File, i int) error {
	return fmt.Errorf("use %d: %w", i, badPlace(f.Uses[i].Place))
}

func badPlace(p facts.Place) error {
	return fmt.Errorf("no place is at byte %d, line %d, column %d", p.At, p.Line, p.Column)
}

// body encodes all but the names.
func (e *encoder) body() []byte {
	f := e.f
	rows := [numTables]int{len(e.lines), len(f.Symbols), len(f.Uses), len(f.Imports), len(f.Exprs)}
	fills := [numTables]func(){e.fillLines, e.fillSymbols, e.fillUses, e.fillImports, e.fillExprs}
	var sizes [numTables]int
	for t := range rows {
		sizes[t] = e.table(rows[t], tableColumns[t], fills[t])
	}
	b := make([]byte, 0, len(e.tables)+64)
	for _, n := range rows {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, n := range sizes {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(e.pack))
	b = binary.AppendUvarint(b, uint64(len(f.Errors)))
	for _, fault := range f.Errors {
		b = binary.AppendUvarint(b, uint64(fault.Line))
		b = binary.AppendUvarint(b, uint64(len(fault.Message)))
		b = append(b, fault.Message...)
	}
	return append(b, e.tables...)
}

// table encodes rows, which fill sets in the columns, and returns its bytes.
func (e *encoder) table(rows, columns int, fill func()) int {
	if rows == 0 {
		return 0
	}
	for c := range columns {
		e.columns[c] = slices.Grow(e.columns[c][:0], rows)[:rows]
	}
	fill()
	start := len(e.tables)
	e.tables = table.Append(e.tables, e.columns[:columns]...)
	return len(e.tables) - start
}

func (e *encoder) fillLines() {
	for i, l := range e.lines {
		e.columns[lineSkipped][i] = l.number - uint32(i)
		e.columns[lineStart][i] = l.start
	}
}

func (e *encoder) fillSymbols() {
	for i := range e.f.Symbols {
		e.fillSymbol(i, &e.f.Symbols[i])
	}
}

func (e *encoder) fillSymbol(i int, s *facts.Symbol) {
	row := &e.columns
	row[symbolName][i] = e.next()
	row[symbolKind][i] = uint32(s.Kind)
	row[symbolFlags][i] = uint32(s.Flags)
	row[symbolStart][i] = s.Start
	row[symbolAt][i] = s.At - s.Start
	row[symbolEnd][i] = s.End - s.At
	row[symbolEndLine][i] = s.EndLine - s.Line
	row[symbolSigStart][i] = s.SigStart - s.Start
	row[symbolSigEnd][i] = s.SigEnd - s.SigStart
	row[symbolDoc][i] = s.DocEnd - s.DocStart
	row[symbolDocEnd][i] = 0
	if s.DocEnd != s.DocStart {
		row[symbolDocEnd][i] = s.Start - s.DocEnd
	}
	row[symbolParent][i] = uint32(s.Parent + 1)
	row[symbolOwner][i] = e.next() + 1
	row[symbolType][i] = uint32(s.Type + 1)
	row[symbolMinArgs][i] = uint32(s.MinArgs)
	row[symbolMaxArgs][i] = uint32(s.MaxArgs)
	row[symbolComplexity][i] = uint32(s.Complexity)
}

// fillUses fills column by column: uses are most of what there is.
func (e *encoder) fillUses() {
	uses, row := e.f.Uses, &e.columns
	names := e.noted[e.at : e.at+len(uses)]
	e.at += len(uses)
	copy(row[useName], names)
	for i, to := 0, row[useRole][:len(uses)]; i < len(uses); i++ {
		to[i] = uint32(uses[i].Role) | uint32(uses[i].Bind)<<bindShift
	}
	for i, to := 0, row[useAt][:len(uses)]; i < len(uses); i++ {
		to[i] = uses[i].At
	}
	for i, to := 0, row[useIn][:len(uses)]; i < len(uses); i++ {
		to[i] = uint32(uses[i].In + 1)
	}
	for i, to := 0, row[useTarget][:len(uses)]; i < len(uses); i++ {
		to[i] = 0
		if uses[i].Bind != facts.BindFree {
			to[i] = uint32(uses[i].Target + 1)
		}
	}
	for i, to := 0, row[useArgs][:len(uses)]; i < len(uses); i++ {
		to[i] = uint32(uses[i].Args + 1)
	}
}

func (e *encoder) fillImports() {
	row := &e.columns
	for i := range e.f.Imports {
		m := &e.f.Imports[i]
		row[importModule][i] = e.next() + 1
		row[importName][i] = e.next() + 1
		row[importLocal][i] = e.next() + 1
		row[importAt][i] = m.At
		row[importIn][i] = uint32(m.In + 1)
		row[importFlags][i] = uint32(m.Flags)
	}
}

func (e *encoder) fillExprs() {
	exprs := e.f.Exprs
	ops, xs, ys := e.columns[exprOp][:len(exprs)], e.columns[exprX][:len(exprs)], e.columns[exprY][:len(exprs)]
	for i := range exprs {
		ops[i], xs[i], ys[i] = uint32(exprs[i].Op), uint32(exprs[i].X+1), uint32(exprs[i].Y+1)
	}
}
