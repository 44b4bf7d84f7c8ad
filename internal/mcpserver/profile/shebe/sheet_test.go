package shebe

import (
	_ "embed"
	"os"
	"testing"

	"espy/internal/proof"
)

//go:embed testdata/documented.txt
var documentedBehaviour string

// sheet is what the reference of Shebe's tools documents.
var sheet = proof.New(`# Shebe: what its tools document, and the tests that prove it

Generated from the tests of internal/mcpserver/profile/shebe by `+"`make golden`"+`; do not edit.
The command line is in [shebe-commands.md](shebe-commands.md), the way to move in [migrate.md](migrate.md).
`, documentedBehaviour)

func TestMain(m *testing.M) { os.Exit(sheet.Main(m, "../../../../docs/shebe.md", update, os.Stderr)) }
