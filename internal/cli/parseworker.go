package cli

import (
	"fmt"
	"io"

	"espy/internal/parse/worker"
)

// runParseWorker is the hidden command with which another process of this
// program parses files: it answers requests until stdin ends. It reads no
// settings and minds no signals, and so comes before all else.
func runParseWorker(stdin io.Reader, stdout, stderr io.Writer, parse worker.Parser) int {
	if err := worker.Serve(stdin, stdout, parse); err != nil {
		fmt.Fprintln(stderr, err)
		return exitError
	}
	return exitFound
}
