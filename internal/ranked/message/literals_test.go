package message

import "testing"

// TestLiterals holds which lines fill in a literal, in the ways in which languages write these
// and the values in them.
func TestLiterals(t *testing.T) {
	for _, c := range []struct{ name, language, code, text string }{
		{"quotes in a literal of Perl", "perl", `die qq{Shelf "$name" has no lid} unless $lid;`, `Shelf "A7" has no lid at /srv/lib/Shop/Shelf.pm line 17.`},
		{"brackets in it", "perl", `die qq{Shelf {$name} has no lid};`, `Shelf {A7} has no lid`},
		{"other marks", "perl", `die q/no lid on the/ . qq!shelf $n of $self->{rooms}[0]{name} today!;`, `no lid on the shelf 7 of hall today, <STDIN> line 3.`},
		{"an array", "perl", `croak qq{Shelf "$all[-1]" is no shelf};`, `Shelf "A7" is no shelf`},
		{"an expression of Perl", "perl", `warn "-- Took @{[$self->name("x")]} from shelf\n";`, `-- Took A7 from shelf`},
		{"Ruby", "ruby", `raise %(Shelf "#{shelf.name("x")}" has no lid)`, `Shelf "A7" has no lid (Shop::LidError)`},
		{"Elixir", "elixir", `raise ~s(Shelf "#{name}" has no lid)`, `Shelf "A7" has no lid`},
		{"Lua", "lua", `error([[Shelf "A" has no lid]])`, `Shelf "A" has no lid`},
		{"a value with literals in it", "powershell", `throw "Shelf $(if ($n) { "shelf $n" } else { "hall" }) has no lid"`, `Shelf A7 has no lid`},
		{"quotes behind a mark of PowerShell", "powershell", "throw \"Shelf `\"$Name`\" has no lid\"", `Shelf "A7" has no lid`},
		{"a folder of PowerShell", "powershell", `throw "Shelf in C:\$Name\ has no lid"`, `Shelf in C:\A7\ has no lid`},
		{"a value of JavaScript with literals", "typescript", "throw new Error(`Shelf ${n ? `no. ${n}` : 'of the hall'} has no lid`)", `Shelf no. 7 has no lid`},
		{"a property of PHP", "php", `throw new E("Shelf $this->name has no lid");`, `Shelf A7 has no lid in /srv/Shelf.php:17`},
		{"arguments of a call", "clojure", `(throw (ex-info (str "shelf " n " has no lid") {}))`, `shelf A7 has no lid`},
		{"few words of a call", "clojure", `(str "no lid: " n " here")`, `no lid: A7 here`},
		{"a value at the end", "clojure", `(throw (f (str "no lid on: " (name of)) {}))`, `no lid on: A7`},
		{"a value at the end behind a comma", "typescript", `console.log("no lid on:", shelf.name);`, `no lid on: A7`},
		{"a macro of Verilog", "verilog", "`shop_fatal(`name, $sformatf(\"Shelf %0s has no lid\", n))", `SHOP_FATAL @ 1200: hall [hall] Shelf A7 has no lid`},
		{"a quasiquote of Lisp", "lisp", "(take `(lid ,n) (error \"Shelf %s has no lid\" n))", `Shelf A7 has no lid`},
		{"arguments behind commas", "r", `stop("shelf ", n, " has no lid")`, `shelf A7 has no lid`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := New(c.text).Best([]byte(c.code), c.language); !got.IsMessage(false) || got.Literal != 1 {
				t.Errorf("Best(%q) in %s: %+v, want all of a literal", c.text, c.code, got)
			}
		})
	}
}

// TestNoLiterals holds what opens no literal, and what joins none.
func TestNoLiterals(t *testing.T) {
	for _, c := range []struct{ name, language, code, text string }{
		{"a name that ends as a mark does", "perl", `$h{q} = uniq{shelf has no lid};`, "shelf has no lid"},
		{"a method", "perl", `$self->q(shelf has no lid);`, "shelf has no lid"},
		{"other calls", "clojure", `(f "no lid: ") (g " here")`, `no lid: A7 here`},
		{"another argument", "go", `take("no lid on", shelf)`, `no lid on A7`},
		{"a list in prose", "elixir", "turns it into a `Shelf.Lid`, but not", `Shelf.Lid of all rooms`},
		{"a quoted list", "clojure", `'(a b) (str has no lid) 'x`, "has no lid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := New(c.text).Best([]byte(c.code), c.language); got.Format || got.Quoted >= MinWords {
				t.Errorf("Best(%q) in %s: %+v, want none", c.text, c.code, got)
			}
		})
	}
}
