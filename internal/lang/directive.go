package lang

// IsDirective reports whether a line at the margin speaks to a preprocessor: #if, `ifdef.
func IsDirective[T string | []byte](line T) bool {
	if len(line) < 2 || line[0] != '#' && line[0] != '`' {
		return false
	}
	from := 1
	for from < len(line) && line[from] == ' ' {
		from++
	}
	end := from
	for end < len(line) && 'a' <= line[end] && line[end] <= 'z' {
		end++
	}
	switch string(line[from:end]) {
	case "define", "elif", "elifdef", "elifndef", "else", "elsif", "endif", "endregion", "error", "if", "ifdef", "ifndef", "include", "line", "pragma", "region", "undef":
		return true
	}
	return false
}
