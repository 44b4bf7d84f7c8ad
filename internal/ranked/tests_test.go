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

// TestBlocksOfTests holds that the blocks of tests between the functions of D are behind these.
func TestBlocksOfTests(t *testing.T) {
	rest := strings.Repeat("    assert(count(text) == 1); // counts what stands in the text so far\n", 30)
	block := "\n///\n@safe unittest\n{\n    // the rules of a ledger are applied: ledger rules, applied\n    assert(ledger.rules.applied);\n" + rest + "}\n"
	snap := sample.Repository(t, "demo", map[string]string{
		"src/book.d":  "module book;\n" + block + "\n/// What a rule says of the ledger.\nBook step(R)(Book book, R rule)\nif (isRule!R && R.size >= 1)\n{\n    // rules are applied here\n    return rule.of(book);\n}\n" + block,
		"src/price.d": "module price;\n\nint price(Item of)\n{\n    return of.cents;\n}\n" + block,
	})
	showsFirst(t, snap, "where are ledger rules applied", "src/book.d", 43)
}
