package render

// nextCursor is the cursor of what is left of a total behind a page; empty where nothing is,
// or nothing is shown.
func nextCursor(cursor func(offset int) string, total, offset, shown int) string {
	if total-offset-shown <= 0 || cursor == nil || shown == 0 {
		return ""
	}
	return cursor(offset + shown)
}

// folder names what a question is about: the repository, or a path in it.
func (o Options) folder(path string) string {
	if path == "" {
		return "the repository"
	}
	return o.name(path)
}
