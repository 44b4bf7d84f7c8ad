package syn

import (
	"encoding/binary"
	"fmt"
	"iter"

	"espy/internal/code"
	"espy/internal/facts"
)

// File reads the facts of one file, row by row. It belongs to one goroutine.
type File struct {
	r      *Reader
	file   int
	state  State
	start  uint64 // of the body in its section
	body   []byte
	at     int // of what is read next of the body
	names  table
	tables [numTables]table
	heads  [1 + lineColumns + symbolColumns + useColumns + importColumns + exprColumns]head // of names and tables
	pack   int                                                                              // of the package, plus 1
	faults int                                                                              // where they stand in the body
	failed string
	rows   counts

	// Of the line found last: its number, its first byte and that of the next
	// line with a place.
	line, lineStart, lineEnd uint32
}

// File returns file i.
func (r *Reader) File(i int) *File {
	f := newFile()
	r.open(i, f)
	return f
}

// Look calls do with file i, which is good until do returns: it costs less than
// a File that is kept.
func (r *Reader) Look(i int, do func(*File)) {
	f := looks.Get().(*File)
	defer looks.Put(f)
	r.open(i, f)
	do(f)
}

func newFile() *File {
	f := &File{}
	bad, heads := f.bad, f.heads[:]
	f.names.bad, f.names.heads = bad, heads[:1]
	heads = heads[1:]
	for i, n := range tableColumns {
		f.tables[i].bad, f.tables[i].heads = bad, heads[:n]
		heads = heads[n:]
	}
	return f
}

// open makes a File read file i.
func (r *Reader) open(i int, f *File) {
	row, start := r.fileRow(i)
	f.r, f.file, f.state, f.start, f.at = r, i, row.state, start.bodyEnd, 0
	f.pack, f.faults, f.failed = 0, 0, ""
	f.rows, f.lineStart, f.lineEnd = counts{}, 0, 0
	n := row.bodyEnd - start.bodyEnd
	f.body = r.frame.Packed(secBodies, start.bodyEnd, n)
	f.names.open(r.frame.Packed(secLocals, uint64(start.localsEnd), uint64(row.localsEnd-start.localsEnd)), int(row.names))
	switch row.state {
	case Parsed:
		f.header()
	case Failed:
		f.failed = string(f.body[:n])
	}
	if row.state != Parsed {
		for i := range f.tables {
			f.tables[i].open(nil, 0)
		}
	}
}

var tableColumns = [numTables]int{lineColumns, symbolColumns, useColumns, importColumns, exprColumns}

func (f *File) header() {
	var rows counts
	var sizes [numTables]int
	for i := range rows {
		rows[i] = f.count()
	}
	f.rows = rows
	for i := range sizes {
		sizes[i] = f.count()
	}
	f.pack = f.count()
	f.faults = f.at
	for n := f.count(); n > 0; n-- {
		f.fault()
	}
	for i, size := range sizes {
		if size > len(f.body)-8-f.at {
			f.bad("table is cut off")
		}
		f.tables[i].open(f.body[f.at:f.at+size+8], rows[i])
		f.at += size
	}
}

// count reads a number of rows or bytes.
func (f *File) count() int {
	v, n := binary.Uvarint(f.body[f.at : len(f.body)-8])
	if n <= 0 || v > 1<<31 {
		f.bad("number is cut off or out of range")
	}
	f.at += n
	return int(v)
}

func (f *File) fault() facts.Fault {
	line, n := f.count(), f.count()
	if n > len(f.body)-8-f.at {
		f.bad("message is cut off")
	}
	f.at += n
	return facts.Fault{Line: uint32(line), Message: string(f.body[f.at-n : f.at])}
}

func (f *File) bad(reason string) {
	f.r.frame.Corrupt(secBodies, f.start, fmt.Sprintf("file %d: %s", f.file, reason))
}

// Ordinal returns the number of the file in its part.
func (f *File) Ordinal() int { return f.file }

// State says what the part holds of the file. One that is not Parsed has no rows.
func (f *File) State() State { return f.state }

// Reason says why a Failed file has no facts.
func (f *File) Reason() string { return f.failed }

// Package returns the name that the file gives its package.
func (f *File) Package() string { return f.some(uint32(f.pack)) }

// Faults returns what the grammar could not read.
func (f *File) Faults() (faults []facts.Fault) {
	if f.state != Parsed {
		return nil
	}
	f.at = f.faults
	for n := f.count(); n > 0; n-- {
		faults = append(faults, f.fault())
	}
	return faults
}

// NumSymbols returns the number of declarations.
func (f *File) NumSymbols() int { return f.tables[tableSymbols].rows }

// NumUses returns the number of uses.
func (f *File) NumUses() int { return f.tables[tableUses].rows }

// NumImports returns the number of imports.
func (f *File) NumImports() int { return f.tables[tableImports].rows }

// NumExprs returns the number of expressions.
func (f *File) NumExprs() int { return f.tables[tableExprs].rows }

// local finds the index of a name in the file.
func (f *File) local(rank int) (index int, ok bool) {
	i := f.names.search(0, uint32(rank))
	return i, i < f.names.rows && f.names.at(i, 0) == uint32(rank)
}

func (f *File) name(index uint32) string {
	if int64(index) >= int64(f.names.rows) {
		f.bad("reference to a name that does not exist")
	}
	return f.r.nameAt(int(f.names.at(int(index), 0)))
}

func (f *File) some(index uint32) string {
	if index == 0 {
		return ""
	}
	return f.name(index - 1)
}

// find calls yield with the rows of a table that bear a name.
func (f *File) find(table, name int, yield func(*File, int) bool) bool {
	row := func(i int) bool { return yield(f, i) }
	switch table {
	case tableSymbols:
		return f.tables[table].find(symbolName, uint32(name), row)
	case tableUses:
		return f.tables[table].find(useName, uint32(name), row)
	}
	t := &f.tables[table]
	some := uint32(name + 1)
	for i := range t.rows {
		if (t.at(i, importModule) == some || t.at(i, importName) == some || t.at(i, importLocal) == some) && !row(i) {
			return false
		}
	}
	return true
}

// place returns where a byte is.
func (f *File) place(at uint32) facts.Place {
	if at < f.lineStart || at >= f.lineEnd {
		f.seekLine(at)
	}
	return facts.Place{At: at, Line: f.line, Column: at - f.lineStart + 1}
}

// Line returns the number of the line that holds a byte at which something stands.
func (f *File) Line(at uint32) uint32 { return f.place(at).Line }

func (f *File) seekLine(at uint32) {
	t := &f.tables[tableLines]
	i := t.search(lineStart, at+1) - 1
	if i < 0 {
		f.bad("no line holds a place")
	}
	f.lineEnd = ^uint32(0)
	if i+1 < t.rows {
		f.lineEnd = t.at(i+1, lineStart)
	}
	f.line, f.lineStart = t.at(i, lineSkipped)+uint32(i), t.at(i, lineStart)
	if at < f.lineStart || at >= f.lineEnd {
		f.bad("lines out of order")
	}
}

// Symbol returns declaration i.
func (f *File) Symbol(i int) facts.Symbol {
	s := f.BareSymbol(i)
	t := &f.tables[tableSymbols]
	s.Place = f.place(s.At)
	s.EndLine = s.Line + t.value(i, symbolEndLine)
	s.Name = f.name(t.value(i, symbolName))
	s.Owner = f.some(t.value(i, symbolOwner))
	return s
}

// BareSymbol returns declaration i without its names and lines, which take a
// search each.
func (f *File) BareSymbol(i int) facts.Symbol {
	t := &f.tables[tableSymbols]
	t.seek(i)
	start := t.value(i, symbolStart)
	at := start + t.value(i, symbolAt)
	sig := start + t.value(i, symbolSigStart)
	s := facts.Symbol{
		Kind: code.Kind(t.value(i, symbolKind)), Flags: facts.Flags(t.value(i, symbolFlags)),
		Place: facts.Place{At: at}, Parent: int32(t.value(i, symbolParent)) - 1,
		Start: start, End: at + t.value(i, symbolEnd),
		SigStart: sig, SigEnd: sig + t.value(i, symbolSigEnd),
		Type:    int32(t.value(i, symbolType)) - 1,
		MinArgs: uint8(t.value(i, symbolMinArgs)), MaxArgs: uint8(t.value(i, symbolMaxArgs)), Complexity: uint16(t.value(i, symbolComplexity)),
	}
	if doc := t.value(i, symbolDoc); doc != 0 {
		s.DocEnd = start - t.value(i, symbolDocEnd)
		s.DocStart = s.DocEnd - doc
	}
	if why := f.rows.symbol(i, &s); why != "" {
		f.bad(why)
	}
	return s
}

// Use returns use i.
func (f *File) Use(i int) facts.Use {
	u := f.BareUse(i)
	u.Place = f.place(u.At)
	return u
}

// BareUse returns use i without its line and column, which take a search.
func (f *File) BareUse(i int) facts.Use {
	t := &f.tables[tableUses]
	t.seek(i)
	role := t.value(i, useRole)
	u := facts.Use{
		Role: facts.Role(role & (1<<bindShift - 1)), Bind: facts.Bind(role >> bindShift),
		Place: facts.Place{At: t.value(i, useAt)}, In: int32(t.value(i, useIn)) - 1,
		Target: int32(t.value(i, useTarget)) - 1, Args: int16(t.value(i, useArgs)) - 1,
	}
	if why := f.rows.use(&u); why != "" {
		f.bad(why)
	}
	u.Name = f.name(t.value(i, useName))
	return u
}

// Import returns import i.
func (f *File) Import(i int) facts.Import {
	t := &f.tables[tableImports]
	t.seek(i)
	m := facts.Import{
		Module: f.some(t.value(i, importModule)), Name: f.some(t.value(i, importName)), Local: f.some(t.value(i, importLocal)),
		Place: f.place(t.value(i, importAt)), In: int32(t.value(i, importIn)) - 1, Flags: facts.Flags(t.value(i, importFlags)),
	}
	if !f.rows.some(m.In, tableSymbols) {
		f.bad("scope of an import does not exist")
	}
	return m
}

// Expr returns expression i.
func (f *File) Expr(i int) facts.Expr {
	t := &f.tables[tableExprs]
	t.seek(i)
	x := facts.Expr{Op: facts.Op(t.value(i, exprOp)), X: int32(t.value(i, exprX)) - 1, Y: int32(t.value(i, exprY)) - 1}
	if why := f.rows.expr(i, x); why != "" {
		f.bad(why)
	}
	return x
}

// Facts decodes the whole file. Facts that do not matter are made regular: the
// target of a free use is None, the documentation of a symbol without one is
// at byte 0.
func (f *File) Facts() *facts.File {
	all := &facts.File{Package: f.Package(), Errors: f.Faults()}
	for i := range f.NumSymbols() {
		all.Symbols = append(all.Symbols, f.Symbol(i))
	}
	for i := range f.NumUses() {
		all.Uses = append(all.Uses, f.Use(i))
	}
	for i := range f.NumImports() {
		all.Imports = append(all.Imports, f.Import(i))
	}
	for i := range f.NumExprs() {
		all.Exprs = append(all.Exprs, f.Expr(i))
	}
	return all
}

// Enclosing returns the innermost symbol whose declaration holds a byte, None
// for none. Its Parent leads to those around it.
func (f *File) Enclosing(at uint32) int {
	t := &f.tables[tableSymbols]
	i := t.search(symbolStart, at+1) - 1
	for i >= 0 {
		s := f.BareSymbol(i)
		if at < s.End {
			return i
		}
		i = int(s.Parent)
	}
	return facts.None
}

// SymbolAt returns the symbol whose own name stands at a byte, None for none.
func (f *File) SymbolAt(at uint32) int {
	t := &f.tables[tableSymbols]
	for i := range t.rows {
		t.seek(i)
		from := t.value(i, symbolStart) + t.value(i, symbolAt)
		if from > at || at-from >= t.value(i, symbolEnd) { // outside the rest of the declaration
			continue
		}
		if int(at-from) < len(f.name(t.value(i, symbolName))) {
			return i
		}
	}
	return facts.None
}

// UseAt returns the use that stands at a byte, None for none.
func (f *File) UseAt(at uint32) int {
	t := &f.tables[tableUses]
	i := t.search(useAt, at+1) - 1
	if i < 0 || int(at-t.at(i, useAt)) >= len(f.name(t.value(i, useName))) {
		return facts.None
	}
	return i
}

// UsesFrom returns the number of the first use that stands at a byte or behind it.
func (f *File) UsesFrom(at uint32) int { return f.tables[tableUses].search(useAt, at) }

// UsesNamed calls yield with the uses of a name, in order, until it returns false.
func (f *File) UsesNamed(name string) iter.Seq[int] { return f.rowsNamed(tableUses, name) }

// SymbolsNamed is UsesNamed for declarations.
func (f *File) SymbolsNamed(name string) iter.Seq[int] { return f.rowsNamed(tableSymbols, name) }

func (f *File) rowsNamed(table int, name string) iter.Seq[int] {
	return func(yield func(int) bool) {
		if f.state != Parsed {
			return
		}
		rank, _, ok := f.r.lookup(name)
		if !ok {
			return
		}
		if local, ok := f.local(rank); ok {
			f.find(table, local, func(_ *File, i int) bool { return yield(i) })
		}
	}
}

// namesakes calls yield with the symbols of the name of symbol i, in order,
// until it returns false.
func (f *File) namesakes(i int) iter.Seq[int] {
	t := &f.tables[tableSymbols]
	name := t.at(i, symbolName)
	return func(yield func(int) bool) { t.find(symbolName, name, yield) }
}

// SymbolsFrom returns the number of the first symbol whose declaration starts
// at a byte or behind it.
func (f *File) SymbolsFrom(at uint32) int { return f.tables[tableSymbols].search(symbolStart, at) }

// Flags returns the traits of symbol i.
func (f *File) Flags(i int) facts.Flags {
	return facts.Flags(f.tables[tableSymbols].at(i, symbolFlags))
}

// Name returns the name of symbol i.
func (f *File) Name(i int) string { return f.name(f.tables[tableSymbols].at(i, symbolName)) }

// Owner returns the type that symbol i says it belongs to.
func (f *File) Owner(i int) string { return f.some(f.tables[tableSymbols].at(i, symbolOwner)) }

// Kind returns the kind of symbol i.
func (f *File) Kind(i int) code.Kind { return code.Kind(f.tables[tableSymbols].at(i, symbolKind)) }
