package lang

import (
	"bytes"
	"path"
	"strings"

	"espy/internal/pattern"
	"espy/internal/wordset"
)

// headLimit is how much of the head of a file Detect looks at; of longHeads and extensions
// that no language has it is headerLimit.
const headLimit = 512

// longHeads are extensions of texts whose licence may come first.
var longHeads = wordset.Of(".cls .h .pp .v")

// Detect recognises the language of a file by its base name, its extension, or the
// #! line of head. head is the beginning of the text, or nil if it is not at hand;
// it also decides between languages that share an extension, and tells code in a
// language that has no row, Other, from text, for which Detect returns nil.
func Detect(name string, head []byte) *Language {
	base := name[strings.LastIndexByte(name, '/')+1:]
	if l := byFileName(base); l != nil {
		return l
	}
	ext := path.Ext(base)
	whole := head[:min(len(head), headerLimit)]
	if head = whole; !longHeads[ext] {
		head = head[:min(len(head), headLimit)]
	}
	if ext == "" || ext == base || ext == "." {
		return byShebang(head)
	}
	if l, ok := byExtension[ext]; ok {
		return settle(l, ext, head)
	}
	lower := strings.ToLower(ext)
	if l, ok := byExtension[lower]; ok {
		return settle(l, lower, head)
	}
	if l := byShebang(head); l != nil || !isOther(ext, whole) {
		return l
	}
	return byName[Other]
}

func byFileName(base string) *Language {
	if l, ok := byFile[base]; ok {
		return l
	}
	// Dockerfile.dev and Makefile.am are known names with a suffix.
	if stem, suffix, ok := strings.Cut(base, "."); ok && stem != "" {
		switch stem {
		case "Dockerfile", "Containerfile", "Jenkinsfile":
			return byFile[stem]
		case "Makefile", "makefile", "GNUmakefile":
			if suffix == "am" || suffix == "in" || suffix == "inc" || suffix == "common" {
				return byFile[stem]
			}
		}
	}
	return nil
}

// byShebang reads the interpreter out of a line such as "#!/usr/bin/env -S python3 -u".
func byShebang(head []byte) *Language {
	if !bytes.HasPrefix(head, []byte("#!")) {
		return nil
	}
	line, _, _ := bytes.Cut(head[2:], []byte("\n"))
	for _, field := range bytes.Fields(line) {
		word := string(field[bytes.LastIndexByte(field, '/')+1:])
		if word == "env" || strings.HasPrefix(word, "-") || strings.ContainsRune(word, '=') {
			continue
		}
		word = strings.TrimRight(word, "0123456789.-")
		return byInterpreter[word]
	}
	return nil
}

// claim is a language that shares an extension with the usual one.
type claim struct {
	language string // empty: no known language
	is       func(head []byte) bool
}

// contested lists the claims on shared extensions. The first that holds counts;
// without one the file is in the language whose row has the extension.
var contested = map[string][]claim{
	".cls": {{"visualbasic", isVisualBasic}, {"apex", isApex}},
	".fs":  {{"glsl", isGLSL}},
	".h":   {{"objective-c", hasObjectiveC}, {"cpp", hasCPP}},
	".inc": {{"php", func(head []byte) bool { return bytes.HasPrefix(head, []byte("<?")) }}},
	".m":   {{"matlab", func(head []byte) bool { return !hasObjectiveC(head) && hasMatlab(head) }}},
	".pl":  {{"prolog", isProlog}},
	".pm":  {{"prolog", isProlog}},
	".pp":  {{"pascal", isPascal}},
	".r":   {{"", func(head []byte) bool { return anyLine(head, "REBOL") }}},
	".ts":  {{"xml", isXML}}, // translations of Qt
	".tsx": {{"xml", isXML}}, // tiles of maps
	".v":   {{"coq", isCoq}, {"v", isV}},
}

// settle decides between the languages that share an extension; l is the usual one.
func settle(l *Language, ext string, head []byte) *Language {
	if head == nil {
		return l
	}
	for _, c := range contested[ext] {
		if c.is(head) {
			return byName[c.language]
		}
	}
	return l
}

func isVisualBasic(head []byte) bool { return anyLine(head, "VERSION ", "Attribute VB_") }

// isApex reports whether a text declares a type as Apex does, which has no case.
func isApex(head []byte) bool { return apexType().Match(head) }

var apexType = pattern.New(`(?im)^\s*(?:(?:public|private|global|virtual|abstract|with|without|inherited|sharing|@istest(?:\([^)]*\))?)\s+)*(?:class|interface|enum)\s+\w+`)

func isPascal(head []byte) bool { return pascalHead().Match(head) }

// pascalHead is a directive, or a unit, a program or a library.
var pascalHead = pattern.New(`(?im)^\s*(?:\{\$\w|(?:unit|program|library)\s+\w+(?:\.\w+)*;)`)

func isGLSL(head []byte) bool { return anyLine(head, "#version", "precision ") }

func isXML(head []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(head), []byte("<?xml")) }

func isCoq(head []byte) bool { return anyLine(head, "Require ", "Theorem ", "Lemma ") }

// isV reports whether a text is in V: Verilog has neither fn nor pub, and a semicolon ends its imports.
func isV(head []byte) bool {
	return anyLine(head, "fn ", "pub ", "@[", "__global ") || vHead().Match(head)
}

// vHead is an import without a semicolon, or a module that no port follows.
var vHead = pattern.New(`(?m)^(?:import [a-z][\w.]*(?: as \w+)?(?: \{.*)?\r?\n|module \w+\r?\n\s*(?:[a-hj-z@]|interface ))`)

func isProlog(head []byte) bool {
	return (anyLine(head, ":-") || bytes.Contains(head, []byte(":- "))) && !bytes.HasPrefix(head, []byte("#!")) && !hasPerl(head)
}

// anyLine reports whether a line of head starts with the prefix after blanks.
func anyLine(head []byte, prefixes ...string) bool {
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimLeft(line, " \t")
		for _, p := range prefixes {
			if len(line) >= len(p) && string(line[:len(p)]) == p {
				return true
			}
		}
		head = rest
	}
	return false
}

func hasObjectiveC(head []byte) bool {
	return anyLine(head, "@interface", "@implementation", "@protocol", "@class", "@property", "#import ", "@import ", "@end")
}

func hasMatlab(head []byte) bool {
	return anyLine(head, "function ", "%", "classdef ", "end")
}

func hasPerl(head []byte) bool {
	return anyLine(head, "use ", "package ", "sub ", "my ", "our ", "require ")
}
