package outline

var iniSyntax = syntax{line: sectionLine, act: table(actions{"#;": startComment})}
