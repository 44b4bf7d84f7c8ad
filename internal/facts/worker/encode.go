package worker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/facts/tree"
	"espy/internal/structure"
)

// A frame is its length in four bytes, little endian, and that many bytes. A
// request frame holds the length of the grammar's name in one byte, the name, the
// length of a pattern as a varint, the pattern, which is empty where facts are asked
// for, and the text. An answer frame holds a status byte and, by status, the facts,
// the matches or a message.
const maxFrame = 1 << 30

// Statuses of an answer.
const (
	statusFacts       = iota
	statusMatches     // of a pattern
	statusFailed      // the file cannot be parsed
	statusUnavailable // no file can
	statusNoCode      // the pattern is no code of the language
)

// request asks for the facts of a text, or for the matches of a pattern.
type request struct {
	grammar string
	pattern string // empty for facts
	text    []byte
}

func writeRequest(w io.Writer, r request) error {
	head := append([]byte{0, 0, 0, 0, byte(len(r.grammar))}, r.grammar...)
	head = binary.AppendUvarint(head, uint64(len(r.pattern)))
	head = append(head, r.pattern...)
	binary.LittleEndian.PutUint32(head, uint32(len(head)-4+len(r.text)))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(r.text)
	return err
}

func readRequest(frame []byte) (r request, err error) {
	if len(frame) == 0 || len(frame) < 1+int(frame[0]) {
		return r, errDamaged
	}
	n := 1 + int(frame[0])
	r.grammar, frame = string(frame[1:n]), frame[n:]
	size, n := binary.Uvarint(frame)
	if n <= 0 || size > uint64(len(frame)-n) {
		return r, errDamaged
	}
	frame = frame[n:]
	r.pattern, r.text = string(frame[:size]), frame[size:]
	return r, nil
}

// readFrame reads one frame into buf, or a larger buffer.
func readFrame(r io.Reader, buf []byte) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return buf, err
	}
	n := int(binary.LittleEndian.Uint32(head[:]))
	if n > maxFrame {
		return buf, fmt.Errorf("a message of %d bytes is longer than %d", n, maxFrame)
	}
	if n > cap(buf) || cap(buf) > 1<<20 && n < cap(buf)/16 {
		buf = make([]byte, n, n+n/4)
	}
	buf = buf[:n]
	_, err := io.ReadFull(r, buf)
	return buf, err
}

// readAnswer returns what an answer of the wanted status holds.
func readAnswer(frame []byte, want byte) ([]byte, error) {
	if len(frame) == 0 {
		return nil, errDamaged
	}
	switch body := frame[1:]; frame[0] {
	case want:
		return body, nil
	case statusFailed:
		return nil, &Failure{string(body)}
	case statusNoCode:
		return nil, &structure.NoCodeError{Reason: string(body)}
	case statusUnavailable:
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, tree.ErrNoGrammars)
	}
	return nil, errDamaged
}

// encode appends facts to buf: table after table, each with its length first.
// Numbers are varints. Places and indexes are differences to the row before, or to
// their own row. A name that the text has at its place is only a length.
func encode(buf []byte, f *facts.File, text string) []byte {
	e := encoder{buf: buf, text: text}
	e.str(f.Package, 0)
	e.num(len(f.Symbols))
	for i := range f.Symbols {
		e.symbol(&f.Symbols[i], int32(i))
	}
	e.last = facts.Place{}
	e.num(len(f.Uses))
	for i := range f.Uses {
		e.use(&f.Uses[i])
	}
	e.last = facts.Place{}
	e.num(len(f.Imports))
	for i := range f.Imports {
		e.imported(&f.Imports[i])
	}
	e.num(len(f.Exprs))
	for i, x := range f.Exprs {
		e.buf = append(e.buf, byte(x.Op))
		e.index(x.X)
		if hasY(x.Op) {
			e.delta(x.Y, int32(i))
		}
	}
	e.num(len(f.Errors))
	for _, x := range f.Errors {
		e.num(int(x.Line))
		e.str(x.Message, uint32(len(text)))
	}
	return e.buf
}

// hasY reports whether the second operand of an operator means anything.
func hasY(op facts.Op) bool {
	switch op {
	case facts.OpUse, facts.OpValue, facts.OpSymbol, facts.OpThis, facts.OpSuper, facts.OpCall, facts.OpTop, facts.OpItself, facts.OpPredicate, facts.OpGuarded:
		return false
	}
	return true
}

type encoder struct {
	buf  []byte
	text string
	last facts.Place // of the row before
}

func (e *encoder) num(n int)         { e.buf = binary.AppendUvarint(e.buf, uint64(n)) }
func (e *encoder) signed(n int64)    { e.buf = binary.AppendVarint(e.buf, n) }
func (e *encoder) index(i int32)     { e.num(int(i + 1)) }
func (e *encoder) delta(i, at int32) { e.signed(int64(at) - int64(i)) }

// str writes a name that may stand in the text at byte at.
func (e *encoder) str(s string, at uint32) {
	if int(at)+len(s) <= len(e.text) && e.text[at:int(at)+len(s)] == s {
		e.num(len(s)<<1 | 1)
		return
	}
	e.num(len(s) << 1)
	e.buf = append(e.buf, s...)
}

func (e *encoder) place(p facts.Place) {
	e.signed(int64(p.At) - int64(e.last.At))
	e.signed(int64(p.Line) - int64(e.last.Line))
	e.num(int(p.Column))
	e.last = p
}

func (e *encoder) symbol(y *facts.Symbol, i int32) {
	e.place(y.Place)
	e.str(y.Name, y.At)
	e.buf = append(e.buf, byte(y.Kind), y.MinArgs, y.MaxArgs)
	e.num(int(y.Flags))
	e.index(y.Parent)
	e.str(y.Owner, y.At)
	e.signed(int64(y.At) - int64(y.Start))
	e.num(int(y.End - y.Start))
	e.num(int(y.EndLine))
	e.signed(int64(y.SigStart) - int64(y.Start))
	e.num(int(y.SigEnd - y.SigStart))
	e.num(int(y.DocStart))
	e.num(int(y.DocEnd - y.DocStart))
	e.index(y.Type)
	e.num(int(y.Complexity))
}

func (e *encoder) use(u *facts.Use) {
	e.place(u.Place)
	e.str(u.Name, u.At)
	e.buf = append(e.buf, byte(u.Role)|byte(u.Bind)<<4)
	e.index(u.In)
	e.index(u.Target)
	e.num(int(u.Args) + 1)
}

func (e *encoder) imported(m *facts.Import) {
	e.place(m.Place)
	e.str(m.Local, m.At)
	e.str(m.Name, m.At)
	e.str(m.Module, m.At)
	e.index(m.In)
	e.num(int(m.Flags))
}

var errDamaged = errors.New("the parser's answer is damaged")

// decode reads the facts that encode wrote for text.
func decode(buf []byte, text string) (*facts.File, error) {
	d := decoder{buf: buf, text: text}
	f := &facts.File{Package: d.str(0)}
	f.Symbols = table[facts.Symbol](&d)
	for i := range f.Symbols {
		d.symbol(&f.Symbols[i])
	}
	d.last = facts.Place{}
	f.Uses = table[facts.Use](&d)
	for i := range f.Uses {
		d.use(&f.Uses[i])
	}
	d.last = facts.Place{}
	f.Imports = table[facts.Import](&d)
	for i := range f.Imports {
		d.imported(&f.Imports[i])
	}
	f.Exprs = table[facts.Expr](&d)
	for i := range f.Exprs {
		x := &f.Exprs[i]
		x.Op, x.X = facts.Op(d.byte()), d.index()
		if hasY(x.Op) {
			x.Y = d.delta(int32(i))
		}
	}
	f.Errors = table[facts.Fault](&d)
	for i := range f.Errors {
		f.Errors[i] = facts.Fault{Line: uint32(d.num()), Message: d.str(uint32(len(text)))}
	}
	if d.bad || len(d.buf) > 0 {
		return nil, errDamaged
	}
	return f, nil
}

type decoder struct {
	buf  []byte
	text string
	last facts.Place
	bad  bool
}

// table makes a table with the number of rows in the message. Each row takes at
// least a byte, so the message bounds it.
func table[T any](d *decoder) []T {
	n := d.num()
	if n > uint64(len(d.buf)) {
		d.bad = true
	}
	if n == 0 || d.bad {
		return nil
	}
	return make([]T, n)
}

func (d *decoder) num() uint64 {
	v, n := binary.Uvarint(d.buf)
	if n <= 0 {
		d.bad = true
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *decoder) signed() int64 {
	v, n := binary.Varint(d.buf)
	if n <= 0 {
		d.bad = true
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *decoder) byte() byte {
	if len(d.buf) == 0 {
		d.bad = true
		return 0
	}
	b := d.buf[0]
	d.buf = d.buf[1:]
	return b
}

func (d *decoder) index() int32         { return int32(d.num()) - 1 }
func (d *decoder) delta(at int32) int32 { return int32(int64(at) - d.signed()) }

func (d *decoder) str(at uint32) string {
	v := d.num()
	n := v >> 1
	if v&1 == 1 {
		if uint64(at)+n > uint64(len(d.text)) {
			d.bad = true
			return ""
		}
		return d.text[at : uint64(at)+n]
	}
	if n > uint64(len(d.buf)) {
		d.bad = true
		return ""
	}
	s := string(d.buf[:n])
	d.buf = d.buf[n:]
	return s
}

func (d *decoder) place() facts.Place {
	p := facts.Place{
		At:     uint32(int64(d.last.At) + d.signed()),
		Line:   uint32(int64(d.last.Line) + d.signed()),
		Column: uint32(d.num()),
	}
	d.last = p
	return p
}

func (d *decoder) symbol(y *facts.Symbol) {
	y.Place = d.place()
	y.Name = d.str(y.At)
	y.Kind, y.MinArgs, y.MaxArgs = code.Kind(d.byte()), d.byte(), d.byte()
	y.Flags = facts.Flags(d.num())
	y.Parent = d.index()
	y.Owner = d.str(y.At)
	y.Start = uint32(int64(y.At) - d.signed())
	y.End = y.Start + uint32(d.num())
	y.EndLine = uint32(d.num())
	y.SigStart = uint32(int64(y.Start) + d.signed())
	y.SigEnd = y.SigStart + uint32(d.num())
	y.DocStart = uint32(d.num())
	y.DocEnd = y.DocStart + uint32(d.num())
	y.Type = d.index()
	y.Complexity = uint16(d.num())
}

func (d *decoder) use(u *facts.Use) {
	u.Place = d.place()
	u.Name = d.str(u.At)
	b := d.byte()
	u.Role, u.Bind = facts.Role(b&15), facts.Bind(b>>4)
	u.In = d.index()
	u.Target = d.index()
	u.Args = int16(int64(d.num()) - 1)
}

func (d *decoder) imported(m *facts.Import) {
	m.Place = d.place()
	m.Local = d.str(m.At)
	m.Name = d.str(m.At)
	m.Module = d.str(m.At)
	m.In = d.index()
	m.Flags = facts.Flags(d.num())
}
