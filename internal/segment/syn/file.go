package syn

import (
	"encoding/binary"
	"fmt"
	"iter"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/segment/syn/table"
)

// File reads the facts of one file, row by row. It belongs to one goroutine.
type File struct {
	r      *Reader
	file   int
	state  State
	start  uint64 // of the body in its section
	body   []byte
	at     int // of what is read next of the body
	names  table.Table
	tables [numTables]table.Table
	heads  [1 + lineColumns + symbolColumns + useColumns + importColumns + exprColumns]table.Head // of names and tables
	pack   int                                                                                    // of the package, plus 1
	faults int                                                                                    // where they stand in the body
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
	f.names = table.New(heads[:1], bad)
	heads = heads[1:]
	for i, n := range tableColumns {
		f.tables[i] = table.New(heads[:n], bad)
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
	f.names.Open(r.frame.Packed(secLocals, uint64(start.localsEnd), uint64(row.localsEnd-start.localsEnd)), int(row.names))
	switch row.state {
	case Parsed:
		f.header()
	case Failed:
		f.failed = string(f.body[:n])
	}
	if row.state != Parsed {
		for i := range f.tables {
			f.tables[i].Open(nil, 0)
		}
	}
}

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
		if size > len(f.body)-table.Padding-f.at {
			f.bad("table is cut off")
		}
		f.tables[i].Open(f.body[f.at:f.at+size+table.Padding], rows[i])
		f.at += size
	}
}

// count reads a number of rows or bytes.
func (f *File) count() int {
	v, n := binary.Uvarint(f.body[f.at : len(f.body)-table.Padding])
	if n <= 0 || v > 1<<31 {
		f.bad("number is cut off or out of range")
	}
	f.at += n
	return int(v)
}

// fault reads a fault, whose message is part of the body.
func (f *File) fault() (line int, message []byte) {
	line, n := f.count(), f.count()
	if n > len(f.body)-table.Padding-f.at {
		f.bad("message is cut off")
	}
	f.at += n
	return line, f.body[f.at-n : f.at]
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
		line, message := f.fault()
		faults = append(faults, facts.Fault{Line: uint32(line), Message: string(message)})
	}
	return faults
}

// NumSymbols returns the number of declarations.
func (f *File) NumSymbols() int { return f.tables[tableSymbols].Rows() }

// NumUses returns the number of uses.
func (f *File) NumUses() int { return f.tables[tableUses].Rows() }

// NumImports returns the number of imports.
func (f *File) NumImports() int { return f.tables[tableImports].Rows() }

// local finds the index of a name in the file.
func (f *File) local(rank int) (index int, ok bool) {
	i := f.names.Search(0, uint32(rank))
	return i, i < f.names.Rows() && f.names.At(i, 0) == uint32(rank)
}

func (f *File) name(index uint32) string {
	if int64(index) >= int64(f.names.Rows()) {
		f.bad("reference to a name that does not exist")
	}
	return f.r.nameAt(int(f.names.At(int(index), 0)))
}

func (f *File) some(index uint32) string {
	if index == 0 {
		return ""
	}
	return f.name(index - 1)
}

// find calls yield with the rows of a table that bear a name.
func (f *File) find(kind, name int, yield func(*File, int) bool) bool {
	row := func(i int) bool { return yield(f, i) }
	switch kind {
	case tableSymbols:
		return f.tables[kind].Find(symbolName, uint32(name), row)
	case tableUses:
		return f.tables[kind].Find(useName, uint32(name), row)
	}
	t := &f.tables[kind]
	some := uint32(name + 1)
	for i := range t.Rows() {
		if (t.At(i, importModule) == some || t.At(i, importName) == some || t.At(i, importLocal) == some) && !row(i) {
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

// Line returns the number of the line that holds a byte of a symbol or use.
func (f *File) Line(at uint32) uint32 { return f.place(at).Line }

// LineBefore returns the last line with a symbol or use that begins at a byte or before it,
// and where it begins: the first one where there is none.
func (f *File) LineBefore(at uint32) (line, start uint32) {
	t := &f.tables[tableLines]
	i := t.Search(lineStart, at+1) - 1
	if i < 0 {
		return 1, 0
	}
	return t.At(i, lineSkipped) + uint32(i), t.At(i, lineStart)
}

func (f *File) seekLine(at uint32) {
	t := &f.tables[tableLines]
	i := t.Search(lineStart, at+1) - 1
	if i < 0 {
		f.bad("no line holds a place")
	}
	f.lineEnd = ^uint32(0)
	if i+1 < t.Rows() {
		f.lineEnd = t.At(i+1, lineStart)
	}
	f.line, f.lineStart = t.At(i, lineSkipped)+uint32(i), t.At(i, lineStart)
	if at < f.lineStart || at >= f.lineEnd {
		f.bad("lines out of order")
	}
}

// Symbol returns declaration i.
func (f *File) Symbol(i int) facts.Symbol {
	s := f.BareSymbol(i)
	t := &f.tables[tableSymbols]
	s.Place = f.place(s.At)
	s.EndLine = s.Line + t.Value(i, symbolEndLine)
	s.Name = f.name(t.Value(i, symbolName))
	s.Owner = f.some(t.Value(i, symbolOwner))
	return s
}

// BareSymbol returns declaration i without its names and lines, which take a
// search each.
func (f *File) BareSymbol(i int) facts.Symbol {
	t := &f.tables[tableSymbols]
	t.Seek(i)
	start := t.Value(i, symbolStart)
	at := start + t.Value(i, symbolAt)
	sig := start + t.Value(i, symbolSigStart)
	s := facts.Symbol{
		Kind: code.Kind(t.Value(i, symbolKind)), Flags: facts.Flags(t.Value(i, symbolFlags)),
		Place: facts.Place{At: at}, Parent: int32(t.Value(i, symbolParent)) - 1,
		Start: start, End: at + t.Value(i, symbolEnd),
		SigStart: sig, SigEnd: sig + t.Value(i, symbolSigEnd),
		Type:    int32(t.Value(i, symbolType)) - 1,
		MinArgs: uint8(t.Value(i, symbolMinArgs)), MaxArgs: uint8(t.Value(i, symbolMaxArgs)), Complexity: uint16(t.Value(i, symbolComplexity)),
	}
	if doc := t.Value(i, symbolDoc); doc != 0 {
		s.DocEnd = start - t.Value(i, symbolDocEnd)
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
	u := f.namelessUse(i)
	u.Name = f.name(f.tables[tableUses].Value(i, useName))
	return u
}

// UseBind returns what is known of use i alone: how it is bound, and to what.
func (f *File) UseBind(i int) (facts.Bind, int32) {
	u := f.namelessUse(i)
	return u.Bind, u.Target
}

func (f *File) namelessUse(i int) facts.Use {
	t := &f.tables[tableUses]
	t.Seek(i)
	role := t.Value(i, useRole)
	u := facts.Use{
		Role: facts.Role(role & (1<<bindShift - 1)), Bind: facts.Bind(role >> bindShift),
		Place: facts.Place{At: t.Value(i, useAt)}, In: int32(t.Value(i, useIn)) - 1,
		Target: int32(t.Value(i, useTarget)) - 1, Args: int16(t.Value(i, useArgs)) - 1,
	}
	if why := f.rows.use(&u); why != "" {
		f.bad(why)
	}
	return u
}

// Import returns import i.
func (f *File) Import(i int) facts.Import {
	t := &f.tables[tableImports]
	t.Seek(i)
	m := facts.Import{
		Module: f.some(t.Value(i, importModule)), Name: f.some(t.Value(i, importName)), Local: f.some(t.Value(i, importLocal)),
		Place: f.place(t.Value(i, importAt)), In: int32(t.Value(i, importIn)) - 1, Flags: facts.Flags(t.Value(i, importFlags)),
	}
	if !f.rows.some(m.In, tableSymbols) {
		f.bad("scope of an import does not exist")
	}
	return m
}

// Imported returns the module and the name of import i.
func (f *File) Imported(i int) (module, name string) {
	t := &f.tables[tableImports]
	t.Seek(i)
	return f.some(t.Value(i, importModule)), f.some(t.Value(i, importName))
}

// Expr returns expression i.
func (f *File) Expr(i int) facts.Expr {
	t := &f.tables[tableExprs]
	t.Seek(i)
	x := facts.Expr{Op: facts.Op(t.Value(i, exprOp)), X: int32(t.Value(i, exprX)) - 1, Y: int32(t.Value(i, exprY)) - 1}
	if why := f.rows.expr(i, x); why != "" {
		f.bad(why)
	}
	return x
}

// ExprsOf calls yield with the expressions of an operation, in order, until it returns
// false.
func (f *File) ExprsOf(op facts.Op) iter.Seq[int] {
	return func(yield func(int) bool) { f.tables[tableExprs].Find(exprOp, uint32(op), yield) }
}

// Symbols returns all declarations, in order.
func (f *File) Symbols() (all []facts.Symbol) {
	for i := range f.NumSymbols() {
		all = append(all, f.Symbol(i))
	}
	return all
}

// decode decodes the whole file. Facts that do not matter get one form: the
// target of a free use is None, the documentation of a symbol without one is
// at byte 0.
func (f *File) decode() *facts.File {
	all := &facts.File{Package: f.Package(), Errors: f.Faults(), Symbols: f.Symbols()}
	for i := range f.NumUses() {
		all.Uses = append(all.Uses, f.Use(i))
	}
	for i := range f.NumImports() {
		all.Imports = append(all.Imports, f.Import(i))
	}
	for i := range f.tables[tableExprs].Rows() {
		all.Exprs = append(all.Exprs, f.Expr(i))
	}
	return all
}

// Enclosing returns the innermost symbol whose declaration holds a byte, None
// for none. Its Parent leads to those around it.
func (f *File) Enclosing(at uint32) int {
	t := &f.tables[tableSymbols]
	i := t.Search(symbolStart, at+1) - 1
	for i >= 0 {
		s := f.BareSymbol(i)
		if at < s.End {
			return i
		}
		i = int(s.Parent)
	}
	return facts.None
}

// SymbolAt returns the symbol whose own name covers a byte, None for none.
func (f *File) SymbolAt(at uint32) int {
	t := &f.tables[tableSymbols]
	for i := range t.Rows() {
		t.Seek(i)
		from := t.Value(i, symbolStart) + t.Value(i, symbolAt)
		if from > at || at-from >= t.Value(i, symbolEnd) { // outside the rest of the declaration
			continue
		}
		if int(at-from) < len(f.name(t.Value(i, symbolName))) {
			return i
		}
	}
	return facts.None
}

// UseAt returns the use that covers a byte, None for none.
func (f *File) UseAt(at uint32) int {
	t := &f.tables[tableUses]
	i := t.Search(useAt, at+1) - 1
	if i < 0 || int(at-t.At(i, useAt)) >= len(f.name(t.Value(i, useName))) {
		return facts.None
	}
	return i
}

// UsesFrom returns the number of the first use at or after a byte.
func (f *File) UsesFrom(at uint32) int { return f.tables[tableUses].Search(useAt, at) }

// UsesNamed calls yield with the uses of a name, in order, until it returns false.
func (f *File) UsesNamed(name string) iter.Seq[int] { return f.rowsNamed(tableUses, name) }

// SymbolsNamed is UsesNamed for declarations.
func (f *File) SymbolsNamed(name string) iter.Seq[int] { return f.rowsNamed(tableSymbols, name) }

func (f *File) rowsNamed(kind int, name string) iter.Seq[int] {
	return func(yield func(int) bool) {
		if f.state != Parsed {
			return
		}
		rank, _, ok := f.r.lookup(name)
		if !ok {
			return
		}
		if local, ok := f.local(rank); ok {
			f.find(kind, local, func(_ *File, i int) bool { return yield(i) })
		}
	}
}

// Namesakes calls yield with the symbols of the name of symbol i, in order,
// until it returns false.
func (f *File) Namesakes(i int) iter.Seq[int] {
	t := &f.tables[tableSymbols]
	name := t.At(i, symbolName)
	return func(yield func(int) bool) { t.Find(symbolName, name, yield) }
}

// SymbolsFrom returns the number of the first symbol whose declaration starts
// at or after a byte.
func (f *File) SymbolsFrom(at uint32) int { return f.tables[tableSymbols].Search(symbolStart, at) }

// Flags returns the traits of symbol i.
func (f *File) Flags(i int) facts.Flags {
	return facts.Flags(f.tables[tableSymbols].At(i, symbolFlags))
}

// Name returns the name of symbol i.
func (f *File) Name(i int) string {
	return f.name(f.tables[tableSymbols].At(i, symbolName))
}

// Owner returns the type that symbol i says it belongs to.
func (f *File) Owner(i int) string { return f.some(f.tables[tableSymbols].At(i, symbolOwner)) }

// Kind returns the kind of symbol i.
func (f *File) Kind(i int) code.Kind { return code.Kind(f.tables[tableSymbols].At(i, symbolKind)) }

// Parent returns the symbol that holds symbol i, facts.None at the top of the file.
func (f *File) Parent(i int) int {
	p := int(f.tables[tableSymbols].At(i, symbolParent)) - 1
	if p >= i {
		f.bad(laterParent(p))
	}
	return p
}
