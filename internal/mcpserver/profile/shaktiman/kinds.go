package shaktiman

import "espy/internal/code"

// symbolKind is a kind in the words of the original, "" for what it has no word for.
func symbolKind(k code.Kind) string {
	switch k {
	case code.KindFunc, code.KindMacro:
		return "function"
	case code.KindMethod:
		return "method"
	case code.KindClass:
		return "class"
	case code.KindInterface, code.KindTrait:
		return "interface"
	case code.KindType, code.KindStruct, code.KindEnum:
		return "type"
	case code.KindConst:
		return "constant"
	case code.KindVar, code.KindField:
		return "variable"
	case code.KindModule:
		return "namespace"
	}
	return ""
}

// kindOrFile is the kind of a declaration; the top of a file counts as a namespace.
func kindOrFile(k code.Kind) string {
	if w := symbolKind(k); w != "" {
		return w
	}
	return "namespace"
}
