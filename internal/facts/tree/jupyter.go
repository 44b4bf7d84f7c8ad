package tree

import (
	"bytes"
	"strings"
)

// jupyterRules are those of Python. A signature ends with its line,
// and documentation, which is escaped, is left out.
func jupyterRules() *rules {
	r := pythonRules()
	finish := r.finish
	r.finish = func(w *walk) {
		if finish != nil {
			finish(w)
		}
		for i := range w.symbols {
			y := &w.symbols[i]
			y.SigEnd = y.SigStart + uint32(len(strings.TrimRight(firstLine(w.src[y.SigStart:y.SigEnd]), " :=")))
			y.DocStart, y.DocEnd = 0, 0
		}
	}
	return r
}

// firstLine is what stands before the first escaped end of a line.
func firstLine(s string) string {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '\\' {
			if s[i+1] == 'n' {
				return s[:i]
			}
			i++
		}
	}
	return s
}

// jupyterPrepare leaves the Python of a notebook: what stands in the strings of the
// sources of its cells of code, at its place. A form feed begins each line of
// code, as it sets the indentation back. A notebook in another language has none.
func jupyterPrepare(text []byte) []byte {
	out := bytes.Repeat([]byte{' '}, len(text))
	for i, b := range text {
		if b == '\n' {
			out[i] = b
		}
	}
	if !isPythonNotebook(text) {
		return out
	}
	code := false
	for i := 0; i < len(text); {
		end := jsonString(text, i)
		if end < 0 {
			i++
			continue
		}
		value := jsonValue(text, end)
		switch key := string(text[i+1 : end-1]); {
		case value < 0:
		case key == "cell_type":
			code = bytes.HasPrefix(text[value:], []byte(`"code"`))
		case key == "source" && code:
			end = notebookSource(text, out, value)
		}
		i = end
	}
	return out
}

// isPythonNotebook reports whether the kernel of a notebook runs Python, as one that
// is not named does.
func isPythonNotebook(text []byte) bool {
	at := bytes.LastIndex(text, []byte(`"kernelspec"`))
	if at < 0 {
		return true
	}
	end := bytes.IndexByte(text[at:], '}')
	if end < 0 {
		return true
	}
	return bytes.Contains(bytes.ToLower(text[at:at+end]), []byte("python"))
}

// jsonString is the place behind the string that begins at byte i, or -1.
func jsonString(text []byte, i int) int {
	if text[i] != '"' {
		return -1
	}
	for p := i + 1; p < len(text); p++ {
		switch text[p] {
		case '\\':
			p++
		case '"':
			return p + 1
		case '\n':
			return -1
		}
	}
	return -1
}

// jsonValue is the place of the value of the key that ends at byte i, or -1 where the
// string is no key.
func jsonValue(text []byte, i int) int {
	i = skipBlanks(text, i)
	if i >= len(text) || text[i] != ':' {
		return -1
	}
	if i = skipBlanks(text, i+1); i >= len(text) {
		return -1
	}
	return i
}

func skipBlanks(text []byte, i int) int {
	for i < len(text) && isMarkupBlank(text[i]) {
		i++
	}
	return i
}

// notebookSource writes the code of a cell, which is a string or a list of strings,
// to out, and returns the place behind it.
func notebookSource(text, out []byte, i int) int {
	if text[i] != '[' {
		if end := jsonString(text, i); end > 0 {
			cellCode(text, out, i, end, true)
			return end
		}
		return i + 1
	}
	first, whole := true, true
	for i++; i < len(text) && text[i] != ']'; {
		end := jsonString(text, i)
		if end < 0 {
			i++
			continue
		}
		if first && bytes.HasPrefix(text[i+1:end], []byte("%%")) { // a cell in another language
			whole = false
		}
		if first = false; whole {
			cellCode(text, out, i, end, false)
		}
		i = end
	}
	return i
}

// cellCode writes the code in the string text[i:end] to out, byte by byte. Lines that
// only a notebook knows (%magic, !command, ?help) are left out.
func cellCode(text, out []byte, i, end int, whole bool) {
	if whole && bytes.HasPrefix(text[i+1:end], []byte("%%")) {
		return
	}
	out[i] = '\f'
	start := i + 1
	for p := start; p < end-1; {
		if text[p] != '\\' {
			out[p] = text[p]
			p++
			continue
		}
		switch text[p+1] {
		case 'n':
			magicLine(out[start:p])
			out[p], out[p+1] = '\n', '\f'
			start = p + 2
			p += 2
		case '"', '\\':
			p = escapedRun(text[:end-1], out, p)
		case 'u':
			for k := p; k < min(p+6, end-1); k++ {
				out[k] = 'z'
			}
			p += 6
		default:
			p += 2
		}
	}
	magicLine(out[min(start, end-1) : end-1])
}

// escapedRun writes the quotes and backslashes that stand escaped side by side from
// byte p, and returns the place behind them. The blanks that are left over stand
// behind the first quotes, so that these touch what is before them, and the rest
// touches what follows.
func escapedRun(text, out []byte, p int) int {
	end, quotes := p, 0
	for end+1 < len(text) && text[end] == '\\' && (text[end+1] == '"' || text[end+1] == '\\') {
		if text[end+1] == '"' && end == p+2*quotes {
			quotes++
		}
		end += 2
	}
	for k := range quotes {
		out[p+k] = '"'
	}
	for at, from := end-1, end-2; from >= p+2*quotes; at, from = at-1, from-2 {
		out[at] = text[from+1]
	}
	return end
}

// magicLine blanks a line that is no Python.
func magicLine(line []byte) {
	code := bytes.TrimLeft(line, " \t")
	if len(code) > 0 && (code[0] == '%' || code[0] == '!' || code[0] == '?' || code[len(code)-1] == '?') {
		copy(line, bytes.Repeat([]byte{' '}, len(line)))
	}
}
