// Espy finds code: espy --help tells how.
package main

import (
	"os"

	"espy/internal/cli"
	"espy/internal/facts/treesitter"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ(), treesitter.Parse))
}
