package pcre

import (
	"strconv"
	"strings"
)

// Plain writes the expression as Rust's regex crate reads it, if it means the same there.
func (x *Expression) Plain() (text string, ok bool) {
	ok = true
	x.tree.each(func(n *node) {
		switch n.op {
		case opAtomic, opLook, opRef, opKeep, opEndLast:
			ok = false
		}
	})
	if !ok {
		return "", false
	}
	w := writer{opts: x.opts, names: x.names}
	w.write(x.tree)
	return w.out.String(), true
}

// Wide writes an expression, as Rust's regex crate reads it, that matches in each text in
// which this one does, at the same place or at one before it in the same match.
func (x *Expression) Wide() string {
	w := writer{opts: x.opts, names: x.names, wide: true}
	w.write(x.tree)
	return w.out.String()
}

// maxWide is how often a part of a wide expression is repeated at most, where there is a
// limit.
const maxWide = 10

// writer writes nodes.
type writer struct {
	opts  Options
	names []string
	wide  bool // what PCRE2 alone has is left out
	out   strings.Builder
}

func (w *writer) write(n *node) {
	switch n.op {
	case opSequence:
		for _, sub := range n.subs {
			w.within(sub, sub.op == opAlternate)
		}
	case opAlternate:
		for i, sub := range n.subs {
			if i > 0 {
				w.out.WriteByte('|')
			}
			w.write(sub)
		}
	case opGroup:
		w.group(n)
	case opAtomic:
		w.within(n.subs[0], true)
	case opRepeat:
		w.within(n.subs[0], n.subs[0].op != opSet && n.subs[0].op != opGroup)
		w.repetition(n)
	case opRef:
		w.out.WriteString("(?s:.*)")
	case opLook, opKeep, opEndLast:
	case opWordEdge, opNoWordEdge:
		if !w.wide {
			w.out.WriteString(n.text)
		}
	default:
		w.leaf(n)
	}
}

// within writes a node, in brackets where it is to be one with what stands round it.
func (w *writer) within(n *node, brackets bool) {
	if !brackets {
		w.write(n)
		return
	}
	w.out.WriteString("(?:")
	w.write(n)
	w.out.WriteByte(')')
}

func (w *writer) group(n *node) {
	switch name := w.names[n.n]; {
	case w.wide:
		w.out.WriteString("(?:")
	case name != "":
		w.out.WriteString("(?P<" + name + ">")
	default:
		w.out.WriteByte('(')
	}
	w.write(n.subs[0])
	w.out.WriteByte(')')
}

func (w *writer) repetition(of *node) {
	n := *of
	if w.wide {
		n.min = min(n.min, maxWide)
		if n.max > maxWide {
			n.max = -1
		}
	}
	switch {
	case n.max < 0 && n.min < 2:
		w.out.WriteByte("*+"[n.min])
	case n.min == 0 && n.max == 1:
		w.out.WriteByte('?')
	case n.max == n.min:
		w.out.WriteString("{" + strconv.Itoa(n.min) + "}")
	case n.max < 0:
		w.out.WriteString("{" + strconv.Itoa(n.min) + ",}")
	default:
		w.out.WriteString("{" + strconv.Itoa(n.min) + "," + strconv.Itoa(n.max) + "}")
	}
	if n.lazy {
		w.out.WriteByte('?')
	}
}

// leaf writes a leaf, with the flags in which it differs from what holds for all.
func (w *writer) leaf(n *node) {
	on, off := "", ""
	add := func(letter string, is, usual bool) {
		if is && !usual {
			on += letter
		} else if !is && usual {
			off += letter
		}
	}
	switch n.op {
	case opSet:
		add("i", n.flags.fold, w.opts.IgnoreCase)
	case opAny:
		add("s", n.flags.dotAll, w.opts.DotAll)
	}
	if off != "" {
		on += "-" + off
	}
	if on == "" {
		w.out.WriteString(n.text)
		return
	}
	w.out.WriteString("(?" + on + ":" + n.text + ")")
}
