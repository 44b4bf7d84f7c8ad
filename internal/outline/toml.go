package outline

var tomlSyntax = syntax{line: sectionLine, act: table(actions{
	"#": startComment, "\"'": tripleEscaped, "[": openParen, "]": closeParen,
})}
