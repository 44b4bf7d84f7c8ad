package cli

import (
	"fmt"
	"io"
	"os"

	"espy/internal/facts/worker"
)

// parseCommand is the command of a child process that parses, nil if the program
// does not know its own file.
func parseCommand() []string {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{self, worker.Command}
}

// runParseWorker is the hidden command of a child process that parses files: it
// answers requests until stdin ends. It comes before everything else, since it
// reads no settings and handles no signals.
func runParseWorker(stdin io.Reader, stdout, stderr io.Writer, parse worker.Parser) int {
	if err := worker.Serve(stdin, stdout, parse); err != nil {
		fmt.Fprintln(stderr, err)
		return exitError
	}
	return exitFound
}
