package outline

import "bytes"

// heredoc is a literal that starts on the next line and ends at a line with its word alone.
type heredoc struct {
	word     []byte
	indented bool // the end may be indented
	loose    bool // the end may be followed by code (PHP)
}

// maxHeredocs is how many may start on one line.
const maxHeredocs = 8

// heredocAt handles << in shells, Ruby, PHP and Terraform. Flags are the bytes
// allowed before the word, such as - and ~. It returns -1 where no heredoc starts.
func (s *scanner) heredocAt(i int, flags string, bare, loose bool) int {
	p := i + 2
	h := heredoc{loose: loose, indented: loose}
	for p < len(s.text) && bytes.IndexByte([]byte(flags), s.text[p]) >= 0 {
		h.indented = h.indented || s.text[p] == '-' || s.text[p] == '~'
		p++
	}
	if !h.indented && !bare && (p >= len(s.text) || s.text[p] != '\'' && s.text[p] != '"' && !isUpper(s.text[p])) {
		return -1
	}
	c := cursor{s.text, p, s.lookEnd(min(p, len(s.text)))}
	switch q := c.peek(); q {
	case '\'', '"', '`':
		h.word = c.quoted(q)
	case '\\':
		c.i++
		h.word = c.word()
	default:
		h.word = c.word()
	}
	if len(h.word) == 0 || len(s.heredocs) >= maxHeredocs {
		return -1
	}
	s.heredocs = append(s.heredocs, h)
	return c.i
}

// passHeredocs skips the heredocs whose text starts at the line of i, then begins the next line.
func (s *scanner) passHeredocs(i int) int {
	for _, h := range s.heredocs {
		end := s.heredocEnd(i, h)
		if end < 0 {
			continue
		}
		s.addLine(i, insideLine)
		i = s.pass(i, end, insideLine)
		if h.loose { // code goes on after the word
			s.heredocs = s.heredocs[:0]
			return i
		}
		if i < len(s.text) {
			i++ // the line end
		}
	}
	s.heredocs = s.heredocs[:0]
	s.beginLine(i)
	return i
}

// heredocEnd is the place after the word that ends h, or -1 when there is none.
func (s *scanner) heredocEnd(i int, h heredoc) int {
	if s.unclosed >= maxUnclosed {
		return -1
	}
	for i < len(s.text) {
		p, end := i, s.lineEnd(i)
		if h.indented {
			for p < end && isBlank(s.text[p]) {
				p++
			}
		}
		if bytes.HasPrefix(s.text[p:end], h.word) {
			after := p + len(h.word)
			if tail := bytes.TrimRight(s.text[after:end], " \t\r"); len(tail) == 0 || h.loose && letter[tail[0]] == 0 {
				if h.loose {
					return after
				}
				return end
			}
		}
		i = end + 1
	}
	s.unclosed++
	return -1
}
