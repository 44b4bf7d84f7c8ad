package cli

import (
	"fmt"
	"io"
	"os"

	"espy/internal/facts/worker"
)

// parseCommand is the command of a child of this program that parses, none
// where the program does not know its own file.
func parseCommand() []string {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{self, worker.Command}
}

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
