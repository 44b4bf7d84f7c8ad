package corpus

import (
	"strings"
	"testing"
)

// TestPassesOn holds which statements pass a name on, and from where.
func TestPassesOn(t *testing.T) {
	for _, tt := range []struct{ text, line, from string }{
		{"use a::Lamp;\npub use b::c::Lamp;", "pub use b::c::Lamp;", "b::c"},
		{"    pub(crate) use b::{\n    Other,\n    Lamp,\n};\n", "    Lamp,", "b"},
		{"pub use b::{c::{Lamp}, d};", "pub use b::{c::{Lamp}, d};", "b"},
		{"pub use b::Torch as Lamp;", "pub use b::Torch as Lamp;", "b"},
		{"pub use b::Lamp as Torch;\npub use Lamp::Other;\n/// pub use b::Lamp;\n", "", ""},
		{"export { Other, Lamp } from './lamp'", "export { Other, Lamp } from './lamp'", "./lamp"},
		{"export type {\n  Torch as Lamp,\n} from \"lamps\"\n", "  Torch as Lamp,", "lamps"},
		{"export { Lamp }\nexport { Lamp as Torch } from 'lamps'\nimport { Lamp } from 'lamps'\nexport * from 'lamps'\n", "", ""},
		{"from .wax import Other, Lamp\n", "from .wax import Other, Lamp", ".wax"},
		{"from wax import (\n    Other,\n    Torch as Lamp,\n)\n", "    Torch as Lamp,", "wax"},
		{"import Lamp\nfrom Lamp import x\nfrom wax import Lamp as x, Lamps\n", "", ""},
	} {
		at, from := passesOn([]byte(tt.text), "Lamp")
		line := ""
		if at >= 0 {
			start := strings.LastIndexByte(tt.text[:at], '\n') + 1
			line, _, _ = strings.Cut(tt.text[start:], "\n")
		}
		if line != tt.line || from != tt.from {
			t.Errorf("%q: %q from %q, want %q from %q", tt.text, line, from, tt.line, tt.from)
		}
	}
}
