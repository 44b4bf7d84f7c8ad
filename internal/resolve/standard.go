package resolve

import "espy/internal/facts"

// What the methods of containers give, which every language has in its library
// under few names. Their receivers are lists, maps and generic types from
// elsewhere whose arguments are known.
type gives uint8

const (
	anElement gives = iota + 1
	aKey
	theElements // all of them: values()
	theEntries  // pairs of a key and an element
	theSame     // another container like it, or itself
)

var containers = map[family]map[string]gives{
	familyPython: {
		"get": anElement, "pop": anElement, "popleft": anElement, "setdefault": anElement, "get_nowait": anElement,
		"values": theElements, "keys": aKey, "items": theEntries, "popitem": theEntries, "copy": theSame, "most_common": theEntries,
	},
	familyScript: {
		"get": anElement, "at": anElement, "pop": anElement, "shift": anElement, "find": anElement, "findLast": anElement,
		"values": theElements, "entries": theEntries, "filter": theSame, "slice": theSame, "concat": theSame, "reverse": theSame,
		"sort": theSame, "toSorted": theSame, "toReversed": theSame, "splice": theSame, "finally": theSame, "catch": theSame,
	},
	familyJava: {
		"get": anElement, "next": anElement, "remove": anElement, "poll": anElement, "peek": anElement, "pop": anElement,
		"getOrDefault": anElement, "orElse": anElement, "orElseThrow": anElement, "getFirst": anElement, "getLast": anElement,
		"values": theElements, "keySet": aKey, "entrySet": theEntries, "stream": theSame, "iterator": theSame, "filter": theSame,
	},
	familyC: {
		"at": anElement, "front": anElement, "back": anElement, "top": anElement, "get": anElement, "value": anElement, "lock": anElement,
		"begin": theSame, "end": theSame, "cbegin": theSame, "rbegin": theSame, "find": theSame,
	},
	familyRust: {
		"unwrap": anElement, "expect": anElement, "unwrap_or": anElement, "unwrap_or_default": anElement, "unwrap_or_else": anElement,
		"next": anElement, "get_mut": theSame, "take": theSame, "borrow": anElement, "borrow_mut": anElement, "load": anElement,
		"as_ref": theSame, "as_mut": theSame, "clone": theSame, "iter": theSame, "iter_mut": theSame, "into_iter": theSame, "lock": theSame,
		"read": theSame, "write": theSame, "pop": theSame, "last": theSame, "first": theSame, "get": theSame,
		"filter": theSame, "rev": theSame, "skip": theSame, "cloned": theSame, "copied": theSame, "ok_or": theSame, "drain": theSame,
	},
}

// calledOutside is what a call of something from elsewhere gives: itself, unless
// it is a method of a container.
func (q *Question) calledOutside(t thing, depth int) []thing {
	c := t.recv
	if c == nil || c.f == nil || c.f.language == nil || c.kind != aList && c.kind != aMap && c.kind != outside {
		return []thing{t}
	}
	switch containers[c.f.language.family][t.name] {
	case anElement:
		return q.element(*c, elemValue, depth)
	case aKey:
		return q.element(*c, elemKey, depth)
	case theSame:
		return []thing{*c}
	case theElements:
		if list := *c; c.kind != outside {
			list.kind = aList
			return []thing{list}
		}
		return []thing{{kind: aList, f: c.f, expr: lastOf(c.f, c.expr), env: c.env}}
	case theEntries:
		if c.kind == outside && countArguments(*c) == 2 {
			return []thing{{kind: aList, f: c.f, expr: c.expr, env: c.env}}
		}
		return nil
	}
	return []thing{t}
}

// lastOf is the last expression of a tuple.
func lastOf(f *file, tuple int32) int32 {
	for {
		x := f.Expr(int(tuple))
		if x.Op != facts.OpTuple {
			return tuple
		}
		if x.Y == facts.None {
			return x.X
		}
		tuple = x.Y
	}
}

// callbacks are the methods of containers that call what they are given with
// an element: with which of its arguments, from 0.
var callbacks = map[family]map[string]int{
	familyScript: {
		"forEach": 0, "map": 0, "filter": 0, "find": 0, "findLast": 0, "findIndex": 0, "some": 0, "every": 0, "flatMap": 0,
		"sort": 0, "reduce": 1, "then": 0,
	},
	familyRust: {
		"map": 0, "and_then": 0, "filter": 0, "for_each": 0, "any": 0, "all": 0, "find": 0, "filter_map": 0, "flat_map": 0,
		"is_some_and": 0, "position": 0, "map_or": 0, "inspect": 0, "retain": 0, "take_while": 0, "skip_while": 0, "fold": 1,
	},
	familyJava: {
		"forEach": 0, "map": 0, "filter": 0, "anyMatch": 0, "allMatch": 0, "noneMatch": 0, "flatMap": 0, "ifPresent": 0, "removeIf": 0,
		"mapToInt": 0, "peek": 0,
	},
}

// calledBack is the function that a method of a container takes.
func calledBack(t thing) (thing, bool) {
	c := t.recv
	if c == nil || c.f == nil || c.f.language == nil || c.kind != aList && c.kind != outside {
		return thing{}, false
	}
	at, ok := callbacks[c.f.language.family][t.name]
	return thing{kind: aCallback, recv: c, expr: int32(at)}, ok
}
