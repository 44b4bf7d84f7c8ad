package worker

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"espy/internal/facts/tree"
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
	for frame := range requests {
		limitTime()
		if err := answer(w, frame, parse); err != nil {
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

// answer parses one file and writes the answer.
func answer(w *bufio.Writer, frame []byte, parse Parser) error {
	body, err := parseFrame(frame, parse)
	switch {
	case errors.Is(err, tree.ErrNoGrammars):
		body = []byte{statusUnavailable}
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

// parseFrame answers one request. A panic is the fault of the file.
func parseFrame(frame []byte, parse Parser) (body []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the rules of its language failed: %v", p)
		}
	}()
	grammar, text, err := readRequest(frame)
	if err != nil {
		return nil, err
	}
	t, err := parse(grammar, tree.Prepare(grammar, text))
	if err != nil {
		return nil, err
	}
	f := tree.Facts(t, text, parse)
	return encode([]byte{statusFacts}, f, string(text)), nil
}
