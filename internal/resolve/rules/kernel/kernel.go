// Package kernel has the names that Ruby itself gives to values and types.
package kernel

import (
	"espy/internal/resolve/infer"
	"espy/internal/wordset"
)

// Builtins are methods of Object, Kernel, String, Array, Hash and the like.
var Builtins = wordset.Of(`! == abort abs add all? any? append args arity ancestors assoc at backtrace begin bind bytes call capitalize catch ceil center chars chomp chop
	class clear clone close collect compact concat const_get count cover? create cycle data day default define_method delete delete_at delete_if detect dig display divmod downcase drop dup
	each each_char each_cons each_entry each_key each_line each_pair each_slice each_value each_with_index each_with_object empty? encode encoding end end_with? entries eql? equal? eval even?
	exit extend fail fetch fill filter filter_map find find_all find_index first flat_map flatten floor flush force_encoding format freeze frozen? get gets group_by gsub gsub! has_key? has_value? hash
	hour id include include? index inject insert inspect instance_eval instance_of? instance_variable_get instance_variable_set instance_variables instance_exec invert is_a? itself join keep_if key key? keys kind_of? lambda
	last length lines ljust load loop lstrip map map! match match? max max_by member? members merge merge! message method method_missing methods min min_by module_eval month name new next nil? none? now object_id odd? one? open ord pack
	parameters parse partition path pop pos prepend pretty_print print printf proc product public_send push put putc puts raise rand read readline readlines reduce rehash reject reload remove replace require rescue reset respond_to? respond_to_missing? reverse
	reverse_each rewind rindex rjust rotate round rstrip run sample scan seek select send set setup shift shuffle size sleep slice slice! sort sort! sort_by source split sprintf squeeze start_with? step stop store strftime strip
	sub sub! succ sum superclass swap sync synchronize take take_while tap then throw times to_a to_ary to_enum to_f to_h to_hash to_i to_json to_proc to_s to_str to_sym tr transform_keys transform_values transpose
	trim truncate type undef_method uniq unpack unshift upcase update url user utc value value? values values_at wait warn with write year yield_self zip`)

// Everything are methods of Object and Kernel that are no Builtins, and those that
// libraries for tests give to all objects.
var Everything = wordset.Of(`__id__ __method__ __send__ blank? byebug deep_dup define_singleton_method display enum_for expects extend in? instance_variable_defined? instance_variable_get
	instance_variable_set must_be must_be_close_to must_be_empty must_be_instance_of must_be_kind_of must_be_nil must_be_same_as must_equal must_include must_match must_output must_raise must_respond_to
	nil? presence present? remove_instance_variable should should_not should_receive singleton_class singleton_method singleton_methods stub stubs stubbed try try! unstub
	wont_be wont_be_empty wont_be_nil wont_equal wont_include wont_match wont_respond_to`)

// Types are the types of Ruby that programs add methods to.
var Types = wordset.Of(`String Array Hash Integer Float Numeric Symbol Object Kernel BasicObject NilClass TrueClass FalseClass Time Date DateTime Range Regexp Proc Module Class Enumerable Comparable IO File Thread Exception`)

// Containers are what methods of arrays and hashes give.
var Containers = map[string]infer.Gives{
	"first": infer.AnElement, "last": infer.AnElement, "fetch": infer.AnElement, "find": infer.AnElement, "detect": infer.AnElement,
	"shift": infer.AnElement, "pop": infer.AnElement, "sample": infer.AnElement, "min_by": infer.AnElement, "max_by": infer.AnElement,
	"values": infer.AllElements, "select": infer.TheSame, "filter": infer.TheSame, "reject": infer.TheSame, "sort_by": infer.TheSame,
	"compact": infer.TheSame, "uniq": infer.TheSame, "reverse": infer.TheSame, "to_a": infer.TheSame, "each": infer.TheSame,
}

// Callbacks are the methods of arrays and hashes that give elements to their block, and
// which of its parameters takes one, from 0.
var Callbacks = map[string]int{
	"each": 0, "map": 0, "select": 0, "filter": 0, "reject": 0, "find": 0, "detect": 0, "any?": 0, "all?": 0, "none?": 0, "each_with_index": 0,
	"flat_map": 0, "sort_by": 0, "group_by": 0, "find_each": 0, "each_with_object": 0, "sum": 0, "partition": 0, "max_by": 0, "min_by": 0,
	"filter_map": 0, "collect": 0, "reverse_each": 0, "delete_if": 0, "index_by": 0, "map!": 0, "count": 0, "take_while": 0,
}
