package show

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"unicode/utf8"

	"espy/internal/grep/scan"
)

// begin writes the first message of a file.
func (p *Printer) begin() {
	if p.began {
		return
	}
	p.began = true
	b := append(p.buf[:0], `{"type":"begin","data":{"path":`...)
	b = appendData(b, []byte(p.path))
	p.message(append(b, "}}\n"...))
}

func (p *Printer) message(b []byte) {
	p.buf = b
	p.write(b)
}

// line writes the message of lines.
func (p *Printer) line(l *scan.Lines, kind string) {
	text, matches := p.visible(l)
	b := append(p.buf[:0], `{"type":"`...)
	b = append(append(b, kind...), `","data":{"path":`...)
	b = appendData(b, []byte(p.path))
	b = appendData(append(b, `,"lines":`...), text)
	if b = append(b, `,"line_number":`...); p.o.LineNumber {
		b = strconv.AppendInt(b, int64(l.Number()), 10)
	} else {
		b = append(b, "null"...)
	}
	b = strconv.AppendInt(append(b, `,"absolute_offset":`...), int64(l.Start), 10)
	b = append(b, `,"submatches":[`...)
	for i, m := range matches {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendData(append(b, `{"match":`...), text[m[0]:min(m[1], len(text))])
		b = strconv.AppendInt(append(b, `,"start":`...), int64(m[0]), 10)
		b = strconv.AppendInt(append(b, `,"end":`...), int64(m[1]), 10)
		b = append(b, '}')
	}
	p.message(append(b, "]}}\n"...))
}

// end writes the last message of a file.
func (p *Printer) end(e *scan.Ending) {
	if !p.began {
		p.stats = Stats{}
		return
	}
	p.count(e)
	b := append(p.buf[:0], `{"type":"end","data":{"path":`...)
	b = append(appendData(b, []byte(p.path)), `,"binary_offset":`...)
	if e.Binary >= 0 {
		b = strconv.AppendInt(b, int64(e.Binary), 10)
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"stats":`...)
	b = p.stats.append(b)
	p.message(append(b, "}}\n"...))
}

// appendData appends bytes as text, or in base64 where they are not UTF-8.
func appendData(b, data []byte) []byte {
	if !utf8.Valid(data) {
		b = append(b, `{"bytes":"`...)
		return append(base64.StdEncoding.AppendEncode(b, data), `"}`...)
	}
	return append(appendString(append(b, `{"text":`...), data), '}')
}

// appendString appends a text in quotes. Only what JSON demands is escaped.
func appendString(b, text []byte) []byte {
	b = append(b, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= ' ':
			b = append(b, c)
		default:
			b = appendControl(b, c)
		}
	}
	return append(b, '"')
}

func appendControl(b []byte, c byte) []byte {
	switch c {
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	}
	return fmt.Appendf(b, `\u%04x`, c)
}
