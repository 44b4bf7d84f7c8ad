package rust

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/wordset"
)

// header is the header of an impl of a trait: impl<T> Trait for Vec<T>.
type header struct {
	use corpus.Ref // of the trait
	typ string     // name of the type, empty of one without a name: a slice, a tuple; "$" of what a macro is given
	all bool       // the type is a parameter that no trait of the repository bounds
}

// extensions finds the methods of traits that impls give to a type from elsewhere, or
// to all types. Methods that types of the library have themselves are left out: they
// go before those of traits.
func (r *rust) extensions(_ *corpus.File, t infer.Thing, name string) []corpus.Ref {
	if library[name] {
		return nil
	}
	keys := keysOf(t)
	var exact, whole []corpus.Ref
	for _, m := range r.read.Named(name) {
		trait, ok := r.traitOf(m)
		if !ok {
			continue
		}
		exactly := 0
		for _, h := range r.headers(trait) {
			switch {
			case h.all:
				whole = appendNew(whole, r.given(h, m))
			case slices.Contains(keys, h.typ):
				exact = appendNew(exact, r.given(h, m))
				exactly++
			}
		}
		if exactly > 1 && len(keys) > maxKeys { // of which number is not known
			exact = append(exact[:len(exact)-exactly], m)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return whole
}

func appendNew(refs []corpus.Ref, ref corpus.Ref) []corpus.Ref {
	if slices.Contains(refs, ref) {
		return refs
	}
	return append(refs, ref)
}

// traitOf is the trait that declares a method.
func (r *rust) traitOf(method corpus.Ref) (corpus.Ref, bool) {
	s := r.read.Symbol(method)
	if s.Parent == facts.None || !s.Kind.IsFunc() || r.corpus.Family(method.File) != corpus.Rust {
		return corpus.Ref{}, false
	}
	trait := corpus.Ref{File: method.File, Index: s.Parent}
	return trait, r.read.Symbol(trait).Kind == code.KindTrait
}

// given is the method of an impl that stands for one of its trait, which itself where
// the impl has none.
func (r *rust) given(h header, method corpus.Ref) corpus.Ref {
	for _, m := range r.read.Named(r.read.Symbol(method).Name) {
		if s := r.read.Symbol(m); m.File == h.use.File && s.Flags&facts.Overrides != 0 && r.headerOf(m) == h.use.Index {
			return m
		}
	}
	return method
}

// headers are the headers of the impls of a trait for types that the repository does
// not declare.
func (r *rust) headers(trait corpus.Ref) []header {
	if known, ok := r.implementing[trait]; ok {
		return known
	}
	r.implementing[trait] = nil
	var all []header
	for _, u := range r.read.Uses(r.read.Symbol(trait).Name) {
		f := r.read.File(u.File)
		if f.Family != corpus.Rust || f.Use(u.Index).Role != facts.RoleImplement || !slices.Contains(r.infer.Meaning(u, infer.Full()).Refs, trait) {
			continue
		}
		if h, ok := r.header(f, u); ok {
			all = append(all, h)
		}
	}
	r.implementing[trait] = all
	return all
}

// maxHeader bounds the bytes of the header of an impl that are read on either side of
// its trait.
const maxHeader = 1000

// header reads the header of the impl that a use of a trait stands in. ok is false
// where it is of a type of the repository.
func (r *rust) header(f *corpus.File, use corpus.Ref) (h header, ok bool) {
	at := int(f.Use(use.Index).At)
	behind, err := r.corpus.TextRange(f.ID, at, at+maxHeader, nil)
	if err != nil {
		return header{}, false
	}
	_, written, ok := strings.Cut(string(behind), " for ")
	if i := strings.IndexAny(string(behind), "{;"); !ok || i >= 0 && i < len(behind)-len(written) { // a derive
		return header{}, false
	}
	h = header{use: use, typ: typeName(written)}
	if strings.HasPrefix(h.typ, "$") {
		h.typ = "$"
	}
	if h.typ == "" || h.typ == "$" {
		return h, true
	}
	before, err := r.corpus.TextRange(f.ID, max(0, at-maxHeader), at, nil)
	if err != nil {
		return header{}, false
	}
	start := strings.LastIndex(string(before), "impl")
	for i := range f.Facts.SymbolsNamed(h.typ) {
		s := f.Symbol(int32(i))
		switch {
		case s.Kind == code.KindTypeParam && int(s.At) < at && start >= 0 && int(s.At) > at-len(before)+start:
			h.all = !r.isBounded(f, use.Index, at-len(before)+start, at+strings.IndexByte(string(behind), '{'))
			return h, h.all
		case s.Kind.IsType() && s.Flags&facts.Local == 0:
			return header{}, false
		}
	}
	return h, len(r.typesOf(r.Exported(r.module(f.ID), h.typ, infer.Full()).Refs)) == 0
}

// isBounded reports whether the header of an impl, from one byte to another, names a
// trait of the repository beside the one that it is of.
func (r *rust) isBounded(f *corpus.File, trait int32, from, to int) bool {
	for i := int32(f.Facts.UsesFrom(uint32(from))); int(i) < f.Facts.NumUses() && int(f.Use(i).At) < to; i++ {
		if i != trait && slices.ContainsFunc(r.infer.Meaning(corpus.Ref{File: f.ID, Index: i}, infer.Full()).Refs, func(t corpus.Ref) bool { return r.read.Symbol(t).Kind == code.KindTrait }) {
			return true
		}
	}
	return false
}

// typeName is the name of a type at the beginning of a text, without its path and what
// points to it; empty of a slice, an array, a tuple and a function.
func typeName(text string) string {
	text = strings.TrimLeft(text, "&* \t\r\n")
	for _, word := range []string{"'", "mut ", "const ", "dyn "} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			if word == "'" {
				_, rest, _ = strings.Cut(rest, " ")
			}
			return typeName(rest)
		}
	}
	end := strings.IndexFunc(text, func(c rune) bool { return !(c == '_' || c == ':' || c == '$' || isLetter(c)) })
	if end < 0 {
		end = len(text)
	}
	return corpus.LastName(text[:end])
}

func isLetter(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// numbers are the primitive types that a number may be of.
var numbers = []string{"u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64", "char", "$"}

// maxKeys is more than the names that types have besides numbers.
const maxKeys = 3

// keysOf are the names by which impls name the type of a thing from elsewhere, with
// those that its methods come from too: a Vec has those of slices. An empty name is
// that of a type without one.
func keysOf(t infer.Thing) []string {
	switch t.Kind {
	case infer.AList:
		return []string{"Vec", ""}
	case infer.ATuple:
		return []string{""}
	case infer.ABuiltin:
		switch t.Argument {
		case facts.LiteralString:
			return []string{"str", "String"}
		case facts.LiteralBool:
			return []string{"bool"}
		}
		return numbers
	case infer.Elsewhere:
		switch t.Name {
		case "Vec":
			return []string{"Vec", ""}
		case "String":
			return []string{"String", "str"}
		}
		return []string{t.Name}
	}
	return nil
}

// library are the methods that many types of the standard library have.
var library = wordset.Of(`
	all any append args as_bytes as_deref as_mut as_ptr as_mut_ptr as_ref as_slice as_str by_ref bytes capacity chain char_indices
	chars checked_add checked_sub chunks clear clone cloned cmp collect concat contains contains_key copied count cycle dedup drain
	entry enumerate eq err expect extend extend_from_slice filter filter_map find find_map first flat_map flatten flush fmt fold
	for_each from_utf8 fuse get get_mut get_or_insert_with hash insert inspect into into_bytes into_inner into_iter is_empty is_err
	is_none is_ok is_some iter iter_mut join keys last len lines load lock map map_err map_while max max_by max_by_key min min_by
	min_by_key ne next next_back nth ok ok_or or or_else or_insert parse partial_cmp partition peek peekable pop pop_front position
	product push push_back push_front push_str read read_to_string recv remove repeat replace reserve resize retain rev
	rfind saturating_sub scan send set shrink_to_fit skip skip_while sort sort_by sort_by_key sort_unstable spawn split split_at
	split_off splitn starts_with ends_with step_by store strip_prefix sum swap take take_while to_bits to_owned to_string to_vec trim
	truncate try_from try_into unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else unzip values windows with_capacity
	wrapping_add write write_all zip add sub mul div neg not deref drop borrow borrow_mut default from as_any type_id source size_hint
	abs pow min_value max_value leading_zeros trailing_zeros count_ones rotate_left swap_remove sort_unstable_by path exists`)
