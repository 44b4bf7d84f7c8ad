package ranked_test

import (
	"strings"
	"testing"

	"espy/internal/sample"
)

// TestTestsInCode holds that the tests which stand in a file of Rust are behind its code,
// unless the question asks for tests or names one of them.
func TestTestsInCode(t *testing.T) {
	rest := "\n" + strings.Repeat("    // counts what stands in the text so far, one by one\n", 40)
	tests := "\n#[cfg(test)]\nmod tests {\n    use super::*;\n" + rest + "\n    #[test]\n    fn ledger_rules_are_applied() {\n        // the rules of a ledger are applied: ledger rules, applied\n        assert!(apply(&ledger(), &rules()).is_applied());\n    }\n}\n"
	snap := sample.Repository(t, "demo", map[string]string{
		"src/book.rs":  "pub fn step(book: Book, rule: &Rule) -> Book {\n    // what a rule says of the ledger\n    rule.of(book)\n}\n\nfn other() {" + rest + "}\n" + tests,
		"src/price.rs": "pub fn price(of: &Item) -> u64 {" + rest + "    of.cents\n}\n" + strings.ReplaceAll(tests, "ledger_rules_are_applied", "rules_applied_to_ledger"),
	})
	for _, c := range []struct {
		query, path string
		line        int // that is shown
	}{
		{"where are ledger rules applied", "src/book.rs", 2},
		{"tests of ledger rules applied", "src/book.rs", 97},
		{"ledger_rules_are_applied", "src/book.rs", 97},
	} {
		showsFirst(t, snap, c.query, c.path, c.line)
	}
}
