package worker

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"espy/internal/facts/tree"
	"espy/internal/structure"
)

// Parser parses a text with a grammar.
type Parser = tree.Parser

// Serve is the child: it answers requests until in ends, also in the middle of a
// file, and then returns nil. It limits the process to maxMemory and each file to
// maxSeconds, where the system can; a file beyond the second is an error. The
// process must end when Serve returns: goroutines still run.
func Serve(in io.Reader, out io.Writer, parse Parser) error {
	debug.SetGCPercent(200)
	debug.SetMemoryLimit(maxMemory / 2)
	limitMemory()
	over := timeIsUp()
	requests := make(chan []byte)
	ended := make(chan error, 2)
	go func() { ended <- receive(in, requests) }()
	go func() { ended <- answerAll(out, requests, parse) }()
	select {
	case err := <-ended:
		return err
	case <-over:
		return fmt.Errorf("took more than %d seconds of processor time", maxSeconds)
	}
}

func answerAll(out io.Writer, requests <-chan []byte, parse Parser) error {
	w := bufio.NewWriter(out)
	s := server{parse: parse, patterns: map[string]*structure.Matcher{}}
	for frame := range requests {
		limitTime()
		if err := s.answer(w, frame); err != nil {
			return err
		}
	}
	return nil
}

// receive passes requests on. It waits for the next request, or the end, while one
// is answered, hence two buffers.
func receive(in io.Reader, requests chan<- []byte) error {
	r := bufio.NewReaderSize(in, 64<<10)
	var buf, other []byte
	for {
		var err error
		if buf, err = readFrame(r, buf); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		requests <- buf
		buf, other = other, buf
	}
}

// server answers requests.
type server struct {
	parse    Parser
	patterns map[string]*structure.Matcher // those read before, by grammar and pattern
}

// maxPatterns bounds the patterns that are kept.
const maxPatterns = 100

// answer answers one request.
func (s *server) answer(w *bufio.Writer, frame []byte) error {
	body, err := s.body(frame)
	var none *structure.NoCodeError
	switch {
	case errors.Is(err, tree.ErrNoGrammars):
		body = []byte{statusUnavailable}
	case errors.As(err, &none):
		body = append([]byte{statusNoCode}, err.Error()...)
	case err != nil:
		body = append([]byte{statusFailed}, err.Error()...)
	}
	if len(body) > maxFrame {
		body = append([]byte{statusFailed}, "its facts are too long"...)
	}
	w.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(body))))
	w.Write(body)
	return w.Flush()
}

// body answers one request. A panic is the fault of the file.
func (s *server) body(frame []byte) (body []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the rules of its language failed: %v", p)
		}
	}()
	r, err := readRequest(frame)
	if err != nil {
		return nil, err
	}
	if r.pattern != "" {
		return s.matches(r)
	}
	t, err := s.parse(r.grammar, tree.Prepare(r.grammar, r.text))
	if err != nil {
		return nil, err
	}
	f := tree.Facts(t, r.text, s.parse)
	return encode([]byte{statusFacts}, f, string(r.text)), nil
}

// matches compares a pattern with a file.
func (s *server) matches(r request) ([]byte, error) {
	m, err := s.pattern(r.grammar, r.pattern)
	if err != nil {
		return nil, err
	}
	t, err := s.parse(r.grammar, tree.Prepare(r.grammar, r.text))
	if err != nil {
		return nil, err
	}
	found, all := m.Find(t, string(r.text))
	return encodeMatches([]byte{statusMatches}, found, all), nil
}

// pattern reads a pattern once for all files of a grammar.
func (s *server) pattern(grammar, text string) (*structure.Matcher, error) {
	key := grammar + "\x00" + text
	if m := s.patterns[key]; m != nil {
		return m, nil
	}
	p, err := structure.Parse(text)
	if err != nil {
		return nil, err
	}
	m, err := structure.New(p, grammar, s.parse)
	if err != nil {
		return nil, err
	}
	if len(s.patterns) == maxPatterns {
		clear(s.patterns)
	}
	s.patterns[key] = m
	return m, nil
}
